// Decisions in their order and what went wrong: buttons for what may be decided now, a small form for everything else that
// the game knows.

import { RULES, capital, cents, choice, filled, h, money, words } from "./dom.js";
import { placeName, places } from "./wagers.js";
import { edit, field } from "./values.js";

const NO_ACT = { kind: "", seat: 0, player: "", hand: 0, wager: "", stake: "", value: undefined };

export function decisionPanel(board) {
  const { draft } = board;
  const { game, state } = draft;
  if (!game.decisions.length) return h("p", { class: "soft" }, gettext("Nothing is decided in this game."));
  return h("div", { class: "panel acts" },
    made(state.decisions, (index, act) => draft.takeBackDecision(index, act), "decision"),
    offers(board), h("details", { class: "fold", open: board.focus.act.about === "decision" },
      h("summary", {}, gettext("Another decision")), form(board, "decision", game.decisions)));
}

export function irregularPanel(board) {
  const { draft } = board;
  return h("div", { class: "panel acts" },
    h("p", { class: "hint" }, gettext("What went wrong, as the rulebook knows it: the round is then settled by that rule.")),
    made(draft.state.irregularities, (index, act) => draft.takeBackIrregularity(index, act), "irregularity"),
    form(board, "irregularity", draft.game.irregularities));
}

function made(list, takeBack, name) {
  return h("ol", { class: "made" }, list.map((act, index) => h("li", {}, h("span", RULES, sentence(act)), " ", h("button", {
    type: "button", class: "taken", "data-take-back": `${name}-${index}`, "aria-label": filled(gettext("take back %(what)s"), { what: sentence(act) }),
    onclick: () => takeBack(index, act),
  }, "✕"))));
}

function sentence(act) {
  const who = act.seat || act.player ? `${placeName({ seat: act.seat || 0, player: act.player || "" })}: ` : "";
  const hand = act.hand ? `, ${filled(gettext("hand %(number)s"), { number: act.hand + 1 })}` : "";
  const value = act.value === undefined ? "" : ` ${typeof act.value === "object" ? JSON.stringify(act.value) : words(act.value)}`;
  return `${who}${words(act.kind)}${value}${hand}`;
}

// One tap for what the rules allow now; what it costs stands on the button.
function offers(board) {
  return h("div", { class: "offers" }, [...byPlace(board)].map(([who, list]) => offered(board, who, list)));
}

// The same for one place, beside the cards: the one that was tapped, or whose turn it is.
export function turn(board) {
  const groups = byPlace(board);
  const mine = placeName(board.focus.place);
  // A choice with a value is offered to everybody: whose turn it is, the others say.
  const plain = new Set(board.draft.game.decisions.filter((kind) => !kind.value).map((kind) => kind.kind));
  const asked = [...groups].filter(([, list]) => list.some((offer) => plain.has(offer.kind))).map(([who]) => who);
  const among = asked.length ? asked : [...groups.keys()];
  const who = among.includes(mine) ? mine : among[0];
  return who ? h("div", { class: "offers turn" }, offered(board, who, groups.get(who))) : null;
}

function byPlace(board) {
  const groups = new Map();
  for (const offer of board.trial.offers) {
    const who = placeName(offer);
    groups.set(who, [...(groups.get(who) || []), offer]);
  }
  return groups;
}

function offered(board, who, list) {
  return h("div", { class: "offer" }, h("b", {}, who), list.flatMap((offer) => stakes(offer).map((stake) => h("button", {
    type: "button", "data-offer": offer.kind, "data-offer-seat": offer.seat, disabled: board.stale,
    onclick: () => take(board, offer, stake),
  }, h("span", RULES, words(offer.kind)), stake ? ` ${money(stake)}` : "",
  offer.hand ? ` (${filled(gettext("hand %(number)s"), { number: offer.hand + 1 })})` : ""))));
}

function stakes(offer) {
  if (!offer.wager) return [0];
  return [...new Set([cents(offer.wager.least), cents(offer.wager.most)])].filter(Boolean);
}

// Once: what may be decided after it, the rules say in their next answer. Until then an offer is of the board before.
function take(board, offer, stake) {
  const { draft } = board;
  if (board.stale || !board.trial.offers.includes(offer)) return;
  const kind = draft.game.decisions.find((each) => each.kind === offer.kind);
  if (kind.value || (kind.wager && !stake)) {
    return board.at({ tab: "decisions", act: { ...NO_ACT, about: "decision", kind: offer.kind, seat: offer.seat, player: offer.player } });
  }
  draft.decide(clean(offer), kind.wager ? { kind: kind.wager, stake } : null);
}

function clean(act) {
  const found = { kind: act.kind };
  for (const name of ["seat", "player", "hand"]) if (act[name]) found[name] = act[name];
  if (act.value !== undefined) found.value = act.value;
  return found;
}

function form(board, about, kinds) {
  const act = board.focus.act.about === about ? board.focus.act : { ...NO_ACT, about, ...(about === "decision" ? board.focus.place : {}) };
  const kind = kinds.find((each) => each.kind === act.kind);
  let added = false;  // by this very button: a second tap adds nothing
  const set = (more) => board.at({ act: { ...(board.focus.act.about === about ? board.focus.act : act), ...more } });
  return h("div", { class: "act" },
    h("div", { class: "buttons kinds" }, kinds.map((each) => choice(words(each.kind), each === kind,
      () => set({ kind: each.kind, value: undefined }), { [`data-${about}`]: each.kind, ...RULES }))),
    kind ? h("div", { class: "fields" }, whose(board, act, set), details(board, act, kind, about, set)) : null,
    kind ? h("p", { class: "hint", ...RULES }, [kind.about && capital(kind.about), kind.rule].filter(Boolean).join(" · ")) : null,
    kind ? h("button", { type: "button", class: "main", [`data-add`]: about, onclick: () => { added ||= add(board, kind, about); } },
      about === "decision" ? gettext("Add this decision") : gettext("Add: this went wrong")) : null);
}

function whose(board, act, set) {
  const chosen = h("select", { "data-field": "act.place", onchange: () => set(JSON.parse(chosen.value)) },
    h("option", { value: JSON.stringify({ seat: 0, player: "" }) }, gettext("the whole table")),
    places(board).map((place) => h("option", { value: JSON.stringify(place) }, placeName(place))));
  chosen.value = JSON.stringify({ seat: act.seat, player: act.player });
  return field(gettext("Whose"), "", chosen);
}

function details(board, act, kind, about, set) {
  const wagers = [...board.draft.state.wagers, ...((board.draft.carried || {}).wagers || []).map((each) => each.wager)];
  const wager = h("select", { "data-field": "act.wager", onchange: () => set({ wager: wager.value }) },
    h("option", { value: "" }, gettext("none in particular")),
    wagers.map((each) => h("option", { value: each.id, ...RULES }, `${words(each.kind)} ${each.selection || ""} ${placeName(each)}`)));
  wager.value = act.wager;
  const hand = h("input", { "data-field": "act.hand", inputmode: "numeric", size: 2, value: act.hand,
    onchange: () => set({ hand: Number(hand.value) || 0 }) });
  const stake = h("input", { "data-field": "act.stake", inputmode: "decimal", size: 8, value: act.stake,
    onchange: () => set({ stake: stake.value }) });
  return [
    kind.wager ? field(filled(gettext("Stake of the %(wager)s"), { wager: words(kind.wager) }), "", stake) : field(gettext("Which wager"), "", wager),
    about === "decision" ? field(gettext("Hand (0 is the first)"), "", hand) : null,
    kind.value ? field(gettext("What"), kind.value.description, edit(kind.value, act.value, (value) => set({ value }), "act.value")) : null,
  ];
}

// What was typed last counts, also where it was not drawn yet.
function add(board, kind, about) {
  const { draft, focus: { act } } = board;
  const found = clean(act);
  if (kind.wager && about === "decision") {
    const stake = cents(act.stake);
    if (!stake && !act.wager) {
      board.say(filled(gettext("Say the stake of the %(wager)s, such as 10.00."), { wager: words(kind.wager) }));
      return false;
    }
    draft.decide(found, { kind: kind.wager, stake });
  } else {
    if (act.wager) found.wager = act.wager;
    if (about === "decision") draft.decide(found);
    else {
      delete found.hand;
      draft.report(found);
    }
  }
  board.at({ act: { ...NO_ACT } });
  return true;
}
