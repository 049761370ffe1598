"""The parts of an LDtk project that define a level, checked as far as LDtk itself relies on them.

LDtk goes by the definitions: an instance of a layer, an entity or a field is what the definition
with its number says. Names beside the number that contradict the definition are rejected, because
programs that read only instances would show something else.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError

from levolve.core.errors import InputError, explain
from levolve.formats.ldtk.text import RawList
from levolve.formats.reading.folder import Folder

Count = Annotated[int, Field(ge=0, lt=1 << 31)]
Pixels = Annotated[int, Field(gt=-(1 << 31), lt=1 << 31)]
# LDtk's numbers have 32 bits, and colours none for the sign.
Whole = Annotated[int, Field(ge=-(1 << 31), lt=1 << 32)]
Share = Annotated[float, Field(ge=0, le=1)]
# A name in a message.
SHORT = 40
# What is less opaque counts as hidden.
FAINTEST = 0.5


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", arbitrary_types_allowed=True)


class ValueDefinition(_Part):
    """A value of an IntGrid layer."""

    value: Whole
    identifier: str | None = None


class LayerDefinition(_Part):
    """A layer of all levels."""

    identifier: str
    uid: Whole | None = None
    grid: Annotated[int, Field(gt=0, lt=1 << 31)] | None = Field(default=None, alias="gridSize")
    left: Pixels = Field(default=0, alias="pxOffsetX")
    top: Pixels = Field(default=0, alias="pxOffsetY")
    parallax_x: float = Field(default=0, alias="parallaxFactorX")
    parallax_y: float = Field(default=0, alias="parallaxFactorY")
    opacity: float = Field(default=1, alias="displayOpacity")
    values: list[ValueDefinition] = Field(default=[], alias="intGridValues")


class TileRectangle(_Part):
    """A part of a tileset's picture, in pixels."""

    uid: Whole = Field(alias="tilesetUid")
    x: Pixels
    y: Pixels
    width: Pixels = Field(alias="w")
    height: Pixels = Field(alias="h")


def rectangle_of(data: object) -> TileRectangle:
    """Check a part of a tileset's picture."""
    try:
        return TileRectangle.model_validate(data)
    except ValidationError as problem:
        raise InputError(explain(problem, "LDtk: tile of a field")) from problem


class FieldDefinition(_Part):
    """A field of entities: how LDtk shows it, and the tileset of its tiles."""

    uid: Whole | None = None
    identifier: str = ""
    default: Any = Field(default=None, alias="defaultOverride")
    shown: str | None = Field(default=None, alias="editorDisplayMode")
    tileset: Whole | None = Field(default=None, alias="tilesetUid")


class EntityDefinition(_Part):
    """A kind of entities."""

    identifier: str
    fields: list[FieldDefinition] = Field(default=[], alias="fieldDefs")
    tile: TileRectangle | None = Field(default=None, alias="tileRect")
    uid: Whole | None = None
    pivot_x: Share | None = Field(default=None, alias="pivotX")
    pivot_y: Share | None = Field(default=None, alias="pivotY")


class TileData(_Part):
    """The custom data of a tile."""

    tile: Whole = Field(alias="tileId")
    data: str


class TilesetDefinition(_Part):
    """A tileset."""

    uid: Whole
    picture: str | None = Field(default=None, alias="relPath")
    pixels: Whole | None = Field(default=None, alias="pxWid")
    columns: Count | None = Field(default=None, alias="__cWid")
    side: Count | None = Field(default=None, alias="tileGridSize")
    spacing: Count = 0
    padding: Count = 0
    data: list[TileData] = Field(default=[], alias="customData")


class Definitions(_Part):
    """All definitions."""

    layers: list[LayerDefinition]
    entities: list[EntityDefinition] = []
    tilesets: list[TilesetDefinition] = []


class FieldInstance(_Part):
    """A value of a level or an entity."""

    identifier: str = Field(alias="__identifier")
    uid: Whole | None = Field(default=None, alias="defUid")
    tile: TileRectangle | None = Field(default=None, alias="__tile")
    value: Any = Field(default=None, alias="__value")
    edited: list[Any] | None = Field(default=None, alias="realEditorValues")

    @property
    def texts(self) -> list[str]:
        """The texts among the values of LDtk's editor."""
        values = [value for value in self.edited or [] if isinstance(value, dict)]
        lists = [value.get("params") for value in values]
        return [
            text
            for params in lists
            if isinstance(params, list)
            for text in params[:1]
            if isinstance(text, str)
        ]


class EntityInstance(_Part):
    """An entity. `px` is the position of its pivot in the layer, in pixels."""

    identifier: str = Field(alias="__identifier")
    uid: Whole | None = Field(default=None, alias="defUid")
    tile: TileRectangle | None = Field(default=None, alias="__tile")
    iid: str = ""
    px: tuple[Pixels, Pixels] | None = None
    pivot: tuple[Share, Share] = Field(default=(0, 0), alias="__pivot")
    width: Pixels = 0
    height: Pixels = 0
    fields: list[FieldInstance] = Field(default=[], alias="fieldInstances")


class LayerInstance(_Part):
    """A layer of one level."""

    identifier: str = Field(alias="__identifier")
    kind: str = Field(alias="__type")
    uid: Whole | None = Field(default=None, alias="layerDefUid")
    width: Count = Field(alias="__cWid")
    height: Count = Field(alias="__cHei")
    grid: Annotated[int, Field(gt=0, lt=1 << 31)] | None = Field(default=None, alias="__gridSize")
    total_left: Pixels = Field(default=0, alias="__pxTotalOffsetX")
    total_top: Pixels = Field(default=0, alias="__pxTotalOffsetY")
    left: Pixels = Field(default=0, alias="pxOffsetX")
    top: Pixels = Field(default=0, alias="pxOffsetY")
    visible: bool = True
    tileset: Whole | None = Field(default=None, alias="__tilesetDefUid")
    picture: str | None = Field(default=None, alias="__tilesetRelPath")
    cells: list[Whole] = Field(default=[], alias="intGridCsv")
    drawn: RawList | list[Any] | None = Field(default=None, alias="autoLayerTiles")
    painted: RawList | list[Any] | None = Field(default=None, alias="gridTiles")
    opacity: Share = Field(default=1, alias="__opacity")
    override: Whole | None = Field(default=None, alias="overrideTilesetUid")
    entities: list[EntityInstance] = Field(default=[], alias="entityInstances")


class LevelInstance(_Part):
    """A level."""

    identifier: str = ""
    width: Count | None = Field(default=None, alias="pxWid")
    height: Count | None = Field(default=None, alias="pxHei")
    background: str | None = Field(default=None, alias="bgRelPath")
    fields: list[FieldInstance] = Field(default=[], alias="fieldInstances")
    layers: list[LayerInstance] | None = Field(default=None, alias="layerInstances")


class WorldInstance(_Part):
    """A world of a project with several."""

    levels: list[LevelInstance] = []


class Project(_Part):
    """A project."""

    definitions: Definitions = Field(alias="defs")
    levels: list[LevelInstance]
    worlds: list[WorldInstance] = []
    _files: Folder = PrivateAttr()

    def model_post_init(self, folder: Path | None, /) -> None:
        """Set the folder of the project, which is the context of the validation."""
        self._files = Folder(folder)

    @property
    def files(self) -> Folder:
        """The files of the project's folder."""
        return self._files

    @property
    def all_levels(self) -> list[LevelInstance]:
        """The levels of all worlds."""
        return [*self.levels, *(level for world in self.worlds for level in world.levels)]

    def layer(self, instance: LayerInstance) -> LayerDefinition:
        """Return the definition of a layer."""
        return _definition(instance, self.definitions.layers, "layer", "layerDefUid")

    def entity(self, instance: EntityInstance) -> EntityDefinition:
        """Return the definition of an entity."""
        return _definition(instance, self.definitions.entities, "entity", "defUid")


Found = TypeVar("Found", LayerDefinition, EntityDefinition)


def _definition(
    instance: LayerInstance | EntityInstance, known: list[Found], noun: str, key: str
) -> Found:
    what = f"{noun} {instance.identifier[:SHORT]}"
    found = next((each for each in known if each.uid == instance.uid is not None), None)
    if found is None:
        raise InputError(
            f"{what}: expected a definition with its number {key}, got none with {instance.uid}"
        )
    if found.identifier != instance.identifier:
        raise InputError(
            f"{what}: expected the name of its definition, {found.identifier[:SHORT]}; open and "
            "save the project in LDtk"
        )
    return found


def checked_project(data: object, folder: Path | None = None) -> Project:
    """Return a parsed project, or raise `InputError` if it does not have the form of one. Its
    pictures are read from `folder` only.
    """
    try:
        project = Project.model_validate(data, context=folder)
    except ValidationError as problem:
        raise InputError(explain(problem, "LDtk")) from problem
    definitions = project.definitions
    numbered: tuple[tuple[str, Sequence[object]], ...] = (
        ("layer", [each.uid for each in definitions.layers]),
        ("entity", [each.uid for each in definitions.entities]),
        ("tileset", [each.uid for each in definitions.tilesets]),
        *(
            (f"value of layer {layer.identifier[:SHORT]}", [each.value for each in layer.values])
            for layer in definitions.layers
        ),
        *(
            (
                f"custom data of tileset {tileset.uid} for a tile",
                [each.tile for each in tileset.data],
            )
            for tileset in definitions.tilesets
        ),
    )
    for noun, uids in numbered:
        double = next(
            (uid for uid, count in Counter(uids).items() if count > 1 and uid is not None), None
        )
        if double is not None:
            raise InputError(
                f"LDtk: expected one definition of each {noun}, got two with the number "
                f"{double}; open and save the project in LDtk"
            )
    return project


def checked_layer(project: Project, layer: LayerInstance) -> LayerDefinition:
    """Return the definition of a layer that is shown where and as its instance says; raise
    `InputError` for any other.
    """
    name, definition = layer.identifier[:SHORT], project.layer(layer)
    if (layer.total_left, layer.total_top) != (
        layer.left + definition.left,
        layer.top + definition.top,
    ):
        raise InputError(
            f"layer {name}: expected the sum of its offsets, "
            f"{layer.left + definition.left},{layer.top + definition.top}, "
            f"in __pxTotalOffsetX and Y, got {layer.total_left},{layer.total_top}; open and "
            "save the project in LDtk"
        )
    if layer.grid != definition.grid:
        raise InputError(
            f"layer {name}: expected the grid size of its definition, {definition.grid}, got "
            f"{layer.grid}; open and save the project in LDtk"
        )
    if definition.parallax_x or definition.parallax_y:
        raise InputError(
            f"layer {name}: expected no parallax, because it moves the layer against others, got "
            f"{definition.parallax_x:g},{definition.parallax_y:g}"
        )
    if not layer.visible or definition.opacity < FAINTEST:
        raise InputError(
            f"layer {name}: expected a visible layer, got a hidden or faint one; show it in "
            f"LDtk, with an opacity of at least {FAINTEST}"
        )
    return definition
