"""Parameters that do not say what they are and scores that are not as declared are caught."""

from typing import Annotated, Literal

import pytest

from mensura.dialogue import Ask, Items, Number, Score, Scores, test
from mensura.running.check import check_test
from mensura.running.checks.declared import check_parameters_documented, check_questions_declared, check_scores_declared
from mensura.running.checks.trial import Trial
from mensura.subjects import Chance
from tests.running.checks.examined import QUICK, Chatty, good, trial_of


def right(record, truths):
    """Score each answer as right or wrong; what was declined has no score."""
    given = record.given()
    return {"right": Items([float(given[key] == truths[key]) if key in given else float("nan") for key in truths])}


def declared(*scores, score=right, **rest):
    return check_scores_declared(trial_of(good, score=score, scores=scores, **rest))


def test_a_parameter_without_a_sentence_is_named_with_the_line_to_write():
    def mute(rng, *, asks: int = 2, kind: Literal["a", "b"] = "a", told: Annotated[int, "number"] = 1):
        yield Ask("?", key="q")

    found = check_parameters_documented(trial_of(mute))
    assert found.passed is False
    assert 'write asks: Annotated[int, "What it is, and which values it takes."] = 2' in found.words
    assert found.words.endswith("; the same for kind, told")


def test_a_test_that_says_what_its_parameters_are_passes_and_one_without_has_nothing_to_say():
    assert check_parameters_documented(trial_of(good)).passed

    def bare(rng):
        yield Ask("?", key="q")

    assert check_parameters_documented(trial_of(bare)).passed is None


def test_declared_scores_pass():
    found = declared(Score("right", better="more", proportion=True))
    assert found.passed
    assert found.words == "gives 1 score, declared and within bounds, to chance, declining"


def test_a_score_that_is_not_declared_is_named_with_what_to_write():
    found = declared(Score("wrong", better="less"))
    assert found.passed is False
    assert found.words.startswith(
        'the score right is not declared: add Score("right", better=...) to scores= in its @test'
    )


@pytest.mark.parametrize(("low", "high"), [(0.5, 1), (0, 0.5), (None, 0.5)])
def test_a_score_outside_its_bounds_is_named(low, high):
    found = declared(Score("right", better="more", low=low, high=high))
    assert found.passed is False
    assert "the score right is" in found.words
    assert "correct its low= and high=" in found.words


def test_an_item_of_a_proportion_is_right_or_wrong_and_nothing_else():
    found = declared(Score("half", better="more", proportion=True), score=lambda record, truths: {"half": Items([0.5])})
    assert found.passed is False
    assert "the score half has an item of 0.5" in found.words
    assert "in place of proportion=True" in found.words


def test_a_share_of_the_session_may_be_any_share():
    share = Score("share", better="more", proportion=True)
    assert declared(share, score=lambda record, truths: {"share": 0.5}).passed


def test_only_who_declines_may_bring_an_undeclared_score_to_light():
    def score(record, truths):
        return Scores({"silence": 1.0} if not record.given() else {"talk": 1.0})

    found = declared(Score("talk", better=None), score=score)
    assert found.passed is False
    assert "the score silence is not declared" in found.words
    assert found.words.endswith("(a session of declining)")


def test_reference_subjects_are_asked_too_and_those_that_cannot_be_are_left_out():
    def score(record, truths):
        return {"best": 1.0 if right(record, truths)["right"].values.all() and record.given() else 0.0}

    class Knowing:
        def __call__(self, ask):
            raise RuntimeError("has forgotten everything")

    subjects = {"needy": lambda teacher: Chance(), "failing": Knowing, "stubborn": Chatty, "second": Chance}
    found = declared(Score("best", better="more", low=0, high=1), score=score, subjects=subjects)
    assert found.passed
    assert found.words.endswith("to chance, declining, second")


def test_natural_scores_need_no_declaration():
    found = check_scores_declared(trial_of(good))
    assert found.passed is None
    assert "natural scores" in found.words


def test_scores_may_be_declared_by_the_parameters():
    def scores(*, asks):
        return [Score("asked", better=None, low=0, high=asks)]

    def score(record, truths):
        return {"asked": len(record.answers)}

    assert check_scores_declared(trial_of(good, score=score, scores=scores)).passed


def test_checking_a_test_says_which_score_is_not_declared():
    report = check_test(trial_of(good, score=right).test, options=QUICK)
    assert not report.passed
    assert "FAILED  scores declared: the score right is not declared" in str(report)


def test_more_questions_than_pages_promise_are_found():
    def asking(promised):
        @test("promising-v1", questions=promised)
        def promising(rng):
            """Ask twice, and once more under the same key."""
            for key in ("a", "b", "b"):
                yield Ask(f"{key}?", Number(0, 9), key=key)

        return check_questions_declared(Trial(promising, {}))

    assert asking(None).passed is None
    assert asking(2).passed
    assert "asks 2 questions, but declares 1" in asking(1).words
