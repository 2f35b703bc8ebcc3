// A sign: takes frames, rolls toward the newest and never past it, says when it is not live, reports what was on the glass.
"use strict";
(() => {
  const STALE_MS = 5000, REPORT_MS = 5000, NOTICE_MS = 6000, TICK_MS = 250, MAX_SHOWN = 100;
  // A frame stands on the glass this long after it came. The figure may be a second behind: the rest is for the way from
  // the server, and for a tick of the timer where the browser draws no animation.
  const ROLL_MS = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 600;
  const body = document.body, levels = document.getElementById("levels"), status = document.getElementById("status");
  const notice = document.getElementById("notice");
  const meters = new Map();
  let socket = null, retries = 0, heard = 0, sequence = -1, notices = [], withdrawn = false;
  let stood = null, left = 0, coming = [], drawing = false;         // the roll: see below
  let shown = [], lastTold = [], reported = 0;

  const cents = (text) => Number(text.replace(".", ""));          // "20001.80" → 2000180; whole cents, exact below 2^53
  const words = (name) => name.replaceAll("-", " ");
  const clock = (ms) => new Date(ms).toLocaleTimeString("en-GB");

  class Meter {
    constructor(name, currency) {
      this.format = new Intl.NumberFormat("en-NZ", { style: "currency", currency, currencyDisplay: "narrowSymbol" });
      const box = document.createElement("div"), title = document.createElement("h2");
      box.className = "level"; box.dataset.level = name; title.textContent = words(name);
      this.figure = document.createElement("div"); this.figure.className = "meter";
      box.append(title, this.figure); levels.append(box);
      this.text = this.shape = "";
    }
    // Wheels as in a counter: between two cents the last one stands between two digits, and takes the next one with it
    // only from 9 to 0. So the glass never shows a figure that is higher or lower than where the roll is.
    draw(value) {
      const whole = Math.floor(value), text = this.format.format(whole / 100);
      if (text !== this.text) {
        const shape = text.replace(/\d/g, "0");
        if (shape !== this.shape) { this.figure.replaceChildren(...[...text].map((c) => this.cell(c))); this.shape = shape; }
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
        const strip = document.createElement("span"); strip.className = "strip";
        for (const d of "01234567890") { const s = document.createElement("span"); s.textContent = d; strip.append(s); }
        cell.append(strip);
      } else { cell.textContent = c; }
      return cell;
    }
  }

  function take(frame) {
    const silent = Date.now() - heard > STALE_MS;
    if (frame.live !== false) { heard = Date.now(); }               // else the last that was logged: shown as not live
    if (frame.sequence < sequence) { return; }                      // an old frame overtaken by a newer snapshot
    if (frame.sequence !== sequence) { aim(frame, silent); }
    sequence = frame.sequence;
    const recent = frame.wins.filter((win) => Date.parse(frame.at) - Date.parse(win.resolved_at) < 120000);
    notices = [
      ...frame.pending.map((hit) => ({ kind: "pending", label: "PENDING", ...hit })),
      ...recent.map((win) => ({ kind: "won", label: "WON", ...win })),
    ].map((item) => ({ ...item, currency: frame.currency }));
    if (frame.live !== false) { live(); }
    tell();
    showNotice();
  }

  // The roll. The glass goes evenly from the frame that last stood there whole (`stood`, which it left at `left`) to the
  // next of those that are `coming`, and reaches each when it is due: however many come, none is late, and a frame that
  // says nothing new changes nothing. What takes a figure back (a win, a return), what comes after a silence and what
  // nobody sees roll is set at once.
  function aim(frame, silent) {
    const now = performance.now(), figures = new Map(frame.levels.map(({ level, value }) => [level, cents(value)]));
    for (const level of figures.keys()) {
      if (!meters.has(level)) { meters.set(level, new Meter(level, frame.currency)); }
    }
    const next = { sequence: frame.sequence, figures, due: now + ROLL_MS }, before = coming.at(-1) ?? stood;
    const risen = [...figures].map(([level, value]) => value - before?.figures.get(level));      // NaN: was not there
    const same = !coming.length && risen.every((rise) => rise === 0);
    if (silent || same || document.hidden || !risen.every((rise) => rise >= 0)) { stand(next, now); return; }
    if (!coming.length) { left = now; }
    coming.push(next);
    animate();
  }

  function stand(frame, now) {
    frame.figures.forEach((value, level) => meters.get(level).draw(value));
    stood = frame; left = now;
    coming = coming.filter((other) => other.due > frame.due);
    shown.push([frame.sequence, Date.now()]);
  }

  function roll() {
    const now = performance.now(), reached = coming.filter((frame) => frame.due <= now || document.hidden).at(-1);
    if (reached) { stand(reached, now); return; }
    if (!coming.length) { return; }
    const part = (now - left) / (coming[0].due - left);
    coming[0].figures.forEach((value, level) => {
      const from = stood.figures.get(level);
      meters.get(level).draw(from + (value - from) * part);
    });
  }

  function animate() {
    if (drawing || !coming.length) { return; }
    drawing = true;
    requestAnimationFrame(() => { drawing = false; roll(); animate(); });
  }

  function live() { body.dataset.state = "live"; status.textContent = `Live at ${clock(heard)}`; }

  function stale() {
    body.dataset.state = heard ? "stale" : "waiting";
    status.textContent = heard ? `Not live since ${clock(heard)}` : "Connecting …";
    if (withdrawn) { status.textContent = "This sign's address was withdrawn."; }
  }

  function showNotice() {
    if (!notices.length) { notice.hidden = true; return; }
    const item = notices[Math.floor(Date.now() / NOTICE_MS) % notices.length];
    const money = new Intl.NumberFormat("en-NZ", { style: "currency", currency: item.currency, currencyDisplay: "narrowSymbol" });
    notice.hidden = false; notice.dataset.kind = item.kind;
    document.getElementById("notice-kind").textContent = item.label;
    document.getElementById("notice-text").textContent = `${words(item.hand)} · table ${item.table}, seat ${item.seat}`;
    // No amount while people have to say first in which order hits fell.
    document.getElementById("notice-amount").textContent = item.amount ? money.format(cents(item.amount) / 100) : "amount to be decided";
  }

  function connect() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const token = location.pathname.split("/").filter(Boolean).pop();
    socket = new WebSocket(`${scheme}//${location.host}/ws/signs/${token}/`);
    socket.onopen = () => { retries = 0; sequence = -1; };
    socket.onmessage = (message) => take(JSON.parse(message.data));
    socket.onclose = (event) => {
      // Whether the last report arrived is not known: it goes again, and is kept once.
      shown = [...lastTold, ...shown]; lastTold = [];
      if (event.code === 4409) { location.reload(); return; }       // set up anew
      if (event.code === 4403) { withdrawn = true; stale(); return; }
      // With jitter, so that a thousand signs do not come back in the same moment.
      const pause = Math.min(10000, 500 * 2 ** retries++) * (0.5 + Math.random());
      setTimeout(connect, pause);
    };
  }

  // Every five seconds: which frames stood on the glass whole, the figures that stand there now, and, while it rolls,
  // toward which frame: the figures are then between the last that stood and that one. Frames ring too, because timers
  // of a busy or hidden tab are slow.
  function tell() {
    const now = performance.now();
    if (now - reported < REPORT_MS || socket?.readyState !== WebSocket.OPEN || sequence < 0) { return; }
    const told = {
      shown: shown.length ? shown.slice(-MAX_SHOWN) : [[stood.sequence, Date.now()]],
      figures: Object.fromEntries([...meters].map(([level, meter]) => [level, meter.figure.dataset.value])),
    };
    if (coming.length) { told.toward = coming[0].sequence; }
    socket.send(JSON.stringify(told));
    lastTold = told.shown; shown = []; reported = now;
  }

  // A sleeping tab or a half-open socket: whatever the reason, silence is shown, and the socket is made anew.
  setInterval(() => {
    if (Date.now() - heard > STALE_MS) {
      stale();
      if (socket?.readyState === WebSocket.OPEN && heard && Date.now() - heard > 2 * STALE_MS) { socket.close(); }
    }
    roll();
    tell();
    showNotice();
  }, TICK_MS);
  connect();
})();
