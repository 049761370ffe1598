// The rules of play, the same as levels/checker.py: stand on a cell, take a step, look whether it was legal. Nothing here touches the page.

const STEP = { u: [0, -1], d: [0, 1], l: [-1, 0], r: [1, 0] };

/** The places a walk must come through, in their order: the entrance and the exit, or A, B and C. */
function stopsOf(level) {
  const at = (name) => level.places.find((place) => place.name === name);
  const ends = [at("entrance"), at("exit")];
  return ends.every(Boolean) ? ends : ["A", "B", "C"].map(at);
}

/** A game at its start. `ahead` are the stops still to come, the last of which ends the game. */
function newGame(level, tileset) {
  const [start, ...ahead] = stopsOf(level);
  const kinds = level.rows.map((row) => [...row].map((character) => tileset.characters.indexOf(character)));
  return { kinds, steps: tileset.steps, x: start.x, y: start.y, ahead, past: [] };
}

function mayStep(game, x, y, toX, toY) {
  const row = game.kinds[toY];
  return row !== undefined && row[toX] !== undefined && Boolean(game.steps[game.kinds[y][x]][row[toX]]);
}

/** Whether the last stop is reached, after all others. */
function isWon(game) {
  return game.ahead.length === 1 && game.x === game.ahead[0].x && game.y === game.ahead[0].y;
}

/** Take a step if it is legal; whether it was. */
function move(game, direction) {
  const [dx, dy] = STEP[direction];
  const x = game.x + dx, y = game.y + dy;
  if (!mayStep(game, game.x, game.y, x, y)) return false;
  game.past.push({ x: game.x, y: game.y, ahead: game.ahead });
  game.x = x;
  game.y = y;
  if (game.ahead.length > 1 && x === game.ahead[0].x && y === game.ahead[0].y) game.ahead = game.ahead.slice(1);
  return true;
}

/** Take the last step back; whether there was one. */
function undo(game) {
  const before = game.past.pop();
  if (before) Object.assign(game, before);
  return before !== undefined;
}

/** The first move of a shortest walk from here to the next stop, or null if there is none. */
function nextMove(game) {
  const goal = game.ahead[0];
  // From the goal back: the first cell that reaches the player says which step to take. Steps are legal both ways or not at all.
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
}

/** Play moves from the start: where they end, whether all were legal, and whether they win. */
function replay(level, tileset, moves) {
  const game = newGame(level, tileset);
  for (const direction of moves) {
    if (!move(game, direction)) return { legal: false, won: false, x: game.x, y: game.y };
  }
  return { legal: true, won: isWon(game), x: game.x, y: game.y };
}
