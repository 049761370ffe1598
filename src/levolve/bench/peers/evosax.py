"""evosax: its simple genetic algorithm, compiled by JAX. A gene above one half is a wall."""

import time

import jax
import jax.numpy as jnp
import numpy as np
from evosax.algorithms import SimpleGA

from levolve.bench.maze_task import CELLS, POPULATION, Fitness, SearchOutcome, first_population


def evolve(fitness: Fitness, generations: int, seed: int) -> SearchOutcome:
    """Run evosax' ask and tell. Fitness is minimised there. The first calls compile, and are not timed."""
    search = SimpleGA(population_size=POPULATION, solution=jnp.zeros(CELLS))
    settings = search.default_params
    key = jax.random.PRNGKey(seed)
    cells = first_population(seed)
    ask, tell = jax.jit(search.ask), jax.jit(search.tell)

    def step(state: object, key: jax.Array) -> tuple[object, np.ndarray, np.ndarray]:
        key_ask, key_tell = jax.random.split(key)
        population, state = ask(key_ask, state, settings)
        cells = (np.asarray(population) > 0.5).astype(np.uint8)  # noqa: PLR2004 the middle of the range
        scores = fitness.many(cells)
        state, _ = tell(key_tell, population, jnp.asarray(-scores), state, settings)
        return state, cells, scores

    start = search.init(key, jnp.asarray(cells, jnp.float32), jnp.asarray(-fitness.many(cells)), settings)
    step(start, key)
    state, best = start, 0.0
    began = time.process_time()
    for generation in range(generations):
        state, cells, scores = step(state, jax.random.fold_in(key, generation))
        best = max(best, float(scores.max()))
    seconds = time.process_time() - began
    return SearchOutcome(generations * POPULATION, seconds, best, cells, scores)
