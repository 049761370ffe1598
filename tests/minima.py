"""Print the lowest version that pyproject.toml allows of each dependency of a user:
`name==version`.

`make lowest` installs them. They are those of levolve and of its extras, and of the extra `test`
those that levolve itself imports where a user has them. Tools of the tests may be of any version.
"""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def minima() -> list[str]:
    """Return `name==version` for each dependency; raise `ValueError` for one without a lower
    bound.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras: dict[str, list[str]] = project["optional-dependencies"]
    own = [each for name, listed in extras.items() if name != "test" for each in listed]
    source = "".join(path.read_text() for path in (ROOT / "src").rglob("*.py"))
    found = []
    for each in sorted({*project["dependencies"], *own, *extras["test"]}):
        if each.startswith("levolve["):
            continue
        name, _, bounds = each.partition(">=")
        version = bounds.partition(",<")[0]
        if not re.fullmatch(r"[\d.]+", version):
            message = f"pyproject.toml: expected NAME>=VERSION, got {each}"
            raise ValueError(message)
        if each not in extras["test"] or re.search(
            rf"^\s*(import|from) {name}\b", source, re.MULTILINE
        ):
            found.append(f"{name}=={version}")
    return found


if __name__ == "__main__":
    print("\n".join(minima()))  # noqa: T201 what pip reads
