"""`Window`: shows pictures on the screen with pygame, as Gymnasium's own environments do."""

from importlib import import_module
from typing import Any

import numpy as np
from gymnasium.error import DependencyNotInstalled
from numpy.typing import NDArray


class Window:
    """A window that is opened by the first picture. A later picture of another size changes the window's size."""

    def __init__(self, title: str, frames_per_second: int) -> None:
        """Import pygame; raise `DependencyNotInstalled` where it is missing."""
        try:
            self._pygame: Any = import_module("pygame")
        except ImportError as problem:
            message = "render_mode 'human': requires pygame, which is not installed; run: pip install pygame"
            raise DependencyNotInstalled(message) from problem
        self._title, self._rate = title, frames_per_second
        self._screen: Any = None
        self._clock: Any = None

    def show(self, pixels: NDArray[np.uint8]) -> None:
        """Show a `(height, width, 3)` picture, and wait until the next one is due."""
        pygame = self._pygame
        size = (pixels.shape[1], pixels.shape[0])
        if self._screen is None or self._screen.get_size() != size:
            pygame.display.init()
            self._screen = pygame.display.set_mode(size)
            pygame.display.set_caption(self._title)
            self._clock = self._clock or pygame.time.Clock()
        self._screen.blit(pygame.surfarray.make_surface(pixels.transpose(1, 0, 2)), (0, 0))
        pygame.event.pump()
        pygame.display.flip()
        self._clock.tick(self._rate)

    def close(self) -> None:
        """Close the window; closing again does nothing."""
        if self._screen is not None:
            self._pygame.display.quit()
            self._screen = None
