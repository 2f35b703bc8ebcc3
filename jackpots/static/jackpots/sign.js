// A sign: takes frames, gives each to its panel, says when it is not live, comes back by itself, reports what was on the glass.
"use strict";
(() => {
  const STALE_MS = 5000, REPORT_MS = 5000, TICK_MS = 250;
  const body = document.body, status = document.getElementById("status"), place = document.getElementById("panels"), out = document.getElementById("out");
  const panels = new Map(Sign.setUp.progressives.map((code) => [code, new Sign.Panel(code, place)]));
  const board = Sign.setUp.table ? new Sign.Board(place) : null;
  const parts = [...panels.values(), ...(board ? [board] : [])];
  let socket = null, retries = 0, reported = 0, withdrawn = false, moving = false;

  place.dataset.count = Sign.setUp.arrangement === "in-turn" ? 1 : parts.length;
  place.dataset.panels = panels.size;

  function take(frame) {
    const part = "board" in frame ? board : panels.get(frame.progressive);
    if (!part) { return; }
    part.take(frame);
    if (part !== board) { Sign.news([...panels.values()].map((panel) => panel.frame).filter(Boolean)); }
    const away = [...panels.values()].flatMap((panel) => panel.frame?.out ?? []);
    const ends = [...panels.values()].filter((panel) => panel.frame?.ends).map((panel) => `${panel.frame.name ?? panel.frame.progressive}: ${Sign.say("ends")} ${panel.frame.ends}`);
    out.textContent = [...(away.length ? [`${Sign.say("out")}: ${[...new Set(away)].join(", ")}`] : []), ...ends].join(" · ");
    out.hidden = !out.textContent;
    judge();
    tell();
  }

  // Live while every part is: what is not live says so itself, and the sign as a whole says since when.
  function judge() {
    parts.forEach((part) => { part.box.dataset.state = part.stale ? (part.heard ? "stale" : "waiting") : "live"; });
    const oldest = Math.min(...parts.map((part) => part.heard)), stale = parts.some((part) => part.stale);
    body.dataset.state = stale ? (oldest ? "stale" : "waiting") : "live";
    body.dataset.amounts = stale && Sign.setUp.when_silent === "hide" ? "hidden" : "";
    const text = Sign.setUp.preview ? Sign.say("preview") : withdrawn ? Sign.say("withdrawn")
      : !stale ? `${Sign.say("live")} ${Sign.clock(Math.max(...parts.map((part) => part.heard)))}`
        : oldest ? `${Sign.say("stale")} ${Sign.clock(oldest)}` : Sign.say("waiting");
    if (status.textContent !== text) { status.textContent = text; }
  }

  function turn() {
    if (Sign.setUp.arrangement !== "in-turn") { return; }
    const now = Math.floor(Date.now() / 1000 / Sign.setUp.turn_s) % parts.length;
    parts.forEach((part, i) => part.show(i === now));
  }

  function connect() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const token = location.pathname.split("/").filter(Boolean).pop();
    socket = new WebSocket(`${scheme}//${location.host}/ws/signs/${token}/`);
    socket.onopen = () => { retries = 0; panels.forEach((panel) => { panel.sequence = -1; }); if (board) { board.sequence = -1; } };
    socket.onmessage = (message) => { const told = JSON.parse(message.data); if (told.moved) { move(told.moved); } else { take(told); } };
    socket.onclose = (event) => {
      panels.forEach((panel) => panel.untold());
      if (event.code === 4403) { withdrawn = true; judge(); return; }
      // With jitter, so that a thousand signs do not come back in the same moment.
      const pause = Math.min(10000, 500 * 2 ** retries++) * (0.5 + Math.random());
      setTimeout(event.code === 4409 ? () => location.reload() : connect, pause);      // 4409: set up anew
    };
  }

  // The sign has a new token: on to its page, once that answers. Told again every few seconds, so nothing is tried twice here.
  function move(token) {
    if (moving) { return; }
    const page = `/signs/${encodeURIComponent(token)}/`;
    moving = true;
    fetch(page).then((answer) => { if (answer.ok) { location.replace(page); } }).catch(() => {}).finally(() => { moving = false; });
  }

  // Every five seconds. Frames ring too, because timers of a busy or hidden tab are slow.
  function tell() {
    const now = performance.now();
    if (now - reported < REPORT_MS || socket?.readyState !== WebSocket.OPEN) { return; }
    const told = [...panels.values()].map((panel) => panel.report()).filter(Boolean);
    if (!told.length && !board) { return; }
    socket.send(JSON.stringify(panels.size === 1 && told.length ? told[0] : { reports: told }));
    reported = now;
  }

  // A sleeping tab or a half-open socket: whatever the reason, silence is shown, and the socket is made anew.
  function tick() {
    const heard = Math.max(0, ...parts.map((part) => part.heard));
    if (heard && Date.now() - heard > 2 * STALE_MS && socket?.readyState === WebSocket.OPEN) { socket.close(); }
    turn();
    judge();
    panels.forEach((panel) => panel.roll());
    board?.tick();
    tell();
    Sign.showNotice();
  }

  setInterval(tick, TICK_MS);
  turn();
  if (Sign.setUp.preview) {
    const { frames, moment } = Sign.setUp.preview, again = () => frames.forEach((frame) => take({ ...frame, at: frame.at }));
    again();
    if (moment === "stale") { parts.forEach((part) => { part.heard -= 60000; }); judge(); } else { setInterval(again, 1000); }
  } else { connect(); }
})();
