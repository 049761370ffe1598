"""Makes the thirty rounds of Reach the Flag that come with levolve, easy to hard, into the package.
Run it with `make rounds`.
"""

from pathlib import Path

from levolve.formats.writing import write_file
from levolve.kernels.puzzles.flag_field import NEVER
from levolve.puzzles.flag.maker import FlagRequest, make
from levolve.puzzles.flag.rules import Round
from levolve.puzzles.position import encode_text

FOLDER = Path(__file__).parent.parent / "src" / "levolve" / "puzzles" / "flag" / "rounds"
REQUESTS = (
    (4, FlagRequest(size=(4, 4), length=(6, 10), tiles=(1,), wrong_turns=(1, 4))),
    (4, FlagRequest(size=(5, 5), length=(10, 16), tiles=(1, 2), wrong_turns=(2, 6))),
    (4, FlagRequest(size=(6, 6), length=(14, 20), tiles=(1, 2, NEVER), wrong_turns=(4, 8))),
    (
        4,
        FlagRequest(
            size=(6, 6), length=(18, 26), tiles=(1, 2), symmetry="left-right", wrong_turns=(5, 9)
        ),
    ),
    (
        5,
        FlagRequest(
            size=(7, 7), length=(22, 30), tiles=(1, 2, 3), unique=True, wrong_turns=(8, 14)
        ),
    ),
    (5, FlagRequest(size=(8, 8), length=(30, 40), tiles=(1, 2), unique=True, wrong_turns=(11, 18))),
    (
        4,
        FlagRequest(
            size=(8, 8), length=(40, 52), tiles=(1, 2, 3), unique=True, wrong_turns=(15, 30)
        ),
    ),
)


def hardness(made: Round) -> tuple[int, int]:
    """What the rounds are ordered by: wrong turns, then length."""
    return int(str(made.facts["wrong_turns"])), len(made.solution or "")


def main() -> None:
    """Make them; the same seeds give the same rounds."""
    rounds = [
        made
        for seed, (count, request) in enumerate(REQUESTS)
        for made in make(count, request, seed=seed, tries=40_000)
    ]
    for number, made in enumerate(sorted(rounds, key=hardness), 1):
        write_file(FOLDER / f"{number:02}.txt", encode_text(made).encode())


if __name__ == "__main__":
    main()
