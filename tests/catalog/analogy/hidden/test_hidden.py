"""The hidden test: ranks of originals among candidates."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from mensura.catalog.analogy.hidden.dialogue import chance_levels, hidden, hidden_texts
from mensura.catalog.analogy.hidden.scoring import rank_of
from mensura.catalog.analogy.likeness.plain import words_of
from mensura.dialogue import Refused
from mensura.errors import BadFile, BadParameter
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take

CLOSE = st.sampled_from([0.0, 0.2, 0.5, 0.9])


@given(CLOSE, st.lists(CLOSE, max_size=8))
def test_ranks_are_those_of_scipy(original, others):
    assert rank_of(original, others) == rankdata([-original, *(-one for one in others)])[0]


@given(st.none() | CLOSE, st.lists(st.none() | CLOSE, min_size=1, max_size=8), st.data())
def test_leaving_out_never_improves_a_rank_and_order_never_matters(original, others, data):
    rank = rank_of(original, others)
    place = data.draw(st.integers(0, len(others) - 1))
    assert rank_of(original, [None if at == place else one for at, one in enumerate(others)]) >= rank
    assert rank_of(None, others) >= rank
    assert rank_of(original, data.draw(st.permutations(others))) == rank


def scored(subject, **parameters):
    found = take(hidden, subject, seed=1, parameters={"queries": 6, "among": 5, **parameters})
    scores = score_record(hidden, found.record, found.truths).values
    return {name: float(np.mean(items.values)) for name, items in scores.items()}


def test_knowing_ranks_every_original_first_and_equals_are_chance():
    truths = take(hidden, lambda ask: 0.5, seed=1, parameters={"queries": 6, "among": 5}).truths
    best = scored(lambda ask: float(truths[ask.key]["original"]))
    assert best == {"reciprocal_rank": 1.0, "rank": 1.0, "first": 1.0}
    assert scored(lambda ask: 0.5) == {"reciprocal_rank": pytest.approx(1 / 3), "rank": 3.0, "first": 0.0}
    worst = scored(lambda ask: Refused("no"))
    assert worst["rank"] == 5.0
    half = scored(lambda ask: Refused("no") if truths[ask.key]["original"] else 0.5)
    assert half["reciprocal_rank"] <= scored(lambda ask: 0.5)["reciprocal_rank"]


def test_chance_levels_are_means_over_all_ranks():
    expected = chance_levels(data="", queries=0, among=4, dose=0.8)
    assert expected == pytest.approx({"reciprocal_rank": 25 / 48, "rank": 2.5, "first": 0.25})


def test_our_texts_are_reworded_and_their_neighbours_have_the_words_of_the_original():
    changed = []
    for one in hidden_texts("", 0.8):
        assert one.reworded != one.original
        assert sorted(words_of(one.neighbours[0])) == sorted(words_of(one.original))
        assert one.neighbours[0] != one.original
        changed.append(len(set(words_of(one.reworded)) - set(words_of(one.original))))
    assert min(changed) >= 1
    assert np.mean(changed) > 12


@pytest.mark.parametrize("wrong", [{"among": 1}, {"among": 99}, {"queries": 30}, {"dose": 0}, {"dose": 1.2}])
def test_what_cannot_be_asked_is_refused(wrong):
    with pytest.raises(BadParameter, match=f"--{next(iter(wrong))}"):
        hidden.fill(wrong)


def test_texts_of_ones_own_are_read_and_a_broken_line_is_named(tmp_path):
    lines = [
        {"id": name, "original": f"The {name} broke.", "reworded": f"A {name} failed."} for name in ("dam", "mill")
    ]
    file = tmp_path / "patents.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    assert [one.id for one in hidden_texts(str(file), 0.8)] == ["dam", "mill"]
    for line, words in (("{", "not JSON"), ('{"id": "a"}', "a line is .*original")):
        broken = tmp_path / f"broken{len(line)}.jsonl"
        broken.write_text(json.dumps(lines[0]) + "\n" + line)
        with pytest.raises(BadFile, match=f":2:.*{words}"):
            hidden_texts(str(broken), 0.8)
    (tmp_path / "one.jsonl").write_text(json.dumps(lines[0]))
    with pytest.raises(BadFile, match="two texts or more"):
        hidden_texts(str(tmp_path / "one.jsonl"), 0.8)
