// Both devices at the cursor, drawn as the page of `open` draws them; the drawing's script is before this one.
const state = { time: { playing: false, speed: 0 }, lanes: [] };
const isStill = { matches: true };
const act = () => {};
const { run, first, paths, changes } = R.pair;
const steps = paths.map((path) => path.split("/"));
/** Copies of the picture are kept for every so many changes, so that a jump costs at most that many. */
const keptEvery = 200;
const kept = [structuredClone(first)];
let picture = structuredClone(first), applied = 0, shownAt = 0;

/** Puts a row of changes into the picture; a path that leads nowhere, of a trace that somebody wrote, changes nothing. */
function apply(row) {
  for (let i = 1; i + 1 < row.length; i += 2) {
    const path = steps[row[i]], last = path[path.length - 1];
    let node = picture;
    for (const key of path.slice(0, -1)) node = node?.[key];
    if (node === null || typeof node !== "object") continue;
    const value = structuredClone(row[i + 1]);
    if (Array.isArray(node) && (last === "+" || last === ">")) {
      if (last === ">") node.shift();
      node.push(value);
    } else node[last] = value;
  }
}

function pictureAt(t) {
  let low = 0, high = changes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (changes[middle][0] <= t) low = middle + 1; else high = middle;
  }
  const nearest = Math.min(Math.floor(low / keptEvery), kept.length - 1);
  if (low < applied || nearest * keptEvery > applied) {
    picture = structuredClone(kept[nearest]);
    applied = nearest * keptEvery;
  }
  while (applied < low) {
    apply(changes[applied++]);
    if (applied % keptEvery === 0 && kept.length === applied / keptEvery) kept.push(structuredClone(picture));
  }
  return picture;
}

const sentTimes = F.t, arrivals = [], losses = [];
for (let f = 0; f < F.n; f++) {
  for (let i = fateFrom[f]; i < fateFrom[f + 1]; i++) (A.cause[i] === 0 ? arrivals : losses).push(F.t[f] + A.dt[i]);
}
arrivals.sort((a, b) => a - b);
losses.sort((a, b) => a - b);

/** The latest figures of a device, of its table of snapshots. */
function figuresAt(table, t, areKnown) {
  const i = areKnown ? from(table.t, t + 1) - 1 : -1;
  if (i < 0) {
    return { elapsed: 0, distance: 0, pace: null, averagePace: null, heartRate: null, cadence: null, energy: 0, since: null };
  }
  return { elapsed: table.elapsed[i] / 10, distance: table.distance[i] / 100, pace: table.pace[i] / 10 || null,
    averagePace: table.average[i] / 10 || null, heartRate: table.hr[i] || null, cadence: table.cadence[i] || null,
    energy: table.energy[i] / 10, since: table.t[i] / 1e6 };
}

/** Frames that are on their way, or have just ended: those stay at their end, since nothing moves here. */
function flightsAt(t) {
  const flights = [];
  for (let f = from(F.t, t + 1) - 1, seen = 0; f >= 0 && seen < 400 && flights.length < 40 && t - F.t[f] < 6e7; f--, seen++) {
    const i = fateFrom[f], hasFate = i < fateFrom[f + 1], ends = hasFate ? F.t[f] + A.dt[i] : null;
    if (ends !== null && ends < t - 4e5) continue;
    const kind = classes[F.cls[f]], isLost = hasFate && A.cause[i] !== 0;
    flights.push({ id: F.id[f], from: kind.from, uplink: kind.uplink, name: payloadOf(f), sent: F.t[f] / 1e6,
      ends: ends === null ? null : ends / 1e6, over: false, lost: isLost ? R.causes[A.cause[i]] : null });
  }
  return flights.reverse();
}

const watch = new WatchView(false), phone = new PhoneView(false, 0), link = new LinkView();
const host = byId("devices"), tree = host.attachShadow({ mode: "open" });
tree.append(byId("devices-style").content.cloneNode(true), el(".stage", {}, watch.root, phone.root), link.root);

function show(t) {
  shownAt = t;
  const now = pictureAt(t), seconds = t / 1e6;
  const heard = figuresAt(H, t, now.phone.figures);
  const history = now.history.map((row) => row.live
    ? { ...row, distance: heard.distance, duration: heard.elapsed, averagePace: heard.averagePace } : row);
  const lane = { ...now, run, history,
    watch: { ...now.watch, figures: figuresAt(P, t, now.watch.figures) },
    truth: { ...now.truth, figures: figuresAt(P, t, now.truth.figures) },
    phone: { ...now.phone, figures: heard },
    link: { ...now.link, flights: flightsAt(t), sent: from(sentTimes, t + 1), delivered: from(arrivals, t + 1),
      lost: from(losses, t + 1) } };
  watch.update(lane, seconds, false);
  phone.update(lane, seconds, false);
  link.update(lane, seconds, false);
  return wall(run, seconds);
}

function draw() { show(shownAt); }
addEventListener("resize", draw);
