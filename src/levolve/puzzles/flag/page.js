// Reach the Flag on the page of a pack: the same rules that its checker in puzzles/flag/rules.py replays.

const NEVER = 255;
// From light to dark with the visits that a tile still bears.
const BEARS = ["#e3b23f", "#d08f35", "#b76b2e", "#984b27", "#7a3422"];

/** A tile bears a number of visits and falls with the last; the start is visited once. Nothing may be left over. */
RULES.flag = {
  blocked: "There is no tile.",
  way: "known solution",
  tile: 64,
  lost: "Your moves differ from the known solution: undo steps, or restart.",
  goal: () => "Step on every tile as often as its number says, and end on the flag",
  start(level) {
    const left = level.rows.map((row) => [...row]);
    const [x, y] = level.start;
    if (left[y][x] !== NEVER) left[y][x] -= 1;
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

PAINTERS.flag = (pen, level, _tileset, _tile, game) => {
  const now = game ?? RULES.flag.start(level);
  now.left.forEach((row, y) => row.forEach((visits, x) => {
    if (level.rows[y][x] === 0) return;
    const colour = visits === 0 ? themeColour("line") : visits === NEVER ? "#969ca8" : BEARS[Math.min(visits, BEARS.length) - 1];
    drawBlock(pen, x, y, colour, visits > 1 && visits !== NEVER ? String(visits) : "");
  }));
  const [x, y] = level.flag;
  pen.fillStyle = "#c1373c";
  pen.fill(new Path2D(`M ${x + 0.36} ${y + 0.2} l 0.42 0.16 l -0.42 0.16 z`));
  pen.fillStyle = "#241f2b";
  pen.fillRect(x + 0.3, y + 0.18, 0.07, 0.64);
  drawPlayer(pen, now);
};
