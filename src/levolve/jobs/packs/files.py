"""`save_pack` and `load_pack`: a pack to and from its folder."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from levolve.core.errors import InputError
from levolve.formats.look import Look
from levolve.jobs.packs.check_pack import why_no_pack
from levolve.jobs.packs.manifest import MANIFEST, PARTS, Manifest, PackLoader, digest_of
from levolve.jobs.packs.members import Item
from levolve.jobs.packs.pack import Pack
from levolve.jobs.packs.replace_folder import opened_pack, write_folder
from levolve.jobs.packs.section import PackSection


def save_pack(pack: Pack, folder: Path, look: Look | None = None) -> None:
    """Write a pack to its folder, as `Pack.save` does."""
    write_folder(folder, pack.files(folder=folder, look=look))


def load_pack(folder: str | Path) -> Pack:
    """Read a pack from its folder: its levels and puzzles with their solutions, and its parts.

    A replacement of the pack that was interrupted is finished first. Raises `InputError` for a
    folder without a manifest that levolve wrote, for files that are missing or were changed, and
    for manifests of earlier versions, which do not list the results of each order.
    """
    folder = Path(folder)
    if folder.name == MANIFEST and folder.is_file():
        folder = folder.parent
    if not folder.is_dir():
        raise InputError(
            f"{folder}: expected the folder of a pack, got "
            f"{'a file' if folder.exists() else 'nothing'}"
        )
    with opened_pack(folder) as (manifest, paths):
        if manifest is None:
            raise InputError(why_no_pack(folder))
        parts = _parts(folder, manifest)
        loader = PackLoader()
        items = [_item(folder, manifest, entry, paths, loader) for entry in manifest.levels]
    homes = tuple(
        entry["order"] for entry in manifest.levels if entry.get("order") in range(len(parts))
    )
    if len(homes) < len(items):
        raise InputError(
            f"{folder}: {MANIFEST}: expected the number of an order for every level, from 0 to "
            f"{len(parts) - 1}"
        )
    return Pack(str(manifest.data.get("name", "")), tuple(items), parts, homes=homes)


def _parts(folder: Path, manifest: Manifest) -> tuple[PackSection, ...]:
    """Return the parts that a manifest lists."""
    orders, results = manifest.data.get("orders"), manifest.data.get("results")
    if results is None:
        version = manifest.data.get("version")
        raise InputError(
            f"{folder}: expected a {MANIFEST} that lists the results of each order, got one of "
            f"levolve {version}; build the pack again to read it"
        )
    if not (isinstance(orders, list) and isinstance(results, list) and len(orders) == len(results)):
        raise InputError(
            f"{folder}: {MANIFEST}: expected a list of orders and one of results of the same length"
        )
    try:
        return tuple(
            PackSection.from_data(order, data) for order, data in zip(orders, results, strict=True)
        )
    except InputError as problem:
        raise InputError(f"{folder}: {MANIFEST}: {problem}") from problem


def _item(
    folder: Path,
    manifest: Manifest,
    entry: Mapping[str, Any],
    paths: Mapping[str, Path],
    loader: PackLoader,
) -> Item:
    """Return the level or puzzle of an entry, from the first of its files that holds it with its
    solution.
    """
    for name in entry["files"]:
        if digest_of(paths[name]) != manifest.files[name]:
            raise InputError(
                f"{folder / name}: expected the file that {MANIFEST} lists, got a missing or "
                f"changed one; see 'levolve check {folder}'"
            )
    for name in entry["files"]:
        try:
            found: Item = loader.load(paths[name], entry.get(PARTS, {}).get(name))
        except InputError:
            # A picture, or a file beside a level.
            continue
        if found.digest == entry.get("digest") and found.solution is not None:
            return found
    raise InputError(
        f"{folder}: expected a file of {entry['name']} that can be read and holds its solution, "
        f"got {', '.join(entry['files']) or 'none'}"
    )
