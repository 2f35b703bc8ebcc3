// Calls the reader when something new waits for them, if they want that on this device: a sound, a notification of the
// browser. What waits comes with the badge in the menu (people/_badge.html); the wish is kept in this browser alone.
"use strict";

const WISHES = { sound: "potline-call-sound", notice: "potline-call-notice" };
const SEEN = "potline-call-seen";

function kept(store, name) {
  try { return store.getItem(name); } catch { return null; }  // a browser that keeps nothing calls nobody
}

function keep(store, name, value) {
  try { store.setItem(name, value); } catch { /* as above */ }
}

const wants = (wish) => kept(localStorage, WISHES[wish]) === "yes";

// Two short tones, made here: no file, nothing fetched.
function ring() {
  const audio = new AudioContext();
  [660, 880].forEach((hertz, place) => {
    const tone = audio.createOscillator();
    const level = audio.createGain();
    tone.frequency.value = hertz;
    level.gain.value = 0.15;
    tone.connect(level).connect(audio.destination);
    tone.start(audio.currentTime + place * 0.18);
    tone.stop(audio.currentTime + place * 0.18 + 0.15);
  });
  setTimeout(() => audio.close(), 1000);
}

// As the badge says it, in the language of the page.
function notify(part) {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const body = part.textContent.trim().replace(/\s+/g, " ");
  const shown = new Notification("Potline", { body, tag: "potline-waiting" });
  shown.onclick = () => { window.focus(); location.assign("/"); };
}

// The first look of a tab only remembers; afterwards whatever was not there the time before is new.
function look(part) {
  const marks = part.querySelector("[data-marks]");
  if (!marks) return;
  const now = marks.dataset.marks.split(" ").filter(Boolean);
  const before = kept(sessionStorage, SEEN);
  keep(sessionStorage, SEEN, now.join(" "));
  if (before === null) return;
  const known = new Set(before.split(" "));
  if (now.every((mark) => known.has(mark))) return;
  if (wants("sound")) ring();
  if (wants("notice")) notify(part);
}

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.matches("[data-badge]")) look(event.detail.target);
});

// Who comes back to a tab sees what is, not what was when it was left.
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) document.body.dispatchEvent(new CustomEvent("look"));
});

document.addEventListener("DOMContentLoaded", () => {
  const card = document.querySelector("[data-calls]");
  if (!card) return;
  card.hidden = false;
  const told = card.querySelector("[data-call-told]");
  card.querySelectorAll("[data-call]").forEach((box) => {
    box.checked = wants(box.dataset.call);
    box.addEventListener("change", async () => {
      if (box.dataset.call === "notice" && box.checked && (await Notification.requestPermission()) !== "granted") {
        box.checked = false;
        told.textContent = told.dataset.refused;
        return;
      }
      keep(localStorage, WISHES[box.dataset.call], box.checked ? "yes" : "no");
      told.textContent = box.checked ? told.dataset.kept : told.dataset.dropped;
      if (box.dataset.call === "sound" && box.checked) ring();
    });
  });
});
