// Shelf: every level and puzzle of the store. Search, filter, compare two, download, make a pack.

import { get, post, Problem, remove } from "/static/api.js";
import { breedFrom } from "/static/breed.js";
import { currentTheme, drawLevel } from "/static/draw.js";
import { action, ago, element, notify, number } from "/static/page.js";

const MEASURES = ["difficulty", "exit_path", "walls", "dead_ends", "junctions", "turns", "branching", "rooms", "loops"];
const PACK_FORMATS = ["json", "png", "tmx", "ldtk", "tscn", "txt", "csv"];

export async function showShelf(view) {
  const search = element("input", { type: "text", id: "search", placeholder: "name, recipe or digest" });
  const recipe = element("select", { id: "recipe" });
  const measure = element("select", { id: "measure" }, ...MEASURES.map((name) => element("option", { value: name }, name.replaceAll("_", " "))));
  const least = element("input", { type: "number", id: "least", step: "any" });
  const most = element("input", { type: "number", id: "most", step: "any" });
  const list = element("ol", { className: "shelf" });
  const none = element("p", { className: "empty", hidden: true }, "Nothing here yet. Evolve or breed a level first, or change the filter.");
  const count = element("p", { className: "muted", role: "status" });
  const more = element("button", { onclick: action(() => load(page + 1)) }, "Show more");
  const chosen = new Map();
  const tray = element("div", { className: "tray", hidden: true, role: "region", "aria-label": "Chosen levels" });
  let page = 0;

  const load = async (wanted) => {
    page = wanted;
    const filters = { search: search.value, recipe: recipe.value, measure: measure.value, least: least.value, most: most.value, page };
    const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ""));
    const found = await get(`/shelf?${query}`);
    if (recipe.childElementCount !== found.recipes.length + 1) {
      const before = recipe.value;
      recipe.replaceChildren(element("option", { value: "" }, "all"), ...found.recipes.map((name) => element("option", { value: name, selected: name === before }, name)));
    }
    if (!wanted) list.replaceChildren();
    list.append(...found.levels.map(card));
    none.hidden = found.total > 0;
    count.textContent = `${found.total} ${found.total === 1 ? "level" : "levels"}`;
    more.hidden = (page + 1) * found.per_page >= found.total;
  };

  const card = (entry) => {
    const canvas = element("canvas", { role: "img", "aria-label": `${entry.name}, ${entry.recipe}` });
    const choice = element("input", { type: "checkbox", checked: chosen.has(entry.id), "aria-label": `Choose ${entry.name} ${entry.recipe}` });
    choice.addEventListener("change", () => {
      if (choice.checked) chosen.set(entry.id, entry);
      else chosen.delete(entry.id);
      showTray();
    });
    const kept = entry.id.startsWith("kept-");
    const keep = element("button", { className: "quiet", onclick: action(async () => {
      if (kept) await remove(`/shelf/${entry.id.slice(5)}`);
      else await post("/shelf", { level: entry.id, name: `${entry.recipe || "level"} ${entry.digest.slice(0, 6)}` });
      notify(kept ? "Taken off the shelf." : "Kept. It stays here even if its run is deleted.", { kind: "done" });
      await load(0);
    }) }, kept ? "Remove" : "Keep");
    const item = element("li", {},
      element("div", { className: "thumbnail" }, entry.level ? canvas : element("span", { className: "muted" }, entry.recipe)),
      element("label", { className: "check" }, choice, ` ${entry.name}`),
      element("span", { className: "muted" }, `${entry.recipe} · ${entry.steps} steps · ${ago(entry.added)}`),
      element("div", { className: "buttons" }, element("a", { className: "button", href: `#/play/${entry.id}` }, "Play"),
        entry.level ? element("button", { onclick: breedFrom(entry.id), "aria-label": `Breed from ${entry.name}` }, "Breed") : null, keep));
    if (entry.level) drawLevel(canvas, entry.level, { width: 170, height: 130 }).catch((problem) => notify(problem.message));
    return item;
  };

  const showTray = () => {
    tray.hidden = chosen.size === 0;
    const ids = [...chosen.keys()];
    const formats = PACK_FORMATS.map((name) => element("label", { className: "check" },
      element("input", { type: "checkbox", value: name, checked: ["json", "png", "tmx"].includes(name) }), ` ${name}`));
    const name = element("input", { type: "text", value: "levels", "aria-label": "Name of the pack" });
    const pack = element("button", { className: "primary", onclick: action(async () => {
      const wanted = formats.map((label) => label.querySelector("input")).filter(({ checked }) => checked).map(({ value }) => value);
      await download("/api/packs", { name: name.value, levels: ids, formats: wanted, ...(currentTheme() ? { theme: currentTheme() } : {}) }, `${name.value}.zip`);
    }) }, `Make a pack of ${chosen.size}`);
    const compare = ids.length === 2 ? element("a", { className: "button", href: `#/shelf/${ids[0]}/${ids[1]}` }, "Compare the two") : null;
    const play = element("a", { className: "button", href: `#/play/${ids.join(",")}` }, "Play");
    const clear = element("button", { className: "quiet", onclick: () => { chosen.clear(); showTray(); load(0); } }, "Clear");
    tray.replaceChildren(name, ...formats, pack, ...[compare, play, clear].filter(Boolean));
  };

  let waiting;
  const later = () => { clearTimeout(waiting); waiting = setTimeout(() => load(0).catch((problem) => notify(problem.message)), 250); };
  for (const input of [search, recipe, measure, least, most]) input.addEventListener("input", later);
  const labelled = (label, input) => element("label", { className: "filter" }, element("span", {}, label), input);
  view.append(
    element("h1", {}, "Shelf"),
    element("div", { className: "filters" }, labelled("search", search), labelled("recipe", recipe), labelled("measure", measure), labelled("from", least), labelled("to", most)),
    count, tray, list, none, more);
  await load(0);
}

async function download(path, body, name) {
  const answer = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  if (!answer.ok) throw new Problem((await answer.json().catch(() => ({}))).error ?? "The pack could not be made.");
  const link = element("a", { href: URL.createObjectURL(await answer.blob()), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Two levels side by side, with their distances from the entrance. */
export async function showComparison(view, first, second) {
  const levels = await Promise.all([get(`/levels/${first}`), get(`/levels/${second}`)]);
  const farthest = Math.max(1, ...levels.flatMap(({ distances }) => (distances ?? []).flat()));
  const heat = element("input", { type: "checkbox", id: "heat", checked: true });
  const boards = levels.map(() => element("canvas", { role: "img" }));
  const draw = () => levels.forEach(async ({ level, distances }, index) => {
    const side = await drawLevel(boards[index], level, { width: Math.min(620, view.clientWidth / 2 - 24), height: 420 });
    if (heat.checked && distances) drawDistances(boards[index], distances, side * (devicePixelRatio || 1), farthest);
    boards[index].setAttribute("aria-label", `${level.width} by ${level.height} tiles, ${level.solution.length} steps`);
  });
  heat.addEventListener("change", draw);
  const names = [...new Set(levels.flatMap(({ measures }) => Object.keys(measures)))];
  const rows = names.map((name) => {
    const values = levels.map(({ measures }) => measures[name]);
    return element("tr", { className: values[0] === values[1] ? "same" : "" },
      element("th", { scope: "row" }, name.replaceAll("_", " ")), ...values.map((value) => element("td", {}, number(value ?? null))));
  });
  view.append(
    element("p", {}, element("a", { href: "#/shelf" }, "Back to the shelf")),
    element("h1", {}, "Two levels"),
    element("label", { className: "check" }, heat, " show the steps from the entrance, from blue to red"),
    element("div", { className: "pair" }, ...boards),
    element("table", { className: "measures" }, element("thead", {}, element("tr", {}, element("th", {}, "measure"), element("th", {}, first), element("th", {}, second))),
      element("tbody", {}, ...rows)));
  draw();
}

function drawDistances(canvas, distances, side, farthest) {
  const pen = canvas.getContext("2d");
  distances.forEach((row, y) => row.forEach((steps, x) => {
    if (steps < 0) return;
    const share = steps / farthest;
    pen.fillStyle = `hsl(${210 - 200 * share} 75% ${72 - 40 * share}% / 0.72)`;
    pen.fillRect(x * side, y * side, side, side);
  }));
}
