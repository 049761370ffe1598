// The family tree of a session: a thumbnail per sheet, lines to the sheet it was bred from, and the way back to any of them.

import { get } from "/static/api.js";
import { tilesetOf } from "/static/draw.js";
import { action, element, notify } from "/static/page.js";

const SIDE = 72;
const GAP = { x: 34, y: 26 };
const NAMES = { next: "next", cross: "two parents", advance: "automatic", more_like: "more like one" };

/** Columns by depth; a first child stays in the row of its parent, others begin a row of their own. */
export function arranged(sheets) {
  const places = [];
  let rows = 1;
  const continued = new Set();
  for (const { number, parent } of sheets) {
    if (parent === null) {
      places[number] = { column: 0, row: 0 };
      continue;
    }
    const row = continued.has(parent) ? rows++ : places[parent].row;
    continued.add(parent);
    places[number] = { column: places[parent].column + 1, row };
  }
  return { places, rows };
}

export class FamilyTree {
  constructor(session, go) {
    this.session = session;
    this.go = go;
    this.thumbnails = new Map();
    this.lines = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.lines.setAttribute("aria-hidden", "true");
    this.list = element("ol", {});
    this.area = element("div", { className: "tree-area" }, this.lines, this.list);
    this.element = element("div", { className: "tree", tabIndex: 0, role: "region", "aria-label": "Sheets of this session" }, this.area);
    this.seen = new IntersectionObserver((entries) => {
      for (const entry of entries) if (entry.isIntersecting) this.load(Number(entry.target.dataset.number));
    }, { root: this.element, rootMargin: "200px" });
  }

  update({ tree, sheet }) {
    const { places, rows } = arranged(tree);
    const columns = 1 + Math.max(...places.map(({ column }) => column));
    const left = ({ column }) => column * (SIDE + GAP.x);
    const top = ({ row }) => row * (SIDE + GAP.y);
    this.area.style.width = `${columns * (SIDE + GAP.x)}px`;
    this.area.style.height = `${rows * (SIDE + GAP.y)}px`;
    this.lines.setAttribute("width", columns * (SIDE + GAP.x));
    this.lines.setAttribute("height", rows * (SIDE + GAP.y));
    this.lines.replaceChildren(...tree.filter(({ parent }) => parent !== null).map(({ number, parent }) => {
      const [from, to] = [places[parent], places[number]];
      const [x1, y1, x2, y2] = [left(from) + SIDE, top(from) + SIDE / 2, left(to), top(to) + SIDE / 2];
      const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
      line.setAttribute("d", `M${x1} ${y1} C${x1 + GAP.x / 2} ${y1} ${x2 - GAP.x / 2} ${y2} ${x2} ${y2}`);
      return line;
    }));
    for (const one of tree) {
      const button = this.thumbnail(one);
      button.style.left = `${left(places[one.number])}px`;
      button.style.top = `${top(places[one.number])}px`;
      if (one.number === sheet) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    const current = this.thumbnails.get(sheet);
    if (this.shown !== sheet) {
      this.shown = sheet;
      const { offsetLeft: x, offsetTop: y } = current;
      this.element.scrollTo({ left: x - this.element.clientWidth / 2, top: y - this.element.clientHeight / 2 });
    }
  }

  thumbnail({ number, parent, generation, action: kind }) {
    let button = this.thumbnails.get(number);
    if (!button) {
      const canvas = element("canvas", { width: 2 * SIDE, height: 2 * SIDE, "aria-hidden": "true" });
      const origin = parent === null ? "the first" : `from sheet ${parent}, ${NAMES[kind] ?? kind}`;
      button = element("button", {
        type: "button", title: `Sheet ${number}: ${origin}, generation ${generation}`,
        "aria-label": `Go to sheet ${number}, ${origin}, generation ${generation}`, "data-number": number, onclick: action(() => this.go(number)),
      }, canvas, element("span", {}, String(number)));
      this.thumbnails.set(number, button);
      this.list.append(element("li", {}, button));
      this.seen.observe(button);
    }
    return button;
  }

  /** Draw a thumbnail when it comes into view: the first levels of the sheet. */
  async load(number) {
    const button = this.thumbnails.get(number);
    this.seen.unobserve(button);
    try {
      const { levels } = await get(`/sessions/${this.session}/sheets/${number}`);
      const canvas = button.querySelector("canvas");
      const pen = canvas.getContext("2d");
      const half = canvas.width / 2;
      for (const [index, level] of levels.entries()) {
        const { colours, kinds } = await tilesetOf(level.tileset);
        const side = (half - 4) / Math.max(level.rows.length, level.rows[0].length);
        const x = (index % 2) * half + 2 + (half - 4 - side * level.rows[0].length) / 2;
        const y = Math.floor(index / 2) * half + 2 + (half - 4 - side * level.rows.length) / 2;
        level.rows.forEach((row, down) => [...row].forEach((character, across) => {
          pen.fillStyle = colours[kinds.get(character)];
          pen.fillRect(Math.floor(x + across * side), Math.floor(y + down * side), Math.ceil(side), Math.ceil(side));
        }));
      }
    } catch (problem) {
      notify(problem.message);
    }
  }
}
