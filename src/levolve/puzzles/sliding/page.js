// The sliding puzzle on the page of a pack: the same rules that its checker in puzzles/sliding/rules.py replays.

/** A move is the way a tile slides into the blank. */
RULES.sliding = {
  blocked: "No tile can slide that way.",
  way: "shortest solution",
  tile: 110,
  lost: "Your moves differ from the known solution: undo steps, or restart.",
  goal: () => "Slide the tiles into their order, the blank last",
  describe: (game) => `Tiles ${game.tiles.join(" ")}`,
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

PAINTERS.sliding = (pen, level, _tileset, _tile, game) => {
  pen.fillStyle = themeColour("line");
  pen.fillRect(0, 0, level.width, level.height);
  (game?.tiles ?? level.tiles).forEach((number, cell) => {
    if (number) drawBlock(pen, cell % level.width, Math.floor(cell / level.width), level.goal[cell] === number ? "#58916e" : "#ce8e42", String(number));
  });
};
