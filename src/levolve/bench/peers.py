"""The task that all libraries get: the longest shortest path through a maze of 20x20 cells, one bit
per cell.

The fitness is available twice, with equal values: as an ordinary search in Python, and as levolve's
kernel for a whole population at once.

Other libraries, each with an ordinary genetic algorithm for the same task. A library that is not
installed is left out.

A peer is a function `evolve(fitness, generations, seed) -> SearchOutcome`; it imports its library,
whose time does not count.
"""

import random
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import LevolveError
from levolve.core.registry import Registry
from levolve.kernels.bits.packed_flood import exit_steps, pack_rows

SIDE = 20
CELLS = SIDE * SIDE
POPULATION = 120
FILL = 0.05
MUTATION = 0.005

Cells = NDArray[np.uint8]
Scores = NDArray[np.float64]


def search_in_python(cells: Sequence[int]) -> int:
    """Return the length of the exit path by an ordinary breadth-first search; 0 if there is none.
    The ends count as open.
    """
    distance = [-1] * CELLS
    distance[0] = 0
    queue = deque([0])
    while queue:
        cell = queue.popleft()
        if cell == CELLS - 1:
            return distance[cell]
        x, y = cell % SIDE, cell // SIDE
        for near_x, near_y in ((x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y)):
            if 0 <= near_x < SIDE and 0 <= near_y < SIDE:
                near = near_y * SIDE + near_x
                if distance[near] < 0 and (not cells[near] or near == CELLS - 1):
                    distance[near] = distance[cell] + 1
                    queue.append(near)
    return 0


def search_in_kernel(cells: Cells) -> Scores:
    """Return the lengths of the exit paths of `(n, 400)` cells; 0 where there is none. The ends
    count as open.
    """
    tiles = np.ascontiguousarray(cells.reshape(-1, SIDE, SIDE), np.uint8)
    rows = np.empty((len(tiles), SIDE), np.uint64)
    pack_rows(tiles, rows)
    rows[:, 0] &= ~np.uint64(1)
    rows[:, -1] &= ~(np.uint64(1) << np.uint64(SIDE - 1))
    steps = np.empty(len(tiles), np.int32)
    exit_steps(rows, None, SIDE, 0, 0, SIDE - 1, SIDE - 1, steps, None)
    return np.maximum(steps, 0).astype(np.float64)


@dataclass(frozen=True)
class Fitness:
    """A fitness function: `one` for libraries that evaluate one individual at a time, `many` for
    those that evaluate a population.
    """

    name: str
    one: Callable[[Sequence[int]], float]
    many: Callable[[Cells], Scores]
    # Whether `many` is the natural way to call it, also for libraries that usually call `one`.
    batched: bool


PYTHON = Fitness(
    "Python search",
    search_in_python,
    lambda cells: np.array([search_in_python(row) for row in cells.tolist()], float),
    batched=False,
)
KERNEL = Fitness(
    "levolve's kernel",
    lambda cells: float(search_in_kernel(np.asarray(cells, np.uint8)[np.newaxis])[0]),
    search_in_kernel,
    batched=True,
)


@dataclass(frozen=True)
class SearchOutcome:
    """A finished search: its evaluations, processor seconds, best score, and the last evaluated
    individuals with their scores.
    """

    evaluations: int
    seconds: float
    best: float
    cells: Cells
    scores: Scores

    def check(self, name: str) -> None:
        """Raise `LevolveError` if the scores are not those of the search in Python: speeds of
        different tasks are not compared.
        """
        expected = PYTHON.many(self.cells)
        if not np.array_equal(expected, self.scores):
            different = int((expected != self.scores).sum())
            raise LevolveError(
                f"benchmark: the fitness of {name} differs from the search in Python for "
                f"{different} of {len(expected)} individuals"
            )


def first_population(seed: int) -> Cells:
    """Return `(120, 400)` cells: walls with the usual probability."""
    return (np.random.default_rng(seed).random((POPULATION, CELLS)) < FILL).astype(np.uint8)


# Genes of pyribs start at 0.25 and 0.75 and change by Gaussian noise, of which this many pass one
# half: about the mutation rate of the others.
SIGMA = 0.1
DISTANCE = 0.25

Peer = Callable[[Fitness, int, int], SearchOutcome]

PEERS: Registry[Peer] = Registry(
    "library",
    {
        "DEAP": "levolve.bench.peers:evolve_deap",
        "PyGAD": "levolve.bench.peers:evolve_pygad",
        "pymoo": "levolve.bench.peers:evolve_pymoo",
        "leap_ec": "levolve.bench.peers:evolve_leap_ec",
        "pyribs": "levolve.bench.peers:evolve_ribs",
        "evosax": "levolve.bench.peers:evolve_evosax",
    },
)
MODULES = {"pyribs": "ribs"}


def installed_peers() -> list[str]:
    """Return the names of the libraries that are installed here."""
    return [name for name in PEERS if find_spec(MODULES.get(name, name.lower())) is not None]


def evolve_deap(fitness: Fitness, generations: int, seed: int) -> SearchOutcome:
    """DEAP: `eaSimple` with tournaments, uniform crossover and bit flips.

    Run DEAP's own loop. A batched fitness is called through its `map`, once per generation.
    """
    from deap import algorithms, base, creator, tools

    if not hasattr(creator, "LevolveMaze"):
        creator.create("LevolveScore", base.Fitness, weights=(1.0,))
        creator.create("LevolveMaze", list, fitness=creator.LevolveScore)

    random.seed(seed)
    toolbox = base.Toolbox()
    toolbox.register("evaluate", lambda individual: (fitness.one(individual),))
    if fitness.batched:
        toolbox.register(
            "map",
            lambda _, individuals: [
                (score,) for score in fitness.many(np.array(list(individuals), np.uint8)).tolist()
            ],
        )
    toolbox.register("mate", tools.cxUniform, indpb=0.5)
    toolbox.register("mutate", tools.mutFlipBit, indpb=MUTATION)
    toolbox.register("select", tools.selTournament, tournsize=3)
    population = [creator.LevolveMaze(row) for row in first_population(seed).tolist()]
    began = time.process_time()
    population, log = algorithms.eaSimple(population, toolbox, 1.0, 1.0, generations, verbose=False)
    seconds = time.process_time() - began
    scores = np.array([individual.fitness.values[0] for individual in population], float)
    return SearchOutcome(
        sum(log.select("nevals")),
        seconds,
        float(scores.max()),
        np.array(population, np.uint8),
        scores,
    )


def evolve_pygad(fitness: Fitness, generations: int, seed: int) -> SearchOutcome:
    """PyGAD: its `GA` with tournaments, uniform crossover and random mutation.

    Run PyGAD's own loop. A batched fitness is called once per generation, by its
    `fitness_batch_size`.
    """
    import pygad

    counted = 0

    def score(_: Any, cells: Any, __: Any) -> Any:
        nonlocal counted
        if not fitness.batched:
            counted += 1
            return fitness.one(cells)
        counted += len(cells)
        return fitness.many(np.asarray(cells, np.uint8)).tolist()

    search = pygad.GA(
        num_generations=generations,
        num_parents_mating=POPULATION,
        fitness_func=score,
        fitness_batch_size=POPULATION if fitness.batched else None,
        initial_population=first_population(seed).astype(int),
        gene_type=int,
        gene_space=[0, 1],
        parent_selection_type="tournament",
        K_tournament=3,
        crossover_type="uniform",
        mutation_type="random",
        # A mutated gene is drawn from both values, so half of them stay as they are.
        mutation_probability=2 * MUTATION,
        keep_elitism=0,
        keep_parents=0,
        random_seed=seed,
        suppress_warnings=True,
    )
    began = time.process_time()
    search.run()
    seconds = time.process_time() - began
    cells = np.asarray(search.population, np.uint8)
    scores = np.asarray(search.last_generation_fitness, float)
    return SearchOutcome(counted, seconds, float(max(search.best_solutions_fitness)), cells, scores)


def evolve_pymoo(fitness: Fitness, generations: int, seed: int) -> SearchOutcome:
    """pymoo: its `GA` with tournaments, uniform crossover and bit flips.

    Run pymoo's own loop.
    """
    from pymoo.algorithms.soo.nonconvex.ga import GA
    from pymoo.core.problem import Problem
    from pymoo.operators.crossover.ux import UniformCrossover
    from pymoo.operators.mutation.bitflip import BitflipMutation
    from pymoo.optimize import minimize

    class Mazes(Problem):  # type: ignore[misc]
        """The task with pymoo's interface: all individuals at once, and lower values are better."""

        def __init__(self, fitness: Fitness) -> None:
            super().__init__(n_var=CELLS, n_obj=1, xl=0, xu=1, vtype=bool)
            self.fitness = fitness

        def _evaluate(self, x: Any, out: Any, *_: object, **__: object) -> None:
            out["F"] = -self.fitness.many(x.astype(np.uint8))[:, np.newaxis]

    search = GA(
        pop_size=POPULATION,
        sampling=first_population(seed).astype(bool),
        crossover=UniformCrossover(prob=1.0),
        mutation=BitflipMutation(prob=1.0, prob_var=MUTATION),
        eliminate_duplicates=False,
    )
    began = time.process_time()
    result = minimize(Mazes(fitness), search, ("n_gen", generations + 1), seed=seed, verbose=False)
    seconds = time.process_time() - began
    cells, values = result.pop.get("X"), result.pop.get("F")
    return SearchOutcome(
        result.algorithm.evaluator.n_eval,
        seconds,
        float(-result.F[0]),
        cells.astype(np.uint8),
        -values[:, 0],
    )


def evolve_leap_ec(fitness: Fitness, generations: int, seed: int) -> SearchOutcome:
    """LEAP: a generational pipeline with tournaments, uniform crossover and bit flips.

    Run LEAP's own loop, which evaluates one individual at a time.
    """
    from leap_ec import Individual, ops
    from leap_ec.algorithm import generational_ea
    from leap_ec.binary_rep.ops import mutate_bitflip
    from leap_ec.decoder import IdentityDecoder
    from leap_ec.problem import FunctionProblem
    from leap_ec.representation import Representation

    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002 LEAP draws from NumPy's global generator
    counted = 0

    def score(cells: Any) -> float:
        nonlocal counted
        counted += 1
        return float(fitness.one(cells))

    genomes = iter(first_population(seed))
    began = time.process_time()
    population = generational_ea(
        max_generations=generations,
        pop_size=POPULATION,
        problem=FunctionProblem(score, maximize=True),
        representation=Representation(
            initialize=lambda: next(genomes), decoder=IdentityDecoder(), individual_cls=Individual
        ),
        pipeline=[
            ops.tournament_selection(k=3),
            ops.clone,
            ops.UniformCrossover(p_swap=0.5),
            mutate_bitflip(expected_num_mutations=MUTATION * CELLS),
            ops.evaluate,
            ops.pool(size=POPULATION),
        ],
    )
    seconds = time.process_time() - began
    cells = np.array([individual.genome for individual in population], np.uint8)
    scores = np.array([individual.fitness for individual in population], float)
    return SearchOutcome(counted, seconds, float(scores.max()), cells, scores)


def evolve_ribs(fitness: Fitness, generations: int, seed: int) -> SearchOutcome:
    """pyribs: a grid archive over the number of walls, and its Gaussian emitter. A gene above one
    half is a wall.

    Run pyribs' ask and tell.
    """
    from ribs.archives import GridArchive
    from ribs.emitters import GaussianEmitter
    from ribs.schedulers import Scheduler

    archive = GridArchive(solution_dim=CELLS, dims=[40], ranges=[(0, CELLS / 2)], seed=seed)
    first = 0.5 + DISTANCE * (2.0 * first_population(seed) - 1.0)
    bounds = {"lower_bounds": np.zeros(CELLS), "upper_bounds": np.ones(CELLS)}
    emitter = GaussianEmitter(
        archive, sigma=SIGMA, initial_solutions=first, batch_size=POPULATION, **bounds, seed=seed
    )
    scheduler = Scheduler(archive, [emitter])
    best = 0.0
    began = time.process_time()
    for _ in range(generations + 1):
        cells = (scheduler.ask() > 0.5).astype(np.uint8)
        scores = fitness.many(cells)
        best = max(best, float(scores.max()))
        scheduler.tell(scores, cells.sum(axis=1, dtype=np.int64)[:, np.newaxis])
    seconds = time.process_time() - began
    return SearchOutcome((generations + 1) * POPULATION, seconds, best, cells, scores)


def evolve_evosax(fitness: Fitness, generations: int, seed: int) -> SearchOutcome:
    """evosax: its simple genetic algorithm, compiled by JAX. A gene above one half is a wall.

    Run evosax' ask and tell. Fitness is minimised there. The first calls compile, and are not
    timed.
    """
    import jax
    import jax.numpy as jnp
    from evosax.algorithms import SimpleGA

    search = SimpleGA(population_size=POPULATION, solution=jnp.zeros(CELLS))
    settings = search.default_params
    key = jax.random.PRNGKey(seed)
    cells = first_population(seed)
    ask, tell = jax.jit(search.ask), jax.jit(search.tell)

    def step(state: object, key: jax.Array) -> tuple[object, np.ndarray, np.ndarray]:
        key_ask, key_tell = jax.random.split(key)
        population, state = ask(key_ask, state, settings)
        cells = (np.asarray(population) > 0.5).astype(np.uint8)
        scores = fitness.many(cells)
        state, _ = tell(key_tell, population, jnp.asarray(-scores), state, settings)
        return state, cells, scores

    start = search.init(
        key, jnp.asarray(cells, jnp.float32), jnp.asarray(-fitness.many(cells)), settings
    )
    step(start, key)
    state, best = start, 0.0
    began = time.process_time()
    for generation in range(generations):
        state, cells, scores = step(state, jax.random.fold_in(key, generation))
        best = max(best, float(scores.max()))
    seconds = time.process_time() - began
    return SearchOutcome(generations * POPULATION, seconds, best, cells, scores)
