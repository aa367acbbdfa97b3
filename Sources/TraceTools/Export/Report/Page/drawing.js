const body = "12px ui-sans-serif, system-ui, sans-serif", tiny = "11px ui-sans-serif, system-ui, sans-serif";
let wanted = false;

function redraw() {
  if (wanted) return;
  wanted = true;
  requestAnimationFrame(() => { wanted = false; draw(); });
}

function draw() {
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  hits = [];
  pen.textBaseline = "middle";
  drawGrid();
  for (const lane of lanes) {
    pen.save();
    pen.beginPath();
    pen.rect(gutter, lane.y, width - gutter, lane.height);
    pen.clip();
    if (lane.kind === "bands") drawBands(lane);
    else if (lane.kind === "frames") drawFrames(lane);
    else if (lane.kind === "instants") drawInstants(lane);
    else if (lane.kind === "plot") drawPlot(lane);
    else if (lane.kind === "folded") drawFolded(lane);
    pen.restore();
    drawLabel(lane);
  }
  drawLit();
  drawChosen();
  drawOverview();
  byId("range").textContent = `${clock(view.t0, fineness())} to ${clock(view.t1, fineness())}`;
  scheduleTable();
}

const fineness = () => { const length = view.t1 - view.t0; return length < 5e5 ? 3 : length < 2e7 ? 1 : 0; };

const steps = [1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7, 15e6, 3e7, 6e7, 12e7, 3e8, 6e8,
  9e8, 18e8, 36e8, 72e8, 144e8, 432e8];

/** The time of day at a moment of the run; empty for a zone that the browser does not know. */
const timeOfDay = (() => {
  try {
    const format = new Intl.DateTimeFormat("en-GB", { timeZone: R.timeZone || "UTC", hour: "2-digit",
      minute: "2-digit", second: "2-digit" });
    const begin = Date.parse(R.startedAt);
    return (t) => Number.isFinite(begin) ? format.format(new Date(begin + t / 1e3)) : "";
  } catch { return () => ""; }
})();

function stepNow() {
  const room = width - gutter, wishes = Math.max(2, room / (width > 700 ? 90 : 72));
  return steps.find((one) => (view.t1 - view.t0) / one <= wishes) || steps[steps.length - 1];
}

/** The times of the run and of the day. */
function drawAxis() {
  const step = stepNow(), places = step < 1e4 ? 3 : step < 1e5 ? 2 : step < 1e6 ? 1 : 0;
  pen.font = tiny;
  pen.textAlign = "center";
  for (let t = Math.ceil(view.t0 / step) * step; t <= view.t1; t += step) {
    const at = Math.round(x(t)) + .5;
    if (at <= gutter + 24 || at >= width - 24) continue;
    pen.fillStyle = colors.ink;
    pen.fillText(clock(t, places), at, 11);
    pen.fillStyle = colors.soft;
    pen.fillText(timeOfDay(t), at, 25);
  }
}

function drawGrid() {
  const step = stepNow();
  for (let t = Math.ceil(view.t0 / step) * step; t <= view.t1; t += step) {
    const at = Math.round(x(t)) + .5;
    pen.fillStyle = colors.grid;
    pen.fillRect(at - .5, axisHeight - 2, 1, height - axisHeight + 2);
  }
  drawAxis();
  pen.fillStyle = colors.bad;
  for (const one of R.violations) {
    const at = Math.round(x(one[1]));
    if (at >= gutter && at <= width) pen.fillRect(at - 1, axisHeight - 2, 2, height - axisHeight + 2);
  }
}

function drawLabel(lane) {
  if (!lane.label) return;
  if (lane.isFirst && lane.y > axisHeight) {
    pen.fillStyle = colors.line;
    pen.fillRect(0, lane.y - .5, width, 1);
  }
  const isTall = lane.kind === "frames" || lane.kind === "plot";
  const middle = lane.y + (isTall ? lane.height : Math.min(lane.height, lane.row || 20) + 2) / 2;
  pen.textAlign = "left";
  if (lane.isFirst) {
    pen.font = tiny;
    pen.fillStyle = colors.soft;
    pen.fillText(lane.kind === "folded" ? "\u25b8" : "\u25be", 4, middle);
    const last = lanes.findLast((one) => one.group === lane.group);
    hits.push({ x: 0, y: lane.y, w: gutter - 4, h: last.y + last.height - lane.y, fold: lane.group });
  }
  pen.font = lane.strong ? `600 ${body}` : lane.isFirst ? body : tiny;
  pen.fillStyle = lane.strong ? colors.ink : colors.soft;
  pen.fillText(lane.label, 15, middle, gutter - 19);
  if (!lane.ends) return;
  pen.font = tiny;
  pen.textAlign = "right";
  for (const [text, at] of lane.ends) pen.fillText(text, gutter - 6, at, gutter - 10);
}

function drawFolded(lane) {
  pen.fillStyle = colors.grid;
  pen.fillRect(gutter, lane.y + 4, width - gutter, lane.height - 8);
}

/** The text, shortened to fit into `room` pixels; empty if not even three letters fit. */
function fitted(text, room) {
  let wide = pen.measureText(text).width, length = text.length;
  if (wide <= room) return text;
  do {
    length = Math.min(length - 1, Math.floor(text.length * room / wide));
    if (length < 3) return "";
  } while (pen.measureText(`${text.slice(0, length)}\u2026`).width > room);
  return `${text.slice(0, length).trimEnd()}\u2026`;
}

const edgeOf = (tone) => [colors.soft, colors.good, colors.soft, colors.bad, colors.speech, colors.warn][tone];
/** A band narrower than this is drawn as a mark, or nobody would see it. */
const narrow = 4;

function drawBands(lane) {
  const rowOf = (index) => (lane.rows ? lane.rows[index] : 0);
  const isSeen = (band) => band[2] >= view.t0 && band[1] <= view.t1;
  const marks = [];
  lane.bands.forEach((band, index) => {
    if (!isSeen(band)) return;
    const row = rowOf(index), y = lane.y + 2 + row * lane.row, size = lane.row - 3;
    const left = Math.max(x(band[1]), gutter - 4), right = Math.min(x(band[2]), width + 4), w = Math.max(right - left, 1);
    const next = lane.bands.findIndex((_, other) => other > index && rowOf(other) === row);
    const until = next < 0 ? width : Math.min(width, x(lane.bands[next][1]));
    if (w < narrow) {
      marks.push({ band, left, y, size });
    } else {
      pen.fillStyle = colors[`band-${toneNames[band[4]]}`];
      pen.beginPath();
      pen.roundRect(left, y, w, size, 3);
      pen.fill();
      if (band[4] > 1) {
        pen.fillStyle = edgeOf(band[4]);
        pen.fillRect(left, y, Math.min(2, w), size);
      }
    }
    // A short one has its text beside it, up to the next.
    pen.font = lane.fine ? "10px ui-sans-serif, system-ui, sans-serif" : tiny;
    pen.textAlign = "left";
    pen.fillStyle = colors.ink;
    const text = bandWords(band), inset = Math.max(left, gutter) + 5, room = Math.min(left + w, width) - inset;
    const isInside = room > 60 || pen.measureText(text).width <= room;
    const beside = left + Math.max(w, narrow + 3) + 4;
    if (isInside) pen.fillText(fitted(text, room), inset, y + size / 2 + .5);
    else if (until - beside > 40) pen.fillText(fitted(text, until - beside - 6), beside, y + size / 2 + .5);
    else if (room > 18) pen.fillText(fitted(text, room), inset, y + size / 2 + .5);
    if (lit.has(band[5])) {
      pen.strokeStyle = colors.mark;
      pen.lineWidth = 2;
      pen.strokeRect(left + 1, y + 1, Math.max(w - 2, 2), size - 2);
    }
    hits.push({ x: left, y, w, h: size, band });
  });
  for (const { band, left, y, size } of marks) {
    pen.fillStyle = edgeOf(band[4]);
    pen.beginPath();
    pen.moveTo(left - 4.5, y); pen.lineTo(left + 4.5, y); pen.lineTo(left + .8, y + size * .55);
    pen.lineTo(left + .8, y + size); pen.lineTo(left - .8, y + size); pen.lineTo(left - .8, y + size * .55);
    pen.fill();
  }
}

function drawInstants(lane) {
  const list = lane.list, y = lane.y + lane.height / 2;
  let last = -9;
  for (let i = firstOf(list, view.t0); i < list.length && list[i][0] <= view.t1; i++) {
    const at = x(list[i][0]);
    hits.push({ x: at - 5, y: lane.y, w: 10, h: lane.height, instant: list[i] });
    const isLit = lit.has(list[i][3]), size = isLit ? 6 : 4;
    if (at - last < 1.5 && !isLit) continue;
    last = at;
    pen.fillStyle = isLit ? colors.mark : colors.accent;
    pen.beginPath();
    pen.moveTo(at, y - size); pen.lineTo(at + size - .5, y); pen.lineTo(at, y + size); pen.lineTo(at - size + .5, y);
    pen.fill();
  }
}

function firstOf(list, t) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle][0] < t) low = middle + 1; else high = middle;
  }
  return low;
}

function drawPlot(lane) {
  const values = P[lane.key], first = Math.max(0, from(P.t, view.t0) - 1);
  const last = Math.min(P.n, from(P.t, view.t1) + 1);
  let low = Infinity, high = -Infinity;
  for (let i = first; i < last; i++) {
    const value = values[i];
    if (value > 0) { if (value < low) low = value; if (value > high) high = value; }
  }
  lane.ends = null;
  if (low > high) return;
  if (high - low < 20) { low -= 10; high += 10; }
  const top = lane.y + 8, room = lane.height - 16;
  const y = (value) => {
    const part = (value - low) / (high - low);
    return top + (lane.flip ? part : 1 - part) * room;
  };
  drawSeries(P, lane.key, y, colors.published, 2.5);
  drawSeries(H, lane.key, y, colors.heard, 1.4);
  const [upper, lower] = lane.flip ? [low, high] : [high, low];
  lane.ends = [[upper, lane.y + 9], [lower, lane.y + lane.height - 9]]
    .map(([value, at]) => [`${lane.text(Math.round(value))} ${lane.unit}`, at]);
  hits.push({ x: gutter, y: lane.y, w: width - gutter, h: lane.height, plot: lane });
}

/** A line through one value per pixel column, so that three hours cost no more than three minutes. */
function drawSeries(rows, key, y, color, thickness) {
  const values = rows[key], times = rows.t;
  const last = Math.min(rows.n, from(times, view.t1) + 1);
  pen.strokeStyle = color;
  pen.lineWidth = thickness;
  pen.lineJoin = "round";
  pen.beginPath();
  // A gap of five seconds without data breaks the line, unless it is narrower than a pixel.
  const apart = 5e6 + (view.t1 - view.t0) / (width - gutter);
  let seen = null, pixel = -1;
  for (let i = Math.max(0, from(times, view.t0) - 1); i < last; i++) {
    if (!(values[i] > 0)) { seen = null; continue; }
    const at = x(times[i]), isFirst = seen === null || times[i] - seen > apart;
    seen = times[i];
    // The first value of a column, so that both series show the same samples.
    if (!isFirst && Math.floor(at) === pixel && i + 1 < last) continue;
    if (isFirst) pen.moveTo(at, y(values[i])); else pen.lineTo(at, y(values[i]));
    pixel = Math.floor(at);
  }
  pen.stroke();
}

function drawChosen() {
  if (chosen === null || chosen < view.t0 || chosen > view.t1) return;
  const at = Math.round(x(chosen)) + .5;
  pen.fillStyle = colors.mark;
  pen.globalAlpha = .9;
  pen.fillRect(at - 1, 22, 2, height - 22);
  pen.globalAlpha = 1;
}

function drawOverview() {
  const w = overview.clientWidth, at = (t) => gutter + (t - start) / (end - start) * (w - gutter);
  small.setTransform(ratio, 0, 0, ratio, 0, 0);
  small.clearRect(0, 0, w, 22);
  for (const band of R.bands) {
    const row = { fault: 0, liveness: 1, coach: 2 }[band[0]];
    if (row === undefined) continue;
    small.fillStyle = band[0] === "fault" ? colors.warn
      : band[0] === "coach" ? colors.speech : band[4] === 3 ? colors.bad : colors["band-good"];
    small.fillRect(at(band[1]), 3 + row * 6, Math.max(1.5, at(band[2]) - at(band[1])), 4);
  }
  for (const one of R.violations) {
    small.fillStyle = colors.bad;
    small.fillRect(at(one[1]) - 1, 0, 2, 22);
  }
  small.strokeStyle = colors.accent;
  small.lineWidth = 2;
  const left = at(view.t0), right = at(view.t1);
  if (right - left < w - gutter - 1) small.strokeRect(left + 1, 1, Math.max(3, right - left - 2), 20);
}

