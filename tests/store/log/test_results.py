"""Results with their provenance; scoring again keeps the old ones."""

from collections.abc import Callable

import numpy as np

from mensura.dialogue import Items, Scores
from mensura.store import Store

Begin = Callable[..., str]
HASHES = {"instance_hash": "i", "environment_hash": "e"}


def test_scores_come_back_to_the_last_bit(store: Store, begin: Begin) -> None:
    session = begin(store)
    values = np.array([0.1 + 0.2, np.nan, -0.0, np.inf, 5e-324])
    scores = Scores(
        {"brier": Items(values, list("abcde")), "mean": np.float64(1 / 3), "none": float("nan")}, {"d": [1]}
    )
    store.results.add(session, scores, scoring="1", **HASHES)
    stored = store.results.of("coin-1")[session]
    brier = stored.values["brier"]
    assert isinstance(brier, Items)
    assert brier.values.tobytes() == values.tobytes()
    assert brier.keys == tuple("abcde")
    assert stored.values["mean"] == 1 / 3
    assert np.isnan(stored.values["none"])
    assert stored.details == {"d": [1]}


def test_scoring_again_gives_the_latest_and_keeps_the_rest(store: Store, begin: Begin) -> None:
    session = begin(store, sessions=3)
    for scoring, value in [("1", 0.1), ("2", 0.2), ("1", 0.3)]:
        store.results.add(session, Scores({"a": value}), scoring=scoring, **HASHES)
    store.results.add("coin-1/0.0.2", Scores({"a": 9.0}), scoring="1", **HASHES)
    assert {name: scores.values for name, scores in store.results.of("coin-1").items()} == {
        session: {"a": 0.3},
        "coin-1/0.0.2": {"a": 9.0},
    }
    assert {name: scores.values for name, scores in store.results.of("coin-1", scoring="2").items()} == {
        session: {"a": 0.2}
    }
    history = store.results.history(session)
    assert [(result.scoring, result.scores.values["a"]) for result in history] == [("1", 0.1), ("2", 0.2), ("1", 0.3)]
    assert {(result.instance_hash, result.environment_hash) for result in history} == {("i", "e")}
    assert [result.session for result in store.results.latest("coin-1")] == [session, "coin-1/0.0.2"]


def test_results_of_another_run_stay_apart(store: Store, begin: Begin) -> None:
    store.results.add(begin(store, "a"), Scores({"x": 1.0}), scoring="1", **HASHES)
    begin(store, "b")
    assert store.results.of("b") == {}
