// The watch's face.
class WatchView {
  constructor(touch) {
    this.state = el("span.state");
    this.time = el("span.wall");
    this.elapsed = el("p.elapsed");
    this.rows = el("dl.rows");
    this.parts = el("p.parts");
    this.note = el("p.tap", { role: "status" });
    this.veil = el(".veil", { hidden: true });
    this.buttons = el(".presses");
    this.screen = el(".screen", {}, el(".status", {}, this.state, this.time), this.elapsed, this.rows, this.parts, this.buttons, this.note, this.veil);
    this.body = el(".watch", {}, el(".strap.upper"), el(".case", {}, this.screen, el(".crown"), el(".side")), el(".strap.lower"));
    this.title = el("h2", {}, "Watch");
    this.under = el("p.under");
    this.truth = el("p.truthline");
    this.refused = el("p.refused", { role: "status" });
    this.controls = touch ? deviceControls("watch") : null;
    this.root = el("section.device", { "aria-label": "Watch" }, el(".devicehead", {}, this.title, this.under), this.body, this.truth, this.refused, this.controls?.root);
  }

  update(lane, now, isTouchable) {
    const { watch, run, truth } = lane;
    const app = run.app.watch && lane["app.watch"];
    const figures = watch.figures;
    setText(this.under, watch.power.up ? (watch.power.asleep ? "app asleep" : watch.reachable === null ? "" : watch.reachable ? "reaches the phone" : "does not reach the phone") : `app down: ${watch.power.cause}`);
    setClass(this.under, "trouble", !watch.power.up || watch.reachable === false);
    this.screen.dataset.state = watch.state || "ready";
    setText(this.state, app ? "app" : watch.state ? { preparing: "Ready…", running: label(watch.discipline), paused: "Paused", ended: "Done" }[watch.state] || watch.state : "Ready");
    setText(this.time, wall(run, now));
    this.veil.hidden = watch.power.up && !watch.power.asleep;
    if (!this.veil.hidden) {
      fill(this.veil, JSON.stringify([watch.power, Math.floor(now)]), () => watch.power.asleep ? [el("b", {}, "asleep")] : [el("b", {}, "App is down"), el("span", {}, `${watch.power.cause}, ${clock(now - (watch.power.since ?? now))} ago`)]);
    }
    const store = run.stores.find((one) => one.device === "watch");
    setClass(this.screen, "isapp", Boolean(app) || run.stores.length > 0);
    if (run.stores.length) {
      setText(this.state, "Stored");
      fill(this.rows, "store", () => Object.entries(store || {}).filter(([, value]) => Array.isArray(value) && value.length > 0).slice(0, 9).map(([name, rows]) => el(".row", {}, el("dt", {}, words(name)), el("dd", {}, String(rows.length)))));
    } else if (app) {
      setText(this.elapsed, "");
      fill(this.rows, JSON.stringify(app), () => appRows(app, 6));
      setText(this.parts, "");
    } else {
      setText(this.elapsed, clock(liveElapsed(watch, now), 0));
      this.showRows(watch, run, figures);
    }
    this.showButtons(watch, run, isTouchable, app);
    this.showTap(watch, now);
    const differs = truth.state && watch.state && truth.state !== watch.state && !(truth.state === "running" && watch.state === "preparing");
    setText(this.truth, differs ? `truth: ${truth.state}` : "");
    setText(this.refused, refusalText(watch, now));
    this.controls?.update(watch.power, lane, isTouchable);
  }

  showRows(watch, run, figures) {
    const rows = [];
    const swim = watch.discipline === "swimming", shot = watch.discipline === "shooting";
    if (!shot) rows.push(swim ? [String(Math.round(figures.distance)), "m", "distance"] : [kilometres(figures.distance), "km", "distance"]);
    if (swim) rows.push([String(Math.floor(figures.distance / (run.pool || 25) + 1e-6)), "lengths", "lengths"]);
    else if (!shot) rows.push([pace(figures.pace), "/km", "pace"]);
    rows.push([figures.heartRate === null ? "––" : String(figures.heartRate), "bpm", "heart"]);
    if (shot) rows.push([figures.energy ? figures.energy.toFixed(0) : "0", "kcal", "energy"]);
    fill(this.rows, JSON.stringify(rows), () => rows.map(([value, unit, name]) => el(".row", { className: `row ${name}` },
      el("dt", {}, name), el("dd", {}, el("b", {}, value), ` ${unit}`))));
    const last = watch.splits[watch.splits.length - 1];
    setText(this.parts, last && watch.state !== "ended" ? `${run.split || "km"} ${last.km}  ${clock(last.seconds)}` : watch.state === "ended" && watch.saved ? "saved to Health" : "");
  }

  showButtons(watch, run, isTouchable, app) {
    const press = (word, text) => ({ word: text, on: () => act({ do: "event", on: "watch", event: { do: word }, text: `${word} on the watch` }), name: word });
    const list = app || !isTouchable || !watch.power.up ? []
      : watch.state === "running" ? [press("pause", "Pause"), press("end", "End"), { word: "Talk", name: "talk", on: () => act({ do: "event", on: "watch", event: { do: "talk", seconds: 5, says: "How far is it to go?" }, text: "Talk to coach" }) }]
      : watch.state === "paused" ? [press("resume", "Resume"), press("end", "End")]
      : watch.state === "preparing" ? [] : [{ word: "Start", name: "start", on: () => act({ do: "startWorkout" }) }];
    const acts = app ? appButtons(run, "watch", isTouchable) : [];
    fill(this.buttons, JSON.stringify([list.map((one) => one.word), acts.length, isTouchable]), () => [
      ...list.map((one) => el(`button.press.${one.name}`, { type: "button", onclick: one.on, title: one.name === "talk" ? "Talk to coach" : undefined }, one.word)), ...acts]);
  }

  showTap(watch, now) {
    const age = watch.haptic ? now - watch.haptic.at : Infinity;
    const least = state.time.playing && state.time.speed ? Math.max(1.5, 1.2 * state.time.speed) : 1.5;
    const isOn = watch.power.up && age >= 0 && age < least;
    setClass(this.body, "tapping", isOn);
    setText(this.note, isOn ? `tap: ${words(watch.haptic.kind.replace("companionMessageDispatched", "coach speaks"))}` : watch.note && now - watch.note.at < 8 && now >= watch.note.at ? `note, ${watch.note.seconds} s` : "");
  }
}

const label = (discipline) => ({ running: "Run", swimming: "Swim", riding: "Ride", shooting: "Shooting" })[discipline] || upper(discipline);

// What a device has refused, for a while.
const refusalText = (device, now) => device.refusal && now >= device.refusal.at && now - device.refusal.at < 15 ? words(device.refusal.text) : "";

// Between two snapshots the watch's own clock goes on.
function liveElapsed(watch, now) {
  const { figures } = watch;
  if (watch.state !== "running" || figures.since === null || !watch.power.up) return figures.elapsed;
  return figures.elapsed + Math.min(0.99, Math.max(0, now - figures.since));
}

// The screen and the name of a fact: "Store-count" is the count on the screen Store.
function screenFact(fact) {
  const end = fact.name.lastIndexOf("-");
  return end < 0 ? ["", fact.name] : [fact.name.slice(0, end), fact.name.slice(end + 1)];
}

function appRows(app, most) {
  if (app.crash) return [el("pre.crash", {}, app.crash)];
  return app.facts.slice(-most).map((fact) => el(".row", { title: fact.text }, el("dt", {}, words(screenFact(fact)[1])), el("dd", {}, fact.text || "·")));
}

function appButtons(run, device, isTouchable) {
  if (!isTouchable) return [];
  return run.acts.filter((one) => one.on === device).map((one) => el("button.press", { type: "button", onclick: () => act({
    do: "act", on: device, event: one.with ? { do: one.do, with: one.with } : { do: one.do }, text: `${words(one.do)} on the ${device}` }) }, words(one.do)));
}
