const isOf = (lane, frame) => classes[F.cls[frame]].uplink === lane.uplink;

function drawFrames(lane) {
  for (const cut of lane.cuts) {
    if (cut[2] < view.t0 || cut[1] > view.t1) continue;
    const left = x(cut[1]), w = Math.max(2, x(cut[2]) - left);
    pen.fillStyle = colors["band-trouble"];
    pen.globalAlpha = .6;
    pen.fillRect(left, lane.y, w, lane.height);
    pen.globalAlpha = 1;
    if (w > 40) {
      pen.font = tiny;
      pen.textAlign = "center";
      pen.fillStyle = colors.bad;
      const middle = (Math.max(left, gutter) + Math.min(left + w, width)) / 2;
      pen.fillText("cut", middle, lane.y + lane.height / 2);
    }
    hits.push({ x: left, y: lane.y, w, h: 20, band: cut });
  }
  const first = from(F.t, view.t0 - wayMax), last = from(F.t, view.t1);
  if (last - first > Math.max(120, (width - gutter) / 5)) drawCounts(lane, first, last);
  else drawArrows(lane, first, last);
  pen.strokeStyle = colors.line;
  pen.lineWidth = 1;
  pen.strokeRect(gutter - 2, lane.y + .5, width - gutter + 4, lane.height - 1);
}

/** Bars three pixels wide: copies that arrived, and above them those that were lost. */
function drawCounts(lane, first, last) {
  // A window that is being resized may be narrower than the names of the lanes.
  const size = 3, count = Math.max(0, Math.ceil((width - gutter) / size)) + 1;
  const arrived = new Float64Array(count), lost = new Float64Array(count);
  for (let f = first; f < last; f++) {
    if (!isOf(lane, f)) continue;
    const place = Math.floor((x(F.t[f]) - gutter) / size);
    if (place < 0 || place >= count) continue;
    for (let i = fateFrom[f]; i < fateFrom[f + 1]; i++) {
      if (A.cause[i] === 0) arrived[place]++; else lost[place]++;
    }
  }
  // A burst, such as a file transfer, is cut off at the top so that the other bars remain visible.
  const totals = arrived.map((value, i) => value + lost[i]).sort();
  const usual = totals[Math.floor(totals.length * .97)] || 1;
  const most = Math.max(1, Math.min(totals[totals.length - 1], usual * 1.6));
  const room = lane.height - 34, base = lane.y + lane.height - 6;
  for (let i = 0; i < count; i++) {
    const bad = Math.min(lost[i] / most, 1) * room, left = gutter + i * size;
    const good = Math.min(arrived[i] / most * room, room - bad);
    pen.fillStyle = colors.frame;
    pen.globalAlpha = .75;
    pen.fillRect(left, base - good, size - .6, good);
    pen.globalAlpha = 1;
    pen.fillStyle = colors.bad;
    pen.fillRect(left, base - good - bad, size - .6, bad);
  }
  pen.font = tiny;
  pen.textAlign = "right";
  pen.fillStyle = colors.soft;
  const what = width > 700 ? "frames: arrived and lost; zoom in to see each" : "zoom in to see each frame";
  pen.fillText(what, width - 8, lane.y + 11);
  hits.push({ x: gutter, y: lane.y + 20, w: width - gutter, h: lane.height - 20, counts: true });
}

function drawArrows(lane, first, last) {
  const top = lane.y + 20, bottom = lane.y + lane.height - 8, dense = last - first > 160;
  for (let f = first; f < last; f++) {
    if (!isOf(lane, f)) continue;
    const kind = classes[F.cls[f]], down = kind.from === lane.top;
    const y0 = down ? top : bottom, y1 = down ? bottom : top, x0 = x(F.t[f]);
    const isAck = kind.kind === "ack";
    if (fateFrom[f] === fateFrom[f + 1]) dot(x0, y0, colors.warn);
    for (let i = fateFrom[f]; i < fateFrom[f + 1]; i++) {
      const x1 = x(F.t[f] + A.dt[i]), isLost = A.cause[i] !== 0;
      if (Math.max(x0, x1) < gutter || x0 > width) continue;
      const xe = isLost ? x0 + (x1 - x0) * .55 : x1, ye = isLost ? y0 + (y1 - y0) * .55 : y1;
      const isLit = lit.has(F.line[f]) || lit.has(A.line[i]);
      pen.strokeStyle = isLit ? colors.mark : isLost ? colors.bad : isAck ? colors["frame-ack"] : colors.frame;
      pen.lineWidth = isLit ? 3 : isAck ? 1 : 1.4;
      pen.setLineDash(A.copy[i] > 0 ? [2, 3] : []);
      pen.beginPath();
      pen.moveTo(x0, y0);
      pen.lineTo(xe, ye);
      pen.stroke();
      pen.setLineDash([]);
      if (isLost) cross(xe, ye); else if (!dense) dot(xe, ye, pen.strokeStyle);
      hits.push({ line: [x0, y0, xe, ye], frame: f, fate: i });
    }
  }
  if (last - first < 60 && last > first) drawNames(lane, first, last);
}

/** The names of frames where there is room; what led to the choice first, then everything rarer than snapshots. */
function drawNames(lane, first, last) {
  const taken = { true: [], false: [] }, names = [];
  for (let f = first; f < last; f++) {
    // Acknowledgements say nothing of their own.
    if (!isOf(lane, f) || classes[F.cls[f]].kind === "ack" || x(F.t[f]) < gutter) continue;
    const text = payloadOf(f), isLit = lit.has(F.line[f]);
    names.push({ f, text, isLit, rank: isLit ? 0 : text === "liveMetrics" ? 2 : 1 });
  }
  pen.textAlign = "left";
  for (const { f, text, isLit } of names.sort((a, b) => a.rank - b.rank)) {
    pen.font = `${isLit ? "600 " : ""}10px ui-sans-serif, system-ui, sans-serif`;
    const down = classes[F.cls[f]].from === lane.top, left = x(F.t[f]), right = left + pen.measureText(text).width;
    if (taken[down].some(([from, to]) => left < to + 6 && right > from - 6)) continue;
    taken[down].push([left, right]);
    pen.fillStyle = isLit ? colors.ink : colors.soft;
    pen.fillText(text, left, down ? lane.y + 11 : lane.y + lane.height - 1.5);
  }
}

function dot(px, py, color) {
  pen.fillStyle = color;
  pen.beginPath();
  pen.arc(px, py, 2, 0, 7);
  pen.fill();
}

function cross(px, py) {
  pen.beginPath();
  pen.moveTo(px - 3.5, py - 3.5); pen.lineTo(px + 3.5, py + 3.5);
  pen.moveTo(px + 3.5, py - 3.5); pen.lineTo(px - 3.5, py + 3.5);
  pen.stroke();
}

function fateText(f) {
  const parts = [];
  for (let i = fateFrom[f]; i < fateFrom[f + 1]; i++) {
    const copy = A.copy[i] > 0 ? `copy ${A.copy[i]} ` : "";
    const blame = A.fault[i] ? ` by ${R.faults[A.fault[i]]}` : "";
    const after = A.dt[i] > 0 ? ` after ${span(A.dt[i])}` : "";
    parts.push(A.cause[i] === 0 ? `${copy}arrived${after}` : `${copy}lost (${R.causes[A.cause[i]]}${blame})${after}`);
  }
  return parts.length ? parts.join("; ") : "no fate in this trace";
}

/** What a frame carries, in a word. */
function payloadOf(f) {
  const kind = classes[F.cls[f]];
  if (kind.kind !== "data") return kind.kind;
  // The trace names what arrived; what was lost may be known from what it was sent for.
  const isSnapshot = () => causesOf(F.line[f]).some((line) => R.whats[L.what[line - 2]] === "watch snapshot");
  return kind.name || R.payloads[N.name[f]] || (kind.channel === "http" ? "request" : isSnapshot() ? "liveMetrics" : kind.channel);
}

function frameTitle(f) {
  const kind = classes[F.cls[f]], again = F.attempt[f] > 1 ? `, attempt ${F.attempt[f]}` : "";
  return `${payloadOf(f)} (${kind.channel} ${F.seq[f]}${again})`;
}
