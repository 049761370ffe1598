"""Walk through a level in pygame: `python pygame_player.py level.tmx`. Needs pygame-ce and pytmx.

The arrow keys move the player. Walls are the tiles of the layer `walls`; entrance and exit are
objects of the layer `places`.
"""

import sys

import pygame
import pytmx

STEPS = {
    pygame.K_LEFT: (-1, 0),
    pygame.K_RIGHT: (1, 0),
    pygame.K_UP: (0, -1),
    pygame.K_DOWN: (0, 1),
}


class Level:
    """A map: its picture, the cells of its walls, and its places."""

    def __init__(self, path: str) -> None:
        """Load a map; a window must be open, because pytmx converts its tiles to the window's
        colours.
        """
        self.map = pytmx.load_pygame(path)
        self.tile = self.map.tilewidth
        self.size = (self.map.width, self.map.height)
        self.walls = {
            (x, y) for x, y, gid in self.map.get_layer_by_name("walls").iter_data() if gid
        }
        # pytmx gives the upper left corner of an object.
        self.places = {
            entry.name: (int(entry.x) // self.tile, int(entry.y) // self.tile)
            for entry in self.map.get_layer_by_name("places")
        }

    def is_open(self, x: int, y: int) -> bool:
        """Whether the player may stand on a cell."""
        return 0 <= x < self.size[0] and 0 <= y < self.size[1] and (x, y) not in self.walls

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the tile layers and the marks of the places."""
        for layer in self.map.visible_layers:
            if isinstance(layer, pytmx.TiledTileLayer):
                for x, y, image in layer.tiles():
                    surface.blit(image, (x * self.tile, y * self.tile))
        for entry in self.map.get_layer_by_name("places"):
            surface.blit(entry.image, (entry.x, entry.y))


def play(path: str, keys: list[int] | None = None) -> bool:
    """Show a level until the exit is reached or the window is closed; return whether it was
    reached. Given keys replace the keyboard.
    """
    pygame.init()
    window = pygame.display.set_mode((320, 240))
    level = Level(path)
    window = pygame.display.set_mode((level.size[0] * level.tile, level.size[1] * level.tile))
    clock, position = pygame.time.Clock(), level.places["entrance"]
    waiting = None if keys is None else list(keys)
    while position != level.places["exit"]:
        pressed = [event.key for event in pygame.event.get() if event.type == pygame.KEYDOWN]
        if pygame.event.peek(pygame.QUIT) or waiting == []:
            break
        if waiting:
            pressed = [waiting.pop(0)]
        for key in pressed:
            step = STEPS.get(key, (0, 0))
            target = (position[0] + step[0], position[1] + step[1])
            position = target if level.is_open(*target) else position
        level.draw(window)
        centre = (int((position[0] + 0.5) * level.tile), int((position[1] + 0.5) * level.tile))
        pygame.draw.circle(window, "orange", centre, level.tile // 3)
        pygame.display.flip()
        if keys is None:
            clock.tick(30)
    won = position == level.places["exit"]
    pygame.quit()
    return won


if __name__ == "__main__":
    print("won" if play(sys.argv[1]) else "not won")
