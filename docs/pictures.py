"""Draws the pictures of these pages with levolve itself, into `docs/_static`. Run it with `make pictures`."""

from pathlib import Path

from levolve.formats.drawing import contact_sheet
from levolve.formats.files import write_file
from levolve.formats.png import encode, picture_bytes
from levolve.levels.level import Level
from levolve.runs.evolving import evolve

STATIC = Path(__file__).parent / "_static"
RECIPES = ("maze", "maze-long", "maze-chromatic", "maze-barriers", "maze-tunnels", "maze-automaton")
OBJECTIVES = ("exit_path", "reconvergence", "isolated_reconvergence", "culs_de_sac", "cul_de_sac_length")


def sheet(name: str, levels: list[Level], captions: list[str], columns: int) -> None:
    """Write one contact sheet."""
    write_file(STATIC / name, picture_bytes(contact_sheet(levels, captions, columns).quantize(128)))


def main() -> None:
    """Draw everything; the same seeds give the same pictures."""
    runs = [evolve(recipe, seed=3) for recipe in RECIPES]
    sheet("recipes.png", [run.best for run in runs], [f"{run.recipe.name}: {run.best_score:g} steps" for run in runs], 3)
    runs = [evolve("maze", seed=3, objective=objective) for objective in OBJECTIVES]
    captions = [f"{objective} {run.best_score:g}" for objective, run in zip(OBJECTIVES, runs, strict=True)]
    sheet("objectives.png", [run.best for run in runs], captions, 5)
    write_file(STATIC / "legend.png", encode(evolve("maze", seed=5, objective="isolated_reconvergence").best, 22, ends=True, legend=True))
    mazes = sorted((evolve("maze", seed=seed) for seed in range(1, 13)), key=lambda run: run.best_score)
    sheet("mazes.png", [run.best for run in mazes], [f"{run.best_score:g} steps, seed {run.seed}" for run in mazes], 4)


if __name__ == "__main__":
    main()
