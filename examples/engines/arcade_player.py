"""Play a level in arcade: `python arcade_player.py level.tmx`. Needs arcade.

The arrow keys move the player, X uses levers and stairs. Walls are the sprites of the layer
`walls`; entrance and exit are sprites of the layer `places`, keys and doors sprites of the layer
`things`. `rules.py` says what they do. In arcade, y runs upwards.
"""

import sys
from pathlib import Path

import arcade

sys.path.insert(0, str(Path(__file__).parent))
from rules import Game, Thing

STEPS = {
    arcade.key.LEFT: ("l", -1, 0),
    arcade.key.RIGHT: ("r", 1, 0),
    arcade.key.UP: ("u", 0, 1),
    arcade.key.DOWN: ("d", 0, -1),
}
BAR = 24


class Level:
    """A map and its game, without a window, so that it can be tested."""

    def __init__(self, path: str) -> None:
        """Load a map."""
        self.map = arcade.load_tilemap(path)
        self.tile = int(self.map.tile_width)
        layers = self.map.sprite_lists
        walls = {self.cell(sprite) for sprite in layers.get("walls", ())}
        places = {sprite.properties["name"]: self.cell(sprite) for sprite in layers["places"]}
        # Sprites do not have the numbers of their objects, to which levers and stairs refer.
        numbers = [
            entry.id
            for layer in self.map.tiled_map.layers
            if layer.name == "things"
            for entry in layer.tiled_objects
        ]
        self.sprites = list(layers.get("things", ()))
        things = [
            Thing(sprite.properties["kind"], self.cell(sprite), number, sprite.properties)
            for sprite, number in zip(self.sprites, numbers, strict=True)
        ]
        self.game = Game(walls, (int(self.map.width), int(self.map.height)), places, things)
        self.signs: list[arcade.Texture] = []
        for tiles in self.map.tiled_map.tilesets.values():
            if tiles.name.startswith("levolve-things") and tiles.image is not None:
                sheet = arcade.load_spritesheet(Path(path).parent / Path(tiles.image).name)
                size = (self.tile, self.tile)
                self.signs = sheet.get_texture_grid(size, tiles.columns, tiles.tile_count)

    def cell(self, sprite: arcade.Sprite) -> tuple[int, int]:
        """Return the cell of a sprite: its column, and its row from below."""
        return int(sprite.center_x // self.tile), int(sprite.center_y // self.tile)

    def press(self, key: int) -> None:
        """Move the player, or use what is under it, and show what that changes."""
        if key == arcade.key.X:
            self.game.use()
        elif key in STEPS:
            self.game.move(*STEPS[key])
        for thing, sprite in zip(self.game.things, self.sprites, strict=True):
            sign = self.game.sign(thing)
            sprite.visible = sign is not None
            if sign is not None:
                sprite.texture = self.signs[sprite.properties["tile_id"] + sign]


class Window(arcade.Window):  # type: ignore[misc] # arcade is not always installed
    """Shows a level."""

    def __init__(self, path: str) -> None:
        """Open a window as large as the map, with a bar below it."""
        self.level = Level(path)
        width, height = self.level.game.size
        super().__init__(width * self.level.tile, height * self.level.tile + BAR, "levolve")
        self.text = arcade.Text("", 4, 7, arcade.color.WHITE, 10)
        self.camera_2d = arcade.Camera2D(position=(self.width / 2, self.height / 2 - BAR))

    def on_draw(self) -> None:
        """Draw the layers, the player and what the player has."""
        self.clear()
        level, (x, y) = self.level, self.level.game.position
        with self.camera_2d.activate():
            for sprites in level.map.sprite_lists.values():
                sprites.draw(pixelated=True)
            centre = ((x + 0.5) * level.tile, (y + 0.5) * level.tile)
            arcade.draw_circle_filled(*centre, level.tile / 3, arcade.color.BLACK)
            arcade.draw_circle_filled(*centre, level.tile / 3 - 1, arcade.color.ORANGE)
        self.text.text = level.game.status()
        self.text.draw()

    def on_key_press(self, symbol: int, modifiers: int) -> None:
        """Move the player; close the window at the exit."""
        self.level.press(symbol)
        if self.level.game.won:
            self.close()


if __name__ == "__main__":
    Window(sys.argv[1])
    arcade.run()
