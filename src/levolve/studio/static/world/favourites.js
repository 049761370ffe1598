// Favourite worlds, kept in this browser: a description, the place, and a small picture.

const KEY = "levolve-worlds";
const MOST = 60;
const [WIDTH, HEIGHT] = [144, 96];

export function favourites() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter((one) => Array.isArray(one?.description?.scores)) : [];
  } catch {
    return [];
  }
}

export function keep(favourite) {
  localStorage.setItem(KEY, JSON.stringify([favourite, ...favourites()].slice(0, MOST)));
}

export function forget(index) {
  localStorage.setItem(KEY, JSON.stringify(favourites().filter((_, place) => place !== index)));
}

/** The middle of a canvas as a small picture. */
export function pictureOf(canvas) {
  const small = document.createElement("canvas");
  small.width = WIDTH;
  small.height = HEIGHT;
  const pen = small.getContext("2d");
  const [width, height] = [Math.min(WIDTH, canvas.width), Math.min(HEIGHT, canvas.height)];
  pen.drawImage(canvas, Math.floor((canvas.width - width) / 2), Math.floor((canvas.height - height) / 2), width, height, 0, 0, WIDTH, HEIGHT);
  return small.toDataURL("image/png");
}
