// Watch: all runs, and the page of one run.

import { get, post, put, remove } from "/static/api.js";
import { AncestorLine } from "/static/ancestors.js";
import { breedFrom } from "/static/breed.js";
import { drawLevel } from "/static/draw.js";
import { RecipeForm } from "/static/form.js";
import { downloading } from "/static/formats.js";
import { action, element, number, withSeed } from "/static/page.js";
import { RunPanel } from "/static/panel.js";
import { RunList } from "/static/run_list.js";
import { movesOf, solverForm } from "/static/solver.js";

// Runs whose page shows a level or an attempt.
const SHOWN = ["evolve", "solve"];

/** The list of runs, with a form to start another. */
export async function showRuns(view) {
  const [recipes, puzzles, runs] = await Promise.all([get("/recipes"), get("/puzzles"), get("/runs")]);
  const choice = element("select", { id: "recipe" }, ...recipes.map(({ name }) => element("option", { value: name, selected: name === "labyrinth" }, name)));
  const place = element("div");
  const summary = element("p", { className: "muted" });
  let form;
  const choose = async () => {
    form = await new RecipeForm(choice.value).load();
    summary.textContent = recipes.find(({ name }) => name === choice.value).summary;
    place.replaceChildren(form.element);
  };
  choice.addEventListener("change", action(choose));
  await choose();
  const seed = element("input", { id: "seed", type: "text", inputMode: "numeric", placeholder: "random" });
  const ancestry = element("input", { type: "checkbox", id: "ancestry", checked: true });
  const start = action(async () => {
    const { id } = await post("/runs", { recipe: choice.value, settings: form.changes(), ancestry: ancestry.checked, ...withSeed(seed) });
    location.hash = `#/watch/${id}`;
  });
  const list = new RunList();
  view.append(element("div", { className: "columns" },
    element("div", { className: "forms" },
      element("section", { className: "panel", "aria-label": "New run" },
        element("h1", {}, "New run"),
        element("div", { className: "field" }, element("label", { htmlFor: "recipe" }, "recipe"), choice),
        summary,
        element("div", { className: "field" }, element("label", { htmlFor: "seed" }, "seed"), seed),
        element("div", { className: "field" }, element("label", { htmlFor: "ancestry" }, "ancestors"), ancestry,
          element("small", { className: "muted" }, "Record the ancestors of the best level. It does not change the result.")),
        element("button", { className: "primary wide begin", onclick: start }, "Start"),
        place),
      solverForm(puzzles)),
    list.element));
  list.show(runs);
  const timer = setInterval(() => get("/runs").then((found) => list.show(found)).catch(() => {}), 2000);
  return () => clearInterval(timer);
}

/** The page of one run. */
export async function showRun(view, id) {
  const wall = element("div", { className: "wall", role: "group", "aria-label": "The population, best first" });
  const population = element("section", { className: "population", "aria-label": "Population", hidden: true }, element("h2", {}, "Population"), wall);
  const pace = element("input", { type: "range", id: "pace", min: 0, max: 1, step: 0.05, value: 0 });
  pace.addEventListener("change", action(() => put(`/runs/${id}/pace`, { delay: Number(pace.value) })));
  const slow = element("div", { className: "field" }, element("label", { htmlFor: "pace" }, "slow motion"), pace);
  const forget = element("button", { className: "quiet", onclick: action(async () => {
    if (!confirm(`Delete run ${id} and all that is stored about it?`)) return;
    panel.end();
    await remove(`/runs/${id}`);
    location.hash = "#/watch";
  }) }, "Delete");
  const line = new AncestorLine();
  let under = null;
  const panel = await RunPanel.load(id, {
    ancestry: (ancestors) => line.show(ancestors, { follow: true }),
    wall: (levels) => drawWall(wall, levels).then(() => { population.hidden = !levels.length; }),
    updated: (shown) => {
      slow.hidden = !(shown.isActive && shown.state.live);
      forget.hidden = shown.isActive;
      under?.show(shown);
    },
  });
  if (!SHOWN.includes(panel.state.kind)) {
    view.append(study(panel, forget));
    panel.begin();
    return () => panel.end();
  }
  under = panel.isSolver ? underBoard(id) : await underLevel(id, panel);
  view.append(element("div", { className: "run" },
    element("section", { className: "level", "aria-label": panel.isSolver ? "Best attempt" : "Best level" },
      element("h1", {}, `${panel.state.name} `, panel.status), panel.problem, panel.stage, under.element),
    element("section", { className: "side", "aria-label": "Progress" },
      element("div", { className: "buttons" }, panel.controls, forget), slow, panel.figures, panel.legend, panel.chart),
    line.element,
    population));
  panel.begin();
  if (!panel.isSolver && !panel.state.live) await get(`/runs/${id}/ancestry`).then(({ ancestors }) => line.show(ancestors));
  return () => { panel.end(); under.stop(); };
}

/** A run without a level or an attempt, such as a comparison: how far it is, and where its result is. */
function study(panel, forget) {
  const { id, kind } = panel.state;
  const result = element("p", {}, panel.state.headline || "–");
  return element("section", { className: "panel", "aria-label": "Run" },
    element("h1", {}, `${panel.state.name} `, panel.status), panel.problem,
    element("p", { className: "muted" }, `Run ${id} is of kind ${kind}. Its result is printed by `, element("code", {}, `levolve runs show ${id}`), "."),
    result, element("div", { className: "buttons" }, panel.controls, forget));
}

/** What can be done with a level: show its solution, play, breed, download. */
async function underLevel(id, panel) {
  const solution = element("input", { type: "checkbox", id: "solution" });
  solution.addEventListener("change", () => { panel.withSolution = solution.checked; panel.drawBest(); });
  const download = await downloading(() => `/runs/${id}/level`);
  const buttons = element("span", { className: "buttons" }, element("a", { className: "button", href: `#/play/run-${id}-0` }, "Play"),
    element("button", { onclick: breedFrom(`run-${id}-0`) }, "Breed"), ...download);
  return { element: element("div", { className: "under" }, element("label", { className: "check" }, solution, " solution"), buttons), show() {}, stop() {} };
}

/** The moves of a solver; a puzzle that is solved can be played. */
function underBoard(id) {
  const moves = movesOf();
  const play = element("a", { className: "button", href: `#/play/run-${id}-0` }, "Play");
  const show = (panel) => {
    moves.show(panel);
    // The solved position is stored when the run is done.
    play.hidden = !(panel.attempt?.solved && panel.state.status === "done");
  };
  return { element: element("div", { className: "under" }, moves.element, element("span", { className: "buttons" }, play)), show, stop: moves.stop };
}

async function drawWall(wall, levels) {
  while (wall.childElementCount < levels.length) wall.append(element("canvas", { role: "img" }));
  while (wall.childElementCount > levels.length) wall.lastElementChild.remove();
  await Promise.all(levels.map((level, index) => {
    const canvas = wall.children[index];
    canvas.setAttribute("aria-label", `Level ${index + 1}, score ${number(level.score)}`);
    canvas.title = `score ${number(level.score)}`;
    return drawLevel(canvas, level, { width: 120, height: 120 });
  }));
}
