"""The names of variation operators, as captions show them."""

from functools import lru_cache

from levolve.errors import UnknownNameError
from levolve.evolution.variation import CROSSOVERS, MUTATIONS
from levolve.evolution.variation.operators import Crossover, Mutation
from levolve.evolution.variation.repair import RepairMutation
from levolve.evolution.variation.sequence import MutationSequence


def operator_name(operator: Crossover | Mutation) -> str:
    """Return the name of an operator and what it is, such as "two_point crossover"; of a sequence the names of its members.

    >>> operator_name(MutationSequence())
    'double_rotation and uniform mutation'
    """
    if isinstance(operator, Crossover):
        return f"{_registered(type(operator))} crossover"
    return f"{' and '.join(_members(operator))} mutation"


def _members(mutation: Mutation) -> list[str]:
    if isinstance(mutation, MutationSequence):
        return [name for member in mutation.mutations for name in _members(member)]
    if isinstance(mutation, RepairMutation):
        return [*_members(mutation.mutation), "repair"]
    return [_registered(type(mutation))]


@lru_cache(maxsize=256)
def _registered(kind: type[Crossover | Mutation]) -> str:
    """Return the registered name of a kind of operator; the name of its class for one that is used only in Python."""
    try:
        return CROSSOVERS.name_of(kind) if issubclass(kind, Crossover) else MUTATIONS.name_of(kind)
    except UnknownNameError:
        return kind.__name__
