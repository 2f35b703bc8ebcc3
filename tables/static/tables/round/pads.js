// What a finger taps for something that is dealt, rolled or spun: cards, dice, numbers of a wheel, tiles, words. A pad
// knows one thing at a time and calls back with it.

import { RULES, cardName, choice, h, words } from "./dom.js";

const RANKS = [..."AKQJT98765432"];
const SUITS = [..."shdc"];
const narrow = () => matchMedia("(max-width: 44rem)").matches;
let rankInHand = "";

export function cardPad(used, packs, joker, pick) {
  return narrow() ? twoSteps(used, packs, joker, pick) : wholePack(used, packs, joker, pick);
}

function cardButton(card, used, packs, pick, label = cardName(card)) {
  const red = /[dh]$/.test(card) ? " red" : "";
  return h("button", {
    type: "button", class: `playing${red}`, "data-card": card, disabled: (used.get(card) || 0) >= packs,
    "aria-label": cardName(card), onclick: () => pick(card),
  }, label);
}

function wholePack(used, packs, joker, pick) {
  const cards = SUITS.flatMap((suit) => RANKS.map((rank) => cardButton(rank + suit, used, packs, pick)));
  return h("div", { class: "pad cards" }, cards, joker && cardButton("Jo", used, packs, pick));
}

// A phone has no room for 52 buttons that a finger can hit: the rank, then the suit.
function twoSteps(used, packs, joker, pick) {
  const shown = h("div", { class: "pad steps" });
  const draw = () => {
    const ranks = RANKS.map((rank) => choice(rank.replace("T", "10"), rank === rankInHand, () => {
      rankInHand = rank;
      draw();
    }, { "data-rank": rank }));
    const suits = SUITS.map((suit) => rankInHand && cardButton(rankInHand + suit, used, packs, (card) => {
      rankInHand = "";
      pick(card);
    }));
    shown.replaceChildren(h("div", { class: "ranks" }, ranks, joker && cardButton("Jo", used, packs, pick)),
      h("div", { class: "suits" }, rankInHand ? suits : h("span", { class: "soft" }, gettext("the rank, then the suit"))));
  };
  draw();
  return shown;
}

const SPOTS = { 1: "⚀", 2: "⚁", 3: "⚂", 4: "⚃", 5: "⚄", 6: "⚅" };
export function dicePad(pick) {
  return h("div", { class: "pad dice" }, [1, 2, 3, 4, 5, 6].map((face) => h("button", {
    type: "button", "data-die": face, "aria-label": String(face), onclick: () => pick(face),
  }, h("span", { class: "spots", "aria-hidden": "true" }, SPOTS[face]), String(face))));
}

// A set has two of eleven tiles and one of ten: the rules say where there is one too many.
export function tilePad(pick) {
  const tiles = [1, 2, 3, 4, 5, 6].flatMap((low) => [1, 2, 3, 4, 5, 6].filter((high) => high >= low)
    .map((high) => `${low}-${high}`));
  return h("div", { class: "pad tiles" }, tiles.map((tile) => h("button", {
    type: "button", "data-tile": tile, "aria-label": tile, onclick: () => pick(tile),
  }, [...tile.split("-")].map((face) => h("span", { class: "spots", "aria-hidden": "true" }, SPOTS[face])))));
}

const REDS = new Set([1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36].map(String));
export const colourOf = (number) => (/^0+$/.test(number) ? "green" : REDS.has(number) ? "red" : "black");
export const isWheelNumbers = (choices) => choices.length >= 37 && choices.includes("36");

// The layout of a wheel: zero above, then rows of three as they lie on the cloth, turned to lie on a tablet.
export function wheelPad(choices, pick, marked = new Set()) {
  const cell = (number) => h("button", {
    type: "button", class: `pocket ${colourOf(number)}`, "data-choice": number,
    "aria-pressed": String(marked.has(number)), onclick: () => pick(number),
  }, number);
  const rows = [3, 2, 1].map((row) => Array.from({ length: 12 }, (_, column) => cell(String(column * 3 + row))));
  const zeros = choices.filter((number) => /^0+$/.test(number)).map(cell);
  return h("div", { class: "wheel" }, h("div", { class: "zeros" }, zeros), h("div", { class: "numbers" }, rows));
}

export function choicePad(choices, pick, chosen) {
  if (isWheelNumbers(choices)) return wheelPad(choices, pick, new Set([chosen]));
  return h("div", { class: "pad choices" }, choices.map((each) => choice(words(each), each === chosen, () => pick(each), {
    "data-choice": each, ...RULES,
  })));
}
