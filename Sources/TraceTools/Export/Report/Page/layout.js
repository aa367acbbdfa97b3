const canvas = byId("canvas"), overview = byId("overview"), frameBox = byId("timeline");
const pen = canvas.getContext("2d"), small = overview.getContext("2d");
const toneNames = ["plain", "good", "quiet", "trouble", "speech", "fault"];
/** Pixels of the two rows of times, of the run and of the day. */
const axisHeight = 38;
const foldedHeight = 17;
let width = 0, height = 0, gutter = 104, ratio = 1, colors = {}, lanes = [], hits = [];
/** The groups of lanes that are folded, by their names. */
const folded = new Set();

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

/** Stretches in which the phone believes something else of the workout than the watch knows, however short. */
function wrongBeliefs() {
  const truth = bandsOf("watchState"), belief = bandsOf("belief");
  if (!truth.length || !belief.length) return [];
  const at = (bands, t) => bands.find((band) => band[1] <= t && t < band[2]);
  const edges = [...new Set([...truth, ...belief].flatMap((band) => [band[1], band[2]]))].sort((a, b) => a - b);
  const found = [];
  for (let i = 0; i + 1 < edges.length; i++) {
    const one = at(truth, edges[i]), other = at(belief, edges[i]);
    const is = one ? one[3] : "over", believed = other ? other[3] : "nothing";
    if (is === believed || is === "preparing" || believed === "preparing" || (!one && !other)) continue;
    const text = !other ? `knows of no run; it is ${is}` : `believes ${believed}; it is ${is}`, last = found[found.length - 1];
    if (last && last[2] === edges[i] && last[3] === text) last[2] = edges[i + 1];
    else found.push(["wrong", edges[i], edges[i + 1], text, 3, (other && other[1] === edges[i] ? other : one || other)[5], ""]);
  }
  return found;
}
let wrong = null;

/** The lanes from top to bottom; empty ones are left out. */
function makeLanes() {
  const isWide = width > 700, isLow = innerHeight < 800;
  const all = [];
  const add = (group, lane) => all.push({ group, ...lane });
  const bands = (group, label, list, row, more) => {
    if (!list.length) return;
    const rows = stack(list, more?.rowsMax || 1);
    add(group, { kind: "bands", label, bands: list, rows, row, height: (Math.max(...rows) + 1) * row + 4, ...more });
  };
  const instants = (group, label, list) => { if (list.length) add(group, { kind: "instants", label, list, height: 16 }); };
  wrong ??= wrongBeliefs();
  bands("faults", "faults", bandsOf("fault"), 17, { rowsMax: isLow ? 3 : 5, strong: true });
  bands("watch", "watch", bandsOf("watchState"), 20, { strong: true });
  bands("watch", "its app, reach", bandsOf("watchApp", "watchReach"), 14, { rowsMax: 2, fine: true });
  instants("watch", "its events", instantsOf("watch"));
  add("link", { kind: "frames", label: "link", strong: true, cuts: bandsOf("link"), uplink: false, top: "watch",
    height: isLow ? 104 : isWide ? 160 : 130 });
  bands("phone", "phone", bandsOf("belief"), 20, { strong: true });
  bands("phone", "wrong belief", wrong, 14, { fine: true });
  bands("phone", "hears watch", bandsOf("liveness"), 14, { fine: true });
  bands("phone", "its app, reach", bandsOf("phoneApp", "phoneReach"), 14, { rowsMax: 2, fine: true });
  instants("phone", "its decisions", instantsOf("phone"));
  bands("coach", "coach", bandsOf("coach"), 20, { strong: true });
  if (hasUplink) {
    add("uplink", { kind: "frames", label: "uplink", strong: true, cuts: bandsOf("uplink"), uplink: true, top: "phone",
      height: 80 });
    instants("uplink", "edge's events", instantsOf("edge"));
  }
  const plot = (key, label, unit, text, flip) => {
    if (P[key].some((value) => value > 0)) add(label, { kind: "plot", key, label, unit, text, flip, height: isWide ? 62 : 54 });
  };
  plot("pace", "pace", "/km", pace, true);
  plot("hr", "heart rate", "bpm", (value) => String(value), false);
  plot("distance", "distance", "km", (value) => (value / 1e5).toFixed(2), false);

  lanes = [{ kind: "axis", height: axisHeight }];
  for (const lane of all) {
    const isFirst = lanes[lanes.length - 1].group !== lane.group;
    if (!folded.has(lane.group)) lanes.push({ ...lane, isFirst });
    else if (isFirst) lanes.push({ kind: "folded", group: lane.group, label: lane.label, isFirst, height: foldedHeight });
  }
  let y = 0;
  for (const lane of lanes) { lane.y = y; y += lane.height; }
  height = y + 6;
}

/** The names of the groups, in the order of their lanes. */
const groups = () => [...new Set(lanes.map((lane) => lane.group).filter(Boolean))];

function fold(group) {
  if (!folded.delete(group)) folded.add(group);
  for (const box of byId("lane-choice").querySelectorAll("input")) box.checked = !folded.has(box.value);
  resize();
  followPage();
  redraw();
}

function fillLaneChoice() {
  byId("lane-choice").replaceChildren(...groups().map((group) => {
    const label = make("label"), box = make("input");
    box.type = "checkbox";
    box.value = group;
    box.checked = !folded.has(group);
    box.onchange = () => fold(group);
    label.append(box, ` ${group}`);
    return label;
  }));
}

function resize() {
  const box = frameBox.clientWidth;
  ratio = Math.min(window.devicePixelRatio || 1, 3);
  width = box;
  gutter = box > 700 ? 104 : 78;
  makeLanes();
  canvas.style.height = `${height}px`;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  overview.width = Math.round(overview.clientWidth * ratio);
  overview.height = Math.round(22 * ratio);
}

/** How much of the timeline stays in view while the page is read: from the faults to the phone, where there is room. */
function keptHeight() {
  const last = lanes.findLast((lane) => lane.group === "phone" || lane.group === "link");
  return Math.min(height, (last ? last.y + last.height : height) + 4, Math.round(innerHeight * (innerWidth > 1000 ? .55 : .36)));
}

/** As the page scrolls, the timeline stays at the top and its lower lanes fold away. */
function followPage() {
  const above = overview.offsetHeight + 6, kept = keptHeight();
  const gone = Math.min(Math.max(above - byId("top").getBoundingClientRect().top, 0), Math.max(0, height - kept));
  document.documentElement.style.setProperty("--kept", `${kept + above}px`);
  frameBox.style.top = `${above}px`;
  frameBox.style.height = `${height + 2 - gone}px`;
  frameBox.style.marginBottom = `${gone}px`;
}
addEventListener("scroll", followPage, { passive: true });

const x = (t) => gutter + (t - view.t0) / (view.t1 - view.t0) * (width - gutter);
const timeAt = (px) => view.t0 + (px - gutter) / (width - gutter) * (view.t1 - view.t0);
