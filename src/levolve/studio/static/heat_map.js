// The map of elites on a canvas: the score of each cell as a colour, the first axis to the right, the second upwards. A cell is chosen by pointer or keys.

import { number } from "/static/page.js";

const MARGIN = { left: 64, right: 16, top: 12, bottom: 46 };
const TICKS = [0, 0.25, 0.5, 0.75, 1];
// From low to high scores. On dark pages high scores are light, so that they stand out there, too.
const LIGHT = [[222, 235, 210], [150, 206, 160], [66, 160, 152], [38, 104, 140], [44, 44, 104]];
const DARK = [[44, 62, 92], [38, 104, 140], [66, 160, 152], [150, 206, 160], [244, 250, 214]];
const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

const dark = matchMedia("(prefers-color-scheme: dark)");
const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const words = (name) => name.replaceAll("_", " ");

/** The colour of a share of the way from the lowest to the highest score. */
export function shade(share) {
  const ramp = dark.matches ? DARK : LIGHT;
  const depth = Math.min(Math.max(share, 0), 1) * (ramp.length - 1);
  const step = Math.min(Math.floor(depth), ramp.length - 2);
  const mixed = ramp[step].map((low, channel) => Math.round(low + (ramp[step + 1][channel] - low) * (depth - step)));
  return `rgb(${mixed.join(" ")})`;
}

/** The value at a share of an axis, as text. */
const label = (axis, share) => {
  const value = axis.low + share * (axis.high - axis.low);
  return number(axis.whole ? Math.round(value) : value);
};

export class HeatMap {
  /** `pointed` and `chosen` receive the place of an elite in the archive, or null. */
  constructor(canvas, { pointed, chosen }) {
    this.canvas = canvas;
    this.archive = null;
    this.places = new Map();
    this.cursor = null;
    this.pinned = null;
    this.pointed = pointed;
    this.chosen = chosen;
    canvas.addEventListener("pointermove", (event) => this.point(this.at(event)));
    canvas.addEventListener("pointerleave", () => this.point(this.pinned));
    canvas.addEventListener("click", (event) => this.choose(this.at(event)));
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  show(archive) {
    this.archive = archive;
    this.places = new Map(archive.cells.map((_, place) => [`${archive.columns[place]} ${archive.rows[place]}`, place]));
    this.draw();
  }

  get shape() {
    const [first, second] = this.archive.axes;
    return [first.cells, second?.cells ?? 1];
  }

  elite(cell) {
    return cell ? this.places.get(cell.join(" ")) ?? null : null;
  }

  /** The box of the cells in CSS pixels. */
  get box() {
    const [columns, rows] = this.shape;
    const width = this.canvas.clientWidth - MARGIN.left - MARGIN.right;
    const height = this.canvas.clientHeight - MARGIN.top - MARGIN.bottom;
    const ratio = devicePixelRatio || 1;
    const across = Math.max(Math.floor((width * ratio) / columns), 1) / ratio;
    const up = Math.max(Math.floor((height * ratio) / rows), 1) / ratio;
    return { left: MARGIN.left, top: MARGIN.top, across, up, width: across * columns, height: up * rows };
  }

  at(event) {
    if (!this.archive) return null;
    const { left, top, across, up, height } = this.box;
    const [columns, rows] = this.shape;
    const column = Math.floor((event.offsetX - left) / across);
    const row = Math.floor((top + height - event.offsetY) / up);
    return column >= 0 && column < columns && row >= 0 && row < rows ? [column, row] : null;
  }

  point(cell) {
    if (String(cell) === String(this.cursor)) return;
    this.cursor = cell;
    this.draw();
    this.pointed(cell, this.elite(cell));
  }

  choose(cell) {
    this.pinned = this.elite(cell) === null ? null : cell;
    this.cursor = cell;
    this.draw();
    this.chosen(cell, this.elite(cell));
  }

  key(event) {
    if (!this.archive) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.choose(this.cursor);
    }
    const move = MOVES[event.key];
    if (!move) return;
    event.preventDefault();
    const [columns, rows] = this.shape;
    const [column, row] = this.cursor ?? [Math.floor(columns / 2) - move[0], Math.floor(rows / 2) - move[1]];
    this.point([Math.min(Math.max(column + move[0], 0), columns - 1), Math.min(Math.max(row + move[1], 0), rows - 1)]);
  }

  draw() {
    const { canvas, archive } = this;
    const ratio = devicePixelRatio || 1;
    canvas.width = canvas.clientWidth * ratio;
    canvas.height = canvas.clientHeight * ratio;
    if (!archive) return;
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    const { left, top, across, up, width, height } = this.box;
    pen.fillStyle = style("paper");
    pen.fillRect(left, top, width, height);
    const [least, most] = scoreRange(archive);
    const rowTop = (row) => top + height - (row + 1) * up;
    archive.scores.forEach((score, place) => {
      pen.fillStyle = shade((score - least) / (most - least || 1));
      pen.fillRect(left + archive.columns[place] * across, rowTop(archive.rows[place]), across, up);
    });
    pen.strokeStyle = style("muted");
    pen.strokeRect(left - 0.5, top - 0.5, width + 1, height + 1);
    this.drawAxes(pen);
    for (const cell of [this.pinned, this.cursor].filter(Boolean)) {
      for (const [colour, thick] of [[style("paper"), 5], [style("ink"), 2]]) {
        pen.strokeStyle = colour;
        pen.lineWidth = thick;
        pen.strokeRect(left + cell[0] * across, rowTop(cell[1]), across, up);
      }
    }
  }

  drawAxes(pen) {
    const { left, top, width, height } = this.box;
    const [first, second] = this.archive.axes;
    pen.fillStyle = style("ink");
    pen.font = "13px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "top";
    for (const share of TICKS) pen.fillText(label(first, share), left + share * width, top + height + 6);
    pen.fillText(words(first.name), left + width / 2, top + height + 26);
    if (!second) return;
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const share of TICKS) pen.fillText(label(second, share), left - 7, top + height - share * height);
    pen.save();
    pen.translate(12, top + height / 2);
    pen.rotate(-Math.PI / 2);
    pen.textAlign = "center";
    pen.fillText(words(second.name), 0, 0);
    pen.restore();
  }
}

export function scoreRange({ scores }) {
  return scores.length ? [scores.reduce((low, score) => Math.min(low, score)), scores.reduce((high, score) => Math.max(high, score))] : [0, 1];
}

/** Draw the colours from the lowest to the highest score. */
export function drawScale(canvas) {
  const pen = canvas.getContext("2d");
  for (let x = 0; x < canvas.width; x += 1) {
    pen.fillStyle = shade(x / (canvas.width - 1));
    pen.fillRect(x, 0, 1, canvas.height);
  }
}
