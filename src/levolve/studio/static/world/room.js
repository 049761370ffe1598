// World: look around in a fashion world without an edge, change its rule, paint start maps, take files away.

import { get, post, remove, showPicture } from "/static/api.js";
import { action, element, notify } from "/static/page.js";
import { save } from "/static/files.js";
import { RuleEditor, mixed, randomSeed } from "/static/world/rule.js";
import { StartMap } from "/static/world/start_map.js";
import { FARTHEST, WorldView } from "/static/world/view.js";

const FIRST = "spirals";
const LENGTH = 400;
const FIELDS = { share: "by the slider", linear: "from left to right", vertical: "from top to bottom", radial: "from the middle outwards", noise: "by noise" };
const WORLD_FORMATS = { png: "PNG picture", tmx: "TMX level", txt: "record (text)", npy: "NPY array", toml: "rule (TOML)" };
const MAP_FORMATS = { png: "PNG picture", gif: "GIF of all updates", tmx: "TMX level", txt: "record (text)", toml: "rule and start map (TOML)" };

const options = (entries) => Object.entries(entries).map(([value, label]) => element("option", { value }, label));
const group = (title, open, ...children) => element("details", { open, className: "panel-part" }, element("summary", {}, title), element("div", {}, ...children));
const field = (id, label, input, ...more) => element("div", { className: "field" }, element("label", { htmlFor: id }, label), input, ...more);

export async function showWorld(view) {
  const [{ rules, palettes, limits }, favourites] = await Promise.all([get("/worlds/rules"), get("/favourites")]);
  const last = remembered();
  const problem = element("p", { className: "problem", role: "alert", hidden: true });
  const mix = mixing(rules, favourites, () => {
    // A change over space belongs to the world, like its scores; it can be undone, and is there again after a reload.
    const morph = mix.morph(editor.states);
    if (JSON.stringify(morph) !== JSON.stringify(editor.description.morph)) editor.edit({ morph });
    else apply();
  });
  const described = () => {
    const { description } = editor;
    const other = mix.scores(description.scores.length);
    return other && mix.field() === "share" && mix.share() > 0 && !description.morph ? { ...description, scores: mixed(description.scores, other, mix.share()) } : description;
  };
  const editor = new RuleEditor(last?.description ?? rules.find(({ name }) => name === FIRST).description, { limits, palettes, changed: () => { mix.fill(editor.states, editor.description.morph); apply(); } });

  // The map and what is drawn over it.
  const canvas = element("canvas", {
    className: "world-map", tabIndex: 0, role: "application",
    "aria-label": "World. Move with the arrow keys, zoom with plus and minus, and go back to the middle with Home.",
  });
  const place = element("output", { className: "place", hidden: true });
  const detail = element("p", { className: "detail", role: "status", hidden: true });
  const jump = { x: element("input", { type: "text", inputMode: "numeric", placeholder: "x", "aria-label": "Go to column x" }), y: element("input", { type: "text", inputMode: "numeric", placeholder: "y", "aria-label": "Go to row y" }) };
  const go = (event) => {
    event.preventDefault();
    const [x, y] = [jump.x, jump.y].map(({ value }) => Number(value.trim() || 0));
    if (![x, y].every((value) => Number.isInteger(value) && Math.abs(value) <= FARTHEST)) return notify(`Go to: expected whole numbers from -${FARTHEST} to ${FARTHEST}.`);
    world.goTo(x + 0.5, y + 0.5);
    return canvas.focus();
  };
  const tool = (label, meaning, work) => element("button", { type: "button", "aria-label": meaning, title: meaning, onclick: work }, label);
  const stage = element("section", { className: "world-stage", "aria-label": "Map of the world" }, canvas,
    place, detail,
    element("div", { className: "zoom-tools" }, tool("+", "Zoom in", () => world.zoomStep(1)), tool("−", "Zoom out", () => world.zoomStep(-1)), tool("⌂", "Back to the middle", () => world.goHome())),
    element("form", { className: "jump", onsubmit: go }, jump.x, jump.y, element("button", {}, "Go")));
  const world = new WorldView(canvas, { moved: () => { show(); remember(); }, failed: (trouble) => notify(trouble.message) });
  Object.assign(world, last?.place ?? {});
  const show = (cell = [Math.floor(world.x), Math.floor(world.y)]) => {
    const scale = world.zoom >= 0 ? `${shortened(2 ** world.zoom)} px per cell` : `${shortened(2 ** -world.zoom)} cells per px`;
    place.hidden = false;
    place.textContent = `x ${cell[0].toLocaleString("en")}  y ${cell[1].toLocaleString("en")}  ·  ${scale}`;
  };
  world.detailed = () => {
    const words = { sampled: "Sampled: each square of 128 px shows the cells in its middle, one per px.", loading: "Computing every cell; until then squares show the cells in their middle …" };
    detail.textContent = words[world.detail] ?? "";
    detail.hidden = !detail.textContent;
  };
  world.pointed = show;
  canvas.addEventListener("pointerleave", () => show());
  let saving;
  const remember = () => {
    clearTimeout(saving);
    saving = setTimeout(() => localStorage.setItem("levolve-world", JSON.stringify({ description: editor.description, place: { x: world.x, y: world.y, zoom: world.zoom } })), 300);
  };

  // Start maps on a torus.
  const start = new StartMap({
    request: () => {
      const other = mix.field() === "share" ? null : mix.scores(editor.states);
      return { world: { ...described(), morph: undefined }, ...(other ? { morph: { scores: other, field: mix.field() } } : {}) };
    },
  });

  const apply = async () => {
    remember();
    const wrong = wrongScore(editor.description.scores);
    try {
      if (wrong) throw new Error(wrong);
      const answer = await world.show(described());
      problem.hidden = true;
      if (!answer) return;
      editor.answered(answer);
      start.setColours(answer.colours, answer.legend);
    } catch (trouble) {
      problem.textContent = trouble.message;
      problem.hidden = false;
    }
  };

  // The panel.
  const choose = (description, at) => {
    mix.reset();
    editor.set({ ...description, seed: description.seed ?? editor.description.seed });
    if (at) world.goTo(at.x, at.y, at.zoom);
  };
  const gallery = element("div", { className: "gallery" }, ...rules.map(({ name, summary, picture, description }) => element("button", { type: "button", title: summary, onclick: () => choose(description) },
    thumbnail(picture), name)));
  const open = element("input", { type: "file", id: "world-file", accept: ".toml,.json,.txt" });
  open.addEventListener("change", action(async () => {
    const [file] = open.files;
    if (!file) return;
    const format = { toml: "toml", json: "json" }[file.name.toLowerCase().split(".").pop()] ?? "txt";
    choose(await post("/worlds/read", { text: await file.text(), format }));
    open.value = "";
  }));
  const parts = [
    group("Rules", true, gallery, field("world-file", "from a file", open)),
    group("Scores", true,
      element("p", { className: "muted small" }, "A cell scores for each neighbour what the table says, then takes the state of the best-scoring cell near it."),
      editor.matrix, editor.matrixButtons()),
    group("Neighbourhood", false,
      element("p", { className: "muted small" }, "Click cells. The numbers are their order: of equal scores the first counts."),
      editor.grid, editor.neighbourButtons()),
    group("Start and updates", true,
      field("world-updates", "updates", element("span", { className: "slider" }, editor.updates, editor.updatesShown)),
      field("world-seed", "seed", element("span", { className: "slider" }, editor.seed, element("button", { type: "button", onclick: () => editor.edit({ seed: randomSeed() }) }, "New seed"))),
      field("world-arithmetic", "arithmetic", editor.arithmetic)),
    group("States and colours", false,
      field("world-palette", "palette", editor.palette),
      element("p", { className: "muted small" }, "Colour, name, and share at the start. In levels, open, plant, earth, sand and ice can be walked on."),
      editor.colourList),
    group("Morph", false, ...mix.elements(editor, choose)),
    favouritesPart(favourites, world, described, choose, () => mix.fill(editor.states)),
    downloadPart(world, start, described, () => mode),
  ];
  let mode = "world";
  const tabs = ["world", "map"].map((name) => element("button", { type: "button", "aria-pressed": String(name === mode), onclick: () => enter(name) }, { world: "World", map: "Start map" }[name]));
  const enter = (name) => {
    mode = name;
    stage.hidden = name !== "world";
    start.element.hidden = name !== "map";
    if (name === "world") start.stop();
    tabs.forEach((tab, index) => tab.setAttribute("aria-pressed", String(["world", "map"][index] === name)));
    mix.mode(name);
    parts.at(-1).dispatchEvent(new Event("mode"));
  };
  view.append(element("div", { className: "world" },
    element("h1", { className: "world-title" }, "World"),
    element("div", { className: "world-left" }, stage, start.element),
    element("aside", { className: "world-panel", "aria-label": "Rule and tools" }, element("div", { className: "buttons switch", role: "group", "aria-label": "What to show" }, ...tabs), problem, ...parts)));
  enter("world");
  mix.fill(editor.states, editor.description.morph);
  world.resize();
  // Not awaited: whoever leaves the room meanwhile does not wait for its pictures.
  apply().then(() => start.random()).catch((trouble) => notify(trouble.message));
  return () => { world.close(); start.close(); };
}

function remembered() {
  try {
    const found = JSON.parse(localStorage.getItem("levolve-world"));
    return Array.isArray(found?.description?.scores) ? found : null;
  } catch {
    return null;
  }
}

const shortened = (value) => Number(value.toPrecision(3));

/** A sentence about the first score that is not a number. */
function wrongScore(scores) {
  for (const [row, line] of scores.entries()) {
    const column = line.findIndex((score) => !Number.isFinite(score));
    if (column >= 0) return `Scores, row ${row}, column ${column}: expected a number, got nothing. Type one, or press Undo.`;
  }
  return null;
}

/** The other rule of a morph, and how much of it is mixed in. */
function mixing(rules, favourites, changed) {
  const other = element("select", { id: "world-other" });
  const slider = element("input", { type: "range", id: "world-share", min: 0, max: 100, step: 1, value: 0 });
  const shown = element("output", { htmlFor: "world-share" }, "0 %");
  const over = element("select", { id: "world-field" }, ...options(FIELDS));
  const none = element("p", { className: "muted small" });
  const overField = field("world-field", "changes", over);
  const length = element("input", { type: "number", id: "world-length", min: 1, max: 65536, value: LENGTH });
  const lengthField = field("world-length", "over cells", length);
  const shareField = field("world-share", "share", element("span", { className: "slider" }, slider, shown));
  const arrange = () => {
    const bySlider = over.value === "share";
    shareField.hidden = !bySlider;
    lengthField.hidden = bySlider || current !== "world";
    take.hidden = !bySlider;
  };
  const take = element("button", { type: "button" }, "Use the mixture as the rule");
  let known = [];
  let current = "world";
  slider.addEventListener("input", () => { shown.textContent = `${slider.value} %`; changed(); });
  other.addEventListener("change", changed);
  over.addEventListener("change", () => { arrange(); changed(); });
  length.addEventListener("change", changed);
  const chosen = (states) => known.find(({ name, scores }) => name === other.value && scores.length === states)?.scores ?? null;
  return {
    scores: chosen,
    share: () => Number(slider.value) / 100,
    field: () => over.value,
    /** The change over space as the description of a world holds it; undefined where the slider mixes. */
    morph: (states) => {
      const scores = chosen(states);
      return scores && over.value !== "share" ? { scores, field: over.value, length: Math.min(Math.max(Math.round(Number(length.value)) || LENGTH, 1), 65536) } : undefined;
    },
    reset: () => { slider.value = 0; shown.textContent = "0 %"; over.value = "share"; arrange(); },
    mode: (name) => { current = name; arrange(); },
    fill: (states, morph) => {
      let before = other.value;
      const kept = favourites.filter(({ description }) => description).map(({ id, name, description }) => ({ name: `${name} (favourite ${id})`, scores: description.scores }));
      known = [...rules.map(({ name, description }) => ({ name, scores: description.scores })), ...kept].filter(({ scores }) => scores.length === states);
      if (morph) {
        const same = (one) => JSON.stringify(one.scores) === JSON.stringify(morph.scores);
        if (!known.some(same)) known.push({ name: "kept with the world", scores: morph.scores });
        before = known.find((one) => one.name === before && same(one))?.name ?? known.find(same).name;
        over.value = morph.field;
        length.value = morph.length;
      } else {
        over.value = "share";
      }
      arrange();
      other.replaceChildren(...known.map(({ name }) => element("option", { value: name, selected: name === before }, name)));
      other.disabled = slider.disabled = over.disabled = !known.length;
      none.textContent = known.length ? "Mixes the scores of the rule with those of another one, everywhere or from place to place." : `There is no other rule with ${states} states. Keep one as a favourite first.`;
    },
    elements: (editor, choose) => {
      take.onclick = () => {
        const scores = chosen(editor.states);
        if (scores) choose({ ...editor.description, name: "mixture", scores: mixed(editor.description.scores, scores, Number(slider.value) / 100) });
      };
      return [none, field("world-other", "towards", other), overField, shareField, lengthField, take];
    },
  };
}

function thumbnail(address) {
  const image = element("img", { alt: "", width: 72, height: 48 });
  showPicture(image, address).catch((problem) => notify(problem.message));
  return image;
}

/** The favourites of the store; the list is changed in place. */
function favouritesPart(favourites, world, described, choose, changed) {
  const list = element("ul", { className: "favourites" });
  const name = element("input", { type: "text", maxLength: 60, "aria-label": "Name of the favourite", placeholder: "name" });
  const fill = () => {
    list.replaceChildren(...favourites.map((one) => element("li", {},
      one.problem ? element("span", { className: "problem" }, `${one.name}: ${one.problem}`) : element("button", { type: "button", onclick: () => choose(one.description, one) },
        thumbnail(one.picture), one.name),
      element("button", { type: "button", className: "quiet", "aria-label": `Remove ${one.name}`, onclick: action(async () => {
        await remove(`/favourites/${one.id}`);
        await load();
      }) }, "✕"))));
    if (!favourites.length) list.append(element("li", { className: "muted" }, "None yet. Favourites are kept in the store."));
    changed();
  };
  const load = async () => {
    favourites.splice(0, favourites.length, ...await get("/favourites"));
    fill();
  };
  const keep = action(async () => {
    const description = described();
    await post("/favourites", { description: { ...description, name: name.value.trim() || description.name }, x: world.x, y: world.y, zoom: world.zoom });
    name.value = "";
    await load();
  });
  const add = element("form", { className: "buttons", onsubmit: (event) => { event.preventDefault(); keep(event); } }, name, element("button", { className: "primary" }, "Keep"));
  fill();
  return group("Favourites", false, add, list);
}

function downloadPart(world, start, described, mode) {
  const format = element("select", { id: "world-format" }, ...options(WORLD_FORMATS));
  const size = ["width", "height"].map((name, index) => element("input", { type: "number", id: `world-${name}`, min: 1, max: 4096, value: [100, 80][index], "aria-label": `${name} in cells` }));
  const sizes = field("world-width", "cells", element("span", { className: "slider" }, size[0], " × ", size[1]));
  const pixels = element("input", { type: "number", id: "world-pixels", min: 1, max: 16, value: 4 });
  const scale = field("world-pixels", "pixels per cell", pixels);
  const note = element("p", { className: "muted small" });
  const download = element("button", { type: "button", className: "primary", onclick: action(async () => {
    if (mode() === "map") return save("/maps/file", { ...start.file(), format: format.value, pixels: Math.min(Number(pixels.value), 8) });
    const { id } = await post("/worlds", described());
    const { x, y, width, height } = world.frameCells();
    return save(`/worlds/${id}/file?format=${format.value}&x=${x}&y=${y}&width=${width}&height=${height}&pixels=${pixels.value}`);
  }) }, "Download");
  const part = group("Download", false, note, field("world-format", "format", format), sizes, scale, download);
  const frame = () => {
    const isWorld = mode() === "world";
    scale.hidden = !["png", "gif"].includes(format.value);
    sizes.hidden = !isWorld || format.value === "toml";
    note.textContent = isWorld ? "The cells inside the frame around the middle of the map." : "The map after its updates; a record and a rule hold what it was made from.";
    const [width, height] = size.map(({ value, max }) => Math.min(Math.max(Math.floor(Number(value)) || 1, 1), Number(max)));
    world.frame = part.open && isWorld ? { width, height } : null;
    world.redraw();
  };
  for (const input of [...size, format]) input.addEventListener("input", frame);
  part.addEventListener("toggle", frame);
  part.addEventListener("mode", () => {
    const before = format.value;
    const formats = mode() === "map" ? MAP_FORMATS : WORLD_FORMATS;
    format.replaceChildren(...options(formats));
    if (before in formats) format.value = before;
    frame();
  });
  return part;
}
