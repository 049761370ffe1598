// The first screen: one click starts something.

import { get, post } from "/static/api.js";
import { action, element } from "/static/page.js";

const FIRST = "labyrinth";
// Shown before the others, which follow by name.
const FEATURED = ["labyrinth", "castle", "grotto", "garden", "crypt", "braided", "island", "warren", "dungeon", "cavern"];

export async function showHome(view) {
  const rank = ({ name }) => (FEATURED.includes(name) ? FEATURED.indexOf(name) : FEATURED.length);
  const recipes = (await get("/recipes")).sort((one, other) => rank(one) - rank(other));
  const evolve = (name) => action(async () => {
    const { id } = await post("/runs", { recipe: name });
    location.hash = `#/watch/${id}`;
  });
  const breed = (name) => action(async () => {
    const { id } = await post("/sessions", { recipe: name });
    location.hash = `#/breed/${id}`;
  });
  view.append(
    element("section", { className: "welcome" },
      element("h1", {}, "Evolve a level, and watch it happen"),
      element("p", {}, "Every level comes with a proof that it can be won. Choose what to make; you can pause, change and export it at any time."),
      element("button", { className: "primary", onclick: evolve(FIRST) }, "Evolve a labyrinth now")),
    element("h2", {}, "Recipes"),
    element("ul", { className: "recipes" }, ...recipes.map(({ name, summary }) => element("li", {},
      element("h3", {}, name),
      element("p", {}, summary),
      element("div", { className: "buttons" },
        element("button", { onclick: evolve(name), "aria-label": `Evolve ${name}` }, "Evolve"),
        element("button", { onclick: breed(name), "aria-label": `Breed ${name}` }, "Breed")))))
  );
}
