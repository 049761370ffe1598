// The cards of the shelf: a level or puzzle, and a pack, map or run.

import { post, remove, showPicture } from "/static/api.js";
import { breedFrom } from "/static/breed.js";
import { drawLevel } from "/static/draw.js";
import { save } from "/static/files.js";
import { themed } from "/static/formats.js";
import { action, ago, element, notify } from "/static/page.js";
import { pageOf } from "/static/run_list.js";

const SIZE = { width: 208, height: 140 };

const failed = (problem) => notify(problem.message);
const link = (text, href, label) => element("a", { className: "button", href, "aria-label": label }, text);
const button = (text, label, work, className = "") => element("button", { className, "aria-label": label, onclick: action(work) }, text);

/** A level or puzzle: it can be chosen, played, bred, kept and downloaded. */
export function levelCard(entry, { chosen, choose, changed, format }) {
  const title = `${entry.name} ${entry.recipe}`;
  const canvas = element("canvas", { role: "img", "aria-label": title });
  const choice = element("input", { type: "checkbox", checked: chosen, "aria-label": `Choose ${title}` });
  choice.addEventListener("change", () => choose(choice.checked));
  const kept = entry.id.startsWith("kept-");
  const keep = async () => {
    if (kept) await remove(`/shelf/${entry.id.slice(5)}`);
    else await post("/shelf", { level: entry.id, name: `${entry.recipe || "level"} ${entry.digest.slice(0, 6)}` });
    notify(kept ? "Taken off the shelf." : "Kept. It stays here even if its run is deleted.", { kind: "done" });
    await changed();
  };
  const picture = entry.level ? canvas : element("img", { src: entry.picture, alt: title });
  if (entry.level) drawLevel(canvas, entry.level, SIZE).catch(failed);
  return element("li", {},
    element("div", { className: "thumbnail" }, picture),
    element("label", { className: "check" }, choice, ` ${entry.name}`),
    element("span", { className: "muted" }, [entry.recipe, `${entry.steps} steps`, ago(entry.added)].filter(Boolean).join(" · ")),
    element("div", { className: "buttons" },
      link("Play", `#/play/${entry.id}`, `Play ${title}`),
      entry.level ? element("button", { onclick: breedFrom(entry.id), "aria-label": `Breed from ${title}` }, "Breed") : null,
      button(kept ? "Remove" : "Keep", `${kept ? "Remove" : "Keep"} ${title}`, keep),
      button("Download", `Download ${title}`, () => save(`/levels/${entry.id}/file?format=${encodeURIComponent(format())}${themed()}`))));
}

/** A pack, map or run: it can be opened, its levels seen, and downloaded. */
export function runCard(entry, { shelf, format }) {
  const title = `${entry.name}, ${entry.kind} ${entry.id}`;
  const chosen = () => encodeURIComponent(format());
  const files = {
    packs: () => save(`/runs/${entry.id}/pack?formats=${[...new Set(["json", "png", format()])].map(encodeURIComponent).join(",")}${themed()}`),
    maps: () => save(`/runs/${entry.id}/archive/file?format=${chosen()}${themed()}`),
    runs: () => save(`/levels/run-${entry.id}-0/file?format=${chosen()}${themed()}`),
  };
  const places = Array.from({ length: Math.min(entry.count, 100) }, (_, place) => `run-${entry.id}-${place}`).join(",");
  const hasLevels = shelf === "maps" || entry.count > 0;
  return element("li", {},
    element("div", { className: `thumbnail ${entry.levels.length > 1 ? "several" : ""}` }, ...pictures(entry, shelf, title)),
    element("strong", {}, element("a", { href: pageOf(entry) }, entry.name), " ", element("span", { className: `status ${entry.status}` }, entry.status)),
    element("span", { className: "muted" }, [`${entry.kind} ${entry.id}`, entry.size, entry.headline, `seed ${entry.seed}`, ago(entry.updated)].filter(Boolean).join(" · ")),
    element("div", { className: "buttons" },
      link("Open", pageOf(entry), `Open ${title}`),
      shelf !== "runs" && hasLevels ? link("Levels", `#/shelf/of-${entry.id}`, `Levels of ${title}`) : null,
      places ? link("Play", `#/play/${places}`, `Play ${title}`) : null,
      hasLevels ? button("Download", `Download ${title}`, files[shelf]) : null));
}

function pictures(entry, shelf, title) {
  if (shelf === "maps") {
    const map = element("img", { alt: `Map of ${title}` });
    showPicture(map, `/api/runs/${entry.id}/archive.png`).catch(failed);
    return [map];
  }
  if (!entry.levels.length) return [entry.picture ? element("img", { src: entry.picture, alt: title }) : element("span", { className: "muted" }, entry.kind)];
  const share = entry.levels.length > 1 ? 2 : 1;
  return entry.levels.map((level) => {
    const canvas = element("canvas", { role: "img", "aria-label": `A level of ${title}` });
    drawLevel(canvas, level, { width: SIZE.width / share - 4, height: SIZE.height / share - 4 }).catch(failed);
    return canvas;
  });
}
