// A world without an edge on a canvas, as a map: moved, zoomed, and drawn from pictures that the server makes.

import { loadPicture, post } from "/static/api.js";

const SIDE = 256;
const MOST_ZOOM = 5;
const HOME_ZOOM = 1;
const MOST_TILES = 320;
const AT_ONCE = 4;
const LONGEST_PIECE = 4096;
export const FARTHEST = 2 ** 40;

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

export class WorldView {
  /** `moved()` is called after each move, `failed(problem)` when a picture cannot be loaded. */
  constructor(canvas, { moved, failed }) {
    Object.assign(this, { canvas, moved, failed, x: 0, y: 0, zoom: HOME_ZOOM, world: null, frame: null });
    this.tiles = new Map();
    this.loading = new Map();
    this.cover = null;
    this.before = null;
    this.pointers = new Map();
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(canvas);
    this.listen();
    this.resize();
  }

  close() {
    this.observer.disconnect();
    this.closed = true;
    for (const loading of this.loading.values()) loading.abort();
  }

  // The world that is shown.

  /** Show the world of a description. Of several calls in a short time only the last one counts. */
  show(description) {
    this.next = description;
    this.showing ??= this.changes().finally(() => { this.showing = null; });
    return this.showing;
  }

  async changes() {
    let world;
    while (this.next) {
      const description = this.next;
      this.next = null;
      try {
        world = await this.change(description);
      } catch (problem) {
        if (!this.next) throw problem;
      }
    }
    return world;
  }

  async change(description) {
    const world = await post("/worlds", description);
    if (this.closed || world.id === this.world?.id) return world;
    // The server gives up pictures that nobody waits for.
    for (const loading of this.loading.values()) loading.abort();
    this.loading.clear();
    const zoom = clamp(this.zoom, world.lowest_zoom, MOST_ZOOM);
    // What takes long is sampled first; exact squares follow, from the middle.
    const cover = await this.piece(world, zoom, this.levelOf(zoom, world) < world.quick_zoom).catch(() => null);
    if (this.closed) return world;
    this.before = cover || !this.world ? null : { picture: await createImageBitmap(this.canvas), place: this.place() };
    this.tiles.clear();
    Object.assign(this, { world, description, zoom, cover });
    this.draw();
    this.moved();
    return world;
  }

  /** The whole visible part in two pictures, one per half, which is faster than in squares; null if it would be too large. */
  async piece(world, zoom, sampled) {
    const level = this.levelOf(zoom, world);
    const cells = 2 ** -level;
    const { left, top, right, bottom } = this.visible(zoom);
    const [x, y] = [Math.floor(left / cells), Math.floor(top / cells)];
    const [width, height] = [Math.ceil(right / cells) - x, Math.ceil(bottom / cells) - y];
    if (Math.max(width, height) > LONGEST_PIECE || height < 2) return null;
    const half = Math.floor(height / 2);
    const load = async (from, rows) => {
      const address = `/api/worlds/${world.id}/part/${level}.png?x=${x}&y=${y + from}&width=${width}&height=${rows}${sampled ? "&sampled=true" : ""}`;
      return { x: x * cells, y: (y + from) * cells, width: width * cells, height: rows * cells, picture: await loadPicture(address) };
    };
    const pictures = await Promise.all([load(0, half), load(half, height - half)]);
    return { level, sampled: sampled && level < 0, pictures, left: x * cells, top: y * cells, right: (x + width) * cells, bottom: (y + height) * cells };
  }

  // Where the view is.

  get ratio() { return devicePixelRatio || 1; }

  /** Device pixels per cell. */
  scaleAt(zoom) { return 2 ** zoom * this.ratio; }

  levelOf(zoom, world) { return clamp(Math.ceil(Math.log2(this.scaleAt(zoom)) - 1e-6), world.lowest_zoom, 0); }

  place() { return `${this.x} ${this.y} ${this.zoom}`; }

  /** The visible cells, with fractions. */
  visible(zoom = this.zoom) {
    const scale = this.scaleAt(zoom);
    const left = this.x - Math.floor(this.canvas.width / 2) / scale;
    const top = this.y - Math.floor(this.canvas.height / 2) / scale;
    return { left, top, right: left + this.canvas.width / scale, bottom: top + this.canvas.height / scale };
  }

  /** The cell at a point of the canvas in CSS pixels. */
  cellAt(x, y) {
    const { left, top } = this.visible();
    const scale = 2 ** this.zoom;
    return [Math.floor(left + x / scale), Math.floor(top + y / scale)];
  }

  goTo(x, y, zoom = this.zoom) {
    this.x = clamp(x, -FARTHEST, FARTHEST);
    this.y = clamp(y, -FARTHEST, FARTHEST);
    this.zoom = clamp(zoom, this.world?.lowest_zoom ?? 0, MOST_ZOOM);
    this.redraw();
    this.moved();
  }

  goHome() { this.goTo(0, 0, HOME_ZOOM); }

  moveBy(x, y) { this.goTo(this.x + x / 2 ** this.zoom, this.y + y / 2 ** this.zoom); }

  /** Zoom so that the cell at a point, in CSS pixels from the middle, stays there. */
  zoomTo(zoom, x = 0, y = 0) {
    const to = clamp(zoom, this.world?.lowest_zoom ?? 0, MOST_ZOOM);
    const share = 1 / 2 ** this.zoom - 1 / 2 ** to;
    this.goTo(this.x + x * share, this.y + y * share, to);
  }

  zoomStep(step) { this.zoomTo(step > 0 ? Math.floor(this.zoom) + 1 : Math.ceil(this.zoom) - 1); }

  resize() {
    const { clientWidth, clientHeight } = this.canvas;
    this.canvas.width = Math.max(1, Math.round(clientWidth * this.ratio));
    this.canvas.height = Math.max(1, Math.round(clientHeight * this.ratio));
    this.draw();
  }

  redraw() {
    this.waiting ??= requestAnimationFrame(() => { this.waiting = null; this.draw(); });
  }

  // Drawing.

  draw() {
    const pen = this.canvas.getContext("2d");
    pen.fillStyle = getComputedStyle(this.canvas).backgroundColor;
    pen.fillRect(0, 0, this.canvas.width, this.canvas.height);
    if (!this.world || this.closed) return;
    const scale = this.scaleAt(this.zoom);
    const level = this.levelOf(this.zoom, this.world);
    const area = this.visible();
    const wanted = this.wanted(level, area);
    const missing = wanted.filter(({ key }) => !this.tiles.has(key));
    const paint = (picture, x, y, width, height, smooth) => {
      const at = (cell, middle, half) => Math.round(half + (cell - middle) * scale);
      const [middle, half] = [Math.floor(this.canvas.width / 2), Math.floor(this.canvas.height / 2)];
      const [left, right] = [at(x, this.x, middle), at(x + width, this.x, middle)];
      const [top, bottom] = [at(y, this.y, half), at(y + height, this.y, half)];
      if (right < 0 || bottom < 0 || left > this.canvas.width || top > this.canvas.height) return;
      pen.imageSmoothingEnabled = smooth;
      pen.drawImage(picture, left, top, right - left, bottom - top);
    };
    const paintTile = (tile) => paint(tile.picture, tile.x, tile.y, tile.span, tile.span, scale * 2 ** -tile.level < 1);
    const paintCover = () => {
      for (const one of this.cover.pictures) paint(one.picture, one.x, one.y, one.width, one.height, scale * 2 ** -this.cover.level < 1);
    };
    if (missing.length) {
      if (this.before?.place === this.place()) {
        pen.globalAlpha = 0.35;
        pen.drawImage(this.before.picture, 0, 0);
        pen.globalAlpha = 1;
      }
      // Until a picture comes, the same cells from other scales stand in for it, the finest last.
      if (this.cover && this.cover.level !== level) paintCover();
      for (const tile of [...this.tiles.values()].filter((one) => one.level !== level).sort((one, other) => one.level - other.level)) paintTile(tile);
    }
    if (this.cover?.level === level) paintCover();
    for (const { key } of wanted) {
      const tile = this.tiles.get(key);
      if (!tile) continue;
      this.tiles.delete(key);
      this.tiles.set(key, tile);
      paintTile(tile);
    }
    if (this.frame) this.drawFrame(pen, scale);
    const covered = (tile) => this.isCovered(tile, level, area);
    // A sampled picture is as good as its squares only where those are sampled too.
    const final = level < this.world.exact_zoom || !this.cover?.sampled;
    const lacking = missing.filter((tile) => !(final && covered(tile)));
    const drawn = missing.every(covered);
    if (!drawn && level < this.world.quick_zoom && this.unsampled !== this.place()) this.sample(level);
    this.load(this.sampling ? [] : lacking);
    this.detail = level < this.world.exact_zoom ? "sampled" : lacking.length ? "loading" : "exact";
    this.detailed?.();
    this.canvas.dataset.world = this.world.id;
    this.canvas.dataset.drawn = String(drawn && !this.next);
    this.canvas.dataset.ready = String(!lacking.length && !this.next);
    this.canvas.setAttribute("aria-busy", String(lacking.length > 0));
  }

  /** The squares of a level that are visible, from the middle. */
  wanted(level, area) {
    const span = SIDE * 2 ** -level;
    const found = [];
    for (let row = Math.floor(area.top / span); row * span < area.bottom; row += 1) {
      for (let column = Math.floor(area.left / span); column * span < area.right; column += 1) {
        const far = Math.hypot((column + 0.5) * span - this.x, (row + 0.5) * span - this.y);
        found.push({ key: `${level}/${column}/${row}`, level, x: column * span, y: row * span, span, far });
      }
    }
    return found.sort((one, other) => one.far - other.far);
  }

  isCovered(tile, level, area) {
    const { cover } = this;
    return cover?.level === level
      && Math.max(tile.x, area.left) >= cover.left && Math.min(tile.x + tile.span, area.right) <= cover.right
      && Math.max(tile.y, area.top) >= cover.top && Math.min(tile.y + tile.span, area.bottom) <= cover.bottom;
  }

  /** A sampled picture of the visible part, while exact ones are made; of several requests in a short time only the last one counts. */
  async sample(level) {
    const { world, zoom } = this;
    const place = this.place();
    if (this.sampling) return;
    this.sampling = true;
    this.load([]);
    const cover = await this.piece(world, zoom, true).catch(() => null);
    this.sampling = false;
    if (this.closed) return;
    if (this.world.id === world.id) {
      // Without a picture, squares have to do.
      this.unsampled = cover ? null : place;
      if (cover && this.levelOf(this.zoom, this.world) === level) this.cover = cover;
    }
    // Nothing was loaded meanwhile. If the view has moved, or the world is another one, another picture may be needed.
    this.redraw();
  }

  drawFrame(pen, scale) {
    const { x, y, width, height } = this.frameCells();
    const { left, top } = this.visible();
    pen.lineWidth = 2 * this.ratio;
    for (const [colour, dash] of [["#ffffff", []], ["#1d3f7a", [6 * this.ratio, 6 * this.ratio]]]) {
      pen.strokeStyle = colour;
      pen.setLineDash(dash);
      pen.strokeRect((x - left) * scale, (y - top) * scale, width * scale, height * scale);
    }
    pen.setLineDash([]);
  }

  /** The cells inside the frame around the middle. */
  frameCells() {
    const { width, height } = this.frame;
    return { x: Math.floor(this.x - width / 2), y: Math.floor(this.y - height / 2), width, height };
  }

  /** Load the pictures that are lacking, a few at a time; those that are no longer visible are given up. */
  load(lacking) {
    const keys = new Set(lacking.map(({ key }) => key));
    for (const [key, loading] of this.loading) {
      if (!keys.has(key)) {
        loading.abort();
        this.loading.delete(key);
      }
    }
    for (const tile of lacking) {
      if (this.loading.size >= AT_ONCE) return;
      if (!this.loading.has(tile.key)) this.loadTile(tile, this.world.id);
    }
  }

  async loadTile(tile, world) {
    const control = new AbortController();
    this.loading.set(tile.key, control);
    const address = `/api/worlds/${world}/tiles/${tile.key}.png`;
    try {
      const picture = await loadPicture(address, control.signal).catch(async (problem) => {
        if (problem.status !== 404) throw problem;
        // The server was started again: it needs the description once more.
        await post("/worlds", this.description);
        return loadPicture(address, control.signal);
      });
      if (this.world.id === world) this.tiles.set(tile.key, { ...tile, picture });
      while (this.tiles.size > MOST_TILES) this.tiles.delete(this.tiles.keys().next().value);
    } catch (problem) {
      if (problem.name === "AbortError") return;
      this.failed(problem);
      return;
    } finally {
      if (this.loading.get(tile.key) === control) this.loading.delete(tile.key);
    }
    this.redraw();
  }

  // Mouse, touch and keyboard.

  listen() {
    const { canvas, pointers } = this;
    const point = (event) => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    const fromMiddle = ([x, y]) => [x - canvas.clientWidth / 2, y - canvas.clientHeight / 2];
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, point(event));
    });
    canvas.addEventListener("pointermove", (event) => {
      const now = point(event);
      this.pointed?.(this.cellAt(...now));
      const last = pointers.get(event.pointerId);
      if (!last) return;
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      pointers.set(event.pointerId, now);
      if (other) {
        const grown = Math.hypot(now[0] - other[0], now[1] - other[1]) / Math.max(1, Math.hypot(last[0] - other[0], last[1] - other[1]));
        this.moveBy((last[0] - now[0]) / 2, (last[1] - now[1]) / 2);
        this.zoomTo(this.zoom + Math.log2(Math.max(grown, 1e-3)), ...fromMiddle([(now[0] + other[0]) / 2, (now[1] + other[1]) / 2]));
      } else {
        this.moveBy(last[0] - now[0], last[1] - now[1]);
      }
    });
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => pointers.delete(event.pointerId));
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const pixels = event.deltaY * (event.deltaMode === 1 ? 33 : 1) * (event.ctrlKey ? 4 : 1);
      this.zoomTo(this.zoom - clamp(pixels, -400, 400) / 200, ...fromMiddle(point(event)));
    }, { passive: false });
    canvas.addEventListener("dblclick", (event) => this.zoomTo(Math.floor(this.zoom) + 1, ...fromMiddle(point(event))));
    canvas.addEventListener("keydown", (event) => {
      const far = event.shiftKey ? 512 : 64;
      const steps = { ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, -far], ArrowDown: [0, far] };
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (steps[event.key]) this.moveBy(...steps[event.key]);
      else if (event.key === "+" || event.key === "=") this.zoomStep(1);
      else if (event.key === "-" || event.key === "_") this.zoomStep(-1);
      else if (event.key === "Home" || event.key === "0") this.goHome();
      else return;
      event.preventDefault();
    });
  }
}
