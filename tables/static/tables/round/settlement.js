// A settlement for people: what each place gets, line by line, with odds, amounts and the rule that decided each.

import { RULES, filled, h, pip, words } from "./dom.js";
import { placeName } from "./wagers.js";

const micros = (text) => {
  const [whole, part = ""] = text.replace("-", "").split(".");
  const found = Number(whole) * 1e6 + Number(part.padEnd(6, "0"));
  return text.startsWith("-") ? -found : found;
};
const text = (amount) => {
  const [whole, part] = [Math.trunc(Math.abs(amount) / 1e6), Math.abs(amount) % 1e6];
  const digits = String(part).padStart(6, "0").replace(/0{1,4}$/, "");
  return `${amount < 0 ? "−" : ""}${whole.toLocaleString("en")}.${digits}`;
};
export const toPlayer = (line) => micros(line.winnings) + micros(line.returned) - micros(line.commission);
const AMOUNTS = {
  winnings: () => gettext("winnings"), returned: () => gettext("returned"), standing: () => gettext("standing"),
  commission: () => gettext("commission"), rounding: () => gettext("rounding"),
};
const TONES = { win: "good", lose: "plain", push: "", void: "warn", stands: "" };

export function settlementPanel(settlement, title = gettext("Settlement")) {
  const groups = new Map();
  for (const line of settlement.lines) {
    const place = { seat: line.wager.seat || 0, player: line.wager.player || "" };
    const key = placeName(place);
    groups.set(key, [...(groups.get(key) || []), line]);
  }
  const result = Object.entries(settlement.result).map(([who, what]) => [
    /^\d+$/.test(who) ? filled(gettext("seat %(seat)s"), { seat: who }) : h("span", RULES, words(who)), ": ", h("span", RULES, what)]);
  return h("section", { class: "settlement", "data-settled": true }, h("h2", {}, title),
    result.length ? h("p", { class: "result" }, result.map((one, index) => (index ? [" · ", one] : one))) : null,
    settlement.hits.map((hit) => h("p", { class: "note success hit" }, filled(gettext("Jackpot hand: %(hand)s at %(place)s"), {
      hand: words(hit.trigger), place: placeName({ seat: hit.wager.seat || 0, player: hit.wager.player || "" }) }), " ",
    (hit.cards || []).map(pip), h("span", { class: "rule", ...RULES }, ` (${hit.rule}) `),
    gettext("A supervisor verifies and pays it."))),
    h("div", { class: "groups" }, [...groups].map(([who, lines]) => group(who, lines))),
    settlement.lines.length ? null : h("p", { class: "soft" }, gettext("No wager lay on the layout.")));
}

function group(who, lines) {
  const pays = lines.reduce((sum, line) => sum + toPlayer(line), 0);
  return h("div", { class: "paid" }, h("div", { class: "head" }, h("b", {}, who), h("b", { class: "amount" }, text(pays))),
    lines.map(sentence));
}

function sentence(line) {
  const { wager } = line;
  const name = words(wager.kind) + (wager.selection ? ` ${wager.selection}` : "");
  const amounts = Object.keys(AMOUNTS).filter((each) => micros(line[each]) !== 0 && !(line.odds && each === "winnings"))
    .map((each) => `${AMOUNTS[each]()} ${line[each]}`);
  const odds = line.odds ? ` ${line.odds} = ${line.winnings}` : "";
  return h("div", { class: "line", "data-line": wager.id },
    h("span", RULES, `${name} ${wager.stake} `, h("span", { class: `tag ${TONES[line.outcome] || ""}` }, `${line.outcome}${odds}`)),
    h("span", { class: "small soft" }, amounts.join(", ")),
    h("span", { class: "rule", ...RULES }, [line.rule, ...line.also].join("; ")));
}

// Faults in red with their rule, what is still missing quietly.
export function wordsOfTrial(trial) {
  const one = (fault, tone) => h("p", { class: `note ${tone}`, role: tone === "error" ? "alert" : "status", "data-fault": fault.rule || "", ...RULES },
    h("span", { class: "mono" }, fault.field), ` ${fault.message}`, fault.rule ? h("span", { class: "rule" }, ` (${fault.rule})`) : null);
  return h("div", { class: "words" }, trial.faults.map((fault) => one(fault, "error")),
    trial.lacks && !trial.faults.length ? one(trial.lacks, "quiet") : null);
}
