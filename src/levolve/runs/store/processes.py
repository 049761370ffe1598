"""Which process carries out a job, and whether it is still alive."""

import os
import platform
import time
from dataclasses import dataclass
from pathlib import Path

# A process on another machine, or on Windows, cannot be looked at: it counts as alive for this time after its last checkpoint.
SILENT_SECONDS = 600


@dataclass(frozen=True)
class Process:
    """A process: its number, its machine, and when it began, because numbers are used again."""

    pid: int
    host: str
    began: str

    @classmethod
    def this(cls) -> "Process":
        """Return the process that runs this code."""
        return cls(os.getpid(), platform.node(), _began(os.getpid()))

    def is_alive(self, updated: float) -> bool:
        """Whether the process exists; `updated` is the time of its last checkpoint."""
        if self.host != platform.node() or os.name == "nt":
            return time.time() - updated < SILENT_SECONDS
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except OSError:
            pass  # it exists, but belongs to another user
        return _began(self.pid) == self.began

    def __str__(self) -> str:
        """Return the number, and the machine if it is another one."""
        return f"process {self.pid}" + ("" if self.host == platform.node() else f" on {self.host}")


def _began(pid: int) -> str:
    """Return when a process began, as the system counts it; empty where the system does not say. A process that has ended has no such time."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return ""
    # A process that has ended, but whose parent has not asked for its exit code yet, is no longer alive.
    return "ended" if fields[0] in {"Z", "X"} else fields[19]
