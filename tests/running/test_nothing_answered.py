"""Where nothing was answered nothing is known: no score, no place in a comparison, and the reason is said first."""

from dataclasses import replace
from math import isnan

import pytest

from mensura.catalog.find import find_test
from mensura.dialogue import Ask, Choice, Items, Refused, Scores, Wait, counted_together, session_mean, test
from mensura.report.runs import build_report
from mensura.report.study import study_report
from mensura.running.results.compare import compare_runs
from mensura.running.results.exhibits import exhibits_of_runs
from mensura.running.run import run
from mensura.running.study import analyse, conduct, exhibits_of, make_study, unanswered


def crashing(ask):
    raise RuntimeError("no such thing")


@test("easy-v1")
def EASY(rng):
    """Choose between two letters, three times."""
    for number in range(3):
        yield Ask("Which?", Choice(("a", "b")), key=f"q{number}", truth="a")


def crashes_in_every_second():
    sessions = []

    def subject(ask):
        sessions.extend([ask.key] if ask.key == "q0" else [])
        if len(sessions) % 2 == 0:
            raise RuntimeError("this one is hard")
        return "a"

    return subject


@pytest.fixture
def runs(store):
    """Run the coin test with a subject that crashes at its first ask, and with one that answers."""
    return [run("coin", who, store=store, sessions=3, seed=1) for who in (crashing, "constant:0.5")]


def test_a_run_says_that_nothing_was_answered_and_why(runs):
    silent, heard = runs
    assert silent.scores
    assert all(isnan(one.value) for one in silent.scores.values())
    assert "nothing was answered in 3 sessions (3 crashed)" in silent.unanswered
    assert "no such thing" in silent.unanswered
    assert silent.as_json()["unanswered"] == silent.unanswered
    assert not heard.unanswered
    assert "unanswered" not in heard.as_json()


def test_who_answered_nothing_neither_wins_nor_loses_a_comparison(runs, store):
    comparison = compare_runs(*(one.head.id for one in runs), store=store)
    assert "nothing was answered" in comparison.warnings[0]
    for found in comparison.findings.values():
        assert not found.is_claim
        assert isnan(found.difference.value)
        assert "cannot be compared: no score of" in found.sentence


def test_a_report_says_first_that_nothing_was_answered(runs, store):
    silent, heard = runs
    report = build_report([silent.head.id, heard.head.id], store=store)
    assert report.answer[0] == silent.unanswered
    assert "count with what they earned" not in str(report.sections)


def test_what_a_test_shows_of_sessions_leaves_out_those_without_an_answer(store):
    silent = run("lambda-star", crashing, store=store, seed=1, parameters={"episodes": 2})
    assert exhibits_of_runs([silent.head], store=store, test=None) == []
    assert exhibits_of_runs([silent.head], store=store, test=find_test("lambda-star")) == []


def test_crashing_at_the_first_ask_of_hard_sessions_does_not_pay(store):
    found = run(EASY, crashes_in_every_second(), store=store, sessions=4, seed=1)
    assert found.counts["crashed"] == 2
    assert not found.unanswered
    assert found.scores["accuracy"].value == 0.5
    together = store.results.of(found.head.id)
    assert [session_mean(one.values["accuracy"]) for one in together.values()] == [1, 0, 1, 0]


def test_a_session_by_itself_stays_unknown_beside_others(store):
    found = run(EASY, crashes_in_every_second(), store=store, sessions=2, seed=1)
    alone = [store.results.history(session)[-1].scores for session in sorted(store.results.scored(found.head.id))]
    means = [session_mean(one.values["accuracy"]) for one in alone]
    assert means[0] == 1
    assert isnan(means[1])


def test_who_declines_everything_is_unknown_and_wins_nothing(store):
    silent = run("coin", lambda ask: Refused("no"), store=store, seed=1)
    assert "nothing was answered" in silent.unanswered
    assert all(isnan(estimate.value) for estimate in silent.scores.values())
    sure = run("coin", "overconfident", store=store, seed=1)
    for finding in compare_runs(silent.head.id, sure.head.id, store=store).findings.values():
        assert "cannot be compared" in finding.sentence


def test_who_declines_hard_questions_only_is_scored_on_all(store):
    found = run("coin", lambda ask: Refused("no") if ask.key == "coin0" else 0.5, store=store, seed=1)
    assert not found.unanswered
    assert not isnan(found.scores["quadratic_score"].value)


def test_who_lets_questions_lapse_and_crashes_then_did_something(store):
    @test("timed-v1")
    def timed(rng, *, clock):
        for number in range(4):
            yield Ask(f"Question {number}", Choice(("a", "b")), key=f"q{number}", truth="a", until=10 * (number + 1))

    def waits(ask):
        if ask.key == "q2":
            raise RuntimeError("no")
        return Wait()

    found = run(timed, waits, store=store)
    assert not found.unanswered
    assert found.scores["accuracy"].value == 0


def test_what_a_built_in_partner_answered_is_not_the_subjects(store):
    @test("helped-v1", roles=("person", "helper"), played={"helper": "h"}, subjects={"h": lambda: lambda ask: "a"})
    def helped(rng):
        yield Ask("Help!", Choice(("a", "b")), key="help", role="helper", truth="a")
        yield Ask("Which?", Choice(("a", "b")), key="which", role="person", truth="a")

    found = run(helped, crashing, store=store)
    assert found.unanswered
    assert all(isnan(one.value) for one in found.scores.values())


def test_results_of_earlier_versions_are_read_alike():
    """Their accounts do not say whether anything was answered; status and tally do."""
    earlier = Scores({"right": Items([0.0], ["a"]), "cost": 3.0}, {"by": 1}, status="crashed", tally={"crashed": 1})
    assert earlier.is_unanswered
    assert not replace(earlier, tally={"answered": 1, "crashed": 1}).is_unanswered
    assert not replace(earlier, status="finished", tally={"timed_out": 1}).is_unanswered
    known = earlier.as_unknown
    assert all(isnan(session_mean(value)) for value in known.values.values())
    assert not known.details
    answered = Scores({"right": Items([1.0], ["a"]), "cost": 1.0})
    assert counted_together({"a": known, "b": answered})["a"].values["cost"] == 3.0
    assert isnan(counted_together({"a": known})["a"].values["cost"])


STUDY = {
    "name": "silent",
    "test": "corridor",
    "conditions": {"short": {"length": 3}},
    "casts": {"mine": f"{__file__}:crashing#in_process=true", "chance": "random-walk"},
    "sessions": 2,
    "seed": 1,
    "hypotheses": [{"name": "H1", "score": "return", "compare": ["mine", "chance"], "expect": "less"}],
}


def test_a_study_whose_learner_crashes_in_all_sessions_says_so_first(store):
    study = make_study(STUDY)
    words = unanswered(conduct(study, store=store), store=store)
    assert len(words) == 1
    assert "mine in short" in words[0]
    assert "no such thing" in words[0]
    analysis = analyse(study, store=store)
    assert analysis.told[0] == words[0]
    assert analysis.as_json()["unanswered"] == words
    assert analysis.planned[0].verdict == "not tested"
    assert study_report(analysis, store=store).answer[0] == words[0]


def test_a_study_of_courses_measures_nothing_of_a_learner_that_answered_nothing(store):
    trained = [{"name": "X", "sessions": 1}, {"name": "Y", "sessions": 1}]
    casts = {**STUDY["casts"], "best": "optimal"}
    more = {"adaptivity": {"score": "return", "chance": "chance", "oracle": "best"}, "phases": trained}
    study = make_study({**STUDY, **more, "casts": casts, "hypotheses": []})
    assert len(unanswered(conduct(study, store=store), store=store)) == 1
    assert "Performance needs" not in str(exhibits_of(study, store=store))
    assert "crashed" in analyse(study, store=store).told[0]
