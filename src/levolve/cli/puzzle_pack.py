"""`levolve pack flag` and `levolve pack sliding`: many puzzles at once."""

import json as json_text
from pathlib import Path

from levolve.cli.pack import check_folder, print_extents, print_folder
from levolve.cli.report import Report
from levolve.errors import InputError, LevolveError

FORMS_UNLESS_TOLD = {"flag": "json,png", "sliding": "txt,png"}


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
    """Make a pack of puzzles; `unfit` are options that were given and say nothing about puzzles."""
    if unfit:
        message = f"{unfit[0]}: expected a recipe of levels beside it, got the puzzle {puzzle!r}; 'levolve make {puzzle}' has wishes of its own"
        raise InputError(message)
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.packs.puzzle_pack import CANDIDATES, forms_of, puzzle_pack

        forms = forms_of(puzzle, FORMS_UNLESS_TOLD[puzzle] if to is None else to)
        check_folder(output)
        with report.bar(f"making {puzzle}", CANDIDATES * count) as bar:
            made = puzzle_pack(puzzle, count=count, size=size, curve=curve, seed=seed, progress=bar.advance)
        if made.riddles:
            made.save(output, forms)
    if json:
        print(json_text.dumps({**made.to_data(), "folder": str(output.resolve()) if made.riddles else None}, indent=2))
    elif made.riddles:
        print(f"{puzzle} {made.size[0]}x{made.size[1]}, seed {made.seed}: {len(made.riddles)} of {count} puzzles, none like another, were found")
        print_extents(made.measures)
        print(f"  digest                 {made.digest}")
        print_folder(len(made.riddles), "puzzle", output, forms)
    if not made.met:
        message = f"count: wanted {count}, but only {len(made.riddles)} came about that are not like another; choose a larger size"
        raise LevolveError(message)
