// The editor of one level: paint tiles, lock cells, or release them, with the pointer or the keyboard.

import { drawLevel, tilesetOf } from "/static/draw.js";
import { element } from "/static/page.js";

const LOCK = "lock cells";
const UNLOCK = "unlock cells";

/** Open the editor in a dialog. `apply` gets the changes and may fail with a sentence, which is shown. */
export async function editLevel({ level, locked, title, apply }) {
  const tileset = await tilesetOf(level.tileset);
  const editor = new Editor(level, locked, tileset);
  const problem = element("p", { className: "problem", role: "alert" });
  const keep = element("input", { type: "checkbox", id: "keep-painted" });
  const done = element("button", { className: "primary", type: "button" }, "Apply");
  const cancel = element("button", { type: "button", onclick: () => dialog.close() }, "Cancel");
  const dialog = element("dialog", { className: "editor", "aria-label": `Edit ${title}` },
    element("h2", {}, title),
    element("fieldset", { className: "edit-tools" }, element("legend", {}, "Tool"), ...editor.tools),
    element("div", { className: "desk" }, editor.canvas),
    element("p", { className: "muted" }, "Drag over cells. With the keyboard: arrows move the cursor, Space uses the tool."),
    element("label", { className: "check" }, keep, " lock painted cells"),
    problem,
    element("div", { className: "buttons" }, done, cancel));
  document.body.append(dialog);
  dialog.showModal();
  await editor.draw();
  const fit = () => editor.draw();
  addEventListener("resize", fit);
  editor.canvas.focus();
  await new Promise((closed) => {
    done.addEventListener("click", async () => {
      done.disabled = true;
      try {
        await apply({ ...editor.changes(), lock: keep.checked });
        dialog.close();
      } catch (trouble) {
        problem.textContent = trouble.message;
      } finally {
        done.disabled = false;
      }
    });
    dialog.addEventListener("close", closed);
  });
  removeEventListener("resize", fit);
  dialog.remove();
}

class Editor {
  constructor(level, locked, tileset) {
    this.level = level;
    this.tileset = tileset;
    this.rows = level.rows.map((row) => [...row]);
    this.before = new Set(locked.map(([x, y]) => `${x},${y}`));
    this.locked = new Set(this.before);
    this.cursor = { x: 0, y: 0 };
    this.tool = tileset.names[tileset.wall ?? 1];
    this.canvas = element("canvas", { tabIndex: 0, role: "application", "aria-roledescription": "grid editor" });
    this.tools = [...tileset.names, LOCK, UNLOCK].map((name) => element("label", { className: "tool" },
      element("input", { type: "radio", name: "tool", checked: name === this.tool, onchange: () => { this.tool = name; this.describe(); } }), ` ${name}`));
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      this.last = null;
      this.drag(event);
    });
    this.canvas.addEventListener("pointermove", (event) => { if (event.buttons) this.drag(event); });
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.canvas.addEventListener("focus", () => this.draw());
    this.canvas.addEventListener("blur", () => this.draw());
  }

  /** Use the tool on all cells between the last one and the pointer. */
  drag(event) {
    const box = this.canvas.getBoundingClientRect();
    const cell = (value, low, size, count) => Math.max(0, Math.min(count - 1, Math.floor(((value - low) / size) * count)));
    const to = { x: cell(event.clientX, box.left, box.width, this.rows[0].length), y: cell(event.clientY, box.top, box.height, this.rows.length) };
    const from = this.last ?? to;
    const steps = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y), 1);
    for (let step = 0; step <= steps; step++) {
      this.use(Math.round(from.x + ((to.x - from.x) * step) / steps), Math.round(from.y + ((to.y - from.y) * step) / steps));
    }
    this.last = this.cursor = to;
    this.draw();
  }

  use(x, y) {
    if (this.tool === LOCK) this.locked.add(`${x},${y}`);
    else if (this.tool === UNLOCK) this.locked.delete(`${x},${y}`);
    else this.rows[y][x] = this.tileset.characters[this.tileset.names.indexOf(this.tool)];
  }

  key(event) {
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key in moves) {
      const [x, y] = moves[event.key];
      this.cursor = {
        x: Math.max(0, Math.min(this.rows[0].length - 1, this.cursor.x + x)),
        y: Math.max(0, Math.min(this.rows.length - 1, this.cursor.y + y)),
      };
    } else if (event.key === " ") this.use(this.cursor.x, this.cursor.y);
    else return;
    event.preventDefault();
    this.draw();
  }

  describe() {
    const { x, y } = this.cursor;
    const kind = this.tileset.names[this.tileset.kinds.get(this.rows[y][x])];
    const lock = this.locked.has(`${x},${y}`) ? ", locked" : "";
    this.canvas.setAttribute("aria-label", `Column ${x + 1}, row ${y + 1}: ${kind}${lock}. Tool: ${this.tool}`);
  }

  async draw() {
    this.describe();
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    const rows = this.rows.map((row) => row.join(""));
    const locked = [...this.locked].map((cell) => cell.split(",").map(Number));
    await drawLevel(this.canvas, { ...this.level, rows }, { width, height, locked });
    if (document.activeElement !== this.canvas) return;
    const side = this.canvas.width / this.rows[0].length;
    const pen = this.canvas.getContext("2d");
    for (const [colour, size] of [["#14202f", 4], ["#ffd23f", 2]]) {
      pen.strokeStyle = colour;
      pen.lineWidth = size;
      pen.strokeRect(this.cursor.x * side + 1, this.cursor.y * side + 1, side - 2, side - 2);
    }
  }

  /** What differs from the level and from the locks before: cells by tile, and cells to lock and to unlock. */
  changes() {
    const tiles = {};
    this.rows.forEach((row, y) => row.forEach((character, x) => {
      if (character !== this.level.rows[y][x]) (tiles[character] ??= []).push(`${x},${y}`);
    }));
    return {
      tiles,
      locks: [...this.locked].filter((cell) => !this.before.has(cell)),
      unlocks: [...this.before].filter((cell) => !this.locked.has(cell)),
    };
  }
}
