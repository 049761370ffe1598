"""`check_file`: replay the proof in a file, and report what else is known about the level or puzzle
in it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from levolve.core.errors import LevolveError, PlaceError
from levolve.formats import FORMATS
from levolve.formats.level_files import split_part
from levolve.levels.level import Level
from levolve.levels.measures.main_measures import UNITS, main_measures
from levolve.levels.measures.measure import number_text
from levolve.levels.measures.measuring import measure
from levolve.levels.solver import READ, explain_unwinnable
from levolve.levels.things.proof import LosingMove
from levolve.levels.things.thing import remarks
from levolve.puzzles.load_save import load, load_parts, puzzle_of
from levolve.puzzles.position import Position, UnsolvableError

# The verdicts on a level with things, in data and in words.
SAFE, LOSABLE, LOST, UNKNOWN = "safe", "losable", "lost", "undecided"
VERDICTS = {
    SAFE: "can be won and cannot be lost",
    LOSABLE: "can be won and can be lost",
    LOST: "cannot be won",
    UNKNOWN: "undecided",
}
# Remarks on things that are printed; the data have all.
MOST_REMARKS = 5


@dataclass(frozen=True)
class CheckResult:
    """The result of checking a file: whether it is `proven`, how long its solution is, and `why`
    there is no proof.

    `findings` are plain data: the `measures` of a level, or what the puzzle's exact search finds
    out about a position. `lines` are the same for people, a label and a text each.
    """

    file: str
    proven: bool
    length: int | None
    why: str | None = None
    findings: Mapping[str, Any] = field(default_factory=dict)
    lines: Mapping[str, str] = field(default_factory=dict)

    @property
    def winnable(self) -> bool:
        """Whether it is proven, or exact search found a solution."""
        return self.proven or bool(self.findings.get("solvable"))

    @property
    def can_be_lost(self) -> bool:
        """Whether it is a level with things that can be won, and also lost."""
        return self.findings.get("verdict") == LOSABLE

    @property
    def summary(self) -> str:
        """One line: how many moves were replayed, or why there is no proof."""
        return f"proven, {self.length} moves replayed" if self.proven else str(self.why)

    def to_data(self) -> dict[str, Any]:
        """The result as plain data, for JSON."""
        why = {} if self.why is None else {"why": self.why}
        return {
            "file": self.file,
            "proven": self.proven,
            "length": self.length,
            **why,
            **self.findings,
        }


def check_file(path: str | Path) -> CheckResult:
    """Check a level or a position of a puzzle: replay its solution, measure it, search it.

    A level that was edited in an editor or by hand gets a new solution; where there is none, `why`
    says what is in the way. Raises `InputError` for a file that cannot be read and `ProofError` for
    a solution that does not hold.
    """
    return _checked(path, lambda: load(path))


def check_levels(path: str | Path) -> list[CheckResult]:
    """Check all levels of a file that may contain several, as `check_file` checks one. A level that
    cannot be read does not stop the others.
    """
    suffix = split_part(path)[0].suffix.lower().removeprefix(".")
    if suffix not in FORMATS or FORMATS[suffix].levels is None:
        return [check_file(path)]
    parts = load_parts(path)
    results = []
    for name, read in parts.items():
        try:
            results.append(_checked(name, read))
        except LevolveError as problem:
            results.append(failure(name, problem))
    return results


def failure(path: str | Path, problem: LevolveError) -> CheckResult:
    """Return the result for what cannot be read, or whose proof is wrong."""
    return CheckResult(
        str(path), proven=False, length=None, why=str(problem).removeprefix(f"{path}: ")
    )


def _checked(path: str | Path, read: Callable[[], Level | Position]) -> CheckResult:
    try:
        found = read()
        return (
            _check_level(str(path), found)
            if isinstance(found, Level)
            else _check_position(str(path), found)
        )
    except (PlaceError, UnsolvableError) as problem:
        return CheckResult(
            str(path), proven=False, length=None, why=str(problem).removeprefix(f"{path}: ")
        )


def _check_level(file: str, level: Level) -> CheckResult:
    measures = measure(level).of_level()
    lines = {
        name.replace("_", " "): f"{number_text(value)} {UNITS.get(name, '')}".rstrip()
        for name, value in main_measures(measures).items()
    }
    verdict: Mapping[str, Any] = {}
    if level.has_mechanics:
        why, verdict, more = _judge(level)
        lines = {**more, **lines}
    else:
        why = explain_unwinnable(level) if level.solution is None else None
        # Only kinds that are not known, or known ones without mechanics.
        found = remarks(level.things, level.kinds)
        verdict = {"remarks": found} if found else {}
        lines = {**_remark_lines(found), **lines}
    return CheckResult(
        file,
        level.solution is not None and why is None,
        _length(level.solution),
        why,
        {**verdict, "measures": measures},
        lines,
    )


def _remark_lines(found: list[str]) -> dict[str, str]:
    """Return remarks as a line, of many only the first."""
    more = [f"and {len(found) - MOST_REMARKS:,} more"] if len(found) > MOST_REMARKS else []
    return {"remarks": "; ".join([*found[:MOST_REMARKS], *more])} if found else {}


def _judge(level: Level) -> tuple[str | None, Mapping[str, Any], Mapping[str, str]]:
    """Return why a level with things is not proven, and the verdict as data and as lines."""
    found = remarks(level.things, level.kinds)
    data: dict[str, Any] = {"remarks": found} if found else {}
    lines = _remark_lines(found)
    verdict, why, loss = _verdict(level)
    if loss is not None:
        data = {"losing_move": loss.to_data(), **data}
        lines = {"losing play": loss.play, **lines}
    return why, {"verdict": verdict, **data}, {"verdict": VERDICTS[verdict], **lines}


def _verdict(level: Level) -> tuple[str, str | None, LosingMove | None]:
    """Return the verdict, why the level is not proven, and the move that loses it first."""
    if level.solution is not None and level.certificate is not None:
        # Both were verified when the level was read.
        return SAFE, None, None
    proof = level.prove(READ)
    if proof.losing_moves:
        loss = proof.losing_moves[0]
        return LOSABLE, f"it can be lost by {loss.text}", loss
    if proof.undecided or (proof.winnable and not proof.safe):
        return UNKNOWN, "undecided: too many states to prove that it cannot be lost", None
    if not proof.winnable:
        return LOST, explain_unwinnable(level), None
    # Nothing acts in it, or its certificate would be too large.
    return SAFE, None if level.solution is not None else "it has no solution", None


def _check_position(file: str, position: Position) -> CheckResult:
    puzzle = puzzle_of(position)
    position.check_solvable()
    findings = puzzle.examine(position)
    lines = puzzle.explain(findings)
    proven = position.solution is not None
    if not proven:
        known = (
            "can be won"
            if findings.get("solvable")
            else "cannot be won"
            if findings.get("unsolvable")
            else "undecided"
        )
        lines = {"exact search": known, **lines}
    return CheckResult(
        file,
        proven,
        _length(position.solution),
        None if proven else "it has no solution",
        findings,
        lines,
    )


def _length(solution: str | None) -> int | None:
    return None if solution is None else len(solution)
