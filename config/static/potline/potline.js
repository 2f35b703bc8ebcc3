// The clock in the bar (premises' time, by the server's clock, with the gaming day), selects that send their form, the keys
// of the search and of the page of words, and whether a page that refreshes itself still shows what is.
"use strict";

function startClock(clock) {
  const skewMs = Number(clock.dataset.serverMs) - Date.now();
  const nextDayMs = Number(clock.dataset.nextDayMs);
  const time = new Intl.DateTimeFormat("en-GB", {
    timeZone: clock.dataset.timeZone, hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23",
  });
  const shown = clock.querySelector("[data-time]");
  const day = clock.querySelector("[data-day]");
  const tick = () => {
    const nowMs = Date.now() + skewMs;
    shown.textContent = time.format(new Date(nowMs));
    if (nowMs >= nextDayMs) day.textContent = clock.dataset.nextDay;
    setTimeout(tick, 1000 - (nowMs % 1000));
  };
  tick();
}

// A part with data-live is refreshed by htmx. Without news for this long it is greyed, and the mark says since when.
const STALE_MS = 5000;

function watchLive(part) {
  const mark = document.querySelector("[data-live-mark]");
  const time = new Intl.DateTimeFormat("en-GB", {
    timeZone: document.querySelector("[data-clock]")?.dataset.timeZone,
    hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23",
  });
  const live = mark?.textContent;
  let newsMs = Date.now();
  // What somebody types or has unfolded in it stays until they are done; meanwhile it is not of now, and says so.
  const busy = () => part.querySelector("details[open]")
    || (part.contains(document.activeElement) && document.activeElement.matches("input, textarea, select"));
  const show = () => {
    const stale = Date.now() - newsMs > STALE_MS;
    const since = time.format(new Date(newsMs));
    part.classList.toggle("stale", stale && !busy());
    if (!mark) return;
    const text = !stale ? live : (busy() ? mark.dataset.paused : mark.dataset.cutOff).replace("{since}", since);
    mark.classList.toggle("off", stale);
    if (mark.textContent !== text) mark.textContent = text;
  };
  part.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.elt === part && busy()) event.preventDefault();
  });
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
  document.querySelectorAll("[data-live]").forEach(watchLive);
  labelCells(document);
  document.querySelectorAll("[data-clock]").forEach(startClock);
  document.querySelectorAll("select[data-sends]").forEach((select) => {
    select.addEventListener("change", () => select.form.requestSubmit());
  });
});
