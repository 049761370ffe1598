// The overview: draws, sorts and filters all levels, and opens them for play.

const pack = JSON.parse(byId("pack").textContent);
pack.levels.forEach((level, index) => { level.number = index + 1; });
const measures = [...new Set(pack.levels.flatMap((level) => Object.keys(level.measures)))];
// Difficulties of levels and of each puzzle have units of their own.
const hardest = {};
for (const level of pack.levels) hardest[level.type] = Math.max(hardest[level.type] ?? 1, level.measures.difficulty ?? 0);
const remembered = `levolve ${pack.digest}`;
const THUMBNAIL = 150;

/** The numbers of the levels that were won on this page before; nothing where the browser keeps nothing. */
function solvedBefore() {
  try {
    return new Set(JSON.parse(localStorage.getItem(remembered) ?? "[]"));
  } catch {
    return new Set();
  }
}
const solved = solvedBefore();

let shown = pack.levels;
const dialog = playDialog(pack, (level) => {
  solved.add(level.number);
  cards.get(level).querySelector("button").classList.add("solved");
  try {
    localStorage.setItem(remembered, JSON.stringify([...solved]));
  } catch { /* then it is forgotten when the page is closed */ }
}, (level, by) => {
  const list = shown.includes(level) ? shown : pack.levels;
  return list[(list.indexOf(level) + by + list.length) % list.length];
});

function makeCard(level) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.className = solved.has(level.number) ? "card solved" : "card";
  button.dataset.name = level.name;
  button.setAttribute("aria-label", `Play level ${level.number}, ${level.kind}, ${level.solution.length} steps`);
  const picture = document.createElement("span");
  picture.className = "picture";
  picture.append(document.createElement("canvas"));
  const caption = document.createElement("span");
  caption.className = "caption";
  const title = document.createElement("b"), facts = document.createElement("span");
  title.textContent = `${level.number}. ${level.kind}`;
  facts.className = "fact";
  caption.append(title, facts);
  const bar = document.createElement("span"), filled = document.createElement("i");
  bar.className = "bar";
  bar.title = `difficulty ${level.measures.difficulty}`;
  filled.style.width = `${Math.max(100 * (level.measures.difficulty ?? 0) / hardest[level.type], 2)}%`;
  bar.append(filled);
  button.append(picture, caption, bar);
  button.addEventListener("click", () => dialog.open(level));
  item.append(button);
  return item;
}
const cards = new Map(pack.levels.map((level) => [level, makeCard(level)]));

function drawCards() {
  for (const [level, card] of cards) {
    const tile = Math.max(THUMBNAIL / Math.max(level.width, level.height), 1);
    drawLevel(card.querySelector("canvas"), level, pack.tilesets[level.tileset], tile);
  }
}

function fill(select, entries) {
  select.replaceChildren(...entries.map(([value, text]) => new Option(text, value)));
}

function arrange() {
  const by = byId("sort").value, kind = byId("kind").value, measure = byId("measure").value;
  const bound = (id, otherwise) => (byId(id).value === "" ? otherwise : Number(byId(id).value));
  const least = bound("least", -Infinity), most = bound("most", Infinity);
  const open = least === -Infinity && most === Infinity;
  shown = pack.levels.filter((level) => {
    const value = level.measures[measure];
    return (kind === "" || level.kind === kind) && (open || (value !== undefined && least <= value && value <= most));
  });
  const turn = byId("descending").checked ? -1 : 1;
  // Levels without this measure come last, in either order.
  shown.sort((a, b) => {
    const [left, right] = [a, b].map((level) => (by === "" ? level.number : level.measures[by]));
    if (left === undefined || right === undefined) return (left === undefined) - (right === undefined) || a.number - b.number;
    return turn * (left - right) || a.number - b.number;
  });
  byId("levels").replaceChildren(...shown.map((level) => cards.get(level)));
  for (const level of shown) {
    const value = level.measures[by];
    cards.get(level).querySelector(".fact").textContent =
      by === "" || by === "exit_path" || value === undefined ? `${level.solution.length} steps` : `${by.replaceAll("_", " ")} ${numberText(value)}`;
  }
  const some = shown.length === pack.levels.length ? `${shown.length}` : `${shown.length} of ${pack.levels.length}`;
  const [levels, one] = pack.levels.length === 1 ? ["level", "it"] : ["levels, each", "one"];
  byId("count").textContent = `${some} ${levels} with a proof that it can be won. Choose ${one} to play.`;
  byId("none").hidden = shown.length > 0;
}

const named = measures.map((name) => [name, name.replaceAll("_", " ")]);
const kinds = [...new Set(pack.levels.map((level) => level.kind))];
fill(byId("sort"), [["", "place in the pack"], ...named]);
fill(byId("measure"), named);
fill(byId("kind"), [["", "all"], ...kinds.map((kind) => [kind, kind])]);
byId("kinds").hidden = kinds.length < 2;
if (measures.includes("difficulty")) byId("measure").value = "difficulty";
const chosen = byId("measure").value;
const controls = byId("controls");
controls.addEventListener("input", arrange);
controls.addEventListener("submit", (event) => event.preventDefault());
controls.addEventListener("reset", () => setTimeout(() => {
  byId("measure").value = chosen;
  arrange();
}));
byId("widen").addEventListener("click", () => controls.reset());
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  drawCards();
  dialog.redraw();
});
await loadAtlases(Object.values(pack.tilesets));
drawCards();
arrange();
if (pack.open) dialog.open(pack.levels[0]);
const tilesetOf = (index) => pack.tilesets[pack.levels[index].tileset];
// For tests: the data of the page, the rules of play, and which tiles of the atlas are drawn.
window.levolve = {
  pack,
  replay: (index, moves) => replay(pack.levels[index], tilesetOf(index), moves),
  layers: (index) => layersOf(pack.levels[index], tilesetOf(index)),
};
