// Taps a round's document into the widgets of the page "Try a round", as a finger would: evaluated in the page by
// test_try_page.py. Gives back the document that the page has made of it, and the lines of the settlement that it shows.
// With `dealer` it is the dealer's page of a table with these rules (tests/soak/test_dealer_soak.py): step by step.
async ([round, entry, dealer]) => {
  const quoted = (value) => JSON.stringify(String(value));
  const root = dealer ? "[data-dealer]" : "[data-try]";
  const find = (selector) => document.querySelector(`${root} ${selector}`);
  const until = async (selector, ms = 20000) => {
    const end = Date.now() + ms;
    while (!find(selector) && Date.now() < end) await new Promise((go) => setTimeout(go, 20));
    return find(selector);
  };
  const step = async (name) => {
    if (!(await until(`[data-step=${quoted(name)}]:not(:disabled)`))) {
      throw new Error(`no ${name}: ${(find(".said") || {}).innerText}`);
    }
    tap(`[data-step=${quoted(name)}]`);
  };
  const tap = (selector) => {
    const found = find(selector);
    if (!found) throw new Error(`there is nothing to tap: ${selector}`);
    if (found.disabled) throw new Error(`it is greyed: ${selector}`);
    found.click();
  };
  const type = (selector, text) => {
    const found = find(selector);
    if (!found) throw new Error(`there is nothing to type into: ${selector}`);
    found.value = text;
    if (found.value !== String(text)) throw new Error(`${selector} does not take ${text}`);
    found.dispatchEvent(new Event("change"));
  };
  const kept = () => JSON.parse(localStorage.getItem(Object.keys(localStorage).find((each) => each.startsWith("potline.dealer."))));
  const made = () => (dealer ? kept().round.draft.state : JSON.parse(find("[data-document]").textContent));
  const tile = (text) => text.split("-").sort().join("-");

  // A value in the generic widgets, by the path that its inputs are named with.
  const give = (path, value) => {
    const field = `[data-field=${quoted(path)}]`;
    if (typeof value === "boolean") return tap(`[data-field=${quoted(`${path}=${value}`)}]`);
    if (Array.isArray(value)) {
      if (value.length && find(`[data-field=${quoted(`${path}=${value[0]}`)}]`)) {
        return value.forEach((each) => tap(`[data-field=${quoted(`${path}=${each}`)}]`));
      }
      if (find(`${field} .pad`)) {
        const part = find(`${field} .pad.tiles`) ? (each) => `[data-tile=${quoted(tile(each))}]` : (each) => `[data-card=${quoted(each)}]`;
        return value.forEach((each) => tap(`${field} ${part(each)}`));
      }
      return type(field, value.join(", "));
    }
    if (value && typeof value === "object") {
      return Object.entries(value).forEach(([name, inner]) => {
        const there = [...document.querySelectorAll(`${root} [data-field]`)].some((each) => {
          const at = each.getAttribute("data-field");
          return at === `${path}.${name}` || at.startsWith(`${path}.${name}.`) || at.startsWith(`${path}.${name}=`);
        });
        if (!there) type(`[data-field=${quoted(`${path}+`)}]`, name);
        give(`${path}.${name}`, inner);
      });
    }
    type(field, value);
  };

  const atPlace = (seat, player) => {
    const selector = `.seat[data-seat=${quoted(seat)}][data-player=${quoted(player)}]`;
    if (!find(selector)) {
      find(`[data-field="place.seat"]`).value = seat || "";
      find(`[data-field="place.player"]`).value = player;
      tap(`[data-add="place"]`);
    }
    tap(selector);
  };

  const select = (selection) => {
    const chosen = () => (find(".chosen") || {}).textContent === selection;
    if (find(`[data-field="selection"]`)) return type(`[data-field="selection"]`, selection);
    const one = find(`.pad.choices [data-choice=${quoted(selection)}]`) || find(`.wheel [data-choice=${quoted(selection)}]`);
    if (one) return one.click();
    const where = find(".wheel") ? ".wheel" : ".pad.choices";
    for (const part of selection.split("-")) if (!chosen()) tap(`${where} [data-choice=${quoted(part)}]`);
    if (!chosen()) throw new Error(`${selection} cannot be tapped together`);
  };

  if (dealer) {
    await step("open");
    await until(`[data-tab="wagers"]`);
  } else {
    tap("[data-clear]");
    tap(`[data-tab="rules"]`);
    for (const part of ["options", "paytables", "limits"]) {
      for (const [name, value] of Object.entries(round[part] || {})) give(`${part}.${name}`, value);
    }
  }

  const placing = Object.fromEntries(entry.decisions.map((kind) => [kind.kind, kind.wager]));
  const decisions = round.decisions || [];
  const byDecision = new Set(decisions.filter((each) => placing[each.kind]).map((each) => each.wager));
  const byId = Object.fromEntries(round.wagers.map((wager) => [wager.id, wager]));
  tap(`[data-tab="wagers"]`);
  const lay = (wager) => {
    atPlace(wager.seat || 0, wager.player || "");
    tap(`[data-kind=${quoted(wager.kind)}]`);
    if (wager.selection) select(wager.selection);
    find(`[data-field="amount"]`).value = wager.stake;
    tap("[data-put]");
  };
  const chips = round.wagers.filter((wager) => !byDecision.has(wager.id));
  const isLater = (wager) => dealer && !find(`[data-kind=${quoted(wager.kind)}]`);
  const later = chips.filter(isLater);
  chips.filter((wager) => !later.includes(wager)).forEach(lay);
  if (dealer) {
    await step("no-more-bets");
    await until(`[data-tab="dealt"]`);
  }
  if (later.length) {
    tap(`[data-tab="wagers"]`);
    later.forEach(lay);
  }

  tap(`[data-tab="dealt"]`);
  const deal = (path, value) => {
    const isList = Array.isArray(value) && !Array.isArray(value[0]);
    if (value && typeof value === "object" && !isList) {
      return Object.entries(value).forEach(([name, inner]) => deal([...path, name], inner));
    }
    tap(`[data-target=${quoted(path.join("."))}]`);
    for (const one of isList ? value : [value]) {
      if (find(`[data-card=${quoted(one)}]`)) tap(`[data-card=${quoted(one)}]`);
      else if (find("[data-die]")) tap(`[data-die=${quoted(one)}]`);
      else if (find("[data-tile]")) tap(`[data-tile=${quoted(tile(one))}]`);
      else if (find(`[data-choice=${quoted(one)}]`)) tap(`[data-choice=${quoted(one)}]`);
      else type(`[data-field=${quoted(path.join("."))}]`, one);
    }
  };
  for (const [name, value] of Object.entries(round.dealt || {})) deal([name], value);

  const builtId = (id) => {
    const same = (one, other) => ["kind", "seat", "player", "selection"].every((name) => (one[name] || "") === (other[name] || ""));
    return made().wagers.find((wager) => same(wager, byId[id])).id;
  };
  const act = (about, given) => {
    tap(`[data-${about}=${quoted(given.kind)}]`);
    if (given.seat || given.player) {
      type(`[data-field="act.place"]`, JSON.stringify({ seat: given.seat || 0, player: given.player || "" }));
    } else type(`[data-field="act.place"]`, JSON.stringify({ seat: 0, player: "" }));
    if (given.hand) type(`[data-field="act.hand"]`, given.hand);
    if (about === "decision" && placing[given.kind]) type(`[data-field="act.stake"]`, byId[given.wager].stake);
    else if (given.wager) type(`[data-field="act.wager"]`, builtId(given.wager));
    if (given.value !== undefined) give("act.value", given.value);
    tap(`[data-add=${quoted(about)}]`);
  };
  if (decisions.length) tap(`[data-tab="decisions"]`);
  for (const decision of decisions) act("decision", decision);
  if (round.irregularities) tap(`[data-tab="irregular"]`);
  for (const irregularity of round.irregularities || []) act("irregularity", irregularity);

  if (dealer) {
    await step("result");
    await until("[data-booked=settled]", 60000);
    return { booked: Boolean(find("[data-booked=settled]")), words: find(".said").innerText };
  }
  await until(".said:not(.stale) [data-settled]");
  return {
    document: made(),
    lines: [...document.querySelectorAll(`${root} [data-line]`)].map((line) => [line.dataset.line, line.innerText]),
    words: (find(".words") || {}).innerText || "",
  };
}
