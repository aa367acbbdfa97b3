// Makes elements; every text of the run is set as text, never as markup.
const $ = (id) => document.getElementById(id);

function el(tag, properties = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name || "div");
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element && key !== "list" && key !== "role") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) if (value !== null && value !== undefined) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// Replaces what an element holds, unless it would be the same: what has the focus stays.
function fill(element, key, make) {
  if (element.dataset.key === key) return;
  element.dataset.key = key;
  element.replaceChildren(...[make()].flat().filter(Boolean));
}

function setText(element, text) { if (element.textContent !== text) element.textContent = text; }
function setClass(element, name, isOn) { if (element.classList.contains(name) !== isOn) element.classList.toggle(name, isOn); }

// 754.2 -> 12:34, from an hour on 1:02:03.
function clock(seconds, places = 0) {
  if (seconds === null || seconds === undefined || !isFinite(seconds)) return "–";
  const factor = 10 ** places;
  const whole = Math.floor(Math.max(0, seconds) * factor + 1e-6) / factor;
  const hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
  const rest = (whole % 60).toFixed(places).padStart(places ? 3 + places : 2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

const pace = (seconds) => seconds ? `${Math.floor(Math.round(seconds) / 60)}:${String(Math.round(seconds) % 60).padStart(2, "0")}` : "–:––";
const kilometres = (metres) => ((metres || 0) / 1000).toFixed(2);
const bytes = (count) => count < 1000 ? `${count} B` : count < 1e6 ? `${(count / 1000).toFixed(count < 1e4 ? 1 : 0)} kB` : `${(count / 1e6).toFixed(1)} MB`;
const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const words = (name) => name.replace(/[_.]/g, " ").replace(/([a-z])([A-Z])/g, (_, one, two) => `${one} ${two.toLowerCase()}`);

// A moment of the run as the device's wall clock shows it.
function wall(run, t, withDate = false) {
  const text = new Date((run.start + run.offset + t) * 1000).toISOString();
  return withDate ? `${text.slice(8, 10)} ${months[Number(text.slice(5, 7)) - 1]}` : text.slice(11, 16);
}
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
