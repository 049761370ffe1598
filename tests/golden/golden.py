"""Golden digests: what levolve computes and writes, one line per case, compared with `golden.json`.

`python tests/golden/golden.py` computes all cases and prints those that differ; `--write` writes
the file anew, `--quick` computes the part that is in the suite, and words choose the cases whose
names contain one of them. The cases of parts are made from the registries, so that a new part
without a line in the file is reported. A case that levolve refuses has the word "refused" instead
of a digest.

All cases are computed with one fixed version and engine: files hold both, and packs hash such
files.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

# A script finds its own folder first, but its modules are those of the package `golden`.
sys.path[0] = str(Path(__file__).parents[1])

import levolve  # noqa: E402 see above
from levolve import version  # noqa: E402 see above

# Before any other module of levolve reads them.
levolve.__version__ = version.VERSION = "0.0.0"
version.ENGINE = "000000000000"
version.WRITTEN_BY = f"levolve {version.VERSION}, engine {version.ENGINE}"

from golden import job_cases, level_cases  # noqa: E402 see above
from golden.tools import Case, LevolveError, digest_of  # noqa: E402 see above

FILE = Path(__file__).with_name("golden.json")
REFUSED = "refused"
# Groups that are not in the suite, or only a part of them.
SLOW = (
    *(f"command/{name}" for name in ("demo", "join", "compare", "meta", "range", "pack flag")),
    *("morph/noise", "job/", "finish/", "pack/", "recipe/", "objective/", "theme/", "format/"),
)
SAMPLES = (
    *("recipe/maze", "objective/exit_path/", "objective/target/", "finish/frame", "job/evolve"),
    *("job/mixed", "pack/plain", "pack/unmet", "theme/stone", "format/tmx/", "format/json/"),
    "format/png/",
)


def all_cases() -> dict[str, Case]:
    """Return all cases by name."""
    return {
        name: case for group in (*level_cases.GROUPS, *job_cases.GROUPS) for name, case in group()
    }


def is_quick(name: str) -> bool:
    """Whether a case belongs to the part that the suite computes."""
    return name.startswith(SAMPLES) or not name.startswith(SLOW)


def show(line: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{line}\n")


def result_of(case: Case) -> str:
    """Compute the digest of a case; calls that levolve refuses have a word instead."""
    try:
        return digest_of(case())
    except LevolveError:
        return REFUSED
    except Exception as problem:  # noqa: BLE001 any error is a difference
        return f"error: {problem!r}"


def main(words: Iterable[str] | None = None) -> int:
    """Compare, or write; the exit code is 1 if any case differs."""
    parser = argparse.ArgumentParser(
        description="Compare what levolve computes with golden digests."
    )
    parser.add_argument(
        "--write", action="store_true", help="write the file anew, or only the chosen cases"
    )
    parser.add_argument(
        "--quick", action="store_true", help="only a part of all cases, as in the suite"
    )
    parser.add_argument(
        "--times", action="store_true", help="print the processor time of each group"
    )
    parser.add_argument("words", nargs="*", help="only cases whose names contain one of these")
    given = parser.parse_args(None if words is None else list(words))
    os.environ["LEVOLVE_STORE"] = str(Path(tempfile.mkdtemp()) / "runs.sqlite")
    cases = all_cases()
    expected: dict[str, str] = json.loads(FILE.read_text()) if FILE.exists() else {}
    chosen = [
        name for name in cases if not given.words or any(word in name for word in given.words)
    ]
    if given.quick:
        chosen = [name for name in chosen if is_quick(name)]
    found, spent = {}, {}
    for name in chosen:
        began = time.process_time()
        found[name] = result_of(cases[name])
        spent[name] = time.process_time() - began
    if given.times:
        groups = {name.split("/")[0] for name in spent}
        for group in sorted(groups):
            show(
                f"{sum(value for name, value in spent.items() if name.split('/')[0] == group):7.2f} "
                f"s {group}"
            )
        for name, value in sorted(spent.items(), key=lambda pair: -pair[1])[:25]:
            show(f"{value:7.2f} s {name}")
        show(f"{sum(spent.values()):7.2f} s in all")
    if given.write:
        kept = {
            name: value for name, value in expected.items() if name in cases and name not in found
        }
        lines = (
            f"{json.dumps(name)}: {json.dumps(value)}"
            for name, value in sorted({**kept, **found}.items())
        )
        FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
        failed = [f"{name}: {value}" for name, value in found.items() if value.startswith("error")]
        show("\n".join([*failed, f"{len(found)} cases written"]))
        return 1 if failed else 0
    without = [f"{name}: not in {FILE.name}" for name in cases if name not in expected]
    gone = [
        f"{name}: in {FILE.name}, but there is no such case"
        for name in expected
        if name not in cases
    ]
    differing = [
        f"{name}: expected {expected[name]}, got {value}"
        for name, value in found.items()
        if expected.get(name, value) != value
    ]
    show(
        "\n".join(
            [*without, *gone, *differing, f"{len(found)} cases compared, {len(differing)} differ"]
        )
    )
    return 1 if without or gone or differing else 0


if __name__ == "__main__":
    sys.exit(main())
