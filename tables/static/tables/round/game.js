// A game as its own declaration tells it (the catalogue's entry and the JSON Schema in it): which wagers there are, what
// is dealt where, what may be decided. Widgets are made from this alone.

import { filled, words } from "./dom.js";

const byKind = (schema) => Object.fromEntries(
  ((schema.items || {}).oneOf || []).map((each) => [each.properties.kind.const, each.properties]));

export class Game {
  constructor(entry) {
    const { schema } = entry;
    const wagers = byKind(schema.properties.wagers);
    const [decisions, irregularities] = ["decisions", "irregularities"].map((name) => byKind(schema.properties[name]));
    this.entry = entry;
    this.name = entry.game;
    this.rulebook = entry.rulebook;
    this.title = entry.title;
    this.seats = entry.seats;
    this.kinds = Object.fromEntries(entry.wagers.map((kind) => {
      const { enum: listed, pattern } = wagers[kind.kind].selection;
      const form = listed || !pattern ? null : new RegExp(pattern);
      return [kind.kind, { ...kind, selections: listed || (form ? [] : null), form }];
    }));
    this.first = entry.wagers.filter((kind) => kind.stage === entry.stages[0]).map((kind) => this.kinds[kind.kind]);
    this.decisions = entry.decisions.map((kind) => ({ ...kind, value: decisions[kind.kind].value }));
    this.irregularities = entry.irregularities.map((kind) => ({ ...kind, value: irregularities[kind.kind].value }));
    this.settings = ["options", "paytables", "limits"].map((name) => [name, schema.properties[name]]);
    this.dealt = schema.else.properties.dealt;
    // A shoe of several packs deals the same card more than once.
    this.packs = ["shoe", "cards"].some((name) => this.dealt.properties[name]) ? 8 : 1;
  }

  // Who may have chips: seats, or where the game has none the players, known by the colour of their chips or a number.
  places() {
    if (this.seats) return Array.from({ length: this.seats }, (_, index) => ({ seat: index + 1, player: "" }));
    const colours = ["white", "red", "blue", "green", "yellow", "brown", "pink", "grey"];
    const numbers = ["1", "2", "3", "4", "5", "6", "7", "8"];
    return (this.isWheel() ? colours : numbers).map((player) => ({ seat: 0, player }));
  }

  isWheel() {
    return Boolean(this.dealt.properties.number || this.dealt.properties.outer);
  }

  // What the dealer's hands do in this game, in a word.
  dealing() {
    const leaves = new Set(this.targets([1]).filter((target) => target.needed || target.list).map((target) => target.leaf));
    const names = {
      card: gettext("Cards"), die: gettext("Dice"), tile: gettext("Tiles"), choice: this.isWheel() ? gettext("Number") : gettext("Symbol"),
    };
    return Object.keys(names).filter((leaf) => leaves.has(leaf)).map((leaf) => names[leaf]).join(", ") || names.card;
  }

  // Where something is dealt, rolled or spun: one target a seat with a wager, one for each thing of the whole table.
  targets(seats) {
    const required = new Set(this.dealt.required);
    return Object.entries(this.dealt.properties).flatMap(([name, shape]) => targetsOf([name], shape, seats))
      .map((target) => ({ ...target, needed: required.has(target.path[0]) }));
  }
}

function targetsOf(path, shape, seats) {
  if (shape.patternProperties) {
    const [item] = Object.values(shape.patternProperties);
    return seats.flatMap((seat) => targetsOf([...path, String(seat)], item, seats));
  }
  if (shape.type === "array" && shape.items.type === "array") {
    return Array.from({ length: shape.maxItems }, (_, index) => targetsOf([...path, index], shape.items, seats)).flat();
  }
  const list = shape.type === "array";
  const item = list ? shape.items : shape;
  return [{
    path, key: path.join("."), label: labelOf(path), seat: path[0] === "seats", about: shape.description || "", list,
    least: list ? shape.minItems || 0 : 1, most: list ? shape.maxItems || 500 : 1, item, leaf: leafOf(item),
  }];
}

function labelOf([name, part]) {
  if (part === undefined) return words(name);
  if (typeof part === "number") return `${words(name)} ${part + 1}`;
  return name === "seats" ? filled(gettext("seat %(seat)s"), { seat: part }) : `${words(name)} ${part}`;
}

export function leafOf(shape) {
  if (shape.type === "boolean") return "flag";
  if (shape.type === "integer") return shape.minimum === 1 && shape.maximum === 6 ? "die" : "integer";
  if (shape.enum) return shape.enum.length === 36 && shape.enum[0] === "1-1" ? "tile" : "choice";
  if (shape.pattern && shape.pattern.startsWith("^([2-9TJQKA]")) return "card";
  return shape.pattern ? "money" : "text";
}
