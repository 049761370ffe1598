"""Words that read as translated are in neither the documentation nor what commands and pages
show.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src" / "levolve"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
SHOWN = [
    path for pattern in ("*.js", "*.html", "*.toml") for path in sorted(SOURCES.rglob(pattern))
]
COUNTED = "character|number|bit|byte|value|gene|entry|row|file|one|line|word"
PER = "cell|core|level|row|format|board|generation|run|part|thread|individual"
WORDS = re.compile(
    r"\b(besides?|of ours|so many|as stated|as wished|on wish|wish(?:es|ed)?|unless told|is "
    r"told|hears?"
    r"|(?<!there )are no(?! longer)|is no longer than so|riddles?|hangs? together|come to "
    r"nothing|in the making|came of it"
    rf"|(?:{COUNTED})s? an? (?:{PER}))\b",
    re.IGNORECASE,
)
# What a reader of a page does not take for prose: code, commands, and names in code.
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def strings(tree: ast.Module, *, docstrings: bool) -> Iterator[str]:
    """Strings that can be shown: docstrings only where they are the help of a command."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    described = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and (docstrings or id(node) not in described)
        ):
            yield node.value


def found(text: str) -> list[str]:
    return [match[0] for match in WORDS.finditer(" ".join(text.split()))]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_use_plain_words(path: Path) -> None:
    assert found(CODE.sub("", path.read_text())) == []


def test_what_is_shown_uses_plain_words() -> None:
    wrong = {}
    for path in sorted(SOURCES.rglob("*.py")):
        texts = strings(ast.parse(path.read_text()), docstrings="commands" in path.parts)
        # The name of a parameter or field may be any word.
        words = [word for text in texts if not text.isidentifier() for word in found(text)]
        if words:
            wrong[path.name] = words
    assert wrong == {}


def test_the_texts_of_pages_and_recipes_use_plain_words() -> None:
    # Texts in quotes and between tags; in TOML comments, too, which `levolve recipes NAME` prints.
    prose = re.compile(r"(?:^|\s)#.*|\"[^\"\n]*\"|`[^`]*`|>[^<>{}]+<", re.MULTILINE)
    wrong = {
        path.name: words
        for path in SHOWN
        if (words := found("\n".join(prose.findall(path.read_text()))))
    }
    assert wrong == {}
