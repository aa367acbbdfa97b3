// The state that the runner sends, part by part, and what the page asks of it.
const state = { time: null, lanes: [] };
const isStill = matchMedia("(prefers-reduced-motion: reduce)");
// When the page got the present instant, by its own clock: between two messages it counts on from there.
let heardAt = 0;
let isDirty = false;

function listen() {
  const source = new EventSource("events");
  const parts = ["run", "bands", "watch", "phone", "truth", "link", "story", "history", "training", "health", "meals", "app.watch", "app.phone"];
  source.addEventListener("time", (message) => {
    state.time = JSON.parse(message.data);
    state.lanes.length = Math.min(state.lanes.length, state.time.lanes);
    heardAt = performance.now();
    changed();
  });
  for (const part of parts) {
    for (const lane of [0, 1]) {
      source.addEventListener(`${part}.${lane}`, (message) => {
        (state.lanes[lane] ??= {})[part] = JSON.parse(message.data);
        changed();
      });
    }
  }
  source.onerror = () => {
    document.body.classList.add("gone");
    say("The runner has ended, or does not answer. Start it again to go on.", true);
  };
  source.onopen = () => document.body.classList.remove("gone");
}

// Draws once for all parts of a message.
function changed() {
  if (isDirty) return;
  isDirty = true;
  requestAnimationFrame(() => {
    isDirty = false;
    draw();
  });
}

// Whether every part of every pair has come; the last of a pair's parts is the meals.
const isWhole = () => Boolean(state.time && state.lanes.length === state.time.lanes && state.lanes.every((lane) => lane?.meals));

// The instant that is shown now, in seconds of the run.
function present() {
  const time = state.time;
  if (!time) return 0;
  if (!time.playing || !time.speed || !time.ready) return time.t;
  return Math.min(time.t + Math.min(performance.now() - heardAt, 250) / 1000 * time.speed, Math.max(time.made, time.t));
}

async function act(words) {
  try {
    const answer = await fetch("act", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(words) });
    const found = await answer.json();
    say(found.error || found.said || "", Boolean(found.error));
  } catch {
    say("The runner does not answer.", true);
  }
}

function say(text, isTrouble = false) {
  const notice = $("notice");
  setText(notice, text);
  setClass(notice, "trouble", isTrouble);
}
