// The HTTP API: every operation of the OpenAPI document, with its parameters and its body.

import { get } from "/static/api.js";
import { save } from "/static/files.js";
import { action, element } from "/static/page.js";

const METHODS = ["get", "post", "put", "delete"];

export async function showReference(view) {
  const api = await get("/openapi.json");
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => methods[method]).map((method) => ({ path, method, ...methods[method] })));
  const groups = new Map();
  for (const operation of operations) groups.set(operation.tags[0], [...(groups.get(operation.tags[0]) ?? []), operation]);
  view.append(
    element("h1", {}, "The HTTP API"),
    element("p", {}, "Everything that this page does goes through these requests. Programs send the token of the address in the header ",
      element("code", {}, "X-Levolve-Token"), ". The whole description: ",
      element("button", { className: "quiet", onclick: action(() => save("/openapi.json", undefined, "openapi.json")) }, "openapi.json")),
    ...[...groups].flatMap(([tag, listed]) => [element("h2", {}, tag), ...listed.map((operation) => described(operation, api))]));
}

function described({ path, method, description = "", parameters = [], requestBody }, api) {
  const rows = parameters.map(({ name, in: place, required, description: meaning = "", schema }) => element("tr", {},
    element("th", { scope: "row" }, name), element("td", {}, place), element("td", {}, required ? "required" : `default ${JSON.stringify(schema.default ?? null)}`),
    element("td", {}, meaning)));
  const schema = requestBody?.content?.["application/json"]?.schema;
  return element("details", { className: "operation" },
    element("summary", {}, element("code", {}, `${method.toUpperCase()} ${path}`), ` ${description.split("\n")[0]}`),
    rows.length ? element("table", { className: "measures" }, element("tbody", {}, ...rows)) : null,
    schema ? element("pre", {}, JSON.stringify(resolved(schema, api), null, 2)) : null,
    rows.length || schema ? null : element("p", { className: "muted" }, "No parameters."));
}

/** A schema with the one it refers to in its place. */
function resolved(schema, api) {
  const name = schema.$ref?.split("/").at(-1);
  return name ? api.components.schemas[name] : schema;
}
