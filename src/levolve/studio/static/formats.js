// The formats of levels, as the server knows them, and how levels are downloaded in one.

import { get } from "/static/api.js";
import { currentTheme } from "/static/draw.js";
import { save } from "/static/files.js";
import { action, element } from "/static/page.js";

let known = null;

/** All formats: their names and meanings. */
export function formats() {
  known ??= get("/formats").catch((problem) => { known = null; throw problem; });
  return known;
}

export const themed = () => (currentTheme() ? `&theme=${encodeURIComponent(currentTheme())}` : "");

/** A list of formats to choose from, and a button that downloads what an address gives in the chosen one. */
export async function downloading(address) {
  const choice = element("select", { "aria-label": "Format" }, ...(await formats()).map(({ name, meaning }) => element("option", { value: name, title: meaning }, name)));
  const button = element("button", { onclick: action(() => save(`${address()}?format=${encodeURIComponent(choice.value)}${themed()}`)) }, "Download");
  return [choice, button];
}
