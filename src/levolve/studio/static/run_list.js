// The list of all runs. Two to four of them can be chosen and shown side by side.

import { ago, element } from "/static/page.js";
import { FEWEST, MOST } from "/static/side.js";

const PACKS = ["pack", "mixed-pack", "puzzle-pack"];

/** The page of a run: a map of elites, the levels of a pack, or the run itself. */
export function pageOf({ id, kind }) {
  if (PACKS.includes(kind)) return `#/shelf/of-${id}`;
  return kind === "illuminate" ? `#/illuminate/${id}` : `#/watch/${id}`;
}

export class RunList {
  constructor() {
    this.rows = new Map();
    this.chosen = new Set();
    this.list = element("ol", { className: "runs" });
    this.none = element("p", { className: "empty" }, "No runs yet. Start one with a form, or on the command line with 'levolve evolve'.");
    this.side = element("a", { className: "button" }, "Side by side");
    this.hint = element("span", { className: "muted", role: "status" });
    this.bar = element("div", { className: "choosing" }, this.hint, this.side);
    this.element = element("section", { "aria-label": "Runs" }, element("h1", {}, "Runs"), this.bar, this.list, this.none);
  }

  /** Show runs. Rows stay the same elements, so that the focus stays where it is. */
  show(runs) {
    this.none.hidden = runs.length > 0;
    const known = new Set(runs.map(({ id }) => id));
    for (const id of [...this.rows.keys()].filter((one) => !known.has(one))) {
      this.rows.delete(id);
      this.chosen.delete(id);
    }
    for (const run of runs) {
      if (!this.rows.has(run.id)) this.rows.set(run.id, this.row(run));
      this.rows.get(run.id).link.replaceChildren(...cells(run));
    }
    const items = runs.map(({ id }) => this.rows.get(id).item);
    if (items.length !== this.list.childElementCount || items.some((item, place) => this.list.children[place] !== item)) this.list.replaceChildren(...items);
    this.update();
  }

  row(run) {
    const { id, name } = run;
    const link = element("a", { href: pageOf(run) });
    const choice = element("input", { type: "checkbox", "aria-label": `Choose run ${id}, ${name}` });
    choice.addEventListener("change", () => {
      if (choice.checked) this.chosen.add(id);
      else this.chosen.delete(id);
      this.update();
    });
    return { link, choice, item: element("li", {}, choice, link) };
  }

  update() {
    const count = this.chosen.size;
    this.bar.hidden = this.rows.size < FEWEST;
    this.side.hidden = count < FEWEST;
    this.side.href = `#/watch/side/${[...this.chosen].sort((first, second) => first - second).join(",")}`;
    const text = count < FEWEST ? `Choose ${FEWEST} to ${MOST} runs to see them side by side.` : `${count} runs chosen.`;
    if (this.hint.textContent !== text) this.hint.textContent = text;
    for (const { choice } of this.rows.values()) choice.disabled = count >= MOST && !choice.checked;
  }
}

export function cells(run) {
  return [
    element("span", { className: `status ${run.status}` }, run.status),
    element("strong", {}, `${run.id} · ${run.name}`),
    element("span", {}, [run.kind, run.size, run.headline].filter(Boolean).join(" · ")),
    element("progress", { max: 1, value: run.progress ?? 0, "aria-label": `Progress of run ${run.id}` }),
    element("span", { className: "muted" }, ago(run.updated)),
  ];
}
