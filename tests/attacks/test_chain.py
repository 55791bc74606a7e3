"""The record: altering a finished one without rewriting all of its chain is found out."""

import json
import sqlite3

import pytest

from mensura.errors import BadFile, MensuraError
from mensura.running.run import run
from mensura.store import export_run, import_archive, open_store
from mensura.store.archive.audit import audit_archive
from mensura.store.sealed.proof import audit_run
from mensura.store.sealed.signature import check_signature, sign
from tests.attacks.fair import fair_coins
from tests.store.archive.conftest import rewrite


def change(store, *statements):
    """Alter a store behind its back."""
    with sqlite3.connect(store.database.place.path) as raw:
        for statement in statements:
            raw.execute(statement)
    raw.close()


@pytest.fixture
def finished(laboratory):
    """Give a store with two finished runs of two sessions each, scored twice, one session left out, and their ids."""
    store = laboratory.store
    ids = []
    for _ in range(2):
        head = run(fair_coins(coins=3), lambda ask: 0.75, store=store, sessions=2).head
        ids.append(head.id)
        for session in store.sessions.of(head.id):
            result = store.results.history(session.id)[0]
            store.results.add(session.id, result.scores, scoring="another", environment_hash="e")
    store.exclusions.decide(store.sessions.of(ids[0])[0].id, reason="was disturbed", who="ann")
    assert all(audit_run(store, one).whole for one in ids)
    return store, *ids


def found_out(store, *runs):
    """Say whether an audit of any of the runs finds something, or cannot even be done."""
    try:
        return any(not audit_run(store, one).whole for one in runs)
    except MensuraError:
        return True


SWAP = "UPDATE {table} SET {column} = (SELECT {column} FROM {table} WHERE {other}) WHERE {one}"
CHANGES = {
    "an answer": "UPDATE events SET value = '1.0' WHERE session = 1 AND kind = 'answer'",
    "an answer of another session": SWAP.format(
        table="events", column="notes", one="session = 1 AND number = 2", other="session = 2 AND number = 4"
    )
    + "; UPDATE events SET value = '0.1' WHERE session = 2 AND number = 2",
    "a sealed truth of another key": SWAP.format(
        table="truths", column="value", one="session = 1 AND key = 'coin0'", other="session = 1 AND key = 'coin1'"
    ),
    "a sealed truth of another session": SWAP.format(
        table="truths", column="value", one="session = 1 AND key = 'coin0'", other="session = 2 AND key = 'coin0'"
    ),
    "the order of results": "UPDATE results SET number = 99 WHERE number = 1",
    "an older result in place of a newer": SWAP.format(
        table="results", column="scores", one="number = 2", other="number = 1"
    ),
    "the result of another session": "UPDATE results SET session = 2 WHERE session = 1",
    "the secret of another session": SWAP.format(
        table="sessions", column="secret", one="number = 1", other="number = 2"
    ),
    "no secret, as if erased": "UPDATE sessions SET secret = NULL WHERE number = 1",
    "a session in another run": "UPDATE sessions SET run = 2 WHERE number = 1",
    "a session under another name": "UPDATE sessions SET id = id || 'x' WHERE number = 1",
    "a lost exclusion": "DELETE FROM exclusions",
    "an exclusion of another session": "UPDATE exclusions SET session = (SELECT id FROM sessions WHERE number = 2)",
    "links of another session": "DELETE FROM links WHERE session = 1; UPDATE links SET session = 1 WHERE session = 2",
    "a plan of fewer sessions": "UPDATE runs SET details = replace(details, '\"sessions\":2', '\"sessions\":1')",
    "a plan with another subject": "UPDATE runs SET \"cast\" = replace(\"cast\", 'lambda', 'chance')",
    "less isolation": "UPDATE runs SET details = replace(details, 'trusted', 'bubblewrap')",
    "a question": "UPDATE contents SET body = replace(body, 'fair', 'bent')",
    "a mark of the seed": "UPDATE runs SET seed_mark = 'a' || seed_mark WHERE number = 1",
}


@pytest.mark.parametrize("statements", CHANGES.values(), ids=CHANGES.keys())
def test_what_was_altered_is_noticed(finished, statements):
    store, *runs = finished
    change(store, *statements.split("; "))
    assert found_out(store, *runs)


CUT_OFF = {
    "a whole session taken out": (
        *(f"DELETE FROM {table} WHERE session = 2" for table in ("events", "truths", "results", "links")),
        "DELETE FROM sessions WHERE number = 2",
    ),
    "the last result taken off with its link": (
        "DELETE FROM results WHERE number = (SELECT max(number) FROM results WHERE session = 2)",
        "DELETE FROM links WHERE session = 2 AND place = (SELECT max(place) FROM links WHERE session = 2)",
    ),
    "an exclusion taken back with its link": (
        "DELETE FROM exclusions",
        "DELETE FROM links WHERE session = 1 AND place = (SELECT max(place) FROM links WHERE session = 1)",
    ),
    "answers of a session that is said to be older than chains": (
        *(f"DELETE FROM {table} WHERE session = 1" for table in ("truths", "results", "links")),
        "UPDATE events SET value = '1.0' WHERE session = 1 AND kind = 'answer'",
        "UPDATE sessions SET secret = NULL WHERE number = 1",
    ),
    "the seed": ("UPDATE runs SET seed = '1' WHERE number = 1",),
}


@pytest.mark.parametrize("statements", CUT_OFF.values(), ids=CUT_OFF.keys())
def test_what_was_taken_off_at_the_end_is_noticed(finished, statements):
    store, *runs = finished
    change(store, *statements)
    assert found_out(store, *runs)


@pytest.mark.parametrize("statements", list(CUT_OFF.values())[:-1], ids=list(CUT_OFF)[:-1])
def test_a_head_that_was_signed_before_gives_it_away(finished, statements):
    store, *runs = finished
    signature = sign({one: audit_run(store, one).head for one in runs})
    change(store, *statements)
    with pytest.raises(BadFile, match="another head than"):
        check_signature(signature, {one: audit_run(store, one).head for one in runs})


def test_a_session_whose_content_was_taken_is_called_erased(finished):
    store, run_id, _ = finished
    change(
        store,
        *(f"DELETE FROM {table} WHERE session = 2" for table in ("events", "truths", "results")),
        "UPDATE sessions SET secret = NULL WHERE number = 2",
    )
    assert audit_run(store, run_id).erased == [store.sessions.of(run_id)[1].id]


def rewritten(path, table, change):
    """Change the lines of tables of an archive, and make the manifest fit."""

    def edit(files):
        for name in table if isinstance(table, tuple) else (table,):
            lines = change(name, [json.loads(line) for line in files[f"{name}.jsonl"].splitlines()])
            files[f"{name}.jsonl"] = b"".join(json.dumps(line).encode() + b"\n" for line in lines)

    rewrite(path, edit)


def one_answer(name, lines):
    """Change one answer."""
    for line in lines:
        if line["kind"] == "answer":
            line["value"] = "1.0"
            break
    return lines


def another_secret(name, lines):
    """Give the first session the secret of the second."""
    lines[0]["secret"] = lines[1]["secret"]
    return lines


def other_truths(name, lines):
    """Exchange two sealed truths."""
    lines[0]["value"], lines[1]["value"] = lines[1]["value"], lines[0]["value"]
    return lines


def without_second(name, lines):
    """Leave out whatever belongs to the second session."""
    gone = "/0.0.1"
    return [line for line in lines if not line.get("id" if name == "sessions" else "session", "").endswith(gone)]


EDITS = {
    "an answer": ("events", one_answer),
    "a secret": ("sessions", another_secret),
    "sealed truths": ("truths", other_truths),
    "a link": ("links", lambda name, lines: lines[:-1]),
}
EDITS["a whole session"] = (("sessions", "events", "truths", "results", "links", "exclusions"), without_second)


@pytest.mark.parametrize("what", EDITS)
def test_an_archive_that_was_edited_is_found_out_and_not_imported(finished, tmp_path, what):
    store, run_id, _ = finished
    path = tmp_path / "runs.zip"
    export_run(store, run_id, path, format="zip")
    rewritten(path, *EDITS[what])
    (tmp_path / "audit").mkdir()
    try:
        whole = all(proof.whole for proof in audit_archive(path, tmp_path / "audit")[0])
    except MensuraError:
        whole = False
    assert not whole
    with open_store(tmp_path / "other.db") as other, pytest.raises(MensuraError):
        import_archive(other, path)
