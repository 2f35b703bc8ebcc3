// A table's board: game, limits, what comes and when, the jackpot wager, pay tables and their house edge.
"use strict";
(() => {
  const PAYS_AT_LEAST = 0.45, SMALLEST = 0.6, GAP_EM = 1.6, LONG = 20;

  Sign.Board = class {
    constructor(into) {
      this.box = Sign.make("section", "board");
      into.append(this.box);
      this.heard = 0; this.sequence = -1; this.told = []; this.sized = "";
      addEventListener("resize", () => this.fit());
    }
    get stale() { return Date.now() - this.heard > 5000; }
    show(on) { this.box.classList.toggle("away", !on); if (on) { this.fit(); } }

    take(frame) {
      if (frame.live !== false) { this.heard = Date.now(); }
      if (frame.sequence <= this.sequence) { return; }
      this.sequence = frame.sequence; this.frame = frame;
      this.told = this.messages(frame);
      this.box.replaceChildren(
        Sign.make("header", "", Sign.make("h1", "", frame.game), Sign.make("span", "code", frame.table)),
        ...this.told.map(({ box }) => box), this.limits(frame), ...frame.jackpots.map((jackpot) => this.jackpot(jackpot)),
        this.paytables(frame), ...this.edges(frame),
      );
      this.tick();
      this.sized = ""; this.fit();
    }

    money(text) { return Sign.chips(text, this.frame.currency); }
    wager(name) { return name ? Sign.hand(name) : Sign.say("all"); }

    // What everybody at the table must see first; those with a time count down.
    messages(frame) {
      const found = [];
      const say = (kind, text, at = "") => found.push({ box: Sign.make("p", `message ${kind}`, text), text, at });
      if (frame.private) { say("private", Sign.say("private")); }
      if (!frame.open) { say("alarm", Sign.say("closed")); }
      if (frame.open && frame.closing_at) { say("alarm", Sign.say("closes"), frame.closing_at); }
      for (const coming of frame.coming) {
        const parts = [...coming.limits.map((limit) => this.otherLimits(frame, limit)), ...(coming.pays ? [Sign.say("otherPays")] : [])];
        say("coming", Sign.say("from").replace("[]", parts.join(" · ")), coming.at);
      }
      return found;
    }
    otherLimits(frame, limit) {
      const before = frame.limits.find((other) => other.wager === limit.wager) ?? {};
      const others = ["minimum", "maximum", "increment"].filter((name) => limit[name] && limit[name] !== before[name]);
      const told = others.map((name) => `${Sign.say(name === "increment" ? "steps" : name)} ${this.money(limit[name])}`);
      const wager = this.wager(limit.wager);
      return `${wager[0].toUpperCase()}${wager.slice(1)}: ${told.join(", ")}`;
    }
    tick() {
      for (const { box, text, at } of this.told) {
        const clock = timeOf(Date.parse(at) || 0, this.frame.time_zone, false);
        const left = Math.ceil((Date.parse(at) - Date.now()) / 60000);
        const told = text.replace("{}", left > 0 ? `${clock} (${Sign.say("minutes").replace("{}", left)})` : clock);
        Sign.put(box, told);
      }
    }

    limits(frame) {
      const rows = frame.limits.map((limit) => Sign.make("tr", "", Sign.make("th", "", this.wager(limit.wager)),
        ...["minimum", "maximum"].map((name) => Sign.make("td", "", limit[name] ? this.money(limit[name]) : "")),
        Sign.make("td", "steps", limit.increment || frame.chip ? `${Sign.say("steps")} ${this.money(limit.increment || frame.chip)}` : "")));
      const heads = ["", Sign.say("minimum"), Sign.say("maximum"), ""].map((text) => Sign.make("th", "", text));
      return Sign.make("table", "limits", Sign.make("tr", "heads", ...heads), ...rows);
    }
    jackpot({ state, stake }) {
      if (state !== "open") { return Sign.make("p", "message alarm", Sign.say(state)); }
      return Sign.make("p", "message", `${Sign.say("stake")} `, Sign.make("b", "", stake ? this.money(stake) : ""), ` · ${Sign.say("open")}`);
    }
    paytables(frame) {
      const tables = new Map();                                // those that pay the same stand there once
      for (const { wager, lines } of frame.paytables) {
        const key = JSON.stringify(lines), name = wager ? Sign.hand(wager) : Sign.say("pays");
        tables.set(key, { names: [...(tables.get(key)?.names ?? []), name], lines });
      }
      this.pays = Sign.make("div", "paytables", ...[...tables.values()].map(({ names, lines }) => Sign.make("table", "pays",
        Sign.make("caption", "", names.join(", ")),
        ...this.alike(lines).map(([name, odds]) => Sign.make("tr", "", Sign.make("th", name.length > LONG ? "long" : "", name), Sign.make("td", "", odds))))));
      return this.pays;
    }
    // Lines of the same odds on one row: "Total 4, 17".
    alike(lines) {
      const rows = new Map();
      for (const [name, odds] of lines) { rows.set(odds, [...(rows.get(odds) ?? []), Sign.hand(name)]); }
      const stem = (name) => name.replace(/ \d+$/, "");
      return [...rows].map(([odds, names]) => [
        names.map((name, i) => i && stem(name) !== name && stem(name) === stem(names[i - 1]) ? name.slice(stem(name).length + 1) : name).join(", "), odds]);
    }
    edges(frame) {
      if (!frame.edges?.length) { return []; }
      const shares = new Intl.NumberFormat(Sign.setUp.numbers, { minimumFractionDigits: 2 });
      const groups = frame.edges.map(({ wagers, least, most }) => Sign.make("span", "",
        `${wagers.length ? wagers.map(Sign.hand).join(", ") : Sign.say("all")} `,
        Sign.make("i", "", `${shares.format(least)}${most === least ? "" : ` – ${shares.format(most)}`} %`)));
      return [Sign.make("p", "edges", Sign.make("b", "", Sign.say("edge")), ...groups)];
    }

    // As large as it goes: pay tables in as many columns as serve them best, and the rest smaller where they need room.
    // Measured when the board or the glass changes, and never else.
    fit() {
      const size = `${this.box.clientWidth}x${this.box.clientHeight}`;
      if (!this.pays || !this.box.clientHeight || this.sized === size) { return; }
      this.sized = size;
      const whole = this.box.clientHeight, tables = this.pays.children.length;
      for (let scale = 1; scale >= SMALLEST; scale -= 0.05) {
        this.box.style.setProperty("--scale", scale.toFixed(2));
        if (!tables ? this.box.scrollHeight <= whole : this.pays.clientHeight >= PAYS_AT_LEAST * whole) { break; }
      }
      this.pays.dataset.count = tables;
      let best = [0, 1];
      for (let columns = 1; columns <= 4; columns++) {
        let low = 4, high = whole / 12;
        while (high - low > 0.5) {
          const middle = (low + high) / 2;
          if (this.payIn(columns, middle)) { low = middle; } else { high = middle; }
        }
        if (low > best[0] + 0.5) { best = [low, columns]; }
      }
      this.payIn(best[1], best[0]);
    }
    // Whether they fit so: no table is wider than its column, and none is cut off.
    payIn(columns, size) {
      this.pays.style.columnCount = columns; this.pays.style.fontSize = `${size}px`;
      const wide = (this.pays.clientWidth - (columns - 1) * GAP_EM * size) / columns;
      return this.pays.scrollHeight <= this.pays.clientHeight && this.pays.scrollWidth <= this.pays.clientWidth
        && [...this.pays.children].every((table) => table.offsetWidth <= wide + 1);
    }
  };
})();
