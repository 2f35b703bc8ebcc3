// Small helpers to build a page: elements, words, money in cents. Nothing of a game lives here.
//
// What the page itself says is marked for translation: gettext, ngettext and interpolate are of the catalogue's script,
// which every page with a board loads first (config/urls.py). What the rules say is English (`RULES`).

export function h(tag, given = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "class") made.className = value;
    else if (name === "value") made.value = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export const filled = (text, values) => interpolate(text, values, true);
export const RULES = { translate: "no" };
export const words = (name) => String(name).replaceAll("-", " ").replaceAll("_", " ");
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// Amounts are whole cents here and text outside: no floats near money.
export function cents(text) {
  const found = /^\s*(\d{1,10})(?:[.,](\d{1,2}))?\s*$/.exec(text);
  return found ? Number(found[1]) * 100 + Number((found[2] || "").padEnd(2, "0")) : null;
}
export const money = (amount) => `${Math.trunc(amount / 100)}.${String(amount % 100).padStart(2, "0")}`;
export const copy = (value) => JSON.parse(JSON.stringify(value));

const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
export function cardName(card) {
  return card === "Jo" ? gettext("Joker") : card[0].replace("T", "10") + SUITS[card[1]];
}
export function pip(card) {
  return h("span", { class: /[dh]$/.test(card) ? "pip red" : "pip" }, cardName(card));
}

// A button that is one of several: pressed or not, said in words to whoever does not see it.
export function choice(label, pressed, act, more = {}) {
  return h("button", { type: "button", "aria-pressed": String(pressed), onclick: act, ...more }, label);
}

// Draws at once, but never under a finger: a button that is replaced between down and up would not be tapped at all.
let held = false;
let waiting = null;
addEventListener("pointerdown", () => { held = true; }, true);
for (const end of ["pointerup", "pointercancel"]) {
  addEventListener(end, () => setTimeout(() => {
    held = false;
    const draw = waiting;
    waiting = null;
    if (draw) draw();
  }), true);
}
export const gently = (draw) => () => {
  if (held) waiting = draw;
  else draw();
};

// Puts a new drawing in place; whoever was typing goes on where they were, with what they had typed.
export function redraw(root, ...children) {
  const old = document.activeElement;
  const name = root.contains(old) && old.matches("input") ? old.getAttribute("data-field") : null;
  root.replaceChildren(...children);
  const made = name && root.querySelector(`input[data-field=${JSON.stringify(name)}]`);
  if (!made) return;
  const typed = made.value !== old.value;
  made.value = old.value;
  made.focus();
  if (typed) made.addEventListener("blur", () => made.dispatchEvent(new Event("change")), { once: true });
}
