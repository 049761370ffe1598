// Breed: all sessions, and the page of one session. People pick from a sheet of levels, and the next sheet is bred from what they picked.

import { get, post, put, remove } from "/static/api.js";
import { currentTheme, drawLevel } from "/static/draw.js";
import { editLevel } from "/static/editor.js";
import { RecipeForm } from "/static/form.js";
import { save } from "/static/files.js";
import { formats, themed } from "/static/formats.js";
import { action, ago, element, notify, withSeed } from "/static/page.js";
import { FamilyTree } from "/static/tree.js";

const WORDS = ["like", "love", "never"];
const BREEDS = ["next", "cross", "advance", "more_like"];
const SHEETS = [12, 16, 18, 20, 24];
const KEYS = "Keys: arrows choose a level; 1 like, 2 love, 3 never, 0 no pick; X marks two to breed; M more like this; E edit; N next; U undo; R redo.";

/** The list of sessions, with a form to begin another. */
export async function showSessions(view) {
  const [recipes, sessions] = await Promise.all([get("/recipes"), get("/sessions")]);
  const choice = element("select", { id: "recipe" }, ...recipes.map(({ name }) => element("option", { value: name, selected: name === "labyrinth" }, name)));
  const count = element("select", { id: "count" }, ...SHEETS.map((levels) => element("option", { value: levels }, String(levels))));
  const seed = element("input", { id: "seed", type: "text", inputMode: "numeric", placeholder: "random" });
  const summary = element("p", { className: "muted" });
  const place = element("div");
  let form;
  const choose = async () => {
    form = await new RecipeForm(choice.value).load();
    summary.textContent = recipes.find(({ name }) => name === choice.value).summary;
    place.replaceChildren(form.element);
  };
  choice.addEventListener("change", action(choose));
  await choose();
  const begin = action(async () => {
    const { id } = await post("/sessions", {
      recipe: choice.value, sheet: Number(count.value), settings: form.changes(), ...withSeed(seed),
    });
    location.hash = `#/breed/${id}`;
  });
  const list = element("ol", { className: "runs sessions" }, ...sessions.map((session) => element("li", {},
    element("a", { href: `#/breed/${session.id}` },
      element("strong", {}, `${session.id} · ${session.name}`), element("span", {}, session.recipe),
      element("span", { className: "muted" }, ago(session.updated))))));
  const none = element("p", { className: "empty", hidden: sessions.length > 0 },
    "No breeding sessions yet. Choose a recipe and begin: you see a sheet of levels, pick the ones you like, and breed more of them.");
  view.append(element("div", { className: "columns" },
    element("section", { className: "panel", "aria-label": "New session" },
      element("h1", {}, "Breed levels"),
      field("recipe", "recipe", choice), summary, field("count", "levels per sheet", count), field("seed", "seed", seed),
      element("button", { className: "primary wide begin", onclick: begin }, "Begin"), place),
    element("section", { "aria-label": "Sessions" }, element("h1", {}, "Sessions"), list, none)));
}

/** The listener of a button that begins a session with a level of the store, such as run-5-0 or kept-3. */
export const breedFrom = (level) => action(async () => {
  const { id } = await post("/sessions", { level });
  location.hash = `#/breed/${id}`;
});

const field = (id, label, input) => element("div", { className: "field" }, element("label", { htmlFor: id }, label), input);

/** The page of one session. */
export async function showSession(view, id) {
  const page = new SessionPage(id, ...await Promise.all([get(`/sessions/${id}`), formats()]));
  view.append(page.element);
  page.update();
  return page.listen();
}

class SessionPage {
  constructor(id, session, known) {
    this.id = id;
    this.session = session;
    this.chosen = 0;
    this.marked = [];
    this.cards = [];
    this.waiting = 0;
    this.breeding = false;
    this.last = Promise.resolve();
    this.title = element("h1", {});
    this.facts = element("p", { className: "muted facts" });
    this.sheet = element("div", { className: "sheet", role: "group", "aria-label": "Levels of this sheet" });
    this.tree = new FamilyTree(id, (number) => this.act({ action: "go", number }));
    this.next = this.button("Next generation", () => this.act({ action: "next" }), "primary");
    this.undo = this.button("Undo", () => this.act({ action: "undo" }));
    this.redo = this.button("Redo", () => this.act({ action: "redo" }));
    this.wildness = this.slider("wildness", "wildness", "How much children differ.");
    this.blend = this.slider("blend", "objective", "");
    this.generations = element("input", { id: "generations", type: "number", min: 1, max: 100, step: 1, value: 10 });
    this.automatic = this.button("Evolve", () => this.act({ action: "advance", generations: Number(this.generations.value) || 1 }));
    this.preview = element("canvas", { width: 1, height: 1, role: "img" });
    this.stage = element("div", { className: "preview" }, this.preview);
    this.chosenTitle = element("h2", {});
    this.cross = this.button("Breed these two", () => this.act({ action: "cross", places: this.marked }));
    this.mark = this.button("Mark to breed", () => this.toggleMark(this.chosen));
    this.more = this.button("More like this", () => this.act({ action: "more_like", place: this.chosen }));
    this.edit = this.button("Paint or lock", () => this.openEditor());
    this.shelf = this.button("Keep", () => this.keep());
    this.play = this.button("Keep and play", async () => { location.hash = `#/play/kept-${await this.keep()}`; });
    this.fresh = this.button("Breed from it", () => this.beginFrom());
    this.unlock = this.button("Unlock all cells", () => this.act({ action: "unlock", cells: this.session.locked.map(([x, y]) => `${x},${y}`) }));
    this.format = element("select", { "aria-label": "Format" }, ...known.map(({ name, meaning }) => element("option", { value: name, title: meaning }, name)));
    this.download = this.button("Download", () => save(`/sessions/${this.id}/levels/${this.chosen}?format=${this.format.value}${themed()}`));
    this.element = this.layout();
  }

  layout() {
    const heading = element("div", { className: "heading" }, this.title, this.facts,
      element("span", { className: "buttons" },
        this.button("Rename", () => this.rename(), "quiet"),
        this.button("Save a copy", () => save(`/sessions/${this.id}/file`), "quiet"),
        this.button("Delete", () => this.delete(), "quiet")));
    return element("div", { className: "breed" },
      heading,
      element("section", { className: "levels", "aria-label": "Sheet" }, this.sheet, element("p", { className: "muted keys" }, KEYS)),
      element("aside", { className: "steer", "aria-label": "Steer" },
        element("div", { className: "go" }, this.next, this.undo, this.redo),
        element("div", { className: "panel compact" }, this.wildness.element, this.blend.element,
          element("div", { className: "automatic" },
            this.automatic, this.generations, element("label", { htmlFor: "generations" }, "generations"))),
        element("section", { className: "panel compact chosen", "aria-label": "Chosen level" }, this.chosenTitle, this.stage,
          element("div", { className: "buttons even" }, this.more, this.edit, this.mark, this.cross),
          element("div", { className: "buttons even" }, this.shelf, this.play, this.fresh, this.unlock),
          element("div", { className: "buttons take" }, this.format, this.download))),
      element("section", { className: "family", "aria-label": "Family tree" }, element("h2", {}, "Family tree"), this.tree.element));
  }

  /** A button. Whether it can be used follows from the session alone. */
  button(label, work, className = "") {
    return element("button", { className, type: "button", onclick: () => Promise.resolve(work()).catch((problem) => notify(problem.message)) }, label);
  }

  slider(setting, label, meaning) {
    const value = element("output", { htmlFor: setting });
    const input = element("input", { id: setting, type: "range", min: 0, max: 1, step: 0.05, "aria-describedby": `${setting}-help` });
    const help = element("small", { id: `${setting}-help` }, meaning);
    input.addEventListener("input", () => { value.textContent = Number(input.value).toFixed(2); });
    input.addEventListener("change", action(() => this.act({ action: "adjust", setting, value: Number(input.value) })));
    const name = element("label", { htmlFor: setting }, label);
    return { input, value, help, element: element("div", { className: "dial" }, name, value, input, help) };
  }

  /** Carry out an action of the session, one after the other; `data` may be a function of the session at that time. */
  act(data) {
    const work = async () => {
      const before = this.session.sheet;
      this.session = await post(`/sessions/${this.id}/actions`, typeof data === "function" ? data(this.session) : data);
      if (this.session.sheet !== before) this.marked = [];
      this.update();
    };
    // A second click on a button that breeds is no second order.
    const breeds = BREEDS.includes(data.action);
    if (breeds && this.breeding) return this.last;
    this.waiting += 1;
    this.breeding ||= breeds;
    this.element.setAttribute("aria-busy", "true");
    this.last = this.last.catch(() => {}).then(work).finally(() => {
      this.waiting -= 1;
      if (breeds) this.breeding = false;
      if (!this.waiting) this.element.removeAttribute("aria-busy");
    });
    return this.last;
  }

  update() {
    const { session } = this;
    this.title.textContent = session.name;
    const locked = session.locked.length ? `, ${session.locked.length} cells locked` : "";
    this.facts.textContent = `sheet ${session.sheet}, generation ${session.generation}, seed ${session.seed}${locked}`;
    this.element.dataset.digest = session.digest;
    this.element.dataset.sheet = session.sheet;
    this.undo.disabled = !session.can_undo;
    this.redo.disabled = !session.can_redo;
    this.unlock.disabled = session.locked.length === 0;
    for (const [slider, value] of [[this.wildness, session.wildness], [this.blend, session.blend]]) {
      slider.input.value = value;
      slider.value.textContent = value.toFixed(2);
    }
    this.blend.help.textContent = `How much “${session.objective.replaceAll("_", " ")}” counts.`;
    while (this.cards.length < session.levels.length) this.addCard();
    while (this.cards.length > session.levels.length) this.cards.pop().element.remove();
    this.chosen = Math.min(this.chosen, session.levels.length - 1);
    this.cards.forEach((card, place) => this.updateCard(card, place));
    this.updateChosen();
    this.tree.update(session);
  }

  addCard() {
    const place = this.cards.length;
    const canvas = element("canvas", { width: 1, height: 1, "aria-hidden": "true" });
    const picture = element("button", { className: "picture", type: "button" }, canvas);
    const words = WORDS.map((word) => element("button", { className: `word ${word}`, type: "button" }, word));
    words.forEach((button, index) => button.addEventListener("click", () => this.pick(place, WORDS[index])));
    picture.addEventListener("focus", () => this.choose(place));
    picture.addEventListener("click", () => this.pick(place, "like"));
    const card = { element: element("div", { className: "card" }, picture, element("div", { className: "words" }, ...words)), canvas, picture, words };
    this.cards.push(card);
    this.sheet.append(card.element);
  }

  updateCard(card, place) {
    const { session } = this;
    const pick = session.picks[place] ?? "none";
    const level = session.levels[place];
    card.element.dataset.pick = pick;
    card.element.toggleAttribute("data-marked", this.marked.includes(place));
    card.element.toggleAttribute("data-chosen", place === this.chosen);
    card.picture.tabIndex = place === this.chosen ? 0 : -1;
    const marked = this.marked.includes(place) ? ", marked to breed" : "";
    card.picture.setAttribute("aria-label", `Level ${place + 1}, solution of ${level.solution.length} moves, ${pick === "none" ? "no pick" : pick}${marked}`);
    card.words.forEach((button, index) => {
      button.setAttribute("aria-pressed", String(WORDS[index] === pick));
      button.setAttribute("aria-label", `${WORDS[index]} level ${place + 1}`);
    });
    card.picture.style.aspectRatio = Math.max(0.6, Math.min(2, level.width / level.height));
    const [width, height] = [card.picture.clientWidth - 4, card.picture.clientHeight - 4];
    const drawn = `${level.digest} ${session.locked} ${currentTheme()} ${width} ${height}`;
    if (card.drawn === drawn) return;
    card.drawn = drawn;
    drawLevel(card.canvas, level, { width, height, locked: session.locked }).catch((problem) => notify(problem.message));
  }

  updateChosen() {
    const level = this.session.levels[this.chosen];
    this.chosenTitle.textContent = `Level ${this.chosen + 1}`;
    this.preview.setAttribute("aria-label", `Level ${this.chosen + 1} with its solution of ${level.solution.length} moves`);
    const { clientWidth: width, clientHeight: height } = this.stage;
    drawLevel(this.preview, level, { width, height, solution: true, locked: this.session.locked }).catch((problem) => notify(problem.message));
    this.mark.textContent = this.marked.includes(this.chosen) ? "Unmark" : "Mark to breed";
    this.mark.setAttribute("aria-pressed", String(this.marked.includes(this.chosen)));
    this.cross.disabled = this.marked.length !== 2;
    this.cross.title = this.marked.length === 2 ? "" : "Mark two levels first.";
  }

  choose(place) {
    if (place === this.chosen) return;
    const before = this.chosen;
    this.chosen = place;
    this.updateCard(this.cards[before], before);
    this.updateCard(this.cards[place], place);
    this.updateChosen();
  }

  pick(place, word) {
    return this.act(({ picks }) => ({ action: "pick", picks: { [place]: picks[place] === word ? "none" : word } })).catch((problem) => notify(problem.message));
  }

  toggleMark(place) {
    this.marked = this.marked.includes(place) ? this.marked.filter((one) => one !== place) : [...this.marked, place].slice(-2);
    this.cards.forEach((card, index) => this.updateCard(card, index));
    this.updateChosen();
  }

  openEditor() {
    const place = this.chosen;
    return editLevel({
      level: this.session.levels[place],
      locked: this.session.locked,
      title: `Level ${place + 1}`,
      apply: async ({ tiles, lock, locks, unlocks }) => {
        // What was locked is released first, so that it can be painted.
        if (unlocks.length) await this.act({ action: "unlock", cells: unlocks });
        if (Object.keys(tiles).length) await this.act({ action: "paint", place, tiles, lock });
        if (locks.length) await this.act({ action: "lock", cells: locks, place });
      },
    });
  }

  async keep() {
    const name = `${this.session.name}, sheet ${this.session.sheet}, level ${this.chosen + 1}`;
    const { id } = await post(`/sessions/${this.id}/levels/${this.chosen}/shelf`, { name: name.slice(0, 100) });
    notify(`Level ${this.chosen + 1} is on the shelf.`, { kind: "news" });
    return id;
  }

  async beginFrom() {
    const { id } = await post("/sessions", { start: { session: Number(this.id), place: this.chosen }, sheet: this.session.levels.length });
    location.hash = `#/breed/${id}`;
  }

  async rename() {
    const name = prompt("The name of this session", this.session.name);
    if (!name) return;
    await put(`/sessions/${this.id}`, { name: name.slice(0, 100) });
    this.session.name = name.slice(0, 100);
    this.title.textContent = this.session.name;
  }

  async delete() {
    if (!confirm(`Delete session ${this.id} with its whole family tree?`)) return;
    await remove(`/sessions/${this.id}`);
    location.hash = "#/breed";
  }

  /** React to keys and to another size of the window, until the page is left. */
  listen() {
    const columns = () => getComputedStyle(this.sheet).gridTemplateColumns.split(" ").length;
    const moves = { ArrowLeft: () => -1, ArrowRight: () => 1, ArrowUp: () => -columns(), ArrowDown: () => columns() };
    const picks = { 0: "none", 1: "like", 2: "love", 3: "never" };
    const buttons = { n: this.next, u: this.undo, r: this.redo, m: this.more, e: this.edit };
    const pressed = action(async (event) => {
      const typing = event.target.closest("input, select, textarea, dialog");
      if (typing || event.ctrlKey || event.altKey || event.metaKey) return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      if (key in moves && this.sheet.contains(document.activeElement)) {
        event.preventDefault();
        const place = Math.max(0, Math.min(this.cards.length - 1, this.chosen + moves[key]()));
        this.cards[place].picture.focus();
      } else if (key in picks) await this.act({ action: "pick", picks: { [this.chosen]: picks[key] } });
      else if (key === "x") this.toggleMark(this.chosen);
      else if (key in buttons) buttons[key].click();
    });
    const resized = () => this.update();
    addEventListener("keydown", pressed);
    addEventListener("resize", resized);
    return () => {
      removeEventListener("keydown", pressed);
      removeEventListener("resize", resized);
    };
  }
}
