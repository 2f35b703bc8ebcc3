// The dealer's page: what a finger does at a table without a terminal. The table above, one panel, one big button for the
// next step; whether Potline is heard stands on top at all times.

import { Board } from "./board.js";
import { BETTING, DEALING, Dealing, IDLE, PAID, TOLD } from "./dealing.js";
import { RULES, cents, filled, gently, h, redraw, words } from "./dom.js";
import { settlementPanel, wordsOfTrial } from "./settlement.js";

const root = document.querySelector("[data-dealer]");
const { premises, table } = root.dataset;
const SILENT = { faults: [], lacks: null, settlement: null, offers: [] };
let board = null;

let drawn = "";

// A beat that brings no news draws nothing: a finger may be on its way, or somebody types.
function news() {
  const { wire, terminal, round, words: problem, layout, out } = dealing;
  const now = JSON.stringify([wire.isLive(), terminal.stopped, terminal.unanswered.length, terminal.mayTakeJackpotWagers(),
    terminal.underWay, terminal.session, round && { ...round, draft: null }, problem, layout, out]);
  if (now !== drawn) draw();
  drawn = now;
}

const dealing = new Dealing(premises, table, { show: news, begun });

function begun(draft) {
  board = new Board(draft, ask, draw);
  if (dealing.layout.chips) board.chips = dealing.layout.chips.map(cents);
  const [first] = draft.game.entry.stages;
  board.isFixed = (wager) => dealing.phase !== BETTING && draft.game.kinds[wager.kind].stage === first;
  const { changed } = draft;
  draft.changed = () => {
    dealing.keep();
    changed();
  };
  drawn = "";
  board.focus.tab = dealing.phase === DEALING ? "dealt" : "wagers";
  if (draft.occupied().length) board.changed();
}

async function ask(document) {
  try {
    const told = await dealing.wire.post("/api/v1/rounds/try", document);
    if (told.status === 200) return told.body;
    return { ...SILENT, faults: [{ field: "", message: told.body.detail, rule: null }] };
  } catch {
    return SILENT;
  }
}

// ------------------------------------------------------------------------------------------------------------- the page

const draw = gently(paint);
function paint() {
  if (dealing.out) return root.replaceChildren(outside());
  if (!board) return root.replaceChildren(h("p", { class: "note" }, (dealing.words || {}).detail || gettext("One moment.")));
  board.lamps = dealing.round ? dealing.round.lamps : {};
  const { phase } = dealing;
  board.isOff = ![BETTING, DEALING].includes(phase);
  redraw(root, head(), h("div", { class: `board ${phase}` },
    h("div", { class: "play" }, board.seats(), [BETTING, DEALING].includes(phase) ? cloth() : paidOut()),
    h("aside", { class: board.stale ? "said stale" : "said" }, step(), told(), settled())));
}

function outside() {
  const kept = dealing.terminal.unanswered.length;
  return h("section", { class: "card outside" }, h("h1", {}, filled(gettext("%(table)s: this tablet is not handed over"), { table })),
    h("p", RULES, dealing.out.detail || ""),
    kept ? h("p", { class: "note warning" }, filled(ngettext(
      "%(count)s event is kept on this tablet that nobody has taken: tell a supervisor before it is handed over again.",
      "%(count)s events are kept on this tablet that nobody has taken: tell a supervisor before it is handed over again.",
      kept), { count: kept })) : null,
    h("p", {}, gettext("A supervisor logs in on this very tablet, opens the table's page, and hands it over there. The supervisor is logged out of it then.")),
    h("a", { class: "button main", href: `/floor/${premises}/tables/${table}/` }, gettext("Supervisor: log in")));
}

function head() {
  const { wire, terminal, layout, game } = dealing;
  const waits = terminal.unanswered.length;
  const up = wire.isLive();
  const since = timeOf(wire.lastHeard || wire.since, layout.time_zone);
  const live = terminal.stopped ? gettext("stopped") : up ? gettext("live") : filled(gettext("not heard by Potline since %(since)s"), { since });
  return h("header", { class: "top" }, h("b", RULES, table), h("span", RULES, `${game.title}, ${game.rulebook}`),
    dealing.round && dealing.round.number ? h("span", {}, filled(gettext("round %(number)s"), { number: dealing.round.number })) : null,
    h("span", { class: up && !terminal.stopped ? "tag good" : "tag bad", "data-live": up ? "yes" : "no", role: "status" },
      (up ? "● " : "○ ") + live + (waits ? ` · ${filled(gettext("%(count)s kept, sent as soon as it is back"), { count: waits })}` : "")),
    layout.jackpot_kinds.length ? h("span", { class: terminal.mayTakeJackpotWagers() ? "tag good" : "tag warn", "data-lease": terminal.mayTakeJackpotWagers() ? "yes" : "no" },
      terminal.mayTakeJackpotWagers() ? gettext("jackpot wagers are taken") : [gettext("no jackpot wagers now"),
        terminal.noLease ? h("span", RULES, `: ${terminal.noLease}`) : null]) : null);
}

function cloth() {
  const { draft, focus } = board;
  const entry = draft.game.entry;
  const later = Object.values(draft.game.kinds).filter((kind) => kind.stage !== entry.stages[0]);
  const tabs = dealing.phase === BETTING ? { wagers: gettext("Chips"), irregular: gettext("Something is wrong") }
    : { dealt: draft.game.dealing(), ...(draft.game.decisions.length ? { decisions: gettext("Decisions") } : {}),
      ...(later.length ? { wagers: gettext("Later chips") } : {}), irregular: gettext("Something is wrong") };
  if (!tabs[focus.tab]) focus.tab = Object.keys(tabs)[0];
  const again = dealing.phase === BETTING && !draft.state.wagers.length && (dealing.last || []).length;
  return [board.tabs(tabs), board.panel(dealing.phase === BETTING ? draft.game.first : later),
    h("div", { class: "actions" }, again ? h("button", { type: "button", "data-again": true, onclick: () => dealing.asLastTime() }, gettext("Chips as last time")) : null,
      h("button", { type: "button", "data-undo": true, disabled: !draft.past.length, onclick: () => undo(draft) }, gettext("Undo")))];
}

// Chips that are told lie: undo goes back to "no more bets" and no further.
function undo(draft) {
  const fixed = draft.state.wagers.filter(board.isFixed).map((wager) => `${wager.id} ${wager.stake}`).join();
  const before = JSON.parse(draft.past.at(-1)).wagers.filter(board.isFixed).map((wager) => `${wager.id} ${wager.stake}`).join();
  if (dealing.phase === DEALING && fixed !== before) return board.say(gettext("Chips lie as they were told at no more bets. If they lay otherwise, use “Something is wrong”."));
  draft.undo();
}

// --------------------------------------------------------------------------------------------------------- the next step

function big(label, act, name, more = {}) {
  return h("button", { type: "button", class: "main big", "data-step": name, onclick: act, ...more }, label);
}

function step() {
  const { phase, terminal } = dealing;
  if (terminal.stopped) {
    const why = terminal.stopped.detail;
    return h("p", { class: "note error", role: "alert" }, filled(gettext("This tablet has stopped. %(why)s Call a supervisor."), { why }));
  }
  if (phase === IDLE) return idle();
  if (phase === BETTING) return betting();
  if (phase === DEALING) return locked();
  if (phase === TOLD) {
    return h("p", { class: "note", role: "status" }, dealing.wire.isLive() ? gettext("Told; one moment.")
      : gettext("Kept here. It is sent as soon as Potline is heard again; the next round opens then."));
  }
  return [h("p", { class: dealing.round.booked === "parked" ? "note error" : "soft small", role: "status", "data-booked": dealing.round.booked || "" }, booked()),
    big(gettext("NEXT ROUND"), () => dealing.next(), "next", { disabled: !dealing.mayOpen() }), goodbye()];
}

function booked() {
  const { round } = dealing;
  if (round.booked === "settled") return filled(gettext("Round %(number)s is in the books."), round);
  if (round.booked === "parked") return filled(gettext("Round %(number)s cannot be booked: %(error)s Call a supervisor."), round);
  return filled(gettext("Round %(number)s is being booked."), round);
}

function idle() {
  const foreign = dealing.foreign();
  if (foreign) {
    return [h("p", { class: "note warning", role: "alert" },
      gettext("A round is under way that this tablet knows nothing of. Look at the table; what lies there goes back when it is void.")),
      h("button", { type: "button", class: "danger big", "data-step": "void-foreign", onclick: () => dealing.voidForeign(foreign) }, gettext("VOID THAT ROUND"))];
  }
  if (!dealing.layout.is_open) {
    return [h("p", { class: "note warning" }, filled(gettext("%(table)s is closed. A supervisor opens it on the table's page."), { table })),
      h("button", { type: "button", onclick: () => dealing.look().then(draw) }, gettext("Look again"))];
  }
  return [big(gettext("OPEN A ROUND"), () => dealing.open(), "open", { disabled: !dealing.mayOpen() }), goodbye()];
}

function goodbye() {
  return h("details", { class: "fold" }, h("summary", {}, gettext("Close this table")),
    h("p", {}, gettext("Everything is told, and it takes no more wagers. A supervisor opens it again.")),
    h("button", { type: "button", class: "danger", "data-step": "goodbye", onclick: () => dealing.goodbye() }, gettext("Close the table")));
}

function betting() {
  const { draft, trial } = board;
  const wrong = trial.faults.length > 0;
  if (draft.state.irregularities.length) return ending(gettext("VOID THIS ROUND"));
  return big(gettext("NO MORE BETS"), () => {
    if (dealing.phase !== BETTING) return;
    dealing.noMoreBets();
    board.at({ tab: "dealt" });
  }, "no-more-bets", { disabled: wrong || (board.stale && dealing.wire.isLive()) || !draft.occupied().length });
}

function locked() {
  const moment = dealing.toMark();
  if (board.draft.state.irregularities.length) return ending(gettext("END THE ROUND BY THIS RULE"));
  if (moment) {
    return [big(words(moment).toUpperCase(), () => dealing.mark(moment), "mark", RULES),
      h("p", { class: "soft small" }, filled(
        gettext("Tap in the very moment: %(moment)s. It gives a jackpot hand its place before other tables'."), { moment: words(moment) }))];
  }
  return ending(gettext("RESULT: PAY"));
}

// Without Potline nobody can say whether the round is whole; what it refuses comes back here.
function ending(label) {
  const { trial, stale } = board;
  const whole = trial.settlement && !stale;
  return big(label, () => {
    if (![BETTING, DEALING].includes(dealing.phase)) return;
    dealing.round.settlement = trial.settlement;
    dealing.result();
  }, "result", { disabled: dealing.wire.isLive() ? !whole : false });
}

// ----------------------------------------------------------------------------------------------------- what is said of it

function told() {
  const found = [...tray()];
  if (board.words) found.push(h("p", { class: "note warning", role: "alert" }, board.words));
  const { words: problem, phase } = dealing;
  if (problem) {
    found.push(h("div", { class: "note error", role: "alert", "data-refused": problem.code || "" }, 
      h("b", {}, gettext("Potline did not take it.")), " ", h("span", RULES, problem.detail || ""),
      (problem.faults || []).map((fault) => h("p", RULES, `${fault.field}: ${fault.message}`, fault.rule ? h("span", { class: "rule" }, ` (${fault.rule})`) : null)),
      h("p", { class: "small" }, [BETTING, DEALING].includes(phase) ? gettext("Mend it here and tap again: it counts from when it happened.")
        : gettext("Call a supervisor if it comes back."))));
  }
  if ([BETTING, DEALING].includes(phase) && board.draft.state.wagers.length) found.push(wordsOfTrial(phase === BETTING ? { ...board.trial, lacks: null } : board.trial));
  return found;
}

// Whether the tray pays is for people to say: until the page says that it does, nothing of a jackpot leaves it.
function tray() {
  const { round, layout } = dealing;
  const paid = (layout.paid_from_tray || []).map((one) => h("p", { class: "note warning", "data-from-tray": one.amount },
    filled(gettext("%(amount)s of a jackpot comes out of this tray: %(hand)s, seat %(seat)s, booked at %(time)s."), { ...one, hand: words(one.hand) })));
  const hits = round && round.settlement ? round.settlement.hits : [];
  if (!hits.length || ![TOLD, PAID].includes(dealing.phase)) return paid;
  return [...paid, h("p", { class: "note", "data-tray": true },
    gettext("Leave the jackpot to the supervisor. Take nothing of it out of the tray unless this page says that it comes from it."))];
}

function paidOut() {
  const { phase, round } = dealing;
  if (![TOLD, PAID].includes(phase) || !round.settlement) return null;
  return h("div", { class: "paid-out" }, settlementPanel(round.settlement, phase === PAID ? gettext("Pay") : gettext("To pay, once Potline has it")));
}

function settled() {
  const { phase } = dealing;
  if (phase === DEALING && board.trial.settlement && !board.stale) return settlementPanel(board.trial.settlement, gettext("As it stands"));
  return null;
}

dealing.start().then(() => {
  draw();
  // Without a first answer from Potline there is nothing to deal with: try until it answers.
  if (!board && !dealing.out) setTimeout(() => location.reload(), 3000);
});
// "not heard" must show by itself.
setInterval(() => {
  const there = root.querySelector("header.top");
  if (there) there.replaceWith(head());
  if (board) news();
}, 1000);
setInterval(() => dealing.lookAtTray(), 5000);
if (navigator.wakeLock) navigator.wakeLock.request("screen").catch(() => {});
