"""What states mean and how they look: legends, and palettes by name or from a file."""

import colorsys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from levolve.core.errors import InputError, shown
from levolve.core.registry import did_you_mean
from levolve.formats.reading.files import read_data, read_text

# 256 colours in any notation.
MOST_PALETTE_BYTES = 1 << 16
Colour = tuple[int, int, int]
Palette = tuple[Colour, ...]

# The first is the source's: eleven colours that are easy to distinguish.
PALETTES: dict[str, Palette] = {
    "source": (
        (255, 255, 255),
        (0, 0, 0),
        (0, 255, 0),
        (0, 0, 255),
        (255, 0, 0),
        (51, 255, 255),
        (0, 255, 255),
        (255, 69, 0),
        (0, 102, 0),
        (153, 0, 153),
        (255, 255, 51),
    ),
    "cave": (
        (236, 226, 205),
        (74, 64, 72),
        (72, 134, 176),
        (196, 150, 62),
        (190, 72, 60),
        (112, 148, 90),
        (126, 102, 150),
        (150, 186, 190),
        (110, 86, 60),
        (214, 180, 170),
    ),
    "ink": (
        (250, 248, 243),
        (38, 34, 48),
        (120, 116, 128),
        (184, 180, 178),
        (78, 72, 92),
        (216, 212, 206),
        (150, 146, 152),
        (98, 92, 106),
    ),
}
MEANINGS = ("open", "wall", "water", "ore", "danger", "plant", "crystal", "ice", "earth", "sand")
WALKABLE = ("open", "plant", "earth", "sand", "ice")


@dataclass(frozen=True)
class Legend:
    """A word for every state, such as open, wall, water, and which of the words can be walked
    on.
    """

    names: tuple[str, ...]
    walkable: tuple[str, ...] = WALKABLE

    def __post_init__(self) -> None:
        """Refuse empty names."""
        if any(not isinstance(name, str) or not name.strip() for name in self.names):
            raise InputError(f"legend: expected one word per state, got {shown(list(self.names))}")

    def is_open(self, state: int) -> bool:
        """Whether a state can be walked on."""
        return self.names[state] in self.walkable


def usual_legend(states: int) -> Legend:
    """State 0 is open, 1 is wall, then water, ore, danger and so on."""
    return Legend(
        tuple(
            MEANINGS[state] if state < len(MEANINGS) else f"state {state}"
            for state in range(states)
        )
    )


def checked_legend(names: Sequence[str] | None, states: int) -> Legend:
    """A legend for so many states, the usual one if none is given."""
    if names is None:
        return usual_legend(states)
    if isinstance(names, str) or len(names) != states:
        raise InputError(f"legend: expected {states} words, one per state, got {shown(names)}")
    return Legend(tuple(names))


def find_palette(palette: str | Path | Sequence[Sequence[int]] = "source") -> Palette:
    """Colours by a palette's name, from a file, or as they are.

    A file is `.json` or `.toml` with a list `colours`, or text with one colour per line; a colour
    is `#rrggbb` or three numbers from 0 to 255.
    """
    if isinstance(palette, str | Path):
        if str(palette) in PALETTES:
            return PALETTES[str(palette)]
        path = Path(palette)
        if not path.suffix:
            raise InputError(
                f"palette: unknown palette {shown(str(palette))}: "
                f"{did_you_mean(str(palette), list(PALETTES))}; or give the path of a file"
            )
        return _read_palette(path)
    return tuple(
        _colour(entry, f"palette: colour {number}") for number, entry in enumerate(palette)
    )


def _read_palette(path: Path) -> Palette:
    if path.suffix.lower() in {".json", ".toml"}:
        data = read_data(path, "palette")
        listed: Any = data.get("colours") if isinstance(data, Mapping) else data
    else:
        content = read_text(path, MOST_PALETTE_BYTES)
        listed = [
            line.split() if " " in line.strip() else line.strip()
            for line in content.splitlines()
            if line.strip()
        ]
    if not isinstance(listed, list) or not listed:
        raise InputError(
            f"palette {path}: expected a list of colours, '#rrggbb' or three numbers each, got "
            f"{shown(listed)}"
        )
    return tuple(
        _colour(entry, f"palette {path}: colour {number}") for number, entry in enumerate(listed)
    )


def _colour(entry: Any, where: str) -> Colour:
    try:
        if isinstance(entry, str):
            digits = entry.removeprefix("#")
            parts = (
                [int(digits[k : k + 2], 16) for k in (0, 2, 4)] if len(digits) == 6 else []
            )  # two digits for red, green, blue
        else:
            parts = [int(part) for part in entry]
        red, green, blue = parts
    except (TypeError, ValueError) as problem:
        raise InputError(
            f"{where}: expected '#rrggbb' or three numbers from 0 to 255, got {shown(entry)}"
        ) from problem
    if not all(0 <= part <= 255 for part in parts):  # a byte
        raise InputError(f"{where}: expected numbers from 0 to 255, got {shown(entry)}")
    return red, green, blue


def palette_for(states: int, palette: str | Path | Sequence[Sequence[int]] = "source") -> Palette:
    """A palette with at least one colour per state."""
    colours = find_palette(palette)
    if len(colours) < states:
        raise InputError(
            f"palette: expected at least {states} colours, one per state, got {len(colours)}; "
            "use another palette or a file of your own"
        )
    return colours


def extended_palette(
    states: int, palette: str | Path | Sequence[Sequence[int]] = "source"
) -> Palette:
    """A palette with exactly one colour per state: where it has too few, further ones are spread
    over the hues.
    """
    colours = find_palette(palette)[:states]
    missing = states - len(colours)
    spread = (
        colorsys.hsv_to_rgb(number / missing, 0.55, 0.9 if number % 2 else 0.6)
        for number in range(missing)
    )
    return (
        *colours,
        *((round(255 * red), round(255 * green), round(255 * blue)) for red, green, blue in spread),
    )
