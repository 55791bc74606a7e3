"""The chain: whatever is changed, taken out or slipped in is found and named; what was erased is known as erased."""

import json
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

import mensura
from mensura.dialogue import Address, Event, Items, Scores
from mensura.errors import Altered, BadFile, MensuraError, StoreError
from mensura.running.run import run, session_id
from mensura.store import Store, export_run, import_archive, open_store
from mensura.store.archive.audit import audit_archive
from mensura.store.head import BY_HASH, SessionHead
from mensura.store.people.invitations import Step
from mensura.store.schema import runs, sessions
from mensura.store.sealed.proof import audit_run, run_head_of
from mensura.store.sealed.signature import check_signature, sign

Begin = Callable[..., str]
Turn = Callable[..., list[Event]]
HASHES = {"instance_hash": "i", "environment_hash": "e"}
ONE, TWO = "coin-1/0.0.0", "coin-1/0.0.1"
FREE = {("runs", "number"), ("runs", "opened"), ("sessions", "number"), ("events", "session"), ("truths", "session")}
FREE |= {("results", "number"), ("results", "session"), ("exclusions", "number"), ("links", "session")}
FREE |= {("deeds", "number")}
"""Columns that only number rows of this database, or say when it was opened."""


@pytest.fixture
def filled(store: Store, begin: Begin, turn: Turn, ending: Callable[..., Event]) -> Store:
    """Give a store with a finished and a lost session, one of them excluded, one resolved later."""
    begin(store, sessions=2)
    save = {"state": {"deck": [3]}, "rng": {"state": {"state": 2**100}}}
    store.events.append(ONE, turn(0, nonce="n-0", notes={"tokens_in": 3}), truths={"coin0": 1})
    store.events.append(ONE, [Event(3, "save", value=save), *turn(2)[:0], Event(4, "tell", "subject", reward=1.5)])
    store.events.append(ONE, [ending(5)])
    store.events.append(TWO, turn(0), truths={"coin0": 0, "coin1": 1})
    store.sessions.end(TWO, status="timed_out", last_words="too slow")
    store.truths.resolve(ONE, "coin0", 0, source="we looked again", time=50.0)
    for session in (ONE, TWO):
        store.results.add(session, Scores({"right": Items([1.0], ["coin0"])}), scoring="1", **HASHES)
    store.exclusions.decide(TWO, reason="was interrupted", who="ann")
    store.deeds.note(TWO, "analysed", who="ann", verdict="supported")
    return store


def test_a_run_that_nobody_touched_is_whole(filled: Store) -> None:
    proof = audit_run(filled, "coin-1")
    assert proof.whole, str(proof)
    assert (proof.sessions, proof.erased, proof.unchained) == (2, [], [])
    assert proof.head == run_head_of(filled, "coin-1") != ""
    assert filled.runs.open("coin-1")
    assert audit_run(filled, "coin-1").head == proof.head, "opening changes nothing of what was written"


def test_sessions_that_are_exchanged_between_runs_of_the_same_items_are_found(store: Store) -> None:
    lines = [{"prompt": f"Item {i}", "options": ["a", "b"], "answer": "a"} for i in range(2)]
    heads = [run(mensura.bank(lines, name="items"), "chance", store=store, seed=1).head for _ in range(2)]
    one, other = (session_id(head.id, Address(item=head.details["items"][0])) for head in heads)
    here = select(sessions.c.run).where(sessions.c.id.in_([one, other])).order_by(sessions.c.number)
    with store.database.writing() as connection:
        first, second = connection.execute(here).scalars()
        # Their ids are exchanged too, so that the registers of both runs still fit.
        for before, after, number in ((one, "moved", first), (other, one, first), ("moved", other, second)):
            connection.execute(update(sessions).where(sessions.c.id == before).values(id=after, run=number))
    assert [audit_run(store, head.id).whole for head in heads] == [False, False]


@pytest.mark.parametrize("bound", [{"bound": BY_HASH}, {}])
def test_an_item_that_is_changed_in_the_plan_of_a_run_is_found(store: Store, bound: dict[str, str]) -> None:
    lines = [{"prompt": f"Item {i}", "options": ["a", "b"], "answer": "a"} for i in range(3)]
    taken = run(mensura.bank(lines, name="items"), "chance", store=store).head
    assert audit_run(store, taken.id).whole
    details = {**{name: value for name, value in taken.details.items() if name != "bound"}, **bound}
    # Runs of earlier versions do not say how their items are bound: all of them are.
    planned = replace(taken, id="planned-1", details=details)
    store.runs.add(planned)
    address = Address(item=details["items"][0])
    store.sessions.add(SessionHead(session_id(planned.id, address), planned.id, address, planned.cast, created=1.0))
    assert audit_run(store, planned.id).whole
    changed = json.dumps({**details, "items": details["items"][::-1]})
    with store.database.writing() as connection:
        connection.execute(update(runs).where(runs.c.id == planned.id).values(details=changed))
    assert not audit_run(store, planned.id).whole


def other(value: Any) -> Any:
    """Give another value of the same kind; what is true or false is a 1 or a 0 in SQLite."""
    if value in (0, 1):
        return 1 - value
    if isinstance(value, (int, float)):
        return value + 1000
    if value is None:
        return "2"
    return value[:-1] + ("A" if value[-1:] != "A" else "B")


def cells(store: Store) -> Iterator[tuple[str, str, list[str], Any]]:
    """Give every cell of every chained row: table, column, names of the row's key, and the row."""
    with store.database.reading() as connection:
        for table in ("runs", "sessions", "events", "truths", "results", "exclusions", "deeds", "links", "contents"):
            rows = connection.exec_driver_sql(f"SELECT * FROM {table}").mappings().all()
            keys = {
                "events": ["session", "number"],
                "truths": ["session", "key", "version"],
                "links": ["session", "place"],
                "contents": ["address"],
            }.get(table, ["number"])
            for row in rows:
                for column in row:
                    if (table, column) not in FREE:
                        yield table, column, keys, dict(row)


def test_a_changed_value_in_any_cell_of_any_chained_row_is_found(lite: Store, begin: Begin, turn: Turn) -> None:
    begin(lite, sessions=1)
    lite.events.append(
        ONE, [*turn(0, nonce="n-0", notes={"a": 1}), Event(3, "tell", "subject", reward=1.5)], truths={"coin0": 1}
    )
    lite.events.append(ONE, [Event(4, "save", value={"state": 1, "rng": {"state": 5}})])
    lite.sessions.end(ONE, status="finished", last_words="bye")
    lite.results.add(ONE, Scores({"all": 1.0}), scoring="1", **HASHES)
    lite.exclusions.decide(ONE, reason="was interrupted", who="ann")
    lite.deeds.note(ONE, "invited", who="ann", invitation=7)
    assert lite.database.place.path is not None
    checked = 0
    for table, column, keys, row in list(cells(lite)):
        where = " AND ".join(f'"{key}" = ?' for key in keys)
        names = [row[key] for key in keys]
        with sqlite3.connect(lite.database.place.path) as raw:
            raw.execute(f'UPDATE {table} SET "{column}" = ? WHERE {where}', [other(row[column]), *names])
        try:
            found = audit_run(lite, "coin-1").altered
        except MensuraError as error:
            # A value that cannot even be read is found, too.
            found = [str(error)]
        assert found, (table, column, row[column])
        with sqlite3.connect(lite.database.place.path) as raw:
            changed = [other(row[key]) if key == column else row[key] for key in keys]
            raw.execute(f'UPDATE {table} SET "{column}" = ? WHERE {where}', [row[column], *changed])
        checked += 1
    assert checked > 80
    assert audit_run(lite, "coin-1").whole


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (
            "UPDATE events SET value = '1' WHERE kind = 'answer' AND session = 1",
            r"Event 2 \(answer 'coin0'\) of",
        ),
        ("DELETE FROM events WHERE number = 4", "Event 4 of session coin-1/0.0.0 is gone"),
        ("UPDATE events SET number = 9 WHERE number = 4", "Event 4 of session coin-1/0.0.0 is gone"),
        (
            "UPDATE truths SET value = (SELECT max(value) FROM truths WHERE session = 2) WHERE session = 1",
            r"The truth of 'coin0' \(version 1\) of session coin-1/0.0.0 was altered",
        ),
        ("DELETE FROM truths WHERE version = 2", r"'coin0' \(version 2\) of session coin-1/0.0.0 is gone"),
        ("DELETE FROM results WHERE session = 1", "Result 1 of session coin-1/0.0.0 is gone"),
        ("DELETE FROM exclusions", "Exclusion 1 of session coin-1/0.0.1 is gone"),
        ("UPDATE sessions SET status = 'finished' WHERE number = 2", "The status of session coin-1/0.0.1 was altered"),
        ("UPDATE runs SET details = '{}'", r"The run's own line \(coin-1\) was altered"),
        ("DELETE FROM links WHERE place = 2 AND session = 1", "Link 2 of the chain of session coin-1/0.0.0"),
        ("DELETE FROM links WHERE session = 1", "The chain of session coin-1/0.0.0 is gone"),
        ("UPDATE contents SET body = replace(body, 'Coin', 'Toss')", "What event 1 .* showed was altered"),
        (
            "INSERT INTO truths SELECT 2, 'coin7', 1, value, '', NULL FROM truths WHERE session = 2 AND key = 'coin1'",
            "The truth of 'coin7' .* was slipped in",
        ),
    ],
)
def test_what_was_done_to_a_record_is_named(filled: Store, change: str, named: str) -> None:
    with filled.database.writing() as connection:
        connection.exec_driver_sql(change)
    proof = audit_run(filled, "coin-1")
    assert not proof.whole
    with pytest.raises(Altered, match=named):
        proof.require()


def test_a_cell_that_cannot_be_read_is_found_without_a_traceback(lite: Store, begin: Begin, turn: Turn) -> None:
    begin(lite, sessions=1)
    lite.events.append(ONE, turn(0), truths={"coin0": 1})
    assert lite.database.place.path is not None
    parsed = [*(("runs", column) for column in ("register", "seed", "details", "parameters", "cast"))]
    parsed += [("sessions", "secret"), ("sessions", "cast"), ("links", "listed")]
    for table, column in parsed:
        with sqlite3.connect(lite.database.place.path) as raw:
            [was] = raw.execute(f'SELECT "{column}" FROM {table} ORDER BY 1 LIMIT 1').fetchone()
        for rubbish in ("nonsense", "[1]", "null", 10**17, b"\xff"):
            with sqlite3.connect(lite.database.place.path) as raw:
                raw.execute(f'UPDATE {table} SET "{column}" = ? WHERE "{column}" = ?', [rubbish, was])
            try:
                found = audit_run(lite, "coin-1").altered
            except StoreError as error:
                found = [str(error)]
            assert found, (table, column, rubbish)
            with sqlite3.connect(lite.database.place.path) as raw:
                raw.execute(f'UPDATE {table} SET "{column}" = ? WHERE "{column}" = ?', [was, rubbish])
    assert audit_run(lite, "coin-1").whole


def test_a_session_is_not_added_to_a_run_whose_register_was_altered(lite: Store, begin: Begin) -> None:
    begin(lite, sessions=1)
    with lite.database.writing() as connection:
        connection.exec_driver_sql("UPDATE runs SET register = 'nonsense'")
    head = lite.sessions.find(ONE)
    with pytest.raises(Altered, match="register of sessions is 'nonsense'"):
        lite.sessions.add(replace(head, id="coin-1/0.0.9", address=Address(session=9)))


def test_what_a_person_erased_leaves_a_chain_that_holds_and_says_so(filled: Store) -> None:
    before = audit_run(filled, "coin-1").head
    _, made = filled.invitations.add((Step("session", session=ONE),), label="A1", created_by="ann")
    filled.invitations.withdraw(made.number)
    proof = audit_run(filled, "coin-1")
    assert proof.whole, str(proof)
    assert proof.erased == [ONE]
    assert proof.head == before
    with filled.database.writing() as connection:
        connection.exec_driver_sql("INSERT INTO truths VALUES (1, 'x', 1, '1', '', NULL)")
    assert "slipped in after it was erased" in audit_run(filled, "coin-1").altered[0]


def test_an_altered_record_is_neither_scored_nor_imported(filled: Store, tmp_path: Path) -> None:
    from mensura.running.scoring.rescore import rescore

    with filled.database.writing() as connection:
        connection.exec_driver_sql("UPDATE events SET value = '1' WHERE kind = 'answer' AND session = 1")
    with pytest.raises(Altered, match="Event 2"):
        rescore("coin-1", store=filled)
    export_run(filled, "coin-1", tmp_path / "altered.zip", format="zip")
    with open_store(tmp_path / "other.db") as fresh:
        with pytest.raises(BadFile, match="Event 2"):
            import_archive(fresh, tmp_path / "altered.zip")
        assert fresh.runs.all() == []


def forge(path: Path, table: str, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the first line of a table in an archive, and make its checksum fit."""
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    lines = files[f"{table}.jsonl"].decode().splitlines()
    line = json.loads(lines[0])
    change(line)
    body = ("\n".join([json.dumps(line), *lines[1:]]) + "\n").encode()
    manifest = json.loads(files["manifest.json"])
    manifest["tables"][table]["sha256"] = sha256(body).hexdigest()
    files |= {f"{table}.jsonl": body, "manifest.json": json.dumps(manifest).encode()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)


def test_an_archive_is_whole_and_a_changed_line_of_any_member_is_named(filled: Store, tmp_path: Path) -> None:
    path = tmp_path / "run.zip"
    export_run(filled, "coin-1", path, format="zip")
    (tmp_path / "work").mkdir()
    [proof], _ = audit_archive(path, tmp_path / "work")
    assert proof.whole, str(proof)
    assert proof.head == audit_run(filled, "coin-1").head
    changes: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
        "runs": (lambda line: line.update(condition="another"), "run's own line"),
        "sessions": (lambda line: line.update(created=5.0), "The session of session"),
        "events": (lambda line: line.update(tick=8), "Event 1"),
        "truths": (lambda line: line.update(source="me"), "The truth of 'coin0'"),
        "results": (lambda line: line.update(scoring="2"), "Result 1"),
        "exclusions": (lambda line: line.update(reason="none"), "Exclusion 1"),
        "deeds": (lambda line: line.update(body='{"verdict":"contradicted"}'), "Deed 1 (analysed)"),
        "links": (lambda line: line.update(head="0" * 40), "Link 1"),
    }
    for table, (change, named) in changes.items():
        export_run(filled, "coin-1", path, format="zip")
        forge(path, table, change)
        folder = tmp_path / f"work-{table}"
        folder.mkdir()
        [proof], _ = audit_archive(path, folder)
        assert named in proof.altered[0], (table, proof.altered)
    export_run(filled, "coin-1", path, format="zip")
    forge(path, "contents", lambda line: line.update(body='{"prompt":"other"}'))
    (tmp_path / "work-contents").mkdir()
    with pytest.raises(BadFile, match=r"contents.jsonl, line 1"):
        audit_archive(path, tmp_path / "work-contents")


def test_a_signature_binds_the_head_that_was_signed(filled: Store) -> None:
    heads = {"coin-1": audit_run(filled, "coin-1").head}
    signed = sign(heads)
    assert check_signature(signed, heads) == signed["key"]
    with pytest.raises(BadFile, match="another head"):
        check_signature(signed, {"coin-1": "0" * 40})
    with pytest.raises(BadFile, match="damaged"):
        check_signature({**signed, "heads": {"coin-1": "0" * 40}}, {"coin-1": "0" * 40})
    for damaged in ("{", "[]", "{}"):
        with pytest.raises(BadFile, match="is damaged"):
            check_signature(damaged, heads)


def test_two_who_write_to_one_session_at_once_make_one_chain(url: str, begin: Begin, turn: Turn) -> None:
    from threading import Thread

    with open_store(url) as store:
        begin(store)
        store.events.append(ONE, turn(0), truths={"coin0": 1})

        def score() -> None:
            with open_store(url) as own:
                for _ in range(15):
                    own.results.add(ONE, Scores({"all": 1.0}), scoring="1", **HASHES)

        def decide() -> None:
            with open_store(url) as own:
                for _ in range(15):
                    own.exclusions.decide(ONE, reason="why not", who="ann")

        threads = [Thread(target=score), Thread(target=decide)]
        for thread in threads:
            thread.start()
        for i in range(1, 15):
            store.events.append(ONE, turn(i), truths={f"coin{i}": 1})
        for thread in threads:
            thread.join()
        proof = audit_run(store, "coin-1")
        assert proof.whole, str(proof)
        assert proof.rows == 3 + 15 * 3 + 30
