"""The readable part of an evidence pack: its document as a PDF of a few pages, by ReportLab. Nothing is decided here,
and nothing is on paper that is not in the document."""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape
from zoneinfo import ZoneInfo

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Flowable, LongTable, Paragraph, SimpleDocTemplate, Spacer, TableStyle

from config.kit.moments import MOMENT, WHOLE, told

_FONT, _BOLD = "DejaVuSans", "DejaVuSans-Bold"
# In the file itself: no reader of PDF has more than Western letters of its own.
_FONTS = [TTFont(name, Path(__file__).parent / "fonts" / f"{name}.ttf") for name in (_FONT, _BOLD)]
for _font in _FONTS:
    pdfmetrics.registerFont(_font)
pdfmetrics.registerFontFamily(_FONT, normal=_FONT, bold=_BOLD, italic=_FONT, boldItalic=_BOLD)
_GLYPHS = [font.face.charToGlyph for font in _FONTS]

_STYLES = getSampleStyleSheet()
_BODY = ParagraphStyle(
    "cell",
    parent=_STYLES["BodyText"],
    fontName=_FONT,
    fontSize=7,
    leading=11,
    spaceBefore=0,
    spaceAfter=0,
    splitLongWords=1,
)
_MONO = ParagraphStyle("mono", parent=_BODY, fontName="Courier", fontSize=7, leading=9, splitLongWords=1)
_BIG = ParagraphStyle("big", parent=_STYLES["Title"], fontName=_BOLD, alignment=0, spaceAfter=2 * mm)
_HEAD = ParagraphStyle(
    "head",
    parent=_STYLES["Heading2"],
    fontName=_BOLD,
    fontSize=10,
    spaceBefore=5 * mm,
    spaceAfter=2 * mm,
    keepWithNext=1,
)
_GRID = TableStyle(
    [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LINEBELOW", (0, 0), (-1, -1), 1, colors.whitesmoke),
        ("LEFTPADDING", (0, 0), (-1, -1), 0),
        ("TOPPADDING", (0, 0), (-1, -1), 2),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
    ]
)
_WIDTH = A4[0] - 36 * mm - 12  # a frame keeps six points on either side
_SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
MAX_SIGNS = 1_500
"""Of one text, so that its cell fits on a page."""
MAX_ROWS = 60
"""Of a list on paper; the document has all."""


def printed(document: dict[str, Any], summary: dict[str, Any], person: dict[str, str] | None) -> bytes:
    win = document["win"]
    title = f"{_words(win['hand']).capitalize()} at {win['table']}, seat {win['seat']}"
    parts: list[Flowable] = [
        Paragraph(_plain(title), _BIG),
        _facts(_head(document, _zone(document))),
        *_story(document),
        *_round(document),
        *_order(document),
        *_people(document),
        *_signs(document),
        *_books(document),
        *_proof(document, summary),
    ]
    if person is not None:
        shown = [(name.capitalize(), person[name]) for name in ("name", "document", "address")]
        parts[2:2] = [Paragraph("The winner", _HEAD), _facts(shown)]
    made = io.BytesIO()
    footer = (
        f"Win {win['id']} of {win['progressive']}, made {document['made']['at']} by {document['made']['by']}"
    )
    paper = SimpleDocTemplate(
        made,
        pagesize=A4,
        leftMargin=18 * mm,
        rightMargin=18 * mm,
        topMargin=16 * mm,
        bottomMargin=18 * mm,
        title=_shown(f"Evidence of win {win['id']}"),
        author="Potline",
        invariant=1,
    )

    def foot(canvas: Any, page: Any) -> None:
        canvas.setFont(_FONT, 6)
        canvas.drawString(18 * mm, 10 * mm, _shown(footer))
        canvas.drawRightString(A4[0] - 18 * mm, 10 * mm, f"page {page.page}")

    paper.build(parts, onFirstPage=foot, onLaterPages=foot)
    return made.getvalue()


# --- Parts ----------------------------------------------------------------------------------------------------
def _head(document: dict[str, Any], zone: ZoneInfo) -> list[tuple[str, Any]]:
    win = document["win"]
    paid = (
        f"{win['paid']} {win['currency']} on {_local(win['paid_at'], zone)} by {win['paid_by']}"
        if win["paid"]
        else ""
    )
    parts = ", ".join(f"{amount} in {name}" for name, amount in win["parts"].items())
    return [
        ("Amount", f"{win['amount']} {win['currency']}"),
        (
            "Of it",
            f"{win['from_pool']} from the {_words(win['level'])} meter, {win['from_house']} from the house",
        ),
        ("Cards", _cards(win["cards"])),
        ("By rule", win["rule"]),
        ("Progressive", f"{win['progressive_name']} ({win['progressive']}), hosted by {win['host']}"),
        ("Premises, round", f"{win['premises_name']}, round {win['round']}"),
        ("Place in the order", _local(document["order"]["place"], zone, exact=True)),
        ("State", _words(win["state"])),
        ("Times are of", win["time_zone"]),
        ("Paid", ", ".join(each for each in (paid, win["method"], parts) if each) or "not yet"),
    ]


def _story(document: dict[str, Any]) -> Iterable[Flowable]:
    amount = document["amount"]
    yield Paragraph("What became of it", _HEAD)
    yield from (
        Paragraph(f"{number}. {_plain(text)}", _BODY) for number, text in enumerate(document["story"], 1)
    )
    yield Paragraph("How the amount came about", _HEAD)
    rows = [
        [step["text"], step["rule"], f"{step['meter_before']} → {step['meter_after']}"]
        for step in amount["trace"]
    ]
    yield _table(["Step", "Rule", "Meter"], rows, (6, 2, 2))
    before, after = amount["meters_before"], amount["meters_after"]
    yield _table(
        ["Level", "Before", "After"], [[_words(name), before[name], after[name]] for name in after], (2, 1, 1)
    )


def _round(document: dict[str, Any]) -> Iterable[Flowable]:
    played = document["round"]
    yield Paragraph("The round", _HEAD)
    if played is None:
        yield Paragraph("Potline has no round of this hand.", _BODY)
        return
    zone = _zone(document)
    yield _facts(
        [
            ("Game", f"{played['game']} ({played['rulebook']}), rules {played['rules'][:16]}"),
            ("No more bets", _local(played["no_more_bets"], zone, exact=True)),
            ("Settled", f"{_local(played['settled'], zone)}, gaming day {played['gaming_day']}"),
            *((_words(name), _dealt(value)) for name, value in sorted(played["dealt"].items())),
            *((_who(name), value) for name, value in sorted(played["result"].items())),
        ]
    )
    corrected = played["versions"]
    if corrected:
        words = f"People have put it right: version {played['counts']} counts. As it was told first:"
        yield Paragraph(_plain(words), _BODY)
    yield _lines(played["lines"])
    for version in corrected:
        said = version["correction"]
        counts = "which counts" if version["number"] == played["counts"] else "which was put right again"
        yield Paragraph(f"The round, version {version['number']}, {counts}", _HEAD)
        yield _facts(
            [
                ("Put right", f"{_local(said['at'], zone)} by rule {said['rule']}: {said['reason']}"),
                ("Asked by", said["asked_by"]),
                ("Approved by", said["approved_by"] or "one person may put so much right"),
                *((_words(name), _dealt(value)) for name, value in sorted(version["dealt"].items())),
                *((_who(name), value) for name, value in sorted(version["result"].items())),
            ]
        )
        yield _lines(version["lines"])


def _lines(lines: Sequence[dict[str, Any]]) -> Flowable:
    rows = [
        [
            line["seat"],
            f"{line['kind']} {line['selection']}",
            line["stake"],
            line["outcome"],
            line["winnings"],
            line["rule"],
        ]
        for line in lines
    ]
    return _table(["Seat", "Wager", "Stake", "Outcome", "Winnings", "Rule"], rows, (1, 3, 2, 2, 2, 4))


def _order(document: dict[str, Any]) -> Iterable[Flowable]:
    order, zone = document["order"], _zone(document)
    yield Paragraph("Why this place in the order", _HEAD)
    hits = [hit for hit in (order["hit"], *order["near"]) if hit is not None]
    rows = [
        [
            f"{hit['premises']} {hit['table']}",
            hit["round"],
            f"{_local(hit['told'], zone, exact=True)} ({_words(hit['moment'])})",
            _local(hit["place"], zone, exact=True),
            f"{_local(hit['earliest'], zone, exact=True)} to {_local(hit['latest'], zone, exact=True)}",
        ]
        for hit in hits
    ]
    yield _table(
        ["Table", "Round", "Told by its clock", "Stands at", "Certainly between"], rows, (2, 1, 3, 3, 5)
    )
    if order["held"]:
        yield Paragraph(_plain(f"It was held for people: {order['held']['why']}"), _BODY)
    decision = order["decision"]
    if decision:
        yield Paragraph(
            _plain(
                f"Hits close to it were compared ({_words(decision['kind'])}): rounds {', '.join(decision['order'])}."
            ),
            _BODY,
        )
    for ruling in order["rulings"]:
        words = (
            f"Ruling {ruling['id']} by {ruling['asked_by']} and {ruling['approved_by']}: {ruling['reason']}"
        )
        yield Paragraph(_plain(f"{words} {ruling['cameras']}"), _BODY)
    yield Paragraph("What each table had vouched for when it was resolved", _HEAD)
    if order["vouched"] is None:
        yield Paragraph(
            "It was not written down: the win was resolved by people, or before this was kept.", _BODY
        )
        return
    rows = [
        [
            f"{table['premises']} {table['table']}",
            _local(table["until"], zone, exact=True),
            "waited for" if table["awaited"] else table["why_not"],
        ]
        for table in order["vouched"]
    ]
    yield _table(["Table", "Nothing left to tell before", "Was it"], rows, (2, 3, 2))


def _people(document: dict[str, Any]) -> Iterable[Flowable]:
    zone, win = _zone(document), document["win"]
    yield Paragraph("People", _HEAD)
    if win["verified_by"]:
        checks = ", ".join(f"{_words(name)}: {value}" for name, value in win["verification"].items())
        yield Paragraph(_plain(f"Verified by {win['verified_by']} ({checks})."), _BODY)
    rows = [
        [
            each["title"],
            f"{each['requested_by']}, {_local(each['requested_at'], zone)}: {each['reason']}",
            f"{each['decided_by']}, {_local(each['decided_at'], zone)} {each['note']}"
            if each["decided_by"]
            else "nobody yet",
            each["state"],
        ]
        for each in document["people"]["approvals"]
    ]
    yield _table(["What", "Asked by", "Decided by", "State"], rows, (3, 5, 4, 2))
    rows = [
        [_local(each["at"], zone), each["who"], each["action"], each["reason"]]
        for each in document["people"]["record"]
    ]
    yield _table(["At", "Who", "Audit trail", "Reason"], rows, (3, 3, 3, 4))
    for slip in document["slips"]:
        again = f", REPRINT {slip['copy']}" if slip["reprint"] else ""
        words = f"Slip {slip['number']}{again}, printed by {slip['printed_by']} on {_local(slip['printed_at'], zone)}."
        yield Paragraph(_plain(words), _BODY)
    if document["winner"]:
        written = document["winner"]
        words = (
            f"The winner was written down by {written['written_down_by']} on {_local(written['at'], zone)}."
        )
        yield Paragraph(_plain(words), _BODY)


def _signs(document: dict[str, Any]) -> Iterable[Flowable]:
    signs, zone = document["signs"], _zone(document)
    frames = {frame["sequence"]: frame for frame in signs["frames"]}
    yield Paragraph("What the signs showed", _HEAD)
    rows = []
    for sign in signs["signs"]:
        for one in sign["showed"]:
            sent = frames.get(one["sequence"], {"levels": {}})["levels"] | one.get("not_as_sent", {})
            figures = ", ".join(f"{_words(level)} {value}" for level, value in sent.items())
            rows.append([sign["sign"], _local(one["at"], zone, exact=True), one["sequence"], figures])
    if rows:
        yield _table(["Sign", "At", "Frame", "Figures"], rows, (3, 3, 1, 5))
    else:
        yield Paragraph("No sign told what it showed at that time.", _BODY)


def _books(document: dict[str, Any]) -> Iterable[Flowable]:
    yield Paragraph("In the books", _HEAD)
    rows = [
        [
            entry["id"],
            entry["day"],
            entry["kind"],
            "; ".join(f"{code} {amount}" for code, amount in entry["legs"].items()),
        ]
        for entry in document["entries"]
    ]
    yield _table(["Entry", "Day", "Kind", "Accounts"], rows, (1, 2, 3, 8))


def _proof(document: dict[str, Any], summary: dict[str, Any]) -> Iterable[Flowable]:
    yield Paragraph("Proof", _HEAD)
    words = (
        f"{summary['rows']} rows lie under the seals below; rows.jsonl has each with the hashes that lead to its seal. "
        "The archive is signed whole. Take key and hashes of seals from outside this file."
    )
    yield Paragraph(words, _BODY)
    rules = document["amount"]["rules"]
    yield Paragraph(f"key {summary['key']}<br/>rules {rules}", _MONO)
    yield from (Paragraph(f"seal {number}: {value}", _MONO) for number, value in summary["seals"][:MAX_ROWS])
    if len(summary["seals"]) > MAX_ROWS:
        yield Paragraph(f"and {len(summary['seals']) - MAX_ROWS} more in seals.jsonl", _BODY)


# --- Pieces ---------------------------------------------------------------------------------------------------
def _table(heads: Sequence[str], rows: Sequence[Sequence[Any]], widths: Sequence[int]) -> Flowable:
    if not rows:
        return Spacer(1, 1)
    some = [[Paragraph(f"<b>{head}</b>", _BODY) for head in heads]]
    some += [[Paragraph(_plain(cell), _BODY) for cell in row] for row in rows[:MAX_ROWS]]
    if len(rows) > MAX_ROWS:
        more = f"and {len(rows) - MAX_ROWS} more in evidence.json"
        some.append([Paragraph(text, _BODY) for text in (more, *("" for _ in heads[1:]))])
    each = _WIDTH / sum(widths)
    wide = [each * width for width in widths]
    return LongTable(some, colWidths=wide, style=_GRID, repeatRows=1, spaceAfter=2 * mm)


def _facts(rows: Iterable[tuple[str, Any]]) -> Flowable:
    some = [
        [Paragraph(f"<b>{_plain(name)}</b>", _BODY), Paragraph(_plain(value), _BODY)] for name, value in rows
    ]
    return LongTable(some, colWidths=[_WIDTH * 22 / 100, _WIDTH * 78 / 100], style=_GRID, spaceAfter=2 * mm)


def _dealt(value: Any) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{name}: {_dealt(each)}" for name, each in value.items())
    return _cards(value) if isinstance(value, list) else str(value)


def _cards(cards: Sequence[Any]) -> str:
    return " ".join(
        f"{str(card)[0]}{_SUITS[str(card)[1]]}" if str(card)[1:] in _SUITS else str(card) for card in cards
    )


def _who(name: str) -> str:
    return f"seat {name}" if name.isdigit() else _words(name)


def _words(code: str) -> str:
    return code.replace("-", " ").replace("_", " ")


def _zone(document: dict[str, Any]) -> ZoneInfo:
    return ZoneInfo(document["win"]["time_zone"])


def _local(at: str | None, zone: ZoneInfo, *, exact: bool = False) -> str:
    if at is None:
        return ""
    return told(datetime.fromisoformat(at), zone, WHOLE if exact else MOMENT)


def _plain(value: Any) -> str:
    """For a paragraph: what a person typed is no markup, and no page long."""
    text = _shown(str(value))
    return escape(text if len(text) <= MAX_SIGNS else text[:MAX_SIGNS] + " ... (all of it in evidence.json)")


def _shown(text: str) -> str:
    """Every sign that the fonts have, whole; any other by its code, as evidence.json has it: nothing is left out."""
    composed = " ".join(unicodedata.normalize("NFC", text).split())
    return "".join(char if _known(char) else f"[U+{ord(char):04X}]" for char in composed)


def _known(char: str) -> bool:
    return char.isprintable() and all(ord(char) in glyphs for glyphs in _GLYPHS)
