// Watch: all runs, and the page of one run.

import { get, post, put, remove, watch } from "/static/api.js";
import { breedFrom } from "/static/breed.js";
import { drawChart } from "/static/chart.js";
import { currentTheme, drawLevel } from "/static/draw.js";
import { RecipeForm } from "/static/form.js";
import { action, ago, duration, element, notify, number } from "/static/page.js";

const ACTIVE = ["running", "paused"];

/** The list of runs, with a form to start another. */
export async function showRuns(view) {
  const [recipes, runs] = await Promise.all([get("/recipes"), get("/runs")]);
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
  const start = action(async () => {
    const { id } = await post("/runs", { recipe: choice.value, settings: form.changes(), ...(seed.value ? { seed: Number(seed.value) } : {}) });
    location.hash = `#/watch/${id}`;
  });
  const list = element("ol", { className: "runs" });
  const none = element("p", { className: "empty" }, "There are no runs yet. Start one with the form, or on the command line with 'levolve evolve'.");
  view.append(element("div", { className: "columns" },
    element("section", { className: "panel", "aria-label": "New run" },
      element("h1", {}, "New run"),
      element("div", { className: "field" }, element("label", { htmlFor: "recipe" }, "recipe"), choice),
      summary,
      element("div", { className: "field" }, element("label", { htmlFor: "seed" }, "seed"), seed),
      place,
      element("button", { className: "primary", onclick: start }, "Start")),
    element("section", { "aria-label": "Runs" }, element("h1", {}, "Runs"), list, none)));

  const fill = (found) => {
    none.hidden = found.length > 0;
    list.replaceChildren(...found.map(listed));
  };
  fill(runs);
  const timer = setInterval(() => get("/runs").then(fill).catch(() => {}), 2000);
  return () => clearInterval(timer);
}

function listed(run) {
  return element("li", {},
    element("a", { href: `#/watch/${run.id}` },
      element("span", { className: `status ${run.status}` }, run.status),
      element("strong", {}, `${run.id} · ${run.name}`),
      element("span", {}, [run.kind, run.size, run.headline].filter(Boolean).join(" · ")),
      element("progress", { max: 1, value: run.progress ?? 0, "aria-label": `Progress of run ${run.id}` }),
      element("span", { className: "muted" }, ago(run.updated))));
}

/** The page of one run. */
export async function showRun(view, id) {
  const run = await get(`/runs/${id}`);
  const state = { ...run, points: run.history };
  const board = element("canvas", { className: "board", role: "img", "aria-label": "The best level so far" });
  const chart = element("canvas", { className: "chart", role: "img", "aria-label": "Best score, mean score and diversity over the generations" });
  const figures = element("dl", { className: "figures", "aria-live": "off" });
  const wall = element("div", { className: "wall", "aria-label": "The population, best first" });
  const stage = element("div", { className: "stage" }, board);
  const solution = element("input", { type: "checkbox", id: "solution" });
  const controls = element("div", { className: "buttons" });
  const status = element("span", { className: `status ${run.status}` }, run.status);
  const title = element("h1", {}, `${run.name} `, status);
  const problem = element("p", { className: "problem", hidden: true });
  const formats = ["json", "png", "tmx", "tmj", "ldtk", "tscn", "csv", "txt", "gif"];
  const format = element("select", { "aria-label": "Format" }, ...formats.map((name) => element("option", { value: name }, name)));
  const download = element("a", { className: "button", download: "" }, "Download");
  const address = () => { download.href = `/api/runs/${id}/level?format=${format.value}${currentTheme() ? `&theme=${currentTheme()}` : ""}`; };
  format.addEventListener("change", address);
  address();
  const pace = element("input", { type: "range", id: "pace", min: 0, max: 1, step: 0.05, value: 0 });
  pace.addEventListener("change", action(() => put(`/runs/${id}/pace`, { delay: Number(pace.value) })));
  const slow = element("div", { className: "field" }, element("label", { htmlFor: "pace" }, "slow motion"), pace);
  const wallTitle = element("h2", {}, "Population");

  view.append(element("div", { className: "run" },
    element("section", { className: "level", "aria-label": "Best level" }, title, problem, stage,
      element("div", { className: "under" },
        element("label", { className: "check" }, solution, " solution"),
        element("span", { className: "buttons" }, element("a", { className: "button", href: `#/play/run-${id}-0` }, "Play"),
          element("button", { onclick: breedFrom(`run-${id}-0`) }, "Breed"), format, download))),
    element("section", { className: "side", "aria-label": "Progress" },
      controls, slow, figures,
      element("div", { className: "legend" }, ...["best", "mean", "diversity"].map((name) => element("span", { className: name }, name))),
      chart),
    element("section", { className: "population", "aria-label": "Population" }, wallTitle, wall)));

  let level = run.level;
  const drawBoard = () => {
    if (!level) return;
    const box = stage.getBoundingClientRect();
    drawLevel(board, level, { width: box.width, height: box.height, solution: solution.checked }).catch((trouble) => notify(trouble.message));
  };
  const redraw = () => { drawBoard(); drawChart(chart, state.points); };
  solution.addEventListener("change", drawBoard);
  addEventListener("resize", redraw);

  const control = (name, label, primary = false) => element("button", { className: primary ? "primary" : "", onclick: action(async () => {
    await post(`/runs/${id}/${name}`);
    if (name === "resume") connect();
  }) }, label);
  const forget = element("button", { className: "quiet", onclick: action(async () => {
    if (!confirm(`Delete run ${id} and all that is stored about it?`)) return;
    close();
    await remove(`/runs/${id}`);
    location.hash = "#/watch";
  }) }, "Delete");

  let shown = "";
  const update = () => {
    status.textContent = state.status;
    status.className = `status ${state.status}`;
    problem.hidden = !state.problem;
    problem.textContent = state.problem ?? "";
    const active = ACTIVE.includes(state.status);
    slow.hidden = !(active && state.live);
    wallTitle.hidden = wall.hidden = !wall.childElementCount;
    if (shown !== `${state.status} ${state.live}`) {
      shown = `${state.status} ${state.live}`;
      const buttons = [];
      if (state.live && state.status === "running") buttons.push(control("pause", "Pause", true), control("stop", "Stop"));
      if (state.live && state.status === "paused") buttons.push(control("resume", "Resume", true), control("stop", "Stop"));
      if (!active && state.status !== "done") buttons.push(control("resume", "Resume", true));
      if (!active) buttons.push(forget);
      controls.replaceChildren(...buttons);
    }
    const rows = {
      best: number(state.score), mean: number(state.mean), generation: number(state.generation ?? state.points.at(-1)?.[0], 9),
      evaluations: number(state.evaluations, 9), "per second": active ? number(state.rate, 3) : "–",
      "time left": active ? duration(state.left) : "–", seed: state.seed, size: state.size,
    };
    figures.replaceChildren(...Object.entries(rows).flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value ?? "–")]));
  };

  let close = () => {};
  const connect = () => {
    close();
    state.live = true;
    close = watch(id, { wall: true, since: state.points.at(-1)?.[0] ?? -1 }, {
      state: ({ points, ...news }) => {
        Object.assign(state, news);
        state.points.push(...points);
        update();
        drawChart(chart, state.points);
      },
      level: (news) => { level = news; drawBoard(); },
      wall: ({ levels }) => drawWall(wall, levels).then(update),
    });
  };
  update();
  redraw();
  if (run.live) connect();
  else if (run.status === "running") {
    connect();
    state.live = false;
    update();
  }
  return () => { close(); removeEventListener("resize", redraw); };
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
