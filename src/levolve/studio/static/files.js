// Files: save what the server makes, read what the user chooses.

import { Problem } from "/static/api.js";

/** Save the file at an address of the API; with a body it is asked for by POST. */
export async function save(path, body) {
  const asked = body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(`/api${path}`, asked).catch(() => { throw new Problem("The studio does not answer. Start it again with 'levolve studio'."); });
  if (!answer.ok) throw new Problem((await answer.json().catch(() => ({}))).error ?? `The studio answered with status ${answer.status}.`);
  const disposition = answer.headers.get("content-disposition") ?? "";
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
  const name = encoded ? decodeURIComponent(encoded) : /filename="([^"]+)"/.exec(disposition)?.[1] ?? "levolve";
  const address = URL.createObjectURL(await answer.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
