const canvas = byId("canvas"), overview = byId("overview"), frameBox = byId("timeline");
const pen = canvas.getContext("2d"), small = overview.getContext("2d");
const toneNames = ["plain", "good", "quiet", "trouble", "speech", "fault"];
/** Pixels of the two rows of times, of the run and of the day. */
const axisHeight = 38;
/** How much of the timeline has scrolled away: the axis is drawn below it. */
let hiddenTop = 0;
let width = 0, height = 0, gutter = 92, ratio = 1, colors = {}, lanes = [], hits = [];

function readColors() {
  const style = getComputedStyle(document.documentElement);
  const names = ["paper", "card", "ink", "soft", "line", "grid", "accent", "good", "bad", "warn", "speech", "frame",
    "frame-ack", "mark", "heard", "published"].concat(toneNames.map((name) => `band-${name}`));
  for (const name of names) colors[name] = style.getPropertyValue(`--${name}`).trim();
}

const bandsOf = (...tracks) => R.bands.filter((band) => tracks.includes(band[0])).sort((a, b) => a[1] - b[1]);

/** Assigns overlapping bands to different rows. */
function stack(bands, rowsMax) {
  const ends = [];
  return bands.map((band) => {
    let row = ends.findIndex((until) => until <= band[1]);
    if (row < 0) row = ends.length < rowsMax ? ends.length : rowsMax - 1;
    ends[row] = Math.max(ends[row] || 0, band[2]);
    return row;
  });
}

const instantsOf = (...names) => {
  const wanted = names.map((name) => R.places.indexOf(name));
  return R.instants.filter((one) => wanted.includes(one[1]));
};

/** The lanes from top to bottom; empty ones are left out. */
function makeLanes() {
  const wide = width > 700;
  lanes = [{ kind: "axis", height: axisHeight }];
  const faults = bandsOf("fault");
  if (faults.length) {
    const rows = stack(faults, 5), count = Math.max(...rows) + 1;
    lanes.push({ kind: "bands", label: "faults", bands: faults, rows, row: 17, height: count * 17 + 6 });
  }
  const node = (name, state, app, reach) => {
    lanes.push({ kind: "bands", label: name, strong: true, bands: bandsOf(state), row: 20, height: 24 });
    const trouble = bandsOf(app, reach);
    if (trouble.length) lanes.push({ kind: "bands", label: "", bands: trouble, rows: stack(trouble, 2), row: 13,
      height: (Math.max(...stack(trouble, 2)) + 1) * 13 + 3, fine: true });
  };
  node("watch", "watchState", "watchApp", "watchReach");
  const own = instantsOf("watch");
  if (own.length) lanes.push({ kind: "instants", label: "", list: own, height: 14 });
  lanes.push({ kind: "frames", label: "link", strong: true, cuts: bandsOf("link"), uplink: false,
    top: "watch", height: wide ? 170 : 130 });
  node("phone", "belief", "phoneApp", "phoneReach");
  lanes.push({ kind: "bands", label: "liveness", bands: bandsOf("liveness"), row: 14, height: 18 });
  const decided = instantsOf("phone");
  if (decided.length) lanes.push({ kind: "instants", label: "decisions", list: decided, height: 16 });
  const spoken = bandsOf("coach");
  if (spoken.length) lanes.push({ kind: "bands", label: "coach", bands: spoken, row: 20, height: 25 });
  if (hasUplink) {
    lanes.push({ kind: "frames", label: "uplink", strong: true, cuts: bandsOf("uplink"), uplink: true,
      top: "phone", height: 80 });
    const asked = instantsOf("edge");
    lanes.push({ kind: "instants", label: "edge", list: asked, height: 18, strong: true });
  }
  const plot = (key, label, unit, text, flip) => {
    if (P[key].some((value) => value > 0)) {
      lanes.push({ kind: "plot", key, label, unit, text, flip, height: wide ? 62 : 54 });
    }
  };
  plot("pace", "pace", "/km", pace, true);
  plot("hr", "heart rate", "bpm", (value) => String(value), false);
  plot("distance", "distance", "km", (value) => (value / 1e5).toFixed(2), false);
  let y = 0;
  for (const lane of lanes) { lane.y = y; y += lane.height; }
  height = y + 6;
}

function resize() {
  const box = frameBox.clientWidth;
  ratio = Math.min(window.devicePixelRatio || 1, 3);
  width = box;
  gutter = box > 700 ? 92 : 66;
  makeLanes();
  canvas.style.height = `${height}px`;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  overview.width = Math.round(overview.clientWidth * ratio);
  overview.height = Math.round(22 * ratio);
}

const x = (t) => gutter + (t - view.t0) / (view.t1 - view.t0) * (width - gutter);
const timeAt = (px) => view.t0 + (px - gutter) / (width - gutter) * (view.t1 - view.t0);

