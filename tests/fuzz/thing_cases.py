"""Levels with many things, whose proof or check once took minutes or gigabytes."""

import itertools
import json
from collections.abc import Callable, Iterator

WIDTH = 201
# Things in one level: nearly as many as it may have.
MANY = 9_990
Cell = tuple[int, int]


def corridor(cells: int) -> tuple[list[list[str]], list[Cell]]:
    """The rows of a level that is one winding corridor, and its cells in order."""
    height = 2 * (cells // WIDTH + 1) + 1
    rows, way = [], []
    for y in range(height):
        columns = range(WIDTH) if y % 4 == 0 else range(WIDTH - 1, -1, -1)
        if y % 2 == 1:
            columns = range(WIDTH - 1, WIDTH) if y % 4 == 1 else range(1)
        rows.append(["." if x in columns else "#" for x in range(WIDTH)])
        way += [(x, y) for x in columns]
    return rows, way


def in_corridor(count: int, thing: Callable[[int], str], *more: str, solved: bool = False) -> bytes:
    """A corridor with a thing on each of its cells: a kind with the place %s, and fields."""
    rows, way = corridor(count + 2)
    for sign, (x, y) in (("S", way[0]), ("E", way[-1])):
        rows[y][x] = sign
    lines = ["".join(row) for row in rows]
    lines += ["thing: " + thing(k) % f"{way[1 + k][0]},{way[1 + k][1]}" for k in range(count)]
    if solved:
        moves = {(1, 0): "r", (-1, 0): "l", (0, 1): "d"}
        steps = itertools.pairwise(way)
        solution = "".join(moves[to[0] - cell[0], to[1] - cell[1]] for cell, to in steps)
        lines += [f"solution: {solution}", 'certificate: {"kind": "A", "data": {}}']
    return "\n".join([*lines, *more]).encode()


def in_room(*things: str, side: int = 12) -> bytes:
    """A room with things of these kinds, each kind in two rows of its own."""
    lines = ["S" + "." * (side - 1), *["." * side] * (side - 1), "." * (side - 1) + "E"]
    for number, thing in enumerate(things):
        for k in range(20):
            place = f"{1 + k % 10},{1 + 3 * number + k // 10}"
            lines.append("thing: " + thing.replace("%s", place).replace("%d", str(k)))
    return "\n".join(lines).encode()


def pair(key: str, door: str, colours: int = 0) -> Callable[[int], str]:
    """A key and its door by turns, in some colours."""
    return lambda k: f"{(key, door)[k % 2]} %s" + (f" color=c{k // 2 % colours}" if colours else "")


def thing_files() -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Levels with things, read by `levolve.load`."""
    yield "colours.txt", lambda: in_corridor(MANY, pair("key", "door", MANY), solved=True)
    yield "keys.txt", lambda: in_corridor(MANY, pair("key", "door", 256), solved=True)
    yield "unsolved_keys.txt", lambda: in_corridor(MANY, pair("key", "door", 256))
    yield "small_keys.txt", lambda: in_corridor(MANY, pair("small_key", "small_door"), solved=True)
    yield "treasure.txt", lambda: in_corridor(MANY, lambda _: "treasure %s", "goal: all")
    yield (
        "stairs.txt",
        lambda: in_corridor(MANY, lambda k: f"stairs %s id=s{k} to=s{(k + 1) % MANY}"),
    )
    yield "too_many.txt", lambda: in_corridor(MANY + 20, lambda _: "torch %s")
    yield "small_doors.txt", lambda: in_room("small_key %s", "small_door %s")
    yield "buttons.txt", lambda: in_room("button %s id=b%d", "gate %s lever=b%d")
    kinds = [
        "kind: " + json.dumps({"name": f"k{k}", "gives": {f"r{k}": 1}, "needs": {f"r{k - 1}": 1}})
        for k in range(1, 2000)
    ]
    yield "kinds.txt", lambda: in_corridor(1999, lambda k: f"k{k + 1} %s", *kinds)
    yield "many.txt", lambda: in_corridor(0, str, *["thing: torch 1,0"] * 100_000)
    yield "many.json", lambda: in_json(things=[{"kind": "torch", "cell": [1, 1]}] * 150_000)
    yield "kinds.json", lambda: in_json(kinds=[{"name": f"k{k}"} for k in range(200_000)])
    fields = {f"f{k}": "x" * 200 for k in range(60_000)}
    yield "fields.json", lambda: in_json(things=[{"kind": "a", "cell": [1, 1], "fields": fields}])
    resource = "{f0}" * 100_000
    kind = {"name": "a", "fields": {"f0": "x" * 200}, "gives": {resource: 1}}
    crowd = [{"kind": "a", "cell": [x, y]} for x in range(1, 40) for y in range(1, 40)]
    yield "resource.json", lambda: in_json(kinds=[kind], things=crowd)
    table = {"name": "a", "fields": fields, "gives": dict.fromkeys(map("{%s}".__mod__, fields), 1)}
    yield "tables.json", lambda: in_json(kinds=[table], things=crowd)


def in_json(**more: object) -> bytes:
    """A level of 41x41 cells with these entries."""
    places = {"entrance": [0, 0], "exit": [40, 40]}
    return json.dumps({"tiles": ["." * 41] * 41, "places": places, **more}).encode()
