"""Maps on a small torus: start maps that are painted, and updates of them, by one rule or by two
that change into each other.
"""

from typing import Annotated, Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from levolve.formats.look import Look
from levolve.studio.api.levels import level_file
from levolve.studio.api.shared import RESPONSES, attachment
from levolve.studio.worlds import Scores, WorldDescription, read_state_rows, state_rows
from levolve.worlds.design import Design
from levolve.worlds.maps import FashionMap, make_map
from levolve.worlds.rule import Rule
from levolve.worlds.views import MOST_UPDATES

router = APIRouter(tags=["maps"], responses=RESPONSES)
MOST_SIDE = 256
MOST_CELLS = MOST_SIDE * MOST_SIDE

Side = Annotated[int, Field(ge=2, le=MOST_SIDE)]


class StartMap(BaseModel):
    """A random start map to draw."""

    model_config = ConfigDict(extra="forbid")

    world: WorldDescription
    width: Side = 96
    height: Side = 64


class MapMixture(BaseModel):
    """Another rule of the same states and neighbourhood, into which the rule changes over the
    map.
    """

    model_config = ConfigDict(extra="forbid")

    scores: Scores
    field: Literal["linear", "vertical", "radial", "noise"] = "linear"


class MapRun(BaseModel):
    """Updates of a map."""

    model_config = ConfigDict(extra="forbid")

    world: WorldDescription
    rows: list[Annotated[str, Field(max_length=MOST_SIDE)]] = Field(
        min_length=1,
        max_length=MOST_SIDE,
        description="The start map: one hexadecimal digit per cell.",
    )
    updates: int = Field(default=1, ge=0, le=MOST_UPDATES)
    morph: MapMixture | None = None

    def make(self) -> FashionMap:
        """Return the map after the updates."""
        design = self.world.design()
        start = read_state_rows(self.rows, MOST_CELLS)
        if self.morph is None:
            return make_map(design, start=start, updates=self.updates, seed=self.world.seed)
        other = Design(
            "other",
            Rule(self.morph.scores, design.rule.neighbourhood, arithmetic=design.rule.arithmetic),
        )
        return make_map(
            design,
            start=start,
            updates=self.updates,
            seed=self.world.seed,
            morph=[other],
            field=self.morph.field,
        )


class MapFile(MapRun):
    """A map as a file."""

    format: Literal["png", "gif", "tmx", "txt", "npy", "toml", "json"] = "png"
    pixels: int = Field(default=4, ge=1, le=8, description="Pixels per cell of a picture.")


@router.post("/maps/start")
def start_map(new: StartMap) -> dict[str, Any]:
    """Draw a random start map by the seed and the weights of a world."""
    design = new.world.design()
    return {"rows": state_rows(design.starting((new.width, new.height), new.world.seed))}


@router.post("/maps/run")
def run_map(run: MapRun) -> dict[str, Any]:
    """Update a map on a torus."""
    made = run.make()
    return {
        "rows": state_rows(made.tiles),
        "outcome": str(made.outcome),
        "settled": made.outcome.length == 1,
        "digest": made.digest,
    }


@router.post(
    "/maps/file",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {}}}},
)
def map_file(file: MapFile) -> Response:
    """Return a map after its updates as a file; a GIF shows every update."""
    made = file.make()
    name = f"levolve-map-{made.digest[:8]}"
    if file.format == "tmx":
        return level_file(made.to_level(), name, file.format, Look())
    return attachment(made.encode(f".{file.format}", pixels=file.pixels), f"{name}.{file.format}")
