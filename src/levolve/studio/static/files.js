// Files: save what the server makes, read what the user chooses.

import { ask } from "/static/api.js";

/** Save the file of a path of the API, by default under the name that the answer gives it; with a body it is asked for by POST. */
export async function save(path, body, named = "levolve") {
  const answer = await ask(`/api${path}`, { method: body === undefined ? "GET" : "POST", body });
  const disposition = answer.headers.get("content-disposition") ?? "";
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
  const name = encoded ? decodeURIComponent(encoded) : /filename="([^"]+)"/.exec(disposition)?.[1] ?? named;
  const address = URL.createObjectURL(await answer.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
