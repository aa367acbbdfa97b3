// The link: frames on their way, cuts, queues on both sides, files.
const dotSeconds = 0.5;

class Lane {
  // One direction, or one link in both: a line with dots that run along it.
  constructor(ends, isUplink) {
    [this.isUplink, this.ends, this.dots, this.seen] = [isUplink, ends, new Map(), new Map()];
    this.drawing = svg("svg", { class: "wires", "aria-hidden": "true" });
    this.height = isUplink ? 64 : 124;
    this.ways = (isUplink ? [[ends[0], 22], [ends[1], 50]] : [[ends[0], 34], [ends[1], 88]]).map(([from, y]) => {
      const wire = svg("g", { class: "wire" });
      const left = svg("line", { y1: y, y2: y }), right = svg("line", { y1: y, y2: y });
      const cut = svg("path", { class: "cutmark" });
      const head = svg("path", { class: "head" });
      const word = svg("text", { class: "way", y: y - (isUplink ? 7 : 12) });
      wire.append(left, right, cut, head, word);
      this.drawing.append(wire);
      return { from, y, left, right, cut, head, word, wire };
    });
    this.layer = svg("g");
    this.drawing.append(this.layer);
  }

  resize() {
    const width = this.drawing.clientWidth || 300;
    if (width === this.width) return;
    this.width = width;
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${this.height}`);
    const [from, to, middle] = [8, width - 8, width / 2];
    for (const [index, way] of this.ways.entries()) {
      const isBack = index === 1;
      way.left.setAttribute("x1", from); way.left.setAttribute("x2", middle);
      way.right.setAttribute("x1", middle); way.right.setAttribute("x2", to);
      const tip = isBack ? from : to, step = isBack ? 7 : -7;
      way.head.setAttribute("d", `M${tip + step} ${way.y - 4} L${tip} ${way.y} L${tip + step} ${way.y + 4}`);
      way.cut.setAttribute("d", `M${middle - 9} ${way.y + 8} L${middle - 3} ${way.y - 8} M${middle + 3} ${way.y + 8} L${middle + 9} ${way.y - 8}`);
      way.word.setAttribute("x", isBack ? to : from);
      way.word.setAttribute("text-anchor", isBack ? "end" : "start");
    }
  }

  update(link, now) {
    this.resize();
    const isUp = this.isUplink ? link.uplinkUp : link.up;
    const deaf = new Set();
    for (const fault of link.faults) {
      if (fault.kind === "oneWay" && fault.uplink === this.isUplink) deaf.add(/"from":"(\w+)"/.exec(fault.params)?.[1]);
    }
    for (const way of this.ways) {
      const isCut = !isUp || deaf.has(way.from);
      setClass(way.wire, "cut", isCut);
      const short = this.isUplink ? 16 : 12;
      way.left.setAttribute("x2", isCut ? this.width / 2 - short : this.width / 2);
      way.right.setAttribute("x1", isCut ? this.width / 2 + short : this.width / 2);
      setText(way.word, isCut ? `${way.from}: cut` : way.from);
    }
    this.flights = link.flights.filter((flight) => flight.uplink === this.isUplink);
    this.animate(now, performance.now());
  }

  // Each frame runs for at least half a second of the reader's time; while time stands still, all are where they are.
  animate(now, clock) {
    if (!this.flights) return;
    const isMoving = state.time.playing && !isStill.matches;
    const alive = new Set();
    this.worded = [];
    const crowd = this.flights.filter((flight) => flight.name !== "ack").length;
    for (const flight of this.flights) {
      const length = Math.max(flight.ends === null ? 5 : flight.ends - flight.sent, 1e-3);
      let part = Math.min(1, Math.max(0, (now - flight.sent) / length));
      let fade = 0;
      if (isMoving) {
        if (!this.seen.has(flight.id)) this.seen.set(flight.id, clock);
        const shown = (clock - this.seen.get(flight.id)) / 1000;
        const least = Math.max(dotSeconds, state.time.speed ? length / state.time.speed : 0);
        part = flight.ends === null ? Math.min(part, 0.92) : Math.min(1, shown / least);
        fade = Math.max(0, (shown - least) / 0.35);
      } else if (flight.over) {
        // What is over is gone, unless it was just now.
        fade = (now - flight.ends) / 0.4;
      }
      if (fade >= 1) continue;
      alive.add(flight.id);
      this.place(flight, part, Math.max(0, fade), crowd);
    }
    for (const [id, dot] of this.dots) {
      if (!alive.has(id)) { dot.remove(); this.dots.delete(id); }
    }
    if (this.seen.size > 400) {
      const known = new Set(this.flights.map((flight) => flight.id));
      for (const id of this.seen.keys()) if (!known.has(id)) this.seen.delete(id);
    }
  }

  place(flight, part, fade, crowd) {
    const way = this.ways.find((one) => one.from === flight.from) || this.ways[0];
    const isBack = way === this.ways[1];
    let dot = this.dots.get(flight.id);
    if (!dot) {
      dot = svg("g", { class: `frame ${frameClass(flight.name)}` }, svg("circle", { r: flight.name === "ack" ? 2.5 : 5 }),
        svg("path", { class: "lostmark", d: "M-5 -5 L5 5 M-5 5 L5 -5" }), svg("text", { y: 20, "text-anchor": "middle" }));
      this.dots.set(flight.id, dot);
      this.layer.append(dot);
    }
    const isLost = flight.lost && part > 0.5;
    const shown = flight.lost ? Math.min(part, 0.56) : part;
    const [from, to] = [14, this.width - 14];
    const x = isBack ? to - (to - from) * shown : from + (to - from) * shown;
    dot.setAttribute("transform", `translate(${x.toFixed(1)} ${(way.y + (isLost ? fade * 14 : 0)).toFixed(1)})`);
    dot.setAttribute("opacity", (1 - fade).toFixed(2));
    setClass(dot, "lost", Boolean(isLost));
    const hasWord = !this.isUplink && flight.name !== "ack" && (crowd <= 3 || flight.name !== "liveMetrics");
    dot.lastChild.setAttribute("text-anchor", x < 50 ? "start" : x > this.width - 50 ? "end" : "middle");
    // Words that would lie over each other are left out.
    const isFree = !this.worded.some((one) => one.way === way && Math.abs(one.x - x) < 110);
    if (hasWord && isFree) this.worded.push({ way, x });
    setText(dot.lastChild, hasWord && isFree ? (isLost ? `${words(flight.name)}: ${words(flight.lost)}` : words(flight.name)) : "");
  }
}

function frameClass(name) {
  if (name === "ack") return "ack";
  if (name === "liveMetrics") return "metrics";
  if (["hello", "reply", "request"].includes(name)) return "talk";
  if (/file|chunk|voice|sync/i.test(name)) return "file";
  return "transfer";
}

class LinkView {
  constructor() {
    this.main = new Lane(["watch", "phone"], false);
    this.uplink = new Lane(["phone", "edge"], true);
    this.word = el("p.linkword");
    this.counts = el("p.counts");
    this.queues = [el(".queue"), el(".queue.right")];
    this.faults = el("ul.faults", { "aria-label": "Faults that are on" });
    this.edge = el(".edge", {}, this.uplink.drawing);
    this.root = el("section.link", { "aria-label": "Link" }, el(".linkhead", {}, el("h2", {}, "Link"), this.word, this.counts),
      this.main.drawing, el(".queues", {}, ...this.queues), this.edge, this.faults);
  }

  update(lane, now, isTouchable) {
    const link = lane.link;
    setText(this.word, link.up ? "up" : "cut");
    setClass(this.word, "cut", !link.up);
    setText(this.counts, `${link.sent} sent · ${link.delivered} arrived · ${link.lost} lost`);
    this.main.update(link, now);
    this.edge.hidden = link.uplinkUp === null;
    if (link.uplinkUp !== null) this.uplink.update(link, now);
    for (const [index, queue] of this.queues.entries()) this.showQueue(queue, link.queues[index], index ? "phone" : "watch");
    fill(this.faults, JSON.stringify(link.faults) + isTouchable, () => link.faults.map((fault) => el("li", {},
      el("b", {}, (fault.uplink ? "uplink " : "") + words(fault.kind)), el("span", {}, parameters(fault.params)),
      el("span.since", {}, `since ${clock(fault.since)}`),
      isTouchable && el("button", { type: "button", onclick: () => act({ do: "endFault", id: fault.id }), "aria-label": `End ${words(fault.kind)}` }, "End"))));
  }

  showQueue(root, queue, side) {
    fill(root, JSON.stringify(queue), () => queue.count === 0 ? [el("p.empty", {}, `${side}'s queue is empty`)] : [
      el("p", {}, el("b", {}, String(queue.count)), ` in the ${side}'s queue`),
      ...queue.first.map((owed) => el(".owed", {}, el("span", {}, words(owed.name)), owed.bytes !== null && el("span.size", {},
        owed.received ? `${bytes(owed.received)} of ${bytes(owed.bytes)}` : bytes(owed.bytes)),
        owed.channel === "file" && owed.bytes ? el("progress", { max: owed.bytes, value: owed.received, "aria-label": `File of the ${side}` }) : null)),
      queue.count > queue.first.length && el("p.more", {}, `and ${queue.count - queue.first.length} more`)]);
  }

  animate(now, clock) {
    this.main.animate(now, clock);
    if (!this.edge.hidden) this.uplink.animate(now, clock);
  }
}

function parameters(text) {
  if (!text) return "";
  try {
    return Object.entries(JSON.parse(text)).map(([key, value]) => `${words(key)} ${typeof value === "object" ? JSON.stringify(value) : value}`).join(", ");
  } catch { return text; }
}
