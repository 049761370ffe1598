"""A pack's folder: written so that its manifest and page are never beside levels of another pack."""

import json
from collections.abc import Mapping
from pathlib import Path

from levolve.formats.files import check_writable, write_file

MANIFEST, PAGE, SHEET = "pack.json", "index.html", "sheet.png"
FORMAT = "levolve pack"


def write_folder(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Write a pack's files, and give the page's path. A pack that was there before goes: what its manifest names, and nothing else."""
    for name in files:
        check_writable(folder / name)
    for name in _files_of_a_pack(folder):
        (folder / name).unlink(missing_ok=True)
    last = (MANIFEST, PAGE)
    for name in [*(name for name in files if name not in last), *last]:
        write_file(folder / name, files[name])
    return folder / PAGE


def _files_of_a_pack(folder: Path) -> list[str]:
    """The files of the pack that a folder holds; none where it holds no pack."""
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
        if manifest["format"] != FORMAT:
            return []
        named = [name for level in manifest["levels"] for name in level["files"]]
    except (OSError, ValueError, LookupError, TypeError):
        return []
    return [name for name in (MANIFEST, PAGE, SHEET, *named) if isinstance(name, str) and Path(name).name == name and (folder / name).is_file()]
