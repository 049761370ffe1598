"""`make fuzz`: read altered files in child processes with limits of memory and time. Only
`LevolveError` may be raised.

An input that raises anything else, takes more than two seconds of processor time or more than 512
MB is saved in `tests/fuzz/found`.
"""

import argparse
import hashlib
import mmap
import os
import resource
import struct
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fuzz.fuzz_readers import Reader

FOUND = Path(__file__).parent / "found"
MEMORY = 512 << 20
SECONDS = 2.0
# A child that reads one input for longer is ended: in seconds of its processor time, because other
# processes may keep it waiting, and in seconds of the clock, in which it may only sleep.
PATIENCE, CLOCK_PATIENCE = 60.0, 1800.0
LONGEST_MESSAGE = 1500
ROOM = 1 << 24
_HEAD = struct.Struct("<QQd")


@dataclass
class Result:
    """What a reader did with its inputs."""

    inputs: int = 0
    refused: int = 0
    slowest: float = 0.0


def say(line: str) -> None:
    """Print a line at once: a child may end at any moment."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def limit_memory(more: int = MEMORY) -> None:
    """Let this process take so many bytes of address space more than it has."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    limit = pages * resource.getpagesize() + more
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def try_input(read: Callable[[bytes], object], content: bytes) -> tuple[bool, str, float]:
    """Read one input: whether it was refused, what is wrong with that, and the processor time."""
    from levolve.core.errors import LevolveError

    began = time.process_time()
    refused, fault = False, ""
    try:
        read(content)
    except LevolveError as problem:
        refused = True
        if len(str(problem)) > LONGEST_MESSAGE:
            fault = f"a message of {len(str(problem))} characters"
    except BaseException as problem:  # noqa: BLE001 anything else is what is looked for
        place = traceback.extract_tb(problem.__traceback__)[-1]
        fault = (
            f"{type(problem).__name__}: {str(problem)[:120]} "
            f"({Path(place.filename).name}:{place.lineno})"
        )
    seconds = time.process_time() - began
    if seconds > SECONDS:
        fault = fault or f"{seconds:.1f} seconds"
    return refused, fault, seconds


def save(name: str, content: bytes) -> Path:
    """Keep an input as a reproducer."""
    FOUND.mkdir(exist_ok=True)
    path = FOUND / f"{name}-{hashlib.sha256(content).hexdigest()[:12]}"
    path.write_bytes(content)
    return path


def _child(name: str, reader: "Reader", count: int, seed: int, shared: mmap.mmap) -> None:
    """Read altered inputs. Each is written to shared memory first, so that the parent has it if
    this process dies.
    """
    from fuzz.fuzz_mutations import FORMS

    limit_memory()
    random = Random(seed)
    change = FORMS[reader.form]
    result = Result()
    seen: set[str] = set()
    for number in range(count):
        content = change(random.choice(reader.samples), random)[: ROOM - _HEAD.size]
        shared[: _HEAD.size] = _HEAD.pack(number, len(content), time.monotonic())
        shared[_HEAD.size : _HEAD.size + len(content)] = content
        refused, fault, seconds = try_input(reader.read, content)
        result.inputs += 1
        result.refused += refused
        result.slowest = max(result.slowest, seconds)
        if fault and fault[:60] not in seen and len(seen) < 20:
            seen.add(fault[:60])
            say(f"  {name}: {fault}: {save(name, content)}")
    share = result.refused / max(1, result.inputs)
    say(
        f"{name:<12} {result.inputs:>9,} inputs, {share:6.1%} refused, slowest "
        f"{result.slowest:.2f} s, {len(seen)} faults"
    )
    os._exit(1 if seen else 0)


def processor_time(process: int) -> float:
    """Return the seconds of processor time that another process has used."""
    numbers = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")


def run_reader(name: str, reader: "Reader", count: int, seed: int) -> bool:
    """Fuzz one reader in a child process; whether all went well."""
    shared = mmap.mmap(-1, ROOM)
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        try:
            _child(name, reader, count, seed, shared)
        except BaseException:  # noqa: BLE001 printed, and the child ends
            traceback.print_exc()
        os._exit(2)
    used, last = 0.0, -1
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        number, length, began = _HEAD.unpack(shared[: _HEAD.size])
        if done:
            break
        if number != last:
            used, last = processor_time(child), number
        slept = began and time.monotonic() - began > CLOCK_PATIENCE
        if slept or processor_time(child) - used > PATIENCE:
            os.kill(child, 9)
            os.waitpid(child, 0)
            status = -1
            break
        time.sleep(0.05)
    if status in {0, 1 << 8}:
        return status == 0
    path = save(name, bytes(shared[_HEAD.size : _HEAD.size + length]))
    say(
        f"  {name}: the process {'hung' if status == -1 else f'ended with status {status}'} "
        f"at input {number}: {path}"
    )
    return False


def main() -> int:
    """Fuzz the readers named on the command line, or all."""
    parser = argparse.ArgumentParser()
    parser.add_argument("readers", nargs="*")
    parser.add_argument("--inputs", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from fuzz.fuzz_readers import readers

    warnings.simplefilter("ignore")
    found = readers()
    names = options.readers or list(found)
    for name in names:
        for sample in found[name].samples:
            found[name].read(
                sample
            )  # loads kernels once, for all child processes, and before their memory is limited
    failed = [
        name for name in names if not run_reader(name, found[name], options.inputs, options.seed)
    ]
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
