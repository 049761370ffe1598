// Ice on the page of a pack: the same rules that its checker in rules.py replays.

RULES.ice = {
  blocked: "There is no ice that way.",
  way: "shortest solution",
  tile: 56,
  lost: "Your moves differ from the known solution: undo steps, or restart.",
  goal: () => "Slide over the ice to the exit",
  start: (level) => ({ rows: level.rows, exit: level.exit, x: level.start[0], y: level.start[1], past: [] }),
  step(game, direction) {
    const { x, y } = this.target(game, direction);
    if (x === game.x && y === game.y) return false;
    game.past.push({ x: game.x, y: game.y, move: direction });
    game.x = x;
    game.y = y;
    return true;
  },
  won: (game) => game.x === game.exit[0] && game.y === game.exit[1],
  next: knownMove,
  /** Where a slide ends. */
  target(game, direction) {
    const [dx, dy] = STEP[direction];
    let { x, y } = game;
    const atExit = () => x === game.exit[0] && y === game.exit[1] && (x !== game.x || y !== game.y);
    while (!atExit() && game.rows[y + dy]?.[x + dx] === "~") [x, y] = [x + dx, y + dy];
    return { x, y };
  },
};

PAINTERS.ice = (pen, level, _tileset, _tile, game) => {
  const now = game ?? RULES.ice.start(level);
  pen.fillStyle = "#d6e8f2";
  pen.fillRect(0, 0, level.width, level.height);
  level.rows.forEach((row, y) => [...row].forEach((cell, x) => {
    if (cell === "o") drawBlock(pen, x, y, "#586270", "");
  }));
  drawDisc(pen, level.exit[0], level.exit[1], 0.42, "#2e8658");
  drawPlayer(pen, now);
};
