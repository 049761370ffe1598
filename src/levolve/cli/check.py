"""`levolve check`: replay the proofs in files, and tell of a round's soft locks."""

import json as json_text
from pathlib import Path
from typing import Annotated, Any

import typer

from levolve.cli.options import Json, Quiet
from levolve.cli.report import Report
from levolve.errors import LevolveError


def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Level files, or rounds of Reach the Flag.")],
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check files: replay the solution of each; for a round of Reach the Flag also tell what can go wrong in it."""
    from levolve.formats.files import load

    results: list[dict[str, Any]] = []
    for file in files:
        found = load(file)
        proven = found.solution is not None
        result: dict[str, Any] = {"file": str(file), "proven": proven, "length": len(found.solution) if proven else None}
        if hasattr(found, "visits"):
            with Report(quiet=quiet) as report, report.watching_kernels():
                result |= _round_facts(file, found)
        results.append(result)
        if not json:
            _print(result)
    if json:
        print(json_text.dumps(results, indent=2))
    unproven = [result["file"] for result in results if not result["proven"] and not result.get("solvable")]
    if unproven:
        message = f"{', '.join(unproven)}: no proof that it can be won"
        raise LevolveError(message)


def _round_facts(file: Path, played: Any) -> dict[str, Any]:  # noqa: ANN401 a round; its floor is loaded only here
    from levolve.puzzles.flag import exact
    from levolve.puzzles.puzzle import UnsolvableError

    try:
        played.check_reachable()
    except UnsolvableError as problem:
        message = f"{file}: {problem}"
        raise UnsolvableError(message) from problem
    solution = exact.solve(played)
    locks = exact.soft_locks(played)
    return {
        "solvable": solution.solved,
        "unsolvable": solution.unsolvable,
        "states": locks.states,
        "states_sampled": locks.sampled,
        "lost_states": locks.lost,
        "lost_share": round(locks.lost_share, 6),
        "losing_first_moves": locks.losing_first_moves,
        "winning_first_moves": locks.winning_first_moves,
    }


def _print(result: dict[str, Any]) -> None:
    proof = f"proven, {result['length']} moves replayed" if result["proven"] else "holds no solution"
    print(f"{result['file']}: {proof}")
    if "states" not in result:
        return
    if not result["proven"]:
        print(f"  exact search           {'can be won' if result['solvable'] else 'cannot be won' if result['unsolvable'] else 'undecided'}")
    kind = "of random play" if result["states_sampled"] else "reachable"
    print(f"  states                 {result['states']:,} {kind}")
    print(f"  soft locks             {result['lost_states']:,}: {result['lost_share']:.1%} of states can no longer be won")
    print(f"  first moves            winning: {result['winning_first_moves'] or 'none'}, losing: {result['losing_first_moves'] or 'none'}")
