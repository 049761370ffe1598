// Drawing of levels on a canvas, with the same atlas of tiles as in pictures and engine files.

import { get } from "/static/api.js";

const atlases = new Map();
let theme = localStorage.getItem("theme") ?? "";

export const currentTheme = () => theme;

export function chooseTheme(name) {
  theme = name;
  localStorage.setItem("theme", name);
  dispatchEvent(new Event("theme"));
}

/** Load a tileset with its atlas in the current theme. */
export function tilesetOf(name) {
  const key = `${name} ${theme}`;
  if (!atlases.has(key)) atlases.set(key, load(name));
  return atlases.get(key);
}

async function load(name) {
  const tileset = await get(`/tilesets/${encodeURIComponent(name)}${theme ? `?theme=${encodeURIComponent(theme)}` : ""}`);
  const picture = new Image();
  picture.src = tileset.atlas.picture;
  await picture.decode();
  return { ...tileset, picture, kinds: new Map([...tileset.characters].map((character, kind) => [character, kind])) };
}

// Clockwise from north, as in the masks of walls.
const AROUND = [[0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1]];

/** The variant of a floor tile, which depends only on its position; the same as in files. */
function variantOf(x, y, variants) {
  if (variants < 2) return 0;
  let mixed = Math.imul(y, 2654435761) ^ Math.imul(x, 2246822519) ^ 374761393;
  mixed = Math.imul(mixed ^ (mixed >>> 15), 3266489917) >>> 0;
  mixed = (mixed ^ (mixed >>> 13)) >>> 0;
  return mixed % 6 === 0 ? 1 + ((mixed >>> 8) % (variants - 1)) : 0;
}

const SMALLEST_DRAWN = 7;
const SMALLEST_FRAMED = 14;

/** Draw a level so that it fits into `width` x `height` CSS pixels. Returns the side of a tile in CSS pixels. */
export async function drawLevel(canvas, level, { width, height, solution = false, locked = null }) {
  const tileset = await tilesetOf(level.tileset);
  const rows = level.rows;
  const columns = rows[0].length;
  const ratio = devicePixelRatio || 1;
  const side = Math.max(1, Math.floor(Math.min((width * ratio) / columns, (height * ratio) / rows.length)));
  canvas.width = columns * side;
  canvas.height = rows.length * side;
  canvas.style.width = `${(columns * side) / ratio}px`;
  canvas.style.height = `${(rows.length * side) / ratio}px`;
  const pen = canvas.getContext("2d");
  pen.imageSmoothingEnabled = side < tileset.atlas.tile || side % tileset.atlas.tile !== 0;
  const kinds = rows.map((row) => [...row].map((character) => tileset.kinds.get(character)));
  if (side < SMALLEST_DRAWN) drawFlat(pen, kinds, tileset, side);
  else drawTiles(pen, kinds, tileset, side);
  if (locked) drawLocks(pen, locked, side);
  if (solution && level.solution) drawSolution(pen, level, side);
  for (const place of level.places ?? []) drawPlace(pen, place, tileset, side);
  return side / ratio;
}

function drawFlat(pen, kinds, tileset, side) {
  kinds.forEach((row, y) => row.forEach((kind, x) => {
    pen.fillStyle = tileset.colours[kind];
    pen.fillRect(x * side, y * side, side, side);
  }));
}

function drawTiles(pen, kinds, tileset, side) {
  const { atlas, wall, floor } = tileset;
  const closed = (x, y) => kinds[y]?.[x] === undefined || kinds[y][x] === wall;
  kinds.forEach((row, y) => row.forEach((kind, x) => {
    const below = kind === wall ? floor : kind;
    stamp(pen, tileset, atlas.first[below] + variantOf(x, y, atlas.variants), x, y, side);
    if (kind !== wall || wall === null) return;
    const mask = AROUND.reduce((bits, [column, step], bit) => bits | (closed(x + column, y + step) ? 1 << bit : 0), 0);
    stamp(pen, tileset, atlas.first[wall] + atlas.walls[mask], x, y, side);
  }));
}

function stamp(pen, { picture, atlas }, number, x, y, side) {
  const left = (number % atlas.columns) * atlas.tile;
  const top = Math.floor(number / atlas.columns) * atlas.tile;
  pen.drawImage(picture, left, top, atlas.tile, atlas.tile, x * side, y * side, side, side);
}

function drawPlace(pen, place, tileset, side) {
  const known = tileset.atlas.places[place.name] ?? tileset.atlas.places["checkpoint 9"];
  if (side >= 4) stamp(pen, tileset, known, place.x, place.y, side);
}

const STEPS = { u: [0, -1], d: [0, 1], l: [-1, 0], r: [1, 0] };

function drawSolution(pen, level, side) {
  const start = level.places.find(({ name }) => name === "entrance") ?? level.places.find(({ name }) => name === "A");
  if (!start) return;
  let { x, y } = start;
  pen.beginPath();
  pen.moveTo((x + 0.5) * side, (y + 0.5) * side);
  for (const move of level.solution) {
    x += STEPS[move][0];
    y += STEPS[move][1];
    pen.lineTo((x + 0.5) * side, (y + 0.5) * side);
  }
  pen.lineJoin = pen.lineCap = "round";
  for (const [colour, share] of [["#2b2330", 0.3], ["#f2a541", 0.18]]) {
    pen.strokeStyle = colour;
    pen.lineWidth = Math.max(1, side * share);
    pen.stroke();
  }
}

function drawLocks(pen, locked, side) {
  pen.fillStyle = "rgba(60, 120, 220, 0.35)";
  pen.strokeStyle = "rgba(30, 80, 190, 0.9)";
  pen.lineWidth = 1;
  for (const [x, y] of locked) {
    pen.fillRect(x * side, y * side, side, side);
    if (side >= SMALLEST_FRAMED) pen.strokeRect(x * side + 0.5, y * side + 0.5, side - 1, side - 1);
  }
}
