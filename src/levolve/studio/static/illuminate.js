// Illuminate: find the best level for every combination of two measures, and look at, play or breed any of them.

import { get, post, remove } from "/static/api.js";
import { drawLevel } from "/static/draw.js";
import { save } from "/static/files.js";
import { themed } from "/static/formats.js";
import { drawScale, HeatMap, scoreRange } from "/static/heat_map.js";
import { action, element, notify, number, withSeed } from "/static/page.js";
import { RunPanel } from "/static/panel.js";
import { cells } from "/static/run_list.js";

const FIRST = "maze";
const FIGURES = ["coverage", "QD score", "levels", "best", "evaluations", "per second", "time left", "seed", "size"];
const HOVER_MILLISECONDS = 60;
const REFRESH_MILLISECONDS = 2000;

const field = (id, label, input, help = null) => element("div", { className: "field" }, element("label", { htmlFor: id }, label), input,
  help ? element("small", { className: "muted" }, help) : null);
const words = (name) => name.replaceAll("_", " ");

/** A form to start an illumination, and all of them. */
export async function showIlluminations(view) {
  const [recipes, runs] = await Promise.all([get("/recipes"), get("/runs")]);
  const recipe = element("select", { id: "recipe" }, ...recipes.map(({ name }) => element("option", { value: name, selected: name === FIRST }, name)));
  const axes = ["to the right", "upwards"].map((_, place) => element("select", { id: `axis-${place}` }));
  const grid = element("input", { id: "grid", type: "number", min: 2, max: 100, value: 30 });
  const evaluations = element("input", { id: "evaluations", type: "number", min: 1, max: 10_000_000, value: 100_000 });
  const size = element("input", { id: "size", type: "text", placeholder: "of the recipe" });
  const seed = element("input", { id: "seed", type: "text", inputMode: "numeric", placeholder: "random" });
  const choose = async () => {
    const known = await get(`/recipes/${encodeURIComponent(recipe.value)}/axes`);
    axes.forEach((select, place) => select.replaceChildren(...known.axes.map(({ name, meaning }) =>
      element("option", { value: name, title: meaning, selected: name === known.default[place] }, words(name)))));
  };
  recipe.addEventListener("change", action(choose));
  await choose();
  const start = action(async () => {
    const wanted = { axes: axes.map(({ value }) => value), grid: Number(grid.value), evaluations: Number(evaluations.value) };
    const { id } = await post("/runs", { recipe: recipe.value, illuminate: wanted, settings: size.value ? { size: size.value } : {}, ...withSeed(seed) });
    location.hash = `#/illuminate/${id}`;
  });
  const list = element("ol", { className: "runs maps" });
  const none = element("p", { className: "empty" }, "No maps yet. Start one with the form, or on the command line with 'levolve illuminate'.");
  const show = (found) => {
    const maps = found.filter(({ kind }) => kind === "illuminate");
    none.hidden = maps.length > 0;
    list.replaceChildren(...maps.map((run) => element("li", {}, element("a", { href: `#/illuminate/${run.id}` }, ...cells(run)))));
  };
  show(runs);
  view.append(element("div", { className: "columns" },
    element("section", { className: "panel", "aria-label": "New map" },
      element("h1", {}, "New map"),
      element("p", { className: "muted" }, "Illumination keeps the best level of every combination of two measures: from few walls to many, from a short way to a long one."),
      field("recipe", "recipe", recipe), field("axis-0", "to the right", axes[0]), field("axis-1", "upwards", axes[1]),
      field("grid", "cells per axis", grid), field("evaluations", "evaluations", evaluations, "How many levels are tried."),
      field("size", "size", size), field("seed", "seed", seed),
      element("button", { className: "primary", onclick: start }, "Start")),
    element("section", { "aria-label": "Maps" }, element("h1", {}, "Maps"), list, none)));
  const timer = setInterval(() => get("/runs").then(show).catch(() => {}), REFRESH_MILLISECONDS);
  return () => clearInterval(timer);
}

/** The page of one illumination. */
export async function showIllumination(view, id) {
  const page = new IlluminationPage(id);
  await page.load();
  view.append(page.element);
  page.begin();
  return () => page.end();
}

class IlluminationPage {
  constructor(id) {
    this.id = id;
    this.cell = null;
    this.followsBest = true;
    this.known = new Map();
    this.canvas = element("canvas", { className: "heat", tabIndex: 0, role: "application", "aria-label": "Map of elites. The arrow keys choose a cell, Enter selects its level." });
    this.map = new HeatMap(this.canvas, { pointed: (cell, place) => this.preview(cell, place), chosen: (cell, place) => this.select(cell, place) });
    this.scale = element("canvas", { className: "scale", width: 160, height: 14, role: "img", "aria-label": "Colours from the lowest to the highest score" });
    this.least = element("span");
    this.most = element("span");
    this.picture = element("canvas", { className: "board", role: "img", "aria-label": "The level of the chosen cell" });
    this.stage = element("div", { className: "stage elite" }, this.picture);
    this.text = element("p", { className: "about", role: "status" }, "Point at a cell to see its level; click it to play or breed it.");
    this.buttons = element("div", { className: "buttons" },
      element("button", { className: "primary", onclick: this.using((reference) => { location.hash = `#/play/${reference}`; }) }, "Play"),
      element("button", { onclick: this.using((reference) => post("/sessions", { level: reference }).then(({ id: session }) => { location.hash = `#/breed/${session}`; })) }, "Breed"),
      element("button", { onclick: this.using((reference) => post("/shelf", { level: reference, name: this.title }).then(() => notify("The level is on the shelf.", { kind: "news" }))) }, "Keep"));
    this.files = element("button", { onclick: action(async () => {
      await this.stored();
      await save(`/runs/${id}/archive/file?format=zip${themed()}`);
    }) }, "Download the map");
    this.forget = element("button", { className: "quiet", onclick: action(async () => {
      if (!confirm(`Delete map ${id} and all that is stored about it?`)) return;
      this.end();
      await remove(`/runs/${id}`);
      location.hash = "#/illuminate";
    }) }, "Delete");
    this.redraw = () => { this.map.draw(); drawScale(this.scale); };
  }

  async load() {
    this.panel = await RunPanel.load(this.id, { shown: FIGURES, archive: (archive) => this.show(archive), updated: (shown) => { this.forget.hidden = shown.isActive; } });
    const rows = this.panel.rows.bind(this.panel);
    this.panel.rows = () => ({ ...rows(), ...this.figures() });
    const { panel } = this;
    this.element = element("div", { className: "run" },
      element("section", { className: "level", "aria-label": "Map of elites" },
        element("h1", {}, `${panel.state.name} `, panel.status), panel.problem, this.canvas,
        element("div", { className: "scales" }, element("span", {}, "score"), this.least, this.scale, this.most, element("span", { className: "muted" }, "empty: no level found"))),
      element("section", { className: "side", "aria-label": "Chosen level" },
        element("div", { className: "buttons" }, panel.controls, this.files, element("a", { className: "button", href: `#/shelf/of-${this.id}` }, "All levels"), this.forget), this.stage, this.text, this.buttons, panel.figures, panel.legend, panel.chart));
  }

  begin() {
    addEventListener("resize", this.redraw);
    this.panel.begin();
    this.enable(false);
    drawScale(this.scale);
    if (!this.panel.state.live) get(`/runs/${this.id}/archive`).then((archive) => this.show(archive)).catch((problem) => notify(problem.message));
  }

  end() {
    this.panel.end();
    removeEventListener("resize", this.redraw);
  }

  figures() {
    const { archive } = this.map;
    if (!archive) return { coverage: "–", "QD score": "–", levels: "–" };
    const all = archive.axes.reduce((product, { cells: count }) => product * count, 1);
    return {
      coverage: `${number(archive.coverage * 100, 3)} %`, "QD score": number(archive.qd_score, 6), levels: `${number(archive.count, 9)} of ${number(all, 9)}`,
      evaluations: number(archive.evaluations, 9),
    };
  }

  show(archive) {
    const [least, most] = scoreRange(archive);
    this.least.textContent = number(least);
    this.most.textContent = number(most);
    this.map.show(archive);
    this.panel.update();
    // The best level is shown until another is chosen.
    if (this.followsBest && archive.scores.length && String(this.map.cursor) === String(this.map.pinned)) {
      const best = archive.scores.indexOf(most);
      this.map.choose([archive.columns[best], archive.rows[best]]);
      this.followsBest = true;
    }
  }

  enable(enabled) {
    for (const button of this.buttons.children) button.disabled = !enabled;
  }

  select(cell, place) {
    if (place === null) return;
    this.cell = this.map.archive.cells[place];
    this.followsBest = false;
    this.enable(true);
    this.preview(cell, place);
  }

  get title() {
    return `${this.panel.state.name} cell ${this.cell}`;
  }

  /** Show the level of a cell; levels that are known already at once. */
  preview(cell, place) {
    clearTimeout(this.waiting);
    if (!cell) return;
    if (place === null) {
      this.describe(cell, null);
      return;
    }
    const { cells: numbers, scores } = this.map.archive;
    const key = `${numbers[place]} ${scores[place]}`;
    const found = this.known.get(key);
    if (found) this.draw(cell, found);
    else this.waiting = setTimeout(() => this.fetch(cell, numbers[place], key), HOVER_MILLISECONDS);
  }

  async fetch(cell, place, key) {
    try {
      const found = await get(`/runs/${this.id}/elites/${place}`);
      this.known.set(key, found);
      if (String(this.map.cursor) === String(cell)) this.draw(cell, found);
    } catch (problem) {
      notify(problem.message);
    }
  }

  draw(cell, found) {
    this.describe(cell, found);
    const box = this.stage.getBoundingClientRect();
    drawLevel(this.picture, found.level, { width: box.width, height: box.height }).catch((problem) => notify(problem.message));
  }

  describe(cell, found) {
    if (!found) {
      this.text.textContent = "No level was found for this cell.";
      return;
    }
    const values = Object.entries(found.values).map(([name, value]) => `${words(name)} ${number(value)}`).join(", ");
    this.text.textContent = `Score ${number(found.score)}: ${values}${found.level.solution ? `, ${found.level.solution.length} steps` : ""}.`;
  }

  /** A run that goes on is stored as it is now. */
  async stored() {
    if (this.panel.isActive && this.panel.state.live) await post(`/runs/${this.id}/checkpoint`);
  }

  /** An action on the chosen level; a run that goes on is stored first, so that the level is found there. */
  using(work) {
    return action(async () => {
      await this.stored();
      await work(`cell-${this.id}-${this.cell}`);
    });
  }
}
