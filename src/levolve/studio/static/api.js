// Requests to the API of the studio. Every error is a sentence.
//
// The token is in the address that opens the studio, and then in the storage of this origin. Unlike a cookie, it is
// never sent to a server on another port, and pages of other ports cannot read it.

const TOKEN = "token";
// The status of a request without the token of the studio that runs now.
export const UNKNOWN = 401;

/** Keep the token of the address, and remove it from there. The server has refused the page if it is a wrong one. */
function takeToken() {
  const address = new URL(location.href);
  const given = address.searchParams.get(TOKEN);
  if (given === null) return;
  localStorage.setItem(TOKEN, given);
  address.searchParams.delete(TOKEN);
  history.replaceState(null, "", address);
}

takeToken();

export class Problem extends Error {}

/** Say for as long as it is so that the token of this page is that of an earlier studio. */
function showEnded(sentence) {
  const notice = document.getElementById("ended");
  notice.textContent = sentence ?? "";
  notice.hidden = !sentence;
}

/** Send a request to an address of the API, and return the answer. A refusal is a `Problem` with its `status`. */
export async function ask(address, { method = "GET", body, signal } = {}) {
  const headers = { "x-levolve-token": localStorage.getItem(TOKEN) ?? "" };
  if (body !== undefined) headers["content-type"] = "application/json";
  let answer;
  try {
    answer = await fetch(address, { method, headers, body: body && JSON.stringify(body), signal });
  } catch (problem) {
    if (signal?.aborted) throw problem;
    throw new Problem("The studio does not answer. Start it again with 'levolve studio'.");
  }
  if (answer.ok) {
    showEnded("");
    return answer;
  }
  const { error } = await answer.json().catch(() => ({}));
  showEnded(answer.status === UNKNOWN ? error : "");
  throw Object.assign(new Problem(error ?? `The studio answered with status ${answer.status}.`), { status: answer.status });
}

const data = async (method, path, body) => (await ask(`/api${path}`, { method, body })).json().catch(() => ({}));

export const get = (path) => data("GET", path);
export const post = (path, body = {}) => data("POST", path, body);
export const put = (path, body) => data("PUT", path, body);
export const remove = (path) => data("DELETE", path);

/** Load a picture, to be drawn on a canvas. */
export const loadPicture = async (address, signal) => createImageBitmap(await (await ask(address, { signal })).blob());

const wanted = new WeakMap();

/** Show a picture in an element `img`: one of the API, or one that is there as data. The one that was asked for last stays. */
export async function showPicture(image, address) {
  wanted.set(image, address);
  if (address.startsWith("data:")) {
    image.src = address;
    return;
  }
  const picture = await (await ask(address)).blob();
  if (wanted.get(image) !== address) return;
  image.src = URL.createObjectURL(picture);
  image.addEventListener("load", ({ target }) => URL.revokeObjectURL(target.src), { once: true });
}

const RETRY_MILLISECONDS = 3000;

/** Watch a run: `handlers` by the name of the message. Returns a function that ends it. */
export function watch(run, { wall = false, ancestry = false, archive = false, since = -1 }, handlers) {
  const control = new AbortController();
  const { signal } = control;
  const follow = async () => {
    try {
      const address = `/api/runs/${run}/events?wall=${wall}&ancestry=${ancestry}&archive=${archive}&since=${since}`;
      for await (const [name, news] of messages(await ask(address, { signal }))) {
        if (name === "end") return;
        since = news.points?.at(-1)?.[0] ?? since;
        // An error of a handler is one of the page, not of the stream.
        queueMicrotask(() => { if (!signal.aborted) handlers[name]?.(news); });
      }
    } catch (problem) {
      // A stream that was refused is not opened again; its reason is shown like that of any other request.
      if (signal.aborted || problem.status) return;
    }
    setTimeout(() => { if (!signal.aborted) follow(); }, RETRY_MILLISECONDS);
  };
  follow();
  return () => control.abort();
}

/** The server-sent events of an answer. `EventSource` cannot send the token. */
async function* messages(answer) {
  let rest = "";
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const events = (rest + part.value).split("\n\n");
    rest = events.pop();
    for (const event of events) {
      const fields = Object.fromEntries(event.split("\n").map((line) => line.split(/: (.*)/s, 2)));
      yield [fields.event, JSON.parse(fields.data)];
    }
  }
}
