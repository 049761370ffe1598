"""Runs that are logged for TensorBoard, also after they were resumed."""

import re
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from levolve.cli.jobs import Options, Presenter

if TYPE_CHECKING:
    from levolve.events import Watch
    from levolve.runs.content_run import ContentRun
    from levolve.runs.run import Run


class LoggingPresenter(Presenter):
    """Shows a run, and logs it for TensorBoard if the options name a folder."""

    def logging(self, job: "Run | ContentRun", options: Options) -> "AbstractContextManager[Watch | None]":
        """Open the log of the run; that of a resumed run is continued."""
        folder = options.get("tensorboard")
        if folder is None:
            return nullcontext()
        from levolve.bridges.tensorboard import TensorBoardLog

        plain = re.sub(r"[^\w.-]+", "-", job.name)
        return TensorBoardLog(folder, f"{plain}-{job.seed}")
