// The rules of things: what happens when the player enters a cell. It needs no Phaser.
// Cells are [column, row]; the kinds are those of levolve, and any other kind is a decoration.

const MONSTERS = ["monster", "boss", "trap"];
const SWITCHES = ["lever", "button", "plate"];
const TAKEN = ["key", "small_key", "treasure", "potion", "player", "monster", "boss"];

// The things of a map, from the objects of its layer `things`. A thing is a tile object: its
// position is its lower left corner. `tiles` are the properties of its tile, which it has too.
export function thingsOf(objects, tile, tiles = {}) {
  return objects.map((object) => ({
    kind: object.type,
    cell: [Math.floor(object.x / tile), Math.floor((object.y - object.height) / tile)],
    number: object.id,
    gid: object.gid,
    fields: { ...tiles[object.gid], ...Object.fromEntries((object.properties ?? []).map((each) => [each.name, each.value])) },
    changed: false, // taken, opened, defeated or switched on
  }));
}

function gives({ kind, fields }) {
  const found = {
    key: { [`${fields.color ?? "red"} key`]: 1 },
    small_key: { "small key": 1 },
    treasure: { treasure: Number(fields.value ?? 1) },
    potion: { health: Number(fields.health ?? 1) },
    player: { health: Number(fields.health ?? 0) },
  };
  return found[kind] ?? {};
}

function needs({ kind, fields }) {
  if (MONSTERS.includes(kind)) return { health: Number(fields.damage ?? (kind === "boss" ? 2 : 1)) + 1 };
  const found = {
    door: { [`${fields.color ?? "red"} key`]: 1 },
    small_door: { "small key": 1 },
    treasure_gate: { treasure: Number(fields.amount ?? 5) },
  };
  return found[kind] ?? {};
}

function costs(thing) {
  if (MONSTERS.includes(thing.kind)) return { health: needs(thing).health - 1 };
  return thing.kind === "small_door" ? needs(thing) : {};
}

export class Game {
  // `isWall(x, y)` says where walls are; `places` are cells by name.
  constructor(isWall, [width, height], places, things) {
    Object.assign(this, { isWall, width, height, places, things, has: {} });
    this.at = new Map(things.filter(({ kind }) => kind !== "spawn").map((thing) => [`${thing.cell}`, thing]));
    this.byNumber = new Map(things.map((thing) => [thing.number, thing]));
    for (const thing of things) thing.changed = SWITCHES.includes(thing.kind) && thing.fields.on === true;
    this.first = new Map(things.map((thing) => [thing, this.isChanged(thing)]));
    this.enter(places.entrance);
  }

  get won() {
    return `${this.cell}` === `${this.places.exit}`;
  }

  isOpen(gate) {
    return (gate.fields.open === true) !== this.byNumber.get(gate.fields.lever).changed;
  }

  // Take a step, "u", "d", "l" or "r", unless something is in the way.
  move(direction) {
    const [across, down] = { u: [0, -1], d: [0, 1], l: [-1, 0], r: [1, 0] }[direction];
    const [x, y] = [this.cell[0] + across, this.cell[1] + down];
    const here = this.at.get(`${this.cell}`);
    const inside = x >= 0 && y >= 0 && x < this.width && y < this.height;
    const held = here?.kind === "one_way" && (here.fields.direction ?? "r") !== direction;
    return inside && !held && !this.won && !this.isWall(x, y) && this.enter([x, y]);
  }

  // Use the lever, the stairs or the teleporter under the player.
  use() {
    const here = this.at.get(`${this.cell}`);
    if (this.won || !here) return false;
    if (here.kind === "lever" || here.kind === "button") {
      here.changed = here.kind === "button" || !here.changed;
      return true;
    }
    const leads = here.kind === "stairs" || here.kind === "teleporter";
    return leads && this.enter(this.byNumber.get(here.fields.to).cell);
  }

  enter(cell) {
    const thing = this.at.get(`${cell}`);
    if (thing && !this.allows(thing)) return false;
    this.cell = cell;
    return true;
  }

  allows(thing) {
    if (thing.kind === "gate") return this.isOpen(thing);
    if (thing.kind === "plate") {
      thing.changed = !thing.changed;
    } else if (!SWITCHES.includes(thing.kind) && !thing.changed) {
      const [gift, price, cost] = [gives(thing), needs(thing), costs(thing)];
      if (Object.entries(price).some(([name, amount]) => (this.has[name] ?? 0) < amount)) return false;
      for (const [name, amount] of Object.entries(gift)) this.has[name] = (this.has[name] ?? 0) + amount;
      for (const [name, amount] of Object.entries(cost)) this.has[name] -= amount;
      thing.changed = Object.keys({ ...gift, ...price }).length > 0;
    }
    return true;
  }

  // Whether a thing is taken, open, defeated or switched on.
  isChanged(thing) {
    return thing.kind === "gate" ? this.isOpen(thing) : thing.changed;
  }

  // How many signs of its tileset the sign of a thing is after that on the map; null for what is gone.
  sign(thing) {
    const changed = this.isChanged(thing);
    return changed && TAKEN.includes(thing.kind) ? null : changed - this.first.get(thing);
  }

  // What the player has, in words.
  status() {
    return Object.entries(this.has).filter(([, amount]) => amount).sort().map(([name, amount]) => `${amount} ${name}`).join(", ");
  }
}
