"""Members of a pack: levels and positions of puzzles behind one interface. Nothing else in this
package distinguishes the two.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from levolve.formats import FORMATS
from levolve.formats.json import encode
from levolve.formats.level_files import encode_all
from levolve.formats.look import Look
from levolve.formats.originals import Original
from levolve.formats.pictures.walk_lines import caption_of
from levolve.jobs.packs.manifest import single_formats
from levolve.jobs.packs.webpage import entry_of
from levolve.levels.level import Level
from levolve.levels.measures.measuring import measure
from levolve.puzzles import PUZZLES
from levolve.puzzles.load_save import encode_files, puzzle_of
from levolve.puzzles.position import Position
from levolve.puzzles.tile_map import MAP_FORMS, to_level

if TYPE_CHECKING:
    from PIL import Image

Item = Level | Position

# Forms of puzzles that hold the solution: at least one is written, so that a pack can be checked.
PROVING = ("json", "txt", *MAP_FORMS)
# The longer side of the picture of a puzzle on a contact sheet, in pixels.
THUMBNAIL = 160


class Member(ABC):
    """One level or puzzle of a pack: what its files, the contact sheet, the manifest and the page
    need of it.
    """

    item: Item
    # The recipe or the puzzle; empty for a level without origin.
    kind: str
    # Members with the same unit have difficulties that can be compared.
    unit: str

    @abstractmethod
    def measures(self) -> dict[str, float]:
        """Return all measures that apply, by name; `difficulty` is one of them where there is
        something to solve.
        """

    @abstractmethod
    def files(
        self,
        stem: Path,
        formats: Sequence[str],
        look: Look | None = None,
        original: Original | None = None,
    ) -> dict[str, bytes]:
        """Return the names and bytes of the files in these formats, in a look; `stem` is the path
        without suffix.

        A level has the foreign parts of the original, the file that a pack continues from.
        """

    @abstractmethod
    def level(self) -> Level | None:
        """Return the level for files that contain all levels of a pack; None if there is none."""

    @abstractmethod
    def json(self) -> bytes:
        """Return the bytes of a JSON file."""

    @abstractmethod
    def drawn(self) -> "Level | Image.Image":
        """Return what the contact sheet shows."""

    @property
    @abstractmethod
    def caption(self) -> str:
        """A few words for the contact sheet."""

    @abstractmethod
    def entry(self, listed: Mapping[str, Any], look: Look | None = None) -> dict[str, Any]:
        """Return the data for the page, given the entry in the manifest, in a look."""


class LevelMember(Member):
    """A level."""

    def __init__(self, level: Level) -> None:
        """Store the level."""
        self.item = self._level = level
        self.kind = level.origin.recipe["name"] if level.origin else ""
        self.unit = ""

    def measures(self) -> dict[str, float]:
        """Return all measures, likeness with the examples of the level's own recipe."""
        return measure(
            self._level,
            like=self._level.origin.recipe.get("like", ()) if self._level.origin else (),
        ).of_level()

    def files(
        self,
        stem: Path,
        formats: Sequence[str],
        look: Look | None = None,
        original: Original | None = None,
    ) -> dict[str, bytes]:
        """Return the file of each format, and those that belong beside it."""
        suffixes = single_formats((suffix for suffix in formats if suffix in FORMATS), original)
        encoded = [
            encode_all(self._level, stem.with_name(f"{stem.name}.{suffix}"), look, original)
            for suffix in suffixes
        ]
        return {path.name: content for contents in encoded for path, content in contents.items()}

    def level(self) -> Level:
        """Return the level."""
        return self._level

    def json(self) -> bytes:
        """Return the bytes of a JSON file."""
        return encode(self._level)

    def drawn(self) -> Level:
        """Return the level itself."""
        return self._level

    @property
    def caption(self) -> str:
        """The number of steps."""
        return caption_of(self._level)

    def entry(self, listed: Mapping[str, Any], look: Look | None = None) -> dict[str, Any]:
        """Return the data of a level."""
        return entry_of(self._level, listed, look)


class PuzzleMember(Member):
    """A position of a puzzle."""

    def __init__(self, position: Position) -> None:
        """Store the position, and find its puzzle."""
        self.item = self.position = position
        self.puzzle = puzzle_of(position)
        self.kind = self.unit = self.puzzle.name

    def measures(self) -> dict[str, float]:
        """Return the measures of the puzzle."""
        return dict(self.puzzle.measures(self.position))

    def files(
        self,
        stem: Path,
        formats: Sequence[str],
        look: Look | None = None,
        original: Original | None = None,
    ) -> dict[str, bytes]:
        """Return a file for each format that the puzzle has, those that belong beside it, and a
        JSON file if none of them holds the solution.
        """
        forms = forms_of(self.puzzle.name, formats, original)
        encoded = [
            encode_files(
                self.position,
                stem.with_name(f"{stem.name}.{form}"),
                look if form in MAP_FORMS else None,
            )
            for form in forms
        ]
        return {path.name: content for contents in encoded for path, content in contents.items()}

    def level(self) -> Level | None:
        """Return the level that shows the position; None if tiles cannot show it."""
        return None if self.puzzle.tile_map() is None else to_level(self.puzzle, self.position)

    def json(self) -> bytes:
        """Return the bytes of a JSON file."""
        return self.puzzle.encode_json(self.position)

    def drawn(self) -> "Image.Image":
        """Return a small picture."""
        picture = self.puzzle.draw(self.position)
        picture.thumbnail((THUMBNAIL, THUMBNAIL))
        return picture

    @property
    def caption(self) -> str:
        """The number of steps."""
        return f"{len(self.position.solution or '')} steps"

    def entry(self, listed: Mapping[str, Any], look: Look | None = None) -> dict[str, Any]:
        """Return the data for the script of the puzzle."""
        shown = {key: listed[key] for key in ("name", "measures", "files")}
        return {
            **self.puzzle.play_data(self.position),
            "type": self.kind,
            "kind": self.kind,
            "solution": self.position.solution,
            **shown,
        }


def member_of(item: Item) -> Member:
    """Return a level or a position as a member of a pack."""
    return LevelMember(item) if isinstance(item, Level) else PuzzleMember(item)


def forms_of(puzzle: str, formats: Iterable[str], original: Original | None = None) -> list[str]:
    """Return those formats in which each puzzle has a file, and JSON if none of them holds the
    solution.
    """
    forms = [form for form in formats if form in PUZZLES[puzzle].forms]
    together = {form for form in forms if form in FORMATS} - set(
        single_formats((form for form in forms if form in FORMATS), original)
    )
    single = [form for form in forms if form not in together]
    return single if set(forms) & set(PROVING) else ["json", *single]


def merged(
    members: Sequence[Member], difficulties: Sequence[float], *, descending: bool = False
) -> list[int]:
    """Return the order of members from easy to hard, or `descending`.

    Members with the same unit are sorted by difficulty. Units cannot be compared, so the sorted
    groups are merged by relative position: member k of n, counted from 0, is at (2k + 1) / 2n. Of
    equal positions, the one whose group begins earlier in `members` is first.
    """
    groups: dict[str, list[int]] = {}
    for index, member in enumerate(members):
        groups.setdefault(member.unit, []).append(index)
    placed = []
    for number, group in enumerate(groups.values()):
        ordered = sorted(
            group, key=lambda index: -difficulties[index] if descending else difficulties[index]
        )
        placed += [
            ((2 * place + 1) / (2 * len(ordered)), number, place, index)
            for place, index in enumerate(ordered)
        ]
    return [index for *_, index in sorted(placed)]
