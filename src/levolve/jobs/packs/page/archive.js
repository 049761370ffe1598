// The map of an archive: a cell for each level. A cell under the pointer is shown beside the map, and a chosen one is played.

const pack = JSON.parse(byId("pack").textContent);
pack.levels.forEach((level, index) => { level.number = index + 1; });
const [across, up] = pack.map.axes;
const [columns, rows] = pack.map.shape;
const places = new Map();
const PREVIEW = 320;
// From low scores to high ones, as in the heat map.
const RAMP = [[222, 235, 210], [150, 206, 160], [66, 160, 152], [38, 104, 140], [44, 44, 104]];

const scores = pack.levels.map((level) => level.measures.score);
const lowest = Math.min(...scores), highest = Math.max(...scores);

function colourOf(score) {
  const depth = (highest > lowest ? (score - lowest) / (highest - lowest) : 0) * (RAMP.length - 1);
  const step = Math.min(Math.floor(depth), RAMP.length - 2);
  return `rgb(${RAMP[step].map((low, channel) => Math.round(low + (RAMP[step + 1][channel] - low) * (depth - step))).join(" ")})`;
}

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const words = (name) => name.replaceAll("_", " ");
const buttons = new Map();
const dialog = playDialog(pack, (level) => buttons.get(level).classList.add("solved"), (level, by) =>
  pack.levels[(pack.levels.indexOf(level) + by + pack.levels.length) % pack.levels.length]);

const preview = element("canvas"), facts = element("dl"), title = element("b");
function show(level) {
  const tile = Math.max(Math.floor(PREVIEW / Math.max(level.width, level.height)), 1);
  drawLevel(preview, level, pack.tilesets[level.tileset], tile);
  title.textContent = level.name;
  facts.replaceChildren(...Object.entries(level.measures).flatMap(([name, value]) =>
    [element("dt", {}, words(name)), element("dd", {}, numberText(value))]));
}

const cells = element("div", { id: "cells", role: "group", "aria-label": `${pack.levels.length} levels by ${words(across.name)} and ${up ? words(up.name) : "score"}` });
cells.style.gridTemplateColumns = `repeat(${columns}, 1fr)`;
cells.style.gridTemplateRows = `repeat(${rows}, 1fr)`;
pack.levels.forEach((level, index) => {
  const [x, y] = pack.map.cells[index];
  const button = element("button", { type: "button", "aria-label": `Play ${level.name}, score ${numberText(level.measures.score)}`, tabindex: index ? "-1" : "0" });
  button.style.gridColumn = x + 1;
  button.style.gridRow = rows - y;
  button.style.background = colourOf(level.measures.score);
  button.addEventListener("pointerenter", () => show(level));
  button.addEventListener("focus", () => show(level));
  button.addEventListener("click", () => dialog.open(level));
  buttons.set(level, button);
  places.set(`${x},${y}`, button);
  cells.append(button);
});

/** The arrow keys move the focus to the next level in their direction. */
cells.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
  const index = pack.levels.findIndex((level) => buttons.get(level) === event.target);
  if (!step || index < 0) return;
  event.preventDefault();
  let [x, y] = pack.map.cells[index];
  do { x += step[0]; y += step[1]; } while (x >= 0 && x < columns && y >= 0 && y < rows && !places.has(`${x},${y}`));
  const next = places.get(`${x},${y}`);
  if (!next) return;
  event.target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
});

const ends = (axis, kind) => element("div", { class: `ends ${kind}` }, element("span", {}, numberText(axis.low)), element("span", {}, numberText(axis.high)));
const figure = element("figure", {},
  element("div", { class: "upward" }, up ? words(up.name) : ""), up ? ends(up, "up") : element("div"), cells,
  ends(across, "right"), element("div", { class: "rightward" }, words(across.name)));
byId("controls").hidden = true;
byId("levels").replaceWith(element("div", { id: "archive" }, figure, element("aside", { id: "preview" }, title, element("div", {}, preview), facts)));
byId("count").textContent = `${pack.map.summary} Each level has a proof that it can be won. Choose one to play.`;
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => dialog.redraw());
await loadAtlases(Object.values(pack.tilesets));
if (pack.levels.length) show(pack.levels[0]);
// For tests.
window.levolve = { pack, button: (index) => buttons.get(pack.levels[index]) };
