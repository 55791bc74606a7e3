"""The end of a session: what is scored, and what of it the person who took it is shown."""

import pytest

from mensura.running.scoring.storing import score_finished
from mensura.store.people.invitations import Step
from mensura.web.participant.ending import _beside, shown_scores

TEST = """
from mensura.dialogue import Ask, Items, Number, Outcome, Score, test

SCORES = [
    Score("miss", better="less", low=0, high=10, unit="beans", label="Distance from the truth"),
    Score("haste", better=None),
    Score("suspicion", better="more", low=0, high=1, shown_to="laboratory"),
]

def score(record, truths):
    missed = [abs(a.value - truths[a.key]) if a.status == "answered" else float("nan") for a in record.answers]
    return {"miss": Items(missed, [a.key for a in record.answers]), "haste": 3.0, "suspicion": 0.25}

@test("beans-v1", scores=SCORES, score=score)
def beans(rng, *, jars: int = 3):
    "Guess beans."
    for jar in range(jars):
        yield Ask(f"Jar {jar}?", Number(low=0, high=10), key=f"jar{jar}", truth=4)
    return Outcome("That was all.")
"""


@pytest.fixture
def beans(tmp_path) -> str:
    """Write a test with a loss, a score without direction, and one for the laboratory only."""
    (tmp_path / "beans.py").write_text(TEST)
    return f"{tmp_path}/beans.py:beans"


def finish(person, *answers: str) -> None:
    for value in answers:
        person.answer(value)
    person.post("next")


def test_a_score_for_the_laboratory_is_not_shown_to_a_participant(links, enter, store, beans):
    link = links(beans, details={"show_scores": True})[0]
    person = enter(link.path)
    finish(person, "4", "6", "8")
    assert person.kind == "thanks"
    assert [score["name"] for score in person.state["scores"]] == ["miss", "haste"]
    assert "suspicion" not in person.text
    assert store.results.history(link.session)[-1].scores.values["suspicion"] == 0.25


def test_a_score_is_shown_with_label_direction_interval_and_n(links, enter, beans):
    person = enter(links(beans, details={"show_scores": True})[0].path)
    finish(person, "4", "6", "8")
    miss, haste = person.state["scores"]
    assert (miss["label"], miss["direction"], miss["unit"]) == ("Distance from the truth", "smaller is better", "beans")
    assert (miss["value"], miss["n"], miss["unanswered"]) == (2.0, 3, "")
    low, high = map(float, miss["interval"].split(" to "))
    assert 0 <= low < 2 < high <= 10
    assert haste["direction"] == "neither more nor less is better"
    assert haste["interval"] == ""
    assert haste["note"] == "One session: what another session would change cannot be known."
    for words in ("Distance from the truth, in beans", "smaller is better", miss["interval"], haste["note"]):
        assert words in person.text


@pytest.mark.parametrize(
    ("name", "parameters", "answers", "own"),
    [
        ("lambda-star", {"agents": 2, "episodes": 1, "iterations": 2}, ["stay"] * 2, ["intelligence_agent1"]),
        ("lambda-star-social", {"agents": 2, "episodes": 1, "iterations": 2}, ["stay"] * 2, ["intelligence_agent1"]),
        ("lambda-star-commons", {"agents": 2, "seasons": 2}, ["0", "10"], ["harvest_agent1"]),
        (
            "lambda-star-ignorance",
            {"agents": 3, "rounds": 1, "episodes": 1},
            ["support", "50"],
            ["misperception_agent1", "honesty_agent1", "payoff_agent1"],
        ),
    ],
)
def test_a_person_in_a_group_is_shown_their_own_scores_first_and_nobody_elses(
    links, enter, store, name, parameters, answers, own
):
    others = {"lambda-star-commons": "greedy", "lambda-star-ignorance": "conformist"}.get(name, "local-search")
    cast = {f"agent{number}": others for number in range(2, parameters["agents"] + 1)} | {"agent1": "human"}
    link = links(name, cast, details={"show_scores": True}, **parameters)[0]
    person = enter(link.path)
    for _ in range(10):
        if person.kind == "ask":
            person.answer(answers.pop(0))
        elif person.kind != "thanks":
            person.post("next")
    shown = person.state["scores"]
    assert [one["name"] for one in shown[: len(own)]] == own
    assert {one["whose"] for one in shown[: len(own)]} == {"your own"}
    assert {one["whose"] for one in shown[len(own) :]} == {"of the whole group"}
    assert not [one for one in shown if "agent2" in one["name"]]
    assert "your own" in person.text
    assert "agent2" not in person.text
    assert f"{own[0].removesuffix('1')}2" in store.results.history(link.session)[-1].scores.values


def test_what_was_not_answered_is_said_and_counts_as_declared(app, links, enter, store, beans):
    link = links(beans, details={"show_scores": True})[0]
    enter(link.path).answer("4")
    app.state.laboratory.sessions.act(link.session, lambda live: live.session.fail("crashed", last_words="Power cut."))
    score_finished(store, link.session)
    scores = store.results.history(link.session)[-1].scores
    assert (scores.status, scores.tally) == ("crashed", {"answered": 1, "crashed": 2})
    miss = shown_scores(store, {link.session: "subject"})[0]
    assert miss["value"] == pytest.approx(20 / 3)
    assert miss["outcomes"] == {"answered": 1, "crashed": 2}
    assert miss["unanswered"] == "1 answered, 2 crashed; over what was answered 0"


def test_a_session_that_was_lost_and_went_on_is_scored_again(app, links, enter, store, beans):
    link = links(beans, after=[Step("thanks")])[0]
    person = enter(link.path)
    person.answer("4")
    store.sessions.end(link.session, status="lost")
    score_finished(store, link.session)
    score_finished(store, link.session)
    assert [one.scores.status for one in store.results.history(link.session)] == ["lost"]
    with store.database.writing() as connection:
        connection.exec_driver_sql("UPDATE sessions SET status = 'open'")
    person.look()
    finish(person, "4", "4")
    history = store.results.history(link.session)
    assert [one.scores.status for one in history] == ["lost", "finished"]
    assert history[-1].scores.tally == {"answered": 3}


def test_a_session_of_someone_who_withdrew_is_not_scored(links, enter, store, beans):
    link = links(beans)[0]
    person = enter(link.path)
    person.answer("4")
    person.page = person.client.get(f"{link.path}/withdraw")
    person.post("withdraw", sure="yes")
    score_finished(store, link.session)
    assert store.results.history(link.session) == []


def test_floor_ceiling_and_lost_points_stand_beside_a_score_and_tell_no_single_answer():
    lost = [{"part": "web", "points": 0.1, "sentence": "Kofi is spelt so."}, {"part": "web", "points": 0.05}]
    sums = {"final": {"web": 0.15}}
    details = {"floor": {"final": 0.46}, "ceiling": {"final": 1.0, "web": 1.0}, "lost": lost, "lost_by": sums}
    assert _beside("final", details) == ["floor 0.46", "ceiling 1", "lost by web 0.15"]
    assert _beside("web", details) == ["ceiling 1"]
    assert _beside("speed", {}) == []
