// Drawing of levels on a canvas, with the same atlas of tiles as in pictures and engine files.

import { get, loadPicture } from "/static/api.js";
import { EMPTY, drawAtlasTile, layersOf } from "/static/play/tiles.js";

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
  [tileset.atlas.picture, tileset.signs.picture] = await Promise.all([loadPicture(tileset.atlas.picture), loadPicture(tileset.signs.picture)]);
  return { ...tileset, kinds: new Map([...tileset.characters].map((character, kind) => [character, kind])) };
}

const SMALLEST_DRAWN = 7;
const SMALLEST_SIGN = 4;
const SMALLEST_FRAMED = 14;

/** Draw a level so that it fits into `width` x `height` CSS pixels. Returns the side of a tile in CSS pixels. */
export async function drawLevel(canvas, level, { width, height, solution = false, locked = null }) {
  const tileset = await tilesetOf(level.tileset);
  const rows = shownRows(level, tileset);
  const columns = rows[0].length;
  const ratio = devicePixelRatio || 1;
  const side = Math.max(1, Math.floor(Math.min((width * ratio) / columns, (height * ratio) / rows.length)));
  canvas.width = columns * side;
  canvas.height = rows.length * side;
  canvas.style.width = `${(columns * side) / ratio}px`;
  canvas.style.height = `${(rows.length * side) / ratio}px`;
  const pen = canvas.getContext("2d");
  pen.imageSmoothingEnabled = side < tileset.atlas.tile || side % tileset.atlas.tile !== 0;
  if (side < SMALLEST_DRAWN) drawFlat(pen, rows, tileset, side);
  else drawTiles(pen, { ...level, rows }, tileset, side);
  if (locked) drawLocks(pen, locked, side);
  if (solution && level.solution) drawSolution(pen, level, side);
  drawMarks(pen, level, tileset, side);
  return side / ratio;
}

/** Draw only the places and things of a level, over what is on the canvas; `side` is that of a tile in pixels of the canvas. */
export async function drawPlaces(canvas, level, side) {
  const tileset = await tilesetOf(level.tileset);
  drawMarks(canvas.getContext("2d"), level, tileset, side);
}

function drawMarks(pen, { places = [], things = [] }, tileset, side) {
  for (const place of places) drawPlace(pen, place, tileset, side);
  for (const thing of things) drawThing(pen, thing, tileset.signs, side);
}

/** The rows as players see them: a secret door is a wall. */
function shownRows({ rows, hidden = [] }, tileset) {
  if (!hidden.length) return rows;
  const cells = rows.map((row) => [...row]);
  for (const [x, y] of hidden) cells[y][x] = tileset.characters[tileset.wall];
  return cells.map((row) => row.join(""));
}

function drawThing(pen, { x, y, sign, colour, letter }, signs, side) {
  if (sign !== null && side >= SMALLEST_SIGN) return drawAtlasTile(pen, signs, sign, x * side, y * side, side);
  pen.fillStyle = colour;
  if (side < SMALLEST_SIGN) return pen.fillRect(x * side, y * side, side, side);
  pen.beginPath();
  pen.arc((x + 0.5) * side, (y + 0.5) * side, side * 0.42, 0, 2 * Math.PI);
  pen.fill();
  pen.fillStyle = "#fff";
  pen.strokeStyle = "#2b2330";
  pen.lineWidth = side * 0.15;
  pen.font = `bold ${side * 0.6}px sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.strokeText(letter, (x + 0.5) * side, (y + 0.54) * side);
  pen.fillText(letter, (x + 0.5) * side, (y + 0.54) * side);
}

function drawFlat(pen, rows, tileset, side) {
  rows.forEach((row, y) => [...row].forEach((character, x) => {
    pen.fillStyle = tileset.colours[tileset.kinds.get(character)];
    pen.fillRect(x * side, y * side, side, side);
  }));
}

function drawTiles(pen, level, tileset, side) {
  for (const layer of layersOf(level, tileset)) {
    layer.forEach((row, y) => row.forEach((number, x) => {
      if (number !== EMPTY) drawAtlasTile(pen, tileset.atlas, number, x * side, y * side, side);
    }));
  }
}

function drawPlace(pen, place, tileset, side) {
  const known = tileset.atlas.places[place.name] ?? tileset.atlas.places["checkpoint 9"];
  if (side >= 4) drawAtlasTile(pen, tileset.atlas, known, place.x * side, place.y * side, side);
}

const STEPS = { u: [0, -1], d: [0, 1], l: [-1, 0], r: [1, 0] };

/** The cells of a solution without things. */
function stepsOf({ places, solution }) {
  const start = places.find(({ name }) => name === "entrance") ?? places.find(({ name }) => name === "A");
  if (!start) return [];
  let { x, y } = start;
  return [[x, y], ...[...solution].map((move) => [x += STEPS[move][0], y += STEPS[move][1]])];
}

function drawSolution(pen, level, side) {
  pen.beginPath();
  for (const line of level.lines ?? [stepsOf(level)]) {
    line.forEach(([x, y], index) => pen[index ? "lineTo" : "moveTo"]((x + 0.5) * side, (y + 0.5) * side));
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
