"""Copies and erasure on the command line: every copy is known, advice mends it, and anyone is erased on request."""

import shlex
import zipfile
from io import StringIO
from pathlib import Path

import pytest

import mensura as m
from mensura.running.live import LiveSessions
from mensura.store import open_store
from mensura.web.participant.invitation import invite

STUDY = """name: people
test: coin
conditions: {one: {flips: 1}}
casts: {people: human, told: stated}
sessions: 2
"""


@pytest.fixture
def person(mensura, tmp_path):
    """Give a run of two people who are through, and the number of the first."""
    with open_store("mensura.db") as store:
        head, links = invite("coin", store=store, sessions=2, parameters={"flips": 1})
        for link in links:
            store.invitations.mark(link.invitation.number, what="entered")
            LiveSessions(store).act(link.session, lambda one: one.session.answer(0.5))
    mensura("score", head.id)
    return head.id, links[0].invitation.number, links[0].session, links[0].path


def erase(mensura, number):
    done = mensura("study", "erase", f"invitation {number}", "--yes")
    assert done.status == 0, done.err
    return done


def advice(mensura, run):
    """Type what `mensura audit` advises."""
    for line in mensura("audit", run).err.splitlines():
        if "write it again: mensura " in line:
            done = mensura(*shlex.split(line.partition("write it again: mensura ")[2]))
            assert done.status == 0, done.err


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet", "zip"])
def test_the_advice_of_audit_leaves_nobody_in_an_export_and_is_then_done(mensura, person, kind):
    run, number, session, _ = person
    place = Path("a copy.zip" if kind == "zip" else "a copy")
    mensura("export", run, "--to", str(place), "--format", kind)
    with open_store("mensura.db") as store:
        secret = store.sessions.find(session) and store.events.of(session)[-1].time
    erase(mensura, number)
    assert "holds what was erased since" in mensura("audit", run).err
    advice(mensura, run)
    assert "holds what was erased since" not in mensura("audit", run).err
    if kind in ("csv", "jsonl"):
        assert session not in (place / f"answers.{kind}").read_text()
        assert sorted({path.suffix for path in place.iterdir()}) == [f".{kind}"]
    if kind == "zip":
        with zipfile.ZipFile(place) as archive:
            assert str(secret) not in archive.read("events.jsonl").decode()


def test_every_report_is_known_and_is_named_until_it_is_written_anew(mensura, tmp_path):
    Path("plan.yaml").write_text(STUDY)
    mensura("study", "run", "plan.yaml")
    with open_store("mensura.db") as store:
        token = mensura("study", "invite", "plan.yaml", "--json").json[0]["link"].rpartition("/")[2]
        one = store.invitations.enter(token)
        store.invitations.mark(one.number, what="entered")
        for session in one.sessions:
            LiveSessions(store).act(session, lambda live: live.session.answer(0.5))
        run = one.sessions[0].rpartition("/")[0]
    mensura("study", "analyse", "plan.yaml", "-o", "study.html")
    m.find_runs(run, store="mensura.db").report("python.md")
    assert {Path(name).stat().st_mode & 0o777 for name in ("study.html", "python.md")} == {0o600}
    done = mensura("study", "erase", one.subject_number, "--yes")
    assert "A report with scores of everybody was written on" in done.err
    assert "(2 such copies)" in done.err
    told = mensura("audit", run).err
    assert f"mensura study analyse people -o {tmp_path / 'study.html'}" in told
    assert f"mensura report {run} -o {tmp_path / 'python.md'}" in told
    advice(mensura, run)
    assert "erased since" not in mensura("audit", run).err


def test_a_person_is_erased_by_link_or_number_after_a_question_and_the_trail_says_by_whom(mensura, person, monkeypatch):
    run, number, session, path = person
    monkeypatch.setattr("sys.stdin", StringIO("n\n"))
    assert mensura("study", "erase", f"http://localhost:8000{path}").status != 0
    with open_store("mensura.db") as store:
        assert store.events.of(session)
    assert mensura("study", "erase", "99").status == 1
    assert "is erased" in mensura("study", "erase", f"http://localhost:8000{path}", "--yes").out
    with open_store("mensura.db") as store:
        assert store.events.of(session) == []
        [line] = store.trail.about(f"invitation {number}")
        assert (line.who, line.did) == ("command line", "erased a participant")
    assert mensura("study", "erase", str(number)).status == 0, "twice is no error"
    assert mensura("audit", run).status == 0


def test_an_archive_is_verified_and_those_who_withdrew_are_taken_out(mensura, tmp_path):
    Path("plan.yaml").write_text(STUDY)
    mensura("study", "run", "plan.yaml")
    link = mensura("study", "invite", "plan.yaml", "--json").json[0]["link"]
    with open_store("mensura.db") as store:
        [session] = store.invitations.find(link).sessions
        LiveSessions(store).act(session, lambda live: live.session.answer(0.5))
        store.exclusions.decide(session, reason="asleep", who="ada")
    places = ("--to", "a", "--to", "b")
    assert "3 sessions are in" in mensura("study", "archive", "plan.yaml", *places).out
    assert mensura("study", "archive", "plan.yaml", *places, "--verify").out == "4 files are intact in 2 places.\n"
    mensura("study", "erase", link, "--yes")
    verified = mensura("study", "archive", "plan.yaml", *places, "--verify")
    assert "2 of them tell of people who withdrew since" in verified.err
    assert "mensura study archive plan.yaml --erase --to a --to b" in verified.err
    assert "2 files of people" in mensura("study", "archive", "plan.yaml", *places, "--erase").out
    assert "withdrew" not in mensura("study", "archive", "plan.yaml", *places, "--verify").err
    assert not [path for path in tmp_path.glob("[ab]/*") if session.replace("/", "_") in path.name]
