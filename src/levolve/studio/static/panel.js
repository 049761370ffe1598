// What is known of one run, kept up to date by its events: the best level or attempt, the curve, figures and buttons.

import { get, post, showPicture, watch } from "/static/api.js";
import { drawChart } from "/static/chart.js";
import { drawLevel } from "/static/draw.js";
import { action, duration, element, notify, number } from "/static/page.js";

// A longer curve loses every second point.
const MOST_POINTS = 6000;
const ACTIVE = ["running", "paused"];

/** The parts of the page of a run. `shown` names the figures; `wall` receives the levels of the population, `ancestry` the ancestors of the best, `archive` the map of elites; `updated` is called after every change. */
export class RunPanel {
  constructor(run, { shown = null, wall = null, ancestry = null, archive = null, updated = () => {} } = {}) {
    this.id = run.id;
    this.state = { ...run, points: run.history };
    this.isSolver = run.kind === "solve";
    this.level = run.level;
    this.attempt = run.attempt;
    this.shown = shown;
    this.wall = wall;
    this.ancestry = ancestry;
    this.archive = archive;
    this.isIllumination = run.kind === "illuminate";
    this.updated = updated;
    this.withSolution = false;
    this.step = null;
    this.status = element("span", { className: "status" });
    this.problem = element("p", { className: "problem", hidden: true });
    this.board = element("canvas", { className: "board", role: "img", "aria-label": "The best level so far" });
    this.picture = element("img", { className: "attempt", alt: "" });
    this.stage = element("div", { className: "stage" }, this.isSolver ? this.picture : this.board);
    const share = this.isIllumination ? "coverage" : "diversity";
    this.chart = element("canvas", { className: "chart", role: "img", "aria-label": `Best score, mean score and ${share} over the generations of run ${run.id}` });
    this.legend = element("div", { className: "legend" }, ...["best", ...(this.isSolver ? [] : ["mean"])].map((name) => element("span", { className: name }, name)),
      element("span", { className: "diversity" }, share));
    this.figures = element("dl", { className: "figures" });
    this.controls = element("div", { className: "buttons" });
    this.buttons = "";
    this.close = () => {};
    this.redraw = () => { this.drawBest(); drawChart(this.chart, this.state.points); };
  }

  static async load(id, options) {
    return new RunPanel(await get(`/runs/${encodeURIComponent(id)}`), options);
  }

  get isActive() {
    return ACTIVE.includes(this.state.status);
  }

  /** Draw everything, and follow the run. The parts must be on the page. */
  begin() {
    addEventListener("resize", this.redraw);
    this.update();
    this.redraw();
    if (this.state.live || this.state.status === "running") this.connect(this.state.live);
  }

  end() {
    this.close();
    removeEventListener("resize", this.redraw);
  }

  connect(live = true) {
    this.close();
    this.state.live = live;
    const wanted = { wall: Boolean(this.wall) && !this.isSolver, ancestry: Boolean(this.ancestry) && !this.isSolver, archive: Boolean(this.archive) };
    this.close = watch(this.id, { ...wanted, since: this.state.points.at(-1)?.[0] ?? -1 }, {
      state: ({ points, ...news }) => {
        Object.assign(this.state, news);
        this.state.points.push(...points);
        if (this.state.points.length > MOST_POINTS) this.state.points = this.state.points.filter((_, place, all) => place % 2 === 0 || place === all.length - 1);
        this.update();
        drawChart(this.chart, this.state.points);
      },
      level: (news) => { this.level = news; this.drawBest(); },
      attempt: (news) => { this.attempt = news; this.drawBest(); this.update(); },
      wall: ({ levels }) => this.wall(levels),
      ancestry: ({ ancestors }) => this.ancestry(ancestors),
      archive: (news) => this.archive(news),
    });
  }

  drawBest() {
    if (this.attempt) this.drawAttempt();
    if (!this.level) return;
    const box = this.stage.getBoundingClientRect();
    drawLevel(this.board, this.level, { width: box.width, height: box.height, solution: this.withSolution }).catch((trouble) => notify(trouble.message));
  }

  drawAttempt() {
    const { picture, width, height, moves, solved } = this.attempt;
    const box = this.stage.getBoundingClientRect();
    // Pictures are enlarged a little, so that their numbers stay sharp.
    const scale = Math.min(1.5, (box.width - 24) / width, (box.height - 24) / height);
    // Another step than the last one was chosen.
    if (this.step === null) this.show(picture);
    this.picture.width = Math.round(width * scale);
    this.picture.height = Math.round(height * scale);
    this.picture.alt = `The board after ${this.step ?? moves.length} of ${moves.length} moves of the ${solved ? "solution" : "best attempt"}`;
  }

  /** Show the board after some moves of a run that is over; null for all of them. */
  showStep(step) {
    this.step = step;
    if (step !== null) this.show(`/api/runs/${this.id}/board?step=${step}`);
    this.drawAttempt();
  }

  show(picture) {
    showPicture(this.picture, picture).catch((trouble) => notify(trouble.message));
  }

  control(name, label, primary = false) {
    return element("button", { className: primary ? "primary" : "", "aria-label": `${label} run ${this.id}`, onclick: action(async () => {
      await post(`/runs/${this.id}/${name}`);
      if (name === "resume") this.connect();
    }) }, label);
  }

  update() {
    const { state } = this;
    this.status.textContent = state.status;
    this.status.className = `status ${state.status}`;
    this.problem.hidden = !state.problem;
    this.problem.textContent = state.problem ?? "";
    if (this.buttons !== `${state.status} ${state.live}`) {
      this.buttons = `${state.status} ${state.live}`;
      const buttons = [];
      if (state.live && state.status === "running") buttons.push(this.control("pause", "Pause", true), this.control("stop", "Stop"));
      if (state.live && state.status === "paused") buttons.push(this.control("resume", "Resume", true), this.control("stop", "Stop"));
      if (!this.isActive && state.status !== "done") buttons.push(this.control("resume", "Resume", true));
      this.controls.replaceChildren(...buttons);
    }
    // Stored curves have scores only.
    this.legend.lastElementChild.hidden = !state.points.some(([, , , share]) => share !== null);
    const rows = this.rows();
    const names = this.shown ? this.shown.filter((name) => name in rows) : Object.keys(rows);
    this.figures.replaceChildren(...names.flatMap((name) => [element("dt", {}, name), element("dd", {}, rows[name] ?? "–")]));
    this.updated(this);
  }

  rows() {
    const { state } = this;
    const last = state.points.at(-1);
    const rows = { best: number(state.score ?? last?.[1]), mean: number(state.mean) };
    if (this.isSolver) {
      delete rows.mean;
      rows.moves = this.attempt?.moves ? String(this.attempt.moves.length) : "–";
      rows.diversity = Number.isFinite(last?.[3]) ? `${Math.round(last[3] * 100)} %` : "–";
    }
    const speed = this.isActive ? { "per second": number(state.rate, 3), "time left": duration(state.left) } : {};
    return {
      ...rows, generation: number(state.generation ?? last?.[0], 9), evaluations: number(state.evaluations, 9), ...speed,
      seed: state.seed, ...(state.size ? { size: state.size } : {}),
    };
  }
}
