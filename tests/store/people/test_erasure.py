"""Erasure: nothing of a person stays but what the consent names, in either database, and the chains still hold."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from mensura.dialogue import Event, Items, Scores
from mensura.errors import Conflict
from mensura.store import Store, open_store, scrub
from mensura.store.people.invitations import Step
from mensura.store.people.panels import Assignment, Origin, PanelHead, Rating
from mensura.store.schema import metadata
from mensura.store.sealed.chain import digest, read_entries
from mensura.store.sealed.proof import audit_run

MARK = "Zanzibarium"
ANSWERS = ("yes", "no", "maybe")


def rows(store: Store) -> dict[str, list[dict[str, Any]]]:
    """Read every row of every table."""
    with store.database.reading() as connection:
        return {
            name: [dict(row._mapping) for row in connection.execute(select(table))]
            for name, table in metadata.tables.items()
        }


def said(number: int, role: str, words: Any) -> list[Event]:
    content = {"prompt": f"{MARK}, what do you say?", "space": {"kind": "text"}}
    return [
        Event(number, "ask", role, f"{role}{number}", 0, "text", content=content, time=10.0),
        Event(number + 1, "answer", role, f"{role}{number}", 0, words, notes={"telemetry": [MARK]}, time=11.0),
    ]


@pytest.fixture
def alone(store: Store, begin: Callable[..., str]) -> tuple[Store, int, str]:
    """Give somebody who did and was everything that a store can hold of a person."""
    session = begin(store, cast={"subject": "human"})
    store.events.append(session, said(1, "subject", MARK), truths={"subject1": MARK})
    store.events.append(session, [Event(3, "save", value={"state": MARK, "rng": None, "tick": 0, "number": 3})])
    store.results.add(session, Scores({"a": Items([1.0])}), scoring="1", instance_hash="i", environment_hash="e")
    store.exclusions.decide(session, reason=f"{MARK} slept.", who="Ann")
    steps = (Step("consent", text=f"Dear {MARK}"), Step("session", session=session), Step("thanks"))
    details = {"study": "s", "subject_number": "10101", "note": MARK}
    _, made = store.invitations.add(steps, label=MARK, details=details)
    store.invitations.mark(made.number, what="entered")
    store.invitations.name(made.number, name=MARK, contact=MARK, notes=MARK)
    store.presence.beat(made.sign)
    store.trail.note("Ann", "observed: noted", made.sign, words=MARK)
    store.trail.note("Ann", "excluded a session", session, reason=MARK)
    masked = {"masked": {"BBB": {MARK: 1}, "CCC": {MARK: 2}}, "cleaned": ["BBB"], "unread": []}
    head = PanelHead("panel", {}, {"screening": masked}, 1.0, None)
    texts = {"BBB": {"kind": "text", "text": MARK}, "CCC": {"kind": "text", "text": "Another."}}
    store.panels.create(head, texts, {"BBB": Origin("a", session), "CCC": Origin("b", "")})
    shown = {"artefacts": [{"code": code, **texts[code]} for code in ("BBB", "CCC")], "rubric": {}}
    rater = begin(store, "rating-1", parameters=shown)
    store.events.append(rater, [*keyed("BBB/clear", 1, MARK), *keyed("CCC/clear", 3, "other")])
    store.panels.assign(Assignment("panel", "ann", "human", "rating", rater, (("BBB", ("x",)), ("CCC", ("x",)))))
    store.panels.add("panel", [Rating("BBB", "ann", "", None, comment=MARK), Rating("CCC", "ann", "x", 2.0)])
    store.trail.note("Ann", "settled rating", "panel", code="BBB", item="x", value=MARK)
    return store, made.number, session


def keyed(key: str, number: int, words: str) -> list[Event]:
    content = {"prompt": f"{words}?", "space": {"kind": "text"}}
    return [
        Event(number, "ask", "subject", key, 0, "text", content=content, time=1.0),
        Event(number + 1, "answer", "subject", key, 0, words, time=2.0),
    ]


def test_every_table_held_the_person_and_none_does_after(alone: tuple[Store, int, str]) -> None:
    store, number, session = alone
    before = {name for name, held in rows(store).items() if MARK in str(held)}
    assert before == {
        *("artefacts", "audit", "contents", "events", "exclusions", "identities", "invitations", "panels", "ratings"),
        "runs",
    }, "truths and saves are sealed; results are numbers"
    assert store.invitations.withdraw(number) == [session]
    left = rows(store)
    assert [name for name, held in left.items() if MARK in str(held)] == []
    assert [rating.code for rating in store.panels.ratings("panel")] == ["CCC"]
    assert [work for work, _ in store.panels.assignments("panel")[0].work] == ["CCC"]
    assert [event.value for event in store.events.of("rating-1/0.0.0") if event.kind == "answer"] == ["other"]
    for run in ("coin-1", "rating-1"):
        assert audit_run(store, run).whole, str(audit_run(store, run))
    assert "3 events of session coin-1/0.0.0 were erased on" in str(audit_run(store, "coin-1"))


def test_what_stays_is_what_the_consent_names(alone: tuple[Store, int, str]) -> None:
    store, number, session = alone
    store.invitations.withdraw(number)
    left = rows(store)
    mine = next(row for row in left["sessions"] if row["id"] == session)
    about = {name for name, held in left.items() for row in held if row.get("session") in (mine["number"], session)}
    assert about - {"ratings"} == {"links"}, "a chain of salted digests"
    told = {name: mine[name] for name in ("status", "cast", "secret", "last_words", "item")}
    assert told == {"status": "withdrawn", "cast": "{}", "secret": None, "last_words": "", "item": ""}
    [place] = left["invitations"]
    assert {name for name, value in place.items() if value not in (None, "")} == {
        *("number", "token_hash", "steps", "step", "status", "created", "entered", "finished", "details")
    }
    assert store.invitations.get(number).details == {"study": "s", "subject_number": "10101"}
    assert left["identities"] == left["signs"] == left["truths"] == left["exclusions"] == []


def test_no_byte_of_it_is_left_in_the_files(alone: tuple[Store, int, str], url: str) -> None:
    store, number, _ = alone
    with store.database.reading() as connection:
        secret = connection.exec_driver_sql("SELECT secret FROM sessions ORDER BY number").first()[0]
    with store.database.engine.connect() as connection:
        # PostgreSQL keeps frequent values of its own, as its background workers do at any time.
        connection.execution_options(isolation_level="AUTOCOMMIT").exec_driver_sql("ANALYZE")
    store.invitations.withdraw(number)
    files = sorted(Path(url).parent.glob("mensura.db*")) if "://" not in url else data_files(store)
    held = b"".join(file.read_bytes() for file in files)
    assert files
    assert MARK.encode() not in held
    assert secret.encode() not in held
    assert "unscrubbed" not in store.database.facts()


def data_files(store: Store) -> list[Path]:
    """Name the files of the tables of a database in PostgreSQL; its log of changes is its administrator's."""
    with store.database.reading() as connection:
        folder = Path(connection.exec_driver_sql("SHOW data_directory").scalar_one())
        names = connection.exec_driver_sql(
            "SELECT pg_relation_filepath(oid) FROM pg_class WHERE relkind IN ('r', 't', 'i') AND relfilenode > 0"
        ).scalars()
        found = [folder / name for name in names if name]
    with store.database.engine.connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT").exec_driver_sql("CHECKPOINT")
    return [file for file in found if file.exists()]


@pytest.mark.parametrize("answer", ANSWERS)
def test_a_short_answer_cannot_be_guessed_from_what_stays(store: Store, begin: Callable[..., str], answer: str) -> None:
    session = begin(store, cast={"first": "human", "second": "human"})
    joined = [
        Event(1, "join", "first", value="invitation 1", time=1.0),
        Event(2, "join", "second", value="invitation 2", time=1.0),
    ]
    store.events.append(session, [*joined, *said(3, "first", answer), *said(5, "second", "mine")])
    for role in ("first", "second"):
        store.invitations.add((Step("session", session=session, role=role),))
    with store.database.reading() as connection:
        listed = connection.exec_driver_sql("SELECT listed FROM links WHERE session = 1").scalars().all()
        logged = [tuple(row)[1:] for row in connection.exec_driver_sql("SELECT * FROM events WHERE session = 1")]
    old = {entry[2] for one in listed for entry in read_entries(one)}
    row = next(one for one in logged if one[0] == 4)
    at = row.index(f'"{answer}"')
    guesses = [(*row[:at], f'"{guess}"', *row[at + 1 :]) for guess in ANSWERS]
    known = store.custodies.find(session).sealer
    assert known is not None
    assert len(old & {digest(known.salt, guess) for guess in guesses}) == 1, "with the salt it is found"
    store.invitations.withdraw(1)
    again = store.custodies.find(session).sealer
    assert again is not None
    assert not old & {digest(again.salt, guess) for guess in guesses}
    assert [event.value for event in store.events.of(session) if event.kind == "answer"] == ["mine"]
    proof = audit_run(store, "coin-1")
    assert proof.whole, str(proof)
    assert "3 events" in proof.erasures[0]
    assert all(MARK not in str(held) for name, held in rows(store).items() if name == "contents")


def test_a_spare_who_never_sat_down_takes_nothing_from_others(store: Store, begin: Callable[..., str]) -> None:
    session = begin(store, cast={"first": "human", "second": "human"})
    store.events.append(session, [Event(1, "join", "first", value="invitation 7", time=1.0), *said(2, "first", "x")])
    _, spare = store.invitations.add((Step("session", session=session, role="first"),))
    store.invitations.withdraw(spare.number)
    assert len(store.events.of(session)) == 3
    assert store.sessions.find(session).status == "open"


def test_another_process_adds_nothing_to_what_was_erased(store: Store, url: str, begin: Callable[..., str]) -> None:
    session = begin(store, cast={"subject": "human"})
    store.events.append(session, said(1, "subject", "x"))
    _, made = store.invitations.add((Step("session", session=session),))
    with open_store(url) as other:
        other.events.of(session)
        store.invitations.withdraw(made.number)
        with pytest.raises(Conflict):
            other.events.append(session, said(3, "subject", MARK))
    assert store.events.of(session) == []


def test_a_large_store_is_written_anew_when_a_server_starts(alone: tuple[Store, int, str], monkeypatch: Any) -> None:
    store, number, _ = alone
    monkeypatch.setattr(scrub.scrub, "__kwdefaults__", {"largest": 1})
    store.invitations.withdraw(number)
    assert "unscrubbed" in store.database.facts()
    scrub.scrub_left(store.database)
    assert "unscrubbed" not in store.database.facts()


@pytest.mark.postgres
@pytest.mark.parametrize("url", ["postgres"], indirect=True)
@pytest.mark.parametrize("question", ["SELECT pg_current_xact_id()", "SELECT count(*) FROM events"])
def test_who_is_in_the_middle_of_a_transaction_does_not_keep_what_is_erased_for_good(
    alone: tuple[Store, int, str], monkeypatch: Any, question: str
) -> None:
    store, number, _ = alone
    with store.database.engine.connect() as other:
        other.execution_options(isolation_level="REPEATABLE READ").exec_driver_sql(question)
        with monkeypatch.context() as hurried:
            hurried.setattr(scrub, "PATIENCE", 0.1)
            store.invitations.withdraw(number)
        assert "unscrubbed" in store.database.facts()
        other.rollback()
    scrub.scrub_left(store.database)
    assert "unscrubbed" not in store.database.facts()
    assert MARK.encode() not in b"".join(file.read_bytes() for file in data_files(store))


def test_a_name_in_a_reason_that_was_given_for_others_too_is_masked_and_the_chain_holds(
    store: Store, begin: Callable[..., str]
) -> None:
    mine = begin(store, sessions=2, cast={"subject": "human"})
    other = mine.replace("0.0.0", "0.0.1")
    reason = f"{MARK.upper()} Bell and Adam Belling talked."
    for session in (mine, other):
        store.events.append(session, said(1, "subject", "yes"), truths={"subject1": "no"})
        store.results.add(session, Scores({"a": Items([1.0])}), scoring="1", instance_hash="i", environment_hash="e")
        store.exclusions.decide(session, reason=reason, who="Ann")
        store.trail.note("Ann", "excluded a session", session, reason=reason)
    _, made = store.invitations.add([Step("session", session=mine)])
    store.invitations.name(made.number, name=f"{MARK} Bell", contact="z@example.org")
    before = store.truths.history(other), [repr(one) for one in store.results.history(other)]
    store.invitations.withdraw(made.number)
    assert MARK.lower() not in str([rows(store)[table] for table in ("exclusions", "audit", "links")]).lower()
    [left] = store.exclusions.ledger()
    assert (left.session, left.reason) == (other, "[masked] and Adam Belling talked.")
    assert (store.truths.history(other), [repr(one) for one in store.results.history(other)]) == before
    proof = audit_run(store, mine.rpartition("/")[0])
    assert proof.whole, proof.altered
    assert any(words.startswith(f"A name about {other} was erased") for words in proof.erasures)
    store.exclusions.decide(other, reason="Fine.", who="Ann", excluded=False)
    assert audit_run(store, mine.rpartition("/")[0]).whole
