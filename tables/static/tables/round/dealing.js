// A table run from a tablet, without its looks: the round under way step by step, what is told to Potline when, and what
// comes of a refusal. One round at a time: the next is opened when Potline has answered the last.

import { copy, filled } from "./dom.js";
import { Draft } from "./draft.js";
import { Game } from "./game.js";
import { Terminal } from "./terminal.js";
import { Wire } from "./wire.js";

const newRound = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
};
// The phases of a round at the table.
const KEPT_STEPS = 40;
export const [IDLE, BETTING, DEALING, TOLD, PAID] = ["idle", "betting", "dealing", "told", "paid"];

export class Dealing {
  // `show()` when something is to be drawn anew, `begun(draft)` when there is another round to draw.
  constructor(premises, table, { show, begun }) {
    Object.assign(this, { show, begun });
    this.key = `potline.dealer.${premises}/${table}`;
    const kept = this._kept();
    this.layout = kept.layout || null;
    this.entry = kept.entry || null;
    this.round = kept.round || null;
    this.last = kept.last || null;
    this.words = null;
    this.out = null;
    this.fresh = false;  // what Potline last said of the table still holds: nothing was played since
    this.terminal = new Terminal(kept.terminal);
    this.terminal.onAnswer = (answer, event) => this._answered(answer, event);
    this.wire = new Wire(`/api/v1/tables/${encodeURIComponent(premises)}/${encodeURIComponent(table)}`, this.terminal, {
      keep: () => this.keep(), heard: () => this._heard(), refused: (problem, back) => this._refused(problem, back),
    });
  }

  get phase() {
    return this.round ? this.round.phase : IDLE;
  }

  // ------------------------------------------------------------------------------------------------------ its memory

  _kept() {
    try {
      return JSON.parse(localStorage.getItem(this.key)) || {};
    } catch {
      return {};
    }
  }

  keep() {
    // With what undo goes back to, so that it works after a reload too.
    if (this.round && this.draft) this.round.draft = { ...this.draft.asJson(), past: this.draft.past.slice(-KEPT_STEPS) };
    const { layout, entry, round, last } = this;
    localStorage.setItem(this.key, JSON.stringify({ layout, entry, round, last, terminal: this.terminal.asJson() }));
  }

  // --------------------------------------------------------------------------------------------------------- the start

  async start() {
    await this.look();
    if (this.out || !this.entry) return;
    this.game = new Game(this.entry);
    this._draw(this.round && this.round.draft);
    this.wire.start();
  }

  // The table as Potline knows it; without an answer as it was last.
  async look() {
    try {
      const told = await this.wire.get("layout");
      if (told.status !== 200) {
        this.out = told.body;
        return;
      }
      this.layout = told.body;
      this.fresh = true;
      const { game, rulebook } = this.layout.rules;
      if (!this.entry || this.entry.game !== game || this.entry.rulebook !== rulebook) {
        const games = await this.wire.get(`/api/v1/games?game=${encodeURIComponent(game)}`);
        this.entry = games.body.find((each) => each.rulebook === rulebook);
      }
    } catch {
      if (!this.layout) this.words = { detail: gettext("Potline does not answer. Trying again."), faults: [] };
    }
  }

  // What people have paid of a jackpot out of this tray since: the dealer must see it leave.
  async lookAtTray() {
    if (this.out || !this.layout || !this.wire.isLive()) return;
    try {
      const told = await this.wire.get("layout");
      if (told.status === 200) this.layout.paid_from_tray = told.body.paid_from_tray;
    } catch {
      return;  // the next look tells
    }
    this.show();
  }

  _draw(kept) {
    const { game: _game, rulebook: _rulebook, ...settings } = this.layout.rules;
    if (this.layout.seats) this.game.seats = this.layout.seats;
    this.draft = new Draft(this.game, { settings, carried: this.layout.carried });
    if (kept) this.draft.restore(kept);
    this.begun(this.draft);
  }

  // --------------------------------------------------------------------------------------------------------- the steps
  //
  // Each is taken once: a second tap finds the round past it.

  mayOpen() {
    return this.layout.is_open && this.wire.isLive() && !this.terminal.unanswered.length && !this.terminal.stopped
      && this.terminal.session !== null && !this.foreign();
  }

  // A round that Potline waits for and this tablet knows nothing of.
  foreign() {
    const { underWay: found, unanswered } = this.terminal;
    const known = (this.round && this.round.uid === found) || unanswered.some(({ round }) => round === found);
    return found && !known ? found : null;
  }

  async open() {
    if (this.round) return;
    if (!this.fresh) await this.look();
    if (this.round) return;  // another tap was faster
    if (this.out || !this.mayOpen()) return this.show();
    this.fresh = false;
    this.round = { uid: newRound(), phase: BETTING, lamps: {}, as: {}, number: null, marked: [] };
    this.words = null;
    this.game = new Game(this.entry);
    this._draw(null);
    this._tell("open");
  }

  // The same chips as in the round before, to begin with.
  asLastTime() {
    if (this.draft.state.wagers.length) return;
    for (const { kind, selection, stake, promo, seat, player } of this.last || []) {
      this.draft.put({ seat, player }, kind, selection, stake, promo);
    }
  }

  noMoreBets() {
    if (this.phase !== BETTING) return;
    this.last = copy(this.draft.state.wagers);
    this._tellWagers();
    this._tell("no-more-bets");
    this._to(DEALING);
  }

  _tellWagers() {
    const wagers = this.draft.wagers(true);
    if (wagers.length) this._tell("wagers", { wagers });
  }

  // The moment that gives jackpot hands their place, by a finger: known to a second.
  mark(moment) {
    if (this.toMark() !== moment) return;
    this.round.marked.push(moment);
    this._tell("mark", { moment, source: "tap" });
    this.show();
  }

  // Which moment is still to be marked: where chips lie on a jackpot, before anything is dealt.
  toMark() {
    const { moments, jackpot_kinds: kinds } = this.layout;
    const [moment] = moments.filter((each) => this.round && !this.round.marked.includes(each));
    if (this.phase !== DEALING || !moment) return null;
    const { wagers } = this.draft.state;
    const standing = ((this.draft.carried || {}).wagers || []).map((each) => each.wager);
    return [...wagers, ...standing].some((wager) => kinds.includes(wager.kind)) ? moment : null;
  }

  result() {
    if (![BETTING, DEALING].includes(this.phase)) return;
    const { dealt, decisions, irregularities } = this.draft.state;
    const body = { dealt, decisions, irregularities, wagers: this.draft.wagers(false) };
    if (this.phase === BETTING) {
      this._tellWagers();
      body.locked_at = this._now();
    }
    this._tell("result", body);
    this._to(TOLD);
  }

  voidForeign(uid) {
    if (this.foreign() !== uid) return;
    this.terminal.tell("result", uid, { irregularities: [{ kind: "invalidated" }], locked_at: this._now() });
    this.terminal.underWay = null;
    this.wire.send();
  }

  // Between two rounds: the last one is paid.
  goodbye() {
    if (![IDLE, PAID].includes(this.phase) || this.terminal.unanswered.some(({ kind }) => kind === "goodbye")) return;
    this.round = null;
    this._draw(null);
    this.terminal.tell("goodbye");
    this.wire.send();
  }

  next() {
    if (this.phase !== PAID) return;
    this.round = null;
    return this.open();
  }

  _now() {
    return new Date(this.terminal.clock.read()).toISOString();
  }

  _tell(kind, body = {}) {
    this.terminal.tell(kind, this.round.uid, body, this.round.as[kind]);
    delete this.round.as[kind];
    this.wire.send();
  }

  _to(phase) {
    this.round.phase = phase;
    this.words = null;
    this.keep();
    this.show();
  }

  // -------------------------------------------------------------------------------------------------------- the answers

  _answered(answer, event) {
    if (event && event.kind === "goodbye") this.layout.is_open = false;
    if (!this.round || answer.round !== this.round.uid) return;
    this.round.number = answer.round_number;
    this.terminal.underWay = event && event.kind === "result" ? null : this.round.uid;
    for (const lamp of answer.jackpots || []) this.round.lamps[lamp.wager] = lamp;
    if (event && event.kind === "result") {
      this.round.phase = PAID;
      this.words = null;
      this.fresh = false;
      this.look().then(() => this.show());
      this._booked();
    }
  }

  _heard() {
    const { terminal, round } = this;
    // Potline knows nothing of the round here: it was ended by others, or this tablet's memory is of another day.
    const idle = terminal.session !== null && !terminal.unanswered.length && this.wire.isUp;
    if (idle && round && [BETTING, DEALING].includes(round.phase) && terminal.underWay === null && round.number !== null
        && this._beats(2)) {
      this.words = { detail: filled(gettext("Round %(number)s is over for Potline: it was ended elsewhere. Begin the next."), round), faults: [] };
      this.round = null;
      this._draw(null);
    }
    this.show();
  }

  // So many answers in a row said that nothing is under way: one may have crossed with what was just told.
  _beats(wanted) {
    this._quiet = this._quietRound === this.round.uid ? this._quiet + 1 : 1;
    this._quietRound = this.round.uid;
    return this._quiet > wanted;
  }

  // Until a worker has booked it: then the lines are in the books.
  async _booked() {
    const { uid } = this.round;
    for (let tries = 0; tries < 40 && this.round && this.round.uid === uid; tries += 1) {
      try {
        const told = await this.wire.get(`rounds/${uid}`);
        if (told.status === 200 && ["settled", "parked"].includes(told.body.state)) {
          this.round.booked = told.body.state;
          this.round.error = told.body.error;
          this.keep();
          return this.show();
        }
      } catch {
        // the next try
      }
      await new Promise((go) => setTimeout(go, 1000));
    }
  }

  // What was refused and all that was told after it is in hand again: back to the step that it belongs to.
  _refused(problem, back) {
    this.words = problem;
    if (problem.code === "table_closed") this.layout.is_open = false;
    if ([401, 403].includes(problem.status)) this.out = problem;
    const [first] = back;
    if (first && this.round && first.round === this.round.uid) {
      for (const event of back) if (event.kind !== "mark") this.round.as[event.kind] = event;
      this.round.phase = { open: IDLE, wagers: BETTING, "no-more-bets": BETTING }[first.kind] || DEALING;
      if (back.some((event) => event.kind === "mark")) this.round.marked = [];
      if (first.kind === "open") this.round = null;
      // A void before "no more bets" has no lock of its own to go back to.
      else if (first.kind === "result" && first.body.locked_at) this.round.phase = BETTING;
    }
    this.keep();
    this.show();
  }
}
