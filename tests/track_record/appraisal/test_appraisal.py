import numpy as np
import pytest

from mensura.errors import BadParameter, UnknownName
from mensura.track_record.appraisal.admiralty import codes, content_number, is_reliable, meaning, source_letter
from mensura.track_record.appraisal.appraisal import appraise, coherence
from mensura.track_record.calibration.diagnosis import diagnose
from mensura.track_record.calibration.sheet import Sheet


def record(slope, n=400, seed=1, raised=0.0):
    """Simulate the record of a source that overvalues by the given slope, and states so much too much."""
    rng = np.random.default_rng(seed)
    half = 0.4 * min(slope or 1, 1)
    true = rng.uniform(0.5 - half, 0.5 + half - abs(raised), n)
    stated = np.clip(0.5 + (true - 0.5) / slope + raised, 0, 1) if slope else rng.random(n)
    happened = rng.random(n) < (true if slope else 0.5)
    return diagnose(Sheet.binary(stated, happened.astype(float)))


def test_appraisal_is_the_expected_score_under_what_was_believed():
    found = appraise(believed=[0.7, 0.3], report=[0.6, 0.4])
    assert found.value == pytest.approx(0.7 * np.log(1.2) + 0.3 * np.log(0.8))
    assert found.fit == "vague"


def test_a_definite_consistent_report_is_large_and_positive_and_a_vague_one_small():
    assert appraise(believed=[0.95, 0.05], report=[0.9, 0.1]).fit == "definite and consistent"
    assert appraise(believed=[0.95, 0.05], report=[0.5, 0.5]).value == 0
    assert appraise(believed=[1.0, 0.0], report=[0.0, 1.0]).value == pytest.approx(np.log(0.02))


def test_a_reliable_source_strongly_at_variance_is_flagged_and_others_are_not():
    reliable, poor = record(1.0), record(0)
    assert is_reliable(reliable)
    assert not is_reliable(poor)
    flagged = appraise(believed=[0.9, 0.1], report=[0.05, 0.95], source=reliable)
    assert flagged.flag == "reliable source, strongly at variance"
    assert appraise(believed=[0.9, 0.1], report=[0.05, 0.95], source=poor).flag == ""
    assert appraise(believed=[0.9, 0.1], report=[0.9, 0.1], source=reliable).flag == ""
    assert appraise(believed=[0.9, 0.1], report=[0.05, 0.95]).reliable is None


def test_a_source_with_few_answers_is_neither_reliable_nor_not():
    assert is_reliable(record(1.0, n=5)) is None


def test_a_report_that_suits_the_deceiver_is_suspected():
    found = coherence(report=[0.9, 0.1], deception=[0.85, 0.15], all_channels=[0.4, 0.6])
    assert found.suspicious
    assert found.with_deception > found.with_all
    honest = coherence(report=[0.2, 0.8], deception=[0.85, 0.15], all_channels=[0.3, 0.7])
    assert not honest.suspicious


def test_belief_and_report_must_be_about_the_same_alternatives():
    with pytest.raises(BadParameter, match="same alternatives"):
        appraise(believed=[0.5, 0.5], report=[0.2, 0.3, 0.5])


@pytest.mark.parametrize(("slope", "letter"), [(1.0, "A"), (0.62, "C"), (0.35, "D")])
def test_letters_follow_the_realism_slope(slope, letter):
    assert source_letter(record(slope, n=20_000)).code == letter


def test_few_answers_do_not_make_a_source_completely_reliable():
    letters = [source_letter(record(slope, n=12, seed=seed)).code for slope in (0.5, 1.0) for seed in range(20)]
    assert letters.count("F") > 20
    assert source_letter(record(0.35, n=150)).code in "DE"
    assert record(0.35, n=12).shrunk.a > 0.5


def test_no_record_is_f_and_no_belief_is_six():
    assert source_letter(None).code == "F"
    assert source_letter(record(1.0, n=5)).code == "F"
    assert content_number(None).code == "6"


def test_numbers_follow_the_appraisal():
    reports = ([0.97, 0.03], [0.7, 0.3], [0.5, 0.5], [0.35, 0.65], [0.02, 0.98])
    numbers = [content_number(appraise(believed=[0.95, 0.05], report=report)).code for report in reports]
    assert numbers == ["1", "2", "3", "4", "5"]


def test_codes_are_read_back_to_ranges():
    source, content = meaning("b2")
    assert (source.low, source.high) == (0.75, 0.9)
    assert content.words == "Probably true"
    with pytest.raises(UnknownName):
        meaning("Z9")
    assert [part.code for part in codes("source")] == list("ABCDEF")


@pytest.mark.parametrize(("raised", "letter"), [(0.23, "D"), (0.07, "B")])
def test_a_source_whose_slope_is_one_is_graded_by_its_height_and_score_too(raised, letter):
    source = record(1.0, n=500, raised=raised)
    assert source.realism.a > 0.9
    assert source_letter(source).code == letter


def test_a_source_that_cannot_be_judged_is_neither_reliable_nor_not():
    assert source_letter(record(1.0, n=14)).code == "F"
    assert is_reliable(record(1.0, n=14)) is None
