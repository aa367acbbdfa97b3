// The phone: its frame, its tabs, and what is true beside what it believes.
const tabs = [["home", "Home"], ["run", "Run"], ["history", "History"], ["trends", "Trends"], ["race", "Race"], ["training", "Training"],
  ["health", "Health"], ["meals", "Meals"], ["settings", "Settings"]];

class PhoneView {
  constructor(touch, number) {
    this.tab = null;
    this.number = number;
    this.bar = el(".phonebar");
    this.page = el(".page", { tabindex: "0", role: "tabpanel", "aria-label": "The phone's screen" });
    this.veil = el(".veil", { hidden: true });
    this.tabs = el(".tabs", { role: "tablist", "aria-label": "Screens of the phone" });
    this.tabButtons = new Map(tabs.map(([name, title]) => [name, el("button", { type: "button", role: "tab", onclick: () => this.open(name), onkeydown: (event) => this.turn(event, name) }, title)]));
    this.tabs.append(...this.tabButtons.values());
    this.body = el(".phone", {}, el(".glass", {}, this.bar, this.page, this.tabs, this.veil), el(".island"));
    this.under = el("p.under");
    this.truth = el("p.truthline");
    this.refused = el("p.refused", { role: "status" });
    this.controls = touch ? deviceControls("phone") : null;
    this.root = el("section.device", { "aria-label": "Phone" }, el(".devicehead", {}, el("h2", {}, "Phone"), this.under), this.body, this.truth, this.refused, this.controls?.root);
  }

  open(name) {
    this.tab = name;
    this.page.dataset.key = "";
    this.page.scrollTop = 0;
    draw();
  }

  turn(event, name) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const names = tabs.map(([one]) => one).filter((one) => !this.tabButtons.get(one).hidden);
    const next = names[(names.indexOf(name) + step + names.length) % names.length];
    this.open(next);
    this.tabButtons.get(next).focus();
  }

  update(lane, now, isTouchable) {
    const { phone, run, truth } = lane;
    const app = run.app.phone && (lane["app.phone"] || { facts: [], log: [] });
    setText(this.under, !phone.power.up ? `app down: ${phone.power.cause}` : phone.power.asleep ? "app asleep" : phone.reachable === null ? "" : phone.reachable ? "reaches the watch" : "does not reach the watch");
    setClass(this.under, "trouble", !phone.power.up || phone.reachable === false);
    fill(this.bar, JSON.stringify([wall(run, now), phone.reachable, phone.edgeReachable, phone.muted]), () => [el("span", {}, wall(run, now)),
      el("span.signs", {}, phone.muted && "muted ", phone.edgeReachable !== null && el("span.sign", { className: phone.edgeReachable ? "sign" : "sign off", title: "edge" }, "edge"),
        el("span", { className: phone.reachable ? "sign" : "sign off", title: "watch" }, "watch"))]);
    const shown = run.stores.length ? "store" : app ? "app" : this.tab || (phone.state && phone.state !== "ended" ? "run" : "home");
    this.tabs.hidden = Boolean(app) || run.stores.length > 0;
    for (const [name, button] of this.tabButtons) {
      button.setAttribute("aria-selected", String(name === shown));
      button.tabIndex = name === shown ? 0 : -1;
    }
    this.page.dataset.screen = shown;
    const screen = screens[shown](lane, now, isTouchable);
    const draws = () => {
      const top = this.page.scrollTop;
      fill(this.page, shown + screen.key, screen.make);
      this.page.scrollTop = top;
    };
    // Buttons keep the focus while their screen stays the same.
    const focus = this.page.contains(document.activeElement) ? document.activeElement.textContent : null;
    draws();
    if (focus && !this.page.contains(document.activeElement)) {
      [...this.page.querySelectorAll("button")].find((one) => one.textContent === focus)?.focus();
    }
    screen.tick?.(this.page);
    this.veil.hidden = phone.power.up;
    if (!phone.power.up) {
      fill(this.veil, JSON.stringify([phone.power.cause, Math.floor(now)]), () => [el("b", {}, "App is down"), el("span", {}, `${words(phone.power.cause)}, ${clock(now - (phone.power.since ?? now))} ago`)]);
    }
    this.showTruth(phone, truth, app);
    setText(this.refused, refusalText(phone, now));
    this.controls?.update(phone.power, lane, isTouchable);
  }

  showTruth(phone, truth, app) {
    const behind = truth.figures.distance - phone.figures.distance;
    const parts = [];
    if (!app && phone.state) {
      if (truth.state && truth.state !== phone.state) parts.push(truth.state);
      if (Math.abs(behind) >= 15) parts.push(`${kilometres(truth.figures.distance)} km`);
    }
    setText(this.truth, parts.length ? `truth: ${parts.join(", ")}` : "");
  }
}
