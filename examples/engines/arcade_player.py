"""Walk through a level in arcade: `python arcade_player.py level.tmx`. Needs arcade.

The arrow keys move the player. Walls are the sprites of the layer `walls`; entrance and exit are
sprites of the layer `places`. In arcade, y runs upwards.
"""

import sys

import arcade

STEPS = {
    arcade.key.LEFT: (-1, 0),
    arcade.key.RIGHT: (1, 0),
    arcade.key.UP: (0, 1),
    arcade.key.DOWN: (0, -1),
}


class Level:
    """A map: its sprites, the cells of its walls, and its places."""

    def __init__(self, path: str) -> None:
        """Load a map."""
        self.map = arcade.load_tilemap(path)
        self.tile = int(self.map.tile_width)
        self.size = (int(self.map.width), int(self.map.height))
        self.walls = {self.cell(sprite) for sprite in self.map.sprite_lists.get("walls", ())}
        self.places = {
            sprite.properties["name"]: self.cell(sprite)
            for sprite in self.map.sprite_lists["places"]
        }

    def cell(self, sprite: arcade.Sprite) -> tuple[int, int]:
        """Return the cell of a sprite: its column, and its row from below."""
        return int(sprite.center_x // self.tile), int(sprite.center_y // self.tile)

    def is_open(self, x: int, y: int) -> bool:
        """Whether the player may stand on a cell."""
        return 0 <= x < self.size[0] and 0 <= y < self.size[1] and (x, y) not in self.walls


class Game:
    """A player on a level, without a window, so that it can be tested."""

    def __init__(self, path: str) -> None:
        """Start at the entrance."""
        self.level = Level(path)
        self.position = self.level.places["entrance"]

    def press(self, key: int) -> None:
        """Move the player, unless a wall is in the way."""
        across, up = STEPS.get(key, (0, 0))
        target = (self.position[0] + across, self.position[1] + up)
        self.position = target if self.level.is_open(*target) else self.position

    @property
    def won(self) -> bool:
        """Whether the player is at the exit."""
        return self.position == self.level.places["exit"]


class Window(arcade.Window):  # type: ignore[misc] # arcade is not always installed
    """Shows a game."""

    def __init__(self, path: str) -> None:
        """Open a window as large as the map."""
        self.game = Game(path)
        level = self.game.level
        super().__init__(level.size[0] * level.tile, level.size[1] * level.tile, "levolve")

    def on_draw(self) -> None:
        """Draw the layers and the player."""
        self.clear()
        level, (x, y) = self.game.level, self.game.position
        for sprites in level.map.sprite_lists.values():
            sprites.draw()
        arcade.draw_circle_filled(
            (x + 0.5) * level.tile, (y + 0.5) * level.tile, level.tile / 3, arcade.color.ORANGE
        )

    def on_key_press(self, symbol: int, modifiers: int) -> None:
        """Move the player; close the window at the exit."""
        self.game.press(symbol)
        if self.game.won:
            self.close()


if __name__ == "__main__":
    Window(sys.argv[1])
    arcade.run()
