// A start map on a small torus: paint it, and update it step by step.

import { post } from "/static/api.js";
import { action, element, notify } from "/static/page.js";

const [WIDTH, HEIGHT] = [96, 64];
const MOST_UPDATES = 200;
const SLOWEST = 90;
const DIGITS = "0123456789abcdef";

export class StartMap {
  /** `request()` returns what is sent with every step: the description of the world, and the morph if there is one. */
  constructor({ request, changed }) {
    Object.assign(this, { request, changed, state: 1, brush: 3, colours: [], done: 0, running: false, cursor: [WIDTH >> 1, HEIGHT >> 1] });
    this.cells = Array.from({ length: HEIGHT }, () => new Uint8Array(WIDTH));
    this.isStart(false);
    this.canvas = element("canvas", {
      className: "start-map", tabIndex: 0, role: "application", width: WIDTH, height: HEIGHT,
      "aria-label": "Start map. Paint with the mouse or a finger; or move with the arrow keys and paint with space.",
    });
    this.choice = element("div", { className: "buttons brushes", role: "group", "aria-label": "State to paint" });
    this.message = element("p", { className: "muted", role: "status" });
    this.runButton = element("button", { type: "button", className: "primary", onclick: () => (this.running ? this.stop() : this.run()) }, "Run");
    const size = element("select", { "aria-label": "Size of the brush" }, ...[1, 3, 7].map((side) => element("option", { value: side, selected: side === this.brush }, `brush ${side}`)));
    size.addEventListener("change", () => { this.brush = Number(size.value); });
    const button = (label, work) => element("button", { type: "button", onclick: action(work) }, label);
    this.element = element("section", { className: "start", "aria-label": "Start map" },
      element("div", { className: "start-board" }, this.canvas),
      element("div", { className: "buttons" }, this.choice, size),
      element("div", { className: "buttons" },
        this.runButton, button("Step", () => this.step(1)), button("10 steps", () => this.step(10)),
        button("Back to the start", async () => this.restore()), button("Random start", () => this.random()), button("Fill", async () => this.fill())),
      this.message);
    this.listen();
  }

  close() { this.stop(); }

  rows() { return this.cells.map((row) => Array.from(row, (state) => DIGITS[state]).join("")); }

  setRows(rows) {
    rows.forEach((row, y) => [...row].forEach((digit, x) => { this.cells[y][x] = DIGITS.indexOf(digit); }));
    this.draw();
  }

  /** Take over the colours of a world; states that it does not have become state 0. */
  setColours(colours, names) {
    this.colours = colours.map((colour) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)));
    for (const row of this.cells) row.forEach((state, x) => { if (state >= colours.length) row[x] = 0; });
    this.state = Math.min(this.state, colours.length - 1);
    this.choice.replaceChildren(...colours.map((colour, state) => {
      const button = element("button", { type: "button", className: "brush", title: names[state], "aria-label": `Paint ${names[state]}`, "aria-pressed": String(state === this.state) });
      button.style.background = colour;
      button.addEventListener("click", () => {
        this.state = state;
        for (const other of this.choice.children) other.setAttribute("aria-pressed", String(other === button));
      });
      return button;
    }));
    this.draw();
  }

  draw() {
    if (!this.colours.length) return;
    const pen = this.canvas.getContext("2d");
    const picture = pen.createImageData(WIDTH, HEIGHT);
    this.cells.forEach((row, y) => row.forEach((state, x) => picture.data.set([...this.colours[state], 255], 4 * (y * WIDTH + x))));
    pen.putImageData(picture, 0, 0);
    if (document.activeElement === this.canvas) {
      const [x, y] = this.cursor;
      pen.strokeStyle = "#d02060";
      pen.lineWidth = 1;
      pen.strokeRect(x - 0.5, y - 0.5, 2, 2);
    }
    this.changed?.();
  }

  /** What is now on the map is a start map from here on. */
  isStart(shown = true) {
    this.first = this.rows();
    this.made = { rule: null, rows: this.first, updates: 0 };
    this.done = 0;
    if (shown) this.message.textContent = "";
  }

  paintAt(x, y) {
    const far = (this.brush - 1) / 2;
    for (let row = -far; row <= far; row += 1) {
      for (let column = -far; column <= far; column += 1) this.cells[(y + row + HEIGHT) % HEIGHT][(x + column + WIDTH) % WIDTH] = this.state;
    }
  }

  fill() {
    this.stop();
    for (const row of this.cells) row.fill(this.state);
    this.isStart();
    this.draw();
  }

  restore() {
    this.stop();
    this.setRows(this.first);
    this.isStart();
  }

  async random() {
    this.stop();
    const { world } = this.request();
    this.setRows((await post("/maps/start", { world, width: WIDTH, height: HEIGHT })).rows);
    this.isStart();
  }

  async step(updates) {
    const rule = this.request();
    const before = this.rows();
    const { rows, settled } = await post("/maps/run", { ...rule, rows: before, updates });
    // A file holds the start map of updates by one rule.
    const same = JSON.stringify(this.made.rule ?? rule) === JSON.stringify(rule) && this.made.updates + updates <= MOST_UPDATES;
    this.made = same ? { rule, rows: this.made.rows, updates: this.made.updates + updates } : { rule, rows: before, updates };
    this.setRows(rows);
    this.done += updates;
    this.message.textContent = `${this.done} updates${settled ? ", and the map no longer changes" : ""}`;
    return settled;
  }

  async run() {
    this.running = true;
    this.runButton.textContent = "Stop";
    try {
      while (this.running) {
        const began = performance.now();
        if (await this.step(1)) break;
        await new Promise((go) => { setTimeout(go, Math.max(0, SLOWEST - (performance.now() - began))); });
      }
    } catch (problem) {
      notify(problem.message);
    }
    this.stop();
  }

  stop() {
    this.running = false;
    this.runButton.textContent = "Run";
  }

  /** The start map and its updates as a request for a file. */
  file() {
    return { ...(this.made.rule ?? this.request()), rows: this.made.rows, updates: this.made.updates };
  }

  listen() {
    const { canvas } = this;
    let last = null;
    const cell = (event) => {
      const box = canvas.getBoundingClientRect();
      return [Math.floor(((event.clientX - box.left) / box.width) * WIDTH), Math.floor(((event.clientY - box.top) / box.height) * HEIGHT)];
    };
    const line = (from, to) => {
      const steps = Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1]), 1);
      for (let step = 0; step <= steps; step += 1) {
        const [x, y] = [0, 1].map((axis) => Math.round(from[axis] + ((to[axis] - from[axis]) * step) / steps));
        if (x >= 0 && y >= 0 && x < WIDTH && y < HEIGHT) this.paintAt(x, y);
      }
      this.isStart();
      this.draw();
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.stop();
      last = cell(event);
      line(last, last);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!last) return;
      const now = cell(event);
      line(last, now);
      last = now;
    });
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => { last = null; });
    for (const name of ["focus", "blur"]) canvas.addEventListener(name, () => this.draw());
    canvas.addEventListener("keydown", (event) => {
      const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
      const [x, y] = this.cursor;
      if (steps[event.key]) this.cursor = [(x + steps[event.key][0] + WIDTH) % WIDTH, (y + steps[event.key][1] + HEIGHT) % HEIGHT];
      else if (event.key === " ") line(this.cursor, this.cursor);
      else return;
      event.preventDefault();
      this.draw();
    });
  }
}
