"""Files that a map or a scene names: each is read once, and one budget holds for all of them."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from PIL import Image

import levolve
from levolve.core.errors import InputError
from levolve.formats.reading import folder as folder_module
from levolve.levels.level import Level

LEVEL = Level.from_text("S.#\n..1\n#.E").with_solution("rdrd")
SPELLINGS = (
    "a.tsx",
    "./a.tsx",
    "sub/a.tsx",
    "sub/./a.tsx",
    ".//a.tsx",
    "./sub/a.tsx",
    "sub//a.tsx",
    "b.tsx",
)
# The numbers between the first tiles of two tilesets.
ROOM = 400_000
LIMITED = """
import resource
import sys

import levolve
from levolve.core.errors import InputError

levolve.load(sys.argv[2])
taken = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + (512 << 20),) * 2)
try:
    print(levolve.load(sys.argv[1]))
except InputError as problem:
    print("refused:", problem)
"""


def in_a_process(path: Path, small: Path) -> str:
    """What a process says that loads a file, and may take 512 MiB more than after the load of a
    small one.
    """
    call = [sys.executable, "-c", textwrap.dedent(LIMITED), str(path), str(small)]
    found = subprocess.run(call, capture_output=True, text=True, timeout=120, check=False)
    assert found.returncode == 0, found.stderr[-400:]
    return found.stdout


def named_by(folder: Path, sources: tuple[str, ...], tiles: int) -> Path:
    """A map whose cells show a tile of each tileset, and one large tileset behind all names."""
    (folder / "sub").mkdir()
    entries = "".join(f'<tile id="{number}" type="floor"/>' for number in range(tiles))
    (folder / "a.tsx").write_text(
        f'<tileset name="mine" tilewidth="8" tileheight="8">{entries}</tileset>'
    )
    (folder / "sub" / "a.tsx").symlink_to("../a.tsx")
    (folder / "b.tsx").symlink_to("a.tsx")
    tilesets = "".join(
        f'<tileset firstgid="{1 + ROOM * number}" source="{source}"/>'
        for number, source in enumerate(sources)
    )
    numbers = ",".join(str(1 + ROOM * number) for number in range(len(sources)))
    layer = (
        f'<layer name="tiles" width="{len(sources) // 2}" height="2"><data '
        f'encoding="csv">{numbers}</data></layer>'
    )
    path = folder / "map.tmx"
    path.write_text(
        f'<map width="{len(sources) // 2}" height="2" tilewidth="8" '
        f'tileheight="8">{tilesets}{layer}</map>'
    )
    return path


def test_a_large_tileset_with_many_names_is_read_once(tmp_path: Path) -> None:
    path = named_by(tmp_path, SPELLINGS, 400_000)
    assert (tmp_path / "a.tsx").stat().st_size > 11_000_000
    assert "....\n....\n" in in_a_process(path, levolve.save(LEVEL, tmp_path / "small.tmx"))


def test_large_tilesets_share_one_budget(tmp_path: Path) -> None:
    sources = tuple(f"{number}.tsx" for number in range(8))
    path = named_by(tmp_path, sources, 400_000)
    for source in sources:
        (tmp_path / source).write_bytes((tmp_path / "a.tsx").read_bytes())
    assert in_a_process(path, levolve.save(LEVEL, tmp_path / "small.tmx")).startswith("refused: ")


def test_large_godot_tilesets_share_one_budget_and_one_with_many_names_is_read_once(
    tmp_path: Path,
) -> None:
    path = levolve.save(LEVEL, tmp_path / "a.tscn")
    (tres,) = tmp_path.glob("*.tres")
    more = "".join(f'[sub_resource type="A" id="x{number}"]\n' for number in range(60_000))
    tres.write_text(tres.read_text().replace("[resource]", f"{more}[resource]", 1))
    text = path.read_text()
    reference = next(line for line in text.splitlines() if f"{tres.name}" in line)
    names = [f"./{tres.name}", f".//{tres.name}"]
    layers = "".join(
        f'\n[node name="L{n}" type="TileMapLayer" parent="."]\ntile_set = ExtResource("more{n}")\n'
        for n in range(len(names))
    )

    def with_names(sources: list[str]) -> None:
        references = [
            reference.replace(f"res://{tres.name}", source).replace(
                tres.name, source.rpartition("/")[2]
            )
            for source in sources
        ]
        listed = "\n".join(
            line.replace('id="1_tileset"', f'id="more{n}"') for n, line in enumerate(references)
        )
        floor = text.replace(reference, f"{reference}\n{listed}").replace(
            'name="Floor"', 'name="Tiles"'
        )
        path.write_text(
            floor.replace(
                'tile_set = ExtResource("1_tileset")', 'tile_set = ExtResource("more0")', 1
            )
            + layers
        )

    with_names(names)
    assert levolve.load(path) == LEVEL
    copy = tmp_path / "levolve-other.tres"
    copy.write_bytes(
        tres.read_bytes()
        + b"".join(b'\n[sub_resource type="A" id="y%d"]\n' % number for number in range(60_000))
    )
    with_names([f"./{copy.name}"])
    with pytest.raises(InputError, match=r"budget|another or a damaged file|at most"):
        levolve.load(path)


def test_a_map_may_name_a_limited_number_of_files(tmp_path: Path) -> None:
    sources = tuple(f"t{number}.tsx" for number in range(600))
    path = named_by(tmp_path, sources, 1)
    for source in sources:
        (tmp_path / source).write_bytes((tmp_path / "a.tsx").read_bytes())
    with pytest.raises(InputError, match="at most 512 names of other files"):
        levolve.load(path)


def with_pictures(folder: Path, sides: tuple[int, ...]) -> Path:
    """A map with a layer of pictures that are like none of ours, in tiles of these sizes."""
    path = levolve.save(LEVEL, folder / "a.tmx")
    tilesets, numbers = [], []
    for number, side in enumerate(sides):
        name, first = f"noise-{side}.png", 1000 + number
        Image.effect_noise((side, side), 99).convert("RGB").save(folder / name)
        size = f'tilewidth="{side}" tileheight="{side}" tilecount="1" columns="1"'
        image = f'<image source="{name}" width="{side}" height="{side}"/>'
        tilesets.append(f'<tileset firstgid="{first}" name="x{side}" {size}>{image}</tileset>')
        numbers.append(str(first))
    cells = ",".join([*numbers, *["0"] * 9][:9])
    data = f'<data encoding="csv">{cells}</data>'
    layer = f'<layer id="99" name="mine" width="3" height="3">{data}</layer>'
    before, rest = path.read_text().split("<layer", 1)
    path.write_text(f"{before}{''.join(tilesets)}<layer{rest}".replace("</map>", f"{layer}</map>"))
    return path


def test_pictures_of_large_tiles_are_not_compared_with_all_of_ours(tmp_path: Path) -> None:
    """All themes drawn with tiles of 256 pixels take half a minute and a gigabyte."""
    path = with_pictures(tmp_path, (256,))
    assert "S.#\n" in in_a_process(path, levolve.save(LEVEL, tmp_path / "small.tmx"))


def test_pictures_may_have_a_limited_number_of_tile_sizes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Each size takes a second.
    monkeypatch.setattr(folder_module, "MOST_TILE_SIZES", 1)
    assert levolve.load(with_pictures(tmp_path, (4,))) == LEVEL
    with pytest.raises(InputError, match="at most 1 sizes of tiles in all pictures"):
        levolve.load(with_pictures(tmp_path, (4, 5)))


def test_a_key_that_json_has_twice_is_an_error() -> None:
    from levolve.formats.reading.data import parse_json

    with pytest.raises(InputError, match="expected each key once, got a second 'a'"):
        parse_json('[{"b": 1, "a": {"c": 2}, "a": 3}]', "x")
