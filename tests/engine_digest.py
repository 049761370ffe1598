"""The engine: a digest of the sources that determine results. `make engine` writes it.

What does not change results does not change the digest: comments, docstrings, formatting, and
the order of keys in data files. A moved or renamed module does.
"""

import ast
import hashlib
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SOURCES = Path(__file__).parents[1] / "src" / "levolve"
VERSION_FILE = SOURCES / "version.py"
DIGITS = 12

# The folders whose sources determine results, and those whose sources do not, with the names that
# docs/architecture.md has for them and those that its next cut will have. A path decides by the
# last of its folders that is listed. Every folder directly in src/levolve has to be listed.
ENGINE_FOLDERS = {
    "kernels",
    "levels",
    "measures",
    "genotypes",
    "objectives",
    "evolution",
    "search",
    "puzzles",
    "fashion",
    "worlds",
    "contents",
    "recipes",
    "runs",
    "jobs",
    "breeding",
    "archives",
    "packs",
    "studies",
}
OTHER_FOLDERS = {
    "compiler",  # both modes give the same results, and so must any other
    "core",
    "formats",
    "store",
    "executors",
    "charts",
    "bridges",
    "compat",
    "bench",
    "studio",
    "cli",
    "testing",
    "page",  # of a pack
}
# Left out of the trees: comments for type checkers, positions, and what Python derives.
IGNORED = {"ctx", "kind", "type_comment", "type_ignores"}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def engine_digest(sources: Path = SOURCES) -> str:
    """Return the digest of the sources below a folder."""
    digest = hashlib.sha256()
    for path in sorted(engine_files(sources)):
        digest.update(f"{path.relative_to(sources).as_posix()}\n{content_of(path)}\n".encode())
    return digest.hexdigest()[:DIGITS]


def engine_files(sources: Path = SOURCES) -> Iterator[Path]:
    """Return the files that determine results: Python, and data that it reads."""
    for path in sources.rglob("*"):
        folders = path.relative_to(sources).parts[:-1]
        listed = [name for name in folders if name in ENGINE_FOLDERS | OTHER_FOLDERS]
        kind = path.suffix in {".py", ".toml", ".json", ".txt"}
        if path.is_file() and kind and listed and listed[-1] in ENGINE_FOLDERS:
            yield path


def content_of(path: Path) -> str:
    """Return what is digested of a file, equal for all versions of Python."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return repr(tree_of(ast.parse(text)))
    if path.suffix == ".toml":
        return json.dumps(tomllib.loads(text), sort_keys=True, default=str)
    return json.dumps(json.loads(text), sort_keys=True) if path.suffix == ".json" else text


def tree_of(node: Any) -> Any:
    """Return a syntax tree as nested tuples, without docstrings.

    Later versions of Python add fields to nodes. Fields without a value are therefore left out.
    """
    if isinstance(node, list):
        return [tree_of(one) for one in node]
    if not isinstance(node, ast.AST):
        return node
    fields = {name: value for name, value in ast.iter_fields(node) if name not in IGNORED}
    if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
        fields["body"] = node.body[1:]
    kept = [(name, tree_of(value)) for name, value in fields.items() if value not in (None, [])]
    return type(node).__name__, *sorted(kept, key=lambda field: field[0])


def main() -> None:
    """Write the digest to the file with the version."""
    text = VERSION_FILE.read_text(encoding="utf-8")
    written = re.sub(r'(?m)^ENGINE = ".*"$', f'ENGINE = "{engine_digest()}"', text)
    VERSION_FILE.write_text(written, encoding="utf-8")


if __name__ == "__main__":
    main()
