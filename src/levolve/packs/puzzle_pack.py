"""`puzzle_pack`: many puzzles at once, none like another, along a curve of what they cost a solver."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from levolve.errors import InputError, LevolveError
from levolve.evolution.seeds import choose_seed
from levolve.formats.drawing import INK, PAPER, font
from levolve.formats.png import picture_bytes
from levolve.kernels.streams import PACK, draw, open_stream
from levolve.packs.folder import FORMAT, MANIFEST, PAGE, SHEET, write_folder
from levolve.packs.riddles import RIDDLES, Riddle
from levolve.packs.wanted import Range, parse_curve
from levolve.packs.webpage import page
from levolve.puzzles.puzzle import check_range
from levolve.registry import did_you_mean
from levolve.runs.values import parse_size
from levolve.version import VERSION

# Candidates for every puzzle of the pack: the more, the more even the curve.
CANDIDATES = 2
THUMBNAIL = 160


@dataclass(frozen=True)
class PuzzlePack:
    """Puzzles that were made together, each with a proven solution; `wanted` is how many were asked for."""

    puzzle: str
    size: tuple[int, int]
    wanted: int
    curve: Range | None
    seed: int
    riddles: tuple[Riddle, ...]

    @property
    def met(self) -> bool:
        """Whether as many were found as were asked for."""
        return len(self.riddles) == self.wanted

    @property
    def names(self) -> list[str]:
        """A file name for each puzzle, without its suffix."""
        digits = max(len(str(len(self.riddles))), 2)
        return [f"{number:0{digits}}-{self.puzzle}" for number in range(1, len(self.riddles) + 1)]

    @property
    def measures(self) -> list[dict[str, int]]:
        """What is known about each puzzle."""
        return [dict(riddle.measures) for riddle in self.riddles]

    @property
    def digest(self) -> str:
        """Sha256 over the digests of the puzzles, in their order."""
        return hashlib.sha256("\n".join(riddle.digest for riddle in self.riddles).encode()).hexdigest()

    def to_data(self, files: Sequence[Sequence[str]] = ()) -> dict[str, Any]:
        """The manifest."""
        order = {"puzzle": self.puzzle, "size": f"{self.size[0]}x{self.size[1]}", "count": self.wanted, "seed": self.seed}
        entries = [
            {
                "name": name,
                "files": list(files[index]) if files else [],
                "steps": len(riddle.solution),
                "difficulty": riddle.measures["difficulty"],
                "digest": riddle.digest,
                "measures": dict(riddle.measures),
            }
            for index, (name, riddle) in enumerate(zip(self.names, self.riddles, strict=True))
        ]
        curve = {} if self.curve is None else {"curve": list(self.curve)}
        head = {"format": FORMAT, "version": VERSION, "name": self.puzzle, "digest": self.digest, "met": self.met}
        return {**head, "orders": [{**order, **curve}], "levels": entries}

    def files(self, forms: Iterable[str]) -> dict[str, bytes]:
        """Every file of the pack's folder and its bytes."""
        chosen = forms_of(self.puzzle, forms)
        names = [[f"{name}.{form}" for form in chosen] for name in self.names]
        files = {f"{name}.{form}": riddle.contents[form]() for name, riddle in zip(self.names, self.riddles, strict=True) for form in chosen}
        files[SHEET] = picture_bytes(_sheet([riddle.picture for riddle in self.riddles], self.names))
        data = self.to_data(names)
        files[MANIFEST] = (json.dumps(data, indent=2) + "\n").encode()
        entries = [
            {
                **riddle.play,
                "type": self.puzzle,
                "kind": self.puzzle,
                "solution": riddle.solution,
                **{key: entry[key] for key in ("name", "measures", "files")},
            }
            for riddle, entry in zip(self.riddles, data["levels"], strict=True)
        ]
        files[PAGE] = page(RIDDLES[self.puzzle].meaning, self.digest, {}, entries)
        return files

    def save(self, folder: str | Path, forms: Iterable[str] = ("png",)) -> Path:
        """Write the pack's folder, and give the page's path."""
        return write_folder(Path(folder), self.files(forms))


def forms_of(puzzle: str, forms: str | Iterable[str]) -> list[str]:
    """The forms in which a puzzle can be written, by name."""
    known = list(RIDDLES[puzzle].forms)
    listed = [form.strip() for form in (forms.split(",") if isinstance(forms, str) else forms)]
    for form in listed:
        if form not in known:
            message = f"unknown form {form!r} of {RIDDLES[puzzle].meaning}: {did_you_mean(form, known)}"
            raise InputError(message)
    return list(dict.fromkeys(listed))


def candidates(puzzle: str, size: tuple[int, int], count: int, seed: int) -> Iterator[Riddle | None]:
    """Puzzles from short solutions to long ones, none like another; None for each that did not come about or was like one before."""
    kind = RIDDLES[puzzle]
    low, high = kind.lengths(size)
    known: set[str] = set()
    for number in range(count):
        length = low + (high - low) * number // max(count - 1, 1)
        start, step = open_stream(np.uint64(seed), PACK, number, 0)
        try:
            riddle = kind.make(size, (length, min(length + 2, high)), int(draw((np.uint64(start), np.uint64(step)), 0)))
        except InputError:
            raise
        except LevolveError:
            riddle = None
        if riddle is not None and riddle.likeness in known:
            riddle = None
        if riddle is not None:
            known.add(riddle.likeness)
        yield riddle


def choose(riddles: Sequence[Riddle], count: int, curve: Range | None) -> list[Riddle]:
    """So many of the riddles: spread evenly over their difficulty along the curve; from the easiest to the hardest, unless told."""
    ordered = sorted(riddles, key=lambda riddle: riddle.measures["difficulty"])
    if len(ordered) <= count:
        chosen = ordered
    else:
        first, last = curve or (0.0, 1.0)
        low, high = min(first, last), max(first, last)
        easiest, hardest = (ordered[end].measures["difficulty"] for end in (0, -1))
        left, chosen = list(ordered), []
        for number in range(count):
            wanted = easiest + (hardest - easiest) * (low + (high - low) * number / max(count - 1, 1))
            nearest = min(left, key=lambda riddle: abs(riddle.measures["difficulty"] - wanted))
            left.remove(nearest)
            chosen.append(nearest)
        chosen.sort(key=lambda riddle: riddle.measures["difficulty"])
    return chosen[::-1] if curve is not None and curve[0] > curve[1] else chosen


def puzzle_pack(  # noqa: PLR0913 as many wishes
    puzzle: str,
    *,
    count: int = 24,
    size: str | tuple[int, int] | None = None,
    curve: str | Sequence[float] | None = None,
    seed: int | None = None,
    progress: Callable[[], None] = lambda: None,
) -> PuzzlePack:
    """Make a pack of `flag` or `sliding`, from easy to hard by what they cost a solver. `progress` is called `CANDIDATES` times for each.

    >>> made = puzzle_pack("sliding", count=3, seed=1)
    >>> [riddle.measures["difficulty"] for riddle in made.riddles] == sorted(riddle.measures["difficulty"] for riddle in made.riddles)
    True
    """
    check_range("count", count, 1, 10_000)
    sides = RIDDLES[puzzle].size if size is None else parse_size(size)
    positions = None if curve is None else parse_curve(curve)
    chosen_seed = choose_seed(seed)
    found = []
    for riddle in candidates(puzzle, sides, CANDIDATES * count, chosen_seed):
        progress()
        if riddle is not None:
            found.append(riddle)
    return PuzzlePack(puzzle, sides, count, positions, chosen_seed, tuple(choose(found, count, positions)))


def _sheet(pictures: Sequence[Image.Image], captions: Sequence[str]) -> Image.Image:
    """All pictures on one, each scaled to fit, with its caption below."""
    columns = max(ceil(sqrt(len(pictures))), 1)
    gap, line = 24, 26
    rows = ceil(len(pictures) / columns)
    sheet = Image.new("RGB", (gap + columns * (THUMBNAIL + gap), gap + rows * (THUMBNAIL + line + gap)), PAPER)
    pen = ImageDraw.Draw(sheet)
    for index, (picture, caption) in enumerate(zip(pictures, captions, strict=True)):
        left, top = gap + index % columns * (THUMBNAIL + gap), gap + index // columns * (THUMBNAIL + line + gap)
        scale = THUMBNAIL / max(picture.size)
        sheet.paste(picture.resize((round(picture.width * scale), round(picture.height * scale)), Image.Resampling.LANCZOS), (left, top))
        pen.text((left, top + THUMBNAIL + 6), caption, fill=INK, font=font(14))
    return sheet
