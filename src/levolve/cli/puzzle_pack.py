"""`levolve pack` with a puzzle's name: many puzzles at once."""

import json as json_text
from pathlib import Path

from levolve.cli.pack import print_extents, print_folder
from levolve.cli.report import Report
from levolve.errors import InputError, LevolveError


def pack_puzzles(
    puzzle: str,
    count: int,
    size: str | None,
    curve: str | None,
    to: str | None,
    seed: int | None,
    output: Path,
    unfit: list[str],
    *,
    json: bool,
    quiet: bool,
) -> None:
    """Make a pack of puzzles; `unfit` are options that were given and do not apply to puzzles."""
    if unfit:
        message = f"{unfit[0]}: expected a recipe of levels, got the puzzle {puzzle!r}; see 'levolve make {puzzle} --help'"
        raise InputError(message)
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.packs.folder import check_folder
        from levolve.packs.puzzle_pack import CANDIDATES, DEFAULT_FORMS, forms_of, puzzle_pack

        forms = forms_of(puzzle, DEFAULT_FORMS if to is None else to)
        check_folder(output)
        with report.bar(f"making {puzzle}", CANDIDATES * count) as bar:
            made = puzzle_pack(puzzle, count=count, size=size, curve=curve, seed=seed, watch=lambda _: bar.advance())
        if made.positions:
            made.save(output, forms)
    if json:
        print(json_text.dumps(made.to_data(folder=output if made.positions else None), indent=2))
    elif made.positions:
        print(f"{puzzle} {made.size[0]}x{made.size[1]}, seed {made.seed}: {len(made.positions)} of {count} puzzles, no two alike, were found")
        print_extents(made.measures)
        print(f"  digest                 {made.digest}")
        print_folder(len(made.positions), "puzzle", output, forms)
    if not made.met:
        message = f"count: {count} puzzles were requested, but only {len(made.positions)} were found that are not alike; choose a larger size"
        raise LevolveError(message)
