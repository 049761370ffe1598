"""Settings of the process that make commands start and end sooner."""

import gc
import os
from typing import Literal

# Modules, with their functions and classes, are about 170,000 objects, and none of them becomes
# garbage.
OBJECTS_OF_MODULES = 250_000


def start_quickly() -> None:
    """Shorten the import of modules. Call this before NumPy is imported."""
    # Threads of NumPy's matrix library wait for work in a loop, 2**26 steps by default, which takes
    # the processor from what follows.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
    # The plug-ins of pydantic, of which levolve uses none, are searched for in the metadata of all
    # installed packages.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    _collect_later()


def _collect_later() -> None:
    """Let the search for garbage, a tenth of the time of a start, begin after as many objects as
    modules have.
    """
    usual = gc.get_threshold()

    def restore(phase: Literal["start", "stop"], _counts: dict[str, int]) -> None:
        if phase == "stop":
            gc.callbacks.remove(restore)
            gc.set_threshold(*usual)
            # Later searches leave the modules out.
            gc.freeze()

    gc.callbacks.append(restore)
    gc.set_threshold(OBJECTS_OF_MODULES, *usual[1:])


def end_quickly() -> None:
    """Let Python end without a last search for garbage, which is as long as a tenth of a short
    command: the system takes all memory back.
    """
    gc.freeze()
