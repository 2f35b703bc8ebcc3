// What stands beside the meters: hands that are pending, wins and their celebration, the last wins.
"use strict";
(() => {
  const NOTICE_MS = 6000, RECENT_MS = 120000, FRESH_MS = 20000, CELEBRATE_MS = { small: 0, big: 9000, grand: 20000 };
  const byId = (id) => document.getElementById(id);
  const notice = byId("notice"), stage = byId("celebration"), last = byId("last-wins");
  let notices = [], celebrated = new Set(), queue = [], won = null, until = 0, lastKey = "";

  const where = (item) => `${Sign.say("table")} ${item.table}, ${Sign.say("seat")} ${item.seat}`;
  const size = (amount) => Sign.cents(amount) >= Sign.cents(Sign.setUp.grand_from) ? "grand" : Sign.cents(amount) >= Sign.cents(Sign.setUp.big_from) ? "big" : "small";

  Sign.news = (frames) => {
    notices = [];
    for (const frame of frames) {
      const at = Date.parse(frame.at), all = frame.wins.map((win) => ({ kind: "won", ...win, currency: frame.currency, progressive: frame.progressive }));
      notices.push(...frame.pending.map((hit) => ({ kind: "pending", ...hit, currency: frame.currency })));
      notices.push(...all.filter((win) => at - Date.parse(win.resolved_at) < RECENT_MS));
      for (const win of [...all].reverse()) {
        if (celebrated.has(win.id)) { continue; }
        celebrated.add(win.id);
        if (frame.live !== false && at - Date.parse(win.resolved_at) < FRESH_MS && size(win.amount) !== "small") { queue.push(win); }
      }
    }
    if (celebrated.size > 1000) { celebrated = new Set(frames.flatMap((frame) => frame.wins.map((win) => win.id))); }
    lastWins(frames);
    Sign.showNotice();
  };

  Sign.showNotice = () => {
    celebrate();
    notice.hidden = !notices.length;
    if (!notices.length) { return; }
    const item = notices[Math.floor(Date.now() / NOTICE_MS) % notices.length], key = JSON.stringify(item);
    if (notice.dataset.key === key) { return; }
    notice.dataset.key = key; notice.dataset.kind = item.kind;
    byId("notice-kind").textContent = Sign.say(item.kind);
    byId("notice-text").textContent = `${Sign.hand(item.hand)} · ${where(item)}`;
    byId("notice-cards").replaceChildren(...(item.cards ?? []).map(Sign.card));
    // No amount while people have to say first in which order hits fell.
    byId("notice-amount").textContent = item.amount ? Sign.money(item.amount, item.currency) : Sign.say("undecided");
  };

  // One after another, each as long as its prize deserves; the figures behind go on, and the new one stands below.
  function celebrate() {
    const now = Date.now();
    if (now < until) { newValue(); return; }
    const win = queue.shift();
    if (!win) { if (!stage.hidden) { stage.hidden = true; stage.replaceChildren(); } return; }
    const grade = size(win.amount);
    until = now + CELEBRATE_MS[grade];
    won = win;
    stage.hidden = false; stage.dataset.grade = grade;
    // Beside other parts it takes the place of its own panel alone: their figures and limits stay.
    (document.getElementById("panels").dataset.count > 1 ? panelOf(win) ?? document.body : document.body).append(stage);
    stage.replaceChildren(
      Sign.make("div", "rays"), ...coins(Sign.calm ? 0 : grade === "grand" ? 42 : 14),
      Sign.make("div", "prize", Sign.make("p", "what", Sign.make("span", "", Sign.say("won")), Sign.make("span", "dot", " · "), Sign.make("span", "", Sign.hand(win.hand))),
        Sign.make("p", "sum", Sign.money(win.amount, win.currency)),
        Sign.make("p", "hand", ...(win.cards ?? []).map(Sign.card)), Sign.make("p", "who", where(win)), Sign.make("p", "after")),
    );
    stage.querySelector(".sum").style.setProperty("--chars", Sign.money(win.amount, win.currency).length);
    newValue();
  }
  const panelOf = (win) => document.querySelector(`[data-progressive="${CSS.escape(win.progressive)}"]`);
  function newValue() {
    const after = stage.querySelector(".after"), levels = [...(panelOf(won)?.querySelectorAll(".level") ?? [])];
    const texts = levels.map((level) => `${level.querySelector("h2").textContent} ${Sign.say("now")} ${level.querySelector(".meter").getAttribute("aria-label")}`);
    if (after && after.textContent !== texts.join("")) { after.replaceChildren(...texts.map((text) => Sign.make("span", "", text))); }
  }
  function coins(count) {
    return Array.from({ length: count }, (_, i) => {
      const coin = Sign.make("span", "coin");
      coin.style.setProperty("--x", `${(i * 61.8) % 100 - 3}cqw`);
      coin.style.setProperty("--wait", `${-((i * i * 7 + i * 3) % 50) / 10}s`);        // some are on their way already
      coin.style.setProperty("--lean", `${(i * 37) % 60 - 30}deg`);
      coin.style.setProperty("--fall", `${3 + ((i * 13) % 20) / 10}s`);
      return coin;
    });
  }

  // The last three of all that the sign shows, and what was paid for all of them together: they have one currency.
  function lastWins(frames) {
    const all = Sign.setUp.last_wins ? frames.flatMap((frame) => frame.wins.map((win) => ({ ...win, currency: frame.currency }))) : [];
    const items = all.sort((a, b) => Date.parse(b.resolved_at) - Date.parse(a.resolved_at)).slice(0, 3);
    const told = Sign.setUp.last_wins ? frames.filter((frame) => frame.paid?.count) : [], sum = (of) => told.reduce((total, frame) => total + of(frame.paid), 0);
    const paid = told.length ? [`${sum((one) => one.count)} · ${Sign.format(told[0].currency).format(sum((one) => Sign.cents(one.amount)) / 100)}`] : [];
    const key = JSON.stringify([items.map((win) => win.id), paid]);
    if (key === lastKey) { return; }
    lastKey = key;
    last.hidden = !items.length && !paid.length;
    last.replaceChildren();
    if (items.length) {
      last.append(Sign.make("b", "", Sign.say("wins")), ...items.map((win) => Sign.make("span", "", `${Sign.hand(win.hand)} ${win.table} `, Sign.make("i", "", Sign.money(win.amount, win.currency)))));
    }
    if (paid.length) { last.append(Sign.make("b", "", Sign.say("paid")), ...paid.map((text) => Sign.make("span", "", Sign.make("i", "", text)))); }
  }
})();
