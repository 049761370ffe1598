"""The rooms of the package: what import-linter does not see."""

import ast
import re
import tokenize
import tomllib
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "src" / "levolve").rglob("*.py"))


def floors() -> dict[str, int]:
    """Each room and its floor, from low to high, as import-linter's layers have it."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    return {
        room.strip().removeprefix("levolve."): floor
        for floor, layer in enumerate(reversed(layers))
        for room in layer.split("|")
    }


def room_of(path: Path) -> str:
    return path.relative_to(ROOT / "src" / "levolve").parts[0].removesuffix(".py")


def test_every_room_has_a_floor() -> None:
    rooms = {room_of(path) for path in SOURCES} - {"__init__", "__main__"}
    assert rooms == set(floors())


def test_no_string_names_a_module_of_a_higher_floor() -> None:
    rank = floors()
    found = []
    for path in SOURCES:
        # The table of kinds of files names the owner of each kind, which is imported if a file is
        # of its kind.
        if room_of(path) in {"__init__", "__main__"} or path.name == "file_kinds.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                match = re.fullmatch(r"levolve\.(\w+)[\w.:]*", node.value)
                if match and rank.get(match[1], -1) > rank[room_of(path)]:
                    found.append((path.name, node.lineno, node.value))
    assert found == []


def test_no_two_classes_share_a_name() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for path in SOURCES:
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(str(path.relative_to(ROOT)))
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


def test_only_kernels_are_compiled() -> None:
    compiled = re.compile(r"^\s*@(\w+\.)?(n?jit|vectorize|kernel)\b", re.MULTILINE)
    assert [
        path.name
        for path in SOURCES
        if room_of(path) != "kernels" and compiled.search(path.read_text())
    ] == []


def suppressed() -> list[tuple[str, str]]:
    """Each comment that suppresses a rule of ruff, as its place and the reason after the rules'
    names.
    """
    mark = re.compile(r"# (?:ruff: )?noqa\b(?:: ?[A-Z]+\d+(?:, ?[A-Z]+\d+)*)?(.*)")
    found = []
    for folder in ("src", "tests", "docs", "benchmarks", "examples"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            with path.open("rb") as file:
                for token in tokenize.tokenize(file.readline):
                    match = mark.search(token.string) if token.type == tokenize.COMMENT else None
                    if match:
                        found.append(
                            (f"{path.relative_to(ROOT)}:{token.start[0]}", match[1].strip())
                        )
    return found


def test_few_rules_are_suppressed_and_each_has_a_reason() -> None:
    comments = suppressed()
    assert [place for place, reason in comments if " " not in reason] == []
    assert len(comments) < 200, (
        "put a rule that does not fit this code into pyproject.toml, with its reason"
    )
