"""The functions of libFBCAGen on the lists of cells of `FBCAConsts`.

Scores that are numbers are added as 64-bit floats, scores that are texts are joined and compared as
texts, as the source does with either. All offsets of the neighbourhood count, in the source only
the first four. `random.seed(n)` makes start maps repeatable.
"""

import io
import os
import random
from itertools import chain
from pathlib import Path

import numpy as np
from PIL import Image

from levolve.compat import FBCAConsts
from levolve.compat.FBCAConsts import CACell, Fbca, LevelMap
from levolve.core.errors import InputError
from levolve.formats.reading.budgets import MOST_POSITION_BYTES
from levolve.formats.reading.data import decode_text
from levolve.formats.reading.files import read_bytes
from levolve.formats.writing import write_file
from levolve.worlds.legend import PALETTES
from levolve.worlds.records import read_records
from levolve.worlds.rule import Map, Rule

__all__ = [
    "colourConvert", "copyOver", "genIm", "genText", "generateFBCA", "initCA", "makeFolder", "os",
    "readFBCA", "updateMap",
]  # fmt: skip

MILLISECONDS = 100


def initCA(fbca: Fbca | LevelMap) -> LevelMap:
    """Return a map of random states, as columns of cells.

    The document's example of `updateMap` passes a map instead of an automaton: it gets a map of the
    default size.
    """
    shape = fbca if isinstance(fbca, Fbca) else Fbca()
    # The document's own generator: a program that seeds it expects the same start map again.
    columns = range(shape.torusLength)
    return [
        [CACell(random.randint(0, shape.n - 1)) for _ in range(shape.torusWidth)] for _ in columns
    ]


def copyOver(fbca: Fbca) -> LevelMap:
    """Return a copy of the map of an automaton, with scores of 0."""
    return [[CACell(cell.state) for cell in column] for column in fbca.levelMap]


def makeFolder(folderName: str) -> int:
    """Create a folder with its parents: 1 if it was created, 0 if not."""
    try:
        Path(folderName).mkdir(parents=True)
    except OSError:
        return 0
    return 1


def colourConvert(x: int) -> tuple[int, int, int]:
    """Return the colour of a state, from 0 to 10."""
    palette = PALETTES["source"]
    if not 0 <= x < len(palette):
        raise InputError(f"x: expected a state from 0 to {len(palette) - 1}, got {x}")
    red, green, blue = palette[x]
    return red, green, blue


def genIm(
    fbca: Fbca, directory: str | None = None, quantifer: str = "", gen: int = 0
) -> Image.Image:
    """Return the picture of a map; also write it as `DIRECTORY/QUANTIFER GEN.png`."""
    picture = _picture(_tiles(fbca))
    content = io.BytesIO()
    picture.save(content, "PNG")
    write_file(f"{_folder(directory)}/{quantifer} {gen}.png", content.getvalue())
    return picture


def updateMap(fbca: Fbca) -> LevelMap:
    """Return the map after one update. The cells of the given map receive their scores."""
    rule, tiles = _rule(fbca), _tiles(fbca)
    for column, scores in zip(fbca.levelMap, rule.cell_scores(tiles).T.tolist(), strict=True):
        for cell, score in zip(column, scores, strict=True):
            cell.score = score
    return _cells(rule.run(tiles, 1))


def genText(
    fbca: Fbca,
    directory: str | None = None,  # noqa: ARG001 not used in the source either: the name is a path
    fileName: str = "test.txt",
    newFile: bool = True,
    justMap: bool = False,
    noMap: bool = False,
) -> None:
    """Write a map and the parameters to a text file, or append them with `newFile=False`."""
    path = Path(fileName)
    before = "" if newFile or not path.exists() else _text(path)
    digits = "" if noMap else "".join(str(cell.state) for cell in chain(*fbca.levelMap))
    record = (
        f"sMs{_scores(fbca)}g{fbca.g}n{fbca.n}w{fbca.torusWidth}l{fbca.torusLength}neighbours"
        f"{fbca.neighbourhood}\n"
    )
    write_file(path, (before + digits + "\n" + ("" if justMap else record)).encode())


def generateFBCA(
    fbca: Fbca,
    directory: str | None = None,
    quantifer: str = "test",
    saveImages: bool = False,
    saveFinalImage: bool = False,
    saveText: bool = False,
    saveFinalText: bool = False,
) -> LevelMap:
    """Run all updates of an automaton and return its final map; the source returns the start map.

    With `saveImages` there is a PNG per update and a GIF of all in `DIRECTORY/QUANTIFER`, with
    `saveFinalImage` the last PNG and its GIF, with `saveText` or `saveFinalText` a text file.
    """
    folder = _folder(directory)
    if saveImages or saveFinalImage:
        folder = f"{folder}/{quantifer.strip('/')}"
    makeFolder(folder)
    text = f"{folder}/{quantifer}.txt"
    shown = []
    for update, tiles in enumerate(_rule(fbca).frames(_tiles(fbca), fbca.g)):
        fbca.levelMap = _cells(tiles)
        last = update == fbca.g
        if saveImages or (last and saveFinalImage):
            shown.append(genIm(fbca, folder, quantifer, update))
        if saveText and not last:
            genText(fbca, None, text, newFile=False, justMap=True)
    if shown:
        content = io.BytesIO()
        shown[0].save(
            content, "GIF", save_all=True, append_images=shown[1:], duration=MILLISECONDS, loop=0
        )
        write_file(f"{folder}/{quantifer}.gif", content.getvalue())
    if saveText or saveFinalText:
        genText(fbca, None, text, newFile=False)
    return fbca.levelMap


def readFBCA(fileName: str) -> list[Fbca]:
    """Return the automata of a text file, with their maps if the file has them."""
    found = []
    for record in read_records(_text(Path(fileName)), fileName):
        length, width = record.size
        automaton = Fbca(
            scoreMatrix=list(chain(*record.rule.scores)),
            g=record.updates,
            n=record.rule.states,
            neighbourhood=list(record.rule.neighbourhood),
            torusWidth=width,
            torusLength=length,
        )
        if record.tiles is not None:
            automaton.levelMap = _cells(record.tiles)
        found.append(automaton)
    return found


def _folder(directory: str | None) -> str:
    return os.getcwd() if directory is None else directory.rstrip("/")  # noqa: PTH109 a text, as there


def _text(path: Path) -> str:
    return decode_text(read_bytes(path, MOST_POSITION_BYTES), "record")


def _scores(fbca: Fbca) -> list[float | str]:
    return fbca.scoreMatrix or FBCAConsts.scoreMatrix


def _rule(fbca: Fbca) -> Rule:
    scores = _scores(fbca)
    if len(scores) < fbca.n**2:
        raise InputError(
            f"scoreMatrix: expected {fbca.n**2} scores for n = {fbca.n}, got {len(scores)}"
        )
    # Of more scores than the states need the first ones count.
    rows = [scores[row * fbca.n : (row + 1) * fbca.n] for row in range(fbca.n)]
    joined = any(isinstance(score, str) for score in scores)
    return Rule(rows, fbca.neighbourhood, arithmetic="text" if joined else "float")


def _tiles(fbca: Fbca) -> Map:
    if not fbca.levelMap:
        raise InputError("levelMap: expected a map, got an empty one; assign initCA(fbca) first")
    return np.array([[cell.state for cell in column] for column in fbca.levelMap], np.uint8).T


def _cells(tiles: Map) -> LevelMap:
    return [[CACell(state) for state in column] for column in tiles.T.tolist()]


def _picture(tiles: Map) -> Image.Image:
    palette = np.array(PALETTES["source"], np.uint8)
    return Image.fromarray(palette[tiles])
