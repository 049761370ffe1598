// The line of ancestors of the best level: thumbnails from the first to the best, with what made each of them.

import { drawLevel } from "/static/draw.js";
import { element, notify, number } from "/static/page.js";

const SIDE = 112;
const MATE_SIDE = 36;

export class AncestorLine {
  constructor() {
    this.list = element("ol", { className: "line", tabIndex: 0, "aria-label": "From the first ancestor to the best level" });
    this.summary = element("p", { className: "muted" });
    this.element = element("section", { className: "ancestors", "aria-label": "Ancestors", hidden: true }, element("h2", {}, "Ancestors of the best level"), this.summary, this.list);
    this.key = "";
  }

  /** Show the ancestors; null for a run that does not record them. Entries that have not changed stay the same elements. `follow`: the best stays in sight. */
  show(ancestors, { follow = false } = {}) {
    this.element.hidden = !ancestors;
    if (!ancestors) return;
    const atEnd = this.list.scrollLeft + this.list.clientWidth >= this.list.scrollWidth - SIDE;
    const known = new Map([...this.list.children].map((item) => [item.dataset.key, item]));
    this.list.replaceChildren(...ancestors.map((ancestor, place) => {
      const gain = place ? ancestor.score - ancestors[place - 1].score : 0;
      const key = JSON.stringify([ancestor, gain]);
      return known.get(key) ?? entry(ancestor, gain, key);
    }));
    const births = ancestors.reduce((sum, { births: more }) => sum + more, 0);
    const shown = ancestors.length - 1 < births ? ` Shown are the ${ancestors.length - 1} with the largest gains.` : "";
    this.summary.textContent = `${births} ${births === 1 ? "birth" : "births"} lead from the first ancestor to the best level.${shown}`;
    if (follow && atEnd) this.list.scrollLeft = this.list.scrollWidth;
  }
}

function entry(ancestor, gain, key) {
  const { generation, score, operators, births, changed, mate } = ancestor;
  const title = generation === null ? "unknown generation" : `generation ${number(generation, 9)}`;
  const picture = element("canvas", { role: "img", "aria-label": `Ancestor of ${title}, score ${number(score)}` });
  const change = gain ? element("span", { className: gain > 0 ? "gain" : "" }, ` (${gain > 0 ? "+" : "−"}${number(Math.abs(gain))})`) : null;
  const item = element("li", {}, element("div", { className: "picture" }, picture), element("strong", {}, title), element("p", {}, `score ${number(score, 6)}`, change));
  item.dataset.key = key;
  if (mate) {
    const other = element("canvas", { role: "img", "aria-label": `Second parent, score ${number(mate.score, 6)}` });
    item.append(element("div", { className: "mate" }, other, element("span", {}, `with a parent of score ${number(mate.score, 6)}`)));
    draw(other, mate, MATE_SIDE);
  }
  item.append(...operators.map((name) => element("p", {}, name.replaceAll("_", " "))));
  if (births) item.append(element("p", { className: "muted" }, `${changed} ${changed === 1 ? "cell" : "cells"} changed${births > 1 ? ` in ${births} births` : ""}`));
  else item.append(element("p", { className: "muted" }, "drawn at random"));
  draw(picture, ancestor, SIDE);
  return item;
}

function draw(canvas, level, side) {
  drawLevel(canvas, level, { width: side, height: side }).catch((problem) => notify(problem.message));
}
