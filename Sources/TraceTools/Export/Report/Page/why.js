
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
function textOf(line) {
  if (!lineTexts) {
    lineTexts = new Map();
    for (let f = 0; f < F.n; f++) lineTexts.set(F.line[f], `sends frame ${F.id[f]}: ${frameTitle(f)}`);
    for (let i = 0; i < A.n; i++) {
      const f = A.frame[i], blame = A.fault[i] ? ` by ${R.faults[A.fault[i]]}` : "";
      lineTexts.set(A.line[i], A.cause[i] === 0 ? `delivers frame ${F.id[f]} after ${span(A.dt[i])}`
        : `loses frame ${F.id[f]}: ${R.causes[A.cause[i]]}${blame}`);
    }
    for (const one of R.instants) lineTexts.set(one[3], one[2].replace(/^\S+: /, ""));
    for (const one of R.story) lineTexts.set(one[4], one[3]);
  }
  const i = line - 2, [place, name] = i >= 0 && i < L.n ? R.whats[L.what[i]].split(" ") : ["", "a line"];
  return `${place}: ${lineTexts.get(line) || name}`;
}

/** Lights a line and what led to it, on the timeline and in the story, and lists the chain. */
function light(line) {
  lit = line >= 2 ? chainOf(line) : new Map();
  for (const one of rows) one.row.classList.toggle("cause", lit.has(one.line));
  const raw = rawLines.get(line);
  if (raw) {
    const one = make("details", "raw");
    one.append(make("summary", "", `Line ${line} of the trace`), make("code", "", raw));
    byId("detail").append(one);
  }
  const chain = [...lit].filter(([, depth]) => depth > 0);
  if (chain.length) {
    const list = make("ol", "chain");
    list.setAttribute("aria-label", "What led to it");
    for (const [cause, depth] of chain) {
      const item = make("li"), go = make("button", "", `${clock(L.t[cause - 2], 3)}  ${textOf(cause)} (line ${cause})`);
      go.type = "button";
      go.style.paddingLeft = `${Math.min(depth, 10) * 12}px`;
      go.onclick = () => {
        jump(L.t[cause - 2]);
        say(`${clock(L.t[cause - 2], 3)} ${textOf(cause)}`, `line ${cause}`, cause);
      };
      item.append(go);
      list.append(item);
    }
    byId("detail").append(list);
  }
  redraw();
}

/** Marks the instants of the lit chain across all lanes. */
function drawLit() {
  for (const line of lit.keys()) {
    const i = line - 2;
    if (i < 0 || i >= L.n || L.t[i] < view.t0 || L.t[i] > view.t1) continue;
    pen.fillStyle = colors.mark;
    pen.globalAlpha = .35;
    pen.fillRect(Math.round(x(L.t[i])), 22, 1, height - 22);
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
      const item = make("li"), go = make("button", "", `${clock(t0)}${t1 > t0 ? ` to ${clock(t1)}` : ""}  ${text}`);
      go.type = "button";
      go.onclick = () => {
        jump(line > 2 ? L.t[line - 2] : t0);
        say(`${clock(t0, 1)} ${id}: ${text}`, line ? `line ${line}` : "", line);
        frameBox.scrollIntoView({ block: "nearest" });
      };
      item.append(go);
      list.append(item);
    }
    byId("scripted").append(one);
  }
}
