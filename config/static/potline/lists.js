// Lists by the keyboard and in another order. Arrows go from row to row, Enter opens what a row is about; a heading sorts the
// rows that are shown, and the address keeps it. A part that refreshes itself leaves the reader where they were.
"use strict";

const ROWS = ".table > table > tbody > tr, ul.tasks > li, ul.spots > li";
const opens = (row) => row.querySelector("a[href]");
const rowsIn = (root) => [...root.querySelectorAll(ROWS)].filter((row) => opens(row) && row.offsetParent);

// --- Arrows. Where nothing has the focus they begin with the first row that is in sight; elsewhere they scroll as ever.
function step(event) {
  const aside = document.activeElement.closest("ul.spots") ? { ArrowRight: 1, ArrowLeft: -1 } : {};  // tiles stand side by side
  const by = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity, ...aside }[event.key];
  if (!by || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const at = document.activeElement;
  const row = at.closest(ROWS);
  if (!row && (at !== document.body || event.key !== "ArrowDown")) return;
  if (row && at.matches("input, textarea, select, summary, button, [contenteditable]")) return;
  const rows = row ? rowsIn(row.closest(".pits") || row.parentElement) : rowsIn(document);
  const seen = (each) => each.getBoundingClientRect().top >= 0 && each.getBoundingClientRect().bottom <= innerHeight;
  const to = row ? rows[Math.min(Math.max(rows.indexOf(row) + by, 0), rows.length - 1)] : rows.find(seen);
  if (!to) return;
  event.preventDefault();
  opens(to).focus();
  to.scrollIntoView({ block: "nearest" });
}

// --- The focus, over a refresh: on the same link, or the same place where the list has changed.
let left = null;
document.addEventListener("htmx:beforeSwap", (event) => {
  const at = document.activeElement;
  left = event.detail.target.contains(at) && at.matches("a[href]") ? { href: at.getAttribute("href"), part: event.detail.target } : null;
});
document.addEventListener("htmx:afterSwap", (event) => {
  event.detail.target.querySelectorAll(".table > table").forEach(sortable);
  if (!left || left.part !== event.detail.target) return;
  const again = [...left.part.querySelectorAll("a[href]")].find((link) => link.getAttribute("href") === left.href);
  (again || left.part.querySelector("a[href]"))?.focus({ preventScroll: true });
  left = null;
});

// --- Order. Numbers as numbers, days and times as such, everything else as words; a column that is none of these throughout
// stays as it is. Rows that are not shown on this page are not in it: files and filters are for all of them.
const text = (cell) => (cell ? cell.dataset.sort || cell.textContent : "").trim().replace(/\s+/g, " ");
const NUMBER = /^[−-]?[\d,]+(\.\d+)?( ?(%|[A-Z]{3}))?$/;
const DAY = /^(?:\p{L}{2,4}\.? )?(\d{1,2}) (\p{L}{3,})\.?( \d{4})?,?( [\d:.]+(?: [A-Z]{2,5}| [+-]\d+)?)?$/u;
const asNumber = (value) => Number(value.replace("−", "-").replace(/[^\d.-]/g, ""));

function months() {
  const names = new Intl.DateTimeFormat(document.documentElement.lang, { month: "short" });
  return Array.from({ length: 12 }, (_, month) => names.format(new Date(2000, month, 1)).toLowerCase().slice(0, 3));
}

function asDay(value) {
  const [, day, name, year, time] = DAY.exec(value);
  const month = months().indexOf(name.toLowerCase().slice(0, 3));
  return month < 0 ? NaN : `${(year || "").trim().padStart(4, "0")} ${String(month).padStart(2, "0")} ${day.padStart(2, "0")}${time || ""}`;
}

function reader(values) {
  const given = values.filter(Boolean);
  if (given.every((value) => NUMBER.test(value))) return (value) => (value ? asNumber(value) : -Infinity);
  if (given.every((value) => DAY.test(value))) return given.some((value) => asDay(value) !== asDay(value)) ? null : (value) => (value ? asDay(value) : "");
  return given.some((value) => DAY.test(value)) ? null : (value) => value.toLocaleLowerCase();
}

const words = new Intl.Collator(document.documentElement.lang, { numeric: true });
const compare = (one, other) => (typeof one === "number" ? one - other : words.compare(one, other));

function sortable(table) {
  const heads = [...table.querySelectorAll(":scope > thead > tr:only-child > th")];
  const body = table.tBodies[0];
  const rows = body ? [...body.rows] : [];
  if (rows.length < 2 || rows.some((row) => row.cells.length !== heads.length)) return;
  const number = [...document.querySelectorAll(".table > table")].indexOf(table);
  heads.forEach((head, place) => {
    const label = head.textContent.trim();
    const read = label && !head.querySelector("a, button, .visually-hidden") ? reader(rows.map((row) => text(row.cells[place]))) : null;
    if (!read) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => order(table, head, place, head.getAttribute("aria-sort") === "ascending", number));
  });
  const [of, place, down] = (new URLSearchParams(location.search).get("sorted") || "").split(".");
  if (Number(of) === number && of !== "" && heads[place]?.querySelector("button.sort")) order(table, heads[place], Number(place), down === "down", null);
}

function order(table, head, place, down, number) {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const read = reader(rows.map((row) => text(row.cells[place])));
  if (!read) return;
  const keyed = rows.map((row) => [read(text(row.cells[place])), row]);
  keyed.sort(([one], [other]) => (down ? -1 : 1) * compare(one, other));
  body.append(...keyed.map(([, row]) => row));
  table.querySelectorAll("th[aria-sort]").forEach((each) => each.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  if (number === null) return;
  const asked = new URLSearchParams(location.search);
  asked.set("sorted", `${number}.${place}.${down ? "down" : "up"}`);
  history.replaceState(history.state, "", `?${asked}${location.hash}`);
}

document.addEventListener("keydown", step);
document.addEventListener("DOMContentLoaded", () => document.querySelectorAll(".table > table").forEach(sortable));
