
// The share of futures that fail, by the instant up to which the run was kept.
function fillInevitable() {
  const found = R.inevitable;
  if (!found) return;
  byId("inevitable").hidden = false;
  byId("inevitable-text").textContent = found.text;
  const points = found.points, last = Math.max(points[points.length - 1][0], 1);
  const wide = 1000, high = 100, top = 4;
  const x = (t) => t / last * wide, y = (share) => high - top - share * (high - 2 * top);
  const curve = byId("curve");
  curve.setAttribute("aria-label", `Share of failing futures over ${clock(last)}: ${found.text}`);
  const draw = (tag, attributes) => {
    const element = document.createElementNS(curve.namespaceURI, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  for (const share of [0, .5, 1]) {
    curve.append(draw("line", { x1: 0, x2: wide, y1: y(share), y2: y(share), class: "grid" }));
  }
  if (found.from !== undefined) {
    const from = x(found.from), width = Math.max(x(found.to) - from, 3);
    curve.append(draw("rect", { x: from, y: top, width, height: high - 2 * top, class: "rise" }));
  }
  const path = points.map(([t, failed, runs], i) => `${i ? "L" : "M"}${x(t).toFixed(1)} ${y(failed / runs).toFixed(1)}`);
  curve.append(draw("path", { d: path.join(""), class: "curve" }));
  byId("curve-marks").append(make("span", "", clock(0)), make("span", "", clock(last)));
  const go = byId("inevitable-go");
  if (found.from !== undefined) {
    go.hidden = false;
    go.textContent = `Show ${clock(found.from, 1)} to ${clock(found.to, 1)}`;
    go.onclick = () => {
      jump((found.from + found.to) / 2, 2e7);
      say(`${clock(found.from, 1)} to ${clock(found.to, 1)}: ${found.invariant} became inevitable`, found.text, 0);
      frameBox.scrollIntoView({ block: "nearest" });
      frameBox.focus({ preventScroll: true });
    };
  }
  for (const [t, failed, runs] of points) {
    const row = make("tr");
    row.append(make("td", "", clock(t, 3)), make("td", "", `${failed} of ${runs}`),
      make("td", "", `${Math.round(failed / runs * 100)} %`));
    byId("inevitable-table").tBodies[0].append(row);
  }
}
