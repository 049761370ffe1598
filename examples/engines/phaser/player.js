// A level of levolve in Phaser 3. The arrow keys move the player from the entrance to the exit, X uses levers and stairs.
// phaser.min.js is part of every Phaser release; level.tmj is written by:
// levolve evolve labyrinth --size 21x13 --seed 3 -o maze.tmj
// levolve furnish maze.tmj --things keys=2,doors=2,treasure=3,monsters=2 --seed 1 -o level.tmj

import { Game, thingsOf } from "./rules.mjs";

const STEPS = { ArrowLeft: "l", ArrowRight: "r", ArrowUp: "u", ArrowDown: "d" };

class LevelScene extends Phaser.Scene {
  preload() {
    this.load.tilemapTiledJSON("level", "level.tmj");
    // The pictures of the tilesets have the names that the map gives them.
    this.load.on("filecomplete-tilemapJSON-level", (key, type, map) => {
      for (const set of map.data.tilesets) {
        this.load.spritesheet(set.name, set.image, { frameWidth: set.tilewidth, frameHeight: set.tileheight });
      }
    });
  }

  create() {
    const map = this.make.tilemap({ key: "level" });
    const tilesets = map.tilesets.map((set) => map.addTilesetImage(set.name, set.name));
    map.createLayer("floor", tilesets);
    const walls = map.createLayer("walls", tilesets);
    this.tile = map.tileWidth;
    const cellOf = (object) => [object.x / this.tile, (object.y - object.height) / this.tile].map(Math.floor);
    const places = {};
    for (const place of map.getObjectLayer("places").objects) {
      places[place.name] = cellOf(place);
      this.sprite(map, place);
    }
    // A level without things has no such layer.
    const objects = map.getObjectLayer("things")?.objects ?? [];
    const properties = Object.fromEntries(
      map.tilesets.flatMap((set) => Object.entries(set.tileProperties).map(([id, found]) => [set.firstgid + Number(id), found])),
    );
    const things = thingsOf(objects, this.tile, properties);
    this.rules = new Game((x, y) => walls.getTileAt(x, y) !== null, [map.width, map.height], places, things);
    this.sprites = objects.map((object) => this.sprite(map, object));
    this.frames = this.sprites.map((sprite) => Number(sprite.frame.name));
    this.player = this.add.circle(0, 0, this.tile / 3, 0xffa020).setStrokeStyle(1, 0x000000);
    this.text = this.add.text(4, map.heightInPixels + 4, "", { color: "#ffffff", fontSize: "12px" });
    this.show();
    this.input.keyboard.on("keydown", (event) => {
      if (event.key === "x") this.rules.use();
      if (event.key in STEPS) this.rules.move(STEPS[event.key]);
      this.show();
    });
  }

  // A tile object as a sprite: its position is its lower left corner.
  sprite(map, object) {
    const set = map.tilesets.findLast((each) => each.firstgid <= object.gid);
    return this.add.sprite(object.x, object.y, set.name, object.gid - set.firstgid).setOrigin(0, 1);
  }

  show() {
    const [x, y] = this.rules.cell;
    this.player.setPosition((x + 0.5) * this.tile, (y + 0.5) * this.tile);
    this.rules.things.forEach((thing, index) => {
      const sign = this.rules.sign(thing);
      this.sprites[index].setVisible(sign !== null);
      if (sign !== null) this.sprites[index].setFrame(this.frames[index] + sign);
    });
    this.text.setText(this.rules.won ? "You won." : this.rules.status());
  }
}

new Phaser.Game({ type: Phaser.AUTO, width: 800, height: 600, pixelArt: true, scene: LevelScene });
