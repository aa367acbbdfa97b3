const began = performance.now();
const byId = (id) => document.getElementById(id);
const R = JSON.parse(byId("data").textContent);

function column(text) {
  const raw = atob(text), size = raw.length, out = [];
  let value = 0, place = 0;
  while (place < size) {
    let byte = raw.charCodeAt(place++), sum = byte & 127, scale = 128;
    while (byte & 128) {
      byte = raw.charCodeAt(place++);
      sum += (byte & 127) * scale;
      scale *= 128;
    }
    value += sum % 2 ? -(sum + 1) / 2 : sum / 2;
    out.push(value);
  }
  return Float64Array.from(out);
}

function table(packed) {
  const out = { n: packed.n };
  for (const name of Object.keys(packed)) if (name !== "n") out[name] = column(packed[name]);
  return out;
}

const F = table(R.frames), A = table(R.fates), P = table(R.published), H = table(R.heard), N = table(R.carried);
const classes = R.classes.map((words) => {
  const [from, to, kind, channel, ...name] = words.split(" ");
  return { from, to, kind, channel, name: name.join(" "), uplink: from === "edge" || to === "edge" };
});
const hasUplink = classes.some((one) => one.uplink);
// The index of each frame's first fate: fates are in the order of their frames.
const fateFrom = new Int32Array(F.n + 1);
for (let i = 0, f = 0; f <= F.n; f++) {
  while (i < A.n && A.frame[i] < f) i++;
  fateFrom[f] = i;
}
// The longest transit time of a frame, to find frames sent before the view begins.
let wayMax = 0;
for (let i = 0; i < A.n; i++) if (A.dt[i] > wayMax) wayMax = A.dt[i];
wayMax = Math.min(wayMax, 60e6);

const start = R.from, end = Math.max(R.to, R.from + 1e6);
const view = { t0: start, t1: end };
let chosen = null;

/** The first index in a sorted column whose value is not below `t`. */
function from(times, t) {
  let low = 0, high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < t) low = middle + 1; else high = middle;
  }
  return low;
}

function clock(t, fine) {
  const all = Math.max(0, t) / 1e6, whole = Math.floor(all + 1e-7);
  const hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60, seconds = whole % 60;
  const two = (n) => String(n).padStart(2, "0");
  let text = hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
  if (fine) text += (all - whole).toFixed(fine).slice(1);
  return text;
}

function span(us) {
  if (us < 1e3) return `${us} µs`;
  if (us < 1e6) return `${+(us / 1e3).toFixed(us < 1e4 ? 1 : 0)} ms`;
  if (us < 12e7) return `${+(us / 1e6).toFixed(2)} s`;
  return `${clock(us)} ${us < 36e8 ? "min" : "h"}`;
}

function pace(tenths) {
  const whole = Math.round(tenths / 10);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

const make = (tag, name, text) => {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== undefined) element.textContent = text;
  return element;
};

/** A button in the text, which does something. */
function makeButton(text, name, onclick) {
  const one = make("button", name, text);
  one.type = "button";
  one.onclick = onclick;
  return one;
}
