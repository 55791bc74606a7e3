"""Candidates found by shared values are exactly those found by comparing everything."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura.catalog.detection.hypotheses.measures.assertions import Context, take_apart
from mensura.catalog.detection.hypotheses.options import ScoringOptions
from mensura.catalog.detection.hypotheses.scorer import score_hypotheses
from mensura.catalog.detection.hypotheses.specification import Attribute, CaseType, Precondition, Specification
from mensura.catalog.detection.hypotheses.things import parse_things
from mensura.errors import BadParameter
from mensura.scores.matching import candidates, crowd, crowd_search, survey
from mensura.scores.matching.credit import Credit

SPECIFICATION = Specification(
    "mixed",
    {
        "Person": CaseType(
            "Person", case=True, members="name", attributes={"name": Attribute("name", "string", 1, True)}
        ),
        "Attack": CaseType(
            "Attack",
            case=True,
            attributes={
                "target": Attribute("target", "string", 5),
                "mode": Attribute("mode", "string", 4),
                "day": Attribute("day", "number", 2, credit=Credit("curve", "linear", 10)),
                "when": Attribute("when", "number", 1, True, credit=Credit("curve", "halving", 3)),
                "place": Attribute("place", "string", 3, credit=Credit("similarity", "edit", 1.0, 0.5)),
                "actors": Attribute("actors", "Person", 1, True),
                "allies": Attribute("allies", "Person", 2, True, pairing="local"),
            },
            conditions=(Precondition("within", ("day",), 40),),
        ),
    },
)
NAMES = st.lists(st.sampled_from("abcdefgh"), max_size=3, unique=True)


@st.composite
def attacks(draw, prefix):
    records = []
    for number in range(draw(st.integers(0, 7))):
        record = {"type": "Attack", "uid": f"{prefix}{number}", "actors": draw(NAMES), "allies": draw(NAMES)}
        for name, values in (
            ("target", st.sampled_from(["bridge", "tower", "port"])),
            ("mode", st.sampled_from(["bomb", "spill"])),
            ("day", st.integers(0, 60)),
            ("place", st.sampled_from(["northgate", "northgates", "southgate", "harbour"])),
        ):
            if draw(st.booleans()):
                record[name] = draw(values)
        record["when"] = draw(st.lists(st.integers(0, 40), max_size=3, unique=True))
        records.append(record)
    for number in range(draw(st.integers(0, 2))):
        names = draw(NAMES.filter(bool))
        if not any(set(names) & set(other.get("name", ())) for other in records):
            records.append({"type": "Person", "uid": f"{prefix}p{number}", "name": names})
    return records


def everything_global():
    attack = SPECIFICATION.types["Attack"]
    allies = replace(attack.attributes["allies"], pairing=None)
    types = {**SPECIFICATION.types, "Attack": replace(attack, attributes={**attack.attributes, "allies": allies})}
    return replace(SPECIFICATION, types=types)


def things(records, source):
    return parse_things(enumerate(records, 1), specification=SPECIFICATION, source=source)


def found(reference, hypotheses, specification=SPECIFICATION, **options):
    return score_hypotheses(
        specification,
        reference=things(reference, "R"),
        hypotheses=things(hypotheses, "H"),
        options=ScoringOptions(resamples=0, **options),
    )


def entries(score):
    sparse = score.types["Attack"].pairing.shortlist.candidates.sparse()
    rows = np.repeat(np.arange(sparse.shape[0]), np.diff(sparse.start))
    return {(int(i), int(j)): w for i, j, w in zip(rows, sparse.columns, sparse.worth, strict=True)}


@settings(deadline=None, max_examples=25)
@given(attacks("r"), attacks("h"), st.sampled_from([0.0, 0.2, 0.5, 0.8]), st.sampled_from(["f", "recall", "cost"]))
def test_shared_values_find_exactly_the_candidates_that_looking_at_every_pair_finds(reference, hypotheses, t, by):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(candidates, "_CROWDED", 0.0)
        everything = found(reference, hypotheses, threshold=t, by=by)
        patch.setattr(candidates, "_CROWDED", 2.0)
        shared = found(reference, hypotheses, threshold=t, by=by)
    assert entries(shared) == pytest.approx(entries(everything))
    first, second = (score.types["Attack"].pairing.shortlist.survey for score in (shared, everything))
    assert first.best_precision == pytest.approx(second.best_precision)
    assert first.best_recall == pytest.approx(second.best_recall)
    assert first.per_hypothesis.tolist() == second.per_hypothesis.tolist()
    assert shared.types["Attack"].counts.f == pytest.approx(everything.types["Attack"].counts.f, nan_ok=True)


@settings(deadline=None, max_examples=25)
@given(attacks("r"), attacks("h"))
def test_fast_comparison_agrees_with_taking_pairs_apart_assertion_by_assertion(reference, hypotheses):
    score = found(reference, hypotheses)
    kind = score.specification.types["Attack"]
    context = Context(score.specification, score.reference, score.hypotheses, score.nested)
    lineup = score.types["Attack"].lineup
    for i, first in enumerate(lineup.reference):
        for j, second in enumerate(lineup.hypotheses):
            parts = take_apart(kind, reference=first.values, hypothesis=second.values, context=context)
            recall_basis = sum(part.weight for part in parts if part.reference is not None)
            precision_basis = sum(part.weight for part in parts if part.hypothesis is not None)
            pair = lineup.likeness.pairs(np.array([i]), np.array([j]))
            recall = sum(part.weight * part.recall for part in parts)
            precision = sum(part.weight * part.precision for part in parts)
            assert pair.recall[0] == pytest.approx(recall / recall_basis if recall_basis else 0)
            assert pair.precision[0] == pytest.approx(precision / precision_basis if precision_basis else 0)


@settings(deadline=None, max_examples=25)
@given(attacks("r"))
def test_a_perfect_copy_scores_one_everywhere(reference):
    copy = [record | {"uid": record["uid"] + "x"} for record in reference]
    score = found(reference, copy, force=False)
    for name in ("Attack", "Person"):
        score_of_type = score.types[name]
        silent = sum(basis == 0 for basis in score_of_type.pairing.likeness.sides.reference.basis)
        if score_of_type.references:
            expected = 1 - silent / score_of_type.references
            assert score_of_type.counts.recall == pytest.approx(expected)
            assert score_of_type.counts.precision == pytest.approx(expected)


@settings(deadline=None, max_examples=25)
@given(
    attacks("r"),
    attacks("h"),
    st.sampled_from([0.0, 0.3, 0.6]),
    st.sampled_from(["f", "recall", "cost"]),
    st.sampled_from([0, 5, 30]),
)
def test_setting_common_values_aside_leaves_the_optimum_the_greedy_choice_and_uniqueness_as_they_are(
    reference, hypotheses, t, by, budget
):
    specification = everything_global()
    everything = found(reference, hypotheses, specification, threshold=t, by=by)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(candidates, "MOST_ENTRIES", 0)
        patch.setattr(candidates, "MOST_LOOKS", budget)
        aside = found(reference, hypotheses, specification, threshold=t, by=by)
    # Where persons can be paired in several ways, attacks read off different ones and need not agree.
    names = ("Person", "Attack") if everything.types["Person"].pairing.unique else ("Person",)
    for name in names:
        first, second = everything.types[name].pairing, aside.types[name].pairing
        assert second.greedy_gap == pytest.approx(first.greedy_gap)
        assert second.unique == first.unique
        if first.unique:
            assert aside.types[name].as_json()["pairs"] == everything.types[name].as_json()["pairs"]
        if by == "f":
            assert aside.types[name].pairs.f.sum() == pytest.approx(everything.types[name].pairs.f.sum())
        assert aside.types[name].as_json()["tracking"] == pytest.approx(everything.types[name].as_json()["tracking"])


def gathering(size, *, seed, prefix, alternatives=False):
    """Attacks with rare and common values, and noise between the two sides; simulated."""
    truth, noise = np.random.default_rng(1), np.random.default_rng(seed)
    records = []
    for number in range(size):
        values = [int(truth.integers(most)) for most in (size // 3, 4, 60)] + truth.integers(size, size=3).tolist()
        if seed:
            values = [value if noise.random() < 0.6 else value + int(noise.integers(1, 9)) for value in values]
        target, mode, day, *actors = values
        record = {"target": f"t{target}", "mode": f"m{mode % 4}", "day": day, "actors": [f"p{each}" for each in actors]}
        if alternatives and number % 3:
            chance = round(float(noise.uniform(0.3, 0.9)), 3)
            one = {"probability": chance, "target": record.pop("target")}
            other = {"probability": round(0.9 - chance, 3) if chance < 0.9 else 0.0, "target": f"t{number % 7}"}
            record["alternatives"] = [one, other]
        records.append({"type": "Attack", "uid": f"{prefix}{number}", **record})
    return records


def crowded(patch, budget):
    """Let even small data count as a crowd."""
    patch.setattr(candidates, "MOST_ENTRIES", 0)
    patch.setattr(candidates, "MOST_LOOKS", budget)
    patch.setattr(crowd, "_MORE", 2)
    patch.setattr(crowd, "_STRONG", 2)


# Slow in a new clone, where it compiles: under coverage that would take twice as long.
@pytest.mark.slow
@pytest.mark.parametrize("threshold", [0.0, 0.3, 0.5])
@pytest.mark.parametrize("by", ["f", "cost"])
@pytest.mark.parametrize("budget", [150, 1000])
@pytest.mark.parametrize("alternatives", [False, True])
def test_setting_common_values_aside_is_exact_in_a_crowd(monkeypatch, threshold, by, budget, alternatives):
    specification = everything_global()
    reference = gathering(60, seed=0, prefix="r")
    hypotheses = gathering(60, seed=2, prefix="h", alternatives=alternatives)
    whole, wide = (
        found(reference, hypotheses, specification, threshold=threshold, by=by, pairs=pairs).types["Attack"]
        for pairs in ("optimal", "many-to-one")
    )
    crowded(monkeypatch, budget)
    aside, spread = (
        found(reference, hypotheses, specification, threshold=threshold, by=by, pairs=pairs).types["Attack"]
        for pairs in ("optimal", "many-to-one")
    )
    assert aside.pairing.shortlist.common is not None or threshold > 0
    assert aside.pairing.greedy_gap == pytest.approx(whole.pairing.greedy_gap, abs=1e-9)
    assert aside.pairing.unique == whole.pairing.unique
    assert aside.as_json()["tracking"] == pytest.approx(whole.as_json()["tracking"])
    assert spread.as_json()["pairs"] == wide.as_json()["pairs"]
    if by == "f":
        assert aside.pairs.f.sum() == pytest.approx(whole.pairs.f.sum(), abs=1e-9)


def test_without_conditions_a_crowd_is_counted_by_shared_values(monkeypatch):
    attack = everything_global().types["Attack"]
    free = replace(SPECIFICATION, types={**SPECIFICATION.types, "Attack": replace(attack, conditions=())})
    for alternatives in (False, True):
        reference = gathering(60, seed=0, prefix="r")
        hypotheses = gathering(60, seed=2, prefix="h", alternatives=alternatives)
        whole, wide = (
            found(reference, hypotheses, free, pairs=pairs).types["Attack"] for pairs in ("optimal", "many-to-one")
        )
        with pytest.MonkeyPatch.context() as patch:
            crowded(patch, 600)
            aside, spread = (
                found(reference, hypotheses, free, pairs=pairs).types["Attack"] for pairs in ("optimal", "many-to-one")
            )
        assert aside.pairing.shortlist.common is not None
        assert aside.as_json()["tracking"] == pytest.approx(whole.as_json()["tracking"])
        assert spread.as_json()["pairs"] == wide.as_json()["pairs"]


def test_what_would_take_too_long_is_unknown_or_refused_with_its_size(monkeypatch):
    monkeypatch.setattr(candidates, "MOST_ENTRIES", 10)
    monkeypatch.setattr(candidates, "MOST_LOOKS", 10)
    records = [{"type": "Attack", "uid": str(number), "mode": "bomb"} for number in range(20)]
    score = found(records, records, force=False).types["Attack"]
    assert score.counts.f == pytest.approx(1.0)
    assert not score.pairing.unique
    assert score.tracking.fragmentation == 20
    assert len(found(records, records, force=False, pairs="many-to-one").types["Attack"].pairs) == 20
    with pytest.raises(BadParameter, match=r"\(400\) for many-to-many pairing, which lists every one"):
        found(records, records, force=False, pairs="many-to-many")
    monkeypatch.setattr(survey, "MOST_COMPARED", 10)
    score = found(records, records, force=False).types["Attack"]
    assert score.as_json()["tracking"]["purity"] is None
    assert any("summaries of them are unknown" in note for note in score.notes)
    with pytest.raises(BadParameter, match="Raise the threshold"):
        found(records, records, force=False, pairs="many-to-one")
    monkeypatch.setattr(crowd, "MOST_OPEN", 10)
    assert np.isnan(found(records, records, force=False).types["Attack"].pairing.greedy_gap)
    with pytest.raises(BadParameter, match="or pair optimally"):
        found(records, records, force=False, pairs="greedy")
    monkeypatch.setattr(crowd, "MOST_LOOKS", 10)
    with pytest.raises(BadParameter, match="Raise the threshold"):
        found(records, records, force=False)


def test_local_pairing_that_needs_too_many_pairs_is_refused_with_its_size(monkeypatch):
    monkeypatch.setattr(candidates, "MOST_ENTRIES", 10)
    monkeypatch.setattr(candidates, "MOST_LOOKS", 10)
    records = [{"type": "Person", "uid": f"p{number}", "name": [f"n{number}", "x"][:1]} for number in range(3)]
    people = [{"type": "Attack", "uid": "a", "allies": ["n0", "n1", "n2"], "mode": "bomb"}]
    assert found(records + people, records + people, force=False).types["Attack"].counts.f == pytest.approx(1.0)
    crowd_of = replace(
        SPECIFICATION.types["Person"], members=None, attributes={"name": Attribute("name", "string", 1, True)}
    )
    specification = replace(SPECIFICATION, types={**SPECIFICATION.types, "Person": crowd_of})
    alike = [{"type": "Person", "uid": f"p{number}", "name": ["x"]} for number in range(9)]
    attack = [{"type": "Attack", "uid": "a", "allies": [f"p{number}" for number in range(9)]}]
    with pytest.raises(BadParameter, match=r"at most 10.*local pairing of Person"):
        found(alike + attack, alike + attack, specification, force=False)


@pytest.mark.parametrize("kinds", [3, 6, 10])
@pytest.mark.parametrize("wrong", [0.1, 0.5, 0.9])
def test_setting_a_common_value_aside_compares_fewer_pairs_than_share_it(monkeypatch, kinds, wrong):
    size = 120
    rng = np.random.default_rng(1)
    kind, other = rng.integers(kinds, size=(2, size))
    target = np.where(rng.random(size) < wrong, rng.integers(size, size=size), np.arange(size))
    kinds_told = np.where(rng.random(size) < wrong, other, kind)
    reference, hypotheses = (
        [{"type": "Attack", "uid": str(n), "target": f"t{targets[n]}", "mode": f"m{modes[n]}"} for n in range(size)]
        for targets, modes in ((range(size), kind), (target, kinds_told))
    )
    free = replace(SPECIFICATION.types["Attack"], conditions=())
    specification = replace(SPECIFICATION, types={**SPECIFICATION.types, "Attack": free})
    whole = found(reference, hypotheses, specification, force=False).types["Attack"]
    compared = []
    count = crowd_search.compare_case

    def counted(*pair):
        compared.append(pair[:2])
        return count(*pair)

    monkeypatch.setattr(candidates, "MOST_ENTRIES", 0)
    monkeypatch.setattr(candidates, "MOST_LOOKS", 2 * size)
    monkeypatch.setattr(crowd_search, "compare_case", counted)
    for name in ("above_prices", "survey_block"):
        monkeypatch.setattr(crowd_search, name, getattr(crowd_search, name).py_func)
    aside = found(reference, hypotheses, specification, force=False).types["Attack"]
    assert aside.pairing.shortlist.common is not None
    assert aside.counts.f == pytest.approx(whole.counts.f)
    assert aside.pairing.unique == whole.pairing.unique
    assert aside.pairing.greedy_gap == pytest.approx(whole.pairing.greedy_gap)
    assert len(compared) < size * size / kinds
