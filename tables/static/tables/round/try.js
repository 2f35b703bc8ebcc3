// The page "Try a round": any game under any rulebook, made of its declaration and settled as it is filled in. Nothing is
// stored; the address after # holds the round, so that a link or a reload brings it back.

import { Board } from "./board.js";
import { RULES, filled, h, redraw, words } from "./dom.js";
import { Draft } from "./draft.js";
import { Game } from "./game.js";
import { settlementPanel, wordsOfTrial } from "./settlement.js";
import { edit, field, named } from "./values.js";

const root = document.querySelector("[data-try]");
const chooser = document.querySelector("[data-games]");
const csrf = JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];
const TABS = { decisions: gettext("Decisions"), irregular: gettext("Irregularities"), rules: gettext("Rules of the table") };
let current = null;
let chosen = 0;  // so often: an answer about a game chosen before the last is not shown any more

async function ask(round) {
  try {
    const answer = await fetch("/api/v1/rounds/try", {
      method: "POST", headers: { "Content-Type": "application/json", "X-CSRFToken": csrf }, body: JSON.stringify(round),
    });
    if (answer.ok) return await answer.json();
    const problem = await answer.json();
    return { faults: [{ field: "", message: problem.detail, rule: null }], lacks: null, settlement: null, offers: [] };
  } catch {
    return { faults: [{ field: "", message: gettext("Potline does not answer; tap again in a moment."), rule: null }], lacks: null, settlement: null, offers: [] };
  }
}

function show(board) {
  if (board !== current) return;  // an answer to what is not shown any more
  const { draft, trial, focus } = board;
  const kinds = Object.values(draft.game.kinds);
  const panel = focus.tab === "rules" ? rulesPanel(board) : board.panel(kinds);
  redraw(root,
    h("div", { class: "play" }, board.seats(), board.tabs({ wagers: gettext("Wagers"), dealt: draft.game.dealing(), ...TABS }), panel, foot(board)),
    h("aside", { class: board.stale ? "said stale" : "said" },
      board.words ? h("p", { class: "note warning", role: "alert" }, board.words) : null,
      wordsOfTrial(trial),
      trial.settlement ? settlementPanel(trial.settlement) : h("p", { class: "soft" }, gettext("The settlement appears here as soon as the round is whole.")),
      h("details", { class: "fold" }, h("summary", {}, gettext("The round as a document")),
        h("pre", { class: "mono", "data-document": true, ...RULES }, JSON.stringify(draft.document(), null, 1)))));
  if (!board.stale) history.replaceState(null, "", `${location.search}#${encodeURIComponent(JSON.stringify(draft.asJson()))}`);
}

function foot(board) {
  const { draft, trial } = board;
  const goesOn = trial.settlement && draft.game.entry.carries_state;
  return h("div", { class: "actions" },
    h("button", { type: "button", "data-undo": true, disabled: !draft.past.length, onclick: () => draft.undo() }, gettext("Undo")),
    h("button", { type: "button", "data-clear": true, onclick: () => begin(draft.game, draft.state.settings) }, gettext("Clear")),
    goesOn && h("button", { type: "button", "data-next": true,
      onclick: () => begin(draft.game, draft.state.settings, trial.settlement.carried) }, gettext("Next round, with what stands")));
}

function rulesPanel(board) {
  const { draft } = board;
  const about = Object.fromEntries(draft.game.entry.options.map((option) => [option.name, filled(
    gettext("%(about)s (as the rulebook has it: %(default)s) %(rule)s"), { ...option, default: JSON.stringify(option.default) })]));
  return h("div", { class: "panel rules" }, draft.game.settings.map(([part, schema]) => {
    const there = draft.state.settings[part] || {};
    const fields = Object.entries(schema.properties).map(([name, shape]) => field(named(name), about[name] || shape.description,
      edit(shape, there[name], (value) => draft.setting(part, name, value), `${part}.${name}`),
      Boolean(shape.properties || shape.oneOf), there[name] !== undefined));
    return fields.length ? h("fieldset", {}, h("legend", RULES, words(part)), fields) : null;
  }));
}

function begin(game, settings = {}, carried = null, kept = null) {
  const draft = new Draft(game, { settings, carried });
  if (kept) draft.restore(kept);
  current = new Board(draft, ask, show);
  draft.changed();
}

async function choose(value, kept = null) {
  const [name, rulebook] = value.split("|");
  const mine = ++chosen;
  root.removeAttribute("data-game");
  root.replaceChildren(h("p", { class: "soft" }, gettext("One moment.")));
  const answer = await fetch(`/api/v1/games?game=${encodeURIComponent(name)}`);
  const entry = (await answer.json()).find((each) => each.rulebook === rulebook);
  if (mine !== chosen) return;
  history.replaceState(null, "", `?game=${encodeURIComponent(value)}`);
  begin(new Game(entry), {}, null, kept);
  root.setAttribute("data-game", value);
}

function kept() {
  try {
    return JSON.parse(decodeURIComponent(location.hash.slice(1)));
  } catch {
    return null;
  }
}

const wanted = new URLSearchParams(location.search).get("game");
if (wanted && [...chooser.options].some((option) => option.value === wanted)) chooser.value = wanted;
chooser.addEventListener("change", () => choose(chooser.value));
choose(chooser.value, wanted === chooser.value ? kept() : null);
