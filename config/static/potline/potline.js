// The clock in the bar (premises' time, by the server's clock, with the gaming day), selects that send their form, the keys
// of the search and of the page of words, and pages that refresh themselves: never under a finger, and whether they still
// show what is.
"use strict";

function startClock(clock) {
  const skewMs = Number(clock.dataset.serverMs) - Date.now();
  const nextDayMs = Number(clock.dataset.nextDayMs);
  const shown = clock.querySelector("[data-time]");
  const day = clock.querySelector("[data-day]");
  const tick = () => {
    const nowMs = Date.now() + skewMs;
    shown.textContent = timeOf(nowMs, clock.dataset.timeZone);
    if (nowMs >= nextDayMs) day.textContent = clock.dataset.nextDay;
    setTimeout(tick, 1000 - (nowMs % 1000));
  };
  tick();
}

// A part that refreshes itself does so never under a finger: a link that is replaced between down and up is not clicked at
// all. What came meanwhile is let go, the next comes soon.
let pressed = false;
addEventListener("pointerdown", (event) => { pressed = event.button === 0; }, true);
for (const end of ["pointerup", "pointercancel", "blur"]) {
  addEventListener(end, () => setTimeout(() => { pressed = false; }), true);
}
document.addEventListener("htmx:beforeSwap", (event) => {
  if (pressed && event.detail.target.matches("[hx-trigger*=every]")) event.preventDefault();
});

// A part with data-live is refreshed by htmx. Without news for this long it is greyed, and the mark says since when.
const STALE_MS = 5000;

function watchLive(part) {
  const mark = document.querySelector("[data-live-mark]");
  const zone = document.querySelector("[data-clock]")?.dataset.timeZone;
  const live = mark?.textContent;
  let newsMs = Date.now();
  // What somebody types or has unfolded in it stays until they are done; meanwhile it is not of now, and says so.
  const busy = () => part.querySelector("details[open]")
    || (part.contains(document.activeElement) && document.activeElement.matches("input, textarea, select"));
  const show = () => {
    const stale = Date.now() - newsMs > STALE_MS;
    const since = timeOf(newsMs, zone);
    part.classList.toggle("stale", stale && !busy());
    if (!mark) return;
    const text = !stale ? live : (busy() ? mark.dataset.paused : mark.dataset.cutOff).replace("{since}", since);
    mark.classList.toggle("off", stale);
    if (mark.textContent !== text) mark.textContent = text;
  };
  for (const before of ["htmx:beforeRequest", "htmx:beforeSwap"]) { // a slow answer finds somebody who has begun since
    part.addEventListener(before, (event) => {
      if (event.detail.elt === part && busy()) event.preventDefault();
    });
  }
  document.body.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.elt === part && event.detail.successful) newsMs = Date.now();
    show();
  });
  setInterval(show, 500);
}

// A log-in that is over: the whole page goes there, not a part of it.
document.addEventListener("htmx:beforeSwap", (event) => {
  const came = new URL(event.detail.xhr.responseURL || location.href, location.href);
  if (came.pathname.startsWith("/login/")) {
    event.detail.shouldSwap = false;
    location.assign(`/login/?next=${encodeURIComponent(location.pathname + location.search)}`);
  }
});

// On a phone rows are cards (see the style sheet): each cell is told the heading that it stands under.
function labelCells(root) {
  root.querySelectorAll(".table:not(.report) > table").forEach((table) => {
    const heads = [...table.querySelectorAll(":scope > thead th")].map((head) => head.textContent.trim());
    if (!heads.length) return;
    table.parentElement.classList.add("cards-on-phone");
    table.querySelectorAll(":scope > tbody > tr").forEach((row) => {
      [...row.children].forEach((cell, index) => {
        if (cell.colSpan === 1 && !cell.dataset.label) cell.dataset.label = heads[index] || "";
        cell.classList.toggle("nothing", !cell.textContent.trim() && !cell.querySelector("svg, img, input, button"));
      });
    });
  });
}
document.addEventListener("htmx:afterSwap", (event) => labelCells(event.detail.target));

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    const box = document.querySelector("[data-seek]");
    if (box) { event.preventDefault(); box.focus(); box.select(); }
  }
  if (event.key === "?" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    document.querySelector("[data-help]")?.click();
  }
});

document.addEventListener("DOMContentLoaded", () => {
  document.querySelector(".menu [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  document.querySelectorAll("[data-live]").forEach(watchLive);
  labelCells(document);
  document.querySelectorAll("[data-clock]").forEach(startClock);
  const isWide = matchMedia("(min-width: 40.01rem)").matches; // a phone shows the list first, and its filters on demand
  document.querySelectorAll("details[data-fold]").forEach((filters) => { filters.open = isWide; });
  document.querySelectorAll("select[data-sends]").forEach((select) => {
    select.addEventListener("change", () => select.form.requestSubmit());
  });
});
