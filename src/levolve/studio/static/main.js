// The rooms of the studio and the way between them: the part of the address after # names the room.

import { UNKNOWN, get } from "/static/api.js";
import { showSession, showSessions } from "/static/breed.js";
import { showComparison } from "/static/comparison.js";
import { chooseTheme, currentTheme } from "/static/draw.js";
import { showHome } from "/static/home.js";
import { showIllumination, showIlluminations } from "/static/illuminate.js";
import { element, notify } from "/static/page.js";
import { showChoices, showLevels, showNew } from "/static/play.js";
import { showReference } from "/static/reference.js";
import { showShelf } from "/static/shelf.js";
import { showSide } from "/static/side.js";
import { showRun, showRuns } from "/static/watch.js";
import { showWorld } from "/static/world/room.js";

// A room is shown by a function that fills the view; it may return a function that is called when the room is left.
const ROOMS = [
  { path: "/", title: "Start", show: showHome },
  { path: "/watch", title: "Watch", show: showRuns },
  { path: "/watch/:run", show: showRun },
  { path: "/watch/side/:runs", show: showSide },
  { path: "/illuminate", title: "Illuminate", show: showIlluminations },
  { path: "/illuminate/:run", show: showIllumination },
  { path: "/breed", title: "Breed", show: showSessions },
  { path: "/breed/:session", show: showSession },
  { path: "/play", title: "Play", show: showChoices },
  { path: "/play/new/:name", show: showNew },
  { path: "/play/:levels", show: showLevels },
  { path: "/shelf", title: "Shelf", show: showShelf },
  { path: "/shelf/:what", show: showShelf },
  { path: "/shelf/:first/:second", show: showComparison },
  { path: "/world", title: "World", show: showWorld },
  { path: "/api", show: showReference },
];

let leave = null;
let entered = 0;

function matching(path) {
  for (const room of ROOMS) {
    const names = room.path.split("/");
    const parts = path.split("/");
    if (names.length !== parts.length || !names.every((name, index) => name.startsWith(":") || name === parts[index])) continue;
    return { room, values: names.flatMap((name, index) => (name.startsWith(":") ? [decodeURIComponent(parts[index])] : [])) };
  }
  return null;
}

async function enter() {
  const path = location.hash.slice(1) || "/";
  const found = matching(path);
  if (leave) leave();
  leave = null;
  // A room of its own: what a room that was left meanwhile still fills in is not shown.
  const view = element("div");
  const visit = ++entered;
  document.getElementById("view").replaceChildren(view);
  const top = `/${path.split("/")[1]}`;
  for (const tab of document.querySelectorAll("#tabs a")) {
    if (tab.toggleAttribute("aria-current", tab.hash === `#${top}`)) tab.scrollIntoView({ inline: "nearest", block: "nearest" });
  }
  if (!found) {
    view.append(element("p", { className: "empty" }, "There is nothing at this address. ", element("a", { href: "#/" }, "Go to the start")));
    return;
  }
  try {
    const left = (await found.room.show(view, ...found.values)) ?? null;
    if (visit === entered) leave = left;
    else if (left) left();
  } catch (problem) {
    // That the token is not accepted stands on the page already.
    if (visit !== entered || problem.status === UNKNOWN) return;
    notify(problem.message);
    view.append(element("p", { className: "empty" }, problem.message));
  }
}

async function start() {
  document.getElementById("tabs").append(...ROOMS.filter(({ title }) => title).map(({ path, title }) => element("a", { href: `#${path}` }, title)));
  addEventListener("hashchange", enter);
  addEventListener("theme", enter);
  await enter();
  const themes = await get("/themes");
  const choice = document.getElementById("theme");
  choice.append(...themes.map(({ name, meaning }) => element("option", { value: name, title: meaning, selected: name === currentTheme() }, name)));
  choice.addEventListener("change", () => chooseTheme(choice.value));
}

start().catch((problem) => { if (problem.status !== UNKNOWN) notify(problem.message); });
