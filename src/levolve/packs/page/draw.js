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

/** Draw a level with so many pixels a tile. `trail` are cells walked so far, `player` and `hint` a cell each, `done` the names of places passed. */
function drawLevel(canvas, level, tileset, tile, { trail = [], player = null, hint = null, done = new Set() } = {}) {
  const width = level.rows[0].length, height = level.rows.length;
  // Whole pixels a tile, and the browser scales: no seam shows between walls.
  const pixels = Math.max(Math.round(tile * (window.devicePixelRatio || 1)), 1);
  canvas.width = width * pixels;
  canvas.height = height * pixels;
  canvas.style.width = `${width * tile}px`;
  canvas.style.height = `${height * tile}px`;
  const pen = canvas.getContext("2d");
  pen.scale(pixels, pixels);
  drawTiles(pen, level, tileset, tile);
  if (trail.length > 1) drawTrail(pen, level, trail);
  for (const place of level.places) drawPlace(pen, place, tile, done.has(place.name));
  if (hint) {
    pen.strokeStyle = themeColour("hint");
    pen.lineWidth = 0.14;
    pen.strokeRect(hint.x + 0.12, hint.y + 0.12, 0.76, 0.76);
  }
  if (player) drawPlayer(pen, player);
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
  if (tile >= 9) {
    pen.fillStyle = "#ffffff";
    pen.font = `600 ${place.sign.length > 1 ? 0.46 : 0.58}px system-ui, sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(place.sign, place.x + 0.5, place.y + 0.54);
  }
  pen.globalAlpha = 1;
}

function drawPlayer(pen, { x, y }) {
  drawDisc(pen, x, y, 0.38, "#ffffff");
  drawDisc(pen, x, y, 0.31, "#241f2b");
  drawDisc(pen, x, y, 0.13, "#f0a54c");
}
