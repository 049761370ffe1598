// The editor of a fashion rule: scores, neighbourhood, seed, updates, colours.

import { element } from "/static/page.js";

const NEAR = [[0, 1], [0, -1], [-1, 0], [1, 0]];
const AROUND = [...NEAR, [1, 1], [1, -1], [-1, -1], [-1, 1]];
const WORDS = ["open", "wall", "water", "ore", "danger", "plant", "crystal", "ice", "earth", "sand"];
const HIGHEST = 100;

export const randomSeed = () => String(crypto.getRandomValues(new Uint32Array(1))[0]);
const randomScore = () => Math.floor(Math.random() * HIGHEST);

/** A description of a world whose parts can be edited. `changed()` is called after each edit. */
export class RuleEditor {
  constructor(description, { limits, palettes, changed }) {
    Object.assign(this, { limits, palettes, changed });
    this.colours = [];
    this.past = [];
    this.matrix = element("div", { className: "matrix" });
    this.grid = element("div", { className: "neighbours", role: "group", "aria-label": "Neighbourhood" });
    this.colourList = element("div", { className: "states" });
    this.seed = element("input", { id: "world-seed", type: "text", inputMode: "numeric", autocomplete: "off" });
    this.seed.addEventListener("change", () => this.edit({ seed: this.seed.value.trim() || "0" }));
    this.updates = element("input", { id: "world-updates", type: "range", min: 0, max: limits.updates, step: 1 });
    this.updatesShown = element("output", { htmlFor: "world-updates" });
    this.updates.addEventListener("input", () => this.edit({ updates: Number(this.updates.value) }, { undo: false }));
    this.palette = element("select", { id: "world-palette" }, ...[...Object.keys(palettes), "own"].map((name) => element("option", { value: name }, name)));
    this.palette.addEventListener("change", () => this.edit({ palette: this.palette.value === "own" ? [...this.colours] : this.palette.value }));
    this.arithmetic = element("select", { id: "world-arithmetic" }, ...["exact", "float", "text"].map((name) => element("option", { value: name }, name)));
    this.arithmetic.addEventListener("change", () => this.edit({ arithmetic: this.arithmetic.value }));
    this.undoButton = element("button", { type: "button", onclick: () => this.undo() }, "Undo");
    this.set(description, { undo: false, silent: true });
  }

  get states() { return this.description.scores.length; }

  /** Replace the whole description. */
  set(description, { undo = true, silent = false } = {}) {
    if (undo && this.description) this.remember();
    this.description = { seed: "1", ...structuredClone(description) };
    this.fill();
    if (!silent) this.changed();
  }

  /** Change parts of the description. */
  edit(parts, { undo = true } = {}) {
    if (undo) this.remember();
    this.description = { ...this.description, ...parts };
    this.fill();
    this.changed();
  }

  remember() {
    this.past.push(structuredClone(this.description));
    if (this.past.length > 100) this.past.shift();
  }

  undo() {
    if (this.past.length) this.set(this.past.pop(), { undo: false });
  }

  /** Take over what the server answered: one colour per state, the names of states, the most updates. */
  answered({ colours, legend, most_updates: most }) {
    this.colours = colours;
    this.names = legend;
    this.updates.max = Math.max(most, this.description.updates);
    this.fillColours();
    for (const swatch of this.matrix.querySelectorAll("[data-state]")) this.paint(swatch);
  }

  nameOf(state) { return this.description.legend?.[state] ?? WORDS[state] ?? `state ${state}`; }

  paint(swatch) {
    const state = Number(swatch.dataset.state);
    const colour = this.colours[state];
    swatch.style.background = colour ?? "transparent";
    swatch.style.color = colour ? inkOn(colour) : "inherit";
    swatch.title = this.nameOf(state);
  }

  fill() {
    const { description } = this;
    const focused = document.activeElement?.dataset?.cell;
    this.fillMatrix();
    this.fillNeighbours();
    this.fillColours();
    this.seed.value = description.seed;
    this.updates.value = description.updates;
    this.updatesShown.textContent = description.updates;
    this.palette.value = Array.isArray(description.palette) ? "own" : description.palette;
    this.arithmetic.value = description.arithmetic ?? "exact";
    this.undoButton.disabled = !this.past.length;
    if (focused) [this.matrix, this.grid].map((part) => part.querySelector(`[data-cell="${focused}"]`)).find(Boolean)?.focus();
  }

  fillMatrix() {
    const swatch = (state) => {
      const made = element("span", { className: "swatch", "data-state": state }, String(state));
      this.paint(made);
      return made;
    };
    const states = this.description.scores.map((_, state) => state);
    const head = element("tr", {}, element("td", { className: "muted" }, "cell ↓ neighbour →"), ...states.map((state) => element("th", { scope: "col" }, swatch(state))));
    const rows = states.map((row) => element("tr", {}, element("th", { scope: "row" }, swatch(row)), ...states.map((column) => element("td", {}, this.score(row, column)))));
    this.matrix.replaceChildren(element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows)));
  }

  score(row, column) {
    const input = element("input", {
      type: "number", step: "any", value: this.description.scores[row][column] ?? "", "data-cell": `s${row},${column}`,
      "aria-label": `Score of ${this.nameOf(row)} next to ${this.nameOf(column)}`,
    });
    input.addEventListener("change", () => {
      const scores = structuredClone(this.description.scores);
      scores[row][column] = input.value === "" ? null : Number(input.value);
      this.edit({ scores });
    });
    return input;
  }

  /** The buttons below the matrix. */
  matrixButtons() {
    const size = (states) => {
      const keep = (list, more) => (list ? Array.from({ length: states }, (_, state) => list[state] ?? more(state)) : list);
      const { scores, legend, weights, palette } = this.description;
      this.edit({
        scores: Array.from({ length: states }, (_, row) => Array.from({ length: states }, (_, column) => scores[row]?.[column] ?? randomScore())),
        legend: keep(legend, (state) => WORDS[state] ?? `state ${state}`),
        weights: keep(weights, () => 1),
        morph: undefined,
        palette: Array.isArray(palette) ? palette.slice(0, states) : palette,
      });
    };
    const random = () => this.edit({ name: "random", scores: this.description.scores.map((row) => row.map(randomScore)) });
    const more = () => (this.states < this.limits.states ? size(this.states + 1) : null);
    const fewer = () => (this.states > 1 ? size(this.states - 1) : null);
    return element("div", { className: "buttons" },
      element("button", { type: "button", className: "primary", onclick: random, "aria-label": "Random matrix" }, "Random"),
      element("button", { type: "button", onclick: more, "aria-label": "Add a state" }, "+ state"),
      element("button", { type: "button", onclick: fewer, "aria-label": "Remove the last state" }, "− state"),
      this.undoButton);
  }

  fillNeighbours() {
    const { reach } = this.limits;
    const order = new Map(this.description.neighbourhood.map(([x, y], index) => [`${x},${y}`, index + 1]));
    const cells = [];
    for (let y = -reach; y <= reach; y += 1) {
      for (let x = -reach; x <= reach; x += 1) {
        const key = `${x},${y}`;
        if (!x && !y) {
          cells.push(element("span", { className: "middle", title: "The cell itself" }, "●"));
          continue;
        }
        const place = order.get(key);
        const toggle = () => {
          const rest = this.description.neighbourhood.filter(([column, row]) => column !== x || row !== y);
          this.edit({ neighbourhood: place ? rest : [...rest, [x, y]] });
        };
        cells.push(element("button", { type: "button", "aria-pressed": String(Boolean(place)), "aria-label": `Neighbour ${where(x, y)}${place ? `, number ${place}` : ""}`, "data-cell": `n${key}`, onclick: toggle }, place ? String(place) : ""));
      }
    }
    this.grid.replaceChildren(...cells);
  }

  neighbourButtons() {
    const choose = (offsets) => () => this.edit({ neighbourhood: offsets.map((offset) => [...offset]) });
    return element("div", { className: "buttons" },
      element("button", { type: "button", onclick: choose(NEAR) }, "4 nearest"),
      element("button", { type: "button", onclick: choose(AROUND) }, "8 around"));
  }

  fillColours() {
    const states = Array.from({ length: this.states }, (_, state) => state);
    const replaced = (list, state, value) => list.map((one, index) => (index === state ? value : one));
    this.colourList.replaceChildren(...states.map((state) => {
      const colour = element("input", { type: "color", value: this.colours[state] ?? "#888888", "aria-label": `Colour of state ${state}` });
      colour.addEventListener("change", () => this.edit({ palette: replaced(states.map((one) => this.colours[one] ?? "#888888"), state, colour.value) }));
      const name = element("input", { type: "text", value: this.nameOf(state), maxLength: 30, "aria-label": `Name of state ${state}` });
      name.addEventListener("change", () => this.edit({ legend: replaced(states.map((one) => this.nameOf(one)), state, name.value.trim() || `state ${state}`) }));
      const share = element("input", { type: "number", min: 0, step: "any", value: this.description.weights?.[state] ?? 1, "aria-label": `Share of state ${state} at the start` });
      share.addEventListener("change", () => this.edit({ weights: replaced(states.map((one) => this.description.weights?.[one] ?? 1), state, Number(share.value)) }));
      return element("div", { className: "state" }, colour, name, share);
    }));
  }
}

/** Black or white, whichever is easier to read on a colour. */
function inkOn(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => (Number.parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? "#000000" : "#ffffff";
}

function where(x, y) {
  const parts = [x && `${Math.abs(x)} ${x < 0 ? "left" : "right"}`, y && `${Math.abs(y)} ${y < 0 ? "up" : "down"}`];
  return parts.filter(Boolean).join(", ");
}

/** The scores between those of two rules; `share` is from 0 to 1. */
export function mixed(scores, others, share) {
  return scores.map((row, state) => row.map((score, other) => Number(((1 - share) * score + share * others[state][other]).toFixed(4))));
}
