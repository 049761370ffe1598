// The rules of the two puzzles, the same as those that their checkers in puzzles/ replay.

const NEVER = 255;

/** The next move of the known solution, as long as play has kept to it; else null. */
function knownMove(game, level) {
  const played = game.past.map((before) => before.move).join("");
  return level.solution.startsWith(played) ? level.solution[played.length] ?? null : null;
}

/** Reach the Flag: a tile bears a number of visits and falls with the last; the start is visited once. Nothing may be left over. */
RULES.flag = {
  blocked: "There is no tile.",
  way: "known way",
  tile: 64,
  lost: "This is no longer the way that is known: take steps back, or restart.",
  goal: () => "Step on every tile as often as its number says, and end on the flag",
  start(level) {
    const left = level.rows.map((row) => [...row]);
    const [x, y] = level.start;
    left[y][x] -= 1;
    return { left, x, y, flag: level.flag, past: [] };
  },
  step(game, direction) {
    const [dx, dy] = STEP[direction];
    const x = game.x + dx, y = game.y + dy;
    if (!(game.left[y]?.[x] > 0)) return false;
    game.past.push({ x: game.x, y: game.y, left: game.left, move: direction });
    game.left = game.left.map((row) => [...row]);
    if (game.left[y][x] !== NEVER) game.left[y][x] -= 1;
    game.x = x;
    game.y = y;
    return true;
  },
  won: (game) => game.x === game.flag[0] && game.y === game.flag[1] && game.left.flat().every((visits) => visits === 0 || visits === NEVER),
  next: knownMove,
  target: (game, direction) => ({ x: game.x + STEP[direction][0], y: game.y + STEP[direction][1] }),
};

/** The sliding puzzle: a move is the way a tile slides into the blank. */
RULES.sliding = {
  blocked: "No tile can slide that way.",
  way: "shortest way",
  tile: 110,
  lost: RULES.flag.lost,
  goal: () => "Slide the tiles into their order, the blank last",
  start: (level) => ({ tiles: [...level.tiles], goal: level.goal, width: level.width, height: level.height, past: [] }),
  step(game, direction) {
    const { x, y } = this.target(game, direction);
    if (x < 0 || y < 0 || x >= game.width || y >= game.height) return false;
    game.past.push({ tiles: game.tiles, move: direction });
    const tiles = [...game.tiles], blank = tiles.indexOf(0), from = y * game.width + x;
    tiles[blank] = tiles[from];
    tiles[from] = 0;
    game.tiles = tiles;
    return true;
  },
  won: (game) => game.tiles.every((tile, cell) => tile === game.goal[cell]),
  next: knownMove,
  /** The cell whose tile a move slides. */
  target(game, direction) {
    const blank = game.tiles.indexOf(0), [dx, dy] = STEP[direction];
    return { x: blank % game.width - dx, y: Math.floor(blank / game.width) - dy };
  },
};
