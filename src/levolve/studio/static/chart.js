// A chart of a run on a canvas: best and mean score on the left axis, diversity on the right.

const MARGIN = { left: 58, right: 50, plain: 14, top: 14, bottom: 26 };

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** Steps of 1, 2 or 5 times a power of ten between two numbers. */
function ticks(least, most, count) {
  const span = most - least || 1;
  const power = 10 ** Math.floor(Math.log10(span / count));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => span / size <= count) ?? power * 10;
  const found = [];
  for (let value = Math.ceil(least / step) * step; value <= most + step * 1e-9; value += step) found.push(Number(value.toPrecision(12)));
  return found;
}

const text = (value) => (Math.abs(value) >= 1e5 ? value.toExponential(1) : String(Number(value.toPrecision(6))));

export function drawChart(canvas, points) {
  const ratio = devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const pen = canvas.getContext("2d");
  pen.scale(ratio, ratio);
  pen.clearRect(0, 0, width, height);
  pen.font = "12px system-ui, sans-serif";
  if (!points.length) {
    pen.fillStyle = colour("muted");
    pen.textAlign = "center";
    pen.fillText("The curve appears with the first generation.", width / 2, height / 2);
    return;
  }
  const scores = points.flatMap(([, best, mean]) => [best, mean]).filter((value) => Number.isFinite(value));
  let least = Math.min(...scores);
  let most = Math.max(...scores);
  if (least === most) [least, most] = [least - 1, most + 1];
  const last = Math.max(points.at(-1)[0], 1);
  // Stored curves have scores only.
  const hasShares = points.some((point) => point[3] !== null);
  const right = width - (hasShares ? MARGIN.right : MARGIN.plain);
  const bottom = height - MARGIN.bottom;
  const across = (generation) => MARGIN.left + (generation / last) * (right - MARGIN.left);
  const up = (score) => bottom - ((score - least) / (most - least)) * (bottom - MARGIN.top);
  const share = (value) => bottom - value * (bottom - MARGIN.top);

  pen.strokeStyle = colour("line");
  pen.fillStyle = colour("muted");
  pen.lineWidth = 1;
  pen.textBaseline = "middle";
  pen.textAlign = "right";
  for (const tick of ticks(least, most, 5)) {
    line(pen, [[MARGIN.left, up(tick)], [right, up(tick)]]);
    pen.fillText(text(tick), MARGIN.left - 8, up(tick));
  }
  pen.textAlign = "left";
  if (hasShares) for (const tick of [0, 0.5, 1]) pen.fillText(`${tick * 100} %`, right + 6, share(tick));
  pen.textBaseline = "alphabetic";
  pen.textAlign = "center";
  for (const tick of ticks(0, last, 6)) pen.fillText(text(tick), across(tick), height - 8);

  const series = [
    ["diversity", points.filter((point) => point[3] !== null).map((point) => [across(point[0]), share(point[3])])],
    ["mean", points.filter((point) => Number.isFinite(point[2])).map((point) => [across(point[0]), up(point[2])])],
    ["best", points.filter((point) => Number.isFinite(point[1])).map((point) => [across(point[0]), up(point[1])])],
  ];
  for (const [name, path] of series) {
    pen.strokeStyle = colour(name);
    pen.lineWidth = name === "best" ? 2.5 : 1.5;
    pen.setLineDash(name === "diversity" ? [4, 3] : []);
    line(pen, path);
    if (path.length === 1) dot(pen, path[0]);
  }
  pen.setLineDash([]);
}

/** A single point, which a line would not show. */
function dot(pen, [x, y]) {
  pen.fillStyle = pen.strokeStyle;
  pen.beginPath();
  pen.arc(x, y, 4, 0, 2 * Math.PI);
  pen.fill();
}

function line(pen, path) {
  pen.beginPath();
  path.forEach(([x, y], index) => (index ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.stroke();
}
