// The rules of walking, the same as levels/checker.py: stand on a cell, take a step, look whether it was legal. Nothing here touches the page.

const STEP = { u: [0, -1], d: [0, 1], l: [-1, 0], r: [1, 0] };

/** The places a walk must come through, in their order: the entrance and the exit, or A, B and C. */
function stopsOf(level) {
  const at = (name) => level.places.find((place) => place.name === name);
  const ends = [at("entrance"), at("exit")];
  return ends.every(Boolean) ? ends : ["A", "B", "C"].map(at);
}

function mayStep(game, x, y, toX, toY) {
  const row = game.kinds[toY];
  return row !== undefined && row[toX] !== undefined && Boolean(game.steps[game.kinds[y][x]][row[toX]]);
}

/** What can be played, by a level's type: how it starts, what a step does, when it is won, a move that helps, and the cell that move is about. */
const RULES = {};

/** Walking: `ahead` are the stops still to come, the last of which ends the game. */
RULES.walk = {
  blocked: "There is no way.",
  way: "shortest way",
  tile: 56,
  goal: (level) => `Walk ${stopsOf(level).map((stop) => stop.sign).join(" → ")}`,
  start(level, tileset) {
    const [start, ...ahead] = stopsOf(level);
    const kinds = level.rows.map((row) => [...row].map((character) => tileset.characters.indexOf(character)));
    return { kinds, steps: tileset.steps, x: start.x, y: start.y, ahead, past: [] };
  },
  step(game, direction) {
    const { x, y } = this.target(game, direction);
    if (!mayStep(game, game.x, game.y, x, y)) return false;
    game.past.push({ x: game.x, y: game.y, ahead: game.ahead, move: direction });
    game.x = x;
    game.y = y;
    if (game.ahead.length > 1 && x === game.ahead[0].x && y === game.ahead[0].y) game.ahead = game.ahead.slice(1);
    return true;
  },
  won: (game) => game.ahead.length === 1 && game.x === game.ahead[0].x && game.y === game.ahead[0].y,
  /** The first move of a shortest walk from here to the next stop, or null if there is none. */
  next(game) {
    const goal = game.ahead[0];
    // From the goal back: the first cell that reaches the player says which step to take.
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
