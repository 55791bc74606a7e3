import math
from threading import Thread

import pytest

from mensura.errors import BadFile, BadParameter, Conflict, Invalid, MensuraError, StoreError, UnknownName
from mensura.track_record.files.scoring import score_book
from mensura.track_record.ledger.ledger import Ledger, ledger_url
from mensura.track_record.ledger.opening import open_book
from mensura.track_record.ledger.question import Question


class Hand:
    """A clock that is set by hand."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def question(name="rain", **changes):
    given = {"text": "Rain at Kew?", "options": ("yes", "no"), "deadline": 100.0, "resolving": "Kew gauge, by Ruth"}
    return Question(name, **{**given, **changes})


@pytest.fixture
def clock():
    return Hand()


@pytest.fixture
def ledger(clock):
    with Ledger(clock=clock) as opened:
        opened.enter("ruth", "requester")
        opened.enter("ada", "forecaster")
        opened.enter("bob", "forecaster")
        opened.draft(question(), who="ruth")
        opened.open("rain", who="ruth")
        yield opened


def values(ledger, rule="log"):
    return {score.forecaster: score.value for score in ledger.scores("rain") if score.rule == rule}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"deadline": None}, "has no deadline"),
        ({"resolving": "  "}, "does not say how it will be resolved"),
        ({"options": ("yes",)}, "two or more different exclusive alternatives"),
        ({"options": ("yes", "yes")}, "two or more different exclusive alternatives"),
        ({"text": ""}, "no text"),
        ({"options": (), "edges": (0.0, 2.0, 1.0)}, "must increase"),
        ({"edges": (0.0, 1.0, 2.0)}, "both alternatives and bins"),
    ],
)
def test_a_question_that_is_not_confirmable_is_refused_with_the_reason(ledger, changes, reason):
    with pytest.raises(BadParameter, match=reason):
        ledger.draft(question("other", **changes), who="ruth")
    with pytest.raises(UnknownName):
        ledger.question("other")


def test_vague_words_are_pointed_out():
    assert question(text="Will X show rapid growth and play better?").advice() == ["better", "rapid"]


def test_forecasters_do_not_set_questions_and_requesters_do_not_forecast(ledger):
    with pytest.raises(BadParameter, match="needs a requester; ada is a forecaster"):
        ledger.draft(question("sun"), who="ada")
    with pytest.raises(BadParameter, match="needs a forecaster; ruth is a requester"):
        ledger.forecast("rain", [0.5, 0.5], who="ruth")
    with pytest.raises(BadParameter, match="ada is a forecaster already"):
        ledger.enter("ada", "requester")
    with pytest.raises(BadParameter, match="is not entered"):
        ledger.forecast("rain", [0.5, 0.5], who="eve")


def test_life_goes_from_draft_to_open_to_closed_to_resolved(ledger, clock):
    ledger.draft(question("sun"), who="ruth")
    assert ledger.question("sun").state == "draft"
    with pytest.raises(BadParameter, match="is draft: it cannot be resolved now"):
        ledger.resolve("sun", "yes", who="ruth", why="looked")
    ledger.amend(question("sun", deadline=50.0), who="ruth", why="sooner")
    assert ledger.question("sun").question.deadline == 50.0
    ledger.open("sun", who="ruth")
    with pytest.raises(BadParameter, match="only drafts can be changed"):
        ledger.amend(question("sun"), who="ruth", why="later")
    clock.now = 3.0
    ledger.close_question("sun", who="ruth")
    with pytest.raises(BadParameter, match="is closed: it cannot be forecast"):
        ledger.forecast("sun", [0.5, 0.5], who="ada")
    ledger.resolve("sun", "no", who="ruth", why="looked")
    assert ledger.question("sun").state == "resolved"
    kinds = [event.kind for event in ledger.question("sun").history]
    assert kinds == ["drafted", "amended", "opened", "closed", "resolved"]


def test_scores_are_averages_over_the_time_until_the_deadline_with_coverage(ledger, clock):
    clock.now = 2.0
    ledger.forecast("rain", {"yes": 0.6, "no": 0.4}, who="ada")
    clock.now = 6.0
    ledger.forecast("rain", {"yes": 0.9, "no": 0.1}, who="ada")
    clock.now = 10.0
    ledger.resolve("rain", "yes", who="ruth", why="gauge")
    (log,) = [score for score in ledger.scores("rain") if score.rule == "log"]
    assert log.value == pytest.approx((4 * math.log(1.2) + 4 * math.log(1.8)) / 100)
    assert log.coverage == pytest.approx(0.8)


def test_resolving_anew_computes_every_score_again_and_keeps_the_history(ledger, clock):
    ledger.forecast("rain", [0.8, 0.2], who="ada")
    ledger.forecast("rain", [0.3, 0.7], who="bob")
    clock.now = 10.0
    ledger.resolve("rain", "yes", who="ruth", why="gauge")
    first = values(ledger)
    clock.now = 12.0
    ledger.resolve("rain", "no", who="ruth", why="the gauge leaked", as_of=10.0)
    second = values(ledger)
    assert first == {"ada": pytest.approx(math.log(1.6) / 10), "bob": pytest.approx(math.log(0.6) / 10)}
    assert second == {"ada": pytest.approx(math.log(0.4) / 10), "bob": pytest.approx(math.log(1.4) / 10)}
    assert [event.why for event in ledger.question("rain").history if event.kind == "resolved"] == [
        "gauge",
        "the gauge leaked",
    ]
    ledger.annul("rain", who="ruth", why="no gauge at all")
    assert ledger.scores("rain") == []
    ledger.resolve("rain", "yes", who="ruth", why="found one", as_of=10.0)
    assert values(ledger) == first


def test_a_failure_while_entering_leaves_no_event_and_no_stale_score(ledger, clock, monkeypatch):
    ledger.forecast("rain", [0.8, 0.2], who="ada")
    clock.now = 10.0
    ledger.resolve("rain", "yes", who="ruth", why="gauge")
    before, events = ledger.scores(), ledger.questions()

    add = Ledger._add

    def fail(*arguments):
        add(*arguments)
        raise RuntimeError("power cut")

    monkeypatch.setattr(Ledger, "_add", fail)
    with pytest.raises(RuntimeError):
        ledger.resolve("rain", "no", who="ruth", why="second look")
    assert ledger.scores() == before
    assert ledger.questions() == events


def test_decisions_need_a_ground(ledger):
    with pytest.raises(BadParameter, match="Say why 'rain' is resolved"):
        ledger.resolve("rain", "yes", who="ruth", why=" ")


def test_forecasts_after_the_truth_was_there_do_not_count(ledger, clock):
    ledger.forecast("rain", [0.6, 0.4], who="ada")
    clock.now = 8.0
    ledger.forecast("rain", [1.0, 0.0], who="ada")
    clock.now = 9.0
    ledger.resolve("rain", "yes", who="ruth", why="it rained on day 5", as_of=5.0)
    assert values(ledger)["ada"] == pytest.approx(math.log(1.2) / 20)


def test_forecasts_are_checked(ledger, clock):
    for wrong in ([0.5, 0.6], [1.2, -0.2], [1.0], {"yes": 1.0}, [math.nan, 1.0]):
        with pytest.raises(Invalid):
            ledger.forecast("rain", wrong, who="ada")
    clock.now = 101.0
    with pytest.raises(BadParameter, match="deadline"):
        ledger.forecast("rain", [0.5, 0.5], who="ada")
    with pytest.raises(BadParameter, match="opened at 0"):
        ledger.forecast("rain", [0.5, 0.5], who="ada", at=-1.0)
    ledger.forecast("rain", [0.5, 0.5], who="ada", at=5.0)
    with pytest.raises(BadParameter, match="enter them in order"):
        ledger.forecast("rain", [0.4, 0.6], who="ada", at=4.0)


def test_outcomes_are_checked(ledger):
    with pytest.raises(Invalid, match="alternatives yes, no; got 'maybe'"):
        ledger.resolve("rain", "maybe", who="ruth", why="?")
    with pytest.raises(BadParameter, match="after -5"):
        ledger.resolve("rain", "yes", who="ruth", why="?", as_of=-5.0)
    with pytest.raises(UnknownName, match="Did you mean rain"):
        ledger.resolve("rainn", "yes", who="ruth", why="?")


def test_quantities_are_scored_as_densities(ledger, clock):
    ledger.draft(question("tanks", options=(), edges=(0.0, 50.0, 100.0), unit="tanks"), who="ruth")
    ledger.open("tanks", who="ruth")
    ledger.forecast("tanks", [0.5, 0.5], who="ada")
    ledger.forecast("tanks", [0.1, 0.9], who="bob")
    clock.now = 5.0
    with pytest.raises(Invalid, match="asks for a number"):
        ledger.resolve("tanks", "many", who="ruth", why="count")
    ledger.resolve("tanks", 70, who="ruth", why="count")
    found = {(score.forecaster, score.rule): score.value for score in ledger.scores("tanks")}
    assert found["ada", "log"] == pytest.approx(0)
    assert found["ada", "quadratic"] == pytest.approx(0)
    assert found["bob", "log"] == pytest.approx(math.log(1.8) / 20)
    assert found["bob", "crps"] > found["ada", "crps"]


def test_a_ledger_file_is_the_same_after_opening_again(tmp_path, clock):
    url = f"sqlite:///{tmp_path / 'ledger.db'}"
    with Ledger(url, clock=clock) as ledger:
        ledger.enter("ruth", "requester")
        ledger.draft(question(), who="ruth")
        events = ledger.questions()
    with Ledger(url, clock=clock) as again:
        assert again.questions() == events
        assert again.question("rain").state == "draft"


def test_the_time_of_entry_is_kept_and_claimed_times_are_marked(ledger, clock):
    clock.now = 3.0
    ledger.forecast("rain", [0.6, 0.4], who="ada")
    ledger.forecast("rain", [0.9, 0.1], who="bob", at=1.0)
    ada, bob = ledger.question("rain").forecasts
    assert (ada.at, ada.entered, ada.claimed) == (3.0, 3.0, False)
    assert (bob.at, bob.entered, bob.claimed) == (1.0, 3.0, True)
    ledger.clock = iter(range(5, 20)).__next__
    ledger.forecast("rain", [0.7, 0.3], who="ada")
    ledger.resolve("rain", "yes", who="ruth", why="gauge")
    assert not any(event.claimed for event in ledger.question("rain").history[-2:])


@pytest.mark.parametrize("change", ["at = 0.5", "entered = 0.5", "who = 'bob'", "content = '{}'", "link = NULL", None])
def test_an_event_that_was_altered_afterwards_is_refused(ledger, clock, change):
    clock.now = 3.0
    ledger.forecast("rain", [0.6, 0.4], who="ada")
    ledger.forecast("rain", [0.9, 0.1], who="bob")
    with ledger.engine.begin() as connection:
        what = f"UPDATE forecasting_events SET {change}" if change else "DELETE FROM forecasting_events"
        connection.exec_driver_sql(f"{what} WHERE question = 'rain' AND version = 3")
    with pytest.raises(StoreError, match="Event 3 of 'rain' was altered in the ledger"):
        ledger.question("rain")


def test_a_ledger_of_an_older_release_is_read_and_goes_on(tmp_path, clock):
    url = f"sqlite:///{tmp_path / 'ledger.db'}"
    with Ledger(url, clock=clock) as ledger:
        ledger.enter("ruth", "requester")
        ledger.draft(question(), who="ruth")
        with ledger.engine.begin() as connection:
            for column in ("entered", "link"):
                connection.exec_driver_sql(f"ALTER TABLE forecasting_events DROP COLUMN {column}")
    with Ledger(url, clock=clock) as again:
        again.open("rain", who="ruth")
        drafted, opened = again.question("rain").history
        assert drafted.claimed
        assert drafted.link is None
        assert not opened.claimed


def test_many_writers_at_once_lose_nothing(tmp_path, clock):
    url = f"sqlite:///{tmp_path / 'ledger.db'}"
    with Ledger(url, clock=clock) as ledger:
        ledger.enter("ruth", "requester")
        ledger.draft(question(), who="ruth")
        ledger.open("rain", who="ruth")
        people = [f"p{i}" for i in range(6)]
        for person in people:
            ledger.enter(person, "forecaster")
        problems = []

        def write(person):
            try:
                with Ledger(url, clock=clock) as own:
                    for moment in range(1, 9):
                        own.forecast("rain", [0.5, 0.5], who=person, at=float(moment))
            except MensuraError as problem:
                problems.append(problem)

        threads = [Thread(target=write, args=(person,)) for person in people]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert problems == []
        life = ledger.question("rain")
        assert len(life.forecasts) == 48
        assert [event.version for event in life.history] == list(range(1, 51))


def test_a_ledger_is_scored_and_calibrated_like_files(ledger, clock):
    for k in range(12):
        ledger.draft(question(f"q{k}"), who="ruth")
        ledger.open(f"q{k}", who="ruth")
        ledger.forecast(f"q{k}", [0.7, 0.3], who="ada")
    clock.now = 4.0
    for k in range(12):
        ledger.resolve(f"q{k}", "yes" if k < 9 else "no", who="ruth", why="gauge")
    with pytest.raises(BadFile, match="nothing to score yet"):
        score_book(open_book(ledger))
    clock.now = 100.0
    (ada,) = score_book(open_book(ledger)).diagnoses
    assert ada.n == 12
    assert ada.score.value == pytest.approx((9 * math.log(1.4) + 3 * math.log(0.6)) / 12 / 25)
    assert ada.coverage == pytest.approx(1)


@pytest.mark.postgres
def test_a_ledger_lives_in_postgresql_too_and_writers_wait_for_one_another(postgres_url):
    with Ledger(ledger_url(postgres_url), clock=lambda: 0.0) as ledger:
        ledger.enter("ruth", "requester")
        names = [f"f{k}" for k in range(6)]
        for name in names:
            ledger.enter(name, "forecaster")
        ledger.draft(
            Question("rain", "Rain?", options=("yes", "no"), deadline=10.0, resolving="gauge"), who="ruth", at=0.0
        )
        ledger.open("rain", who="ruth", at=0.0)
        faults = []

        def speak(name):
            for _ in range(20):
                try:
                    ledger.forecast("rain", [0.7, 0.3], who=name, at=1.0)
                    return
                except Conflict:
                    continue
            faults.append(name)

        threads = [Thread(target=speak, args=(name,)) for name in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert faults == []
        ledger.resolve("rain", "yes", who="ruth", why="read", at=5.0)
        assert {score.forecaster for score in ledger.scores("rain")} == set(names)
        ledger.resolve("rain", "no", who="ruth", why="leak", at=6.0, as_of=5.0)
        assert all(score.value < 0 for score in ledger.scores("rain"))
