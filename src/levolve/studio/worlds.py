"""The worlds that pages look at, by digest, and the pictures of them that were made last.

How a request describes a world: the rule, its updates, the seed, and the colours.

Maps of states as rows of text: one hexadecimal digit per cell.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from levolve.core.errors import InputError, UnknownNameError
from levolve.studio.connections import Turns
from levolve.worlds.design import Design, design_from_data
from levolve.worlds.lambda_fields import DEFAULT_LENGTH, MOST_LENGTH
from levolve.worlds.legend import PALETTES, extended_palette, find_palette
from levolve.worlds.rule import DEFAULT_UPDATES, Map
from levolve.worlds.starts import VON_NEUMANN
from levolve.worlds.views import MOST_UPDATES, Mixture, WorldView

MOST_WORLDS = 512
MOST_BYTES = 64 << 20


class Worlds:
    """Views of worlds and their pictures. All are named by their content; the ones used last are
    kept.

    Parameters
    ----------
    most_worlds
        How many views are kept.
    most_bytes
        How many bytes of pictures are kept.
    """

    def __init__(self, most_worlds: int = MOST_WORLDS, most_bytes: int = MOST_BYTES) -> None:
        """Start empty."""
        self._views: OrderedDict[str, WorldView] = OrderedDict()
        self._pictures: OrderedDict[tuple[object, ...], bytes] = OrderedDict()
        self._most_worlds, self._most_bytes = most_worlds, most_bytes
        self._bytes = 0
        self._lock = threading.Lock()
        # Pictures are made on as many threads as there are cores; other requests wait for a moment.
        self.turns = Turns()

    @property
    def size(self) -> int:
        """The bytes of all pictures that are kept."""
        return self._bytes

    def add(self, view: WorldView) -> WorldView:
        """Keep a view, and return it, or an equal one that is there."""
        with self._lock:
            view = self._views.setdefault(view.digest, view)
            self._views.move_to_end(view.digest)
            while len(self._views) > self._most_worlds:
                self._views.popitem(last=False)
        return view

    def find(self, digest: str) -> WorldView:
        """Return the view of a digest."""
        with self._lock:
            if digest not in self._views:
                raise UnknownNameError(f"there is no world {digest!r}; send its description again")
            self._views.move_to_end(digest)
            return self._views[digest]

    def kept(self, digest: str, zoom: int, x: int, y: int) -> bytes | None:
        """Return a picture if it is kept."""
        with self._lock:
            key = (digest, zoom, x, y)
            if key in self._pictures:
                self._pictures.move_to_end(key)
            return self._pictures.get(key)

    def make(self, view: WorldView, zoom: int, x: int, y: int) -> bytes:
        """Make a picture, and keep it."""
        picture = view.tile(zoom, x, y)
        with self._lock:
            self._bytes -= len(self._pictures.pop((view.digest, zoom, x, y), b""))
            self._pictures[view.digest, zoom, x, y] = picture
            self._bytes += len(picture)
            while self._bytes > self._most_bytes:
                self._bytes -= len(self._pictures.popitem(last=False)[1])
        return picture


DIGITS = np.frombuffer(b"0123456789abcdef", np.uint8)
VALUES = np.full(256, 255, np.uint8)
VALUES[DIGITS] = np.arange(len(DIGITS))


def state_rows(tiles: Map) -> list[str]:
    """Return one text per row."""
    return [row.tobytes().decode() for row in DIGITS[tiles]]


def read_state_rows(rows: list[str], most_cells: int) -> Map:
    """Return the map of some rows."""
    width, height = len(rows[0]), len(rows)
    if not width or width * height > most_cells or any(len(row) != width for row in rows):
        raise InputError(
            f"rows: expected rows of equal length, at most {most_cells:,} cells in all, got "
            f"{height} rows, the first of {width}"
        )
    tiles = VALUES[np.frombuffer("".join(rows).encode("latin-1", "replace"), np.uint8)].reshape(
        height, width
    )
    if tiles.max() >= len(DIGITS):
        raise InputError("rows: expected one hexadecimal digit, 0 to 9 or a to f, per cell")
    return tiles


MOST_STATES = 16
MOST_NEIGHBOURS = 48
FARTHEST_NEIGHBOUR = 3
LARGEST_SCORE = 1e9
LONGEST_NAME = 60
Score = Annotated[float, Field(ge=-LARGEST_SCORE, le=LARGEST_SCORE, allow_inf_nan=False)]
Scores = Annotated[
    list[Annotated[list[Score], Field(max_length=MOST_STATES)]],
    Field(
        min_length=1,
        max_length=MOST_STATES,
        description=(
            "A row per state: what a cell of this state scores for a neighbour of each state."
        ),
    ),
]
Offset = Annotated[int, Field(ge=-FARTHEST_NEIGHBOUR, le=FARTHEST_NEIGHBOUR)]
Colour = Annotated[str, Field(pattern="^#[0-9a-f]{6}$")]
Palette = (
    Literal["source", "cave", "ink"]
    | Annotated[list[Colour], Field(min_length=1, max_length=MOST_STATES)]
)


class MixtureDescription(BaseModel):
    """Another rule with as many states, into which the rule of a world changes over space."""

    model_config = ConfigDict(extra="forbid")

    scores: Scores
    field: Literal["linear", "vertical", "radial", "noise"] = "noise"
    length: int = Field(
        default=DEFAULT_LENGTH,
        ge=1,
        le=MOST_LENGTH,
        description="Over how many cells one rule changes into the other.",
    )


class WorldDescription(BaseModel):
    """A world, described completely: the same description gives the same cells."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(default="rule", min_length=1, max_length=LONGEST_NAME)
    scores: Scores
    neighbourhood: list[tuple[Offset, Offset]] = Field(
        default=list(VON_NEUMANN),
        min_length=1,
        max_length=MOST_NEIGHBOURS,
        description="The neighbours as (dx, dy), y downwards. Of equal scores the first counts.",
    )
    updates: int = Field(default=DEFAULT_UPDATES, ge=0, le=MOST_UPDATES)
    seed: int = Field(default=0, ge=0, lt=1 << 64, description="Decides the start map.")
    weights: list[Annotated[float, Field(ge=0, le=LARGEST_SCORE, allow_inf_nan=False)]] | None = (
        Field(
            default=None,
            max_length=MOST_STATES,
            description="The shares of the states at the start; equal by default.",
        )
    )
    arithmetic: Literal["exact", "float", "text"] = "exact"
    legend: list[Annotated[str, Field(min_length=1, max_length=30)]] | None = Field(
        default=None, max_length=MOST_STATES
    )
    palette: Palette = Field(
        default="cave",
        description="A palette by name, or one colour per state. Missing colours are added.",
    )

    morph: MixtureDescription | None = None

    def design(self) -> Design:
        """Return the design, or raise an error that says what does not fit."""
        data = self.model_dump(exclude={"seed", "legend", "palette", "morph"}, exclude_none=True)
        if self.legend is not None:
            data["legend"] = self.legend
        named = isinstance(self.palette, str) and len(PALETTES[self.palette]) >= len(self.scores)
        data["palette"] = (
            self.palette if named else extended_palette(len(self.scores), self._colours())
        )
        return design_from_data(data, "rule")

    def _colours(self) -> Sequence[Sequence[int]]:
        return (
            PALETTES[self.palette]
            if isinstance(self.palette, str)
            else [tuple(bytes.fromhex(colour[1:])) for colour in self.palette]
        )

    def view(self) -> WorldView:
        """Return the world as a map to look at."""
        morph = self.morph
        mixture = (
            None
            if morph is None
            else Mixture(tuple(tuple(row) for row in morph.scores), morph.field, morph.length)
        )
        return WorldView(self.design(), self.seed, mixture)


def described(design: Design) -> dict[str, Any]:
    """Return the description of a design."""
    data = {
        key: value
        for key, value in design.to_data().items()
        if key not in {"summary", "border", "smooth", "start", "result"}
    }
    named = isinstance(design.palette, str)
    return data | {
        "name": design.name[:LONGEST_NAME] or "rule",
        "neighbourhood": [list(offset) for offset in design.rule.neighbourhood],
        "palette": design.palette
        if named
        else ["#" + bytes(colour).hex() for colour in find_palette(design.palette)[:MOST_STATES]],
    }
