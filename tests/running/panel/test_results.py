"""Final scores, adjudication and agreement of panels whose ratings are known."""

import json
from math import isnan

import numpy as np
import pytest

from mensura.errors import BadParameter, Conflict
from mensura.running.panel import (
    Artefact,
    Rater,
    adjudicate,
    agreement_of,
    assign,
    close,
    disputes,
    open_panel,
    rate,
    results,
    session_artefacts,
    settle,
)
from mensura.running.panel.adjudication import final_value
from mensura.running.run import run
from mensura.store.people.panels import Rating


@pytest.fixture
def rated(store, rubric, artefacts, judge):
    """Open a panel that ann rates by quality and bob two points higher."""
    open_panel("essays", artefacts, rubric=rubric, store=store)
    assign(
        "essays", [Rater("ann", judge()), Rater("bob", judge()), Rater("model", judge(), nature="model")], store=store
    )
    rate("essays", store=store, subjects={"ann": judge(), "bob": _capped(judge(2)), "model": judge(1)})
    return store


def _capped(judge):
    return lambda ask: min(7, judge(ask))


def test_a_final_score_is_the_weighted_mean_of_the_raters(rated):
    close("essays", store=rated)
    found = results("essays", store=rated)
    for one in found.artefacts:
        quality = _quality(one)
        clear, whole = (quality + min(7, quality + 2)) / 2, (quality + min(7, quality + 2)) / 2
        assert one.values == {"clear": clear, "whole": whole}
        assert one.score == pytest.approx((2 * (clear - 1) / 6 + whole / 10) / 3)
        assert one.raters == 2
    assert found.raters == {"ann": "rater", "bob": "rater"}


def _quality(one) -> int:
    """Person i wrote a text of quality 1 + i // 2."""
    return 1 + int(one.source.removeprefix("person-")) // 2


def test_a_models_ratings_are_apart_and_change_nothing(rated):
    close("essays", store=rated)
    found = results("essays", store=rated)
    assert set(found.models) == {"model"}
    assert len(found.models["model"]) == 12
    assert found.agreement["clear"].alpha.raters == 2
    assert found.agreement.models["model"][0].intraclass.coefficient.value == pytest.approx(1, abs=0.05)
    kinds = {rating.rater: rating.kind for rating in rated.panels.ratings("essays")}
    assert kinds == {"ann": "rating", "bob": "rating", "model": "additional"}


def test_scores_of_a_condition_are_items_by_code(rated):
    close("essays", store=rated)
    found = results("essays", store=rated)
    drilled = found.scores("drilled").values["score"]
    assert len(drilled.values) == len(drilled.keys) == 6
    estimate = found.estimates()["drilled"]["score"]
    assert estimate.n == 6
    assert estimate.value == pytest.approx(np.mean(drilled.values))
    assert found.differences().comparisons[0].names == ("drilled", "plain")


def test_strictness_costs_agreement_and_not_consistency(rated):
    agreement = agreement_of("essays", store=rated)["whole"]
    assert agreement.alpha.name == "Krippendorff's alpha (interval)"
    assert agreement.intraclass.name == "The intraclass correlation (agreement, single rater)"
    assert list(agreement.kappas) == ["ann and bob"]
    assert agreement.kappas["ann and bob"].name == "Cohen's kappa with quadratic weights"
    assert agreement.alpha.coefficient.value < 0.85


def test_differences_go_to_a_third_rater_and_the_originals_stay(rated, judge):
    found = disputes("essays", more_than=1, store=rated)
    # Texts of quality 6 are capped at 7, one point above; all others are two apart.
    assert len(found) == 20
    assert {one.apart for one in found} == {2.0}
    only, listed = adjudicate("essays", more_than={"clear": 1}, by=Rater("cy", judge()), store=rated)
    assert (only.kind, len(listed)) == ("third", 10)
    assert all(items == ("clear",) for _, items in only.work)
    rate("essays", store=rated, subjects={"cy": judge()})
    assert {one.item for one in disputes("essays", more_than=1, store=rated)} == {"whole"}
    close("essays", store=rated)
    final = results("essays", store=rated)
    for one in final.artefacts:
        quality = _quality(one)
        if quality < 6:
            assert one.settled == ("clear",)
            assert one.values["clear"] == quality
            assert one.values["whole"] == quality + 1
        assert one.raters == 2
    assert len([r for r in rated.panels.ratings("essays") if r.kind == "rating"]) == 48


def test_a_third_rater_is_no_model_and_has_not_rated_it_before(rated, judge):
    with pytest.raises(BadParameter, match="never alone"):
        adjudicate("essays", more_than=1, by=Rater("x", judge(), nature="model"), store=rated)
    with pytest.raises(BadParameter, match="ann has rated everything"):
        adjudicate("essays", more_than=1, by=Rater("ann", judge()), store=rated)
    assert adjudicate("essays", more_than=5, by=Rater("cy", judge()), store=rated) == (None, [])


def test_what_was_agreed_in_discussion_stands_with_its_reason(rated):
    first = disputes("essays", more_than=1, store=rated)[0]
    with pytest.raises(BadParameter, match="between 1 and 7; got 9"):
        settle("essays", first.code, "clear", value=9, why="So.", who="ann and bob", store=rated)
    with pytest.raises(BadParameter, match="with a reason"):
        settle("essays", first.code, "clear", value=2, why=" ", who="ann and bob", store=rated)
    with pytest.raises(BadParameter, match="Nobody has rated clear of an artefact ZZZZ"):
        settle("essays", "ZZZZ", "clear", value=2, why="So.", who="ann and bob", store=rated)
    settle("essays", first.code, "clear", value=2, why="Bob had misread it.", who="ann and bob", store=rated)
    with pytest.raises(Conflict, match="settled already"):
        settle("essays", first.code, "clear", value=3, why="So.", who="ann", store=rated)
    close("essays", store=rated)
    one = next(one for one in results("essays", store=rated).artefacts if one.code == first.code)
    assert one.values["clear"] == 2
    assert one.settled == ("clear",)


@pytest.mark.parametrize(
    ("resolution", "value"), [("tertium quid", 5.5), ("parity", 13 / 3), ("expert", 5.0)], ids=lambda x: str(x)
)
def test_a_third_rating_settles_as_was_stated(resolution, value):
    ratings = [
        Rating("K", "ann", "clear", 2.0),
        Rating("K", "bob", "clear", 6.0),
        Rating("K", "cy", "clear", 5.0, "third"),
    ]
    assert final_value(ratings, resolution=resolution) == pytest.approx(value)


def test_where_none_is_nearer_the_third_rating_is_the_mean():
    ratings = [
        Rating("K", "ann", "clear", 2.0),
        Rating("K", "bob", "clear", 6.0),
        Rating("K", "cy", "clear", 4.0, "third"),
    ]
    assert final_value(ratings, resolution="tertium quid") == 4


def test_what_nobody_rated_is_unknown_and_not_zero():
    assert isnan(final_value([Rating("K", "model", "clear", 6.0, "additional")], resolution="parity"))


def test_sessions_are_rated_by_their_transcripts_which_name_nobody(store, rubric):
    head = run("coin", "half", store=store, sessions=3, parameters={"flips": 2}).head
    found = session_artefacts(head.id, store=store, condition="halves")
    assert [one.source for one in found] == [session.id for session in store.sessions.of(head.id)]
    assert found[0].content["text"].count("Asked: This coin falls heads with chance") == 2
    assert "Answered: 0.5" in found[0].content["text"]
    assert "half" not in found[0].content["text"].replace("one half", "")
    open_panel("sessions", found, rubric=rubric, store=store)
    assert len(store.panels.artefacts("sessions")) == 3


def test_an_artefact_that_is_too_large_is_refused():
    with pytest.raises(BadParameter, match="at most 5000000"):
        Artefact.from_text("x" * 5_000_001, condition="")


def test_a_language_model_behind_its_endpoint_rates_through_the_same_asks(store, rubric, artefacts, judge, chat_model):
    chat_model.answer = lambda request: 4
    open_panel("essays", artefacts[:4], rubric=rubric, store=store)
    assign("essays", [Rater("ann", judge()), Rater("model", chat_model.name)], overlap=1, store=store)
    rate("essays", store=store, subjects={"ann": judge()})
    asked = [json.dumps(request) for request in chat_model.requests]
    assert len(asked) == 8
    assert not [secret for secret in ("drilled", "plain", "person-", "essays") if secret in "".join(asked)]
    close("essays", store=store)
    found = results("essays", store=store)
    assert list(found.models["model"].values()) == pytest.approx([(2 * 3 / 6 + 4 / 10) / 3] * 4)
    assert all(one.raters == 1 for one in found.artefacts)
