"""The evidence pack of a win, checked offline: `python verify.py PACK.zip --key KEY` calls it.

Needs Python 3.9 or later, verify.py beside it, and nothing else. It checks that
  1. all its bytes are as they were signed (Ed25519, RFC 8032) by the key given, or, without --key, by the one it names,
  2. every file is the one that the manifest names,
  3. every row lies under a seal, and every row that changes is what the hash in its last sealed step says,
  4. what evidence.json tells people is what these rows say: the win and who walked it to paid, the hand and its cards,
     meters and trace, the interval of its place, that every table that was waited for had vouched beyond it, rulings
     and second thoughts, the messages in which its terminal told the round, the settled lines of the round and of
     every version of it, of which the last one counts and is round.json, two different people for every approval,
     slips, entries, sealed frames, and who won, if that is in it,
  5. with --against: the seals are those that were written down earlier, as verify.py says.
What it cannot tell: whether something was left out, row and word; whether signs really showed what they said; and
whether the rules give this amount: for that settle round.json with `python -m rules settle`. The PDF, the sentences of
the story and the rules in words are signed, and nothing more.
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
AMOUNTS = ("stake", *MONEY)
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
            ("evidence.json", self.check_messages),
            ("evidence.json", self.check_people),
            ("evidence.json", self.check_books),
            ("evidence.json", self.check_signs),
            ("winner.json", self.check_winner),
            *((other, lambda other=other: self.check_against(other)) for other in against),
        ]
        self.take(steps)

    def tell(self) -> str:
        win = self.told["win"]
        trusted = "as you asked" if self.keys else "compare it with the one on the page of seals"
        away = sorted(set((self.told["round"] or {}).get("messages_kept_elsewhere", {}).values()))
        without = f"messages of {', '.join(away)} are kept elsewhere, and not in it\n" if away else ""
        frames = sorted(set(self.told["signs"].get("frames_kept_elsewhere", {}).values()))
        without += f"frames of {', '.join(frames)} are kept elsewhere, and not in it\n" if frames else ""
        return (
            f"win {win['id']}: {win['hand']} at {win['table']}, {win['amount']} {win['currency']}, {win['state']}; "
            f"{len(self.rows)} rows under {len(self.known)} seals\n{without}"
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
        where, same = (
            f"win {told['id']}",
            ("level", "seat", "player", "rule", "state", "method", "verification"),
        )
        self.agree(
            where,
            {
                "amount": (micros_of(told["amount"]), win["amount_micros"]),
                "part from the meter": (micros_of(told["from_pool"]), win["from_pool_micros"]),
                "part from the house": (micros_of(told["from_house"]), win["from_house_micros"]),
                "payment": (told["paid"] and micros_of(told["paid"]), win.get("paid_micros")),
                "hand": (told["hand"], win["trigger"]),
                "cards": (told["cards"], win["hit"]["cards"]),
                "round": (told["round"], win["round_id"]),
                **{name: (told[name], win[name]) for name in same},
            },
        )
        if win["amount_micros"] != win["from_pool_micros"] + win["from_house_micros"]:
            self.fault(f"{where}: pool and house do not give its amount")
        doers = {"verified_by": "jackpots.win_verified", "paid_by": "jackpots.win_paid"}
        for name, action in doers.items():
            self.check_doer(where, told[name], action, f"jackpots.win:{told['id']}")
        run = self.sealed["jackpots.foldrun", win["run_id"]]
        amount = self.told["amount"]
        self.agree(where, {"trace": (amount["trace"], run["trace"]), "run": (amount["run"], run["number"])})
        after, before = (
            {level: micros_of(value) for level, value in amount[name].items()}
            for name in ("meters_after", "meters_before")
        )
        self.agree(where, {"meters afterwards": (after, meters_of(run))})
        for other in self.of_class("jackpots.foldrun").values():
            if other["number"] == run["number"] - 1:
                self.agree(where, {"meters before": (before, meters_of(other))})

    def check_doer(self, where: str, who: str | None, action: str, subject: str) -> None:
        """Who is said to have done it stands in the audit trail."""
        records = self.of_class("people.auditrecord").values()
        known = {
            row["actor_label"] for row in records if (row["action"], row["subject"]) == (action, subject)
        }
        if who is not None and who not in known:
            self.fault(f"{where}: the audit trail does not know {action} by {who}")

    def check_order(self) -> None:
        """Of the hit itself and those it was compared with; and by whose word it was final."""
        win, order = self.win(), self.told["order"]
        for hit in (order["hit"], *order["near"]):
            if hit is not None:
                self.check_hit(hit)
        if order["hit"] is None or win.get("share_id") is None:
            return
        if win["share_id"] != order["hit"]["share"]:
            self.fault("order: the hit that is told is not the win's")
        if win["hit"] not in self.sealed["jackpots.event", order["hit"]["event"]]["body"]["hits"]:
            self.fault("order: the win's hand is not in the log")
        run, share = (
            self.sealed["jackpots.foldrun", win["run_id"]],
            self.sealed["jackpots.share", win["share_id"]],
        )
        self.agree("order", {name: (order[name], run.get(name)) for name in ("vouched", "decision")})
        for table in run.get("vouched") or ():
            until = table["until"] and instant_of(table["until"])
            if table["awaited"] and not (until and until > instant_of(share["latest"])):
                self.fault(f"order: {table['table']} had not vouched beyond the hit when it was resolved")
            undecided = table.get("undecided")
            if undecided and instant_of(undecided) <= instant_of(share["latest"]):
                self.fault(f"order: a round of {table['table']} from before the hit was not decided")

    def check_hit(self, hit: dict[str, Any]) -> None:
        share, event = (
            self.sealed["jackpots.share", hit["share"]],
            self.sealed["jackpots.event", hit["event"]],
        )
        doubts = sorted(self.of_class("jackpots.doubt").items())
        bounds = ([row for _, row in doubts if row["share_id"] == hit["share"]] or [share])[-1]
        hands = [[one["wager"].get("seat", 0), one["trigger"]] for one in event["body"]["hits"]]
        instants = {
            "place": share["place"],
            "earliest": bounds["earliest"],
            "latest": bounds["latest"],
            "told": share.get("told"),
            "received": event["received_at"],
        }
        self.agree(
            f"hit of round {hit['round']}",
            {
                "event": (share["event_id"], hit["event"]),
                "round": (hit["round"], event["round_id"]),
                "hands": (hit["hands"], hands),
                "moment": (hit["moment"], share["moment"]),
                "clock": (hit["clock"], share["clock"]),
                **{name: (at_of(hit[name]), at_of(found)) for name, found in instants.items()},
            },
        )

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
        self.agree(where, {"cards": (told["dealt"], kept["dealt"])})
        dealt = [kept, *self.check_versions(where, told)]
        document, counts = json.loads(self.archive.read("round.json")), dealt[-1]
        for name in ("dealt", "wagers", "decisions"):
            if document[name] != counts[name]:
                self.fault(f"{where}: round.json has other {name} than the sealed round that counts")
        # A win of before a correction has its cards from the version of then.
        if not any(set(self.win()["hit"]["cards"]) <= set(texts_in(each["dealt"])) for each in dealt):
            self.fault(f"{where}: the cards of the hand were not dealt in it")

    def check_messages(self) -> None:
        """Word for word what the terminal said: the hash of each lies under a seal, in the row of its event."""
        told = self.told["round"] or {}
        texts, away = dict(told.get("messages", {})), told.get("messages_kept_elsewhere", {})
        for pk, event in self.of_class("tables.tableevent").items():
            text = texts.pop(str(pk), event.get("message"))
            where = f"terminal event {pk}"
            if text is not None and hashlib.sha256(text.encode()).hexdigest() != event["sha256"]:
                self.fault(f"{where}: its message is not the one whose hash lies under the seal")
            if text is None and "head" in event and str(pk) not in away:
                self.fault(f"{where}: its message is not there")
        for pk in texts:
            self.fault(f"terminal event {pk}: its message is told, and no sealed row has its hash")

    def check_versions(self, where: str, told: dict[str, Any]) -> list[dict[str, Any]]:
        """What people have put right, word for word and line for line: none is left out, and the last one counts."""
        rows, versions = self.of_class("tables.roundversion"), told.get("versions", [])
        lines = sorted(self.of_class("tables.versionline").values(), key=lambda line: line["position"])
        found = sorted(
            (row for row in rows.values() if row["round_id"] == told["id"]), key=lambda row: row["number"]
        )
        if [each["number"] for each in versions] != [row["number"] for row in found]:
            self.fault(f"{where}: the versions that are told are not those that lie under the seals")
            return found
        self.agree(where, {"counting version": (told.get("counts", 1), 1 + len(found))})
        for each, row in zip(versions, found):  # noqa: B905 (Python 3.9)
            what = f"{where}, version {row['number']}"
            if row["number"] != 2 + found.index(row):
                self.fault(f"{what}: the one before it is not there")
            names = ("id", "dealt", "wagers", "decisions", "irregularities", "result", "rules_version")
            self.agree(what, {name: (each[name], row[name]) for name in names})
            own = [line for line in lines if line["version_id"] == row["id"]]
            sealed = [
                [
                    line["wager_id"],
                    line["outcome"],
                    line["rule"],
                    *(line[f"{name}_micros"] for name in AMOUNTS),
                ]
                for line in own
            ]
            shown = [
                [line["wager"], line["outcome"], line["rule"], *(micros_of(line[name]) for name in AMOUNTS)]
                for line in each["lines"]
            ]
            self.agree(what, {"lines": (shown, sealed)})
            act = self.sealed["tables.roundcorrection", row["correction_id"]]
            said = each["correction"]
            self.agree(what, {name: (said[name], act[name]) for name in ("id", "rule", "reason")})
            self.check_doer(what, said["asked_by"], *self.asking(act))
        return found

    def asking(self, act: dict[str, Any]) -> tuple[str, str]:
        """Where the audit trail has who asked: for the approval, or by doing it alone."""
        asked = act.get("approval_id")
        if asked is not None:
            return "people.approval_requested", f"people.approvalrequest:{asked}"
        return "tables.round_corrected", f"tables.round:{act['round_id']}"

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
            subject = f"people.approvalrequest:{told['id']}"
            decided = "rejected" if told["state"] == "rejected" else "approved"
            self.check_doer(where, told["requested_by"], "people.approval_requested", subject)
            self.check_doer(where, told["decided_by"], f"people.approval_{decided}", subject)
        asked = self.win().get("approval_id")
        if asked is not None:
            win = self.told["win"]
            wanted = {name: win[name] for name in ("amount", "table", "seat", "hand", "level", "progressive")}
            wanted |= {"win": win["id"], "round": str(win["round"])}
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
        for slip in self.told["slips"]:
            names = ("amount", "hand", "seat", "table", "level", "round")
            self.agree(
                f"slip {slip['number']}", {name: (slip[name], self.told["win"][name]) for name in names}
            )
        self.check_words("jackpots.ruling", self.told["order"]["rulings"], ("kind", "cameras", "reason"))
        self.check_words(
            "jackpots.adjustment", self.told["second_thoughts"], ("kind", "rule", "reason", "house_only")
        )

    def check_words(self, name: str, told: list[dict[str, Any]], names: tuple[str, ...]) -> None:
        """What two people have said, word for word; and nothing of it is left out."""
        rows = self.of_class(name)
        if sorted(rows) != sorted(each["id"] for each in told):
            self.fault(f"{name}: those that are told are not those that lie under the seals")
        for each in told:
            self.agree(f"{name} {each['id']}", {key: (each[key], rows[each["id"]][key]) for key in names})

    def check_books(self) -> None:
        entries, win = self.of_class("ledger.entry"), self.win()
        if sorted(entries) != sorted(entry["id"] for entry in self.told["entries"]):
            self.fault("entries: those that are told are not those that lie under the seals")
        for told in self.told["entries"]:
            entry = entries[told["id"]]
            legs = {code: micros_of(amount) for code, amount in told["legs"].items()}
            self.agree(
                f"entry {told['id']}",
                {
                    "accounts": (legs, entry["legs"]),
                    "kind": (told["kind"], entry["kind"]),
                    "key": (told["key"], entry["key"]),
                },
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

    def check_signs(self) -> None:
        """Frames that lie under a seal: older ones with what they say, others with its hash."""
        told = self.told["signs"]
        texts, away = dict(told.get("texts", {})), told.get("frames_kept_elsewhere", {})
        shown = {frame["sequence"]: frame["levels"] for frame in told["frames"]}
        for pk, row in self.of_class("jackpots.frame").items():
            where, body, text = f"frame {row['sequence']}", row.get("body"), texts.pop(str(pk), None)
            if "sha256" in row and text is not None:
                if hashlib.sha256(text.encode()).hexdigest() != row["sha256"]:
                    self.fault(f"{where}: its text is not the one whose hash lies under the seal")
                body = json.loads(text)["body"]
            if body is None:
                if str(pk) not in away:
                    self.fault(f"{where}: its text is not there")
            else:
                sent = {level["level"]: level["value"] for level in body["levels"]}
                self.agree(where, {"figures": (shown.get(row["sequence"]), sent)})
        for pk in texts:
            self.fault(f"text of frame {pk}: no sealed row has its hash")

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


def meters_of(run: dict[str, Any]) -> dict[str, int]:
    """By level what its meter stood at."""
    levels = run["meters"]["levels"]
    return {level["name"]: micros_of(level["base"]) + micros_of(level["increment"]) for level in levels}


def at_of(text: str | None) -> datetime | None:
    return None if text is None else instant_of(text)


def instant_of(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
