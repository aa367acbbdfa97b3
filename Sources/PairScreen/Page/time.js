// The run at a glance: what lasts, the true distance as a thin line, the believed one beside it; and the instant that is shown.
const speeds = [[1, "1×"], [10, "10×"], [60, "60×"], [600, "600×"], [0, "max"]];
const rowNames = ["watch", "link", "phone", "coach"];
const appRowNames = rowNames.slice(0, 3);
const plot = { height: 118, left: 46, right: 8, row: 9, top: 4 };

class TimeView {
  constructor() {
    this.root = $("timeline");
    this.svg = this.root.querySelector("svg");
    this.fixed = svg("g");
    this.cursors = [svg("line", { class: "cursor", y1: 0, y2: plot.height }), svg("circle", { class: "cursor", r: 4, cy: plot.height - 4 })];
    this.marks = svg("g");
    this.svg.append(this.fixed, this.marks, ...this.cursors);
    this.speeds = speeds.map(([factor, name]) => el("button", { type: "button", role: "radio", onclick: () => act({ do: "speed", factor: factor || null }) }, name));
    $("speeds").append(...this.speeds);
    this.root.addEventListener("pointerdown", (event) => this.grab(event));
    this.root.addEventListener("keydown", (event) => this.press(event));
    new ResizeObserver(() => { this.key = null; if (state.time) draw(); }).observe(this.root);
  }

  // While a run is made again, the one before says how long it may get.
  get end() {
    const made = Math.max(1, ...state.lanes.map((lane) => lane.bands?.end || 0));
    if (state.lanes.every((lane) => lane.run?.complete)) this.whole = made;
    return Math.max(made, this.whole || 0);
  }
  x(t) { return plot.left + (this.width - plot.left - plot.right) * Math.min(1, Math.max(0, t / this.end)); }

  grab(event) {
    const seek = (one) => {
      const box = this.root.getBoundingClientRect();
      const part = (one.clientX - box.left - plot.left) / (box.width - plot.left - plot.right);
      this.wanted = Math.min(1, Math.max(0, part)) * this.end;
      this.send();
    };
    this.root.setPointerCapture(event.pointerId);
    this.root.focus();
    seek(event);
    this.root.onpointermove = seek;
    this.root.onpointerup = this.root.onpointercancel = () => { this.root.onpointermove = null; };
  }

  // At most one order on its way; the last wish follows.
  async send() {
    if (this.isSending) return;
    this.isSending = true;
    while (this.wanted !== null && this.wanted !== undefined) {
      const t = this.wanted;
      this.wanted = null;
      await act({ do: "seek", t });
    }
    this.isSending = false;
  }

  press(event) {
    const now = present();
    const step = event.shiftKey ? 60 : 5;
    const to = { ArrowLeft: now - step, ArrowDown: now - step, ArrowRight: now + step, ArrowUp: now + step, PageUp: now + 60, PageDown: now - 60, Home: 0, End: this.end }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.wanted = Math.max(0, to);
    this.send();
  }

  update(now) {
    const { time } = state;
    this.width = this.root.clientWidth;
    const lane = state.lanes[0];
    setText($("now"), clock(now, time.playing && (time.speed || 99) > 5 ? 0 : 1));
    setText($("of"), ` of ${clock(this.end)} · ${wall(lane.run, now)}`);
    const play = $("play");
    setClass(play, "playing", time.playing);
    play.setAttribute("aria-label", time.playing ? "Pause" : "Play");
    for (const [index, one] of this.speeds.entries()) {
      const isOn = (speeds[index][0] || null) === time.speed;
      one.setAttribute("aria-checked", String(isOn));
    }
    this.root.setAttribute("aria-valuemax", String(Math.round(this.end)));
    this.root.setAttribute("aria-valuenow", String(Math.round(now)));
    this.root.setAttribute("aria-valuetext", clock(now));
    const key = [this.width, ...state.lanes.map((one) => `${one.run.version} ${one.bands?.end} ${one.bands?.bands.length} ${one.run.touchCount} ${one.run.findings.length}`), time.difference?.at].join();
    if (key !== this.key) {
      this.key = key;
      this.paint();
    }
    this.move(now);
  }

  move(now) {
    if (!this.width) return;
    const x = this.x(now).toFixed(1);
    this.cursors[0].setAttribute("x1", x); this.cursors[0].setAttribute("x2", x);
    this.cursors[1].setAttribute("cx", x);
  }

  paint() {
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${plot.height}`);
    const parts = [];
    // With two pairs, their rows and curves lie over each other; the branch's are those that are drawn, the other's thin.
    const lane = state.lanes[state.lanes.length - 1];
    // An app of one's own has no coach, and no distances of an athlete unless the built-in watch runs beside it.
    const rows = lane.run.app.phone ? appRowNames : rowNames;
    const hasDistances = state.lanes.some((one) => one.bands.samples.length > 0);
    $("curves").hidden = !hasDistances;
    for (const [index, name] of rows.entries()) {
      const y = plot.top + index * (plot.row + 4);
      parts.push(svg("text", { class: "rowname", x: plot.left - 6, y: y + 8, "text-anchor": "end" }, name),
        svg("rect", { class: "rowback", x: plot.left, y, width: Math.max(0, this.width - plot.left - plot.right), height: plot.row, rx: 3 }));
    }
    for (const band of lane.bands.bands) {
      if (band.tone === "plain" && band.row !== 1) continue;
      const y = plot.top + band.row * (plot.row + 4);
      const from = this.x(band.from), to = this.x(band.to ?? this.end);
      parts.push(svg("rect", { class: `band ${band.tone}`, x: from, y, width: Math.max(1.5, to - from), height: plot.row, rx: 2 }, svg("title", {}, document.createTextNode(band.label))));
    }
    const top = plot.top + rows.length * (plot.row + 4) + 6, bottom = plot.height - 6;
    const most = Math.max(1, ...state.lanes.flatMap((one) => one.bands.samples.map((sample) => sample[1])));
    const y = (value) => bottom - (bottom - top) * value / most;
    if (hasDistances) parts.push(svg("line", { class: "ground", x1: plot.left, x2: this.width - plot.right, y1: bottom, y2: bottom }),
      svg("text", { class: "rowname", x: plot.left - 6, y: top + 8, "text-anchor": "end" }, most > 1 ? `${(most / 1000).toFixed(1)} km` : ""));
    const line = (samples, part) => {
      let path = "", isDown = false, last = 0;
      for (const sample of samples) {
        const value = sample[part];
        if (value === null) { isDown = false; continue; }
        // Another workout begins at nothing again.
        if (value < last) isDown = false;
        last = value;
        path += `${isDown ? "L" : "M"}${this.x(sample[0]).toFixed(1)} ${y(value).toFixed(1)}`;
        isDown = true;
      }
      return path;
    };
    parts.push(svg("path", { class: "belief", d: line(lane.bands.samples, 2) }), svg("path", { class: "truth", d: line(lane.bands.samples, 1) }));
    if (state.lanes.length > 1) parts.push(svg("path", { class: "other", d: line(state.lanes[0].bands.samples, 2) }));
    this.fixed.replaceChildren(...parts);
    const marks = lane.run.touches.map((touch) => svg("path", { class: "touchmark", d: `M${this.x(touch.at)} ${bottom + 6} l-4 -7 h8 z` }, svg("title", {}, document.createTextNode(touch.text))));
    for (const finding of lane.run.findings) marks.push(svg("line", { class: "findingmark", x1: this.x(finding.at), x2: this.x(finding.at), y1: 0, y2: plot.height }));
    if (state.time.difference) marks.push(svg("line", { class: "differencemark", x1: this.x(state.time.difference.at), x2: this.x(state.time.difference.at), y1: 0, y2: plot.height }));
    this.marks.replaceChildren(...marks);
  }
}
