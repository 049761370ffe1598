"""The page of a pack in a real browser: opened from the file system, sorted, filtered, and played
to the exit.
"""

import random
import re
from collections.abc import Iterator
from importlib.resources import files
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

import levolve
from jobs.packs.browser import Watched, browsing
from levolve.core.errors import ProofError
from levolve.jobs.packs.pack import Pack
from levolve.levels.level import Level
from levolve.puzzles.position import Position

ARROWS = {"u": "ArrowUp", "d": "ArrowDown", "l": "ArrowLeft", "r": "ArrowRight"}
NAMES = {"u": "up", "d": "down", "l": "left", "r": "right"}
LETTERS = {"u": "w", "d": "s", "l": "a", "r": "d"}


@pytest.fixture(scope="module")
def pack() -> Pack:
    """Mazes, one with checkpoints; colours; and dungeons with a tour."""
    parts = [
        levolve.pack("maze", size=(9, 9), count=3, target={"regions": 1}, distinct=0.2, seed=1),
        levolve.pack("maze", size=(12, 7), count=1, target={"reconvergence": "20..900"}, seed=2),
        levolve.pack(
            "maze-chromatic", size=(7, 7), count=2, target={"exit_path": "14..24"}, seed=3
        ),
        levolve.pack("dungeon", size=(7, 7), count=2, target={"tour_steps": "20..60"}, seed=4),
    ]
    return Pack.joined("a <pack>", parts)


@pytest.fixture(scope="module")
def index(pack: Pack, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pack.save(tmp_path_factory.mktemp("pack"), "json", theme="paper").resolve()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as browser:
        yield browser


@pytest.fixture
def watched(browser: Browser, index: Path) -> Iterator[Watched]:
    """The page, opened from the file system. Afterwards: nothing was complained of, and nothing but
    the file itself was asked for.
    """
    context = browser.new_context(viewport={"width": 1000, "height": 800})
    watched = Watched(context.new_page())
    watched.page.goto(index.as_uri())
    yield watched
    assert watched.complaints == []
    assert all(
        address == index.as_uri() or address.startswith("data:") for address in watched.requests
    )
    context.close()


def number_of(pack: Pack, kind: str) -> int:
    """The place of the first level of a recipe."""
    return next(
        position for position, name in enumerate(pack.names) if name.partition("-")[2] == kind
    )


def test_all_levels_are_shown_and_drawn(watched: Watched, pack: Pack) -> None:
    page = watched.page
    expect(page.locator("h1")).to_have_text("a <pack>")
    expect(page.locator("#levels button.card")).to_have_count(len(pack.levels))
    colours = page.evaluate(
        """() => [...document.querySelectorAll("#levels canvas")].map((canvas) => {
            const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
            return new Set(new Uint32Array(data.buffer)).size;
        })"""
    )
    assert min(colours) > 2


def test_levels_are_sorted_by_any_measure(watched: Watched, pack: Pack) -> None:
    page = watched.page

    def shown(measure: str) -> list[float]:
        names = [
            card.get_attribute("data-name") for card in page.locator("#levels button.card").all()
        ]
        return [pack.measures[pack.names.index(str(name))][measure] for name in names]

    for measure in ("difficulty", "walls", "longest_path"):
        page.locator("#sort").select_option(measure)
        assert shown(measure) == sorted(measures[measure] for measures in pack.measures)
        page.locator("#descending").check()
        assert shown(measure) == sorted(
            (measures[measure] for measures in pack.measures), reverse=True
        )
        page.locator("#descending").uncheck()
    # What some levels lack sorts them to the end.
    page.locator("#sort").select_option("tour_steps")
    assert [
        str(card.get_attribute("data-name")).partition("-")[2]
        for card in page.locator("#levels button.card").all()
    ][:2] == ["dungeon"] * 2


def test_levels_are_filtered_by_recipe_and_by_a_measure(watched: Watched, pack: Pack) -> None:
    page = watched.page
    page.locator("#kind").select_option("maze-chromatic")
    expect(page.locator("#levels button.card")).to_have_count(2)
    expect(page.locator("#count")).to_contain_text("2 of 8 levels")
    page.locator("#all").click()
    expect(page.locator("#levels button.card")).to_have_count(8)
    middle = sorted(measures["difficulty"] for measures in pack.measures)[3]
    page.locator("#most").fill(str(middle))
    expect(page.locator("#levels button.card")).to_have_count(
        sum(measures["difficulty"] <= middle for measures in pack.measures)
    )
    page.locator("#most").fill("-5")
    expect(page.locator("#none")).to_be_visible()
    page.locator("#widen").click()
    expect(page.locator("#levels button.card")).to_have_count(8)


@pytest.mark.parametrize(
    ("kind", "keys"), [("maze", ARROWS), ("maze-chromatic", LETTERS), ("dungeon", ARROWS)]
)
def test_a_level_is_played_to_its_end_with_keys(
    watched: Watched, pack: Pack, kind: str, keys: dict[str, str]
) -> None:
    page = watched.page
    number = number_of(pack, kind)
    solution = str(pack.levels[number].solution)
    page.locator("#levels button.card").nth(number).press("Enter")
    for move in solution[:-1]:
        page.keyboard.press(keys[move])
    expect(page.locator("#steps")).to_have_text(
        f"{len(solution) - 1} steps, the shortest path has {len(solution)}"
    )
    expect(page.locator("#status")).to_have_text("")
    page.keyboard.press(keys[solution[-1]])
    expect(page.locator("#status")).to_have_text(
        f"You won in {len(solution)} steps: no solution is shorter!"
    )
    page.keyboard.press(keys[solution[0]])
    expect(page.locator("#steps")).to_contain_text(f"{len(solution)} steps, ")
    page.keyboard.press("Escape")
    expect(page.locator("#play")).to_be_hidden()
    expect(page.locator("#levels button.card").nth(number)).to_have_class("card solved")


def test_steps_are_taken_back_hinted_at_and_shown(watched: Watched, pack: Pack) -> None:
    page = watched.page
    solution = str(pack.levels[0].solution)
    page.locator("#levels button.card").first.click()
    page.keyboard.press(ARROWS[solution[0]])
    page.keyboard.press("u")
    expect(page.locator("#steps")).to_contain_text("0 steps")
    for count in range(1, len(solution) + 1):
        page.locator("#hint").click()
        said = page.locator("#status").inner_text().removeprefix("Go ").rstrip(".")
        page.keyboard.press(ARROWS[next(move for move, name in NAMES.items() if name == said)])
        expect(page.locator("#steps")).to_contain_text(f"{count} steps")
    expect(page.locator("#status")).to_contain_text("no solution is shorter")
    page.locator("#restart").click()
    page.keyboard.press("Space")
    expect(page.locator("#status")).to_have_text(
        f"That is the shortest path: {len(solution)} steps."
    )


def stop_the_clock(page: Page) -> None:
    """From here on, time goes on only when a test says so."""
    page.clock.install(time="2030-01-01")
    page.clock.pause_at("2030-01-02")


@pytest.mark.parametrize("key", ["Space", "u", "h"])
@pytest.mark.parametrize("end", [False, True], ids=["during", "after"])
def test_steps_of_the_solution_are_not_the_players(
    watched: Watched, pack: Pack, key: str, *, end: bool
) -> None:
    page = watched.page
    solution = str(pack.levels[0].solution)
    stop_the_clock(page)
    page.locator("#levels button.card").first.click()
    page.keyboard.press("Space")
    page.clock.run_for(110 * (len(solution) if end else 3) + 50)
    expect(page.locator("#steps")).to_contain_text(f"{len(solution) if end else 3} steps, ")
    expect(page.locator("#undo")).to_be_disabled()
    page.keyboard.press(key)
    expect(page.locator("#steps")).to_contain_text("0 steps, ")
    # After the end, Space plays the solution once more; the first step of the player's own ends
    # that.
    for move in solution:
        page.keyboard.press(ARROWS[move])
    expect(page.locator("#status")).to_have_text(
        f"You won in {len(solution)} steps: no solution is shorter!"
    )
    expect(page.locator("#levels button.card").first).to_have_class("card solved")


def test_a_solution_that_was_watched_is_no_win(watched: Watched, pack: Pack) -> None:
    page = watched.page
    solution = str(pack.levels[0].solution)
    stop_the_clock(page)
    page.locator("#levels button.card").first.click()
    page.keyboard.press("Space")
    page.clock.run_for(110 * 3 + 50)
    page.keyboard.press("Space")
    for move in solution[3:]:
        page.keyboard.press(ARROWS[move])
    expect(page.locator("#status")).not_to_contain_text("You won")
    page.keyboard.press("Space")
    page.clock.run_for(110 * len(solution) + 50)
    expect(page.locator("#status")).to_have_text(
        f"That is the shortest path: {len(solution)} steps."
    )
    page.keyboard.press("u")
    page.keyboard.press(ARROWS[solution[-1]])
    expect(page.locator("#status")).not_to_contain_text("You won")
    expect(page.locator("#levels button.card").first).to_have_class("card")


def test_a_stop_of_a_tour_fades_only_when_its_turn_has_come(watched: Watched, pack: Pack) -> None:
    page = watched.page
    number = number_of(pack, "dungeon")
    page.locator("#levels button.card").nth(number).click()

    def colours() -> list[object]:
        """What each place's disc looks like between its sign and its rim."""
        picture = Image.open(BytesIO(page.locator("#board").screenshot()))
        tile = picture.width / pack.levels[number].width
        return [
            picture.getpixel((int((x + 0.5) * tile), int((y + 0.13) * tile)))
            for x, y in pack.levels[number].places.values()
        ]

    def walk(moves: str, place: str) -> None:
        for move in moves:
            page.keyboard.press(ARROWS[move])
        expect(page.locator("#board")).to_have_attribute("aria-label", f"At {place}")

    # Each time a step off the place, so that the player does not hide it: from A, around B to C,
    # and to B.
    walk("r", "column 2, row 1, next stop B")
    faded, full, last = colours()
    assert faded != full == last
    walk("rrrddddddrr", "column 7, row 7, next stop B")
    walk("l", "column 6, row 7, next stop B")
    assert colours() == [faded, full, full]
    walk("luullld", "column 2, row 6, next stop C")
    assert colours() == [faded, faded, full]


def test_the_next_level_is_offered_after_a_win(watched: Watched, pack: Pack) -> None:
    page = watched.page
    colour = "(button) => getComputedStyle(button).backgroundColor"
    page.locator("#levels button.card").first.click()
    before = page.locator("#next").evaluate(colour)
    assert before == page.locator("#previous").evaluate(colour)
    for move in str(pack.levels[0].solution):
        page.keyboard.press(ARROWS[move])
    assert page.locator("#next").evaluate(colour) != before
    assert page.locator("#previous").evaluate(colour) == before


def test_every_colour_of_the_theme_is_used() -> None:
    page = files("levolve.jobs.packs") / "page"
    style = (page / "style.css").read_text()
    used = set(re.findall(r"var\(--([\w-]+)\)", style)) | set(
        re.findall(r'themeColour\("([\w-]+)"\)', (page / "draw.js").read_text())
    )
    assert set(re.findall(r"--([\w-]+):", style)) == used


def test_a_pack_of_one_is_one_level(browser: Browser, tmp_path: Path) -> None:
    one = levolve.pack("maze", size=(7, 7), count=1, target={"regions": 1}, seed=1)
    page = browser.new_page()
    page.goto(one.save(tmp_path, "json").resolve().as_uri())
    expect(page.locator("#count")).to_have_text(
        "1 level with a proof that it can be won. Choose it to play."
    )
    page.close()


def test_a_step_into_a_wall_is_none(watched: Watched, pack: Pack) -> None:
    page = watched.page
    page.locator("#levels button.card").nth(number_of(pack, "maze")).click()
    page.keyboard.press("ArrowUp")
    expect(page.locator("#steps")).to_contain_text("0 steps")
    expect(page.locator("#status")).to_have_text("The way is blocked.")


def test_one_level_leads_to_the_next_in_the_order_that_is_shown(
    watched: Watched, pack: Pack
) -> None:
    page = watched.page
    page.locator("#kind").select_option("dungeon")
    first, second = (
        position for position, name in enumerate(pack.names, 1) if name.endswith("dungeon")
    )
    page.locator("#levels button.card").first.click()
    for key, number in (("n", second), ("n", first), ("p", second)):
        page.keyboard.press(key)
        expect(page.locator("#title")).to_have_text(f"{number}. dungeon")
    page.locator("#previous").click()
    expect(page.locator("#title")).to_have_text(f"{first}. dungeon")


def test_a_level_is_played_by_touch(browser: Browser, index: Path, pack: Pack) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.goto(index.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    solution = str(pack.levels[0].solution)
    page.locator("#levels button.card").first.tap()
    for move in solution[:-1]:
        page.locator(f"[data-move={move}]").tap()
    box = page.locator("#board").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(
        x + 30 * ((solution[-1] == "r") - (solution[-1] == "l")),
        y + 30 * ((solution[-1] == "d") - (solution[-1] == "u")),
    )
    page.mouse.up()
    expect(page.locator("#status")).to_contain_text("no solution is shorter")
    context.close()


def checked(level: Level, moves: str) -> tuple[bool, bool]:
    """Whether all moves are legal, and whether they win, as the independent checker has it."""
    try:
        level.with_solution(moves).check()
    except ProofError as problem:
        return "is not a legal step" not in str(problem) and "leaves the level" not in str(
            problem
        ), False
    return True, True


def test_the_page_plays_by_the_rules_of_the_checker(watched: Watched, pack: Pack) -> None:
    chance = random.Random(5)
    seen = set()
    for number, level in enumerate(pack.levels):
        solution = str(level.solution)
        tries = [solution, solution + solution[-1], solution[:-1], ""]
        for _ in range(40):
            kept = chance.randrange(len(solution))
            back = solution[kept - 1 : kept].translate(str.maketrans("udlr", "durl"))
            tries.append(
                solution[:kept] + back + solution[kept - 1 :]
                if kept and chance.random() < 0.5
                else solution[:kept] + chance.choice("udlr")
            )
        tries += ["".join(chance.choices("udlr", k=6)) for _ in range(10)]
        played = watched.page.evaluate(
            "([number, tries]) => tries.map((moves) => levolve.replay(number, moves))",
            [number, tries],
        )
        for moves, outcome in zip(tries, played, strict=True):
            assert (outcome["legal"], outcome["won"]) == checked(level, moves), (
                f"{pack.names[number]}: {moves}"
            )
            seen.add((outcome["legal"], outcome["won"]))
    assert seen == {(True, True), (True, False), (False, False)}


@pytest.mark.parametrize("puzzle", ["flag", "sliding"])
def test_puzzles_are_played_by_the_rules_of_their_checkers(
    browser: Browser, puzzle: str, tmp_path: Path
) -> None:
    made = levolve.pack(puzzle, count=3, size=(4, 4) if puzzle == "flag" else (3, 2), seed=2)
    page = Watched(browser.new_page())
    page.page.goto(made.save(tmp_path, ["png"]).resolve().as_uri())
    expect(page.page.locator("#levels button.card")).to_have_count(3)
    chance = random.Random(5)
    seen = set()
    for number, position in enumerate(made.positions):
        solution = str(position.solution)
        tries = [
            solution,
            solution[:-1],
            *(solution[:kept] + chance.choice("udlr") for kept in range(len(solution))),
        ]
        played = page.page.evaluate(
            "([number, tries]) => tries.map((moves) => levolve.replay(number, moves))",
            [number, tries],
        )
        for moves, outcome in zip(tries, played, strict=True):
            assert (outcome["legal"], outcome["won"]) == checked_position(position, moves), moves
            seen.add((outcome["legal"], outcome["won"]))
    assert seen == {(True, True), (True, False), (False, False)}
    solution = str(made.positions[-1].solution)
    page.page.locator("#levels button.card").last.click()
    for move in solution:
        page.page.locator("#hint").click()
        expect(page.page.locator("#status")).to_have_text(f"Go {NAMES[move]}.")
        page.page.keyboard.press(ARROWS[move])
    expect(page.page.locator("#status")).to_contain_text(f"You won in {len(solution)} steps")
    assert page.complaints == []
    page.page.close()


def test_levels_and_puzzles_of_one_pack_are_played_on_one_page(
    browser: Browser, tmp_path: Path
) -> None:
    made = levolve.pack(
        ["maze", "flag", "sliding"], count=3, size=(8, 8), seed=2, settings={"generations": 10}
    )
    page = Watched(browser.new_page())
    page.page.goto(made.save(tmp_path).resolve().as_uri())
    expect(page.page.locator("#levels button.card")).to_have_count(3)
    for number, item in enumerate(made.items):
        page.page.locator("#levels button.card").nth(number).click()
        for move in str(item.solution):
            page.page.keyboard.press(ARROWS[move])
        expect(page.page.locator("#status")).to_contain_text(
            f"You won in {len(str(item.solution))} steps"
        )
        page.page.locator("#close").click()
    widths = page.page.evaluate(
        "[...document.querySelectorAll('#levels .card .bar i')].map((bar) => bar.style.width)"
    )
    assert widths == ["100%"] * 3, "the hardest of each kind has a full bar"
    assert page.complaints == []
    page.page.close()


def checked_position(position: Position, moves: str) -> tuple[bool, bool]:
    """Whether all moves are legal, and whether they win, as the puzzle's own checker has it."""
    try:
        position.with_solution(moves).check()
    except ProofError as problem:
        return not any(
            words in str(problem) for words in ("leaves the map", "leads onto", "slides no tile")
        ), False
    return True, True
