"""The format `tscn`: scenes for Godot."""

from levolve.formats.format import Format
from levolve.formats.godot.originals import foreign, merge
from levolve.formats.godot.pack import encode_pack
from levolve.formats.godot.reading import decode, grid, kept
from levolve.formats.godot.scene import encode
from levolve.formats.godot.tileset import files_beside

TSCN = Format(
    "a scene for Godot 4.3 and later, with a TileSet and a picture of the tiles in files beside it",
    encode,
    decode,
    edited=True,
    beside=files_beside,
    decode_in=decode,
    draw=encode,
    foreign=foreign,
    merge=merge,
    kept=kept,
    grid=grid,
    bundle=encode_pack,
)
