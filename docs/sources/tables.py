"""Write the tables of the pages "Coming from …" from the data files beside them.

A page such as `sliding.md` has two pairs of markers, for rows ("there" and "here") and for figures.
Its data file `sliding.toml` holds

- `rows`: `theirs`, and `run`, a command, or `python`, one line; optionally `note`; `exit`, the exit
  code of a command that refuses; and `expect`, a Python expression that is true afterwards
  (`output` is what the command printed);
- `figures`: `what`, `theirs`, `ours`, and `run` or `python`, how ours is reproduced. A figure with
  `expect` is quick enough for the tests.

`README.md` has one line per page: how many rows it has, its differences by their names, and what is
not here.

Before the rows a page has what they need: the files in full, and how the Python session begins. The
tests do what a page says, from its first block to its last row, in an empty folder, and check that
the pages are up to date.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
SOURCES = ("mazes", "dungeons", "fashion", "sliding", "flag")
HEADS = {
    "rows": ("there", "here", "remarks"),
    "figures": ("figure", "there", "here", "how to reproduce it"),
}


def read_data(source: str) -> dict[str, Any]:
    """The data of a page."""
    return tomllib.loads((FOLDER / f"{source}.toml").read_text(encoding="utf-8"))


def page_of(source: str) -> str:
    """The text of a page with its tables as the data file has them."""
    text, data = (FOLDER / f"{source}.md").read_text(encoding="utf-8"), read_data(source)
    for part, heads in HEADS.items():
        marked = re.compile(rf"(<!-- {part}[^\n]*-->\n).*?(<!-- end of {part} -->)", re.DOTALL)
        if not marked.search(text):
            message = (
                f"{source}.md: expected the markers '<!-- {part} -->' and '<!-- end of {part} -->'"
            )
            raise ValueError(message)
        table = _table(heads, [_cells(part, entry) for entry in data[part]])
        text = marked.sub(lambda found, table=table: f"{found[1]}{table}{found[2]}", text)  # type: ignore[misc]
    return text


def _cells(part: str, entry: dict[str, Any]) -> list[str]:
    how = f"`{entry.get('run') or entry['python']}`"
    if part == "rows":
        return [entry["theirs"], how, entry.get("note", "")]
    return [entry["what"], entry["theirs"], entry["ours"], how]


def _table(heads: tuple[str, ...], lines: list[list[str]]) -> str:
    rows = [
        list(heads),
        ["---"] * len(heads),
        *([cell.replace("|", "\\|") for cell in line] for line in lines),
    ]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def summary() -> str:
    """The text of the page that sums the others up."""
    heads = ("source", "rows", "added by levolve", "differences, all on purpose", "not here")
    lines = []
    for source in SOURCES:
        page = (FOLDER / f"{source}.md").read_text(encoding="utf-8")
        title = page.partition("\n")[0].removeprefix("# Coming from ")
        corrected, missing = (
            page.partition(f"\n## {head}\n")[2].partition("\n## ")[0].strip()
            for head in ("What was corrected", "What is not here")
        )
        named = re.findall(r"^- \*\*(.+?)\.?\*\*", corrected, re.MULTILINE)
        rows = [entry["theirs"] for entry in read_data(source)["rows"]]
        added = sum(row.startswith("not there") for row in rows)
        lines.append(
            [
                f"[{title}]({source}.md)",
                str(len(rows) - added),
                str(added),
                f"{len(named)}: {'; '.join(named)}",
                " ".join(missing.split()),
            ]
        )
    return INTRODUCTION + _table(heads, lines)


INTRODUCTION = """# The five sources in one table

Each row of the pages below is a statement, a function or a setting of a source document, with the
command or the line of Python that does it here. The tests run every row as it is printed, in an
empty folder. Differences are deliberate, and each is explained on its page.

`make proofs` runs the schemes of the sources with the settings of their documents, 20 seeds each,
and prints the results next to the figures of the documents.

"""


def main() -> None:
    """Write all tables into their pages."""
    for source in SOURCES:
        text = page_of(source)
        (FOLDER / f"{source}.md").write_text(text, encoding="utf-8")
    (FOLDER / "README.md").write_text(summary(), encoding="utf-8")


if __name__ == "__main__":
    main()
