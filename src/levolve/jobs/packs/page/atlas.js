// The tiles of a theme: which tile of the atlas each cell shows, the same as in formats/themes/atlas.py, and a level drawn with them.

// (column, row) of each neighbour, clockwise from north: the order of the bits of a mask.
const NEIGHBOURS = [[0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1]];
const EMPTY = -1;
// Of a hundred cells, about this many do not show the first variant; and the seed for kind 0, as in formats/themes/variants.py.
const VARIED = 16, SEED = 1_000_000;
// Browsers refuse larger pictures.
const MOST_PIXELS = 16_000_000;

/** A mask without the corners that do not count: a corner counts only if both sides next to it are walls. */
function reduced(mask) {
  for (let corner = 1; corner < 8; corner += 2) {
    const sides = 1 << (corner - 1) | 1 << (corner + 1) % 8;
    if ((mask & sides) !== sides) mask &= ~(1 << corner);
  }
  return mask;
}

const MASKS = [...new Set(Array.from({ length: 256 }, (_, mask) => reduced(mask)))].sort((a, b) => a - b);
const POSITIONS = Array.from({ length: 256 }, (_, mask) => MASKS.indexOf(reduced(mask)));

/** The variant of a tile that is no wall, which depends only on its kind and its cell. Products are rounded to floats on purpose. */
function variantAt(kind, x, y, variants) {
  if (variants === 1) return 0;
  let mixed = (SEED + kind + x * 374761393 + y * 668265263) | 0;
  mixed = ((mixed ^ (mixed >> 13)) * 1274126177) | 0;
  mixed ^= mixed >> 16;
  return modulo(mixed, 100) < VARIED ? 1 + modulo(mixed, variants - 1) : 0;
}

const modulo = (number, by) => ((number % by) + by) % by;

/** The tile that each cell shows, in one layer, or in two where the tileset has walls: the floor, and the walls above it. */
function layersOf(level, tileset) {
  const { first, variants } = tileset.atlas, { wall, open } = tileset;
  const kinds = level.rows.map((row) => [...row].map((character) => tileset.characters.indexOf(character)));
  // Cells outside count as walls.
  const isWall = (x, y) => (kinds[y]?.[x] ?? wall) === wall;
  const floor = kinds.map((row, y) => row.map((kind, x) => {
    const below = kind === wall ? open : kind;
    return first[below] + variantAt(below, x, y, variants);
  }));
  if (wall === null) return [floor];
  const walls = kinds.map((row, y) => row.map((kind, x) => {
    if (kind !== wall) return EMPTY;
    const mask = NEIGHBOURS.reduce((bits, [dx, dy], bit) => bits | isWall(x + dx, y + dy) << bit, 0);
    return first[wall] + POSITIONS[mask];
  }));
  return [floor, walls];
}

/** Load the pictures of all atlases, and those of things. */
function loadAtlases(tilesets) {
  const pictures = tilesets.flatMap(({ atlas, signs }) => [atlas, signs]).filter(Boolean);
  return Promise.all(pictures.map((atlas) => {
    atlas.picture = new Image();
    atlas.picture.src = atlas.image;
    return atlas.picture.decode();
  }));
}

function drawAtlasTile(pen, atlas, number, x, y, size) {
  const { tile, columns, picture } = atlas;
  pen.drawImage(picture, number % columns * tile, Math.floor(number / columns) * tile, tile, tile, x, y, size, size);
}

// The level that was drawn last, in the atlas' own size: a game draws the same one after each step.
let drawn = { level: null, canvas: null };

/** All tiles of a level in the size of the atlas, so that scaling it shows no gaps; null for a level too large. */
function drawnTiles(level, tileset) {
  const { atlas } = tileset;
  if (level.width * level.height * atlas.tile ** 2 > MOST_PIXELS) return null;
  if (drawn.level !== level) {
    const canvas = document.createElement("canvas");
    canvas.width = level.width * atlas.tile;
    canvas.height = level.height * atlas.tile;
    const pen = canvas.getContext("2d");
    for (const layer of layersOf(level, tileset)) {
      layer.forEach((row, y) => row.forEach((number, x) => {
        if (number !== EMPTY) drawAtlasTile(pen, atlas, number, x * atlas.tile, y * atlas.tile, atlas.tile);
      }));
    }
    drawn = { level, canvas };
  }
  return drawn.canvas;
}
