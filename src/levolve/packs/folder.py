"""The folder of a pack. Its manifest and page are never mixed with the levels of another pack."""

import json
from collections.abc import Mapping
from pathlib import Path

from levolve.errors import OutputError
from levolve.formats.files import check_writable, write_file

MANIFEST, PAGE, SHEET = "pack.json", "index.html", "sheet.png"
FORMAT = "levolve pack"


def check_folder(folder: Path) -> None:
    """Raise an error, before any work, for a folder that cannot be written to."""
    if folder.exists() and not folder.is_dir():
        message = f"output {folder}: expected a folder, got a file; choose another path"
        raise OutputError(message)
    for name in (MANIFEST, PAGE, SHEET):
        check_writable(folder / name)


def write_folder(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Write a pack's files, and return the page's path. Of an older pack, only the files that its manifest lists are removed."""
    for name in files:
        check_writable(folder / name)
    for name in _files_of_a_pack(folder):
        (folder / name).unlink(missing_ok=True)
    last = (MANIFEST, PAGE)
    for name in [*(name for name in files if name not in last), *last]:
        write_file(folder / name, files[name])
    return folder / PAGE


def _files_of_a_pack(folder: Path) -> list[str]:
    """Return the files of the pack in a folder; empty if there is no pack."""
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
        if manifest["format"] != FORMAT:
            return []
        named = [name for level in manifest["levels"] for name in level["files"]]
    except (OSError, ValueError, LookupError, TypeError):
        return []
    return [name for name in (MANIFEST, PAGE, SHEET, *named) if isinstance(name, str) and Path(name).name == name and (folder / name).is_file()]
