// What hands can do: to the link, to a device.
const linkTouches = [
  { kind: "disconnect", on: "Cut", off: "Restore", fault: { disconnect: {} }, text: "link cut", key: "C" },
  { kind: "loss", on: "Lose 30 %", off: "Lose none", fault: { loss: { probability: 0.3 } }, text: "three frames in ten lost", key: "L" },
  { kind: "delay", on: "Delay 2 s", off: "No delay", fault: { delay: { mean: "2s" } }, text: "frames delayed by 2 s", key: "D" },
  { kind: "reorder", on: "Reorder", off: "In order", fault: { reorder: { probability: 0.3, by: 1.5 } }, text: "frames reordered" },
  { kind: "bandwidth", on: "2 kB/s", off: "Full speed", fault: { bandwidth: { bytesPerSecond: 2000, queueBytes: 262144 } }, text: "2 kB a second" },
  { kind: "duplicate", on: "Duplicate", off: "Once each", fault: { duplicate: { probability: 0.5, copies: 1 } }, text: "frames duplicated" },
];
const oneWays = [{ from: "watch", on: "Watch unheard" }, { from: "phone", on: "Phone unheard" }];
const quirks = [["phantomReachable", "Phantom reachable"], ["reachabilityStuck", "Reachability stuck"], ["queueStall", "Queue stalls"], ["deliveredTwice", "Delivered twice"],
  ["finishLost", "Finish lost"], ["contextBurst", "Context burst"], ["notInstalled", "Not installed"], ["reachabilityEdgeLost", "Change unannounced"]];
const deviceTouches = [
  { kind: "kill", on: "Kill", off: "Restart", fault: (device) => ({ kill: device }), text: (device) => `${device}'s app killed` },
  { kind: "suspend", on: "Suspend", off: "Wake", fault: (device) => ({ suspend: device }), text: (device) => `${device}'s app suspended` },
  { kind: "reboot", on: "Reboot", off: "Unlock", fault: (device) => ({ reboot: device, unlockAfter: 20 }), text: (device) => `${device} reboots` },
  { kind: "power", on: "Power loss", off: "Unlock", fault: (device) => ({ reboot: device, unlockAfter: 20, power: true }), text: (device) => `${device} loses power` },
  { kind: "diskFull", on: "Disk full", off: "Disk free", fault: (device) => ({ diskFull: device }), text: (device) => `${device}'s disk full` },
  { kind: "clockSkew", on: "Clock +90 s", off: "Right clock", fault: (device) => ({ clockSkew: { node: device, offset: 90 } }), text: (device) => `${device}'s clock 90 s ahead` },
];

// The fault of a kind that is on, by its line of the trace; nothing for none.
function faultOn(lane, kind, device, isOnUplink = false) {
  return lane.link.faults.find((fault) => fault.kind === (kind === "power" ? "reboot" : kind) && fault.uplink === isOnUplink
    && (!device || new RegExp(`"(node|from|${kind})":"${device}"`).test(fault.params)));
}

class LinkControls {
  constructor() {
    this.buttons = linkTouches.map((touch) => [touch, el("button", { type: "button", onclick: () => this.press(touch), title: touch.key ? `${touch.text} (${touch.key})` : touch.text })]);
    this.ways = oneWays.map((way) => [way, el("button", { type: "button", onclick: () => this.pressWay(way), title: `Nothing from the ${way.from} arrives` }, way.on)]);
    this.uplink = el("button", { type: "button", onclick: () => this.pressUplink() });
    this.quirk = el("select", { "aria-label": "Quirk of the session" }, el("option", { value: "" }, "Quirk…"),
      ...quirks.flatMap(([kind, name]) => ["watch", "phone"].map((device) => el("option", { value: `${kind} ${device}` }, `${name}: ${device}`))));
    this.quirk.addEventListener("change", () => {
      const [kind, device] = this.quirk.value.split(" ");
      this.quirk.value = "";
      if (kind) act({ do: "fault", fault: { [kind]: device }, text: `${words(kind)} on the ${device}` });
    });
    this.branch = el("select", { "aria-label": "Branch: two futures from here", title: "Two futures from here (B)" }, el("option", { value: "" }, "Branch from here…"),
      ...branches.map((one, index) => el("option", { value: String(index) }, one.text)));
    this.branch.addEventListener("change", () => {
      const choice = branches[Number(this.branch.value)];
      if (this.branch.value !== "" && choice) act({ do: "branch", fault: choice.fault, text: choice.text });
      this.branch.value = "";
    });
    this.root = el(".controls", { role: "group", "aria-label": "What happens to the link" }, ...this.buttons.map(([, one]) => one), ...this.ways.map(([, one]) => one), this.uplink, this.quirk, this.branch);
  }

  press(touch) {
    const on = faultOn(this.lane, touch.kind);
    act(on ? { do: "endFault", id: on.id } : { do: "fault", fault: touch.fault, text: touch.text });
  }

  pressWay(way) {
    const on = faultOn(this.lane, "oneWay", way.from);
    act(on ? { do: "endFault", id: on.id } : { do: "fault", fault: { oneWay: { from: way.from } }, text: `nothing from the ${way.from} arrives` });
  }

  pressUplink() {
    const on = faultOn(this.lane, "disconnect", null, true);
    act(on ? { do: "endFault", id: on.id } : { do: "fault", fault: { uplink: { disconnect: {} } }, text: "uplink cut" });
  }

  update(lane, isTouchable) {
    this.lane = lane;
    this.root.hidden = !isTouchable;
    for (const [touch, one] of this.buttons) {
      const on = faultOn(lane, touch.kind);
      setText(one, on ? touch.off : touch.on);
      one.setAttribute("aria-pressed", String(Boolean(on)));
    }
    for (const [way, one] of this.ways) one.setAttribute("aria-pressed", String(Boolean(faultOn(lane, "oneWay", way.from))));
    this.uplink.hidden = lane.link.uplinkUp === null;
    setText(this.uplink, faultOn(lane, "disconnect", null, true) ? "Restore uplink" : "Cut uplink");
  }
}

const branches = [
  { text: "link cut for 20 s", fault: { for: "20s", disconnect: {} } },
  { text: "three frames in ten lost for 20 s", fault: { for: "20s", loss: { probability: 0.3 } } },
  { text: "frames delayed by 2 s for 20 s", fault: { for: "20s", delay: { mean: "2s" } } },
  { text: "phone's app killed for 5 s", fault: { kill: "phone", restartAfter: "5s" } },
  { text: "watch's app killed for 5 s", fault: { kill: "watch", restartAfter: "5s" } },
];

function deviceControls(device) {
  const buttons = deviceTouches.map((touch) => [touch, el("button", { type: "button" })]);
  const view = { root: el(".controls", { role: "group", "aria-label": `What happens to the ${device}` }, ...buttons.map(([, one]) => one)), lane: null };
  for (const [touch, one] of buttons) {
    one.addEventListener("click", () => {
      const on = touch.kind === "power" ? null : faultOn(view.lane, touch.kind, device);
      act(on ? { do: "endFault", id: on.id } : { do: "fault", fault: touch.fault(device), text: touch.text(device) });
    });
  }
  view.update = (power, lane, isTouchable) => {
    view.lane = lane;
    view.root.hidden = !isTouchable;
    for (const [touch, one] of buttons) {
      const on = touch.kind === "power" ? null : faultOn(lane, touch.kind, device);
      setText(one, on ? touch.off : touch.on);
      one.setAttribute("aria-pressed", String(Boolean(on)));
      one.disabled = !on && !power.up && ["kill", "suspend", "reboot", "power"].includes(touch.kind);
    }
  };
  return view;
}
