"""Read the cases of `fuzz_cases` in this process, with its memory limited; print a line of JSON:
what is wrong with each, by name.
"""

import json
import sys
import tempfile
from functools import partial
from pathlib import Path


def main() -> None:
    """Read all cases."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    import levolve
    from fuzz.fuzz_cases import GROUPS, LEVEL, read_case
    from fuzz.fuzz_run import limit_memory, try_input

    faults = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for suffix in ("tmx", "npz", "tiles.png"):
            levolve.load(
                levolve.save(LEVEL, folder / f"level.{suffix}")
            )  # kernels are loaded before memory is limited
        for number, kind in enumerate(("small_key", "plate")):
            text = f"S..E\n....\nthing: {kind} 1,0 id=a\nthing: stairs 2,0 to=a"
            (folder / f"{number}.txt").write_text(text)
            levolve.load(folder / f"{number}.txt")
        for group, files in GROUPS.items():
            for case, content in files():
                (folder / f"{group}-{case}").write_bytes(content())
        limit_memory()
        for group, files in GROUPS.items():
            for case, _ in files():
                path = folder / f"{group}-{case}"
                refused, fault, seconds = try_input(partial(read_case, group, path), b"")
                faults[f"{group}/{case}"] = fault
                sys.stderr.write(
                    f"{group}/{case}: {seconds:.2f} s, {'refused' if refused else 'read'} {fault}\n"
                )
    sys.stdout.write(json.dumps(faults))


if __name__ == "__main__":
    main()
