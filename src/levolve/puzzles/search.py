"""What the genetic solvers have in common: settings by name, and a search that goes on in stretches and tells how far it is."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, TypeVar

from levolve.errors import InputError
from levolve.puzzles.puzzle import Progress
from levolve.puzzles.telling import Teller

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

# Individuals bred between two looks at the clock.
A_STRETCH = 20_000


Settings = TypeVar("Settings", bound="DataclassInstance")


def changed_settings(kind: type[Settings], changes: Mapping[str, object], what: str) -> Settings:
    """The usual settings with some changed; an unknown name is refused."""
    known = [field.name for field in fields(kind)]
    check_known(changes, known, what)
    return kind(**changes)


def check_known(settings: Mapping[str, object], known: list[str], what: str) -> None:
    """Refuse a setting that is not known."""
    for name in settings:
        if name not in known:
            message = f"unknown setting {name!r} of {what}; known: {', '.join(known)}"
            raise InputError(message)


def check_switch(name: str, value: object) -> None:
    """Refuse what is neither true nor false."""
    if not isinstance(value, bool):
        message = f"{name}: expected true or false, got {value!r}"
        raise InputError(message)


class Search(ABC):
    """A population on its way: `generation` generations have been bred, at most `generations` will be, and `winner` is who solved it, or -1."""

    generation = 0
    winner = -1

    def __init__(self, population: int, generations: int) -> None:
        """Begin."""
        self.population = population
        self.generations = generations

    @abstractmethod
    def advance(self, count: int) -> None:
        """Breed up to `count` generations, fewer where one of them brings a solution."""

    @abstractmethod
    def progress(self) -> Progress:
        """How far it is."""

    @property
    def evaluations(self) -> int:
        """How many individuals were scored; the last generation only if it brought a solution."""
        return (self.generation + (self.winner >= 0)) * self.population

    def finish(self, watch: Callable[[Progress], None] | None = None) -> None:
        """Go on to a solution or to the last generation. `watch` hears from time to time how far it is, and once more at the end."""
        stretch = max(1, A_STRETCH // self.population)
        teller = Teller(watch)
        while self.winner < 0 and self.generation < self.generations:
            self.advance(min(stretch, self.generations - self.generation))
            teller.tell(self.progress)
        teller.tell(self.progress, at_once=True)
