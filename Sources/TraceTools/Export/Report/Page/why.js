
// The causes of each line of the trace, and the chain that is lit.
const L = table(R.links);
const chainMax = 60, depthMax = 14;
let lit = new Map();

function causesOf(line) {
  const i = line - 2;
  return i < 0 || i >= L.n ? [] : [L.a[i], L.b[i], L.c[i]].filter((back) => back > 0).map((back) => line - back);
}

/** The line and its causes with their depths, the nearest first below each. */
function chainOf(line) {
  const chain = new Map(), open = [[line, 0]];
  while (open.length && chain.size < chainMax) {
    const [next, depth] = open.pop();
    if (chain.has(next)) continue;
    chain.set(next, depth);
    if (depth < depthMax) for (const cause of causesOf(next).reverse()) open.push([cause, depth + 1]);
  }
  return chain;
}

/** The lines of the trace that decide something, as they are. */
const rawLines = new Map(R.instants.map((one) => [one[3], one[4]]));
let lineTexts = null;
/** Events that come too often for a text of their own in the page. */
const plainEvents = { "snapshot": "publishes a snapshot", "snapshot.fresh": "accepts a fresh snapshot", "message.received": "receives a message",
  "workout.position": "records a position", "frame.duplicated": "makes a copy" };
function textOf(line) {
  if (!lineTexts) {
    lineTexts = new Map();
    for (let f = 0; f < F.n; f++) lineTexts.set(F.line[f], `sends frame ${F.id[f]}: ${frameTitle(f)}`);
    for (let i = 0; i < A.n; i++) {
      const f = A.frame[i], blame = A.fault[i] ? ` by ${R.faults[A.fault[i]]}` : "";
      lineTexts.set(A.line[i], A.cause[i] === 0 ? `delivers frame ${F.id[f]}: ${payloadOf(f)}, after ${span(A.dt[i])}`
        : `loses frame ${F.id[f]}: ${payloadOf(f)}, ${R.causes[A.cause[i]]}${blame}`);
    }
    for (const one of R.instants) lineTexts.set(one[3], one[2].replace(/^\S+: /, ""));
    for (const one of R.story) lineTexts.set(one[4], one[3]);
  }
  const i = line - 2, [place, name] = i >= 0 && i < L.n ? R.whats[L.what[i]].split(" ") : ["", "a line"];
  return `${place}: ${lineTexts.get(line) || plainEvents[name] || name}`;
}

const timeOfLine = (line) => line >= 2 && line - 2 < L.n ? L.t[line - 2] : null;

/** Lights lines and what led to them, on the timeline and in the story. */
function light(lines) {
  lit = new Map();
  for (const line of lines) for (const [cause, depth] of chainOf(line)) if (!(lit.get(cause) <= depth)) lit.set(cause, depth);
  for (const one of rows) one.row.classList.toggle("cause", lit.has(one.line));
}

/** What led to a line: nearest first, each below what it caused. */
function chainList(line) {
  const chain = [...chainOf(line)].filter(([, depth]) => depth > 0);
  if (!chain.length) return [];
  const list = make("ol", "chain");
  list.setAttribute("aria-label", "What led to it");
  for (const [cause, depth] of chain) {
    const item = make("li"), t = timeOfLine(cause);
    const go = makeButton("", "", () => {
      jump(t);
      explain({ head: `${clock(t, 3)} ${textOf(cause)}`, lines: [cause] });
    });
    go.append(make("span", "at", clock(t, 3)), make("span", "", textOf(cause)));
    go.title = `line ${cause} of the trace`;
    go.style.paddingLeft = `${4 + Math.min(depth - 1, 8) * 10}px`;
    item.append(go);
    list.append(item);
  }
  return [make("h3", "", "What led to it"), list];
}

/** Lines of the trace as they are, folded. */
function rawList(lines) {
  if (!lines.length) return [];
  const box = make("details", "raw"), many = lines.length > 1;
  box.append(make("summary", "", many ? `Lines ${lines.join(", ")} of the trace` : `Line ${lines[0]} of the trace`));
  for (const line of lines) box.append(make("code", "", rawLines.get(line) || textOf(line)));
  return [box];
}

/**
 * Explains something in the dock, which is always on the screen: what it is, what led to it, and, folded, its lines.
 *
 * `parts` are pairs of a title and a text; the last of `lines` is the one whose causes are listed.
 */
function explain({ head, more, parts = [], lines = [], isBroken }) {
  const box = byId("detail"), known = lines.filter((line) => line >= 2);
  light(known.slice(-1));
  const title = make("p", isBroken ? "head broken" : "head", head);
  const texts = parts.flatMap(([name, text]) => [make("p", "part", name), make("p", "more", text)]);
  box.replaceChildren(title, ...texts, ...(more ? [make("p", "more", more)] : []),
    ...(known.length ? chainList(known[known.length - 1]) : []), ...rawList(known));
  box.scrollTop = 0;
  byId("dock").classList.add("open");
  redraw();
}

/** Marks the instants of the lit chain across all lanes. */
function drawLit() {
  for (const line of lit.keys()) {
    const t = timeOfLine(line);
    if (t === null || t < view.t0 || t > view.t1) continue;
    pen.fillStyle = colors.mark;
    pen.globalAlpha = .35;
    pen.fillRect(Math.round(x(t)), 22, 1, height - 22);
    pen.globalAlpha = 1;
  }
}

/** What became of each line of the script. */
function fillAsked() {
  if (!R.asked.length) return;
  byId("asked").hidden = false;
  for (const [id, head, sentences] of R.asked) {
    const one = make("details"), list = make("ol");
    one.append(make("summary", "", `${id}, ${head}`), list);
    for (const [t0, t1, text, line] of sentences) {
      const item = make("li");
      item.append(makeButton(`${clock(t0)}${t1 > t0 ? ` to ${clock(t1)}` : ""}  ${text}`, "", () => {
        jump(timeOfLine(line) ?? t0);
        explain({ head: `${clock(t0, 1)} ${id}`, more: text, lines: line ? [line] : [] });
      }));
      list.append(item);
    }
    byId("scripted").append(one);
  }
}
