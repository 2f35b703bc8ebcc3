// The document of a round while it is made by hand: wagers by chips, what is dealt, decisions, irregularities. Each change
// can be undone. No page and no network live here; what it gives is what `rules` settles and a terminal tells.

import { cents, copy, money } from "./dom.js";

const EMPTY = { wagers: [], dealt: {}, decisions: [], irregularities: [], settings: {}, nextId: 1 };

export class Draft {
  constructor(game, { settings = {}, carried = null } = {}) {
    this.game = game;
    this.carried = carried;
    this.state = { ...copy(EMPTY), settings: copy(settings) };
    this.past = [];
    this.changed = () => {};
  }

  change(act) {
    this.past.push(JSON.stringify(this.state));
    if (this.past.length > 200) this.past.shift();
    const found = act(this.state);
    this.changed();
    return found;
  }

  undo() {
    if (!this.past.length) return;
    this.state = JSON.parse(this.past.pop());
    this.changed();
  }

  // ------------------------------------------------------------------------------------------------------- wagers

  wagerAt(place, kind, selection = "", promo = false) {
    return this.state.wagers.find((wager) => wager.kind === kind && wager.seat === place.seat
      && wager.player === place.player && wager.selection === selection && wager.promo === promo);
  }

  // Chips onto one place of the layout; those that lie there already are one wager with them.
  put(place, kind, selection, amount, promo = false) {
    this.change((state) => {
      const there = this.wagerAt(place, kind, selection, promo);
      if (there) there.stake += amount;
      else state.wagers.push({ id: this._newId(state), kind, ...place, selection, promo, stake: amount });
    });
  }

  takeUp(id) {
    this.change((state) => {
      state.wagers = state.wagers.filter((wager) => wager.id !== id);
      state.decisions = state.decisions.filter((decision) => decision.wager !== id);
    });
  }

  // Not one that stands from a round before.
  _newId(state) {
    const taken = new Set(((this.carried || {}).wagers || []).map((each) => each.wager.id));
    let id = "";
    do {
      id = `w${state.nextId}`;
      state.nextId += 1;
    } while (taken.has(id));
    return id;
  }

  // Seats and players that have chips here, also from rounds before.
  occupied() {
    const standing = ((this.carried || {}).wagers || []).map((each) => each.wager);
    return [...this.state.wagers, ...standing].map((wager) => ({ seat: wager.seat || 0, player: wager.player || "" }));
  }

  seats() {
    return [...new Set(this.occupied().map((place) => place.seat).filter(Boolean))].sort((a, b) => a - b);
  }

  // -------------------------------------------------------------------------------------------------------- dealt

  at(path) {
    return path.reduce((value, part) => (value === undefined ? undefined : value[part]), this.state.dealt);
  }

  set(path, value) {
    this.change((state) => {
      const last = path.at(-1);
      let inner = state.dealt;
      path.slice(0, -1).forEach((part, index) => {
        inner[part] ??= typeof path[index + 1] === "number" ? [] : {};
        inner = inner[part];
      });
      if (value === undefined) delete inner[last];
      else inner[last] = value;
    });
  }

  add(target, value) {
    if (!target.list) return this.set(target.path, value);
    const there = this.at(target.path) || [];
    if (there.length < target.most) this.set(target.path, [...there, value]);
  }

  takeLast(target) {
    const there = this.at(target.path);
    if (there === undefined) return;
    const rest = target.list ? there.slice(0, -1) : [];
    this.set(target.path, rest.length ? rest : undefined);
  }

  isFull(target) {
    const there = this.at(target.path);
    return there !== undefined && (!target.list || there.length >= target.most);
  }

  // How often each card or tile has been dealt.
  used() {
    const counts = new Map();
    const walk = (value) => {
      if (typeof value === "string") counts.set(value, (counts.get(value) || 0) + 1);
      else if (value && typeof value === "object") Object.values(value).forEach(walk);
    };
    walk(this.state.dealt);
    return counts;
  }

  // -------------------------------------------------------------------------------------------------------- acts

  // A decision, with the wager that it costs if it costs one: `stake` in cents.
  decide(decision, placed = null) {
    this.change((state) => {
      const made = { ...decision };
      if (placed) {
        made.wager = this._newId(state);
        const place = { seat: decision.seat || 0, player: decision.player || "" };
        state.wagers.push({ id: made.wager, kind: placed.kind, ...place, selection: "", promo: false, stake: placed.stake });
      }
      state.decisions.push(made);
    });
  }

  // A second tap would take back the one that has moved up.
  takeBackDecision(index, act) {
    if (this.state.decisions[index] !== act) return;
    this.change((state) => {
      const [gone] = state.decisions.splice(index, 1);
      const kind = this.game.decisions.find((each) => each.kind === gone.kind);
      if (kind && kind.wager) state.wagers = state.wagers.filter((wager) => wager.id !== gone.wager);
    });
  }

  report(irregularity) {
    this.change((state) => state.irregularities.push(irregularity));
  }

  takeBackIrregularity(index, act) {
    if (this.state.irregularities[index] !== act) return;
    this.change((state) => state.irregularities.splice(index, 1));
  }

  setting(part, name, value) {
    this.change((state) => {
      const there = { ...(state.settings[part] || {}) };
      if (value === undefined) delete there[name];
      else there[name] = value;
      state.settings[part] = there;
    });
  }

  // ---------------------------------------------------------------------------------------------------- documents

  wagers(firstStage = null) {
    const stage = this.game.entry.stages[0];
    return this.state.wagers
      .filter((wager) => firstStage === null || (this.game.kinds[wager.kind].stage === stage) === firstStage)
      .map(written);
  }

  document() {
    const { dealt, decisions, irregularities, settings } = this.state;
    const made = { game: this.game.name, rulebook: this.game.rulebook, ...copy(settings), wagers: this.wagers() };
    if (Object.keys(dealt).length) made.dealt = copy(dealt);
    if (decisions.length) made.decisions = copy(decisions);
    if (irregularities.length) made.irregularities = copy(irregularities);
    if (this.carried && Object.keys(this.carried).length) made.carried = copy(this.carried);
    return made;
  }

  asJson() {
    return { state: this.state, carried: this.carried };
  }

  restore(kept) {
    this.state = kept.state;
    this.carried = kept.carried;
    this.past = kept.past || [];
  }
}

function written(wager) {
  const made = { id: wager.id, kind: wager.kind, stake: money(wager.stake) };
  if (wager.seat) made.seat = wager.seat;
  for (const name of ["player", "selection"]) if (wager[name]) made[name] = wager[name];
  if (wager.promo) made.promo = true;
  return made;
}

export const stakeOf = (text) => cents(text) || null;
