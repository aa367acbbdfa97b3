// The phone's screens. Each says what it depends on (key), and makes its elements.
const nothing = (text) => el("p.none", {}, text);
const doEvent = (event, text) => () => act({ do: "event", on: "phone", event, text });
const button = (text, onclick, className = "") => el("button", { type: "button", className, onclick }, text);
const section = (title, ...children) => el("div.section", {}, el("h3", {}, title), ...children);
const fact = (name, value, className = "") => el("div", { className: `fact ${className}` }, el("span", {}, name), el("b", {}, value));

// A figure that the phone believes, with the truth as a thin line where it differs.
function figure(name, value, unit, truth) {
  return el(".figure", {}, el("span", {}, name), el("b", {}, value, el("small", {}, ` ${unit}`)), el("i.truth", {}, truth ?? ""));
}

const screens = {
  home(lane, now, isTouchable) {
    const { phone, run, history, health, meals, training } = lane;
    const last = history.filter((row) => row.finished).slice(-1)[0];
    return {
      key: JSON.stringify([phone.state, phone.start, last, health.on, meals.on, training.on, phone.script, phone.notes, phone.memory, isTouchable, phone.reachable]),
      make: () => [
        el("h3.large", {}, "Home"),
        phone.state && phone.state !== "ended" ? el(".card.accent", {}, el("b", {}, `A run is on: ${phone.state}`), el("span", {}, "see Run"))
          : el(".card", {}, el("b", {}, "Ready when you are"), el("span", {}, `${upper(run.mode)}, ${words(run.personality)}`),
            phone.start && el("span.warn", {}, phone.start),
            isTouchable && button("Start run", doEvent({ do: "startWorkout" }, "start asked by the phone"), "go")),
        last && section("Last", el(".card", {}, el("b", {}, `${kilometres(last.distance)} km ${last.discipline}`), el("span", {}, `${clock(last.duration)} · ${pace(last.averagePace)} /km`))),
        section("Coach", fact("script", phone.script ? `${phone.scriptLines} lines, ${phone.script}` : "none yet"),
          ...phone.memory.slice(0, 4).map((one) => fact(words(one.key), one.value))),
        phone.notes.length > 0 && section("Voice notes", ...phone.notes.map((note) => fact(`${note.seconds} s`, note.words || "…"))),
        isTouchable && el(".actions", {}, button("Find watch", doEvent({ do: "findWatch" }, "find watch")),
          button("Voice note", doEvent({ do: "record", seconds: 4, says: "Am I too fast?" }, "voice note on the phone"))),
      ],
    };
  },

  run(lane, now, isTouchable) {
    const { phone, run, truth } = lane;
    const goal = run.goal;
    const { figures } = phone;
    const trueFigures = truth.figures;
    const age = figures.since === null ? null : now - figures.since;
    const lag = trueFigures.distance - figures.distance;
    const isWrong = Math.abs(lag) >= 15;
    const stateWrong = truth.state && phone.state && truth.state !== phone.state;
    const ageText = age === null ? "nothing heard" : age < 2 ? "now" : `${clock(age)} ago`;
    return {
      key: JSON.stringify([phone.state, phone.silent, figures, phone.spoken?.text, phone.narration, phone.muted, phone.ducking, phone.interrupted, phone.splits, isWrong && trueFigures, stateWrong && truth.state, isTouchable, phone.tracking]),
      make: () => [
        el(".runhead", {}, el("span.pill", { "data-state": phone.state || "none" }, phone.state || "no run"), phone.tracking && el("span.pill", {}, "tracked by the phone"),
          el("i.truth", {}, stateWrong ? truth.state : ""), el("span.age", {}, ageText)),
        phone.silent && el(".banner", { role: "status" }, "Watch silent"),
        el(".grid", {}, figure("distance", kilometres(figures.distance), "km", isWrong ? `${kilometres(trueFigures.distance)} km` : ""),
          figure("time", clock(figures.elapsed), "", isWrong ? clock(trueFigures.elapsed) : ""),
          figure("pace", pace(figures.pace), "/km", isWrong && trueFigures.pace ? pace(trueFigures.pace) : ""),
          figure("heart", figures.heartRate ?? "––", "bpm", isWrong && trueFigures.heartRate !== figures.heartRate ? `${trueFigures.heartRate ?? "––"}` : "")),
        goal && el(".goal", {}, el(".track", {}, el(".bar"), el(".trueline")), el("span", {}, `of ${kilometres(goal)} km`)),
        phone.spoken && el(".speech", {}, el("p", {}, phone.spoken.text), el(".left", {}, el(".fill")), el("span.rest", {}, "")),
        phone.ducking && !phone.spoken && el("p.none", {}, "music is lowered"),
        phone.interrupted && el("p.banner.call", {}, "Phone call"),
        el("ol.said", {}, phone.narration.slice().reverse().slice(0, 5).map((line) => el("li", {}, el("span", {}, clock(line.at)), el("p", {}, line.text, line.broken && el("i", {}, ` (${words(line.broken)})`))))),
        isTouchable && el(".actions", {}, phone.muted ? button("Unmute", doEvent({ do: "unmute" }, "coach unmuted")) : button("Mute", doEvent({ do: "mute" }, "coach muted")),
          phone.interrupted ? button("Call ends", doEvent({ do: "interruptionEnd", shouldResume: true }, "phone call ends")) : button("Phone call", doEvent({ do: "interrupt" }, "phone call")),
          phone.state && phone.state !== "ended" && button("End run", doEvent({ do: "endWorkout" }, "run ended by the phone"), "stop")),
      ],
      tick(page) {
        const age = page.querySelector(".age");
        if (age) { setText(age, ageText); setClass(age, "late", (figures.since !== null && now - figures.since > 5) || false); }
        const bar = page.querySelector(".goal .bar");
        if (bar && goal) {
          bar.style.width = `${Math.min(100, figures.distance / goal * 100)}%`;
          page.querySelector(".trueline").style.width = `${Math.min(100, trueFigures.distance / goal * 100)}%`;
        }
        const rest = page.querySelector(".rest");
        if (rest && phone.spoken) {
          const left = Math.max(0, phone.spoken.at + phone.spoken.lasts - now);
          setText(rest, `${left.toFixed(1)} s left`);
          page.querySelector(".fill").style.width = `${100 - left / phone.spoken.lasts * 100}%`;
        }
      },
    };
  },

  history(lane, now, isTouchable) {
    const { history, run } = lane;
    return {
      key: JSON.stringify([history, isTouchable]),
      make: () => [el("h3.large", {}, "History"), history.length === 0 && nothing("No runs yet."),
        ...history.slice().reverse().map((row) => el("details.item", {}, el("summary", {}, el("b", {}, row.distance === null ? label(row.discipline) : `${row.discipline === "swimming" ? `${Math.round(row.distance)} m` : `${kilometres(row.distance)} km`}`),
          el("span", {}, `${label(row.discipline)} · ${wall(run, row.begin - run.start, true)} ${wall(run, row.begin - run.start)}`), el("span.right", {}, clock(row.duration))),
        fact("pace", `${pace(row.averagePace)} /km`), fact(lane.run.split === "mile" ? "mile splits" : "splits", row.splits ?? "–"), fact("route", row.route === null ? "–" : `${row.route} points`),
        fact("heart rates", row.heartRates ?? "–"), fact("Health", row.heartRates !== null ? "read" : row.finished ? "saved by the watch" : "not yet"))),
        isTouchable && el(".actions", {}, button("Show list", doEvent({ do: "history" }, "looks at the list of runs")))],
    };
  },

  trends(lane) {
    const { history, run } = lane;
    // Weeks begin on Monday, by the phone's local date.
    const week = (begin) => Math.floor((Math.floor((begin + run.offset) / 86400) + 3) / 7);
    const sums = new Map();
    for (const row of history) if (row.discipline === "running" && row.distance) sums.set(week(row.begin), (sums.get(week(row.begin)) || 0) + row.distance);
    const last = week(run.start);
    const weeks = Array.from({ length: 8 }, (_, index) => last - 7 + index + Math.max(0, ...[...sums.keys()].map((one) => one - last)));
    const most = Math.max(1000, ...sums.values());
    return {
      key: JSON.stringify([...sums]),
      make: () => [el("h3.large", {}, "Trends"), section("Distance by week",
        el(".bars", { role: "img", "aria-label": weeks.map((one) => `${kilometres(sums.get(one) || 0)} km`).join(", ") }, weeks.map((one, index) => {
          const bar = el(".column", {}, el("span", {}, sums.get(one) ? kilometres(sums.get(one)) : ""), el("i"), el("small", {}, index % 2 ? weekName(one) : "\u00A0"));
          bar.children[1].style.height = `${(sums.get(one) || 0) / most * 110}px`;
          return bar;
        }))), sums.size === 0 && nothing("Runs appear here once they are stored.")],
    };
  },

  race(lane) {
    const { run, phone } = lane;
    const race = run.race;
    return {
      key: JSON.stringify([race, run.plan, run.goal, phone.script]),
      make: () => [el("h3.large", {}, "Race setup"), section("Plan", fact("mode", words(run.mode)), fact("distance", run.goal ? `${kilometres(run.goal)} km` : "–"),
        fact("target", run.plan.time ? clock(run.plan.time) : "–"), run.goal && run.plan.time && fact("pace", `${pace(run.plan.time / run.goal * 1000)} /km`)),
      section("Coach", fact("personality", words(run.personality)), phone.voice && fact("voice", phone.voice), fact("script", phone.script ? `${phone.scriptLines} lines` : "–")),
      race ? section("Race", ...Object.entries(race).filter(([, value]) => typeof value !== "object").map(([key, value]) => fact(words(key), String(value)))) : nothing("No race is set up in this scenario.")],
    };
  },

  training(lane, now, isTouchable) {
    const { training, run } = lane;
    return {
      key: JSON.stringify([training, isTouchable]),
      make: () => [el("h3.large", {}, "Training"), !training.on && nothing("This scenario stores no training sessions: phone.training."),
        training.sessions.length > 0 && section("Sessions", ...training.sessions.slice().reverse().map((one) => el(".item.flat", {}, el("b", {}, label(one.discipline)),
          el("span", {}, [one.distance ? (one.discipline === "swimming" ? `${Math.round(one.distance)} m` : `${kilometres(one.distance)} km`) : "", clock(one.duration), one.parts ? `${one.parts} ${partName(one.discipline)}` : "", one.edits.length ? `edited: ${one.edits.join(", ")}` : ""].filter(Boolean).join(" · ")),
          el("span.right", {}, one.discipline === "shooting" && one.result !== null ? `${one.result / 1000} rings` : one.discipline === "riding" && one.result !== null ? `${one.result / 1000}` : "")))),
        training.results.length > 0 && section("Competition", ...training.results.map((one) => fact(label(one.discipline), one.result === null ? "–" : one.discipline === "swimming" || one.discipline === "running" ? clock(one.result / 1000) : String(one.result / 1000)))),
        training.drills.length > 0 && section("Exercises", ...training.drills.map((one) => fact(`${label(one.discipline)}: ${one.kind}`, `${one.sets} sets`))),
        training.refusal && el("p.banner", {}, `A report was refused: ${training.refusal}`),
        training.on && isTouchable && el(".actions", {}, button("Log exercise", doEvent({ do: "logDrill", discipline: "shooting", drillType: "dry fire", sets: [{ duration: "5m", reps: 20 }] }, "exercise logged")),
          training.sessions.some((one) => one.discipline === "riding") && button("Score ride", doEvent({ do: "scoreRide", score: 71.5 }, "ride scored")),
          training.sessions.some((one) => one.discipline === "shooting") && button("Correct shot", doEvent({ do: "correctShot", end: 1, shot: 1, score: 10 }, "shot corrected")))],
    };
  },

  health(lane, now, isTouchable) {
    const { health } = lane;
    const days = Object.fromEntries(health.days.map((one) => [one.type, one.days]));
    return {
      key: JSON.stringify([health, isTouchable]),
      make: () => [el("h3.large", {}, "Apple Health"), !health.on && nothing("This scenario ingests nothing of Apple's data: phone.ingestion."),
        health.refusal && el("p.banner", {}, health.refusal.why === "unavailable" ? "Apple Health is not available" : `${upper(health.refusal.type)}: ${health.refusal.why}`),
        days.sleep?.length > 0 && section("Sleep, hours", chart(days.sleep, "sleep_hours", 10)),
        days.calories?.length > 0 && section("Energy, kcal", chart(days.calories, Object.keys(days.calories[days.calories.length - 1].values).find((key) => /calor/.test(key)), null)),
        days.exercise?.length > 0 && section("Exercise", ...Object.entries(days.exercise[days.exercise.length - 1].values).map(([key, value]) => fact(words(key), String(value)))),
        days.mindfulness?.length > 0 && section("Mindfulness", ...Object.entries(days.mindfulness[days.mindfulness.length - 1].values).map(([key, value]) => fact(words(key), String(value)))),
        days.calendar?.length > 0 && section("Meetings", ...days.calendar.slice(-3).map((day) => fact(day.day.slice(5), Object.entries(day.values).map(([key, value]) => `${words(key)} ${value}`).join(", ")))),
        days.reminders?.length > 0 && section("Reminders", ...days.reminders.slice(-3).map((day) => fact(day.day.slice(5), Object.entries(day.values).map(([key, value]) => `${words(key)} ${value}`).join(", "))))],
    };
  },

  meals(lane, now, isTouchable) {
    const { meals } = lane;
    return {
      key: JSON.stringify([meals, isTouchable]),
      make: () => [el("h3.large", {}, "Meals"), !meals.on && nothing("This scenario stores no meals: phone.daily."),
        meals.days.length > 0 && section("Today", ...Object.entries(meals.days[meals.days.length - 1].totals?.nutrition ?? {}).map(([key, value]) => fact(words(key), String(value)))),
        meals.meals.length > 0 && section("Eaten", ...meals.meals.slice().reverse().map((one) => el(".item.flat", {}, el("b", {}, one.name), el("span", {}, `${one.day} · ${one.protein} g protein`), el("span.right", {}, `${one.calories} kcal`)))),
        meals.on && section("Edge", fact("waiting", meals.pending === null ? "not asked yet" : `${meals.pending} days`), fact("last answer", meals.synced === null ? "–" : clock(meals.synced)), meals.failure && fact("last post", meals.failure, "warn")),
        meals.on && isTouchable && el(".actions", {}, button("Log meal", doEvent({ do: "logMeal", name: "Porridge", calories: 420, protein: 18 }, "meal logged")),
          meals.meals.length > 0 && button("Remove last", doEvent({ do: "removeMeal" }, "meal removed")), button("Sync now", doEvent({ do: "syncDaily" }, "daily totals posted")))],
    };
  },

  settings(lane, now, isTouchable) {
    const { health, phone, run } = lane;
    return {
      key: JSON.stringify([health, phone.muted, phone.voice, isTouchable, run.personality]),
      make: () => [el("h3.large", {}, "Settings"), section("Coach", fact("voice", words(run.personality)), fact("sound", phone.muted ? "muted" : "on"),
        phone.voice && isTouchable && el(".actions", {}, ...["Samantha", "Ava", "Daniel", "Anna", "Petra", "Thomas"].filter((name) => name !== phone.voice)
          .map((name) => button(name, doEvent({ do: "chooseVoice", name }, `voice ${name}`)))),
        isTouchable && el(".actions", {}, button(phone.muted ? "Unmute coach" : "Mute coach", doEvent({ do: phone.muted ? "unmute" : "mute" }, phone.muted ? "coach unmuted" : "coach muted")))),
      section("Apple Health", !health.on && nothing("Not used in this scenario."),
        ...(health.on ? health.types.map((one) => el(".fact", {}, el("span", {}, upper(one.type)), el("span.rows", {}, `${one.rows} rows`), isTouchable ? el("button.switch", { type: "button", role: "switch", "aria-checked": String(one.on), "aria-label": upper(one.type),
          onclick: doEvent({ do: "setIngestion", type: one.type, on: !one.on }, `${one.type} ${one.on ? "off" : "on"}`) }) : el("b", {}, one.on ? "on" : "off"))) : []),
        health.on && fact("last sync", health.synced === null ? "never" : clock(health.synced)), health.on && fact("raw data", `${health.rows} rows, ${bytes(health.bytes)}`),
        health.on && fact("parsed", String(health.parsed)),
        health.failed > 0 && el("p.banner", { role: "status" }, `${health.failed} ${health.failed === 1 ? "record" : "records"} could not be read`),
        ...health.failures.map((one) => fact(`${one.type} ${one.day}`, one.why, "warn")),
        health.on && isTouchable && el(".actions", {}, button("Sync now", doEvent({ do: "syncNow" }, "Apple Health synced")), button("Fetch the week again", doEvent({ do: "refetchWeek" }, "week fetched again")), confirmed("Purge", "Delete parsed rows?", doEvent({ do: "purgeNow" }, "parsed rows purged"))))],
    };
  },

  store(lane) {
    const device = lane.run.stores.find((one) => one.device === "phone");
    return { key: lane.run.scenario, make: () => [el("h3.large", {}, "Stored"), ...(device ? storeSections(device) : [nothing("No store of a phone here.")])] };
  },

  app(lane, now, isTouchable) {
    const app = lane["app.phone"] || { facts: [], log: [] };
    return {
      key: JSON.stringify([app, isTouchable, lane.run.acts]),
      make: () => app.crash ? [el("h3.large", {}, "Crashed"), el("pre.crash", {}, app.crash)] : [el("h3.large", {}, "App"), app.facts.length === 0 && nothing("It has said nothing so far."),
        ...appSections(app), section("Log", el("ol.said", {}, app.log.slice().reverse().map((one) => el("li", { title: one.text }, el("span", {}, clock(one.at)), el("p.short", {}, one.text))))),
        el(".actions", {}, ...appButtons(lane.run, "phone", isTouchable))],
    };
  },
};

// What an app has said last: facts of its own, and then what each of its screens shows, under the screen's name.
function appSections(app) {
  const row = (name, one) => el(".fact.said", { title: one.text }, el("span", {}, words(name)), el("b", {}, one.text || "·"));
  const screens = new Map();
  for (const one of app.facts) {
    const [screen, name] = screenFact(one);
    screens.set(screen, [...(screens.get(screen) || []), row(name, one)]);
  }
  const own = screens.get("") || [];
  screens.delete("");
  return [...own, ...[...screens].map(([screen, rows]) => section(screen, ...rows))];
}

// What a device's store holds, list by list.
function storeSections(device) {
  const lists = Object.entries(device).filter(([, value]) => Array.isArray(value));
  const full = lists.filter(([, rows]) => rows.length > 0);
  return [...full.map(([name, rows]) => el("details.item", {},
    el("summary", {}, el("b", {}, words(name)), el("span.right", {}, String(rows.length))),
    ...rows.slice(0, 100).map((row) => typeof row !== "object" ? fact(words(name), String(row)) : el(".section", {}, ...Object.entries(row).map(([key, value]) => fact(words(key), value === null ? "–" : typeof value === "object" ? JSON.stringify(value) : String(value))))))),
  nothing(`${lists.length - full.length} lists are empty.`)];
}

// Asks once more, in its own place.
function confirmed(text, question, does) {
  const ask = button(text, () => {
    if (ask.dataset.sure) return does();
    ask.dataset.sure = "yes";
    ask.textContent = question;
    ask.className = "stop";
  });
  return ask;
}

const partName = (discipline) => ({ swimming: "lengths", shooting: "shots", riding: "gaits", running: "splits" })[discipline] || "parts";

function weekName(week) {
  const day = new Date((week * 7 - 3) * 86400000).toISOString();
  return `${Number(day.slice(8, 10))} ${months[Number(day.slice(5, 7)) - 1]}`;
}

function chart(days, key, least) {
  const most = Math.max(least || 1, ...days.map((day) => day.values[key] || 0));
  return el(".bars", { role: "img", "aria-label": days.map((day) => `${day.day} ${day.values[key] ?? "nothing"}`).join(", ") }, days.map((day) => {
    const value = day.values[key];
    const column = el(".column", {}, el("span", {}, value === undefined ? "–" : value >= 100 ? String(Math.round(value)) : value.toFixed(1)), el("i"), el("small", {}, `${Number(day.day.slice(8))} ${months[Number(day.day.slice(5, 7)) - 1]}`));
    column.children[1].style.height = `${(value || 0) / most * 80}px`;
    return column;
  }));
}
