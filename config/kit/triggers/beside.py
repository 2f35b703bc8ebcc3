"""Texts that are kept beside their rows: the row stays, with a hash under its seal, and its text, which takes the room,
is a row of a table that is divided by month (ledger.months.months) and can be kept elsewhere.

Both come in one statement, and neither without the other; the text gives the hash that its row has."""

from __future__ import annotations

import pgtrigger

from config.kit.triggers import firm

TEXT_HASH = "encode(sha256(convert_to({text}, 'UTF8')), 'hex')"
"""Of a text, as its row has it in the column `sha256`."""


def with_text(name: str, *, texts: str, key: str, own: str, words: str) -> pgtrigger.Trigger:
    """For the rows: each comes with its text in the table `texts`, by its column `key`, and has none in its `own`
    column, where rows from before have theirs. Between the ends of a statement's keys they are looked up in the
    month's part alone."""
    return firm.DividedTrigger(
        name=name,
        operation=pgtrigger.Insert,
        when=pgtrigger.After,
        level=pgtrigger.Statement,
        referencing=pgtrigger.Referencing(new="new_rows"),  # type: ignore[no-untyped-call]
        declare=[("first", "bigint"), ("last", "bigint"), ("told", "bigint"), ("kept", "bigint")],
        func=f"""
                    SELECT min(n.id), max(n.id), count(*) INTO first, last, told FROM new_rows n;
                    SELECT count(*) INTO kept FROM new_rows n JOIN {texts} t ON t.{key} = n.id
                        WHERE n.{own} IS NULL AND t.{key} BETWEEN first AND last;
                    IF kept <> told THEN
                        RAISE EXCEPTION '{words}'
                            USING ERRCODE = 'check_violation', CONSTRAINT = '{name}';
                    END IF;
                    RETURN NULL;
                """,  # noqa: S608 (nothing of a request is interpolated)
    )


def text_of(name: str, *, rows: str, alias: str, key: str, own: str, words: str) -> pgtrigger.Trigger:
    """For the texts: each is of a row in the table `rows` that has its hash, and no text of its own. A trigger sees
    that once a statement, where a foreign key would look at every row."""
    has_hash = TEXT_HASH.format(text="n.text")
    return firm.IndexedTrigger(
        name=name,
        operation=pgtrigger.Insert,
        when=pgtrigger.After,
        level=pgtrigger.Statement,
        referencing=pgtrigger.Referencing(new="new_rows"),  # type: ignore[no-untyped-call]
        declare=[("wrong", "record")],
        func=f"""
                    SELECT n.{key} INTO wrong FROM new_rows n LEFT JOIN {rows} {alias} ON {alias}.id = n.{key}
                        WHERE {alias}.{own} IS NOT NULL OR {alias}.sha256 IS DISTINCT FROM {has_hash}
                        LIMIT 1;
                    IF FOUND THEN
                        RAISE EXCEPTION '{words}', wrong.{key}
                            USING ERRCODE = 'check_violation', CONSTRAINT = '{name}';
                    END IF;
                    RETURN NULL;
                """,  # noqa: S608 (nothing of a request is interpolated)
    )
