// A widget for any value that a game's JSON Schema describes: options, pay tables, limits, the value of a decision. Plain
// inputs; what is dealt has pads of its own (dealt.js).

import { RULES, cardName, choice, filled, h, words } from "./dom.js";
import { leafOf } from "./game.js";
import { cardPad, tilePad } from "./pads.js";

let ids = 0;

// `change` gets the new value, undefined where there is none any more. `path` names the inputs for whoever looks for one.
export function edit(schema, value, change, path = "") {
  if (schema.oneOf) return oneOf(schema, value, change, path);
  if (schema.type === "array") return listOf(schema, value, change, path);
  if (schema.type === "object") return objectOf(schema, value, change, path);
  const leaf = leafOf(schema);
  if (leaf === "flag") return flag(value, change, path);
  if (schema.enum) return select(schema.enum, value, change, path);
  if (leaf === "card") return tapped(schema, value ? [value] : [], 1, (found) => change(found[0]), path);
  return input(schema, leaf, value, change, path);
}

function flag(value, change, path) {
  const one = (label, meant) => choice(label, value === meant, () => change(meant), { "data-field": `${path}=${meant}` });
  return h("div", { class: "buttons" }, one(gettext("yes"), true), one(gettext("no"), false));
}

function select(choices, value, change, path) {
  const made = h("select", { "data-field": path, onchange: () => change(made.value || undefined) },
    h("option", { value: "" }, gettext("as the rulebook has it")),
    choices.map((each) => h("option", { value: each, ...RULES }, words(each))));
  made.value = value === undefined || typeof value === "object" ? "" : value;
  return made;
}

function input(schema, leaf, value, change, path) {
  const decimal = leaf === "money" ? "decimal" : leaf === "integer" || leaf === "die" ? "numeric" : "text";
  const made = h("input", {
    "data-field": path, inputmode: decimal, value: value ?? "", autocomplete: "off", size: 8,
    onchange: () => {
      const text = made.value.trim();
      change(text === "" ? undefined : decimal === "numeric" ? wholeNumber(text) : text);
    },
  });
  return made;
}

const wholeNumber = (text) => (/^-?\d{1,9}$/.test(text) ? Number(text) : text);

function listOf(schema, value, change, path) {
  const there = value || [];
  const leaf = leafOf(schema.items);
  if (leaf === "card" || leaf === "tile") return tapped(schema, there, schema.maxItems || 52, change, path);
  if (schema.items.enum) {
    return h("div", { class: "buttons" }, schema.items.enum.map((each) => {
      const has = there.includes(each);
      const rest = has ? there.filter((other) => other !== each) : [...there, each];
      return choice(words(each), has, () => change(rest), { "data-field": `${path}=${each}`, ...RULES });
    }));
  }
  const numeric = schema.items.type === "integer";
  const made = h("input", {
    "data-field": path, value: there.join(", "), placeholder: numeric ? "0, 1, 2" : gettext("one, two"), autocomplete: "off",
    onchange: () => {
      const parts = made.value.split(",").map((part) => part.trim()).filter(Boolean);
      change(parts.map((part) => (numeric ? wholeNumber(part) : part)));
    },
  });
  return made;
}

// Cards or tiles by tapping, with what was tapped beside them.
function tapped(schema, there, most, change, path) {
  const item = schema.items || schema;
  const put = (one) => there.length < most && change([...there, one]);
  const pad = leafOf(item) === "tile" ? tilePad(put)
    : cardPad(new Map(there.map((card) => [card, 1])), 1, item.pattern.includes("Jo"), put);
  const taken = there.map((one, index) => h("button", {
    type: "button", class: "taken", "aria-label": filled(gettext("take back %(what)s"), { what: one }),
    onclick: () => change(there.filter((_, other) => other !== index)),
  }, leafOf(item) === "tile" ? one : cardName(one)));
  return h("div", { "data-field": path }, h("div", { class: "hand" }, taken.length ? taken : gettext("none yet")), pad);
}

function objectOf(schema, value, change, path) {
  const there = value || {};
  const set = (name, inner) => {
    const rest = { ...there };
    if (inner === undefined || (typeof inner === "object" && !Array.isArray(inner) && !Object.keys(inner).length)) {
      delete rest[name];
    } else rest[name] = inner;
    change(Object.keys(rest).length ? rest : undefined);
  };
  if (schema.properties) {
    return h("div", { class: "fields" }, Object.entries(schema.properties).map(([name, shape]) => field(
      named(name), shape.description, edit(shape, there[name], (inner) => set(name, inner), join(path, name)),
      Boolean(shape.properties), there[name] !== undefined)));
  }
  const shape = schema.additionalProperties || Object.values(schema.patternProperties || {})[0] || {};
  const rows = Object.keys(there).map((name) => field(
    named(name), "", edit(shape, there[name], (inner) => set(name, inner), join(path, name))));
  const more = h("input", {
    "data-field": `${path}+`, placeholder: gettext("one more: its name"), autocomplete: "off",
    onchange: () => more.value.trim() && change({ ...there, [more.value.trim()]: shape.type === "object" ? { } : "" }),
  });
  return h("div", { class: "fields" }, rows, more);
}

// What the rules call it, as the label of a field.
export const named = (name) => h("span", RULES, words(name));
const join = (path, name) => (path ? `${path}.${name}` : name);

export function field(label, about, widget, folds = false, open = false) {
  if (folds) return h("details", { class: "fold", open }, h("summary", {}, label), widget);
  const inputs = widget.matches("input, select") ? widget : null;
  if (inputs) inputs.id = `value-${(ids += 1)}`;
  const name = inputs ? h("label", { for: inputs.id }, label) : h("span", { class: "label" }, label);
  return h("div", { class: "field" }, name, widget, about ? h("span", { class: "help", ...RULES }, about) : null);
}

// A name from a list, or what the operator has made of their own.
function oneOf(schema, value, change, path) {
  const [named, own] = schema.oneOf;
  const isOwn = value !== null && typeof value === "object";
  return h("div", {}, select(named.enum, isOwn ? undefined : value, change, path),
    h("details", { class: "fold", open: isOwn }, h("summary", {}, gettext("or your own")),
      edit(own, isOwn ? value : {}, change, path)));
}
