"""`LiveRun`: a job that this server carries out in a thread. It can be watched, paused, slowed down
and stopped.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from contextlib import closing
from typing import Any

import numpy as np

from levolve.core.errors import LevolveError
from levolve.core.events import Event
from levolve.core.safe_text import printable
from levolve.core.stopping import belong_to
from levolve.jobs.archives.archive import Archive
from levolve.jobs.archives.illuminate import Illumination
from levolve.jobs.checkpoints import JobRunner
from levolve.jobs.job import Figures
from levolve.jobs.runs.history import Curve
from levolve.jobs.runs.run import Run
from levolve.jobs.runs.solver_job import SolverJob
from levolve.jobs.store.records import DONE, FAILED, RUNNING, STOPPED
from levolve.puzzles.progress import SolverProgress
from levolve.search.loop import GenerationScored
from levolve.studio.feed import Feed, Point, StreamPace
from levolve.studio.views import attempt_of, shown_ancestry, shown_archive, shown_level, shown_rows

PAUSED = "paused"
# The parts of the news, beside the state: what costs more is sent only to those who want it, and
# more rarely.
LEVEL, ATTEMPT, WALL, ANCESTRY, ARCHIVE = "level", "attempt", "wall", "ancestry", "archive"
LARGE_SECONDS = 0.4
LARGE_STEPS = 5
MOST_WALL = 24
# The curve of a run has at most this many points.
MOST_POINTS = 3000
# The news contain at most this many of the points since the last news.
MOST_NEW_POINTS = 50
SAMPLED = 32
LONGEST_DELAY = 5.0


class LiveRun:
    """A job in a thread.

    Parameters
    ----------
    runner
        Carries out the job and stores it; it must have a number.
    ended
        Called in the thread when the job has ended or was stopped.
    pace
        How often watchers receive news; shared by all jobs of a server.
    """

    def __init__(self, runner: JobRunner, ended: Callable[[], None], pace: StreamPace) -> None:
        """Prepare; `start` begins."""
        if runner.run is None:
            raise LevolveError("live run: expected a stored job; call begin() of its runner first")
        self.id = runner.run
        self.status = RUNNING
        self.problem: str | None = None
        self.delay = 0.0
        self.feed = Feed(pace.measure)
        self._pace = pace
        self._new_points: list[Point] = []
        self._curve: Curve[Point] = Curve(MOST_POINTS)
        self.message: dict[str, Any] = {"id": self.id, "status": RUNNING}
        self.level: dict[str, Any] | None = None
        self.attempt: dict[str, Any] | None = None
        self.ancestry: list[dict[str, Any]] | None = None
        self.archive: Archive | None = None
        self._runner = runner
        self._ended = ended
        self._go = threading.Event()
        self._go.set()
        self._stop = False
        self._halt = threading.Event()
        self._unsaved: list[threading.Event] = []
        self._over = False
        self._began = time.perf_counter()
        self._published = 0.0
        self._large_published = 0.0
        self._improved = self._line_changed = True
        self._last: Figures | None = None
        self._first_evaluations = 0
        runner.interrupted = lambda: self._stop
        self._thread = threading.Thread(
            target=self._work, name=f"levolve run {self.id}", daemon=True
        )

    # Control, from any thread

    def start(self) -> None:
        """Begin to carry out the job."""
        self._thread.start()

    def pause(self) -> None:
        """Wait after the generation that is being evaluated."""
        if self.status == RUNNING:
            self._go.clear()

    def resume(self) -> None:
        """Go on after a pause."""
        self._go.set()

    def stop(self) -> None:
        """Store the job and end the thread after the generation that is being evaluated."""
        self._stop = True
        self._go.set()

    def halt(self) -> None:
        """End also within the generation that is being evaluated; the last checkpoint counts."""
        self._halt.set()

    def checkpoint(self, seconds: float) -> None:
        """Store the job after the generation that is being evaluated, and wait for it; at most for
        some seconds.
        """
        saved = threading.Event()
        self._unsaved.append(saved)
        if not self._over and self.status == RUNNING:
            saved.wait(seconds)

    def join(self, seconds: float) -> None:
        """Wait until the thread has ended."""
        self._thread.join(seconds)

    @property
    def is_over(self) -> bool:
        """Whether the job has ended or was stopped, and the last message about it is complete."""
        return self._over

    def since(self, generation: int) -> list[Point]:
        """Return the points of the curve after a generation: generation, best, mean, diversity."""
        return [point for point in self._curve.points if point[0] > generation]

    # The thread

    def _work(self) -> None:
        belong_to(self._halt)
        try:
            with closing(self._runner.events()) as events:
                for event in events:
                    self._note(event)
                    self._wait()
            self._finish(DONE)
        except (KeyboardInterrupt, CancelledError):
            self._finish(STOPPED)
        except MemoryError:
            self._finish(FAILED, "not enough memory; choose a smaller size or population")
        except LevolveError as problem:
            self._finish(FAILED, str(problem))
        except Exception as problem:
            self._finish(FAILED, printable(f"unexpected error: {problem}"))
            raise
        finally:
            self._ended()

    def _finish(self, status: str, problem: str | None = None) -> None:
        self.status, self.problem = status, problem
        try:
            self._publish()
        finally:
            self._over = True

    def _wait(self) -> None:
        """Store the job if that was asked for; wait for as long as the run is paused, and for its
        delay.
        """
        if self._unsaved:
            self._runner.checkpoint()
            while self._unsaved:
                self._unsaved.pop().set()
        if not self._go.is_set() and not self._stop:
            self.status = PAUSED
            self._publish()
            self._runner.checkpoint()
            self._go.wait()
            self.status = RUNNING
            self._publish()
        if self.delay and not self._stop:
            time.sleep(min(self.delay, LONGEST_DELAY))

    def _note(self, event: Event) -> None:
        due = time.perf_counter() - self._published >= self._pace.seconds or self.delay > 0
        figures = self._runner.job.figures(event)
        if figures is not None:
            if self._last is None:
                self._first_evaluations, self._began = figures.evaluations, time.perf_counter()
            self._last = figures
            self._improved |= not isinstance(event, GenerationScored) or event.improved
            diversity = (
                event.diversity
                if isinstance(event, SolverProgress)
                else self._diversity()
                if due
                else None
            )
            point = (figures.step, figures.best, figures.mean, diversity)
            self._curve.add(figures.step, point)
            self._new_points.append(point)
        if due:
            self._publish()

    def _publish(self) -> None:
        """Describe the job as it is now, and wake the watchers."""
        now = time.perf_counter()
        ended = self.status in {DONE, STOPPED, FAILED}
        job, last = self._runner.job, self._last
        message = {
            "id": self.id,
            "status": self.status,
            "problem": self.problem,
            "progress": job.progress,
            "score": job.score,
            "headline": job.headline,
            "delay": self.delay,
        }
        if last is not None:
            spent = now - self._began
            rate = (last.evaluations - self._first_evaluations) / spent if spent > 0 else None
            progress = job.progress
            left = None if not progress or not spent else spent * (1 - progress) / progress
            message |= {
                "generation": last.step,
                "mean": last.mean,
                "evaluations": last.evaluations,
                "rate": rate,
                "left": left,
            }
        parts: dict[str, object] = {}
        if self._improved or ended:
            parts |= self._describe_best()
            self._improved, self._line_changed = False, True
        period = max(LARGE_SECONDS, LARGE_STEPS * self._pace.seconds)
        if now - self._large_published >= period or ended or self.status == PAUSED:
            parts |= self._describe_population(everything=ended)
            self._large_published = now
        self.message = message
        self._published = now
        self._over = ended
        step = max(-(-len(self._new_points) // MOST_NEW_POINTS), 1)
        # The newest point is one of them.
        self.feed.publish(message, self._new_points[::-step][::-1], parts, is_last=ended)
        self._new_points = []

    def _describe_best(self) -> dict[str, object]:
        """Return the best level, or the best attempt at a puzzle, if it is another one than
        before.
        """
        job = self._runner.job
        if isinstance(job, SolverJob):
            attempt = attempt_of(job, self.attempt)
            changed, self.attempt = attempt != self.attempt, attempt
            return {ATTEMPT: attempt} if changed else {}
        run = level_run(job)
        if run is None or run.score is None:
            return {}
        # Also one that cannot be won yet.
        best = shown_level(run.best_so_far)
        if best == self.level:
            return {}
        self.level = best
        return {LEVEL: best}

    def _describe_population(self, *, everything: bool) -> dict[str, object]:
        """Return the best levels of the population and the ancestors of the best one, if anybody
        wants them.
        """
        parts: dict[str, object] = {}
        job = self._runner.job
        run = level_run(job)
        if run is None or run.score is None:
            return parts
        if everything or self.feed.wanted[WALL]:
            parts[WALL] = {"levels": self._thumbnails(run)}
        if run.has_ancestry and self._line_changed and (everything or self.feed.wanted[ANCESTRY]):
            self.ancestry, self._line_changed = shown_ancestry(run), False
            parts[ANCESTRY] = {"ancestors": self.ancestry}
        if isinstance(job, Illumination) and (everything or self.feed.wanted[ARCHIVE]):
            # A copy, which requests of the page may read while the run goes on.
            self.archive = job.result
            parts[ARCHIVE] = shown_archive(self.archive)
        return parts

    @staticmethod
    def _thumbnails(job: Run) -> list[dict[str, Any]]:
        """Return the best levels of the population, each as rows with its score."""
        order = np.argsort(-job.scores, kind="stable")[:MOST_WALL]
        batch = job.problem.batch(job.population[order])
        return [
            {
                "rows": shown_rows(tiles, batch.tileset),
                "tileset": batch.tileset.name,
                "score": float(job.scores[index]),
            }
            for tiles, index in zip(batch.tiles, order, strict=True)
        ]

    def _diversity(self) -> float | None:
        """Return the mean share of cells in which two levels of the population differ, from a
        sample; of an illumination its coverage.
        """
        job = self._runner.job
        if isinstance(job, Illumination):
            return job.search.coverage
        if not isinstance(job, Run) or len(job.population) < 2:  # a pair
            return None
        sample = job.problem.batch(
            job.population[:: max(len(job.population) // SAMPLED, 1)][:SAMPLED]
        ).tiles
        return float(np.mean(sample[1:] != sample[:-1]))


def level_run(job: object) -> Run | None:
    """Return the run of levels that a job consists of; None for other jobs."""
    return job if isinstance(job, Run) else job.run if isinstance(job, Illumination) else None
