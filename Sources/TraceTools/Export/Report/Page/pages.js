function fillTop() {
  document.title = `${R.scenario}, seed ${R.seed}: ${R.verdict}`;
  byId("scenario").textContent = R.scenario;
  const verdict = byId("verdict");
  verdict.classList.add(R.verdict);
  verdict.append(make("b", "", R.verdict), make("span", "", R.verdictText));
  byId("about").hidden = !R.about;
  byId("about").textContent = R.about;
  const facts = [["seed", R.seed], ["length", clock(end - start)], ["start", `${R.startedAt} (${R.timeZone})`],
    ["lines", R.lines.toLocaleString("en")], ["SHA-256", R.digest ? `${R.digest.slice(0, 16)}…` : "unknown"]];
  for (const [name, value] of facts) {
    const pair = make("div");
    const said = make("dd", name === "SHA-256" ? "mono" : "", value);
    if (name === "SHA-256" && R.digest) said.title = R.digest;
    pair.append(make("dt", "", name), said);
    byId("facts").append(pair);
  }
  byId("command").textContent = R.command;
  byId("copy").onclick = async () => {
    try {
      await navigator.clipboard.writeText(R.command);
      byId("copy").textContent = "Copied";
    } catch {
      const range = document.createRange();
      range.selectNodeContents(byId("command"));
      getSelection().removeAllRanges();
      getSelection().addRange(range);
    }
  };
  for (const text of R.notices) byId("notices").append(make("p", "notice", text));
  const build = R.build ? `wristwire ${R.build}` : "wristwire";
  byId("foot").textContent = `${build}. This file is complete: it loads nothing from a network.`;
}

/** More of one run are folded, so that the timeline stays near the top. */
const findingsShown = 4;

/** What went wrong; findings of the same instant or the same line are one entry. */
function findingsOf() {
  const entries = [], add = (title, text, t, places) => {
    const lines = places.map((one) => one[0]), line = lines[lines.length - 1];
    const entry = entries.find((one) => one.t === t || (line !== undefined && one.lines[one.lines.length - 1] === line));
    if (entry) {
      entry.parts.push([title, text]);
      entry.lines = [...new Set([...lines, ...entry.lines])].sort((a, b) => a - b);
    } else entries.push({ t, lines: [...lines].sort((a, b) => a - b), parts: [[title, text]] });
  };
  for (const [name, t, detail, places] of R.violations.slice(0, 200)) add(name, detail, t, places);
  for (const [text, passed, why, places, words] of R.expectations) {
    const seen = places.findLast((one) => one[1] !== null);
    if (!passed) add(`expected: ${words || text}`, why || "not met", seen ? seen[1] : null, places);
  }
  return entries;
}

function showFinding(entry) {
  const names = entry.parts.map(([title]) => title).join("; ");
  const what = { head: entry.t === null ? names : `${clock(entry.t, 3)} ${entry.parts[0][0]}`, isBroken: true,
    parts: entry.t === null ? entry.parts.map(([, text]) => ["", text])
      : entry.parts.map(([title, text], index) => [index ? title : "", text]), lines: entry.lines };
  if (entry.t === null) explain(what); else goTo(entry.t, 3e7, what);
}

function fillFindings() {
  const box = byId("findings"), unmet = R.expectations.filter(([, passed]) => !passed);
  const many = (count, what, plural) => count ? [`${count} ${count === 1 ? what : plural}`] : [];
  const heads = [...many(R.violations.length, "violation", "violations"),
    ...many(unmet.length, "expectation not met", "expectations not met")];
  const entries = findingsOf();
  if (entries.length) {
    box.hidden = false;
    box.append(make("h2", "", heads.join(", ")));
    const rest = make("details"), more = entries.length - findingsShown;
    if (more > 0) rest.append(make("summary", "", `${more} more`));
    for (const [index, entry] of entries.entries()) {
      const one = makeButton("", "finding", () => {
        showFinding(entry);
        frameBox.focus({ preventScroll: true });
      });
      one.append(make("span", "at", entry.t === null ? "" : clock(entry.t, 1)));
      const texts = make("span", "texts");
      for (const [title, text] of entry.parts) texts.append(make("b", "", title), make("span", "", text));
      one.append(texts);
      (index < findingsShown ? box : rest).append(one);
    }
    if (more > 0) box.append(rest);
  }
  return entries;
}

function fillExpected() {
  if (!R.expectations.length) return;
  byId("expected").hidden = false;
  for (const [text, passed, why, places, words] of R.expectations) {
    const item = make("li"), raw = make("details", "raw");
    item.append(make("b", passed ? "ok" : "no", passed ? "met " : "not met "), make("span", "", words || text));
    if (why) item.append(make("p", "", why));
    const seen = places.find((one) => one[1] !== null);
    if (seen) {
      item.append(" ", makeButton(`at ${clock(seen[1], 1)}`, "link",
        () => goTo(seen[1], 3e7, { head: words || text, more: why, lines: places.map((one) => one[0]) })));
    }
    if (words) {
      raw.append(make("summary", "", "As written"), make("code", "", text));
      item.append(raw);
    }
    byId("expectations").append(item);
  }
}

function fillPlan() {
  if (!R.plan.length) return;
  byId("planned").hidden = false;
  for (const [id, what, at, length, exact] of R.plan) {
    const item = make("li"), go = makeButton("", "", () => goTo(at * 1e6,
      Math.min(end - start, (length === null ? 6e7 : length * 1e6) * 1.6 + 1e7), { head: `${clock(at * 1e6)} ${what || id}`, more: `${id}: ${exact}` }));
    go.title = `${id}: ${exact}`;
    go.append(make("span", "at", `from ${clock(at * 1e6)}: `), make("span", "", what || id));
    item.append(go);
    byId("plan").append(item);
  }
}

function fillNumbers() {
  for (const [head, text] of R.summary) byId("summary").append(make("dt", "", head), make("dd", "", text));
}

let rows = [];
function fillStory() {
  const list = byId("lines"), parts = document.createDocumentFragment();
  rows = R.story.map(([t, voice, tone, text, line]) => {
    const item = make("li"), row = make("button", `row ${tone}`);
    row.type = "button";
    row.title = `line ${line} of the trace`;
    row.append(make("span", "at", clock(t)), make("span", "who", voice), make("span", "what", text));
    row.onclick = () => {
      jump(t, 3e7);
      markRow(rows.find((one) => one.item === item));
      explain({ head: `${clock(t, 3)} ${voice}: ${text}`, lines: [line] });
    };
    item.append(row);
    parts.append(item);
    return { item, row, t, line, text: `${voice} ${text}`.toLowerCase() };
  });
  list.append(parts);
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    let next = event.target.closest("li");
    do { next = step > 0 ? next?.nextElementSibling : next?.previousElementSibling; } while (next && next.hidden);
    if (!next) return;
    event.preventDefault();
    next.firstChild.focus();
  });
  byId("filter").oninput = () => {
    const wish = byId("filter").value.trim().toLowerCase();
    let count = 0;
    for (const one of rows) {
      one.item.hidden = wish !== "" && !one.text.includes(wish);
      if (!one.item.hidden) count++;
    }
    byId("none").hidden = count > 0;
  };
}

let marked = null;
function markRow(wanted) {
  if (marked) marked.row.removeAttribute("aria-current");
  let low = 0, high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle].t <= chosen) low = middle + 1; else high = middle;
  }
  marked = wanted || (low > 0 ? rows[low - 1] : null);
  if (!marked) return;
  marked.row.setAttribute("aria-current", "true");
  const list = byId("lines"), top = marked.item.offsetTop - list.offsetTop;
  const isOut = top < list.scrollTop || top > list.scrollTop + list.clientHeight - 40;
  if (list.scrollHeight > list.clientHeight && isOut) {
    list.scrollTop = top - list.clientHeight / 3;
  }
}

let tableTimer = 0;
const tableMax = 200;
function scheduleTable() {
  if (!byId("near").open) return;
  clearTimeout(tableTimer);
  tableTimer = setTimeout(fillTable, 120);
}
function fillTable() {
  const first = from(F.t, view.t0), last = from(F.t, view.t1), rest = last - first - tableMax;
  const rowsNow = [];
  for (let f = first; f < Math.min(last, first + tableMax); f++) {
    const kind = classes[F.cls[f]], row = make("tr"), fate = fateText(f);
    row.append(make("td", "", clock(F.t[f], 3)), make("td", "", `${F.id[f]}: ${frameTitle(f)}`),
      make("td", "", kind.from), make("td", fate.includes("lost") ? "lost" : "", fate), make("td", "", F.line[f]));
    rowsNow.push(row);
  }
  byId("frames-table").tBodies[0].replaceChildren(...rowsNow);
  byId("near-note").textContent = rest > 0 ? `The first ${tableMax} of ${last - first}; zoom in for the others.`
    : `${last - first} frames.`;
}
byId("near").addEventListener("toggle", fillTable);

/** Goes to the instant in the page's address, in seconds: `#t=603&span=20`. */
function jumpToAddress() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const t = Number(asked.get("t") || NaN) * 1e6, length = Number(asked.get("span") || 30) * 1e6;
  if (!Number.isFinite(t) || !Number.isFinite(length)) return;
  jump(Math.min(Math.max(t, start), end), Math.max(length, shortest));
}

function fillDock() {
  byId("close").onclick = () => byId("dock").classList.remove("open");
  byId("larger").onclick = () => {
    const isLarge = document.body.classList.toggle("large");
    byId("larger").setAttribute("aria-pressed", String(isLarge));
    byId("larger").textContent = isLarge ? "Smaller" : "Larger";
    resize();
    followPage();
    redraw();
    devices.show(chosen);
  };
}

/** The cursor begins at what went wrong, else where a device was silent, else in the middle. */
function showFirst(entries) {
  const broken = entries.find((entry) => entry.t !== null) || entries[0];
  const silent = R.story.find((line) => line[2] === "trouble");
  choose(broken?.t ?? (silent ? silent[0] : (start + end) / 2));
  markRow();
  if (broken) {
    showFinding(broken);
    show(start, end);
    scrollTo(0, 0);
  } else tellHere();
  byId("dock").classList.remove("open");
}

function begin() {
  readColors();
  fillTop();
  const entries = fillFindings();
  fillExpected();
  fillPlan();
  fillNumbers();
  fillStory();
  fillAsked();
  fillDock();
  resize();
  fillLaneChoice();
  followPage();
  frameBox.setAttribute("aria-label", `Timeline of the run, ${clock(end - start)} long, ${F.n} frames, `
    + `${R.story.length} sentences in the story below`);
  showFirst(entries);
  draw();
  document.documentElement.dataset.readyMs = (performance.now()).toFixed(0);
  document.documentElement.dataset.scriptMs = (performance.now() - began).toFixed(0);
  addEventListener("resize", () => { resize(); followPage(); redraw(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColors(); redraw(); });
  addEventListener("hashchange", jumpToAddress);
  jumpToAddress();
}
begin();
