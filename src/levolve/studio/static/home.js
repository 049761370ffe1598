// The first screen: one click starts something.

import { get, post } from "/static/api.js";
import { drawLevel } from "/static/draw.js";
import { action, element, notify } from "/static/page.js";

const FIRST = "labyrinth";
// What the other rooms are for.
const DOORS = [["breed", "levels by picking favourites"], ["illuminate", "the best level of every kind"], ["play", "levels and puzzles"], ["world", "maps without an edge"]];
const PICTURE = { width: 230, height: 130 };
// Shown before the others, which follow by name.
const FEATURED = ["labyrinth", "castle", "grotto", "garden", "crypt", "braided", "island", "warren", "dungeon", "cavern"];

export async function showHome(view) {
  const rank = ({ name }) => (FEATURED.includes(name) ? FEATURED.indexOf(name) : FEATURED.length);
  const damaged = await get("/damage");
  const recipes = (await get("/recipes")).sort((one, other) => rank(one) - rank(other));
  const evolve = (name) => action(async () => {
    const { id } = await post("/runs", { recipe: name });
    location.hash = `#/watch/${id}`;
  });
  const breed = (name) => action(async () => {
    const { id } = await post("/sessions", { recipe: name });
    location.hash = `#/breed/${id}`;
  });
  if (damaged.length) view.append(damageNotice(damaged));
  view.append(
    element("section", { className: "welcome" },
      element("h1", {}, "Evolve a level, and watch it happen"),
      element("p", {}, "Every level comes with a proof that it can be won. Choose what to make; you can pause, change and export it at any time."),
      element("button", { className: "primary", onclick: evolve(FIRST) }, "Evolve a labyrinth now")),
    element("p", { className: "doors" }, ...DOORS.map(([room, sentence]) => element("a", { href: `#/${room}` }, element("strong", {}, room), ` ${sentence}`))),
    element("h2", {}, "Recipes"),
    element("ul", { className: "recipes" }, ...recipes.map(({ name, summary, sample }) => element("li", {},
      samplePicture(name, sample),
      element("h3", {}, name),
      element("p", {}, summary),
      element("div", { className: "buttons" },
        element("button", { onclick: evolve(name), "aria-label": `Evolve ${name}` }, "Evolve"),
        element("button", { onclick: breed(name), "aria-label": `Breed ${name}` }, "Breed")))))
  );
}

/** What of the store is in no list, and what repairs it. */
function damageNotice(sentences) {
  return element("details", { className: "damage" },
    element("summary", {}, `${sentences.length} damaged ${sentences.length === 1 ? "entry" : "entries"} of the store`),
    element("p", {}, "They are left out of all lists. Stop the studio and call 'levolve runs repair'."),
    element("ul", {}, ...sentences.map((sentence) => element("li", {}, sentence))));
}

/** A level of the recipe, in the chosen look. */
export function samplePicture(name, sample) {
  if (!sample) return null;
  const canvas = element("canvas", { role: "img", "aria-label": `A level of ${name}` });
  drawLevel(canvas, sample, PICTURE).catch((problem) => notify(problem.message));
  return element("div", { className: "sample" }, canvas);
}
