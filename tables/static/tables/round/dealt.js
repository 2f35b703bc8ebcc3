// What is dealt, rolled or spun: spots for it along the top, the pad of the one that comes next below.

import { RULES, capital, choice, filled, h, pip, words } from "./dom.js";
import { turn } from "./acts.js";
import { cardPad, choicePad, dicePad, tilePad } from "./pads.js";

export function dealtPanel(board) {
  const { draft, focus } = board;
  const targets = draft.game.targets(draft.seats());
  if (!targets.length) return h("p", { class: "soft" }, gettext("Nobody has chips on the layout yet."));
  const target = targets.find((each) => each.key === focus.target) || next(draft, targets) || targets[0];
  return h("div", { class: "panel dealt" },
    h("div", { class: "buttons targets" }, targets.map((each) => choice(
      [h("b", each.seat ? {} : RULES, capital(each.label)), " ", shown(draft, each)], each === target, () => board.at({ target: each.key }),
      { "data-target": each.key, class: each.needed ? "target" : "target optional" }))),
    h("p", { class: "hint" }, count(draft, target), target.about ? h("span", RULES, ` · ${capital(target.about)}`) : ""),
    turn(board), pad(board, target, targets),
    h("div", { class: "buttons" }, h("button", {
      type: "button", "data-back": true, disabled: draft.at(target.path) === undefined, onclick: () => draft.takeLast(target),
    }, gettext("Take the last back"))));
}

// The first that still needs something, then optional ones that are begun.
function next(draft, targets) {
  return targets.find((target) => target.needed && !draft.isFull(target)) || targets.find((target) => !draft.isFull(target));
}

function count(draft, target) {
  if (!target.list) return capital(target.label);
  const there = (draft.at(target.path) || []).length;
  const place = capital(target.label);
  if (target.most > 25) return filled(gettext("%(place)s: %(there)s so far"), { place, there });
  const { least, most } = target;
  if (least === most) return filled(gettext("%(place)s: %(there)s of %(most)s"), { place, there, most });
  return filled(gettext("%(place)s: %(there)s of %(least)s to %(most)s"), { place, there, least, most });
}

export function shown(draft, target) {
  const there = draft.at(target.path);
  if (there === undefined) return h("span", { class: "soft" }, "–");
  const list = Array.isArray(there) ? there : [there];
  return h("span", { class: "hand" }, list.map((one) => (target.leaf === "card" ? pip(one) : h("span", RULES, `${words(String(one))} `))));
}

function pad(board, target, targets) {
  const { draft } = board;
  let tapped = false;  // one card a drawing: two taps within a frame are one
  const put = (value) => {
    if (tapped) return;
    tapped = true;
    draft.add(target, value);
    if (draft.isFull(target)) {
      const rest = targets.slice(targets.indexOf(target) + 1).find((each) => !draft.isFull(each));
      board.at({ target: rest ? rest.key : target.key });
    }
  };
  const full = target.list && draft.isFull(target);
  if (full) return h("p", { class: "soft" }, gettext("All there. Tap another spot, or take the last back."));
  if (target.leaf === "card") return cardPad(draft.used(), draft.game.packs, target.item.pattern.includes("Jo"), put);
  if (target.leaf === "die") return dicePad(put);
  if (target.leaf === "tile") return tilePad(put);
  if (target.leaf === "choice") return choicePad(target.item.enum, put, draft.at(target.path));
  if (target.leaf === "flag") {
    return h("div", { class: "buttons" }, [true, false].map((meant) => choice(meant ? gettext("yes") : gettext("no"),
      draft.at(target.path) === meant, () => draft.set(target.path, meant), { "data-choice": String(meant) })));
  }
  const typed = h("input", {
    "data-field": target.key, value: draft.at(target.path) ?? "", autocomplete: "off", "aria-label": target.label,
    onchange: () => draft.set(target.path, typed.value.trim() || undefined),
  });
  return typed;
}
