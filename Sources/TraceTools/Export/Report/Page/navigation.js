const shortest = 2e4;

function show(t0, t1) {
  const length = Math.min(Math.max(t1 - t0, shortest), end - start);
  view.t0 = Math.min(Math.max(t0, start), end - length);
  view.t1 = view.t0 + length;
  redraw();
}

function zoom(factor, px) {
  const at = px === undefined ? (chosen !== null && chosen >= view.t0 && chosen <= view.t1 ? chosen
    : (view.t0 + view.t1) / 2) : timeAt(Math.max(px, gutter));
  show(at - (at - view.t0) * factor, at + (view.t1 - at) * factor);
}

function pan(part) {
  const by = (view.t1 - view.t0) * part;
  show(view.t0 + by, view.t1 + by);
}

/** Puts the cursor on an instant: the dock shows both devices as they were. */
function choose(t) {
  chosen = Math.min(Math.max(Math.round(t), start), end);
  byId("cursor").textContent = clock(chosen, fineness() || 1);
  byId("wall").textContent = `${devices.show(chosen)} on the wall`;
}

/** Scrolls to an instant and puts the cursor there. */
function jump(t, length) {
  const wish = Math.min(length || Math.min(view.t1 - view.t0, 3e7), end - start);
  if (t < view.t0 + wish * .05 || t > view.t1 - wish * .05 || view.t1 - view.t0 > wish * 1.5) {
    show(t - wish / 2, t + wish / 2);
  } else redraw();
  choose(t);
  markRow();
}

/** Goes to an instant, explains it in the dock, and has the timeline in view. */
function goTo(t, length, what) {
  jump(t, length);
  explain(what);
  const box = frameBox.getBoundingClientRect(), dock = byId("dock");
  // On a narrow screen the dock covers the lower part.
  const bottom = getComputedStyle(dock).position === "fixed" ? dock.getBoundingClientRect().top : innerHeight;
  if (box.top < 0 || box.top + Math.min(keptHeight(), box.height) > bottom) byId("time").querySelector(".bar").scrollIntoView();
}

function tell(hit, px) {
  if (hit.frame !== undefined) {
    const f = hit.frame, kind = classes[F.cls[f]];
    choose(F.t[f]);
    explain({ head: `${kind.from} to ${kind.to}: ${frameTitle(f)}: ${fateText(f)}`,
      more: `sent at ${clock(F.t[f], 3)}, ${F.bytes[f]} bytes, frame ${F.id[f]}, epoch ${F.epoch[f]}`,
      lines: [...new Set([F.line[f], hit.fate === undefined ? F.line[f] : A.line[hit.fate]])] });
  } else if (hit.band) {
    const [, t0, t1, , , line, details] = hit.band;
    choose(Math.max(t0, view.t0));
    const more = details ? `, ${details}` : "", fine = t1 - t0 < 1e6 ? 3 : 1;
    explain({ head: bandWords(hit.band), more: `${clock(t0, fine)} to ${clock(t1, fine)} (${span(t1 - t0)})${more}`, lines: [line] });
  } else if (hit.instant) {
    choose(hit.instant[0]);
    explain({ head: `${clock(hit.instant[0], 3)} ${hit.instant[2]}`, lines: [hit.instant[3]] });
  } else if (hit.counts) {
    choose(timeAt(px));
    zoom(.12, px);
  } else {
    choose(timeAt(px));
    tellHere();
  }
  markRow();
  redraw();
}

function distance(hit, px, py) {
  if (hit.line) {
    const [ax, ay, bx, by] = hit.line, dx = bx - ax, dy = by - ay;
    const part = Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy || 1)));
    return Math.hypot(px - ax - part * dx, py - ay - part * dy);
  }
  if (hit.fold) return 99;
  const inside = px >= hit.x - 3 && px <= hit.x + hit.w + 3 && py >= hit.y && py <= hit.y + hit.h;
  if (!inside) return 99;
  return hit.instant ? Math.abs(px - hit.x - 5) / 2 : hit.plot || hit.counts ? 8 : 7;
}

function pick(px, py, reach) {
  let best = null, least = reach;
  for (const hit of hits) {
    const far = distance(hit, px, py);
    if (far < least) { least = far; best = hit; }
  }
  return best;
}

/** A band's label; a fault in words and with its id. */
function bandWords(band) {
  const planned = band[0] === "fault" && R.plan.find((one) => band[6].split(", ")[0] === `id ${one[0]}`);
  return planned ? `${planned[1]}${planned[1].includes(planned[0]) ? "" : ` (${planned[0]})`}` : band[3];
}

/** What is under the pointer, in a line. */
function hint(hit, px) {
  if (hit.frame !== undefined) return `${clock(F.t[hit.frame], 3)} ${frameTitle(hit.frame)}: ${fateText(hit.frame)}`;
  if (hit.band) return `${bandWords(hit.band)}, ${clock(hit.band[1], 1)} to ${clock(hit.band[2], 1)}`;
  if (hit.instant) return `${clock(hit.instant[0], 3)} ${hit.instant[2]}`;
  if (!hit.plot) return "";
  const i = from(P.t, timeAt(px)) - 1, lane = hit.plot;
  return i < 0 ? "" : `${clock(P.t[i])} ${lane.label} ${lane.text(P[lane.key][i])} ${lane.unit}`;
}

const tip = byId("tip");
function showTip(event) {
  const { px, py } = place(event), hit = px < gutter ? null : pick(px, py, 9), text = hit ? hint(hit, px) : "";
  frameBox.classList.toggle("fold", Boolean(foldAt(px, py)));
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  const box = frameBox.getBoundingClientRect(), room = box.width - tip.offsetWidth - 4;
  tip.style.left = `${Math.max(4, Math.min(event.clientX - box.left + 12, room))}px`;
  tip.style.top = `${event.clientY - box.top + (event.clientY - box.top > box.height - 50 ? -34 : 18)}px`;
}

/** The group of lanes whose name is there, if any. */
const foldAt = (px, py) => px >= gutter - 4 ? null : hits.find((hit) => hit.fold && py >= hit.y && py < hit.y + hit.h)?.fold;

const pointers = new Map();
let moved = 0, pinch = 0;
const place = (event) => {
  const box = canvas.getBoundingClientRect();
  return { px: event.clientX - box.left, py: event.clientY - box.top };
};
frameBox.addEventListener("pointerdown", (event) => {
  pointers.set(event.pointerId, place(event));
  moved = 0;
  pinch = 0;
  if (event.pointerType === "mouse") frameBox.setPointerCapture(event.pointerId);
});
frameBox.addEventListener("pointermove", (event) => {
  const before = pointers.get(event.pointerId);
  if (!before) return event.pointerType === "mouse" ? showTip(event) : undefined;
  tip.hidden = true;
  const now = place(event);
  if (pointers.size === 1) {
    moved += Math.abs(now.px - before.px) + Math.abs(now.py - before.py);
    if (moved > 4) {
      frameBox.classList.add("moving");
      const by = (before.px - now.px) / (width - gutter) * (view.t1 - view.t0);
      show(view.t0 + by, view.t1 + by);
    }
  }
  pointers.set(event.pointerId, now);
  if (pointers.size === 2) {
    const [a, b] = [...pointers.values()], wide = Math.max(20, Math.abs(a.px - b.px));
    if (pinch) zoom(pinch / wide, (a.px + b.px) / 2);
    pinch = wide;
    moved = 99;
  }
});
const release = (event) => {
  const was = pointers.get(event.pointerId);
  pointers.delete(event.pointerId);
  pinch = 0;
  frameBox.classList.remove("moving");
  if (!was || event.type !== "pointerup" || moved > 4) return;
  const group = foldAt(was.px, was.py);
  if (group) return fold(group);
  if (was.px >= gutter) tell(pick(was.px, was.py, event.pointerType === "mouse" ? 9 : 16) || {}, was.px);
};
frameBox.addEventListener("pointerup", release);
frameBox.addEventListener("pointercancel", release);
frameBox.addEventListener("pointerleave", () => { tip.hidden = true; });
frameBox.addEventListener("wheel", (event) => {
  const { px } = place(event);
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    zoom(Math.exp(event.deltaY * .004), px);
  } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    event.preventDefault();
    pan((event.deltaX || event.deltaY) / (width - gutter));
  }
}, { passive: false });
frameBox.addEventListener("dblclick", (event) => zoom(.25, place(event).px));
frameBox.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const act = {
    ArrowLeft: () => pan(-.15), ArrowRight: () => pan(.15), PageUp: () => pan(-.9), PageDown: () => pan(.9),
    "+": () => zoom(.5), "=": () => zoom(.5), "-": () => zoom(2), "0": () => show(start, end),
    Home: () => show(start, start + view.t1 - view.t0), End: () => show(end - view.t1 + view.t0, end),
    "[": () => stepEvent(-1), "]": () => stepEvent(1), Enter: () => tellHere(), ",": () => stepTime(-1e6), ".": () => stepTime(1e6),
    d: () => byId("detail").focus(),
  }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
overview.addEventListener("pointerdown", (event) => {
  const box = overview.getBoundingClientRect(), move = (px) => {
    const t = start + (px - box.left - gutter) / Math.max(1, box.width - gutter) * (end - start), half = (view.t1 - view.t0) / 2;
    show(t - half, t + half);
  };
  move(event.clientX);
  overview.setPointerCapture(event.pointerId);
  overview.onpointermove = (next) => move(next.clientX);
  overview.onpointerup = () => { overview.onpointermove = null; };
});
byId("in").onclick = () => zoom(.5);
byId("out").onclick = () => zoom(2);
byId("earlier").onclick = () => pan(-.5);
byId("later").onclick = () => pan(.5);
byId("fit").onclick = () => show(start, end);

byId("detail").addEventListener("keydown", (event) => {
  if (event.key === "Escape") frameBox.focus();
});

/** Moves the cursor, and the view with it. */
function stepTime(by) {
  jump((chosen ?? view.t0) + by, view.t1 - view.t0);
}

/** Goes to the story's sentence before or after the cursor. */
function stepEvent(by) {
  const at = chosen === null ? (by > 0 ? view.t0 - 1 : view.t1 + 1) : chosen;
  const next = by > 0 ? R.story.find((line) => line[0] > at) : R.story.findLast((line) => line[0] < at);
  if (!next) return;
  jump(next[0], Math.min(view.t1 - view.t0, 6e7));
  explain({ head: `${clock(next[0], 1)} ${next[1]}: ${next[3]}`, lines: [next[4]] });
}

/** What each track says, in the order in which a reader asks. */
const trackNames = { fault: "fault: ", link: "link: ", uplink: "uplink: ", watchState: "watch: ", watchApp: "watch: ", watchReach: "watch: ",
  belief: "phone: believes ", liveness: "phone hears the watch: ", phoneApp: "phone: ", phoneReach: "phone: ", coach: "coach: " };

/** Describes the instant at the mark, or in the middle of the view. */
function tellHere() {
  const t = chosen !== null && chosen >= view.t0 && chosen <= view.t1 ? chosen : (view.t0 + view.t1) / 2;
  const on = R.bands.filter((band) => band[1] <= t && band[2] >= t);
  const told = Object.entries(trackNames).flatMap(([track, name]) => on.filter((band) => band[0] === track)
    .map((band) => `${name}${bandWords(band)}`));
  const i = from(P.t, t + 1) - 1, j = from(H.t, t + 1) - 1, f = from(F.t, t);
  const figures = (rows, k) => `${pace(rows.pace[k])} /km, heart rate ${rows.hr[k]}, ${(rows.distance[k] / 1e5).toFixed(2)} km`;
  const frame = f < F.n ? `Next frame at ${clock(F.t[f], 3)}: ${frameTitle(f)}, ${fateText(f)}.` : "";
  choose(t);
  explain({ head: `At ${clock(t, 1)}${told.length ? "" : ": nothing in progress"}`,
    parts: [...told.map((text) => ["", text]), ...(i < 0 ? [] : [["The watch measures", figures(P, i)]]),
      ...(j < 0 ? [] : [["The phone has heard", `${figures(H, j)}, at ${clock(H.t[j])}`]])], more: frame });
}
