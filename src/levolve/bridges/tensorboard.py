"""TensorBoard: the scores of a run as a log that TensorBoard shows while the run goes on. Requires
tensorboard.

>>> import levolve, tempfile
>>> from levolve.bridges.tensorboard import TensorBoardLog
>>> with tempfile.TemporaryDirectory() as folder, TensorBoardLog(folder) as log:
...     run = levolve.evolve("maze", size=(8, 8), seed=1, generations=3, watch=log)
"""

from __future__ import annotations

import math
import time
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from levolve.core.errors import InputError, LevolveError
from levolve.formats.writing import check_writable
from levolve.search.loop import GenerationScored

if TYPE_CHECKING:
    from levolve.core.events import Event


class TensorBoardLog:
    """A callback for events: writes the figures of every generation into a folder, in the file
    format of TensorBoard.

    A log in the folder of an earlier one continues it: TensorBoard drops the generations from the
    first new one on, which a resumed run repeats.

    Parameters
    ----------
    folder
        Where the log is written; it is created if it does not exist. `tensorboard --logdir FOLDER`
        shows it, with those of other runs in it.
    name
        The name of the run in TensorBoard: a folder in the folder. By default there is none.
    """

    def __init__(self, folder: str | Path, name: str = "") -> None:
        """Create the folder and the log."""
        try:
            from tensorboard.compat.proto import event_pb2, summary_pb2
            from tensorboard.summary.writer.event_file_writer import EventFileWriter
        except ModuleNotFoundError as problem:
            raise LevolveError(
                "tensorboard: requires tensorboard, which is not installed; run: pip install "
                "tensorboard"
            ) from problem
        self.folder = Path(folder) / name
        if self.folder.exists() and not self.folder.is_dir():
            raise InputError(f"tensorboard: expected a folder, got the file {self.folder}")
        check_writable(self.folder / "events")
        self._event, self._summary, self._session = (
            event_pb2.Event,
            summary_pb2.Summary,
            event_pb2.SessionLog,
        )
        self._is_new = True
        self._writer: Any = EventFileWriter(str(self.folder))

    def __call__(self, event: Event) -> None:
        """Write the figures of a generation; other events are ignored."""
        if not isinstance(event, GenerationScored):
            return
        if self._is_new:
            beginning = self._session(status=self._session.START)
            self._writer.add_event(
                self._event(wall_time=time.time(), step=event.generation, session_log=beginning)
            )
            self._is_new = False
        figures = {
            "score/best": event.best,
            "score/mean": event.mean,
            "search/evaluations": float(event.evaluations),
        }
        figures |= {
            f"strategy/{name}": float(value)
            for name, value in getattr(event, "figures", {}).items()
        }
        values = [
            self._summary.Value(tag=tag, simple_value=value)
            for tag, value in figures.items()
            if math.isfinite(value)
        ]
        self._writer.add_event(
            self._event(
                wall_time=time.time(), step=event.generation, summary=self._summary(value=values)
            )
        )

    def close(self) -> None:
        """Write what is left, and close the file."""
        self._writer.close()

    def __enter__(self) -> Self:
        """Return the log."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the log."""
        self.close()
