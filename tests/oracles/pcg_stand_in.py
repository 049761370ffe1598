"""A stand-in for the PCG Benchmark: its interface, with three small problems of our own, so that
tests run where it is not installed.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from PIL import Image

PROBLEMS: dict[str, tuple[Any, dict[str, Any]]] = {}


class Space:
    """The base class of spaces."""

    def __init__(self) -> None:
        self._random = np.random.default_rng(1)

    def seed(self, seed: int) -> None:
        """Set the seed."""
        self._random = np.random.default_rng(seed)


class IntegerSpace(Space):
    """A whole number; the upper limit is excluded."""

    def __init__(self, low: int, high: int | None = None) -> None:
        super().__init__()
        self.limits = {"min": 0 if high is None else low, "max": low if high is None else high}

    def range(self) -> dict[str, int]:
        """The limits."""
        return self.limits

    def isSampled(self, value: Any) -> bool:  # noqa: N802 the interface
        """Whether a value is of this space."""
        return (
            np.ndim(value) == 0
            and not isinstance(value, dict)
            and self.limits["min"] <= value < self.limits["max"]
        )

    def sample(self) -> int:
        """Draw a value."""
        return int(self._random.integers(self.limits["min"], self.limits["max"]))


class FloatSpace(IntegerSpace):
    """A number."""

    def __init__(self, low: float, high: float) -> None:
        super().__init__(0, 1)
        self.limits = {"min": float(low), "max": float(high)}  # type: ignore[dict-item] # the interface


class GenericSpace(Space):
    """A structure of spaces."""

    def __init__(self, value: Any) -> None:
        super().__init__()
        self._value = value

    def range(self) -> Any:
        """The limits of all parts."""
        return {name: part.range() for name, part in self._value.items()}

    def isSampled(self, value: Any) -> bool:  # noqa: N802 the interface
        """Whether a value is of this space."""
        return _matches(self._value, value)


class DictionarySpace(GenericSpace):
    """A dictionary of spaces."""


class ArraySpace(GenericSpace):
    """An array of one space."""

    def __init__(self, shape: tuple[int, ...], element: Space) -> None:
        def nested(sides: tuple[int, ...]) -> Any:
            return [nested(sides[1:]) if len(sides) > 1 else element for _ in range(sides[0])]

        super().__init__(nested(shape))


def _matches(space: Any, value: Any) -> bool:
    if isinstance(space, Space):
        return bool(space.isSampled(value))  # type: ignore[attr-defined] # all spaces here have it
    if isinstance(space, dict):
        return isinstance(value, dict) and all(
            _matches(part, value.get(name)) for name, part in space.items()
        )
    if isinstance(space, list):
        return (
            np.ndim(value) > 0
            and len(value) == len(space)
            and all(_matches(part, one) for part, one in zip(space, value, strict=True))
        )
    return bool(space == value)


def regions(tiles: np.ndarray) -> int:
    """Count the regions of tiles above 0."""
    left = {(int(y), int(x)) for y, x in np.argwhere(tiles > 0)}
    count = 0
    while left:
        count += 1
        front = [left.pop()]
        for y, x in front:
            for cell in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
                if cell in left:
                    left.remove(cell)
                    front.append(cell)
    return count


class Caves:
    """Maps of one region with some share of floor; the control is the floor."""

    def __init__(self, width: int, height: int) -> None:
        self._content_space: Space = ArraySpace((height, width), IntegerSpace(2))
        self._control_space: Space = DictionarySpace(
            {"floor": IntegerSpace(width * height // 3, width * height // 2)}
        )
        self.calls = 0

    def info(self, content: Any) -> dict[str, Any]:
        """Count regions and floor."""
        self.calls += 1
        tiles = np.array(content)
        return {"regions": regions(tiles), "floor": int(tiles.sum()), "flat": tiles.ravel()}

    def quality(self, info: Mapping[str, Any]) -> float:
        """1 for one region of a quarter of the cells."""
        return (
            float(
                min(1.0, 1.0 / max(info["regions"], 1))
                + min(1.0, 4 * info["floor"] / info["flat"].size)
            )
            / 2
        )

    def diversity(self, one: Mapping[str, Any], other: Mapping[str, Any]) -> float:
        """1 if a quarter of the cells differ."""
        return min(1.0, 4 * float((one["flat"] != other["flat"]).mean()))

    def controlability(self, info: Mapping[str, Any], control: Mapping[str, Any]) -> float:
        """1 within 4 cells of the wanted floor."""
        return float(max(0.0, 1 - max(abs(info["floor"] - control["floor"]) - 4, 0) / 20))

    def render(self, content: Any) -> Image.Image:
        """One pixel per tile."""
        return Image.fromarray((np.array(content) * 40).astype(np.uint8))


class Keys(Caves):
    """Maps with a player, a key, a door and enemies, as in the benchmark's zelda."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__(width, height)
        self._content_space = ArraySpace((height, width), IntegerSpace(6))
        self._enemies, self._erange = 3, 1

    def quality(self, info: Mapping[str, Any]) -> float:
        """1 for one region and the right tiles."""
        counts = np.bincount(info["flat"], minlength=6)
        right = [
            info["regions"] == 1,
            counts[2] == 1,
            counts[3] == 1,
            counts[4] == 1,
            2 <= counts[5] <= 4,
        ]
        return float(np.mean(right))


class Orchestra(Caves):
    """Nested contents without a map."""

    def __init__(self) -> None:
        super().__init__(4, 4)
        self._content_space = DictionarySpace(
            {
                "players": ArraySpace(
                    (3,), DictionarySpace({"volume": FloatSpace(0, 1), "voice": IntegerSpace(1, 5)})
                ),
                "tempo": IntegerSpace(60, 181),
                "name": "band",
                "pair": [IntegerSpace(2), IntegerSpace(3)],
            }
        )

    def info(self, content: Any) -> dict[str, Any]:
        """The loudness and the tempo."""
        return {
            "loudness": sum(player["volume"] for player in content["players"]),
            "tempo": content["tempo"],
            "notes": "none",
        }

    def quality(self, info: Mapping[str, Any]) -> float:
        """1 for a loud and fast piece."""
        return float(min(1.0, info["loudness"] / 2) * min(1.0, info["tempo"] / 150))


class Environment:
    """What `make` returns."""

    def __init__(self, problem: Any) -> None:
        self._problem = problem
        self.content_space, self.control_space = problem._content_space, problem._control_space

    def info(self, content: Any) -> Any:
        """Information about one content."""
        if not self.content_space.isSampled(content):
            message = "wrong input for the function"
            raise ValueError(message)
        return self._problem.info(content)

    def quality(self, infos: list[Any]) -> Any:
        """The share that passes, and the details."""
        values = np.array([self._problem.quality(info) for info in infos])
        return (values >= 1).mean(), values, infos

    def diversity(self, infos: list[Any]) -> Any:
        """The share that differs from all others, and the details."""
        pairs = np.array(
            [[self._problem.diversity(one, other) for other in infos] for one in infos]
        )
        np.fill_diagonal(pairs, 1)
        values = pairs.min(axis=1)
        return (values >= 1).mean(), values, infos

    def controlability(self, infos: list[Any], controls: list[Any]) -> Any:
        """The share that meets its control, and the details."""
        values = np.array(
            [
                self._problem.controlability(info, control)
                for info, control in zip(infos, controls, strict=True)
            ]
        )
        return (values >= 1).mean(), values, infos

    def render(self, content: Any) -> Any:
        """A picture."""
        return self._problem.render(content)


def register(name: str, problem: Any, settings: dict[str, Any]) -> None:
    """Register a problem."""
    if name in PROBLEMS:
        raise AttributeError(name)
    PROBLEMS[name] = problem, settings


def names() -> list[str]:
    """The names of all problems."""
    return [*PROBLEMS]


def make(name: str) -> Environment:
    """Make an environment."""
    problem, settings = PROBLEMS[name]
    return Environment(problem(**settings))
