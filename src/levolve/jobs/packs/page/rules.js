// The rules of levels, the same as in levels/checker.py: apply a move, and check that the step is legal. Independent of the page.

const STEP = { u: [0, -1], d: [0, 1], l: [-1, 0], r: [1, 0] };

/** The places a walk must come through, in their order: the stops of the level's goal. */
function stopsOf(level) {
  return level.stops.map((name) => level.places.find((place) => place.name === name));
}

/** The stops still to come for a player at a cell: those that lie there are done, but never the last. */
function stopsAhead(stops, x, y) {
  const done = stops.findIndex((stop, index) => index === stops.length - 1 || stop.x !== x || stop.y !== y);
  return stops.slice(done);
}

function mayStep(game, x, y, toX, toY) {
  const row = game.kinds[toY];
  return row !== undefined && row[toX] !== undefined && Boolean(game.steps[game.kinds[y][x]][row[toX]]);
}

/** What can be played, by a level's type: how it starts, what a step does, when it is won, a move that helps, and the cell that move is about. */
const RULES = {};

/** Walking: `ahead` are the stops still to come, the last of which ends the game. */
RULES.walk = {
  blocked: "The way is blocked.",
  way: "shortest path",
  tile: 56,
  goal: (level) => `Walk ${stopsOf(level).map((stop) => stop.sign).join(" → ")}`,
  start(level, tileset) {
    const [start, ...others] = stopsOf(level);
    const kinds = level.rows.map((row) => [...row].map((character) => tileset.characters.indexOf(character)));
    return { kinds, steps: tileset.steps, x: start.x, y: start.y, ahead: stopsAhead(others, start.x, start.y), past: [] };
  },
  step(game, direction) {
    const { x, y } = this.target(game, direction);
    if (!mayStep(game, game.x, game.y, x, y)) return false;
    game.past.push({ x: game.x, y: game.y, ahead: game.ahead, move: direction });
    game.x = x;
    game.y = y;
    game.ahead = stopsAhead(game.ahead, x, y);
    return true;
  },
  won: (game) => game.ahead.length === 1 && game.x === game.ahead[0].x && game.y === game.ahead[0].y,
  /** The first move of a shortest walk from here to the next stop, or null if there is none. */
  next(game) {
    const goal = game.ahead[0];
    // Search backwards from the goal: the cell before the player's gives the step to take.
    const seen = new Set([`${goal.x},${goal.y}`]);
    const waiting = [goal];
    for (const cell of waiting) {
      for (const [direction, [dx, dy]] of Object.entries(STEP)) {
        const x = cell.x - dx, y = cell.y - dy;
        if (seen.has(`${x},${y}`) || game.kinds[y]?.[x] === undefined || !mayStep(game, x, y, cell.x, cell.y)) continue;
        if (x === game.x && y === game.y) return direction;
        seen.add(`${x},${y}`);
        waiting.push({ x, y });
      }
    }
    return null;
  },
  target: (game, direction) => ({ x: game.x + STEP[direction][0], y: game.y + STEP[direction][1] }),
};

/** Whether a switch lets a thing with a gate be entered; true for every other thing. */
const isOpen = (row, bits) => row.gate < 0 || (bits[row.gate] === "1") !== row.open;
const withBit = (bits, number, bit) => bits.slice(0, number) + bit + bits.slice(number + 1);

/** What the player has: an amount per resource. `bits` has a "1" for each thing that was taken or opened, and each switch that is on. */
function amountsOf(mechanics, bits) {
  const amounts = [...mechanics.initial];
  mechanics.rows.forEach((row, number) => {
    if (!row.state || bits[number] === "0") return;
    for (const [resource, amount] of row.gives) amounts[resource] += amount;
    for (const [resource, amount] of row.spends) amounts[resource] -= amount;
  });
  return amounts;
}

/** The needs of a thing that the player cannot meet, as texts such as "1 red key". */
function missingFor(mechanics, number, bits) {
  const row = mechanics.rows[number];
  if (!row.needs.length || (row.spends.length && bits[number] === "1")) return [];
  const amounts = amountsOf(mechanics, bits);
  return row.needs.filter(([resource, amount]) => amounts[resource] < amount).map(([resource, amount]) => `${amount} ${mechanics.resources[resource]}`);
}

/** Whether a thing is open, on, taken or used up, and looks so. */
function isChanged(mechanics, number, bits) {
  const row = mechanics.rows[number];
  if (row.gate >= 0) return isOpen(row, bits);
  if (row.switch || row.state) return bits[number] === "1";
  return row.needs.length > 0 && missingFor(mechanics, number, bits).length === 0;
}

const toggled = (row, number, bits) => withBit(bits, number, row.switch === "once" || bits[number] === "0" ? "1" : "0");

/** Walking among things. A state has the cell, the stops still to come, and the bits of all things. */
RULES.crawl = {
  ...RULES.walk,
  uses: true,
  way: "shortest solution",
  lost: "No hint was found. Take back some steps, or start again.",
  goal(level) {
    const count = level.mechanics.rows.filter((row) => row.counts).length;
    const walk = RULES.walk.goal(level);
    return level.mechanics.collects && count ? `Collect ${count} thing${count > 1 ? "s" : ""}. ${walk}` : walk;
  },
  start(level, tileset) {
    const { mechanics } = level;
    return { ...RULES.walk.start(level, tileset), mechanics, bits: mechanics.on, at: new Map(mechanics.rows.map((row, number) => [`${row.x},${row.y}`, number])) };
  },
  /** The state after a move, or a text that says why it is not legal; an empty one for a wall. */
  after(game, state, move) {
    const { mechanics } = game, number = game.at.get(`${state.x},${state.y}`), row = mechanics.rows[number];
    if (this.won({ ...state, mechanics })) return "The level has ended.";
    if (move === "x") {
      if (row?.switch && !row.forced) return { ...state, bits: toggled(row, number, state.bits) };
      return row?.leads ? this.enter(game, state, ...row.leads) : "There is nothing to use here.";
    }
    if (row && !row.moves.includes(move)) return "This cell can be left in one direction only.";
    const { x, y } = this.target(state, move);
    return mayStep(game, state.x, state.y, x, y) ? this.enter(game, state, x, y) : "";
  },
  enter(game, { ahead, bits }, x, y) {
    const { mechanics } = game, number = game.at.get(`${x},${y}`), row = mechanics.rows[number];
    if (row) {
      if (!isOpen(row, bits)) return `The ${row.name} is shut.`;
      const missing = missingFor(mechanics, number, bits);
      if (missing.length) return `The ${row.name} needs ${missing.join(", ")}.`;
      if (row.state) bits = withBit(bits, number, "1");
      if (row.forced) bits = toggled(row, number, bits);
    }
    return { x, y, ahead: stopsAhead(ahead, x, y), bits };
  },
  step(game, move) {
    const { x, y, ahead, bits } = game;
    const found = this.after(game, { x, y, ahead, bits }, move);
    game.refused = typeof found === "string" ? found : "";
    if (typeof found === "string") return false;
    game.past.push({ x, y, ahead, bits, move });
    Object.assign(game, found);
    return true;
  },
  /** How many things are still to be collected before the last stop ends the level. */
  left: ({ mechanics, bits }) => (mechanics.collects ? mechanics.rows.filter((row, number) => row.counts && bits[number] === "0").length : 0),
  won(state) {
    return RULES.walk.won(state) && this.left(state) === 0;
  },
  next: knownMove,
  target: (game, move) => (move === "x" ? { x: game.x, y: game.y } : RULES.walk.target(game, move)),
  describe(game) {
    const amounts = amountsOf(game.mechanics, game.bits), has = game.mechanics.resources.map((name, number) => `${amounts[number]} ${name}`).filter((text) => !text.startsWith("0 "));
    const left = this.left(game);
    return [`At column ${game.x + 1}, row ${game.y + 1}`, `next stop ${game.ahead[0].sign}`, ...(left ? [`${left} to collect`] : []), ...(has.length ? [`you have ${has.join(", ")}`] : [])].join(", ");
  },
  /** Search for a shortest way to win, a state per turn, so that the caller can pause. Its value is the moves, or null if there are none, or undefined if the search through `most` states found none. */
  *search(game, most = 150_000) {
    const start = { x: game.x, y: game.y, ahead: game.ahead, bits: game.bits };
    const key = ({ x, y, ahead, bits }) => `${x},${y},${ahead.length},${bits}`;
    const waiting = [{ state: start, before: null, move: "" }], seen = new Set([key(start)]);
    for (const here of waiting) {
      if (this.won({ ...here.state, mechanics: game.mechanics })) {
        let moves = "";
        for (let one = here; one.before; one = one.before) moves = one.move + moves;
        return moves;
      }
      for (const move of "udlrx") {
        const state = this.after(game, here.state, move);
        if (typeof state === "string" || seen.has(key(state))) continue;
        seen.add(key(state));
        waiting.push({ state, before: here, move });
      }
      if (seen.size > most) return undefined;
      yield;
    }
    return null;
  },
};

/** The next move of the known solution, as long as play has kept to it; else null. */
function knownMove(game, level) {
  const played = game.past.map((before) => before.move).join("");
  return level.solution.startsWith(played) ? level.solution[played.length] ?? null : null;
}

/** A map without a goal: there is nothing to win, and nobody walks. */
RULES.map = {
  blocked: "This map cannot be played.",
  way: "shortest path",
  tile: 56,
  goal: () => "A map without a goal",
  describe: () => "A map without a goal",
  start: () => ({ past: [] }),
  step: () => false,
  won: () => false,
  next: () => null,
  target: () => null,
};

/** Take the last step back; whether there was one. */
function undo(game) {
  const before = game.past.pop();
  if (before) Object.assign(game, before);
  return before !== undefined;
}

/** Play moves from the start: whether all were legal, and whether they win. */
function replay(level, tileset, moves) {
  const rules = RULES[level.type], game = rules.start(level, tileset);
  for (const direction of moves) {
    if (!rules.step(game, direction)) return { legal: false, won: false };
  }
  return { legal: true, won: rules.won(game) };
}
