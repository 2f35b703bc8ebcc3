// The clock in the bar (premises' time, by the server's clock, with the gaming day) and selects that send their form.
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

document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("[data-clock]").forEach(startClock);
  document.querySelectorAll("select[data-sends]").forEach((select) => {
    select.addEventListener("change", () => select.form.requestSubmit());
  });
});
