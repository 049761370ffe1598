"""The budgets of all readers: how much a file may contain before it is refused.

A budget is checked before memory is taken. Together they keep the memory of reading one file below
512 MB, and its time within seconds. `docs/files.md` has the same table for users.
"""

from levolve.core.errors import InputError
from levolve.levels.frame import check_size

MIB = 1 << 20

# The largest level in a format of 16 bytes per cell. A Godot scene, with two layers, takes more
# than any other.
MOST_BYTES = 64 * MIB
# An array is not compressed: a map of 11,585x11,585 states.
MOST_ARRAY_BYTES = 128 * MIB
# 2048x2048, four times as many as the largest maps that editors handle well. A level of this size
# needs up to 100 bytes per cell while it is read.
MOST_CELLS = 1 << 22
# The shortest path of a level visits no cell twice; longer solutions are not written.
MOST_MOVES = MOST_CELLS
# A round of Reach the Flag has at most 64x64 tiles, and a solution uses each at most nine times,
# besides those that never fall.
MOST_POSITION_BYTES = MIB
MOST_POSITION_MOVES = 1 << 16
# Every line becomes a string with an overhead of about 100 bytes. It is also the largest height of
# a level in a text format.
MOST_LINES = 1 << 17
# The level stored in a picture, unpacked: the tiles, the solution, and a recipe that contains a
# level to start with and cells to keep.
MOST_UNPACKED = 32 * MIB
# The pixels of a picture that contains a level: those of the largest that is drawn, with its legend
# and caption.
MOST_PIXELS = 1 << 26
# Frames of an animation that contains a level. At most 121 are written.
MOST_FRAMES = 256
# Levels, recipes and sessions use at most 8; the C code that parses nested brackets uses the stack.
MOST_DEPTH = 64
# The estimated memory of parsed JSON: see `parse_json`.
MOST_PARSED = 400 * MIB
# TOML is written by hand, and its parser, which is written in Python, needs about ten microseconds
# per value.
MOST_TOML_BYTES = 2 * MIB
MOST_TOML_VALUES = 1 << 17
MOST_KEY_PARTS = 32
# Elements of XML need about 400 bytes each.
MOST_ELEMENTS = 1 << 19
# Brackets, quotation marks, escapes and lines of a Godot scene.
MOST_MARKS = 1 << 19
# Chunks of a PNG file and blocks of a GIF file. A block of a GIF has at most 255 bytes, so that
# this is also the limit of its size.
MOST_CHUNKS = 1 << 18
# Entries of an NPZ file. A level has at most 21.
MOST_ENTRIES = 64
# Other files that a map or a scene names, by different names. Their bytes together are at most
# `MOST_BYTES`.
MOST_NAMED = 512
# The pixels of all pictures that one load looks at.
MOST_NAMED_PIXELS = 1 << 24
# The sizes of tiles in those pictures that are compared with ours, and the largest of them. Each
# size takes up to a second, because all themes are drawn in it.
MOST_TILE_SIZES, MOST_COMPARED_TILE = 8, 64
# Rows along the edges of one polygon, shapes of areas, and the cells of all polygons of a map.
MOST_CROSSINGS, MOST_AREAS = 1 << 19, 1 << 14
# The cells of all tile layers of a map.
MOST_LAYER_CELLS = 1 << 24
# Larger numbers have no use in any file, and do not fit a 64-bit float.
MOST_DIGITS = 300


class BudgetError(InputError):
    """A file, or the files of one load together, contain more than a budget allows."""


def check_cells(width: int, height: int, what: str = "tiles") -> None:
    """Raise `InputError` for a size that no level has, or that is too large for a level in a
    file.
    """
    check_size(width, height, what)
    if width * height > MOST_CELLS:
        raise InputError(
            f"{what}: expected at most {MOST_CELLS:,} cells in a file, such as 2048x2048, got "
            f"{width}x{height}; split the level"
        )


def check_amount(amount: int, most: int, noun: str, what: str) -> None:
    """Raise `InputError` if a file contains more of something than its budget allows."""
    if amount > most:
        raise BudgetError(
            f"{what}: expected at most {most:,} {noun}, got {amount:,}; split the file, or "
            "remove what is not needed"
        )
