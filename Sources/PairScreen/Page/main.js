// Joins the parts, and draws when something has changed.
class Pair {
  constructor(number) {
    this.watch = new WatchView(true);
    this.link = new LinkView();
    this.controls = new LinkControls();
    this.phone = new PhoneView(true, number);
    this.title = el("h2.lanetitle");
    this.keep = el("button", { type: "button", onclick: () => act({ do: "keep", lane: number }) }, "Keep this future");
    this.head = el(".lanehead", { hidden: true }, this.title, this.keep);
    this.link.root.append(this.controls.root);
    this.middle = el(".middle", {}, this.link.root);
    this.root = el("div.pair", {}, this.head, this.watch.root, this.middle, this.phone.root);
  }

  update(lane, now, isTouchable) {
    this.head.hidden = !lane.run.title;
    setText(this.title, lane.run.title);
    this.watch.update(lane, now, isTouchable);
    this.link.update(lane, now, isTouchable);
    this.controls.update(lane, isTouchable);
    this.phone.update(lane, now, isTouchable);
  }
}

const pairs = [];
const isWide = matchMedia("(min-width: 1181px)");
let timeView = null;

function draw() {
  const { time, lanes } = state;
  if (!isWhole()) return;
  const now = present();
  const run = lanes[0].run;
  while (pairs.length < lanes.length) {
    const pair = new Pair(pairs.length);
    pairs.push(pair);
    $("stage").append(pair.root);
  }
  while (pairs.length > lanes.length) pairs.pop().root.remove();
  setClass($("stage"), "two", lanes.length > 1);
  // Between the devices where there is room, below them where there is none.
  const place = lanes.length === 1 && isWide.matches ? pairs[0].middle : document.querySelector("main");
  if ($("below").parentElement !== place) place.append($("below"));
  setClass(document.body, "recorded", run.recorded);
  setClass(document.body, "stored", run.stores.length > 0);
  const isTouchable = !run.recorded && lanes.length === 1;
  for (const [index, pair] of pairs.entries()) pair.update(lanes[index], now, isTouchable);
  timeView.update(now);
  setText($("scenario"), run.scenario);
  document.title = `${run.scenario} – Wristwire`;
  setText($("facts"), run.stores.length ? "what its devices have stored" : `seed ${run.seed}${run.recorded ? " · a recorded run" : ""}`);
  setText($("about"), run.about);
  $("about").hidden = !run.about;
  $("time").hidden = run.stores.length > 0;
  $("undo").hidden = $("save").hidden = run.recorded;
  $("undo").disabled = run.touchCount === 0 || lanes.length > 1;
  $("save").disabled = lanes.length > 1;
  if (time.notice && time.notice !== lastNotice) say(time.notice);
  lastNotice = time.notice;
  showVerdict(run, lanes);
  showStory(lanes[lanes.length - 1]);
  showTouches(run, lanes);
}
let lastNotice = "";

function showVerdict(run, lanes) {
  const count = run.findings.length;
  const text = run.failure ? `Broke off: ${run.failure}` : !run.complete ? "being made…" : count ? `breaks ${count} ${count === 1 ? "rule" : "rules"}` : run.verdict === "pass" ? "every rule holds" : run.verdict || "";
  setText($("verdict"), text);
  $("verdict").className = `verdict ${run.failure || count ? "bad" : run.complete ? "good" : ""}`;
}

function showStory(lane) {
  const story = $("story");
  const isAtEnd = story.scrollHeight - story.scrollTop - story.clientHeight < 30;
  fill(story, JSON.stringify(lane.story), () => lane.story.length ? lane.story.map((line) => el(`li.is-${line.tone}`, {}, el("span.at", {}, clock(line.at)), el("span.who", {}, line.who), el("p", {}, line.text)))
    : [el("li.is-quiet", {}, el("p", {}, "Nothing so far."))]);
  if (isAtEnd) story.scrollTop = story.scrollHeight;
}

function showTouches(run, lanes) {
  const difference = state.time.difference;
  fill($("touches"), JSON.stringify([run.touches, run.recorded, difference, lanes.length, run.changedPast]), () => {
    if (run.recorded) return [el("li.is-quiet", {}, el("p", {}, "A recorded run is only looked at. Open its scenario to touch it."))];
    const list = run.touches.map((touch) => el("li", {}, el("button.at", { type: "button", title: "Go there", onclick: () => act({ do: "seek", t: touch.at }) }, clock(touch.at, 1)), el("p", {}, touch.text)));
    if (run.touchCount > run.touches.length) list.unshift(el("li.is-quiet", {}, el("p", {}, `${run.touchCount - run.touches.length} before these`)));
    if (lanes.length > 1) {
      list.push(el("li.is-trouble", {}, el("p", {}, difference ? `They first differ at ${clock(difference.at, 1)}:` : lanes.every((lane) => lane.run.complete) ? "They decide the same at the same times." : "Looking for a difference…")));
      if (difference) for (const [index, text] of difference.texts.entries()) list.push(el("li", {}, el("p", {}, el("b", {}, `${lanes[index].run.title}: `), text)));
    }
    if (run.changedPast) list.push(el("li.is-trouble", {}, el("p", {}, "This touch changes what was before it, too: the run as a whole is another one.")));
    return list.length ? list : [el("li.is-quiet", {}, el("p", {}, "Cut the link, kill an app, press Pause: each touch is written down here and in the scenario."))];
  });
  fill($("findings"), JSON.stringify(run.findings), () => run.findings.length === 0 ? [] : [el("h3", {}, "Broken rules of this run"), ...run.findings.map((finding) =>
    el("button.finding", { type: "button", onclick: () => act({ do: "seek", t: finding.at }) }, el("b", {}, `${clock(finding.at)} ${words(finding.invariant)}`), el("span", {}, finding.detail)))]);
}

// Between two messages only what moves is drawn.
function animate(clockNow) {
  if (state.time && pairs.length && state.time.playing && !isStill.matches) {
    const now = present();
    for (const [index, pair] of pairs.entries()) if (state.lanes[index]) pair.link.animate(now, clockNow);
    timeView.move(now);
  }
  requestAnimationFrame(animate);
}

const keys = {
  " ": () => act({ do: state.time?.playing ? "pause" : "play" }),
  ",": () => act({ do: "step", to: "second", back: true }),
  ".": () => act({ do: "step", to: "second" }),
  "[": () => act({ do: "step", to: "sentence", back: true }),
  "]": () => act({ do: "step", to: "sentence" }),
  e: () => act({ do: "step", to: "event" }),
  n: () => act({ do: "step", to: "decision" }),
  u: () => act({ do: "undo" }),
  s: () => act({ do: "save" }),
  c: () => press("disconnect"), l: () => press("loss"), d: () => press("delay"),
  b: () => pairs[0]?.controls.branch.focus(),
};
const press = (kind) => { if (!pairs[0]?.controls.root.hidden) pairs[0].controls.press(linkTouches.find((touch) => touch.kind === kind)); };

document.addEventListener("keydown", (event) => {
  const tag = event.target.tagName;
  if (event.ctrlKey || event.metaKey || event.altKey || tag === "SELECT" || tag === "INPUT") return;
  if (event.key === " " && (tag === "BUTTON" || tag === "SUMMARY")) return;
  const does = keys[event.key.toLowerCase()];
  if (!does || event.key !== event.key.toLowerCase()) return;
  event.preventDefault();
  does();
});

timeView = new TimeView();
isWide.addEventListener("change", changed);
$("play").onclick = keys[" "];
$("back").onclick = keys[","];
$("forward").onclick = keys["."];
$("sentence-back").onclick = keys["["];
$("sentence").onclick = keys["]"];
$("event").onclick = keys.e;
$("decision").onclick = keys.n;
$("undo").onclick = keys.u;
$("save").onclick = keys.s;
$("foot").textContent = "Keys: Space plays, [ ] go by sentences, , . by seconds, E by events, N by decisions, C cuts the link, L loses, D delays, B branches, U undoes, S saves.";
listen();
requestAnimationFrame(animate);
