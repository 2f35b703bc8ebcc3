// Chips by seat: whose, on what, how much. Seats on top show what lies there; the panel below lays one wager.

import { RULES, capital, cents, choice, filled, h, money, pip, words } from "./dom.js";
import { choicePad, isWheelNumbers, wheelPad } from "./pads.js";

const CHIPS = [100, 500, 1000, 2500, 10000, 50000];
const samePlace = (one, other) => one.seat === other.seat && one.player === other.player;
const playerName = (player) => (/^\d+$/.test(player) ? filled(gettext("Player %(player)s"), { player }) : capital(player));
export const placeName = (place) => [place.seat ? filled(gettext("Seat %(seat)s"), place) : "", place.player && playerName(place.player)]
  .filter(Boolean).join(", ") || gettext("Table");

// All that may have chips: the game's seats or players, and whoever was added by hand.
export function places(board) {
  const found = [...board.draft.game.places(), ...board.focus.added];
  for (const place of board.draft.occupied()) if (!found.some((each) => samePlace(each, place))) found.push(place);
  return found;
}

export function seatRow(board) {
  const remembered = Object.entries((board.draft.carried || {}).table || {}).filter(([, value]) => typeof value !== "object" && value !== "");
  return h("div", { class: "seats" }, places(board).map((place) => seatTile(board, place)),
    remembered.map(([name, value]) => h("div", { class: "seat" }, h("b", RULES, capital(words(name))), h("span", { class: "total", ...RULES }, words(value)))));
}

function seatTile(board, place) {
  const { draft, focus } = board;
  const mine = draft.state.wagers.filter((wager) => samePlace(wager, place));
  const standing = ((draft.carried || {}).wagers || []).filter(
    ({ wager }) => samePlace({ seat: wager.seat || 0, player: wager.player || "" }, place));
  const hand = place.seat ? draft.at(["seats", String(place.seat)]) : undefined;
  const total = mine.reduce((sum, wager) => sum + wager.stake, 0);
  return h("button", {
    type: "button", class: total || standing.length ? "seat busy" : "seat", "data-seat": place.seat, "data-player": place.player,
    disabled: board.isOff,
    "aria-pressed": String(samePlace(place, focus.place)), onclick: () => board.at({ place }),
  },
  h("b", {}, placeName(place)), total ? h("span", { class: "total" }, money(total)) : null,
  mine.slice(0, 4).map((wager) => h("span", { class: "laid" }, `${label(wager)} ${money(wager.stake)}`, lamp(board, wager))),
  mine.length > 4 ? h("span", { class: "laid" }, filled(gettext("and %(count)s more"), { count: mine.length - 4 })) : null,
  standing.map(({ wager }) => h("span", { class: "laid soft" }, filled(gettext("stands: %(what)s"), { what: `${label(wager)} ${wager.stake}` }))),
  Array.isArray(hand) ? h("span", { class: "hand" }, hand.map(pipOrText)) : null);
}

const pipOrText = (one) => (/^([2-9TJQKA][cdhs]|Jo)$/.test(one) ? pip(one) : `${one} `);
const label = (wager) => words(wager.kind) + (wager.selection ? ` ${wager.selection}` : "") + (wager.promo ? ` (${gettext("voucher")})` : "");

// The coin indicator light of the seat (nz-1996 VIII 4.3), as Potline has answered.
function lamp(board, wager) {
  const told = board.lamps[wager.id];
  if (!told) return null;
  return h("span", { class: told.counts ? "lamp lit" : "lamp out", title: told.why || "" }, told.counts ? ` ● ${gettext("counts")}` : ` ○ ${gettext("goes back")}`);
}

function addPlace(board) {
  const seat = h("input", { inputmode: "numeric", size: 2, placeholder: gettext("seat"), "data-field": "place.seat", "aria-label": gettext("Seat") });
  const player = h("input", { size: 6, placeholder: gettext("player"), "data-field": "place.player", "aria-label": gettext("Player") });
  return h("details", { class: "add" }, h("summary", {}, gettext("another player, or several at one seat")), h("div", {}, seat, player, h("button", {
    type: "button", "data-add": "place",
    onclick: () => {
      const place = { seat: Number(seat.value) || 0, player: player.value.trim() };
      const { seats } = board.draft.game;
      if (seats && place.seat > seats) return board.say(filled(gettext("Seats 1 to %(seats)s are in use here."), { seats }));
      board.focus.added.push(place);
      return board.at({ place });
    },
  }, gettext("Add"))));
}

// ----------------------------------------------------------------------------------------------------- the panel

export function wagerPanel(board, kinds) {
  const { draft, focus } = board;
  const kind = draft.game.kinds[focus.kind] || kinds[0];
  if (!kind) return h("p", { class: "soft" }, gettext("No wager may be laid now."));
  const hint = [kind.amount && capital(kind.amount), kind.about, kind.rule].filter(Boolean).join(" · ");
  return h("div", { class: "panel wagers" },
    h("div", { class: "buttons kinds" }, kinds.map((each) => choice(words(each.kind), each === kind, () => board.at({
      kind: each.kind, selection: "", parts: [],
    }), { "data-kind": each.kind, class: each.jackpot ? "jackpot" : "", ...RULES }))),
    h("p", { class: "hint", ...RULES }, hint),
    felt(board, kind, kinds), chipRow(board, kind), laid(board), addPlace(board));
}

// What is backed. On a wheel's cloth numbers are tapped until only one wager is left that covers them.
function felt(board, kind, kinds) {
  const { selections } = kind;
  const { focus } = board;
  if (board.draft.game.isWheel()) return wheelFelt(board, kind, kinds);
  if (!selections) return null;
  if (kind.form) return written(board, kind);
  const parts = selections.map((each) => each.split("-"));
  if (parts.some((each) => each.length < 2 || new Set(each).size < each.length)) {
    return choicePad(selections, (selection) => board.at({ selection }), focus.selection);
  }
  const faces = [...new Set(parts.flat())];
  return h("div", { class: "pad choices" }, faces.map((face) => choice(face, focus.parts.includes(face),
    () => tapPart(board, selections, face), { "data-choice": face, ...RULES })), chosen(focus));
}

// Where no list names them all: two amounts on one place of a craps layout, '5+5'.
function written(board, kind) {
  const made = h("input", {
    "data-field": "selection", value: board.focus.selection, autocomplete: "off", "aria-label": words(kind.kind), size: 8,
    onchange: () => {
      if (kind.form.test(made.value.trim())) board.at({ selection: made.value.trim() });
      else board.say(filled(gettext("%(kind)s is not written “%(given)s”. %(about)s (%(rule)s)"), {
        kind: capital(words(kind.kind)), given: made.value, about: kind.about || "", rule: kind.rule }));
    },
  });
  return h("div", {}, made, chosen(board.focus));
}

function wheelFelt(board, kind, kinds) {
  const { focus } = board;
  const own = kind.selections && isWheelNumbers(kind.selections) ? kind : null;
  const straight = own || kinds.find((each) => each.selections && isWheelNumbers(each.selections));
  const inside = kind.form || (kind.selections && kind.selections.some((each) => each.includes("-"))
    && !kind.kind.startsWith("split-"));
  const tap = (number) => {
    if (kind.form) return tapNumber(board, kind, number);
    if (inside) return tapPart(board, kind.selections, number);
    if (straight) board.at({ kind: straight.kind, selection: number, parts: [] });
  };
  const marked = new Set(focus.parts.length ? focus.parts : focus.selection.split("-"));
  const outside = kind.selections && !inside && kind !== straight
    ? choicePad(kind.selections, (selection) => board.at({ selection }), focus.selection) : null;
  return h("div", {}, straight && wheelPad(straight.selections, tap, outside ? new Set() : marked), outside, inside ? chosen(focus) : null);
}

const chosen = (focus) => (focus.selection ? h("span", { class: "chosen", ...RULES }, focus.selection) : null);

function tapPart(board, selections, part) {
  const { focus } = board;
  const covers = (parts) => selections.filter((each) => parts.every((one) => each.split("-").includes(one)));
  let parts = focus.parts.includes(part) ? focus.parts.filter((one) => one !== part) : [...focus.parts, part];
  if (!covers(parts).length) parts = [part];
  const left = parts.length ? covers(parts) : [];
  const exact = left.find((each) => each.split("-").length === parts.length);
  board.at({ parts, selection: exact || (left.length === 1 ? left[0] : "") });
}

// Any numbers of a ring, rising: as many as the wager covers.
function tapNumber(board, kind, number) {
  const { parts } = board.focus;
  const now = parts.includes(number) ? parts.filter((one) => one !== number) : [...parts, number];
  now.sort((one, other) => Number(one) - Number(other));
  const selection = now.join("-");
  board.at({ parts: now, selection: kind.form.test(selection) ? selection : "" });
}

function chipRow(board, kind) {
  const { draft, focus } = board;
  const missing = kind.selections && !focus.selection ? gettext("Tap what is backed first.") : "";
  const put = (amount) => draft.put(focus.place, kind.kind, focus.selection, amount, focus.promo);
  const own = h("input", { inputmode: "decimal", size: 8, placeholder: gettext("amount"), "data-field": "amount", "aria-label": gettext("Amount") });
  return h("div", { class: "chips" },
    h("b", {}, placeName(focus.place)),
    (board.chips || CHIPS).map((amount, index) => h("button", {
      type: "button", class: `chip chip-${index}`, "data-chip": amount, disabled: Boolean(missing),
      "aria-label": filled(gettext("chip of %(amount)s"), { amount: money(amount) }), onclick: () => put(amount),
    }, amount % 100 ? money(amount) : String(amount / 100))),
    h("span", { class: "own" }, own, h("button", {
      type: "button", "data-put": true, disabled: Boolean(missing),
      onclick: () => {
        const amount = cents(own.value);
        if (amount) put(amount);
        else board.say(filled(gettext("An amount such as 2.50, not “%(given)s”."), { given: own.value }));
      },
    }, gettext("Put"))),
    draft.game.entry.vouchers && choice(gettext("voucher"), focus.promo, () => board.at({ promo: !focus.promo }), { "data-promo": true }),
    missing ? h("span", { class: "soft" }, missing) : null);
}

function laid(board) {
  const mine = board.draft.state.wagers.filter((wager) => samePlace(wager, board.focus.place));
  return h("div", { class: "taken-up" }, mine.map((wager) => h("button", {
    type: "button", class: "taken", "data-wager": wager.id, "aria-label": filled(gettext("take up %(what)s"), { what: label(wager) }),
    disabled: board.isFixed(wager), onclick: () => board.draft.takeUp(wager.id),
  }, `${label(wager)} ${money(wager.stake)}${board.isFixed(wager) ? "" : " ✕"}`)));
}
