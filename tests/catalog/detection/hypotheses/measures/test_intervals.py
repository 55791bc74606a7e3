"""Bootstrap intervals over pairs, with and without pairing anew, and two detectors on the same truth."""

import numpy as np
import pytest

from mensura.catalog.detection.hypotheses.measures.intervals import difference
from mensura.catalog.detection.hypotheses.options import ScoringOptions
from mensura.catalog.detection.hypotheses.scorer import score_hypotheses
from mensura.catalog.detection.hypotheses.specification_file import read_specification
from mensura.catalog.detection.hypotheses.things import parse_things

TEXT = """
types:
  Attack: {case: true, attributes: {target: {domain: string}, mode: {domain: string}}}
"""


def detector(size, *, seed, right):
    """Hypotheses that get the target right with a given chance; simulated."""
    rng = np.random.default_rng(seed)
    return [
        {"type": "Attack", "uid": f"h{n}", "target": f"t{n}" if rng.random() < right else f"x{n}", "mode": "m"}
        for n in range(size)
    ]


TRUTH = [{"type": "Attack", "uid": f"r{n}", "target": f"t{n}", "mode": "m"} for n in range(40)]


def test_interval_holds_the_score_and_names_n_and_method(score):
    found = score(TRUTH, detector(40, seed=1, right=0.7), TEXT).types["Attack"]
    estimate = found.estimates["f"]
    assert estimate.low < found.counts.f < estimate.high
    assert estimate.value == pytest.approx(found.counts.f)
    assert estimate.n == len(found.units)
    assert "pairing kept" in estimate.method


def test_every_estimate_is_the_score_itself(score):
    found = score(TRUTH, detector(50, seed=1, right=0.7), TEXT).types["Attack"]
    assert found.estimates["precision"].value == pytest.approx(found.counts.precision)
    assert found.estimates["recall"].value == pytest.approx(found.counts.recall)
    assert found.estimates["mean_pair_f"].value == pytest.approx(found.mean_pair_f)
    assert found.estimates["traditional_f"].value == pytest.approx(found.traditional.f)
    assert found.estimates["nacc"].value == pytest.approx(found.cost.nacc)


def test_the_same_record_gives_the_same_interval(score):
    first, second = (score(TRUTH, detector(40, seed=1, right=0.7), TEXT).types["Attack"] for _ in range(2))
    assert first.estimates == second.estimates


def test_fewer_than_ten_cases_have_no_interval(score):
    found = score(TRUTH[:5], detector(5, seed=1, right=0.5), TEXT).types["Attack"]
    assert not found.estimates["f"].has_interval
    assert "at least 10" in found.estimates["f"].method


def test_pairing_every_sample_anew_says_so_and_never_scores_below_the_kept_pairing(score):
    hypotheses = detector(40, seed=2, right=0.6)
    kept = score(TRUTH, hypotheses, TEXT, resamples=200).types["Attack"].estimates["mean_pair_f"]
    anew = score(TRUTH, hypotheses, TEXT, resamples=200, repair=True).types["Attack"].estimates["mean_pair_f"]
    assert "paired anew" in anew.method
    assert anew.low < anew.value < anew.high
    assert anew.high >= kept.high - 0.05


def test_forced_pairs_stay_together_when_samples_are_paired_anew(score):
    hypotheses = [record | {"uid": f"r{n}"} for n, record in enumerate(detector(40, seed=2, right=0.6))]
    kept = score(TRUTH, hypotheses, TEXT, resamples=300).types["Attack"].estimates["recall"]
    anew = score(TRUTH, hypotheses, TEXT, resamples=300, repair=True).types["Attack"].estimates["recall"]
    assert anew.low == pytest.approx(kept.low, abs=0.03)
    assert anew.high == pytest.approx(kept.high, abs=0.03)


def test_a_better_detector_is_told_from_a_worse_one_and_a_copy_is_not(score):
    good = score(TRUTH, detector(40, seed=3, right=0.95), TEXT).types["Attack"]
    bad = score(TRUTH, detector(40, seed=4, right=0.3), TEXT).types["Attack"]
    found = difference(good.units, bad.units, references=40, resamples=500)
    assert found.differences["f"].excludes(0)
    assert found.p < 0.001
    same = difference(good.units, good.units, references=40, resamples=100)
    assert same.differences["f"].value == 0
    assert same.p == 1.0


@pytest.mark.slow
def test_interval_of_recall_covers_the_true_recall_at_its_nominal_rate(tmp_path):
    # Cases are met at random: each is found with chance 0.6, so recall over all cases is 0.5 + 0.5 * 0.6.
    path = tmp_path / "S.yaml"
    path.write_text(TEXT)
    specification = read_specification(path)
    truth = parse_things(enumerate(TRUTH, 1), specification=specification)
    covered = 0
    for seed in range(400):
        rng = np.random.default_rng(seed)
        records = [
            {"type": "Attack", "uid": f"r{n}", "target": f"t{n}" if rng.random() < 0.6 else "no", "mode": "m"}
            for n in range(40)
        ]
        things = parse_things(enumerate(records, 1), specification=specification)
        found = score_hypotheses(
            specification, reference=truth, hypotheses=things, options=ScoringOptions(resamples=400)
        )
        estimate = found.types["Attack"].estimates["recall"]
        covered += estimate.low <= 0.8 <= estimate.high
    assert 0.90 <= covered / 400 <= 0.98
