// A panel: one progressive on the glass. It rolls toward the newest frame and never past it, and keeps what stood there.
"use strict";
(() => {
  const STALE_MS = 5000, MAX_SHOWN = 100, DRAW_MS = 25;        // some thirty pictures a second: an old box has no more
  // A frame stands on the glass this long after it came, so that a contribution does within half a second. The rest of
  // what a figure may be behind is for the way from the server, and for a tick of the timer where nothing is animated.
  const ROLL_MS = Sign.calm ? 0 : Math.round(0.35 * Sign.setUp.behind_ms);

  class Meter {
    constructor(name, currency, into, resized) {
      this.format = Sign.format(currency); this.resized = resized;
      this.figure = Sign.make("div", "meter");
      this.note = Sign.make("p", "fault", Sign.say("fault")); this.note.hidden = true;
      this.box = Sign.make("div", "level", Sign.make("h2", "", name.replaceAll("-", " ")), this.figure, this.note);
      this.box.dataset.level = name;
      into.append(this.box);
      this.text = this.shape = "";
    }
    // Wheels as in a counter: between two cents the last one stands between two digits, and takes the next one with it
    // only from 9 to 0. So the glass never shows a figure that is higher or lower than where the roll is.
    draw(value) {
      const whole = Math.floor(value), text = this.format.format(whole / 100);
      if (text !== this.text) {
        const shape = text.replace(/\d/g, "0");
        if (shape !== this.shape) {
          this.figure.replaceChildren(...[...text].map((c) => this.cell(c)));
          this.shape = shape;
          this.resized();
        }
        this.text = text;
        this.figure.setAttribute("aria-label", text);
        this.figure.dataset.value = (whole / 100).toFixed(2);
      }
      let turn = value - whole;
      for (let i = text.length - 1; i >= 0; i--) {
        if (text[i] < "0" || text[i] > "9") { continue; }
        const cell = this.figure.children[i], place = Number(text[i]) + turn;
        if (cell.place !== place) { cell.place = place; cell.firstChild.style.transform = `translateY(${-1.15 * place}em)`; }
        if (text[i] !== "9") { turn = 0; }
      }
    }
    cell(c) {
      const cell = document.createElement("span");
      if (c >= "0" && c <= "9") {
        cell.className = "digit";
        const strip = Sign.make("span", "strip", ...[..."01234567890"].map((d) => Sign.make("span", "", d)));
        cell.append(strip);
      } else { cell.textContent = c; }
      return cell;
    }
  }

  Sign.Panel = class {
    constructor(code, into) {
      this.code = code;
      this.title = document.createElement("h1");
      this.levels = Sign.make("div", "levels");
      this.note = Sign.make("p", "suspended", Sign.say("suspended")); this.note.hidden = true;
      this.box = Sign.make("section", "panel", Sign.make("header", "", this.title, this.note), this.levels);
      this.box.dataset.progressive = code;
      into.append(this.box);
      this.meters = new Map();
      this.heard = 0; this.sequence = -1; this.frame = null; this.away = false;
      this.stood = null; this.left = 0; this.coming = []; this.drawing = false;
      this.shown = []; this.lastTold = [];
    }
    get stale() { return Date.now() - this.heard > STALE_MS; }
    get hidden() { return this.away || document.hidden; }

    take(frame) {
      const silent = this.stale;
      if (frame.live !== false) { this.heard = Date.now(); }        // else the last that was logged: shown as not live
      if (frame.sequence < this.sequence) { return false; }         // an old frame overtaken by a newer one
      if (frame.sequence !== this.sequence) { this.aim(frame, silent); }
      this.sequence = frame.sequence; this.frame = frame;
      Sign.put(this.title, frame.name);
      this.note.hidden = !frame.suspended;
      for (const { level, fault } of frame.levels) {
        const meter = this.meters.get(level);
        meter.note.hidden = !fault;
        Sign.mark(meter.box, "fault", fault ? "true" : "");
      }
      return true;
    }

    // The roll. The glass goes evenly from the frame that last stood there whole (`stood`, which it left at `left`) to the
    // next of those that are `coming`, and reaches each when it is due: however many come, none is late, and a frame that
    // says nothing new changes nothing. What takes a figure back (a win, a return), what comes after a silence and what
    // nobody sees roll is set at once.
    aim(frame, silent) {
      const now = performance.now(), figures = new Map(frame.levels.map(({ level, value }) => [level, Sign.cents(value)]));
      for (const level of figures.keys()) {
        if (!this.meters.has(level)) {
          this.meters.set(level, new Meter(level, frame.currency, this.levels, () => this.resize()));
          this.levels.dataset.count = this.meters.size;
        }
      }
      const next = { sequence: frame.sequence, figures, due: now + ROLL_MS }, before = this.coming.at(-1) ?? this.stood;
      const risen = [...figures].map(([level, value]) => value - before?.figures.get(level));    // NaN: was not there
      const same = !this.coming.length && risen.every((rise) => rise === 0);
      if (silent || same || this.hidden || !risen.every((rise) => rise >= 0)) { this.stand(next, now); return; }
      if (!this.coming.length) { this.left = now; }
      this.coming.push(next);
      this.animate();
    }
    // The others are sized by the longest of theirs; by --top as well, where they stand as wide as the top level: none is
    // written larger than a higher one.
    resize() {
      const lengths = [...this.meters.values()].map((meter) => meter.shape.length);
      this.levels.style.setProperty("--top", lengths[0]);
      this.levels.style.setProperty("--chars", Math.max(...lengths.slice(1), 1));
    }
    stand(frame, now) {
      frame.figures.forEach((value, level) => this.meters.get(level).draw(value));
      this.stood = frame; this.left = now;
      this.coming = this.coming.filter((other) => other.due > frame.due);
      if (!this.away) { this.shown.push([frame.sequence, Date.now()]); }
    }
    roll() {
      const now = performance.now(), reached = this.coming.filter((frame) => frame.due <= now || this.hidden).at(-1);
      if (reached) { this.stand(reached, now); return; }
      if (!this.coming.length) { return; }
      const part = (now - this.left) / (this.coming[0].due - this.left);
      this.coming[0].figures.forEach((value, level) => {
        const from = this.stood.figures.get(level);
        this.meters.get(level).draw(from + (value - from) * part);
      });
    }
    animate() {
      if (this.drawing || !this.coming.length) { return; }
      this.drawing = true;
      setTimeout(() => requestAnimationFrame(() => { this.drawing = false; this.roll(); this.animate(); }), DRAW_MS);
    }

    // In turn with others: what is away is not on the glass, and is not told to have been there.
    show(on) {
      if (on === !this.away) { return; }
      this.away = !on;
      this.box.classList.toggle("away", this.away);
      if (on && this.stood) { this.shown.push([this.stood.sequence, Date.now()]); }
    }

    // What stood on the glass whole, the figures that stand there now, and, while it rolls, toward which frame: the
    // figures are then between the last that stood and that one.
    report() {
      if (this.sequence < 0 || this.away && !this.shown.length) { return null; }
      const told = {
        progressive: this.code,
        shown: this.shown.length ? this.shown.slice(-MAX_SHOWN) : [[this.stood.sequence, Date.now()]],
      };
      if (!this.away) {
        told.figures = Object.fromEntries([...this.meters].map(([level, meter]) => [level, meter.figure.dataset.value]));
        if (this.coming.length) { told.toward = this.coming[0].sequence; }
      }
      this.lastTold = told.shown; this.shown = [];
      return told;
    }
    // Whether the last report arrived is not known: it goes again, and is kept once.
    untold() { this.shown = [...this.lastTold, ...this.shown]; this.lastTold = []; }
  };
})();
