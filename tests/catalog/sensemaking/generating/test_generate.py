from itertools import pairwise

import numpy as np
import pytest

from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.exam.probs import published_probs
from mensura.catalog.sensemaking.generating import Design, generate_exam, read_design, write_generated
from mensura.catalog.sensemaking.generating.setter import Setter
from mensura.catalog.sensemaking.generating.waves import _attackers, _wave_lengths
from mensura.catalog.sensemaking.mitre.exam_reading import read_exam
from mensura.catalog.sensemaking.showing.wording import find_wording, instructions
from mensura.catalog.sensemaking.solving.normative import road_miles, solve
from mensura.catalog.sensemaking.solving.waves import solve_waves
from mensura.errors import BadFile, BadParameter


@pytest.fixture(scope="module")
def exams():
    return [generate_exam(np.random.default_rng(seed), id=f"generated-{seed}") for seed in range(12)]


def test_the_same_seed_makes_the_same_exam(exams):
    assert generate_exam(np.random.default_rng(3), id="generated-3") == exams[3]
    assert exams[3].tasks != exams[4].tasks


def test_trials_and_stages_are_as_published(exams, final_exam):
    for exam in exams:
        for number, task in final_exam.tasks.items():
            assert len(exam.tasks[number].trials) == len(task.trials)
        assert [len(block.attacks) for block in exam.tasks[1].trials] == [9] * 10
        assert [block.trial for block in exam.tasks[2].trials] == [20, 40, 60, 80, 100]
        assert all(len(trial.sites) == 4 for trial in exam.tasks[4].trials)
        assert all(len(trial.layers) == 4 for trial in exam.tasks[5].trials)
        assert all(len(trial.layers) == 7 and trial.choices == 3 for trial in exam.tasks[6].trials)


def test_every_stage_of_every_trial_is_solvable(exams):
    for exam in exams:
        for solutions in solve(exam).values():
            for solution in solutions:
                assert np.isfinite(solution.stages).all()
                np.testing.assert_allclose(solution.stages.sum(axis=1), 100)
        for step in solve_waves(exam):
            assert np.isfinite(step.sites).all()
            assert np.isfinite(step.surprise_bits)


def test_networks_have_about_four_roads_and_every_place_can_be_reached(exams):
    for exam in exams:
        for network in exam.roads.values():
            assert len(network.roads) == 4
            assert np.isfinite(network.distances([network.points[0]], network.points)).all()


def test_places_lie_on_roads_and_in_the_regions_they_are_said_to(exams):
    for exam in exams:
        for number in (4, 5, 6):
            for trial in exam.tasks[number].trials:
                points = set(exam.roads[trial.roads].points)
                sites = trial.sites if number == 4 else (trial.site,)
                for site in sites:
                    assert site.place in points
                    assert exam.regions[trial.regions].at(*site.place) == site.region
                for centre in (trial.centre,) if number == 4 else trial.centres:
                    assert centre.place in points


def test_stated_distances_and_humint_are_those_of_the_roads(exams):
    probs = published_probs()
    for exam in exams[:4]:
        for trial in exam.tasks[5].trials:
            miles = road_miles(exam, trial.roads, [c.place for c in trial.centres], [trial.site.place])[:, 0]
            np.testing.assert_allclose(miles, trial.distances, atol=1e-9)
            near = probs.distance_likelihood(miles)
            assert np.abs(np.array(trial.humint) - 100 * near / near.sum()).max() <= 3
            assert sum(trial.humint) == 100


def test_reports_follow_the_rules_approximately(exams):
    """Over many trials the shares come near the PROBS: 4 in 5, 7 in 10 and 1 in 10, 2 in 5."""
    probs = published_probs()
    favoured, chatter, other, inside = [], [], [], []
    for exam in exams:
        for number in (5, 6):
            for trial in exam.tasks[number].trials:
                place = trial.groups.index(trial.truth)
                for kind in ("IMINT", "MOVINT"):
                    favoured.append(probs.likelihood(Layer(kind), trial.feature(Layer(kind)))[place] == 0.4)
                for centre in trial.centres:
                    (chatter if centre.group == trial.truth else other).append(centre.sigint == "chatter")
                inside.append(trial.site.region == trial.truth)
    assert np.mean(favoured) == pytest.approx(0.8, abs=0.05)
    assert np.mean(chatter) == pytest.approx(0.7, abs=0.05)
    assert np.mean(other) == pytest.approx(0.1, abs=0.05)
    assert np.mean(inside) == pytest.approx(0.4, abs=0.05)


@pytest.mark.slow
def test_the_attacker_is_as_likely_as_humint_says(exams):
    """Calibration of the truth against the given distribution, over all Task 5 and 6 trials."""
    small = Design(blocks_1=1, blocks_2=1, blocks_3=1, trials_4=1, trials_5=20, trials_6=20, trials_7=2, networks=1)
    said, came = [], []
    for seed in range(12, 40):
        exam = generate_exam(np.random.default_rng(seed), design=small)
        for number in (5, 6):
            for trial in exam.tasks[number].trials:
                said += [percent / 100 for percent in trial.humint]
                came += [group == trial.truth for group in trial.groups]
    said, came = np.array(said), np.array(came)
    for low, high in ((0.0, 0.1), (0.1, 0.3), (0.3, 0.5), (0.5, 0.81)):
        use = (said >= low) & (said < high)
        error = np.sqrt(said[use].mean() * (1 - said[use].mean()) / use.sum())
        assert abs(came[use].mean() - said[use].mean()) < 4 * error


def test_waves_change_the_attacker_and_reveal_it_once_before_their_end(exams):
    for exam in exams:
        trials = exam.tasks[7].trials
        ends = [i for i, t in enumerate(trials) if i == len(trials) - 1 or trials[i + 1].truth_group != t.truth_group]
        start = 0
        for end in ends:
            shown = [i for i in range(start, end + 1) if trials[i].group_shown]
            assert len(shown) == (end > start)
            assert all(1 <= end - each <= 4 for each in shown)
            start = end + 1


def test_waves_stay_as_often_as_people_are_told():
    """What the attackers of 4 000 trials imply, made by the generator of waves alone."""
    probs = published_probs()
    setter = Setter(np.random.default_rng(7), Design(trials_7=4000), probs, "")
    lengths = _wave_lengths(setter)
    groups = np.repeat(_attackers(setter, len(lengths)), lengths)
    stays = np.mean([one == other for one, other in pairwise(groups)])
    assert len(groups) == 4000
    assert abs(stays - probs.stay) < 3 * np.sqrt(probs.stay * (1 - probs.stay) / 3999)
    told = instructions(7, find_wording("neutral"), trials=15, probs=probs)
    assert f"with chance {100 * probs.stay:.0f} %" in told


def test_written_exams_read_back_the_same_and_the_subjects_copy_tells_nothing(exams, tmp_path):
    write_generated(exams[0], tmp_path)
    assert read_exam(tmp_path) == exams[0]
    told = read_exam(tmp_path / "exam.xml")
    assert all(block.truth is None and block.spreads is None for block in told.tasks[1].trials)
    assert all(trial.truth is None and trial.distances is None for trial in told.tasks[5].trials)


def test_a_design_changes_what_it_says_and_nothing_else(tmp_path):
    path = tmp_path / "design.toml"
    path.write_text("trials_5 = 4\nroads = 6\n")
    exam = generate_exam(np.random.default_rng(0), design=read_design(path))
    assert len(exam.tasks[5].trials) == 4
    assert len(exam.tasks[6].trials) == 10
    assert {len(network.roads) for network in exam.roads.values()} == {6}


@pytest.mark.parametrize(
    ("text", "error", "sentence"),
    [
        ("trails_5 = 4", BadFile, "a design has no 'trails_5'"),
        ("trials_5 = 'x'", BadFile, "trials_5 should be a number"),
        ("trials_5 =", BadFile, "cannot be read as a design"),
        ("trials_5 = 0", BadParameter, "at least 1; got 0"),
        ("roads = 1", BadParameter, "2 to 8 roads"),
    ],
)
def test_bad_designs_are_named(tmp_path, text, error, sentence):
    path = tmp_path / "design.toml"
    path.write_text(text)
    with pytest.raises(error, match=sentence):
        read_design(path)


def test_dealing_keeps_to_the_chances_as_near_as_whole_numbers_can():
    rng = np.random.default_rng(0)
    for _ in range(50):
        cards = Setter(rng, Design(), published_probs(), "").deal(np.array([0.4, 0.2, 0.2, 0.2]), count=11)
        counts = np.bincount(cards, minlength=4)
        assert counts.sum() == 11
        assert (np.abs(counts - np.array([4.4, 2.2, 2.2, 2.2])) < 1).all()
