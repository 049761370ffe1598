"""`check_pack`: verify the folder of a pack against its manifest, and replay the proof of every
level. `check_path` checks a file or a folder.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from levolve.core.errors import InputError, LevolveError, ProofError
from levolve.formats import FORMATS
from levolve.formats.level_files import PART
from levolve.jobs.packs.manifest import (
    MANIFEST,
    PARTS,
    Manifest,
    PackLoader,
    decode_manifest,
    digest_of,
    read_regular,
)
from levolve.jobs.packs.replace_folder import opened_pack
from levolve.puzzles.check_file import CheckResult, check_levels, failure

# The name of a level in a pack: its number, and its recipe.
_LEVEL = re.compile(r"\d{2,}-.+")
MISSING, ALTERED, ADDITIONAL = "missing", "altered", "not in the manifest"
NAMED = 3


@dataclass(frozen=True)
class PackCheck:
    """The result of checking a pack: the number of its files and levels, how many levels are
    proven, and what is wrong, by the name of the file.
    """

    file: str
    files: int
    levels: int
    proven: int
    problems: Mapping[str, str]

    @property
    def winnable(self) -> bool:
        """Whether the folder holds exactly what its manifest lists, and every level is proven."""
        return not self.problems

    @property
    def summary(self) -> str:
        """One line: all is well, or how much is not."""
        counts = (
            f"{self.files} files as listed in {MANIFEST}, {self.proven} of {self.levels} proofs "
            "replayed"
        )
        wrong = (
            "1 file is wrong"
            if len(self.problems) == 1
            else f"{len(self.problems)} files are wrong"
        )
        return f"a whole pack, {counts}" if self.winnable else f"not a whole pack, {wrong}"

    @property
    def why(self) -> str | None:
        """The first things that are wrong, in one sentence."""
        named = [f"{name}: {what}" for name, what in self.problems.items()]
        return (
            ", ".join(
                [
                    *named[:NAMED],
                    *([f"and {len(named) - NAMED} more"] if len(named) > NAMED else []),
                ]
            )
            or None
        )

    @property
    def lines(self) -> Mapping[str, str]:
        """Everything that is wrong, a label and a text each."""
        listed = {
            kind: [name for name, what in self.problems.items() if what == kind]
            for kind in (MISSING, ALTERED, ADDITIONAL)
        }
        listed["wrong"] = [
            f"{name}: {what}" for name, what in self.problems.items() if what not in listed
        ]
        return {label: ", ".join(names) for label, names in listed.items() if names}

    def to_data(self) -> dict[str, Any]:
        """Return the result as JSON-compatible data."""
        counts = {"files": self.files, "levels": self.levels, "proven_levels": self.proven}
        return {
            "file": self.file,
            "proven": self.winnable,
            **counts,
            "problems": dict(self.problems),
        }


def check_path(path: str | Path) -> Sequence[CheckResult | PackCheck]:
    """Check a file, or the folder of a pack. A file that contains several levels gives a result for
    each.

    What cannot be read, or whose proof is wrong, is a result too: `why` is the reason.
    """
    try:
        return [check_pack(path)] if Path(path).is_dir() else check_levels(path)
    except LevolveError as problem:
        return [failure(path, problem)]


def check_pack(folder: str | Path) -> PackCheck:
    """Verify the folder of a pack: no file is missing, altered or added, and the solution of every
    level holds.

    Raises `InputError` for a folder without a manifest that levolve wrote. A replacement of the
    pack that was interrupted is finished first.
    """
    folder = Path(folder)
    with opened_pack(folder) as (manifest, paths):
        if manifest is None:
            raise InputError(why_no_pack(folder))
        found = {name: digest_of(paths[name]) for name in manifest.files}
        problems = {
            name: MISSING if found[name] is None else ALTERED
            for name, digest in manifest.files.items()
            if found[name] != digest
        }
        problems |= dict.fromkeys(_additional(folder, manifest), ADDITIONAL)
        proven = 0
        loader = PackLoader()
        for level in manifest.levels:
            wrong = _check_level(
                level,
                {name: paths[name] for name in level["files"] if name not in problems},
                loader,
            )
            problems |= wrong
            proven += not wrong
    return PackCheck(str(folder), len(found), len(manifest.levels), proven, problems)


def why_no_pack(folder: Path) -> str:
    """Return a sentence that says why a folder has no manifest."""
    content = read_regular(folder / MANIFEST)
    try:
        if content is not None:
            decode_manifest(content)
    except InputError as problem:
        return f"{folder}: {MANIFEST}: {problem}"
    return (
        f"{folder}: expected a level file or the folder of a pack, got a folder without a "
        f"{MANIFEST}"
    )


def _additional(folder: Path, manifest: Manifest) -> list[str]:
    """Return the names of files that look like levels of the pack, but that it does not have."""
    listed = {level["name"] for level in manifest.levels}
    names = sorted(
        path.name
        for path in folder.iterdir()
        if path.name not in manifest.files and _LEVEL.fullmatch(path.name)
    )
    return [
        name
        for name in names
        if name.partition(".")[0] in listed
        or name.lower().endswith(tuple(f".{suffix}" for suffix in FORMATS))
    ]


def _check_level(
    level: Mapping[str, Any], paths: Mapping[str, Path], loader: PackLoader
) -> dict[str, str]:
    """Replay the proof in each of a level's files that has one; return what is wrong, by name."""
    problems, proven = {}, False
    for file, path in paths.items():
        part = level.get(PARTS, {}).get(file)
        name = file if part is None else f"{file}{PART}{part}"
        try:
            found = loader.load(path, part)
        except (InputError, ProofError) as problem:
            # Without a part, it is a picture or a file beside a level if it cannot be read: there
            # is no level in it.
            if part is not None or isinstance(problem, ProofError):
                problems[name] = str(problem).removeprefix(f"{path}{name.removeprefix(file)}: ")
            continue
        if found.digest != level.get("digest"):
            problems[name] = f"another level than the one that {MANIFEST} describes"
        proven = proven or found.solution is not None
    if not proven and not problems:
        problems[level["name"]] = "no file that can be read has a proof of it"
    return problems
