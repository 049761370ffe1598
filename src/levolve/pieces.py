"""Long calls of kernels in pieces of about a tenth of a second, so that an interrupt is answered at once."""

import time
from collections.abc import Callable

from levolve.stopping import check_stop

SECONDS_PER_PIECE = 0.1


def run_in_pieces(run: Callable[[int], bool], first: int) -> None:
    """Call `run(amount)` until it returns False. The amount of work of the first call is `first`, then as much as takes about a tenth of a second.

    Between two calls Python answers signals, and work on a thread whose pool is shutting down ends with `CancelledError`.
    """
    amount = max(first, 1)
    while True:
        check_stop()
        began = time.perf_counter()
        if not run(amount):
            return
        share = SECONDS_PER_PIECE / max(time.perf_counter() - began, 1e-9)
        # At most twice as much as before: the speed may vary.
        amount = max(int(amount * min(share, 2.0)), 1)
