"""Sources of numbered levels: a recipe or a maker of puzzles, a pack, or a folder of files.

A level is a function of its number: number 7 of a recipe is the best level of a run with seed 7,
number 7 of a pack is the eighth of its levels. An episode draws a number, so that the same seed
gives the same levels, in one environment or in thousands.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from levolve.core.errors import InputError, LevolveError
from levolve.formats import FORMATS
from levolve.jobs.packs.files import load_pack
from levolve.jobs.packs.manifest import MANIFEST
from levolve.jobs.packs.members import Item
from levolve.jobs.packs.pack import Pack
from levolve.jobs.runs.run import Run
from levolve.levels.level import Level
from levolve.puzzles import PUZZLES
from levolve.puzzles.load_save import load, load_parts
from levolve.puzzles.puzzle import PICTURES
from levolve.puzzles.settings import changed_settings
from levolve.recipes.base_recipe import parse_size
from levolve.recipes.finding import RecipeSource, Size, adapt
from levolve.recipes.recipe import Recipe

DEFAULT_LEVELS = 1000
# Numbers of levels are below this. A seed that gives no winnable level is replaced by the next that
# is the same modulo this number.
MOST_LEVELS = 1 << 32
MOST_ATTEMPTS = 100
REMEMBERED = 256
# The value of `generations` for those of the recipe.
AS_RECIPE = "recipe"


class LevelSource(ABC):
    """Levels or positions with the numbers `first` to `first + count - 1`, at most `size` (width,
    height); each has a solution.
    """

    first: int
    count: int
    size: tuple[int, int]

    @abstractmethod
    def item(self, number: int) -> Item:
        """Return the level or position of this number, always the same."""

    @abstractmethod
    def samples(self) -> Sequence[Item]:
        """Return levels that show everything that differs between levels but their tiles and the
        cells of their places.
        """


class MadeSource(LevelSource):
    """Levels that are made on demand."""

    def __init__(self, first: int, count: int) -> None:
        """Check the range of numbers."""
        if not (
            _is_whole(first)
            and _is_whole(count)
            and first >= 0
            and count >= 1
            and first + count <= MOST_LEVELS
        ):
            message = (
                "levels and first: expected at least one level, with numbers from 0 to 2**32 - "
                f"1, got {count!r} from {first!r}"
            )
            raise InputError(message)
        self.first, self.count = int(first), int(count)
        self._recent: dict[int, Item] = {}
        self._sample = self.item(self.first)
        self.size = self._sample_size(self._sample)

    @abstractmethod
    def _make(self, number: int) -> Item:
        """Make the level of a number."""

    @abstractmethod
    def _sample_size(self, sample: Item) -> tuple[int, int]:
        """Return the width and height of the largest level, given one of them."""

    def item(self, number: int) -> Item:
        """Return the level or position of this number. The last ones are remembered: rendering asks
        again for the level that is played.
        """
        if number not in self._recent:
            if len(self._recent) == REMEMBERED:
                self._recent.pop(next(iter(self._recent)))
            self._recent[number] = self._make(number)
        return self._recent[number]

    def samples(self) -> Sequence[Item]:
        """Return the first level: the others have the same tileset, goal and kinds of places."""
        return [self._sample]


class RunSource(MadeSource):
    """The best level of a run of a recipe, with the level's number as seed."""

    def __init__(self, recipe: Recipe, first: int, count: int) -> None:
        """Make the first level."""
        self.recipe = recipe
        super().__init__(first, count)

    def _make(self, number: int) -> Level:
        """Run the recipe with the number as seed, or with the next seed that is the same modulo
        2**32, until there is a level to play.
        """
        for attempt in range(MOST_ATTEMPTS):
            run = Run(self.recipe, number + attempt * MOST_LEVELS)
            run.finish()
            try:
                level = run.best
            except LevolveError:
                continue
            if level.solution:
                return level
        message = (
            f"recipe {self.recipe.name!r}: expected levels that can be won by at least one "
            f"step, got none in {MOST_ATTEMPTS} runs; "
            "use more generations, or another recipe"
        )
        raise LevolveError(message)

    def _sample_size(self, sample: Item) -> tuple[int, int]:
        return _size_of(sample)


class MakerSource(MadeSource):
    """The first position that the maker of a puzzle gives, with the position's number as seed."""

    def __init__(self, puzzle: str, request: Mapping[str, Any], first: int, count: int) -> None:
        """Make the first position."""
        self._puzzle: Any = PUZZLES[puzzle]
        self._request: Any = changed_settings(
            self._puzzle.request, request, f"a request for {self._puzzle.plural}"
        )
        super().__init__(first, count)

    def _make(self, number: int) -> Item:
        made: Item = next(iter(self._puzzle.make(1, self._request, seed=number, rated=False)))
        return made

    def _sample_size(self, sample: Item) -> tuple[int, int]:
        """The size in the request: positions may be smaller."""
        width, height = self._request.size
        return max(width, _size_of(sample)[0]), max(height, _size_of(sample)[1])


class ListedSource(LevelSource):
    """Levels of a pack or of files."""

    def __init__(
        self,
        items: Sequence[Item],
        names: Sequence[str],
        kind: type[Any],
        first: int,
        count: int | None,
    ) -> None:
        """Check that there are levels of a kind, and that each can be won."""
        for item, name in zip(items, names, strict=True):
            if not isinstance(item, kind):
                message = (
                    f"{name}: expected a {kind.__name__}, got a {type(item).__name__}; use the "
                    "environment that plays it"
                )
                raise InputError(message)
            if not item.solution:
                what = (
                    "has no solution" if item.solution is None else "is won before the first move"
                )
                message = (
                    f"{name}: expected a level that can be won by at least one step, got one "
                    f"that {what}"
                )
                raise InputError(message)
        count = len(items) - first if count is None and _is_whole(first) else count
        if not (
            _is_whole(first)
            and _is_whole(count)
            and first >= 0
            and count is not None
            and 1 <= count <= len(items) - first
        ):
            message = (
                f"levels and first: expected some of the {len(items)} levels, got {count!r} from "
                f"{first!r}"
            )
            raise InputError(message)
        self.first, self.count = int(first), int(count)
        self._items = items
        sizes = [_size_of(item) for item in self.samples()]
        self.size = max(width for width, _ in sizes), max(height for _, height in sizes)

    def item(self, number: int) -> Item:
        """Return a level by its number, counted from 0."""
        return self._items[number]

    def samples(self) -> Sequence[Item]:
        """Return all levels that are played."""
        return self._items[self.first : self.first + self.count]


@dataclass(frozen=True)
class SourceOptions:
    """Where the levels of an environment come from: one of `recipe`, `pack` and `folder`; see
    `PlayEnv`.
    """

    recipe: RecipeSource | None = None
    size: Size | None = None
    generations: int | Literal["recipe"] | None = None
    settings: Mapping[str, Any] | None = None
    target: Mapping[str, Any] | None = None
    request: Mapping[str, Any] | None = None
    pack: Pack | str | Path | None = None
    folder: str | Path | None = None
    levels: int | None = None
    first: int = 0

    def open(
        self, usual: str, kind: type[Any], things: Mapping[str, int] | None = None
    ) -> LevelSource:
        """Return the source. `usual` is the recipe or puzzle if none is given, with `things`;
        `kind` the class of its levels.
        """
        given = [name for name in ("recipe", "pack", "folder") if getattr(self, name) is not None]
        if len(given) > 1:
            message = (
                f"{' and '.join(given)}: expected one of them, because levels come from one source"
            )
            raise InputError(message)
        if self.pack is not None or self.folder is not None:
            self._refuse(
                ("size", "generations", "settings", "target", "request"),
                f"a {given[0]}, whose levels are made already",
            )
            items, names = (
                _pack_items(self.pack)
                if self.pack is not None
                else _folder_items(Path(str(self.folder)))
            )
            return ListedSource(items, names, kind, self.first, self.levels)
        levels = DEFAULT_LEVELS if self.levels is None else self.levels
        recipe = usual if self.recipe is None else self.recipe
        puzzle = next((name for name in PUZZLES if PUZZLES[name].position_type is kind), None)
        if puzzle is not None:
            if recipe != puzzle:
                message = (
                    f"recipe: expected {puzzle!r}, the puzzle that this environment plays, got "
                    f"{recipe!r}"
                )
                raise InputError(message)
            self._refuse(("generations", "settings", "target"), f"{puzzle}; use request")
            return MakerSource(puzzle, self._request(puzzle), self.first, levels)
        self._refuse(("request",), "a recipe; use settings or target")
        generations = None if isinstance(self.generations, str) else self.generations or 0
        if isinstance(self.generations, str) and self.generations != AS_RECIPE:
            message = (
                f"generations: expected a whole number, or {AS_RECIPE!r} for those of the "
                f"recipe, got {self.generations!r}"
            )
            raise InputError(message)
        adapted = adapt(
            recipe,
            size=self.size,
            generations=generations,
            settings=self.settings,
            target=self.target,
            things=things if self.recipe is None else None,
        )
        return RunSource(adapted, self.first, levels)

    def _request(self, puzzle: str) -> dict[str, Any]:
        """Return the fields of a request. A size alone gets the lengths of solution that a pack of
        that size has.
        """
        request = dict(self.request or {})
        if self.size is not None:
            size = parse_size(self.size)
            request = {"size": size, "length": PUZZLES[puzzle].lengths(size), **request}
        return request

    def _refuse(self, names: Sequence[str], what: str) -> None:
        for name in names:
            if getattr(self, name) is not None:
                message = f"{name}: expected none together with {what}, got {getattr(self, name)!r}"
                raise InputError(message)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _size_of(item: Any) -> tuple[int, int]:
    return int(item.width), int(item.height)


def _pack_items(pack: Pack | str | Path | None) -> tuple[Sequence[Item], Sequence[str]]:
    """Return the levels and puzzles of a pack, or of the folder of one, and their names."""
    loaded = pack if isinstance(pack, Pack) else load_pack(str(pack))
    return loaded.items, [f"pack: {name}" for name in loaded.names]


def _folder_items(folder: Path) -> tuple[Sequence[Item], Sequence[str]]:
    """Return the levels and puzzles of the files in a folder, in the order of their names, and
    their paths. Pictures are ignored.
    """
    if not folder.is_dir():
        message = (
            f"folder {folder}: expected a folder of levels, got "
            f"{'a file' if folder.exists() else 'nothing'}"
        )
        raise InputError(message)
    if (folder / MANIFEST).exists():
        return _pack_items(folder)
    found: dict[str, tuple[Item, str]] = {}
    for path in sorted(folder.iterdir()):
        suffix = path.suffix.lower().removeprefix(".")
        if not path.is_file() or suffix not in FORMATS or suffix in PICTURES:
            continue
        several = FORMATS[suffix].levels is not None
        items = (
            {name: read() for name, read in load_parts(path).items()}
            if several
            else {str(path): load(path)}
        )
        # The same level in several formats is one level.
        for name, item in items.items():
            found.setdefault(item.digest, (item, name))
    if not found:
        message = (
            f"folder {folder}: expected files of levels, such as .txt, .json or .tmx, got none"
        )
        raise InputError(message)
    return [item for item, _ in found.values()], [name for _, name in found.values()]
