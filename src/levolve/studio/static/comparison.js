// Two levels side by side, with the steps from the entrance to each cell and all their measures.

import { get } from "/static/api.js";
import { drawLevel, drawPlaces } from "/static/draw.js";
import { element, number } from "/static/page.js";

const HEIGHT = 420;
// Below this width the levels are one below the other.
const NARROW = 640;

export async function showComparison(view, first, second) {
  const levels = await Promise.all([get(`/levels/${first}`), get(`/levels/${second}`)]);
  const farthest = Math.max(1, ...levels.flatMap(({ distances }) => (distances ?? []).flat()));
  const heat = element("input", { type: "checkbox", id: "heat", checked: true });
  const boards = levels.map(() => element("canvas", { role: "img" }));
  const draw = () => levels.forEach(async ({ level, distances }, index) => {
    const width = view.clientWidth < NARROW ? view.clientWidth : view.clientWidth / 2 - 24;
    const side = await drawLevel(boards[index], level, { width: Math.min(800, width), height: HEIGHT });
    if (heat.checked && distances) {
      drawDistances(boards[index], distances, side * (devicePixelRatio || 1), farthest);
      await drawPlaces(boards[index], level, side * (devicePixelRatio || 1));
    }
    boards[index].setAttribute("aria-label", `${level.width} by ${level.height} tiles, ${level.solution.length} steps`);
  });
  heat.addEventListener("change", draw);
  addEventListener("resize", draw);
  const names = [...new Set(levels.flatMap(({ measures }) => Object.keys(measures)))];
  const rows = names.map((name) => {
    const values = levels.map(({ measures }) => measures[name]);
    return element("tr", { className: values[0] === values[1] ? "same" : "" },
      element("th", { scope: "row" }, name.replaceAll("_", " ")), ...values.map((value) => element("td", {}, number(value ?? null))));
  });
  const titles = levels.map(({ name, recipe }) => [name, recipe].filter(Boolean).join(", "));
  view.append(
    element("p", {}, element("a", { href: "#/shelf" }, "Back to the shelf")),
    element("h1", {}, "Two levels"),
    element("label", { className: "check" }, heat, ` show the steps from the entrance, from blue (0) to red (${farthest})`),
    element("div", { className: "pair" }, ...boards.map((board, index) => element("figure", {}, board, element("figcaption", {}, titles[index])))),
    element("table", { className: "measures" },
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "measure"), ...titles.map((title) => element("th", { scope: "col" }, title)))),
      element("tbody", {}, ...rows)));
  draw();
  return () => removeEventListener("resize", draw);
}

function drawDistances(canvas, distances, side, farthest) {
  const pen = canvas.getContext("2d");
  distances.forEach((row, y) => row.forEach((steps, x) => {
    if (steps < 0) return;
    const share = steps / farthest;
    pen.fillStyle = `hsl(${210 - 200 * share} 75% ${72 - 40 * share}% / 0.72)`;
    pen.fillRect(x * side, y * side, side, side);
  }));
}
