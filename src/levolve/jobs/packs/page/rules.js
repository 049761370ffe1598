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
