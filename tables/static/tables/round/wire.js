// The terminal's wire over REST from a tablet: beats, what is not answered again and again, and whether Potline is heard.
// Its state is kept before a request leaves and after its answer came, so that a reload loses nothing.

const TIMEOUT_MS = 8000;
const HEADERS = { "Content-Type": "application/json", "Potline-Tablet": "1", "Potline-Version": "dealer's page" };
// Nothing was heard for so long: whoever looks at the page must know.
const LATE_MS = 5000;

export class Wire {
  // `heard()` after every exchange, `refused(problem, back)` where something was not taken.
  constructor(address, terminal, { keep, heard, refused }) {
    Object.assign(this, { address, terminal, keep, heard, refused });
    this.isUp = null;
    this.isShut = false;
    this.since = Date.now();
    this.lastHeard = null;
    this._pause = 100;
    this._busy = false;
  }

  start() {
    this._next(0);
  }

  isLive() {
    return Boolean(this.isUp) && Date.now() - this.lastHeard < LATE_MS;
  }

  // What was just told goes at once.
  send() {
    this.keep();
    this._again = true;
    if (!this._busy) this._next(0);
  }

  _next(after) {
    clearTimeout(this._timer);
    this._timer = setTimeout(() => this._exchange(), after);
  }

  async _exchange() {
    if (this._busy || this.terminal.stopped || this.isShut) return;
    this._busy = true;
    this._again = false;
    const { terminal } = this;
    if (terminal.clock.hasJumped()) terminal.restarted();
    this.keep();
    const request = terminal.request();
    let verdict = null;
    let well = false;
    try {
      const answer = await this.post("events", request);
      verdict = terminal.answered(request, answer.status, answer.body);
      this.isShut = [401, 403].includes(answer.status);  // asking again would look like somebody who guesses tokens
      well = answer.status < 300 || (verdict !== null && !terminal.stopped) || "at" in answer.body;
    } catch {
      well = false;
    }
    this._busy = false;
    this._count(well);
    this.keep();
    if (verdict) this.refused(verdict.problem, verdict.back);
    this.heard();
    if (terminal.stopped) return;
    this._next(this._after(well));
  }

  _count(well) {
    if (well !== this.isUp) this.since = Date.now();
    this.isUp = well;
    if (well) this.lastHeard = Date.now();
    this._pause = well ? 100 : Math.min(2000, this._pause * 2);
  }

  // After an answer to events another beat soon: it echoes that answer, so that nobody waits for this table.
  _after(well) {
    if (!well) return this._pause * (0.5 + Math.random() / 2);
    if (this._again || (this.terminal.session !== null && this.terminal.unanswered.length)) return 0;
    return this.terminal.mayTakeJackpotWagers() || this._settled ? this.terminal.beatMs : this._first();
  }

  // The first lease takes an echo: two quick beats after the start.
  _first() {
    this._settled = true;
    return 100;
  }

  async post(path, document) {
    return this._fetch(path, { method: "POST", headers: HEADERS, body: JSON.stringify(document) });
  }

  async get(path) {
    return this._fetch(path, { headers: HEADERS });
  }

  async _fetch(path, given) {
    const where = path.startsWith("/") ? path : `${this.address}/${path}`;
    const answer = await fetch(where, { ...given, signal: AbortSignal.timeout(TIMEOUT_MS), credentials: "same-origin", cache: "no-store" });
    return { status: answer.status, body: await answer.json() };
  }
}
