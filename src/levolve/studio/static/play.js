// Play: a level or puzzle of the store, or a new one, on the page that packs have too.

import { ask, get } from "/static/api.js";
import { currentTheme } from "/static/draw.js";
import { samplePicture } from "/static/home.js";
import { element } from "/static/page.js";

const LEVELS = ["labyrinth", "castle", "grotto", "garden", "maze-chromatic", "dungeon"];

/** Choose something new to play. */
export async function showChoices(view) {
  const [recipes, puzzles] = await Promise.all([get("/recipes"), get("/puzzles")]);
  const chosen = recipes.filter(({ name }) => LEVELS.includes(name)).map(({ name, summary, sample }) => ({ name, meaning: summary, sample }));
  const card = ({ name, meaning, sample }) => element("li", {},
    sample ? samplePicture(name, sample) : null,
    element("h3", {}, name),
    element("p", {}, meaning),
    element("div", { className: "buttons" }, element("a", { className: "button primary", href: `#/play/new/${encodeURIComponent(name)}`, "aria-label": `Play ${name}` }, "Play")));
  view.append(
    element("h1", {}, "Play something new"),
    element("p", { className: "muted" }, "Levels of your runs are played from their pages and from the shelf."),
    element("h2", {}, "Puzzles"), element("ul", { className: "recipes" }, ...puzzles.map(card)),
    element("h2", {}, "Levels"), element("ul", { className: "recipes" }, ...chosen.map(card)));
}

/** Show a page of the API in a frame. Returns what gives it up. */
function frame(view, path, title) {
  const separator = path.includes("?") ? "&" : "?";
  const theme = currentTheme() ? `${separator}theme=${encodeURIComponent(currentTheme())}` : "";
  const board = element("iframe", { className: "playing", title });
  const control = new AbortController();
  view.classList.add("whole");
  view.append(board);
  const load = async () => {
    board.srcdoc = await (await ask(`/api${path}${theme}`, { signal: control.signal })).text();
    board.addEventListener("load", () => board.contentWindow.focus(), { once: true });
  };
  load().catch((problem) => {
    if (!control.signal.aborted) view.replaceChildren(element("p", { className: "empty" }, problem.message));
  });
  return () => control.abort();
}

export function showNew(view, name) {
  return frame(view, `/play/new/${encodeURIComponent(name)}`, `Playing ${name}`);
}

export function showLevels(view, levels) {
  return frame(view, `/play?levels=${encodeURIComponent(levels)}`, "Playing");
}
