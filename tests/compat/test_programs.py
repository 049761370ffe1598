"""Programs like those of the source documents run with another import, each as a process of its
own.
"""

import random
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from levolve.compat import FBCAConsts, eight_puzzle, libFBCAGen, reach_the_flag
from levolve.core.errors import InputError
from levolve.puzzles.flag.files import read_round
from levolve.puzzles.sliding.rules import Board

FASHION = "from levolve.compat import FBCAConsts, libFBCAGen\n"
PROGRAMS = {
    "initCA": """
automaton = FBCAConsts.Fbca()
automaton.torusLength = 2; automaton.torusWidth = 3
automaton.levelMap = libFBCAGen.initCA(automaton)
assert [len(column) for column in automaton.levelMap] == [3, 3]
""",
    "copyOver": """
first, second = FBCAConsts.Fbca(), FBCAConsts.Fbca()
first.levelMap = libFBCAGen.initCA(first)
second.levelMap = libFBCAGen.copyOver(first)
assert second.levelMap == first.levelMap and second.levelMap[0][0] is not first.levelMap[0][0]
""",
    "makeFolder": """
folder = f"{libFBCAGen.os.getcwd()}/test/"
assert (libFBCAGen.makeFolder(folder), libFBCAGen.makeFolder(folder)) == (1, 0)
""",
    "genIm": """
automaton = FBCAConsts.Fbca()
automaton.levelMap = libFBCAGen.initCA(automaton)
picture = libFBCAGen.genIm(automaton, quantifer="/genIm")
assert picture.size == (100, 100) and libFBCAGen.os.path.exists("genIm 0.png")
""",
    "updateMap": """
automaton = FBCAConsts.Fbca()
automaton.scoreMatrix = [0, 0.5, 0.2, 0.6]
automaton.levelMap = libFBCAGen.initCA(automaton.levelMap)
for update in range(5):
    libFBCAGen.genIm(automaton, gen=update)
    automaton.levelMap = libFBCAGen.updateMap(automaton)
assert libFBCAGen.os.path.exists(" 4.png")
""",
    "readFBCA": """
automaton = FBCAConsts.Fbca()
automaton.scoreMatrix = [0, 0.5, 0.2, 0.6]
automaton.levelMap = libFBCAGen.initCA(automaton)
automaton.g = 6
libFBCAGen.genText(automaton, fileName="text.txt")
read = libFBCAGen.readFBCA("text.txt")
found = read[0]
print(found.g, found.n, found.torusWidth, found.torusLength, found.scoreMatrix, found.neighbourhood)
assert found.levelMap == automaton.levelMap
libFBCAGen.generateFBCA(automaton, quantifer="/original", saveImages=True)
libFBCAGen.generateFBCA(found, quantifer="/new", saveImages=True)
last = [open(f"{name}/{name} 6.png", "rb").read() for name in ("original", "new")]
assert last[0] == last[1]
""",
    "generateFBCA": """
automaton = FBCAConsts.Fbca()
automaton.scoreMatrix = [0, 0.5, 0.2, 0.6]
automaton.levelMap = libFBCAGen.initCA(automaton)
automaton.g = 6
kwargs = dict(saveFinalImage=True, saveImages=True, saveText=True, saveFinalText=True)
automaton.levelMap = libFBCAGen.generateFBCA(automaton, quantifer="example", **kwargs)
assert len(libFBCAGen.os.listdir("example")) == 9
lines = open("example/example.txt").read().split()
assert lines[6] == "".join(str(cell.state) for column in automaton.levelMap for cell in column)
""",
}
FLAG = """
import random
from levolve.compat import reach_the_flag as game

random.seed(1)
game.population_size, game.parents_number, game.swap, game.mutation_rate = 40, 25, True, 0.6
population = game.initial_population()
for generation in range(5000):
    scored = game.fitness(population)
    best = min(scored, key=lambda one: one[1])
    if best[1] == 0:
        break
    population = game.mutation(game.create_children(game.select_parents(scored)))
print("".join(best[0]))
"""
SLIDING = """
import random
from levolve.compat import eight_puzzle as puzzle

random.seed(2)
population = [puzzle.initial_solution(13425786, 10) for _ in range(40)]
for generation in range(200):
    population.sort(key=lambda one: puzzle.fitness(one[-1]), reverse=True)
    if puzzle.is_solved(population[0]):
        break
    elites = population[:4]
    population = elites + [
        puzzle.mutation(puzzle.crossover(random.choice(elites), one) if random.random() < 0.1 else one)
        for one in population[4:]
    ]
print(*population[0])
"""


def run(program: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_programs_of_the_fashion_source_run_in_their_order(tmp_path: Path) -> None:
    for name, program in PROGRAMS.items():
        folder = tmp_path / name
        folder.mkdir()
        printed = run(FASHION + program, folder)
        if name == "readFBCA":
            assert (
                printed == "6 2 100 100 [0.0, 0.5, 0.2, 0.6] [(0, 1), (0, -1), (-1, 0), (1, 0)]\n"
            )


def test_the_programs_of_the_puzzle_sources_solve_their_puzzles(tmp_path: Path) -> None:
    assert read_round("document-5").after(run(FLAG, tmp_path).strip()).won
    boards = [Board.read(int(state)) for state in run(SLIDING, tmp_path).split()]
    assert boards[0] == Board.read("_13425786")
    assert boards[-1].solved
    for before, after in pairwise(boards):
        assert any(before.may(move) and before.after(move) == after for move in "udlr")


def test_an_update_gives_cells_their_scores_and_texts_are_joined() -> None:
    automaton = FBCAConsts.Fbca(
        scoreMatrix=["0.0", "0.5", "0.2", "0.6"], torusLength=3, torusWidth=2
    )
    automaton.levelMap = [
        [FBCAConsts.CACell(state) for state in column] for column in ([0, 1], [1, 1], [0, 0])
    ]
    after = libFBCAGen.updateMap(automaton)
    assert automaton.levelMap[0][0].score == "0.50.50.00.5"
    assert [[cell.state for cell in column] for column in after] == [[1, 1], [1, 1], [1, 1]]
    automaton.scoreMatrix = [0.0, 0.5, 0.2, 0.6]
    libFBCAGen.updateMap(automaton)
    assert automaton.levelMap[0][0].score == pytest.approx(1.5)


def test_automata_have_maps_of_their_own_and_the_final_map_is_returned() -> None:
    first, second = FBCAConsts.Fbca(), FBCAConsts.Fbca()
    first.levelMap.append([])
    assert second.levelMap == []
    random.seed(3)
    second.levelMap = libFBCAGen.initCA(second)
    start = libFBCAGen.copyOver(second)
    second.scoreMatrix, second.g = [0, 0.5, 0.2, 0.6], 2
    assert libFBCAGen.generateFBCA(second) != start
    with pytest.raises(InputError, match="levelMap: expected a map"):
        libFBCAGen.updateMap(FBCAConsts.Fbca())
    with pytest.raises(InputError, match="scoreMatrix: expected 9 scores for n = 3, got 4"):
        libFBCAGen.updateMap(FBCAConsts.Fbca(n=3, levelMap=second.levelMap))


def test_pictures_have_the_sources_colours(tmp_path: Path) -> None:
    automaton = FBCAConsts.Fbca(
        torusLength=11, torusWidth=1, levelMap=[[FBCAConsts.CACell(state)] for state in range(11)]
    )
    libFBCAGen.genIm(automaton, str(tmp_path), "all", 3)
    with Image.open(tmp_path / "all 3.png") as picture:
        assert [tuple(colour) for colour in np.asarray(picture.convert("RGB"))[0].tolist()] == [
            libFBCAGen.colourConvert(state) for state in range(11)
        ]
    with pytest.raises(InputError, match="x: expected a state from 0 to 10, got 11"):
        libFBCAGen.colourConvert(11)


def test_the_fitness_of_the_flag_is_that_of_its_two_versions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Twelve visits are left at the start, and the flag is six steps away.
    assert reach_the_flag.fitness([["l"] * 4])[0][1] == 2 * 8 + 6
    monkeypatch.setattr(reach_the_flag, "void_mark", 1.1)
    assert reach_the_flag.fitness([["l"] * 4])[0][1] == pytest.approx(8 + 6 + 4.4)
    assert reach_the_flag.fitness([list("rrrudrlddddurl")])[0][1] == 0
    with pytest.raises(InputError, match="population: expected chromosomes of one length"):
        reach_the_flag.fitness([["u"], ["u", "d"]])


def test_joined_solutions_have_no_cycles() -> None:
    random.seed(5)
    for _ in range(200):
        elite, weaker = (eight_puzzle.initial_solution(13425786, 12) for _ in range(2))
        joined = eight_puzzle.crossover(elite, weaker)
        assert (joined[0], joined[-1]) == (weaker[0], elite[-1])
        assert len(set(joined)) == len(joined)
        for kind in eight_puzzle.MUTATIONS:
            changed = eight_puzzle.mutation(joined, kind)
            assert len(set(changed)) == len(changed)
