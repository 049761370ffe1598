// Requests to the API of the studio. Every error is a sentence.

export class Problem extends Error {}

/** Say for as long as it is so that the token of this page is that of an earlier studio. */
function showEnded(sentence) {
  const notice = document.getElementById("ended");
  notice.textContent = sentence ?? "";
  notice.hidden = !sentence;
}

async function request(method, path, body) {
  let answer;
  try {
    answer = await fetch(`/api${path}`, {
      method,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Problem("The studio does not answer. Start it again with 'levolve studio'.");
  }
  const data = await answer.json().catch(() => ({}));
  showEnded(answer.status === 401 ? data.error : "");
  if (!answer.ok) throw new Problem(data.error ?? `The studio answered with status ${answer.status}.`);
  return data;
}

export const get = (path) => request("GET", path);
export const post = (path, body = {}) => request("POST", path, body);
export const put = (path, body) => request("PUT", path, body);
export const remove = (path) => request("DELETE", path);

/** Watch a run: `handlers` by the name of the message. Returns a function that ends it. */
export function watch(run, { wall = false, ancestry = false, archive = false, since = -1 }, handlers) {
  const source = new EventSource(`/api/runs/${run}/events?wall=${wall}&ancestry=${ancestry}&archive=${archive}&since=${since}`);
  for (const [name, handle] of Object.entries(handlers)) {
    source.addEventListener(name, (event) => handle(JSON.parse(event.data)));
  }
  source.addEventListener("end", () => source.close());
  // A stream that was refused is not opened again; the reason is that of any other request.
  source.addEventListener("error", () => { if (source.readyState === EventSource.CLOSED) get("/about").catch(() => {}); });
  return () => source.close();
}
