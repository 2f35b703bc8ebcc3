// Forms of tired people: a button that is pressed twice sends once, what cannot be undone is asked for once more with its
// consequence, and what was typed is there again where a log-in was over, or had to be confirmed, before it was sent.
"use strict";

const AGAIN_AFTER_MS = 30000;
const KEPT_MS = 30 * 60 * 1000;
const SENT = "potline-sent";
const UNSENT = "potline-unsent";
const here = () => location.pathname + location.search;
// By the attribute: a field may be called "method", and then the property is that field.
const isPost = (form) => (form.getAttribute("method") || "").toLowerCase() === "post";
const pathOf = (form) => new URL(form.getAttribute("action") || here(), location.href).pathname;

// --- Once: an answer that stays away for long lets it be sent again; the server refuses what is done already.
const underWay = new WeakSet();

function sendOnce(event) {
  const form = event.target;
  if (!isPost(form)) return;
  if (underWay.has(form)) {
    event.preventDefault();
    return;
  }
  underWay.add(form);
  event.submitter?.setAttribute("aria-busy", "true");
  setTimeout(() => letGo(form), AGAIN_AFTER_MS);
}

function letGo(form) {
  underWay.delete(form);
  form.querySelectorAll("[aria-busy]").forEach((button) => button.removeAttribute("aria-busy"));
}

// --- What cannot be undone: the button says what comes of it, and is pressed a second time.
let agreed = null;

function askFirst(event) {
  const button = event.submitter;
  if (!button?.dataset.consequence || agreed === button) {
    agreed = null;
    return false;
  }
  event.preventDefault();
  const dialog = document.createElement("dialog");
  dialog.className = "card ask";
  const [told, actions, yes, no] = ["p", "div", "button", "button"].map((tag) => document.createElement(tag));
  told.textContent = button.dataset.consequence;
  told.id = "consequence";
  dialog.setAttribute("aria-labelledby", told.id);
  actions.className = "actions";
  yes.textContent = button.textContent.trim().replace(/\s+/g, " ");
  yes.className = button.classList.contains("danger") ? "danger" : "main";
  yes.dataset.yes = "";
  no.textContent = document.body.dataset.back;
  no.autofocus = true;
  actions.append(yes, no);
  dialog.append(told, actions);
  yes.addEventListener("click", () => {
    dialog.close();
    agreed = button;
    button.form.requestSubmit(button);
  });
  no.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return true;
}

// --- What was typed. It stays in this tab, for the person who typed it, for half an hour; no password, no file, and nothing of
// forms that say they are private.
function typed(form) {
  const isText = (field) => field.name && !["hidden", "password", "file", "submit", "button"].includes(field.type);
  return [...form.elements].filter(isText).filter((field) => !["checkbox", "radio"].includes(field.type) || field.checked)
    .map((field) => [field.name, field.value]);
}

function keepTyped(event) {
  const form = event.target;
  if (!isPost(form) || "private" in form.dataset || form.querySelector("[type=password]")) return;
  const alike = [...document.forms].filter((other) => isPost(other) && pathOf(other) === pathOf(form));
  keep(sessionStorage, SENT, JSON.stringify({
    path: pathOf(form), place: alike.indexOf(form), who: document.body.dataset.who, at: Date.now(), fields: typed(form),
  }));
}

function take(name) {
  const text = kept(sessionStorage, name);
  try { sessionStorage.removeItem(name); } catch { /* as in calls.js */ }
  return text;
}

// Where the server says that nothing was done it asks for a log-in or a confirmation first.
function remember() {
  const sent = take(SENT);
  if (document.querySelector("[data-unsent]")) {
    if (sent) keep(sessionStorage, UNSENT, sent);
    return;
  }
  const unsent = JSON.parse(kept(sessionStorage, UNSENT) || "null");
  if (!unsent) return;
  const alike = [...document.forms].filter((each) => isPost(each) && pathOf(each) === unsent.path);
  const mine = unsent.who === document.body.dataset.who && Date.now() - unsent.at < KEPT_MS;
  if (alike.length || !mine) take(UNSENT);
  if (alike.length && mine) fill(alike[unsent.place] || alike[0], unsent.fields);
}

function fill(form, fields) {
  const given = new Map();
  fields.forEach(([name, value]) => given.set(name, [...(given.get(name) || []), value]));
  for (const field of form.elements) {
    if (["checkbox", "radio"].includes(field.type)) field.checked = (given.get(field.name) || []).includes(field.value);
    else if (given.has(field.name) && !["hidden", "password", "file"].includes(field.type)) field.value = given.get(field.name).shift();
  }
  for (let fold = form.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  const note = document.createElement("p");
  note.className = "note warning";
  note.setAttribute("role", "status");
  note.dataset.typed = "";
  note.textContent = document.body.dataset.typed;
  form.prepend(note);
  note.scrollIntoView({ block: "center" });
}

document.addEventListener("submit", (event) => {
  if (event.defaultPrevented || askFirst(event)) return;
  sendOnce(event);
  if (!event.defaultPrevented) keepTyped(event);
});
// Who comes back by the back button finds the form as it was, and may send it.
addEventListener("pageshow", () => [...document.forms].forEach(letGo));
document.addEventListener("DOMContentLoaded", remember);
