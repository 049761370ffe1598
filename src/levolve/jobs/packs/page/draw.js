// Drawing a level on a canvas: tiles, the trail, places and the player.

const PLACE_COLOURS = { entrance: "#2e8658", exit: "#c1373c" };
const OTHER_PLACE = "#3e68b8";
const WAY_BACK = "#70b2aa";
// Pixels per tile below which tiles have one colour.
const LEAST_DRAWN = 6;
// Pixels per tile below which a place is a disc without a sign.
const LEAST_PLACE = 9;

function themeColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** The colours of a tileset: those of its theme, which are others on dark pages only where all tiles are flat. */
function coloursOf(tileset) {
  return matchMedia("(prefers-color-scheme: dark)").matches ? tileset.dark_colours : tileset.colours;
}

/** Draw a level with a number of pixels per tile: at its start, or during a game; `hint` is the next cell. */
function drawLevel(canvas, level, tileset, tile, game = null, hint = null) {
  // Whole pixels per tile, scaled by the browser, so that no gaps appear between walls.
  const pixels = Math.max(Math.round(tile * (window.devicePixelRatio || 1)), 1);
  canvas.width = level.width * pixels;
  canvas.height = level.height * pixels;
  canvas.style.width = `${level.width * tile}px`;
  canvas.style.height = `${level.height * tile}px`;
  const pen = canvas.getContext("2d");
  pen.scale(pixels, pixels);
  PAINTERS[level.type](pen, level, tileset, tile, game);
  if (hint) {
    // On a wider line of another colour, so that it is seen on every tile.
    for (const [colour, width] of [["#ffffff", 0.24], [themeColour("hint"), 0.12]]) {
      pen.strokeStyle = colour;
      pen.lineWidth = width;
      pen.strokeRect(hint.x + 0.13, hint.y + 0.13, 0.74, 0.74);
    }
  }
}

/** A level as its player sees it: what is hidden is a wall until it is entered. */
function seenBy(level, tileset, game) {
  const hidden = (level.things ?? []).filter((thing) => thing.hidden && tileset.wall !== null);
  if (!hidden.length) return level;
  const entered = new Set((game ? [...game.past, game] : []).map(({ x, y }) => `${x},${y}`));
  const shut = hidden.filter(({ x, y }) => !entered.has(`${x},${y}`)), name = shut.map(({ x, y }) => `${x},${y}`).join(" ");
  level.views ??= new Map();
  if (!level.views.has(name)) {
    const rows = level.rows.map((row) => [...row]);
    for (const { x, y } of shut) rows[y][x] = tileset.characters[tileset.wall];
    level.views.set(name, { ...level, rows: rows.map((row) => row.join("")), shut: new Set(shut) });
  }
  return level.views.get(name);
}

/** The things of a level, at its start or during a game. */
function drawThings(pen, level, tileset, tile, game) {
  for (const thing of level.things ?? []) {
    if (level.shut?.has(thing)) continue;
    const changed = thing.row < 0 ? thing.changed : isChanged(level.mechanics, thing.row, game?.bits ?? level.mechanics.on);
    const name = thing.looks[Number(changed)];
    if (name !== null) drawSign(pen, tileset.signs, name, thing.x, thing.y, tile);
  }
}

function drawSign(pen, signs, name, x, y, tile) {
  const [number, colour] = signs.names[name];
  if (tile >= LEAST_PLACE) {
    drawAtlasTile(pen, signs, number, x, y, 1);
  } else {
    pen.fillStyle = colour;
    pen.fillRect(x + 0.15, y + 0.15, 0.7, 0.7);
  }
}

const PAINTERS = {
  walk(pen, whole, tileset, tile, game) {
    const trail = game ? [...game.past, game] : [];
    const level = seenBy(whole, tileset, game);
    drawTiles(pen, level, tileset, tile);
    if (game?.back) drawLine(pen, walkFrom(game, game.back), 0.5, WAY_BACK);
    if (trail.length > 1) drawTrail(pen, tileset, trail);
    drawThings(pen, level, tileset, tile, game);
    const stops = stopsOf(level);
    for (const place of level.places) {
      // Stops count only in order, checkpoints at any time.
      const done = stops.includes(place) ? game && !game.ahead.includes(place) : trail.some(({ x, y }) => x === place.x && y === place.y);
      drawPlace(pen, tileset, place, tile, done);
    }
    if (game) drawPlayer(pen, game);
  },
  map(pen, whole, tileset, tile) {
    const level = seenBy(whole, tileset, null);
    drawTiles(pen, level, tileset, tile);
    drawThings(pen, level, tileset, tile, null);
    for (const place of level.places) drawPlace(pen, tileset, place, tile, false);
  },
};

PAINTERS.crawl = PAINTERS.walk;

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
  const picture = tileset.atlas && tile >= LEAST_DRAWN ? drawnTiles(level, tileset) : null;
  if (picture) {
    pen.imageSmoothingQuality = "high";
    pen.drawImage(picture, 0, 0, level.width, level.height);
  } else {
    drawFlatTiles(pen, level, tileset, tile);
  }
}

function drawFlatTiles(pen, level, tileset, tile) {
  const colours = coloursOf(tileset);
  const seams = tile >= LEAST_DRAWN ? tileset.seams : null;
  level.rows.forEach((row, y) => [...row].forEach((character, x) => {
    const kind = tileset.characters.indexOf(character);
    pen.fillStyle = colours[kind];
    pen.fillRect(x, y, 1, 1);
    if (kind === seams) {
      pen.fillStyle = themeColour("seam");
      pen.fillRect(x, y, 1, 1 / tile);
      pen.fillRect(x, y, 1 / tile, 1);
    }
  }));
}

/** The cells that moves lead over, from a cell on. */
function walkFrom({ x, y }, moves) {
  return [...moves].reduce((cells, move) => {
    const last = cells.at(-1);
    return [...cells, { x: last.x + STEP[move][0], y: last.y + STEP[move][1] }];
  }, [{ x, y }]);
}

/** The steps taken, as pictures show a solution: in the colour of the theme or the tileset, with an edge where there is one. */
function drawTrail(pen, tileset, trail) {
  if (tileset.path_edge) drawLine(pen, trail, 0.36, tileset.path_edge);
  drawLine(pen, trail, tileset.path_edge ? 0.22 : 0.24, tileset.path);
}

function drawLine(pen, cells, thickness, colour) {
  pen.lineJoin = pen.lineCap = "round";
  pen.lineWidth = thickness;
  pen.strokeStyle = colour;
  pen.beginPath();
  cells.forEach(({ x, y }, number) => {
    const before = cells[number - 1];
    // Stairs lead away: another line begins.
    if (before && Math.abs(before.x - x) + Math.abs(before.y - y) > 1) pen.moveTo(x + 0.5, y + 0.5);
    else pen.lineTo(x + 0.5, y + 0.5);
  });
  pen.stroke();
}

function drawDisc(pen, x, y, radius, colour) {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc(x + 0.5, y + 0.5, radius, 0, 2 * Math.PI);
  pen.fill();
}

function drawPlace(pen, tileset, place, tile, done) {
  pen.globalAlpha = done ? 0.5 : 1;
  if (tileset.atlas && tile >= LEAST_PLACE) {
    drawAtlasTile(pen, tileset.atlas, place.tile, place.x, place.y, 1);
  } else {
    drawDisc(pen, place.x, place.y, 0.46, "#faf8f3");
    drawDisc(pen, place.x, place.y, 0.41, PLACE_COLOURS[place.name] ?? OTHER_PLACE);
    if (tile >= LEAST_PLACE) drawText(pen, place.x, place.y, place.sign, place.sign.length > 1 ? 0.46 : 0.58);
  }
  pen.globalAlpha = 1;
}

function drawPlayer(pen, { x, y }) {
  drawDisc(pen, x, y, 0.38, "#ffffff");
  drawDisc(pen, x, y, 0.31, "#241f2b");
  drawDisc(pen, x, y, 0.13, "#f0a54c");
}
