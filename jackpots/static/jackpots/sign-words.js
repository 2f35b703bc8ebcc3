// What a sign says, by language: its own words, and the names of hands. What is not here stands there as it was sent.
"use strict";
window.Sign = {};
Sign.WORDS = {
  en: {
    pending: "Pending", won: "Winner", live: "Live at", stale: "Not live since", waiting: "Connecting …", preview: "Preview",
    withdrawn: "This sign's address was withdrawn.", table: "table", seat: "seat", undecided: "amount to be decided",
    wins: "Last wins", paid: "Jackpots paid to date", minimum: "Minimum", maximum: "Maximum", all: "All wagers", steps: "in steps of",
    stake: "Jackpot wager", open: "taking part", suspended: "Jackpot suspended: no jackpot wagers now", away: "This table takes no part in the jackpot now",
    out: "Not in play for this jackpot", closed: "Table closed", fault: "Being checked: nothing is paid from it now", now: "now",
    private: "Private table", closes: "This table closes at {}", from: "From {}: []", otherPays: "other pay tables", minutes: "in {} min", pays: "Pays", edge: "House edge",
    ends: "last played for on",
  },
  de: {
    pending: "In Prüfung", won: "Gewinn", live: "Aktuell um", stale: "Nicht aktuell seit", waiting: "Verbindung wird hergestellt …", preview: "Vorschau",
    withdrawn: "Die Adresse dieser Anzeige wurde zurückgezogen.", table: "Tisch", seat: "Platz", undecided: "Betrag wird entschieden",
    wins: "Letzte Gewinne", paid: "Bisher ausgezahlte Jackpots", minimum: "Minimum", maximum: "Maximum", all: "Alle Einsätze", steps: "in Schritten von",
    stake: "Jackpot-Einsatz", open: "nimmt teil", suspended: "Jackpot ausgesetzt: derzeit keine Jackpot-Einsätze", away: "Dieser Tisch nimmt derzeit nicht am Jackpot teil",
    out: "Nimmt derzeit nicht teil", closed: "Tisch geschlossen", fault: "Wird geprüft: derzeit keine Auszahlung", now: "jetzt",
    private: "Privater Tisch", closes: "Dieser Tisch schließt um {}", from: "Ab {}: []", otherPays: "andere Auszahlungen", minutes: "in {} min", pays: "Auszahlung", edge: "Hausvorteil",
    ends: "zuletzt gespielt am",
  },
  es: {
    pending: "En verificación", won: "Premio", live: "En vivo a las", stale: "Sin señal desde las", waiting: "Conectando …", preview: "Vista previa",
    withdrawn: "La dirección de esta pantalla fue retirada.", table: "mesa", seat: "puesto", undecided: "importe por decidir",
    wins: "Últimos premios", paid: "Botes pagados hasta hoy", minimum: "Mínimo", maximum: "Máximo", all: "Todas las apuestas", steps: "en pasos de",
    stake: "Apuesta de bote", open: "participa", suspended: "Bote suspendido: ahora sin apuestas de bote", away: "Esta mesa no participa ahora en el bote",
    out: "No participan ahora", closed: "Mesa cerrada", fault: "En comprobación: ahora no se paga", now: "ahora",
    private: "Mesa privada", closes: "Esta mesa cierra a las {}", from: "Desde las {}: []", otherPays: "otras tablas de pago", minutes: "en {} min", pays: "Paga", edge: "Ventaja de la casa",
    ends: "se juega por última vez el",
  },
  fr: {
    pending: "En vérification", won: "Gagnant", live: "En direct à", stale: "Sans signal depuis", waiting: "Connexion …", preview: "Aperçu",
    withdrawn: "L'adresse de cet écran a été retirée.", table: "table", seat: "place", undecided: "montant à décider",
    wins: "Derniers gains", paid: "Jackpots payés à ce jour", minimum: "Minimum", maximum: "Maximum", all: "Toutes les mises", steps: "par pas de",
    stake: "Mise jackpot", open: "participe", suspended: "Jackpot suspendu : pas de mises jackpot pour l'instant", away: "Cette table ne participe pas au jackpot pour l'instant",
    out: "Ne participent pas pour l'instant", closed: "Table fermée", fault: "En contrôle : rien n'est payé pour l'instant", now: "maintenant",
    private: "Table privée", closes: "Cette table ferme à {}", from: "Dès {} : []", otherPays: "autres barèmes", minutes: "dans {} min", pays: "Paie", edge: "Avantage de la maison",
    ends: "joué pour la dernière fois le",
  },
  zh: {
    pending: "核实中", won: "中奖", live: "实时", stale: "信号中断于", waiting: "正在连接 …", preview: "预览",
    withdrawn: "此显示屏的地址已撤销。", table: "台", seat: "座位", undecided: "金额待定",
    wins: "最近中奖", paid: "累计派彩", minimum: "最低", maximum: "最高", all: "所有投注", steps: "递增",
    stake: "累积奖投注", open: "参与中", suspended: "累积奖暂停：暂不接受累积奖投注", away: "本台暂不参与累积奖",
    out: "暂不参与", closed: "本台关闭", fault: "核查中：暂不派彩", now: "现为",
    private: "私人台", closes: "本台将于 {} 关闭", from: "{} 起：[]", otherPays: "赔率表变更", minutes: "{} 分钟后", pays: "赔率", edge: "庄家优势",
    ends: "最后一天",
  },
};
Sign.HANDS = {
  de: { "royal-flush": "Royal Flush", "straight-flush": "Straight Flush", "four-of-a-kind": "Vierling", "full-house": "Full House", flush: "Flush", straight: "Straße", "three-of-a-kind": "Drilling", "two-pairs": "Zwei Paare", pair: "Paar", "high-card": "Höchste Karte" },
  es: { "royal-flush": "Escalera real", "straight-flush": "Escalera de color", "four-of-a-kind": "Póker", "full-house": "Full", flush: "Color", straight: "Escalera", "three-of-a-kind": "Trío", "two-pairs": "Doble pareja", pair: "Pareja", "high-card": "Carta alta" },
  fr: { "royal-flush": "Quinte flush royale", "straight-flush": "Quinte flush", "four-of-a-kind": "Carré", "full-house": "Full", flush: "Couleur", straight: "Suite", "three-of-a-kind": "Brelan", "two-pairs": "Deux paires", pair: "Paire", "high-card": "Carte haute" },
  zh: { "royal-flush": "皇家同花顺", "straight-flush": "同花顺", "four-of-a-kind": "四条", "full-house": "葫芦", flush: "同花", straight: "顺子", "three-of-a-kind": "三条", "two-pairs": "两对", pair: "一对", "high-card": "高牌" },
};
Sign.setUp = JSON.parse(document.getElementById("set-up").textContent);
Sign.say = (key) => (Sign.WORDS[Sign.setUp.language] ?? Sign.WORDS.en)[key];
Sign.hand = (name) => Sign.HANDS[Sign.setUp.language]?.[name] ?? name.replaceAll("-", " ");
Sign.cents = (text) => Number(text.replace(".", ""));        // "20001.80" → 2000180; whole cents, exact below 2^53
Sign.calm = Sign.setUp.motion === "calm" || matchMedia("(prefers-reduced-motion: reduce)").matches;
Sign.formats = {};
Sign.format = (currency) => Sign.formats[currency] ??= new Intl.NumberFormat(Sign.setUp.numbers, { style: "currency", currency, currencyDisplay: "narrowSymbol" });
Sign.money = (text, currency) => Sign.format(currency).format(Sign.cents(text) / 100);
// Whole amounts without their cents, as limits stand on tables.
Sign.chips = (text, currency) => Sign.money(text, currency).replace(/[.,]00(?=\D*$)/, "");
Sign.clock = (ms) => timeOf(ms, Sign.setUp.time_zone);
Sign.make = (tag, name, ...content) => {
  const made = document.createElement(tag);
  if (name) { made.className = name; }
  made.append(...content);
  return made;
};
// Only what changes: writing the same again makes the browser lay the page out anew, ten times a second.
Sign.put = (node, text) => { if (node.textContent !== text) { node.textContent = text; } };
Sign.mark = (node, name, value) => { if (node.dataset[name] !== value) { node.dataset[name] = value; } };
Sign.SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
Sign.card = (text) => Sign.make("span", "hd".includes(text.at(-1)) ? "pip red" : "pip", text.slice(0, -1).replace("T", "10") + (Sign.SUITS[text.at(-1)] ?? ""));
