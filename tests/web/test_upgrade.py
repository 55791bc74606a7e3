"""A store of the last release: people go on by their old links, programs resume, all is scored and audited."""

import re
import sqlite3
from pathlib import Path

import pytest

from mensura.running.results.summary import summarise_run
from mensura.running.run import resume_run
from mensura.running.scoring.rescore import rescore
from mensura.store import export_run, import_archive, open_store
from mensura.store.sealed.proof import audit_run
from mensura.web.app import create_app
from mensura.web.settings import WebSettings
from tests.web.conftest import Visitor

RELEASED = Path(__file__).parents[1] / "store" / "released-0.1.0.sql"
LINK = re.search(r"/p/[\w-]+", RELEASED.read_text())[0]


@pytest.fixture
def released(tmp_path):
    """Give the path of a store as 0.1.0 left it."""
    path = tmp_path / "released.db"
    with sqlite3.connect(path) as old:
        old.executescript(RELEASED.read_text())
    return path


@pytest.fixture
def app(released):
    made = create_app(WebSettings(store=str(released)))
    yield made
    made.state.laboratory.close()


def test_nothing_is_lost_and_who_was_there_still_is(released):
    with open_store(released) as store:
        coin, inbox = store.runs.all()
        assert store.sessions.count(coin.id) == {"finished": 1, "open": 2}
        assert store.records.find(f"{coin.id}/0.0.0").given() == {"coin0": 0.7, "coin1": 0.2, "coin2": 0.9}
        assert store.records.find(f"{coin.id}/0.0.1").given() == {"coin0": 0.6}
        assert store.events.since_save(f"{inbox.id}/0.0.0")[0].value["state"] == {"phase": 1}
        assert store.accounts.check("erin", password="correct horse battery").role == "experimenter"
        assert [one.reason for one in store.exclusions.excluded(coin.id).values()] == ["Took a call."]
        assert store.invitations.identities()[0]["name"] == "Ann"
        assert [one.entered is not None for one in store.invitations.all()] == [True, True, False]


def test_a_person_in_the_middle_goes_on_by_the_old_link_and_is_scored(app, released):
    person = Visitor(app, LINK)
    for probability in ("20", "90"):
        assert person.kind == "ask"
        person.answer(probability)
    assert person.kind == "over"
    with open_store(released) as store:
        coin = store.runs.all()[0]
        session = f"{coin.id}/0.0.1"
        given, truths = store.records.find(session).given(), store.truths.of(session)
        assert given == {"coin0": 0.6, "coin1": 0.2, "coin2": 0.9}
        quadratic = store.results.of(coin.id)[session].values["quadratic_score"]
        assert list(quadratic.values) == pytest.approx([0.25 - (given[key] - truths[key]) ** 2 for key in given])
        # What was open is bound as it was found; a session that was over before there were chains has none.
        proof = audit_run(store, coin.id)
        assert proof.whole
        assert proof.unchained == [f"{coin.id}/0.0.0"]


def test_a_program_resumes_from_its_old_save_and_all_can_be_scored_again(released):
    with open_store(released) as store:
        inbox = store.runs.all()[1]
        before = store.events.of(f"{inbox.id}/0.0.0")
        assert resume_run(inbox.id, store=store).counts["finished"] == 1
        after = store.events.of(f"{inbox.id}/0.0.0")
        assert after[: len(before)] == before
        assert store.truths.of(f"{inbox.id}/0.0.0").keys() == {"m1", "m2", "m3"}
        assert rescore(inbox.id, store=store).scores == summarise_run(inbox, store=store).scores
        assert audit_run(store, inbox.id).whole


def test_what_was_taken_over_travels_in_an_archive(released, tmp_path):
    with open_store(released) as store, open_store(tmp_path / "other.db") as other:
        coin = store.runs.all()[0]
        export_run(store, coin.id, tmp_path / "coin.zip", format="zip")
        import_archive(other, tmp_path / "coin.zip")
        assert other.records.find(f"{coin.id}/0.0.1").given() == {"coin0": 0.6}
        assert other.exclusions.excluded(coin.id).keys() == store.exclusions.excluded(coin.id).keys()
        assert audit_run(other, coin.id).whole
