"""The evidence pack of a win, checked offline: `python verify.py PACK.zip --key KEY` calls it.

Needs Python 3.9 or later, verify.py beside it, and nothing else. It checks that
  1. all its bytes are as they were signed (Ed25519, RFC 8032) by the key given, or, without --key, by the one it names,
  2. every file is the one that the manifest names,
  3. every row lies under a seal, and every row that changes is what the hash in its last sealed step says,
  4. what evidence.json tells people is what these rows say: the win, the hand and its cards, the interval of its place,
     that every table that was waited for had vouched beyond it, the settled lines of the round, two different people
     for every approval, slips, entries, and who won, if that is in it,
  5. with --against: the seals are those that were written down earlier, as verify.py says.
What it cannot tell: whether signs really showed what they said, and whether the rules give this amount: for that settle
round.json with `python -m rules settle`. Of the PDF it knows that it was signed.
"""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from docs.verify import MONEY, PACK, Archive, digest_of, gives_root, hash_of, leaf_of, micros_of

# --- Ed25519, by RFC 8032 --------------------------------------------------------------------------------------
P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
Point = tuple[int, int, int, int]
NEUTRAL: Point = (0, 1, 1, 0)


def point_of(encoded: bytes) -> Point:
    """ValueError where there is no such point."""
    y, odd = int.from_bytes(encoded, "little") & (2**255 - 1), encoded[31] >> 7
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - square) % P or (not x and odd):
        raise ValueError("it is no key of Ed25519")
    x = P - x if x & 1 != odd else x
    return x, y, 1, x * y % P


def sum_of(one: Point, two: Point) -> Point:
    a, b = (one[1] - one[0]) * (two[1] - two[0]) % P, (one[1] + one[0]) * (two[1] + two[0]) % P
    c, d = 2 * one[3] * two[3] * D % P, 2 * one[2] * two[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number: int, point: Point) -> Point:
    found = NEUTRAL
    while number:
        if number & 1:
            found = sum_of(found, point)
        point, number = sum_of(point, point), number >> 1
    return found


BASE = point_of((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def is_signed(key: bytes, data: bytes, signature: bytes) -> bool:
    first, second = signature[:32], int.from_bytes(signature[32:], "little")
    if len(key) != 32 or len(signature) != 64 or second >= ORDER:
        return False
    x, y, z, t = point_of(key)
    factor = int.from_bytes(hashlib.sha512(first + key + data).digest(), "little") % ORDER
    x, y, z, _ = sum_of(times(second, BASE), times(factor, (P - x, y, z, P - t)))
    inverse = pow(z, P - 2, P)
    x, y = x * inverse % P, y * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little") == first


# --- The evidence pack of a win -------------------------------------------------------------------------------
SIGNATURE = re.compile(rb"potline-evidence/1 ed25519 ([0-9a-f]{64}) ([0-9a-f]{128})")
SIGNATURE_BYTES = len(PACK) + len(" ed25519 ") + 64 + 1 + 128


def key_of(content: bytes) -> str:
    """The key by which all that stands before the signature is signed; ValueError where it is not."""
    found = SIGNATURE.fullmatch(content[-SIGNATURE_BYTES:])
    if found is None:
        raise ValueError("it does not end with a signature")
    key, signature = (bytes.fromhex(part.decode()) for part in found.groups())
    if not is_signed(key, content[:-SIGNATURE_BYTES], signature):
        raise ValueError("it was changed after it was signed")
    return key.hex()


def climbed(row: dict[str, Any]) -> bytes:
    """The root that a row's leaf gives with the hashes beside its way."""
    found, index, count = leaf_of(row["line"].encode()), row["index"], row["count"]
    beside = [bytes.fromhex(each) for each in row["path"]]
    while count > 1:
        if index % 2:
            found = hashlib.sha256(b"\x01" + beside.pop(0) + found).digest()
        elif index + 1 < count:
            found = hashlib.sha256(b"\x01" + found + beside.pop(0)).digest()
        index, count = index // 2, (count + 1) // 2
    return found


class Pack(Archive):
    def __init__(self, archive: zipfile.ZipFile, content: bytes, keys: list[str]) -> None:
        super().__init__(archive)
        self.content, self.keys, self.key = content, keys, ""
        self.told: dict[str, Any] = json.loads(archive.read("evidence.json"))
        self.rows = {(row["class"], row["id"]): row for row in self.jsonl("rows.jsonl")}
        self.sealed = {ref: json.loads(row["line"]) for ref, row in self.rows.items()}
        self.kept: dict[tuple[str, int], dict[str, Any]] = {}

    def jsonl(self, name: str) -> Iterator[dict[str, Any]]:
        return (json.loads(line) for line in self.archive.read(name).splitlines())

    def check(self, against: list[str]) -> None:
        steps = [
            ("the archive", self.check_signature),
            ("manifest.json", self.check_files),
            ("rows.jsonl", self.check_rows),
            ("kept.jsonl", self.check_kept),
            ("evidence.json", self.check_win),
            ("evidence.json", self.check_order),
            ("evidence.json", self.check_round),
            ("evidence.json", self.check_people),
            ("evidence.json", self.check_books),
            ("winner.json", self.check_winner),
            *((other, lambda other=other: self.check_against(other)) for other in against),
        ]
        self.take(steps)

    def tell(self) -> str:
        win = self.told["win"]
        trusted = "as you asked" if self.keys else "compare it with the one on the page of seals"
        return (
            f"win {win['id']}: {win['hand']} at {win['table']}, {win['amount']} {win['currency']}, {win['state']}; "
            f"{len(self.rows)} rows under {len(self.known)} seals\n"
            f"signed by the key {self.key or 'of nobody'} ({trusted})"
        )

    def check_signature(self) -> None:
        try:
            self.key = key_of(self.content)
        except ValueError as error:
            self.fault(f"the archive: {error}")
            return
        if self.keys and self.key not in self.keys:
            self.fault(f"the archive: it was signed by the key {self.key}, which is none of those given")

    def of_class(self, name: str) -> dict[int, dict[str, Any]]:
        return {row_id: line for (each, row_id), line in self.sealed.items() if each == name}

    def agree(self, where: str, pairs: dict[str, tuple[Any, Any]]) -> None:
        for name, (told, found) in pairs.items():
            if told != found:
                self.fault(f"{where}: its {name} is told as {told!r}, and the sealed rows say {found!r}")

    def check_rows(self) -> None:
        seals = {seal["number"]: seal for seal in self.jsonl("seals.jsonl")}
        for seal in seals.values():
            if not gives_root(seal, None) or hash_of(seal) != seal["hash"]:
                self.fault(f"seal {seal['number']}: its fields do not give its hash")
            self.known[seal["number"]] = seal["hash"]
        for (name, row_id), row in self.rows.items():
            where, line, under = f"{name} {row_id}", self.sealed[name, row_id], seals.get(row["seal"])
            if line["id"] != row_id or line.get("class", "ledger.entry") != name:
                self.fault(f"{where}: its line is another row's")
            if under is None:
                self.fault(f"{where}: it lies under no seal")
            elif [row["count"], climbed(row).hex()] != class_root(under, name):
                self.fault(f"{where}: it is not what seal {row['seal']} sealed")

    def check_kept(self) -> None:
        """A row that changes is what the hash in the last of its steps says."""
        steps: dict[tuple[str, int], dict[str, Any]] = {}
        for _, step in sorted(self.of_class("ledger.step").items()):
            steps[step["kind"], step["row_id"]] = step
        for row in self.jsonl("kept.jsonl"):
            ref = row["kind"], row["id"]
            last = steps.get(ref, {"content": ""})
            if hashlib.sha256(row["line"].encode()).hexdigest() != last["content"]:
                self.fault(f"{row['kind']} {row['id']}: it is not what its last step says")
            self.kept[ref] = json.loads(row["line"]) | {"detail": last.get("detail")}

    def win(self) -> dict[str, Any]:
        return self.kept["jackpots.win", self.told["win"]["id"]]

    def check_win(self) -> None:
        told, win = self.told["win"], self.win()
        self.agree(
            f"win {told['id']}",
            {
                "amount": (micros_of(told["amount"]), win["amount_micros"]),
                "part from the meter": (micros_of(told["from_pool"]), win["from_pool_micros"]),
                "part from the house": (micros_of(told["from_house"]), win["from_house_micros"]),
                "payment": (told["paid"] and micros_of(told["paid"]), win.get("paid_micros")),
                "hand": (told["hand"], win["trigger"]),
                "cards": (told["cards"], win["hit"]["cards"]),
                **{
                    name: (told[name], win[name])
                    for name in ("level", "seat", "player", "rule", "state", "method")
                },
                "round": (told["round"], win["round_id"]),
            },
        )
        if win["amount_micros"] != win["from_pool_micros"] + win["from_house_micros"]:
            self.fault(f"win {told['id']}: pool and house do not give its amount")
        run = self.sealed["jackpots.foldrun", win["run_id"]]
        self.agree(f"win {told['id']}", {"trace": (self.told["amount"]["trace"], run["trace"])})

    def check_order(self) -> None:
        """Of the hit itself and those it was compared with; and by whose word it was final."""
        win, order = self.win(), self.told["order"]
        for hit in (order["hit"], *order["near"]):
            if hit is None:
                continue
            share, event = (
                self.sealed["jackpots.share", hit["share"]],
                self.sealed["jackpots.event", hit["event"]],
            )
            doubts = [
                row
                for _, row in sorted(self.of_class("jackpots.doubt").items())
                if row["share_id"] == hit["share"]
            ]
            bounds = doubts[-1] if doubts else share
            self.agree(
                f"hit of round {hit['round']}",
                {
                    "event": (share["event_id"], hit["event"]),
                    "round": (hit["round"], event["round_id"]),
                    "hands": (
                        hit["hands"],
                        [[one["wager"].get("seat", 0), one["trigger"]] for one in event["body"]["hits"]],
                    ),
                    "place": (instant_of(hit["place"]), instant_of(share["place"])),
                    "earliest bound": (instant_of(hit["earliest"]), instant_of(bounds["earliest"])),
                    "latest bound": (instant_of(hit["latest"]), instant_of(bounds["latest"])),
                },
            )
        if order["hit"] is None or win.get("share_id") is None:
            return
        if win["share_id"] != order["hit"]["share"]:
            self.fault("order: the hit that is told is not the win's")
        if win["hit"] not in self.sealed["jackpots.event", order["hit"]["event"]]["body"]["hits"]:
            self.fault("order: the win's hand is not in the log")
        run = self.sealed["jackpots.foldrun", win["run_id"]]
        self.agree(
            "order",
            {
                "vouching": (order["vouched"], run.get("vouched")),
                "decision": (order["decision"], run.get("decision")),
            },
        )
        for table in order["vouched"] or ():
            latest = instant_of(order["hit"]["latest"])
            if table["awaited"] and not (table["until"] and instant_of(table["until"]) > latest):
                self.fault(f"order: {table['table']} had not vouched beyond the hit when it was resolved")

    def check_round(self) -> None:
        """Lines, to the micro, are what the round's last step and its entry rest on; the cards were dealt."""
        told = self.told["round"]
        if told is None:
            return
        where, kept = f"round {told['id']}", self.kept["tables.round", told["id"]]
        text = "\n".join("\t".join(line) for line in told["settled_lines"])
        if told["state"] == "settled" and hashlib.sha256(text.encode()).hexdigest() != kept["detail"]:
            self.fault(f"{where}: its lines are not those that its last step says")
        lines = [
            [
                line["wager"],
                micros_of(line["stake"]),
                line["outcome"],
                line["rule"],
                *(micros_of(line[name]) for name in MONEY),
            ]
            for line in told["lines"]
        ]
        source = {
            "round": told["id"],
            "config": told["rules"],
            "rules_version": told["rules_version"],
            "lines": lines,
        }
        for entry in self.of_class("ledger.entry").values():
            if entry["key"] == f"tables:round:{told['id']}" and digest_of(source) != entry["source"]:
                self.fault(f"{where}: its wagers are not those that entry {entry['id']} rests on")
        document = json.loads(self.archive.read("round.json"))
        for name in ("dealt", "wagers", "decisions"):
            if document[name] != kept[name]:
                self.fault(f"{where}: round.json has other {name} than the sealed round")
        self.agree(where, {"cards": (told["dealt"], kept["dealt"])})
        if not set(self.win()["hit"]["cards"]) <= set(texts_in(kept["dealt"])):
            self.fault(f"{where}: the cards of the hand were not dealt in it")

    def check_people(self) -> None:
        payloads = {}
        for told in self.told["people"]["approvals"]:
            where, kept = f"approval {told['id']}", self.kept["people.approvalrequest", told["id"]]
            self.agree(where, {name: (told[name], kept[name]) for name in ("action", "reason", "state")})
            if digest_of(told["payload"]) != kept["payload_sha256"]:
                self.fault(f"{where}: what was approved is told otherwise than its hash has it")
            if kept["requested_by_id"] == kept.get("decided_by_id"):
                self.fault(f"{where}: one person was both")
            payloads[told["id"]] = told["payload"]
        asked = self.win().get("approval_id")
        if asked is not None:
            wanted = {"win": self.told["win"]["id"], "amount": self.told["win"]["amount"]}
            self.agree(
                f"approval {asked}", {name: (value, payloads[asked][name]) for name, value in wanted.items()}
            )
        records = self.of_class("people.auditrecord")
        for told in self.told["people"]["record"]:
            pairs = {
                name: (told[name], records[told["id"]][name]) for name in ("action", "subject", "reason")
            }
            self.agree(
                f"audit record {told['id']}",
                pairs | {"person": (told["who"], records[told["id"]]["actor_label"])},
            )
        printed = sorted((row["number"], row["copy"]) for row in self.of_class("jackpots.slip").values())
        if printed != sorted(
            (int(slip["number"].rpartition("-")[2]), slip["copy"]) for slip in self.told["slips"]
        ):
            self.fault("slips: those that are told are not those that were printed")

    def check_books(self) -> None:
        entries, win = self.of_class("ledger.entry"), self.win()
        if sorted(entries) != sorted(entry["id"] for entry in self.told["entries"]):
            self.fault("entries: those that are told are not those that lie under the seals")
        for told in self.told["entries"]:
            entry = entries[told["id"]]
            legs = {code: micros_of(amount) for code, amount in told["legs"].items()}
            self.agree(
                f"entry {told['id']}",
                {"accounts": (legs, entry["legs"]), "kind": (told["kind"], entry["kind"])},
            )
        paid = [
            entry
            for entry in entries.values()
            if entry["key"].split(":win:")[-1].startswith(f"{self.told['win']['id']}:paid")
        ]
        source = {
            "win": self.told["win"]["id"],
            "amount": win["amount_micros"],
            "paid": win.get("paid_micros") or 0,
        }
        if win.get("paid_micros") and not paid:
            self.fault("entries: it is paid, and no entry says so")
        for entry in paid:
            if digest_of(source) != entry["source"]:
                self.fault(f"entry {entry['id']}: it paid something else than this win")

    def check_winner(self) -> None:
        if "winner.json" not in self.names:
            return
        person = json.loads(self.archive.read("winner.json"))
        if digest_of(person) not in {row["sha256"] for row in self.of_class("jackpots.winner").values()}:
            self.fault("winner.json: it is not who was written down")


def class_root(seal: dict[str, Any], name: str) -> list[Any] | None:
    """Count and root of a class under a seal; the first version had entries alone."""
    if "classes" not in seal:
        return [seal["entries"], seal["root"]] if name == "ledger.entry" else None
    found: list[Any] | None = seal["classes"].get(name)
    return found


def texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, (dict, list)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from texts_in(each)
    else:
        yield str(value)


def instant_of(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
