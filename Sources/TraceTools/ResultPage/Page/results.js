// Filters the list of scenarios, and puts the seed that was clicked into its command. Without it the page is complete, too.
const tools = document.getElementById("filter");
if (tools) {
  const cases = [...document.querySelectorAll(".case")], wish = tools.querySelector("input"), count = tools.querySelector("output");
  const texts = cases.map((one) => one.textContent.toLowerCase());
  const buttons = [...tools.querySelectorAll("button[data-kind]")], slowest = tools.querySelector("button:not([data-kind])");
  let kind = "all";
  const apply = () => {
    const words = wish.value.trim().toLowerCase().split(/\s+/);
    let shown = 0;
    cases.forEach((one, index) => {
      one.hidden = !(kind === "all" || one.classList.contains(kind)) || !words.every((word) => texts[index].includes(word));
      if (!one.hidden) shown++;
    });
    count.textContent = shown === cases.length ? "" : `${shown} of ${cases.length}`;
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.kind === kind));
  };
  for (const button of buttons) button.onclick = () => { kind = button.dataset.kind; apply(); };
  wish.oninput = apply;
  slowest.onclick = () => {
    const isSorted = slowest.getAttribute("aria-pressed") !== "true", seconds = (one) => Number(one.dataset.seconds);
    slowest.setAttribute("aria-pressed", String(isSorted));
    cases[0]?.parentNode.append(...(isSorted ? cases.toSorted((a, b) => seconds(b) - seconds(a)) : cases));
  };
  tools.hidden = false;
  apply();
}
for (const link of document.querySelectorAll("a[data-seed]")) {
  link.onclick = () => {
    const command = document.getElementById(link.hash.slice(1));
    const seed = link.dataset.seed;
    command.textContent = command.textContent.replace(/--seed \d+/, `--seed ${seed}`).replace(/--seeds \S+/, `--seeds ${seed}-${seed}`);
    getSelection().selectAllChildren(command);
  };
}
