// Small helpers to build the page: elements, notices, numbers.

/** Create an element: attributes, listeners (onclick, …), then children. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made && name !== "list" && name !== "form") made[name] = value;
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

let hiding;

/** Show a sentence at the foot of the page; errors stay longer. */
export function notify(sentence, { kind = "problem" } = {}) {
  const notice = document.getElementById("notice");
  notice.textContent = sentence;
  notice.dataset.kind = kind;
  notice.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => { notice.hidden = true; }, kind === "problem" ? 9000 : 3500);
}

/** Wrap an asynchronous action of a button, so that its error becomes a notice and it cannot be clicked twice. */
export function action(work) {
  return async (event) => {
    const button = event?.currentTarget;
    if (button instanceof HTMLButtonElement) button.disabled = true;
    try {
      await work(event);
    } catch (problem) {
      notify(problem.message);
    } finally {
      if (button instanceof HTMLButtonElement) button.disabled = false;
    }
  };
}

/** The seed of a form as a part of a request: as text, because numbers are exact only up to 2**53. */
export function withSeed(input) {
  const text = input.value.trim();
  if (text && !/^[0-9]{1,20}$/.test(text)) throw new Error(`Seed: expected a whole number from 0 to 2**64 - 1, got ${text.slice(0, 40)}.`);
  return text ? { seed: text } : {};
}

export function number(value, digits = 4) {
  if (value === null || value === undefined) return "–";
  const short = Number(value.toPrecision(digits));
  return Math.abs(short) >= 1e4 ? Math.round(value).toLocaleString("en") : String(short);
}

export function duration(seconds) {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return "–";
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${Math.round(seconds % 60)} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function ago(time) {
  const seconds = Math.max(0, Date.now() / 1000 - time);
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  return seconds < 86400 ? `${Math.floor(seconds / 3600)} h ago` : new Date(time * 1000).toLocaleDateString();
}
