// Shelf: every level, puzzle, pack, map and run of the store. Search, filter, compare two levels, download, make a pack.

import { get } from "/static/api.js";
import { currentTheme } from "/static/draw.js";
import { save } from "/static/files.js";
import { formats, themed } from "/static/formats.js";
import { action, element, notify } from "/static/page.js";
import { levelCard, runCard } from "/static/shelf_cards.js";

const SHELVES = { levels: "Levels", packs: "Packs", maps: "Maps", runs: "Runs" };
const MEASURES = ["difficulty", "exit_path", "walls", "dead_ends", "junctions", "turns", "branching", "rooms", "loops"];
const MAP_FORMATS = [
  { name: "zip", meaning: "all files" }, { name: "html", meaning: "a page on which every level is played" }, { name: "png", meaning: "the map as a picture" },
  { name: "npz", meaning: "genes, scores and values as arrays" }, { name: "json", meaning: "what the arrays mean, with recipe and seed" }, { name: "csv", meaning: "coverage and QD score over time" },
];
const PACKED = ["json", "png", "tmx"];
const EMPTY = {
  levels: "No levels yet. Evolve or breed one first, or change the filter.",
  packs: "No packs yet. Choose levels to make one, build one with 'levolve pack', or change the filter.",
  maps: "No maps yet. Start one in the room Illuminate, or with 'levolve illuminate', or change the filter.",
  runs: "No runs yet. Start one in the room Watch, or with 'levolve evolve', or change the filter.",
};

/** Which words count, and how many there are. */
const counted = (total, noun) => `${total.toLocaleString("en")} ${total === 1 ? noun.slice(0, -1) : noun}`.toLowerCase();

/** `what` is one of the shelves, or `of-7` for the levels of run 7. */
export async function showShelf(view, what = "levels") {
  const source = /^of-([1-9][0-9]*)$/.exec(what)?.[1] ?? null;
  const shelf = source ? "levels" : what;
  if (!(shelf in SHELVES)) throw new Error("There is no such shelf.");
  const [known, run] = await Promise.all([formats(), source ? get(`/runs/${source}`) : null]);
  const search = element("input", { type: "text", id: "search", placeholder: shelf === "levels" ? "name, recipe or digest" : "name, number, seed or status" });
  const recipe = element("select", { id: "recipe" });
  const measure = element("select", { id: "measure" }, ...MEASURES.map((name) => element("option", { value: name }, name.replaceAll("_", " "))));
  const least = element("input", { type: "number", id: "least", step: "any" });
  const most = element("input", { type: "number", id: "most", step: "any" });
  const format = element("select", { id: "format" }, ...(shelf === "maps" ? MAP_FORMATS : known).map(({ name, meaning }) => element("option", { value: name, title: meaning }, name)));
  const list = element("ol", { className: "shelf" });
  const none = element("p", { className: "empty", hidden: true }, EMPTY[shelf]);
  const count = element("p", { className: "muted", role: "status" });
  const more = element("button", { onclick: action(() => load(page + 1)) }, "Show more");
  const chosen = new Map();
  const tray = element("div", { className: "tray", hidden: true, role: "region", "aria-label": "Chosen levels" });
  let page = 0;
  let asked = 0;

  const load = async (wanted) => {
    page = wanted;
    const turn = ++asked;
    const filters = { search: search.value, recipe: recipe.value, measure: measure.value, least: least.value, most: most.value, page, run: source ?? "" };
    const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ""));
    const found = await get(shelf === "levels" ? `/shelf?${query}` : `/shelf/${shelf}?${query}`);
    if (turn !== asked) return;
    if (recipe.childElementCount !== found.recipes.length + 1) {
      const before = recipe.value;
      recipe.replaceChildren(element("option", { value: "" }, "all"), ...found.recipes.map((name) => element("option", { value: name, selected: name === before }, name)));
    }
    if (!wanted) list.replaceChildren();
    list.append(...(found.levels ?? found.entries).map(shelf === "levels" ? card : (entry) => runCard(entry, { shelf, format: () => format.value })));
    none.hidden = found.total > 0;
    count.textContent = counted(found.total, SHELVES[shelf]);
    more.hidden = (page + 1) * found.per_page >= found.total;
  };

  const card = (entry) => levelCard(entry, {
    chosen: chosen.has(entry.id),
    choose: (isChosen) => {
      if (isChosen) chosen.set(entry.id, entry);
      else chosen.delete(entry.id);
      showTray();
    },
    changed: () => load(0),
    format: () => format.value,
  });

  const showTray = () => {
    tray.hidden = chosen.size === 0;
    const ids = [...chosen.keys()];
    const wanted = known.map(({ name, meaning }) => element("label", { className: "check", title: meaning },
      element("input", { type: "checkbox", value: name, checked: PACKED.includes(name) }), ` ${name}`));
    const name = element("input", { type: "text", value: "levels", "aria-label": "Name of the pack" });
    const pack = element("button", { className: "primary", onclick: action(async () => {
      const ticked = wanted.map((label) => label.querySelector("input")).filter(({ checked }) => checked).map(({ value }) => value);
      await save("/packs", { name: name.value, levels: ids, formats: ticked, ...(currentTheme() ? { theme: currentTheme() } : {}) });
    }) }, `Make a pack of ${chosen.size}`);
    const compare = ids.length === 2 ? element("a", { className: "button", href: `#/shelf/${ids[0]}/${ids[1]}` }, "Compare the two") : null;
    const play = element("a", { className: "button", href: `#/play/${ids.join(",")}` }, "Play");
    const clear = element("button", { className: "quiet", onclick: () => { chosen.clear(); showTray(); load(0); } }, "Clear");
    tray.replaceChildren(name, ...wanted, pack, ...[compare, play, clear].filter(Boolean));
  };

  let waiting;
  const later = () => { clearTimeout(waiting); waiting = setTimeout(() => load(0).catch((problem) => notify(problem.message)), 250); };
  for (const input of [search, recipe, measure, least, most]) input.addEventListener("input", later);
  const labelled = (label, input) => element("label", { className: "filter" }, element("span", {}, label), input);
  const shelves = element("nav", { className: "shelves", "aria-label": "What the shelf shows" },
    ...Object.entries(SHELVES).map(([name, title]) => element("a", { className: "button", href: name === "levels" ? "#/shelf" : `#/shelf/${name}`, "aria-current": name === shelf && !source ? "page" : null }, title)));
  view.append(...[
    element("h1", {}, source ? `Levels of ${run.name}, ${run.kind} ${run.id}` : "Shelf"), shelves, source ? about(run) : null,
    element("div", { className: "filters" }, labelled("search", search), labelled("recipe", recipe), labelled("measure", measure), labelled("from", least), labelled("to", most), labelled("download as", format)),
    count, tray, list, none, more].filter(Boolean));
  await load(0);
  return () => clearTimeout(waiting);
}

/** What is known of the run whose levels are listed. */
function about(run) {
  const files = run.kind === "illuminate" ? null : element("button", { onclick: action(() => save(`/runs/${run.id}/pack?formats=json,png,tmx${themed()}`)) }, "Download the pack");
  const map = run.kind === "illuminate" ? element("a", { className: "button", href: `#/illuminate/${run.id}` }, "Open the map") : null;
  return element("div", { className: "buttons" }, element("span", { className: `status ${run.status}` }, run.status),
    element("span", { className: "muted" }, [run.headline, run.size, `seed ${run.seed}`, run.problem].filter(Boolean).join(" · ")), files, map);
}
