"""Figures for the puzzles: what is solved, how far from optimal, how fast beside the same algorithm
in plain Python.

Run it with `make bench`; names of parts after the file's run only those. `LEVOLVE_BOARDS` is how
many 8-puzzle boards to sample (all 181,440 with `all`); `LEVOLVE_ROUNDS` the path of a JSON list of
rounds to solve beside those that come with levolve.
"""

import itertools
import json
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from levolve.bench.puzzles import PlainSource
from levolve.puzzles.flag import exact, read_round
from levolve.puzzles.flag.files import shipped
from levolve.puzzles.flag.genetic import flag_search
from levolve.puzzles.flag.maker import FlagRequest, make
from levolve.puzzles.flag.rules import Round
from levolve.puzzles.flag.settings import (
    FlagSettings,
    GuidedSettings,
    PlainSettings,
    SourceSettings,
    ThirdSourceSettings,
)
from levolve.puzzles.position import Solution
from levolve.puzzles.sliding.rules import Board
from levolve.puzzles.solve_make import solve

KNOWN = ("_13425786", "_32871456", "8672543_1")
EXACT_BUDGET = 300_000_000


def random_board(cells: int, width: int, dice: np.random.Generator) -> Board:
    while True:
        board = Board.read(dice.permutation(cells).tolist(), None, (width, cells // width))
        if board.solvable:
            return board


def every_board() -> Iterator[Board]:
    goal = (*range(1, 9), 0)
    return (
        board
        for order in itertools.permutations(range(9))
        if (board := Board(order, 3, 3, goal)).solvable
    )


def eight_puzzle() -> None:
    wanted = os.environ.get("LEVOLVE_BOARDS", "2000")
    dice = np.random.default_rng(1)
    boards = (
        every_board() if wanted == "all" else (random_board(9, 3, dice) for _ in range(int(wanted)))
    )

    def solved(numbered: tuple[int, Board]) -> tuple[bool, int, int, int]:
        solution = solve("sliding", numbered[1], seed=numbered[0])
        return solution.solved, solution.generations, solution.length or 0, solution.optimal or 0

    solve("sliding", KNOWN[0], seed=0)
    began, busy = time.perf_counter(), time.process_time()
    results: list[tuple[bool, int, int, int]] = []
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        numbered = enumerate(boards)
        while chunk := list(itertools.islice(numbered, 5000)):
            results.extend(threads.map(solved, chunk))
    seconds, busy = time.perf_counter() - began, time.process_time() - busy
    count = len(results)
    won, generations, lengths, fewest = zip(*results, strict=True)
    print(
        f"8-puzzle, {count:,} boards{'' if wanted == 'all' else ' (a sample)'}: "
        f"{sum(won) / count:.3%} solved;"
    )
    print(
        f"  generations: {generations.count(0) / count:.1%} none, median "
        f"{statistics.median(generations):g}, at most {max(generations)};"
    )
    print(
        f"  mean length {sum(lengths) / sum(fewest):.4f} of the fewest possible, "
        f"{sum(map(int.__eq__, lengths, fewest)) / count:.1%} the very fewest;"
    )
    print(f"  {seconds:,.1f} s, {1000 * busy / count:.1f} ms of a processor a board")
    for known in KNOWN:
        runs = [solve("sliding", known, seed=seed) for seed in range(100)]
        gap, worst = (
            statistics.mean(run.gap or 0 for run in runs),
            max(run.generations for run in runs),
        )
        print(
            f"  {known}: {sum(run.solved for run in runs)} of 100 seeds, at most {worst} "
            f"generations, mean gap {gap:.2f}"
        )


def source_scheme() -> None:
    """The source's own settings on random boards, without and with its enhanced part, beside our
    scheme.
    """
    boards = [random_board(9, 3, dice) for dice in [np.random.default_rng(3)] for _ in range(200)]
    print(f"8-puzzle by the source's settings, {len(boards)} random boards:")
    cases: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("source", "source", {}),
        ("source, diversity", "source", {"diversity": True}),
        ("enhanced", "enhanced", {}),
    )
    for name, scheme, settings in cases:
        began = time.process_time()
        runs = [
            solve("sliding", board, scheme=scheme, seed=seed, **settings)
            for seed, board in enumerate(boards)
        ]
        busy = 1000 * (time.process_time() - began) / len(boards)
        won = [run for run in runs if run.solved]
        generations, lengths = [run.generations for run in won], [run.length or 0 for run in won]
        print(
            f"  {name}: {len(won)} solved, {sum(count < 150 for count in generations)} in "
            "under 150 generations, "
            f"median {statistics.median(generations):g}; mean {statistics.mean(lengths):.1f} "
            f"moves; {busy:.1f} ms each"
        )


def fifteen_puzzle() -> None:
    dice = np.random.default_rng(2)
    boards = [random_board(16, 4, dice) for _ in range(100)]
    runs = [solve("sliding", board, seed=seed) for seed, board in enumerate(boards)]
    found = [solve("sliding", board, method="exact", budget=EXACT_BUDGET) for board in boards]
    pairs = [
        (run.length, known.length)
        for run, known in zip(runs, found, strict=True)
        if run.length is not None and known.length is not None
    ]
    ratio = sum(evolved for evolved, _ in pairs) / sum(known for _, known in pairs)
    print(
        "15-puzzle, 100 random boards, 500 x at most 2,000 generations: "
        f"{sum(run.solved for run in runs)} solved,"
    )
    print(
        f"  median {statistics.median(run.generations for run in runs)} generations, "
        f"{statistics.median(run.seconds for run in runs):.2f} s;"
    )
    print(
        f"  exact search finished {len(pairs)} within {EXACT_BUDGET:,} positions, median "
        f"{statistics.median(run.seconds for run in found):.2f} s;"
    )
    print(f"  evolved length {ratio:.3f} of the fewest possible")


def twenty_four_puzzle() -> None:
    """Boards of 5x5 that so many random moves make of the goal, none taken back at once."""
    solve("sliding", [*range(1, 25), 0], method="exact")
    for steps in (20, 40, 60, 80):
        dice = random.Random(steps)
        found: list[Solution] = []
        for _ in range(20):
            board = Board.read([*range(1, 25), 0])
            last = ""
            for _ in range(steps):
                choices = [
                    move
                    for move, back in ("ud", "du", "lr", "rl")
                    if back != last and board.may(move)
                ]
                last = dice.choice(choices)
                board = board.after(last)
            found.append(solve("sliding", board, method="exact", budget=EXACT_BUDGET))
        lengths = [one.length for one in found if one.length is not None]
        print(
            f"24-puzzle, 20 boards {steps} random moves from the goal: exact search finished "
            f"{len(lengths)} within {EXACT_BUDGET:,} positions, "
            f"lengths {min(lengths, default=0)} to {max(lengths, default=0)}, seconds: "
            f"median {statistics.median(one.seconds for one in found):.3f}, "
            f"worst {max(one.seconds for one in found):.1f}"
        )


@cache
def rounds() -> dict[str, Round]:
    path = os.environ.get("LEVOLVE_ROUNDS")
    found = {f"shipped {number}": played for number, played in enumerate(shipped(), 1)}
    if path:
        found |= {
            f"round {data['round']}": read_round(data)
            for data in json.loads(Path(path).read_text(encoding="utf-8"))
        }
    return found


def flag_rounds() -> None:
    print("Reach the Flag, the usual scheme, population 40")
    solve("flag", shipped()[0], method="exact")
    for name, played in rounds().items():
        known = solve("flag", played, method="exact")
        runs = [solve("flag", played, seed=seed) for seed in range(50)]
        generations = [run.generations for run in runs]
        print(
            f"  {name:<11} {sum(run.solved for run in runs)} of 50 seeds, generations: "
            f"median {statistics.median(generations):g}, "
            f"worst {max(generations)}, "
            f"{1000 * statistics.median(run.seconds for run in runs):.2f} ms; exact "
            f"{1000 * known.seconds:.2f} ms"
        )


def what_does_the_work() -> None:
    """Runs solved with our decoding and with the plain one, by evolution and by as many chromosomes
    drawn at random.
    """
    seeds, generations = 10, 2000

    def evolved(played: Round, settings: FlagSettings, seed: int) -> int | None:
        search = flag_search(played, settings, seed)
        search.advance(generations)
        return search.generation if search.winner >= 0 else None

    def drawn(played: Round, settings: FlagSettings, seed: int) -> int | None:
        for turn in range(generations):
            search = flag_search(played, settings, seed * generations + turn)
            if not isinstance(settings, PlainSettings):
                # Walks are scored when they are drawn, chromosomes when they are to breed.
                search.advance(1)
            if search.winner >= 0:
                return turn
        return None

    print(
        f"What does the work: {len(rounds())} rounds x {seeds} seeds, {generations:,} "
        "generations of 40"
    )
    for decoding, settings in (
        ("guided", GuidedSettings()),
        ("source-3", ThirdSourceSettings()),
        ("plain", PlainSettings()),
    ):
        for how, search in (("evolution", evolved), ("random", drawn)):
            found = {
                name: [search(played, settings, seed) for seed in range(seeds)]
                for name, played in rounds().items()
            }
            solved = {
                name: [count for count in counts if count is not None]
                for name, counts in found.items()
            }
            needed = [count for counts in solved.values() for count in counts]
            always, never = (
                sum(len(counts) == seeds for counts in solved.values()),
                sum(not counts for counts in solved.values()),
            )
            hardest = max(solved, key=lambda name: statistics.mean(solved[name] or [0]))
            print(
                f"  {decoding} decoding, {how}: {len(needed)} runs solved, {needed.count(0)} "
                f"at once; {always} rounds always, {never} never; "
                f"mean {statistics.mean(needed):.1f} generations, at most {max(needed)}; "
                f"{hardest}: mean {statistics.mean(solved[hardest]):.1f}"
            )


def source_round() -> None:
    """Round 12 by the source's versions, as its program does it, and with elites kept and a win
    tested after every move, beside our own schemes.
    """
    name = "round 12" if "round 12" in rounds() else "shipped 12"
    played = rounds()[name]
    seeds, generations = 50, 100_000
    print(f"Reach the Flag, {name}, population 40, {seeds} seeds, {generations:,} generations:")
    versions: tuple[tuple[str, dict[str, Any]], ...] = (
        ("source-1", {}),
        ("source-1", {"swap": True}),
        ("source-2", {}),
    )
    cases = [
        (scheme, settings | {"spare_elites": spared, "win_at_end": not spared})
        for scheme, settings in versions
        for spared in (False, True)
    ]
    for scheme, settings in [*cases, ("plain", {}), ("guided", {})]:
        began = time.process_time()
        runs = [
            solve("flag", played, scheme=scheme, seed=seed, generations=generations, **settings)
            for seed in range(seeds)
        ]
        needed = [run.generations for run in runs if run.solved] or [generations]
        print(
            f"  {scheme} {settings or ''}: {sum(run.solved for run in runs)} of {seeds} solved, "
            f"mean {statistics.mean(needed):,.1f} generations; {time.process_time() - began:.1f} s"
        )


def side_by_side() -> None:
    """Processor seconds on both sides, turn about."""
    name = "round 12" if "round 12" in rounds() else "shipped 27"
    played, settings = rounds()[name], SourceSettings()
    ratios = []
    flag_search(played, settings, 0).advance(2)
    for turn in range(9):
        plain = PlainSource(played, settings)
        began = time.process_time()
        for _ in range(200):
            plain.breed()
        slow = 200 / (time.process_time() - began)
        done, began = 0, time.process_time()
        for seed in range(10 * turn, 10 * turn + 10):
            search = flag_search(played, settings, seed)
            search.advance(4000)
            done += search.generation
        fast = done / (time.process_time() - began)
        ratios.append(fast / slow)
    print(
        f"the source's algorithm and settings on {name}, side by side: {fast:,.0f} "
        f"generations/s here, {slow:,.0f} in plain Python,"
    )
    print(
        f"  {statistics.median(ratios):.0f} times as many (median of {len(ratios)} turns, "
        f"from {min(ratios):.0f} to {max(ratios):.0f})"
    )


def maker() -> None:
    began = time.perf_counter()
    rounds = list(make(100, FlagRequest(unique=True, length=(20, 30)), seed=1))
    seconds = time.perf_counter() - began
    unique = sum(exact.count_solutions(made, 5) == 1 for made in rounds)
    for made in rounds:
        made.check()
    different = len({made.likeness() for made in rounds})
    print(
        f"maker, 100 rounds with one solution of 20 to 30 moves: {unique} certified, "
        f"{different} different, {seconds:.1f} s"
    )


PARTS: tuple[Callable[[], None], ...] = (
    side_by_side,
    eight_puzzle,
    source_scheme,
    fifteen_puzzle,
    twenty_four_puzzle,
    flag_rounds,
    what_does_the_work,
    source_round,
    maker,
)

if __name__ == "__main__":
    for part in PARTS:
        if part.__name__ in sys.argv[1:] or not sys.argv[1:]:
            part()
