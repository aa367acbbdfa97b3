const make = (tag, name, text) => {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== undefined) element.textContent = text;
  return element;
};

function fillTop() {
  document.title = `${R.scenario}, seed ${R.seed}: ${R.verdict}`;
  byId("scenario").textContent = R.scenario;
  const verdict = byId("verdict");
  verdict.classList.add(R.verdict);
  verdict.append(make("b", "", R.verdict), make("span", "", R.verdictText));
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

const shownBy = (places) => places.length
  ? ` (line${places.length > 1 ? "s" : ""} ${places.map((one) => one[0]).join(", ")})` : "";

/** More of one run are folded, so that the timeline stays near the top. */
const violationsShown = 4;
function fillFindings() {
  const box = byId("findings"), unmet = R.expectations.filter(([, passed]) => !passed);
  const many = (count, what, plural) => count ? [`${count} ${count === 1 ? what : plural}`] : [];
  const heads = [...many(R.violations.length, "violation", "violations"),
    ...many(unmet.length, "expectation not met", "expectations not met")];
  if (heads.length) {
    box.hidden = false;
    box.append(make("h2", "", heads.join(", ")));
  }
  if (R.violations.length) {
    const rest = make("details"), more = R.violations.length - violationsShown;
    if (more > 0) rest.append(make("summary", "", `${more} more`));
    for (const [index, [name, t, detail, places]] of R.violations.slice(0, 200).entries()) {
      const one = make("button", "finding");
      one.type = "button";
      one.append(make("b", "", `${name} at ${clock(t, 1)}`), make("span", "", detail + shownBy(places)));
      one.onclick = () => {
        jump(t, 3e7);
        say(`${name} at ${clock(t, 3)}`, detail + shownBy(places), places.length ? places[places.length - 1][0] : 0);
        frameBox.scrollIntoView({ block: "nearest" });
        frameBox.focus({ preventScroll: true });
      };
      (index < violationsShown ? box : rest).append(one);
    }
    if (more > 0) box.append(rest);
  }
  for (const [text, , why, places] of unmet.slice(0, violationsShown)) {
    const seen = places.find((one) => one[1] !== null), one = make(seen ? "button" : "div", "finding");
    one.append(make("b", "", why || "not met"), make("span", "mono", text));
    if (seen) {
      one.type = "button";
      one.onclick = () => {
        jump(seen[1], 3e7);
        say(`${clock(seen[1], 3)} ${why}`, text, seen[0]);
        frameBox.scrollIntoView({ block: "nearest" });
      };
    }
    box.append(one);
  }
  if (R.expectations.length) {
    byId("expected").hidden = false;
    for (const [text, passed, why, places] of R.expectations) {
      const item = make("li");
      item.append(make("b", passed ? "ok" : "no", passed ? "met " : "not met "), make("code", "", text));
      if (why) item.append(make("p", "", why));
      const seen = places.find((one) => one[1] !== null);
      if (seen) {
        const go = make("button", "", `line ${seen[0]}, ${clock(seen[1], 1)}`);
        go.type = "button";
        go.onclick = () => { jump(seen[1], 3e7); frameBox.scrollIntoView({ block: "nearest" }); };
        item.append(" ", go);
      }
      byId("expectations").append(item);
    }
  }
  if (R.plan.length) {
    byId("planned").hidden = false;
    for (const [id, what, at, length, exact] of R.plan) {
      const item = make("li"), go = make("button");
      go.type = "button";
      go.title = `${id}: ${exact}`;
      go.append(make("span", "at", `from ${clock(at * 1e6)}: `), make("span", "", what || id));
      go.onclick = () => {
        jump(at * 1e6, Math.min(end - start, (length === null ? 6e7 : length * 1e6) * 1.6 + 1e7));
        frameBox.scrollIntoView({ block: "nearest" });
      };
      item.append(go);
      byId("plan").append(item);
    }
  }
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
      say(clock(t, 3), `line ${line} of the trace`, line, item);
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

function begin() {
  readColors();
  fillTop();
  fillFindings();
  fillStory();
  fillAsked();
  resize();
  followPage();
  frameBox.setAttribute("aria-label", `Timeline of the run, ${clock(end - start)} long, ${F.n} frames, `
    + `${R.story.length} sentences in the story below`);
  draw();
  document.documentElement.dataset.readyMs = (performance.now()).toFixed(0);
  document.documentElement.dataset.scriptMs = (performance.now() - began).toFixed(0);
  addEventListener("resize", () => { resize(); redraw(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColors(); redraw(); });
  addEventListener("hashchange", jumpToAddress);
  jumpToAddress();
}
begin();
