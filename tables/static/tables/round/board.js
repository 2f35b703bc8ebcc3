// The board: seats, one panel at a time, and what the rules say of the round so far. Used to try a round and to deal one.

import { choice, gently, h } from "./dom.js";
import { decisionPanel, irregularPanel } from "./acts.js";
import { dealtPanel } from "./dealt.js";
import { seatRow, wagerPanel } from "./wagers.js";

const NOTHING = { faults: [], lacks: null, settlement: null, offers: [] };
export const ASK_AFTER_MS = 120;

export class Board {
  // `ask(document)` gives what the rules say; `show(board)` is called whenever something is to be drawn anew.
  constructor(draft, ask, show) {
    Object.assign(this, { draft, ask });
    this.show = gently(() => show(this));
    this.trial = NOTHING;
    this.lamps = {};
    this.chips = null;
    this.isOff = false;  // nothing may be laid now
    this.isFixed = () => false;
    this.words = "";
    this.focus = {
      place: draft.game.places()[0], kind: "", selection: "", parts: [], promo: false, target: "", tab: "wagers",
      act: { about: "" }, added: [],
    };
    this._asked = 0;
    draft.changed = () => this.changed();
  }

  at(more) {
    Object.assign(this.focus, more);
    this.words = "";
    this.show();
  }

  say(text) {
    this.words = text;
    this.show();
  }

  changed() {
    this.words = "";
    this.stale = true;
    this.show();
    clearTimeout(this._timer);
    this._timer = setTimeout(() => this.look(), ASK_AFTER_MS);
  }

  // Only the newest question's answer counts.
  async look() {
    const number = (this._asked += 1);
    const found = await this.ask(this.draft.document());
    if (number !== this._asked || !found) return;
    this.trial = found;
    this.stale = false;
    this.show();
  }

  seats() {
    return seatRow(this);
  }

  tabs(names) {
    return h("div", { class: "tabs", role: "group", "aria-label": gettext("What to fill in") }, Object.entries(names).map(([tab, label]) => choice(
      label, this.focus.tab === tab, () => this.at({ tab }), { "data-tab": tab })));
  }

  panel(kinds) {
    if (this.focus.tab === "dealt") return dealtPanel(this);
    if (this.focus.tab === "decisions") return decisionPanel(this);
    if (this.focus.tab === "irregular") return irregularPanel(this);
    return wagerPanel(this, kinds);
  }
}
