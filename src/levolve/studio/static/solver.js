// A form that starts the solver of a puzzle, and the moves of its best attempt.

import { post } from "/static/api.js";
import { action, element, withSeed } from "/static/page.js";

const EXAMPLES = {
  sliding: ["8672543_1", "A board, row by row, with _ for the blank; larger boards as numbers with commas."],
  flag: ["20", "The number of one of the 30 rounds that come with levolve, or a round as text or JSON."],
};
const OTHERS = ["", "A position as text or JSON."];
const SECONDS_PER_STEP = 0.2;
const METHODS = { genetic: "evolution", exact: "exact search" };

/** The form "Solve a puzzle". */
export function solverForm(puzzles) {
  const puzzle = element("select", { id: "puzzle" }, ...puzzles.map(({ name }) => element("option", { value: name, selected: name === "sliding" }, name)));
  const position = element("textarea", { id: "position", rows: 2, spellcheck: false, "aria-describedby": "position-help" });
  const help = element("small", { id: "position-help" });
  const method = element("select", { id: "method" }, ...Object.entries(METHODS).map(([value, label]) => element("option", { value }, label)));
  const scheme = element("select", { id: "scheme" });
  const seed = element("input", { id: "solver-seed", type: "text", inputMode: "numeric", placeholder: "random" });
  const choose = () => {
    [position.value, help.textContent] = EXAMPLES[puzzle.value] ?? OTHERS;
    scheme.replaceChildren(...puzzles.find(({ name }) => name === puzzle.value).schemes.map((name) => element("option", { value: name }, name)));
  };
  puzzle.addEventListener("change", choose);
  method.addEventListener("change", () => { scheme.disabled = method.value === "exact"; });
  choose();
  const start = action(async () => {
    const solve = { puzzle: puzzle.value, position: position.value, method: method.value, ...(method.value === "genetic" ? { scheme: scheme.value } : {}) };
    const { id } = await post("/runs", { solve, ...withSeed(seed) });
    location.hash = `#/watch/${id}`;
  });
  const field = (label, input, note = null) => element("div", { className: "field" }, element("label", { htmlFor: input.id }, label), input, note);
  return element("section", { className: "panel", "aria-label": "Solve a puzzle" },
    element("h2", {}, "Solve a puzzle"),
    field("puzzle", puzzle), field("position", position, help), field("method", method), field("scheme", scheme), field("seed", seed),
    element("button", { className: "primary", onclick: start }, "Solve"));
}

/** The moves of the best attempt of a solver; once it is over, the walk step by step. `show` is called with the panel of its run. */
export function movesOf() {
  const sentence = element("p", { role: "status" });
  const moves = element("code", { className: "moves" });
  const step = element("input", { type: "range", id: "step", min: 0, max: 0 });
  const walk = element("button", {}, "Show the walk");
  const steps = element("div", { className: "steps" }, element("label", { htmlFor: "step" }, "move"), step, walk);
  let panel = null;
  let timer;
  const go = (place) => {
    step.value = place;
    step.setAttribute("aria-valuetext", `${place} of ${step.max}`);
    panel.showStep(place < Number(step.max) ? place : null);
  };
  const stop = () => clearInterval(timer);
  step.addEventListener("input", () => { stop(); go(Number(step.value)); });
  walk.addEventListener("click", () => {
    stop();
    go(0);
    timer = setInterval(() => { if (Number(step.value) < Number(step.max)) go(Number(step.value) + 1); else stop(); }, SECONDS_PER_STEP * 1000);
  });
  return {
    element: element("div", { className: "solution" }, steps, sentence, moves),
    stop,
    show(shown) {
      panel = shown;
      const { attempt, isActive } = panel;
      const count = attempt?.moves.length ?? 0;
      const text = attempt?.solved ? `Solved in ${count} moves.` : isActive ? "The best attempt so far:" : "Not solved. The best attempt:";
      // A status that is written again would be read again.
      if (sentence.textContent !== text) sentence.textContent = text;
      moves.textContent = attempt?.moves ?? "";
      steps.hidden = isActive || !count;
      if (Number(step.max) === count) return;
      step.max = count;
      step.value = count;
    },
  };
}
