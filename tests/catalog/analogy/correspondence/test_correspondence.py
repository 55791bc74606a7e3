"""The mapping test: partial credit against a gold mapping."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import precision_recall_fscore_support

from mensura.catalog.analogy.correspondence.dialogue import chance_levels, make_ask, mapping
from mensura.catalog.analogy.correspondence.scoring import NOTHING, digests, marks
from mensura.catalog.analogy.own.stories import own_stories
from mensura.dialogue import Questions, Refused
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take

GOLD = {"dam": "battery", "water": "electricity", "flood": "fire", "wall": "cable"}
COUNTERPARTS = [*GOLD.values(), "record", NOTHING]
RIGHT = digests(GOLD)
GIVEN = st.fixed_dictionaries(dict.fromkeys([*GOLD, "river"], st.sampled_from(COUNTERPARTS)))


@given(GIVEN)
def test_precision_and_recall_are_those_of_scikit_learn_over_all_possible_pairs(given):
    pairs = [(one, other) for one in [*GOLD, "river"] for other in COUNTERPARTS[:-1]]
    true = [GOLD.get(one) == other for one, other in pairs]
    told = [given[one] == other for one, other in pairs]
    precision, recall, f1, _ = precision_recall_fscore_support(true, told, average="binary", zero_division=0)
    assert marks(given, RIGHT) == pytest.approx({"f1": f1, "precision": precision, "recall": recall})


@given(GIVEN, st.sampled_from(sorted(GOLD)))
def test_one_more_right_counterpart_never_costs(given, concept):
    better = marks({**given, concept: GOLD[concept]}, RIGHT)
    assert all(better[name] >= marks(given, RIGHT)[name] - 1e-12 for name in better)


@given(GIVEN, st.sampled_from(sorted(GOLD)))
def test_leaving_a_right_counterpart_out_never_pays(given, concept):
    right = {**given, concept: GOLD[concept]}
    full, left = marks(right, RIGHT), marks({**right, concept: NOTHING}, RIGHT)
    assert left["f1"] <= full["f1"]
    assert left["recall"] < full["recall"]
    assert left["precision"] <= full["precision"]


@given(GIVEN, st.randoms())
def test_the_order_of_concepts_changes_nothing(given, random):
    concepts = list(given)
    random.shuffle(concepts)
    assert marks({concept: given[concept] for concept in concepts}, RIGHT) == marks(given, RIGHT)


def scored(subject):
    found = take(mapping, subject, seed=1)
    return {name: items.values for name, items in score_record(mapping, found.record, found.truths).values.items()}


def test_the_gold_mapping_scores_1_nothing_0_and_half_of_it_partial_credit():
    truths = {one.id: dict.fromkeys(one.loose[0], NOTHING) | dict(one.pairs) for one in own_stories()}

    def answer(ask, share):
        kept = sorted(truths[ask.key])[: round(share * len(truths[ask.key]))]
        return {one: truths[ask.key][one] if one in kept else NOTHING for one in ask.space.questions}

    assert {name: set(values) for name, values in scored(lambda ask: answer(ask, 1)).items()} == {
        "f1": {1.0},
        "precision": {1.0},
        "recall": {1.0},
    }
    assert set(scored(lambda ask: answer(ask, 0))["f1"]) == {0.0}
    half = scored(lambda ask: answer(ask, 0.5))
    assert set(half["precision"]) == {1.0}
    assert 0.4 < half["recall"].mean() < 0.6
    assert set(scored(lambda ask: Refused("no"))["f1"]) == {0.0}


def test_what_is_offered_is_mixed_and_the_same_for_everybody():
    story = own_stories()[0]
    one, other = (make_ask(story, np.random.default_rng(3)) for _ in range(2))
    assert one.space == other.space
    assert isinstance(one.space, Questions)
    assert list(one.space.questions) != [*story.pairs, *story.loose[0]]
    offered = next(iter(one.space.questions.values()))[1].options
    assert sorted(offered) == sorted([*story.pairs.values(), *story.loose[1], NOTHING])


def test_chance_is_what_chance_gives():
    class Drawing:
        def begin(self, rng):
            self.rng = rng

        def __call__(self, ask):
            return ask.space.draw(self.rng)

    found = [
        score_record(mapping, taken.record, taken.truths).values["recall"].values.mean()
        for seed in range(60)
        for taken in [take(mapping, Drawing(), seed=seed)]
    ]
    assert np.mean(found) == pytest.approx(chance_levels(data="")["recall"], abs=4 * np.std(found) / 60**0.5)
