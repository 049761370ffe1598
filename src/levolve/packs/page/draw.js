// Drawing a level on a canvas: tiles, the trail, places and the player.

const PLACE_COLOURS = { entrance: "#2e8658", exit: "#c1373c" };
const OTHER_PLACE = "#3e68b8";

function themeColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** The colours of a tileset; walls and floor follow the page's theme. */
function coloursOf(level, tileset) {
  return level.tileset === "walls" ? [themeColour("floor"), themeColour("wall")] : tileset.colours;
}

/** Draw a level with so many pixels a tile: as it starts, or as it stands in a game; `hint` is a cell to go to. */
function drawLevel(canvas, level, tileset, tile, game = null, hint = null) {
  // Whole pixels a tile, and the browser scales: no seam shows between walls.
  const pixels = Math.max(Math.round(tile * (window.devicePixelRatio || 1)), 1);
  canvas.width = level.width * pixels;
  canvas.height = level.height * pixels;
  canvas.style.width = `${level.width * tile}px`;
  canvas.style.height = `${level.height * tile}px`;
  const pen = canvas.getContext("2d");
  pen.scale(pixels, pixels);
  PAINTERS[level.type](pen, level, tileset, tile, game);
  if (hint) {
    pen.strokeStyle = themeColour("hint");
    pen.lineWidth = 0.14;
    pen.strokeRect(hint.x + 0.12, hint.y + 0.12, 0.76, 0.76);
  }
}

const PAINTERS = {
  walk(pen, level, tileset, tile, game) {
    const trail = game ? [...game.past, game] : [];
    drawTiles(pen, level, tileset, tile);
    if (trail.length > 1) drawTrail(pen, level, trail);
    const stops = stopsOf(level);
    for (const place of level.places) {
      // Stops count only in their order, checkpoints whenever they are stepped on.
      const done = stops.includes(place) ? game && !game.ahead.includes(place) : trail.some(({ x, y }) => x === place.x && y === place.y);
      drawPlace(pen, place, tile, done);
    }
    if (game) drawPlayer(pen, game);
  },
  flag(pen, level, _tileset, _tile, game) {
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
  },
  sliding(pen, level, _tileset, _tile, game) {
    pen.fillStyle = themeColour("line");
    pen.fillRect(0, 0, level.width, level.height);
    (game?.tiles ?? level.tiles).forEach((number, cell) => {
      if (number) drawBlock(pen, cell % level.width, Math.floor(cell / level.width), level.goal[cell] === number ? "#58916e" : "#ce8e42", String(number));
    });
  },
};
// From light to dark with the visits that a tile still bears.
const BEARS = ["#e3b23f", "#d08f35", "#b76b2e", "#984b27", "#7a3422"];

function drawBlock(pen, x, y, colour, text) {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.roundRect(x + 0.05, y + 0.05, 0.9, 0.9, 0.14);
  pen.fill();
  if (text) drawText(pen, x, y, text, 0.5);
}

function drawText(pen, x, y, text, size) {
  pen.fillStyle = "#ffffff";
  pen.font = `600 ${size}px system-ui, sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(text, x + 0.5, y + 0.54);
}

function drawTiles(pen, level, tileset, tile) {
  const colours = coloursOf(level, tileset);
  const seams = level.tileset === "walls" && tile >= 6;
  level.rows.forEach((row, y) => [...row].forEach((character, x) => {
    const kind = tileset.characters.indexOf(character);
    pen.fillStyle = colours[kind];
    pen.fillRect(x, y, 1, 1);
    if (seams && kind === 0) {
      pen.fillStyle = themeColour("seam");
      pen.fillRect(x, y, 1, 1 / tile);
      pen.fillRect(x, y, 1 / tile, 1);
    }
  }));
}

function drawTrail(pen, level, trail) {
  const lines = level.tileset === "walls" ? [[0.24, themeColour("trail")]] : [[0.36, "#241f2b"], [0.2, "#ffffff"]];
  pen.lineJoin = pen.lineCap = "round";
  for (const [thickness, colour] of lines) {
    pen.lineWidth = thickness;
    pen.strokeStyle = colour;
    pen.beginPath();
    for (const { x, y } of trail) pen.lineTo(x + 0.5, y + 0.5);
    pen.stroke();
  }
}

function drawDisc(pen, x, y, radius, colour) {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc(x + 0.5, y + 0.5, radius, 0, 2 * Math.PI);
  pen.fill();
}

function drawPlace(pen, place, tile, done) {
  pen.globalAlpha = done ? 0.5 : 1;
  drawDisc(pen, place.x, place.y, 0.46, "#faf8f3");
  drawDisc(pen, place.x, place.y, 0.41, PLACE_COLOURS[place.name] ?? OTHER_PLACE);
  if (tile >= 9) drawText(pen, place.x, place.y, place.sign, place.sign.length > 1 ? 0.46 : 0.58);
  pen.globalAlpha = 1;
}

function drawPlayer(pen, { x, y }) {
  drawDisc(pen, x, y, 0.38, "#ffffff");
  drawDisc(pen, x, y, 0.31, "#241f2b");
  drawDisc(pen, x, y, 0.13, "#f0a54c");
}
