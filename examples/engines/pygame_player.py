"""Play a level in pygame: `python pygame_player.py level.tmx`. Needs pygame-ce and pytmx.

The arrow keys move the player, X uses levers and stairs. Walls are the tiles of the layer `walls`;
entrance and exit are objects of the layer `places`, keys and doors objects of the layer `things`.
`rules.py` says what they do.
"""

import sys
from pathlib import Path

import pygame
import pytmx

sys.path.insert(0, str(Path(__file__).parent))
from rules import Game, Thing

STEPS = {
    pygame.K_LEFT: ("l", -1, 0),
    pygame.K_RIGHT: ("r", 1, 0),
    pygame.K_UP: ("u", 0, -1),
    pygame.K_DOWN: ("d", 0, 1),
}
BAR = 24


class Level:
    """A map: its picture and its game."""

    def __init__(self, path: str) -> None:
        """Load a map; a window must be open, because pytmx converts its tiles to the window's
        colours.
        """
        self.map = pytmx.load_pygame(path)
        self.tile = self.map.tilewidth
        size = (self.map.width, self.map.height)
        walls = {(x, y) for x, y, gid in self.map.get_layer_by_name("walls").iter_data() if gid}
        places = {entry.name: self.cell(entry) for entry in self.map.get_layer_by_name("places")}
        # A level without things has no such layer.
        self.objects = [
            entry for layer in self.map.layers if layer.name == "things" for entry in layer
        ]
        things = [
            Thing(entry.type, self.cell(entry), entry.id, entry.properties)
            for entry in self.objects
        ]
        self.game = Game(walls, size, places, things)
        sets = [each for each in self.map.tilesets if each.name.startswith("levolve-things")]
        self.signs = {
            each.name: pygame.image.load(Path(path).parent / each.source).convert_alpha()
            for each in sets
        }

    def cell(self, entry: pytmx.TiledObject) -> tuple[int, int]:
        """Return the cell of an object; pytmx gives its upper left corner."""
        return int(entry.x) // self.tile, int(entry.y) // self.tile

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the tile layers, the marks of the places, the things, the player and a bar."""
        for layer in self.map.visible_layers:
            if isinstance(layer, pytmx.TiledTileLayer):
                for x, y, image in layer.tiles():
                    surface.blit(image, (x * self.tile, y * self.tile))
        for entry in self.map.get_layer_by_name("places"):
            surface.blit(entry.image, (entry.x, entry.y))
        for thing, entry in zip(self.game.things, self.objects, strict=True):
            sign = self.game.sign(thing)
            if sign is not None:
                surface.blit(self.sign(entry, sign) if sign else entry.image, (entry.x, entry.y))
        x, y = self.game.position
        centre = (int((x + 0.5) * self.tile), int((y + 0.5) * self.tile))
        pygame.draw.circle(surface, "black", centre, self.tile // 3)
        pygame.draw.circle(surface, "orange", centre, self.tile // 3 - 1)
        bottom = self.map.height * self.tile
        surface.fill("black", (0, bottom, surface.get_width(), BAR))
        text = pygame.font.Font(None, 18).render(self.game.status(), True, "white")
        surface.blit(text, (4, bottom + 6))

    def sign(self, entry: pytmx.TiledObject, after: int) -> pygame.Surface:
        """Return a sign after that of an object, such as that of an open door."""
        found = next(iter(self.signs.values()))
        number, columns = entry.properties["id"] + after, found.get_width() // self.tile
        left, top = number % columns * self.tile, number // columns * self.tile
        return found.subsurface((left, top, self.tile, self.tile))


def play(path: str, keys: list[int] | None = None, picture: str | None = None) -> bool:
    """Show a level until the exit is reached or the window is closed; return whether it was
    reached. Given keys replace the keyboard; a picture of the last moment can be saved.
    """
    pygame.init()
    pygame.display.set_mode((320, 240))
    level = Level(path)
    game, tile = level.game, level.tile
    window = pygame.display.set_mode((game.size[0] * tile, game.size[1] * tile + BAR))
    clock = pygame.time.Clock()
    waiting = None if keys is None else list(keys)
    while not game.won:
        pressed = [event.key for event in pygame.event.get() if event.type == pygame.KEYDOWN]
        if pygame.event.peek(pygame.QUIT) or waiting == []:
            break
        if waiting:
            pressed = [waiting.pop(0)]
        for key in pressed:
            if key == pygame.K_x:
                game.use()
            elif key in STEPS:
                game.move(*STEPS[key])
        level.draw(window)
        pygame.display.flip()
        if keys is None:
            clock.tick(30)
    if picture is not None:
        level.draw(window)
        pygame.image.save(window, picture)
    pygame.quit()
    return game.won


if __name__ == "__main__":
    print("won" if play(sys.argv[1]) else "not won")
