// Two to four runs side by side: of each the best level or attempt, its chart, its figures, and its buttons.

import { element } from "/static/page.js";
import { RunPanel } from "/static/panel.js";

export const FEWEST = 2;
export const MOST = 4;
const FIGURES = ["best", "generation", "per second", "time left"];

export async function showSide(view, numbers) {
  const chosen = [...new Set(numbers.split(",").filter((text) => /^[1-9][0-9]*$/.test(text)))];
  const back = element("p", {}, element("a", { href: "#/watch" }, "All runs"));
  if (chosen.length < FEWEST || chosen.length > MOST) {
    view.append(back, element("p", { className: "empty" }, `Choose ${FEWEST} to ${MOST} runs in the list of runs.`));
    return () => {};
  }
  const panels = await Promise.all(chosen.map((id) => RunPanel.load(id, { shown: FIGURES })));
  view.append(back, element("h1", {}, "Runs side by side"), element("div", { className: "side-by-side" }, ...panels.map(card)));
  panels.forEach((panel) => panel.begin());
  return () => panels.forEach((panel) => panel.end());
}

function card(panel) {
  const { id, name } = panel.state;
  return element("section", { className: "panel", "aria-label": `Run ${id}` },
    element("h2", {}, element("a", { href: `#/watch/${id}` }, `${id} · ${name}`), " ", panel.status),
    panel.problem, panel.stage, panel.controls, panel.figures, panel.legend, panel.chart);
}
