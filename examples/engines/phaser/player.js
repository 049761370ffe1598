// A level of levolve in Phaser 3. The arrow keys move the player from the entrance to the exit.
// phaser.min.js is part of every Phaser release; level.tmj is written by: levolve evolve labyrinth --seed 3 -o level.tmj

const TILESET = "levolve-walls-stone-16";

class LevelScene extends Phaser.Scene {
  preload() {
    this.load.tilemapTiledJSON("level", "level.tmj");
    this.load.image(TILESET, `${TILESET}.png`);
  }

  create() {
    this.map = this.make.tilemap({ key: "level" });
    const tileset = this.map.addTilesetImage(TILESET, TILESET);
    this.map.createLayer("floor", tileset);
    this.walls = this.map.createLayer("walls", tileset);
    this.places = {};
    for (const place of this.map.getObjectLayer("places").objects) {
      // A place is a tile object: its position is its lower left corner.
      this.places[place.name] = this.map.worldToTileXY(place.x, place.y - place.height);
    }
    this.cell = this.places.entrance.clone();
    const tile = this.map.tileWidth;
    this.player = this.add.circle(0, 0, tile / 3, 0xffa020);
    const exit = this.places.exit;
    this.add.rectangle((exit.x + 0.5) * tile, (exit.y + 0.5) * tile, tile / 2, tile / 2, 0xc1373c);
    this.show();
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    this.input.keyboard.on("keydown", (event) => this.move(...(steps[event.key] ?? [0, 0])));
  }

  move(across, down) {
    const x = this.cell.x + across;
    const y = this.cell.y + down;
    const inside = x >= 0 && y >= 0 && x < this.map.width && y < this.map.height;
    if (inside && !this.walls.getTileAt(x, y)) {
      this.cell.set(x, y);
      this.show();
    }
    if (this.cell.equals(this.places.exit)) {
      this.add.text(8, 8, "You won.", { color: "#ffffff", backgroundColor: "#000000" });
    }
  }

  show() {
    const tile = this.map.tileWidth;
    this.player.setPosition((this.cell.x + 0.5) * tile, (this.cell.y + 0.5) * tile);
  }
}

new Phaser.Game({ type: Phaser.AUTO, width: 800, height: 600, pixelArt: true, scene: LevelScene });
