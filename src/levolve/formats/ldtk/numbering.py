"""The unique numbers (uids) of an LDtk project."""

from collections.abc import Hashable


class Numbering:
    """Unique numbers from 1, given to keys in the order of their first use, so that the same levels give the same bytes."""

    def __init__(self) -> None:
        """Start without any number."""
        self._numbers: dict[Hashable, int] = {}

    def __call__(self, *key: Hashable) -> int:
        """Return the number of a key."""
        return self._numbers.setdefault(key, len(self._numbers) + 1)

    @property
    def following(self) -> int:
        """The first number that no key has."""
        return len(self._numbers) + 1
