// The page "Correct a round": the round as it counts now on the board, put right by tapping. The form below it gets what
// differs, whole; what that changes is for the server to say.

import { Board } from "./board.js";
import { cents, h, redraw } from "./dom.js";
import { Draft } from "./draft.js";
import { Game } from "./game.js";
import { settlementPanel, wordsOfTrial } from "./settlement.js";

const root = document.querySelector("[data-correct]");
const start = JSON.parse(document.getElementById("round-start").textContent);
const change = document.querySelector("textarea[name=change]");
const csrf = JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];

async function ask(round) {
  try {
    const answer = await fetch("/api/v1/rounds/try", {
      method: "POST", headers: { "Content-Type": "application/json", "X-CSRFToken": csrf }, body: JSON.stringify(round),
    });
    if (answer.ok) return await answer.json();
  } catch {
    // said below
  }
  return { faults: [{ field: "", message: gettext("Potline does not answer; tap again in a moment."), rule: null }], lacks: null, settlement: null, offers: [] };
}

const canonical = (value) => JSON.stringify(value, (_, each) => (each && typeof each === "object" && !Array.isArray(each)
  ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1))) : each));

// Chips lie as they were told; only what was wagered with a decision may have been told wrongly with it.
function differing(draft, laterKinds) {
  const { dealt = {}, decisions = [], irregularities = [] } = draft.document();
  const first = start.was.wagers.filter((wager) => !laterKinds.has(wager.kind));
  const found = { dealt, decisions, irregularities, wagers: [...first, ...draft.wagers(false)] };
  return Object.fromEntries(Object.entries(found).filter(([name, value]) => canonical(value) !== canonical(start.was[name])));
}

function show(board) {
  const { draft, trial, focus } = board;
  const later = Object.values(draft.game.kinds).filter((kind) => kind.stage !== draft.game.entry.stages[0]);
  const tabs = { dealt: draft.game.dealing(), ...(draft.game.decisions.length ? { decisions: gettext("Decisions") } : {}),
    ...(later.length ? { wagers: gettext("Later chips") } : {}), irregular: gettext("Irregularities") };
  if (!tabs[focus.tab]) focus.tab = Object.keys(tabs)[0];
  redraw(root,
    h("div", { class: "play" }, board.seats(), board.tabs(tabs), board.panel(later),
      h("div", { class: "actions" }, h("button", { type: "button", "data-undo": true, disabled: !draft.past.length, onclick: () => draft.undo() }, gettext("Undo")))),
    h("aside", { class: board.stale ? "said stale" : "said" },
      board.words ? h("p", { class: "note warning", role: "alert" }, board.words) : null, wordsOfTrial(trial),
      trial.settlement ? settlementPanel(trial.settlement) : null));
  const found = differing(draft, new Set(later.map((kind) => kind.kind)));
  if (change) change.value = Object.keys(found).length ? JSON.stringify(found) : "";
}

async function begin() {
  const answer = await fetch(`/api/v1/games?game=${encodeURIComponent(start.game)}`);
  const game = new Game((await answer.json()).find((each) => each.rulebook === start.rulebook));
  const draft = new Draft(game, { settings: start.settings, carried: start.carried });
  const { wagers, dealt, decisions, irregularities } = start.played;
  Object.assign(draft.state, { dealt, decisions, irregularities, nextId: wagers.length + 1,
    wagers: wagers.map((wager) => ({ seat: 0, player: "", selection: "", promo: false, ...wager, stake: cents(wager.stake) })) });
  const board = new Board(draft, ask, show);
  board.isFixed = (wager) => game.kinds[wager.kind].stage === game.entry.stages[0];
  board.focus.tab = "dealt";
  draft.changed();
}

begin();
