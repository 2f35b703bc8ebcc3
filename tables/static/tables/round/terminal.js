// A terminal without a network, the same as `simulator/terminal/core.py`: what to send, and what an answer means. It numbers,
// stamps by a steady clock, and keeps everything until it is answered. One request at a time.

import { filled } from "./dom.js";
import { hashOf } from "./sha256.js";

const MAX_EVENTS = 500;
const STATE_VERSION = 1;
const STOPPING = ["session_over", "head_unknown"];
const JUMP_MS = 250;
const newId = () => [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

// The time of day when the page began, counted on by the browser's steady clock. Another id after every start, and where
// the two have parted: the tablet slept, or somebody set its clock.
export class Clock {
  constructor() {
    this.id = newId();
    this._began = Date.now() - performance.now();
  }

  read() {
    return this._began + performance.now();
  }

  hasJumped() {
    return Math.abs(Date.now() - this.read()) > JUMP_MS;
  }
}

const written = (reading) => `${new Date(Math.floor(reading)).toISOString().slice(0, -1)}${String(Math.floor((reading % 1) * 1000)).padStart(3, "0")}Z`;
const read = (text) => Date.parse(text);
const split = (head) => {
  const [number, hash] = head.split(":");
  return [Number(number), hash];
};

export class Terminal {
  constructor(kept = null) {
    this.clock = new Clock();
    this.onAnswer = () => {};
    this.leaseUntil = null;
    this.beatMs = 2000;
    this.noLease = "";
    this.underWay = null;
    this.stopped = null;
    this.batch = MAX_EVENTS;
    this._echo = null;
    const state = kept && kept.version === STATE_VERSION ? kept : { session: null, number: 0, head: null, unanswered: [] };
    for (const name of ["session", "number", "head", "unanswered"]) this[name] = state[name];
  }

  asJson() {
    const { session, number, head, unanswered } = this;
    return { version: STATE_VERSION, session, number, head, unanswered };
  }

  // ------------------------------------------------------------------------------------------------- what happens

  // It has happened now; or, mended after a refusal, when it did (`as` is the event that was taken back).
  tell(kind, round = null, body = {}, as = null) {
    if (kind === "goodbye") this.leaseUntil = null;
    this.number += 1;
    const event = { number: this.number, kind, at: as ? as.at : written(this.clock.read()), clock: as ? as.clock : this.clock.id, body };
    if (round !== null) event.round = round;
    this.unanswered.push(event);
    return event;
  }

  mayTakeJackpotWagers() {
    return this.leaseUntil !== null && this.clock.read() <= this.leaseUntil;
  }

  restarted() {
    this.clock = new Clock();
    this._echo = this.leaseUntil = null;
  }

  // --------------------------------------------------------------------------------------------------- the request

  request() {
    const events = this.session === null ? [] : this.unanswered.slice(0, this.batch);
    return { envelope: this.envelope(), events };
  }

  envelope() {
    const now = this.clock.read();
    const found = { clock: this.clock.id, sent_at: written(now) };
    // Everything up to the last number is on its way: nothing before now is untold.
    if (this.session !== null || !this.unanswered.length) found.told_until = written(now);
    if (this.session !== null) Object.assign(found, { session: this.session, last_number: this.number });
    if (this.head !== null) found.head = this.head;
    if (this._echo) Object.assign(found, { echo: this._echo.at, echo_received_at: written(this._echo.received) });
    return found;
  }

  // ---------------------------------------------------------------------------------------------------- the answer

  // Takes in what came back. Gives null, or the problem with the events that are given back because of it.
  answered(request, status, body) {
    const received = this.clock.read();
    const problem = status < 300 ? null : body;
    if (problem && STOPPING.includes(problem.code)) this.stopped = problem;
    if (problem && problem.code === "too_large") this.batch = Math.max(1, request.events.length >> 1);
    if ("at" in body) this._takeIn(request, body, received);
    return this._verdict(request, status, problem);
  }

  _takeIn(request, body, received) {
    if (request.envelope.clock === this.clock.id) {
      this._echo = { at: body.at, received };
      this.noLease = body.no_lease || "";
      if (body.lease_ms !== null) {
        this.leaseUntil = Math.max(this.leaseUntil || 0, read(request.envelope.sent_at) + body.lease_ms);
      }
      if (body.new_clock) this.restarted();
    }
    const taken = new Set(body.answers.map((each) => each.number));
    this.unanswered = this.unanswered.filter((event) => !taken.has(event.number));
    this._numberBy(body.session, body.expected);
    this._follow(request, body);
    this.beatMs = body.beat_ms;
    if (!request.events.length) this.underWay = body.under_way;
    body.answers.forEach((each) => this.onAnswer(each, request.events.find((event) => event.number === each.number)));
    if (!this.unanswered.length) this.batch = MAX_EVENTS;
  }

  _numberBy(session, expected) {
    if (this.session === null) {
      this.session = session;
      this._renumber(expected);
    }
    this.number = Math.max(this.number, expected - 1);
    const first = this.unanswered.length ? this.unanswered[0].number : this.number + 1;
    if (expected < first) {
      this.stopped = { code: "lost_events", detail: filled(
        gettext("Potline expects event %(expected)s, and this tablet has none before %(first)s any more."), { expected, first }) };
    }
  }

  _renumber(first) {
    this.unanswered.forEach((event, index) => { event.number = first + index; });
    this.number = first - 1 + this.unanswered.length;
  }

  // The chain of its own events and their answers, held against Potline's head.
  _follow(request, body) {
    const told = body.head;
    if (!told) return;
    if (this.head === null) {
      this.head = told;
      return;
    }
    let [number, before] = split(this.head);
    for (const { new: _new, ...answer } of body.answers) {
      if (answer.number !== number + 1) continue;
      number += 1;
      const event = hashOf(request.events.find((each) => each.number === number));
      before = hashOf({ answer, before, event, session: body.session });
    }
    const [end] = split(told);
    if (end > number && !this.unanswered.some((event) => event.number <= end)) {
      this.head = told;
      return;
    }
    this.head = `${number}:${before}`;
    if (end < number || (end === number && told !== this.head)) {
      this.stopped = { code: "head_differs", detail: filled(
        gettext("Potline stands at %(told)s, by what this tablet told and was told it is %(head)s."), { told, head: this.head }) };
    }
  }

  // An event that is refused for good uses no number: it and those behind it are given back, to be mended and told anew.
  _verdict(request, status, problem) {
    if (this.stopped) return { problem: this.stopped, back: [] };
    if (!problem || problem.retry || status >= 500 || status === 429) return null;
    if (problem.code === "too_large" && request.events.length > 1) return null;
    if (!request.events.length || !("expected" in problem)) return { problem, back: [] };
    const back = this.unanswered;
    this.unanswered = [];
    this.number = problem.expected - 1;
    return { problem, back };
  }
}
