"""`levolve check`: replay the proofs in files, measure levels, and tell of a round's soft locks."""

import json as json_text
from pathlib import Path
from typing import Annotated, Any

import typer

from levolve.cli.options import Json, Quiet
from levolve.cli.pictures import print_measures
from levolve.cli.report import Report
from levolve.errors import LevolveError


def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Level files, or rounds of Reach the Flag.")],
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check files: replay the solution of each and measure it; for a round of Reach the Flag also tell what can go wrong in it.

    A level that was edited in Tiled, LDtk, Godot or by hand gets a new solution; where there is none, check says what stands in the way.
    """
    from levolve.errors import PlaceError
    from levolve.formats.files import load
    from levolve.puzzles.puzzle import UnsolvableError

    results: list[dict[str, Any]] = []
    for file in files:
        result: dict[str, Any] = {"file": str(file), "proven": False, "length": None}
        with Report(quiet=quiet) as report, report.watching_kernels():
            try:
                result |= _facts(load(file))
            except (PlaceError, UnsolvableError) as problem:
                result["why"] = str(problem).removeprefix(f"{file}: ")
        results.append(result)
        if not json:
            _print(result)
    if json:
        print(json_text.dumps(results, indent=2))
    unproven = [f"{result['file']}: {result['why']}" for result in results if not result["proven"] and not result.get("solvable")]
    if unproven:
        message = f"no proof that it can be won: {'; '.join(unproven)}"
        raise LevolveError(message)


def _facts(found: Any) -> dict[str, Any]:  # noqa: ANN401 a level or a round
    """What there is to say about a level or a round."""
    proven = found.solution is not None
    facts: dict[str, Any] = {"proven": proven, "length": len(found.solution) if proven else None}
    if hasattr(found, "visits"):
        return facts | ({} if proven else {"why": "it holds no solution"}) | _round_facts(found)
    from levolve.levels.certifying import why_not
    from levolve.measures.measuring import measure

    measures = {name: int(values[0]) for name, values in measure(found).items()}
    return facts | ({} if proven else {"why": why_not(found)}) | {"measures": measures}


def _round_facts(played: Any) -> dict[str, Any]:  # noqa: ANN401 a round; its floor is loaded only here
    from levolve.puzzles.flag import exact

    played.check_reachable()
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
    proof = f"proven, {result['length']} moves replayed" if result["proven"] else result["why"]
    print(f"{result['file']}: {proof}")
    print_measures(result.get("measures", {}))
    if "states" not in result:
        return
    if not result["proven"]:
        print(f"  exact search           {'can be won' if result['solvable'] else 'cannot be won' if result['unsolvable'] else 'undecided'}")
    kind = "of random play" if result["states_sampled"] else "reachable"
    print(f"  states                 {result['states']:,} {kind}")
    print(f"  soft locks             {result['lost_states']:,}: {result['lost_share']:.1%} of states can no longer be won")
    print(f"  first moves            winning: {result['winning_first_moves'] or 'none'}, losing: {result['losing_first_moves'] or 'none'}")
