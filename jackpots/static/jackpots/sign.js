// A sign: takes frames, rolls toward the newest value and never past it, says when it is not live, reports what it showed.
"use strict";
(() => {
  const STALE_MS = 5000, REPORT_MS = 5000, ROLL_MS = 900, NOTICE_MS = 6000;
  const body = document.body, levels = document.getElementById("levels"), status = document.getElementById("status");
  const notice = document.getElementById("notice");
  const meters = new Map();
  let socket = null, retries = 0, heard = 0, sequence = -1, shown = [], notices = [], noticeAt = 0;

  const cents = (text) => Number(text.replace(".", ""));          // "20001.80" → 2000180; whole cents, exact below 2^53
  const words = (name) => name.replaceAll("-", " ");
  const clock = (ms) => new Date(ms).toLocaleTimeString("en-GB");

  class Meter {
    constructor(name, currency) {
      this.name = name; this.value = null; this.target = 0; this.started = 0; this.from = 0;
      this.format = new Intl.NumberFormat("en-NZ", { style: "currency", currency, currencyDisplay: "narrowSymbol" });
      const box = document.createElement("div"), title = document.createElement("h2");
      box.className = "level"; box.dataset.level = name; title.textContent = words(name);
      this.figure = document.createElement("div"); this.figure.className = "meter";
      box.append(title, this.figure); levels.append(box);
      this.text = "";
    }
    aim(target, now) {
      if (this.value === null || target < this.value) { this.value = target; }   // first frame, or a win: no rolling down
      this.from = this.value; this.target = target; this.started = now;
    }
    roll(now) {
      const part = Math.min(1, (now - this.started) / ROLL_MS);
      this.value = part === 1 ? this.target : this.from + Math.floor((this.target - this.from) * part);
      this.draw();
    }
    draw() {
      const text = this.format.format(this.value / 100);
      if (text === this.text) { return; }
      if (text.length !== this.text.length) { this.figure.replaceChildren(...[...text].map((c) => this.cell(c))); }
      [...text].forEach((c, i) => {
        const cell = this.figure.children[i];
        if (c >= "0" && c <= "9") {
          if (!cell.firstChild?.classList?.contains("strip")) { cell.replaceWith(this.cell(c)); }
          this.figure.children[i].firstChild.style.transform = `translateY(-${Number(c) * 1.15}em)`;
        } else if (cell.textContent !== c) { cell.replaceWith(this.cell(c)); }
      });
      this.text = text;
      this.figure.setAttribute("aria-label", text);
      this.figure.dataset.value = (this.value / 100).toFixed(2);
    }
    cell(c) {
      const cell = document.createElement("span");
      if (c >= "0" && c <= "9") {
        cell.className = "digit";
        const strip = document.createElement("span"); strip.className = "strip";
        for (let d = 0; d < 10; d++) { const s = document.createElement("span"); s.textContent = d; strip.append(s); }
        cell.append(strip);
      } else { cell.textContent = c; }
      return cell;
    }
  }

  function take(frame) {
    heard = Date.now();
    if (frame.sequence < sequence) { return; }                      // an old frame overtaken by a newer snapshot
    if (frame.sequence !== sequence) { shown.push([frame.sequence, heard]); }
    sequence = frame.sequence;
    body.dataset.sequence = sequence;
    const now = performance.now();
    for (const { level, value } of frame.levels) {
      if (!meters.has(level)) { meters.set(level, new Meter(level, frame.currency)); }
      meters.get(level).aim(cents(value), now);
    }
    const recent = frame.wins.filter((win) => Date.parse(frame.at) - Date.parse(win.resolved_at) < 120000);
    notices = [
      ...frame.pending.map((hit) => ({ kind: "pending", label: "PENDING", ...hit })),
      ...recent.map((win) => ({ kind: "won", label: "WON", ...win })),
    ].map((item) => ({ ...item, currency: frame.currency }));
    live();
  }

  function live() { body.dataset.state = "live"; status.textContent = `Live at ${clock(heard)}`; }

  function stale() {
    body.dataset.state = heard ? "stale" : "waiting";
    status.textContent = heard ? `Not live since ${clock(heard)}` : "Connecting …";
  }

  function showNotice(now) {
    if (!notices.length) { notice.hidden = true; return; }
    const item = notices[Math.floor(now / NOTICE_MS) % notices.length];
    const money = new Intl.NumberFormat("en-NZ", { style: "currency", currency: item.currency, currencyDisplay: "narrowSymbol" });
    notice.hidden = false; notice.dataset.kind = item.kind;
    document.getElementById("notice-kind").textContent = item.label;
    document.getElementById("notice-text").textContent = `${words(item.hand)} · table ${item.table}, seat ${item.seat}`;
    document.getElementById("notice-amount").textContent = money.format(cents(item.amount) / 100);
  }

  function connect() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const token = location.pathname.split("/").filter(Boolean).pop();
    socket = new WebSocket(`${scheme}//${location.host}/ws/signs/${token}/`);
    socket.onopen = () => { retries = 0; sequence = -1; };
    socket.onmessage = (message) => take(JSON.parse(message.data));
    socket.onclose = (event) => {
      if (event.code === 4403) { stale(); status.textContent = "This sign's address was withdrawn."; return; }
      // With jitter, so that a thousand signs do not come back in the same moment.
      const pause = Math.min(10000, 500 * 2 ** retries++) * (0.5 + Math.random());
      setTimeout(connect, pause);
    };
  }

  // Which frames were on the glass, and the figures that stand there now, unless they are still rolling.
  function report() {
    if (socket?.readyState === WebSocket.OPEN && sequence >= 0) {
      const told = { shown: shown.length ? shown : [[sequence, Date.now()]] };
      if ([...meters.values()].every((meter) => meter.value === meter.target && meter.text)) {
        told.figures = Object.fromEntries([...meters].map(([level, meter]) => [level, meter.figure.dataset.value]));
      }
      socket.send(JSON.stringify(told));
      shown = [];
    }
  }

  function frame() {
    const now = performance.now();
    if (body.dataset.state === "live") { meters.forEach((meter) => meter.roll(now)); }
    showNotice(Date.now() - noticeAt);
    requestAnimationFrame(frame);
  }

  // A sleeping tab or a half-open socket: whatever the reason, silence is shown, and the socket is made anew.
  setInterval(() => {
    if (Date.now() - heard > STALE_MS) {
      stale();
      if (socket?.readyState === WebSocket.OPEN && heard && Date.now() - heard > 2 * STALE_MS) { socket.close(); }
    }
  }, 250);
  setInterval(report, REPORT_MS);
  requestAnimationFrame(frame);
  connect();
})();
