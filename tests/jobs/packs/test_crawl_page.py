"""Levels with things on the page, in a real browser: the rules are those of the plain search, and
keys, doors, levers and stairs are used by keyboard and by touch.
"""

import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from jobs.packs.browser import Watched, browsing
from levels.things.certificates import solution_of
from levels.things.inputs import CLASSES, random_level
from levolve.formats.level_files import load_level
from levolve.formats.look import look_of
from levolve.jobs.packs.webpage import entry_of, page, tilesets_of
from levolve.levels.level import Level
from levolve.levels.things.kinds import KINDS
from oracles.things import Rules

KEYS = {"u": "ArrowUp", "d": "ArrowDown", "l": "ArrowLeft", "r": "ArrowRight", "x": "x"}
EVERYTHING = """S...#...
.##.#.#.
....#.#E
thing: player 0,0 health=3
thing: small_key 0,1
thing: small_key 0,2
thing: small_door 3,0
thing: small_door 2,2
thing: lever 3,1 id=a
thing: gate 7,0 lever=a
thing: stairs 3,2 id=b to=c
thing: stairs 5,2 id=c to=b
thing: monster 5,0 damage=2
thing: treasure 5,1 value=5
thing: secret_door 7,1
thing: torch 1,2
goal: all"""
# One small key, two doors: the one at the right is a dead end.
LOSABLE = "S...E\n.#.##\n#####\nthing: small_key 0,1\nthing: small_door 1,0\nthing: small_door 3,0"


def written(path: Path, levels: Sequence[Level], theme: str = "stone") -> Path:
    """A page with these levels, and their shortest solutions where they have none."""
    look = look_of(theme)
    solved = [
        level if level.solution is not None else level.with_solution(solution_of(level) or "")
        for level in levels
    ]
    entries = [
        entry_of(level, {"name": f"{number}", "measures": {}, "files": []}, look)
        for number, level in enumerate(solved)
    ]
    path.write_bytes(page("things", "digest", tilesets_of(solved, look), entries))
    return path


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as browser:
        yield browser


def opened(browser: Browser, path: Path, **options: Any) -> Watched:
    context = browser.new_context(**options)
    watched = Watched(context.new_page())
    watched.page.goto(path.as_uri())
    watched.page.wait_for_function("window.levolve")
    return watched


def press(page: Page, moves: str) -> None:
    for move in moves:
        page.keyboard.press(KEYS[move])


def outcome(level: Level, moves: str) -> tuple[bool, bool]:
    """Whether all moves are legal, and whether they win, by the plain rules."""
    rules = Rules(level)
    state = rules.start()
    for move in moves:
        ways = {} if rules.won(state) else dict(rules.moves(state))
        if move not in ways:
            return False, False
        state = ways[move]
    return True, rules.won(state)


def walk(chance: random.Random, level: Level, length: int) -> str:
    """Random legal moves; sometimes one more that may be illegal."""
    rules, moves = Rules(level), ""
    state = rules.start()
    while len(moves) < length and not rules.won(state):
        ways = list(rules.moves(state))
        if not ways:
            break
        # The move x is tried often, because few cells have one.
        used = [way for way in ways if way[0] == "x" and chance.random() < 0.3]
        move, state = chance.choice(used or ways)
        moves += move
    return moves + (chance.choice("udlrx") if chance.random() < 0.6 else "")


def test_the_page_plays_random_levels_by_the_plain_rules(browser: Browser, tmp_path: Path) -> None:
    chance = random.Random(7)
    classes = [*CLASSES, "G", "G", "G"]
    levels = [random_level(chance, chance.choice(classes), 7, 8) for _ in range(200)]
    levels = [level for level in levels if level.goal.stops and level.has_mechanics]
    drawn = {thing.kind for level in levels for thing in level.things}
    assert drawn >= {name for name in KINDS if KINDS[name].acts}
    watched = opened(browser, written(tmp_path / "page.html", levels))
    seen = set()
    for number, level in enumerate(levels):
        tries = [solution_of(level) or "", *(walk(chance, level, 40) for _ in range(15))]
        played = watched.page.evaluate(
            "([number, tries]) => tries.map((moves) => levolve.replay(number, moves))",
            [number, tries],
        )
        for moves, found in zip(tries, played, strict=True):
            assert (found["legal"], found["won"]) == outcome(level, moves), (level, moves)
            seen.add((found["legal"], found["won"]))
    assert seen == {(True, True), (True, False), (False, False)}
    assert watched.complaints == []


@pytest.mark.parametrize("theme", ["stone", "paper"])
def test_a_level_is_played_to_its_end_and_the_page_shows_what_changes(
    browser: Browser, tmp_path: Path, theme: str
) -> None:
    level = Level.from_text(EVERYTHING)
    solution = str(solution_of(level))
    watched = opened(browser, written(tmp_path / "page.html", [level], theme))
    page = watched.page
    page.locator("#levels button.card").click()
    expect(page.locator("#goal")).to_have_text("Collect 1 thing. Walk S → E")
    expect(page.locator("#inventory")).to_contain_text("3 health")
    expect(page.locator("#inventory")).to_contain_text("1 left to collect")

    def drawn() -> str:
        return str(page.evaluate("document.querySelector('#board').toDataURL()"))

    start = drawn()
    press(page, "d")
    expect(page.locator("#inventory")).to_contain_text("1 small key")
    page.locator("#undo").click()
    expect(page.locator("#inventory")).not_to_contain_text("small key")
    assert drawn() == start
    press(page, "x")
    expect(page.locator("#status")).to_have_text("There is nothing to use here.")
    press(page, "rrr")
    expect(page.locator("#status")).to_have_text("The small door needs 1 small key.")
    page.locator("#restart").click()
    for number, move in enumerate(solution):
        page.locator("#hint").click()
        words = {"u": "up", "d": "down", "l": "left", "r": "right"}
        expected = f"Go {words[move]}." if move != "x" else "Use the"
        expect(page.locator("#status")).to_contain_text(expected)
        press(page, move)
        expect(page.locator("#steps b")).to_have_text(str(number + 1))
    expect(page.locator("#status")).to_contain_text("no solution is shorter")
    expect(page.locator("#inventory")).to_contain_text("1 health")
    expect(page.locator("#inventory")).to_contain_text("5 treasure")
    page.locator("#solution").click()
    expect(page.locator("#status")).to_contain_text("That is the shortest solution")
    assert watched.complaints == []


def test_a_secret_door_is_a_wall_until_it_is_entered(browser: Browser, tmp_path: Path) -> None:
    levels = [
        Level.from_text("S.#\n#.E\n###\nthing: secret_door 1,1\nthing: potion 1,0"),
        Level.from_text("S.#\n##E\n###\nthing: potion 1,0"),
    ]
    watched = opened(browser, written(tmp_path / "page.html", levels))

    def pixel() -> Any:
        return watched.page.evaluate(
            """() => { const board = document.querySelector("#board"), side = board.width / 3;
            return [...board.getContext("2d").getImageData(1.5 * side, 1.5 * side, 8, 8).data]; }"""
        )

    cards = watched.page.locator("#levels button.card")
    cards.nth(1).click()
    wall = pixel()
    watched.page.locator("#previous").click()
    assert pixel() == wall
    press(watched.page, "rdu")
    assert pixel() != wall


def test_a_losing_move_is_named_on_request(browser: Browser, tmp_path: Path) -> None:
    level = Level.from_text(LOSABLE.replace("small_door 1,0", "small_door 2,1"))
    watched = opened(browser, written(tmp_path / "page.html", [level]))
    page = watched.page
    page.locator("#levels button.card").click()
    press(page, "durrd")
    expect(page.locator("#steps b")).to_have_text("5")
    expect(page.locator("#status")).to_have_text("")
    page.locator("#hint").click()
    expect(page.locator("#status")).to_contain_text("Nothing wins from here")
    page.locator("#warnings").check()
    expect(page.locator("#status")).to_contain_text("This move loses")
    page.locator("#undo").click()
    expect(page.locator("#status")).to_have_text("")
    press(page, "l")
    page.locator("#hint").click()
    expect(page.locator("#status")).to_have_text("Go right.")
    press(page, "rrr")
    expect(page.locator("#status")).to_contain_text("You won")
    assert watched.complaints == []


def test_a_long_search_does_not_stop_the_page(browser: Browser, tmp_path: Path) -> None:
    """Twelve levers in an open room that move nothing, and an exit that cannot be reached."""
    levers = [f"thing: lever {x},{y} id=l{x}-{y}" for x in range(2, 14, 2) for y in (2, 5, 8)]
    room = ["S" + "." * 14, *["." * 15] * 9, "#" * 15, "#" * 14 + "E"]
    level = Level.from_text("\n".join([*room, *levers])).with_solution("")
    watched = opened(browser, written(tmp_path / "page.html", [level]))
    page = watched.page
    page.locator("#levels button.card").click()
    page.locator("#hint").click()
    expect(page.locator("#status")).to_contain_text("Looking for a way")
    # A page that stood still would answer only when the search has ended.
    assert "Looking" in page.evaluate("document.querySelector('#status').textContent")
    press(page, "r")
    expect(page.locator("#steps b")).to_have_text("1")
    expect(page.locator("#status")).to_have_text("")


def test_a_level_with_things_is_played_by_touch(browser: Browser, tmp_path: Path) -> None:
    level = Level.from_text(EVERYTHING)
    watched = opened(
        browser,
        written(tmp_path / "page.html", [level]),
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
    )
    page = watched.page
    page.locator("#levels button.card").tap()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for move in str(solution_of(level)):
        page.locator(f"[data-move={move}]").tap()
    expect(page.locator("#status")).to_contain_text("no solution is shorter")
    assert page.evaluate("document.querySelector('#play').scrollWidth") <= 390
    assert watched.complaints == []


def test_a_pack_of_crawls_is_played_to_its_end_by_its_solutions(
    browser: Browser, tmp_path: Path
) -> None:
    command = ["pack", "dungeon-crawl", "tower", "--count", "2", "--size", "21x15", "--seed", "2"]
    subprocess.run(
        [sys.executable, "-m", "levolve", *command, "-o", "made", "--quiet", "--no-store"],
        check=True, cwd=tmp_path, timeout=600, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    levels = [load_level(path) for path in sorted((tmp_path / "made").glob("*.json"))[:2]]
    assert len(levels) == 2
    watched = opened(browser, tmp_path / "made" / "index.html")
    page = watched.page
    for number, level in enumerate(levels):
        assert level.things
        page.locator("#levels button.card").nth(number).click()
        press(page, str(level.solution))
        expect(page.locator("#status")).to_contain_text("You won")
        page.keyboard.press("Escape")
    assert watched.complaints == []
