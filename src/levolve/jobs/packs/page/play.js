// Playing one level: keys, buttons, swipes, undo, hints and the solution.

const byId = (id) => document.getElementById(id);
const KEYS = { ArrowUp: "u", ArrowDown: "d", ArrowLeft: "l", ArrowRight: "r", w: "u", s: "d", a: "l", d: "r", x: "x" };
const MILLISECONDS_A_STEP = 110;
const SWIPE = 24;
// Room around the board for the line that marks the focus, and pixels per tile below which fractions are shown too.
const EDGE = 10, WHOLE = 12;
/** A measured value to read: whole numbers in full, fractions with four digits. */
const WORDS = { u: "up", d: "down", l: "left", r: "right" };
// A search pauses after so many milliseconds, so that the page never stands still.
const SLICE = 12;
const numberText = (value) => (Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4))));

/** The dialog in which a level is played. `onWon(level)` is called for each solved level, `neighbour(level, by)` returns the previous or next one. */
function playDialog(pack, onWon, neighbour) {
  const dialog = byId("play"), board = byId("board");
  let level, tileset, rules, game, hint = null, playback = null;
  let began = null, ended = null; // the times of the player's first step and of the one that won
  let turn = 0; // changes with every move, so that a search for an earlier state is given up
  let watched = false; // the solution is being played, not the player's own game

  function open(chosen) {
    level = chosen;
    tileset = pack.tilesets[level.tileset];
    rules = RULES[level.type];
    byId("use").hidden = !rules.uses || !level.mechanics.rows.some((row) => (row.switch && !row.forced) || row.leads);
    byId("warn").hidden = !rules.uses || level.safe;
    byId("title").textContent = `${level.number}. ${level.kind}`;
    describe();
    if (!dialog.open) dialog.showModal();
    restart();
    board.focus();
  }

  function describe() {
    byId("facts").replaceChildren(...Object.entries(level.measures).map(([name, value]) => {
      const row = document.createElement("div"), term = document.createElement("dt"), number = document.createElement("dd");
      term.textContent = name.replaceAll("_", " ");
      number.textContent = numberText(value);
      row.append(term, number);
      return row;
    }));
    byId("files").replaceChildren(...level.files.map((file) => {
      const link = document.createElement("a");
      link.href = encodeURIComponent(file);
      link.textContent = file;
      return link;
    }));
    const goal = byId("goal");
    goal.textContent = rules.goal(level);
    if (!tileset?.rule) return;
    goal.append(`. ${tileset.rule}: `, ...tileset.colours.flatMap((colour, kind) => {
      const swatch = document.createElement("span");
      swatch.className = "swatch";
      swatch.style.background = colour;
      swatch.title = tileset.names[kind];
      return kind ? ["–", swatch] : [swatch];
    }));
  }

  function restart() {
    stopPlayback();
    watched = false;
    turn += 1;
    game = rules.start(level, tileset);
    hint = null;
    began = ended = null;
    say("");
    show();
  }

  /** The time since the player's first step, such as 1:05; empty before it, and while the solution is shown. */
  function clockText() {
    if (began === null) return "";
    const seconds = Math.floor(((ended ?? performance.now()) - began) / 1000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }

  function say(text, won = false) {
    byId("status").textContent = text;
    byId("status").classList.toggle("won", won);
    byId("next").classList.toggle("primary", won);
  }

  function show() {
    const stage = byId("stage");
    const room = Math.max(Math.min((stage.clientWidth - EDGE) / level.width, (stage.clientHeight - EDGE) / level.height), 0.5);
    // Whole pixels per tile where they cost little room.
    const tile = Math.min(room < WHOLE ? room : Math.floor(room), rules.tile);
    drawLevel(board, level, tileset, tile, game, hint);
    const taken = document.createElement("b");
    taken.textContent = game.past.length;
    byId("steps").replaceChildren(taken, ` steps, the ${rules.way} has ${level.solution.length}`);
    showInventory();
    const next = game.ahead ? `, next stop ${game.ahead[0].sign}` : "";
    board.setAttribute("aria-label", rules.describe ? rules.describe(game) : `At column ${game.x + 1}, row ${game.y + 1}${next}`);
    byId("clock").textContent = clockText();
    byId("undo").disabled = game.past.length === 0 || watched;
    byId("solution").textContent = playback === null ? "Solution" : "Stop";
  }

  /** What the player has, with the sign of a thing that gives it. */
  function showInventory() {
    const { mechanics } = level, bar = byId("inventory");
    bar.hidden = !rules.uses;
    if (!rules.uses) return;
    const amounts = amountsOf(mechanics, game.bits), left = rules.left(game);
    const chips = mechanics.resources.map((name, number) => [name, amounts[number], mechanics.signs[number]]).filter(([, amount]) => amount > 0);
    bar.replaceChildren(...chips.map(([name, amount, sign]) => {
      const item = document.createElement("li"), count = document.createElement("b");
      if (sign !== null) {
        const picture = document.createElement("canvas");
        picture.setAttribute("aria-hidden", "true");
        picture.width = picture.height = tileset.signs.tile;
        drawAtlasTile(picture.getContext("2d"), tileset.signs, tileset.signs.names[sign][0], 0, 0, tileset.signs.tile);
        item.append(picture);
      }
      count.textContent = amount;
      item.append(count, ` ${name}`);
      return item;
    }));
    if (left) {
      const item = document.createElement("li");
      item.textContent = `${left} left to collect`;
      bar.append(item);
    }
    if (!bar.children.length) {
      const item = document.createElement("li");
      item.textContent = "You have nothing yet.";
      bar.append(item);
    }
  }

  /** A search from here, in slices; undefined if it was given up: another move was made, or it was too long. */
  async function searched() {
    const mine = turn, work = rules.search({ ...game });
    for (let paused = performance.now(); ; ) {
      const { done, value } = work.next();
      if (done) return { value, current: mine === turn };
      if (performance.now() - paused < SLICE) continue;
      await new Promise((resolve) => setTimeout(resolve));
      if (mine !== turn || !dialog.open) return { value: undefined, current: false };
      paused = performance.now();
    }
  }

  /** Say so if no move can win any more. The solution and what a search found before need no search. */
  async function warn() {
    if (byId("warn").hidden || !byId("warnings").checked || watched || rules.won(game) || knownMove(game, level) !== null) return;
    const { value, current } = await searched();
    if (current && value === null) say("This move loses: nothing wins from here. Take it back with Undo.");
  }

  function take(direction) {
    if (rules.won(game) || (direction === "x" && !rules.uses)) return;
    hint = null;
    turn += 1;
    if (!watched) began ??= performance.now();
    if (!rules.step(game, direction)) {
      say(game.refused || (tileset?.blocked ?? rules.blocked));
      board.classList.remove("bump");
      void board.offsetWidth; // restarts the animation
      board.classList.add("bump");
    } else if (rules.won(game)) {
      ended = performance.now();
      say(wonText(), true);
      if (!watched) onWon(level);
      else game.back = level.back;
    } else {
      say("");
      warn();
    }
    show();
  }

  function wonText() {
    const taken = game.past.length, least = level.solution.length;
    if (watched) return `That is the ${rules.way}: ${least} steps.${level.back ? ` The way back has ${level.back.length}.` : ""}`;
    if (rules.way === "known solution") return `You won in ${taken} steps.`;
    return taken === least ? `You won in ${taken} steps: no solution is shorter!` : `You won in ${taken} steps. The ${rules.way} has ${least}.`;
  }

  function stepBack() {
    takeOver();
    if (undo(game)) say("");
    hint = null;
    turn += 1;
    show();
    warn();
  }

  function giveHint() {
    takeOver();
    if (rules.won(game)) return;
    const direction = rules.next(game, level);
    if (direction === null && rules.search) searchHint();
    else showHint(direction);
  }

  function showHint(direction) {
    hint = direction === null ? null : rules.target(game, direction);
    const thing = direction === "x" ? level.mechanics.rows.find(({ x, y }) => x === game.x && y === game.y) : null;
    say(direction === null ? rules.lost : thing ? `Use the ${thing.name}.` : `Go ${WORDS[direction]}.`);
    show();
  }

  async function searchHint() {
    say("Looking for a way …");
    const { value, current } = await searched();
    if (!current) return;
    if (value) showHint(value[0]);
    else say(value === null ? "Nothing wins from here. Take back some steps, or start again." : rules.lost);
  }

  function playSolution() {
    const stop = playback !== null;
    restart();
    if (stop) return;
    watched = true;
    const moves = [...level.solution];
    playback = setInterval(() => {
      take(moves.shift());
      if (moves.length === 0) stopPlayback();
      show();
    }, MILLISECONDS_A_STEP);
    show();
  }

  function stopPlayback() {
    clearInterval(playback);
    playback = null;
  }

  /** Who goes on after watching the solution, or some of it, starts from the beginning: the steps shown were not theirs. */
  function takeOver() {
    if (watched) restart();
  }

  function walk(direction) {
    takeOver();
    take(direction);
  }

  const actions = {
    u: stepBack, Backspace: stepBack, r: restart, h: giveHint, " ": playSolution,
    n: () => open(neighbour(level, 1)), p: () => open(neighbour(level, -1)),
  };
  dialog.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const onControl = event.target.closest("button, summary, a");
    if (key === " " && onControl) return;
    const act = KEYS[key] ? () => walk(KEYS[key]) : actions[key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  const buttons = { undo: stepBack, restart, hint: giveHint, solution: playSolution, next: actions.n, previous: actions.p, close: () => dialog.close() };
  for (const [id, act] of Object.entries(buttons)) {
    byId(id).addEventListener("click", (event) => {
      act();
      // After a click, the board gets the focus for its keys; keyboard users keep their focus.
      if (event.detail > 0 && dialog.open) board.focus();
    });
  }
  for (const button of dialog.querySelectorAll("[data-move]")) button.addEventListener("click", () => walk(button.dataset.move));
  byId("warnings").addEventListener("change", warn);
  dialog.addEventListener("close", stopPlayback);

  setInterval(() => { if (dialog.open) byId("clock").textContent = clockText(); }, 500);

  let from = null, swiped = false;
  board.addEventListener("pointerdown", (event) => {
    from = [event.clientX, event.clientY];
    swiped = false;
    board.setPointerCapture(event.pointerId);
  });
  board.addEventListener("pointermove", (event) => {
    if (from === null) return;
    const dx = event.clientX - from[0], dy = event.clientY - from[1];
    if (Math.max(Math.abs(dx), Math.abs(dy)) < SWIPE) return;
    from = [event.clientX, event.clientY];
    swiped = true;
    walk(Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? "r" : "l") : (dy > 0 ? "d" : "u"));
  });
  /** A click on a cell that one step leads to takes that step. */
  board.addEventListener("click", (event) => {
    if (swiped || rules.won(game)) return;
    const box = board.getBoundingClientRect();
    const x = Math.floor((event.clientX - box.left) / box.width * level.width), y = Math.floor((event.clientY - box.top) / box.height * level.height);
    takeOver();
    const direction = ["u", "d", "l", "r", ...(rules.uses ? ["x"] : [])].find((one) => {
      const target = rules.target(game, one);
      return target && target.x === x && target.y === y;
    });
    if (direction) take(direction);
  });
  for (const over of ["pointerup", "pointercancel"]) board.addEventListener(over, () => { from = null; });

  new ResizeObserver(() => { if (dialog.open) show(); }).observe(byId("stage"));
  byId("about").open = matchMedia("(min-width: 64rem) and (min-height: 44rem)").matches;

  return { open, redraw: () => { if (dialog.open) show(); }, get level() { return level; } };
}
