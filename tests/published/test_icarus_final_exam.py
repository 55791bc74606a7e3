"""Figures of the ICArUS Phase 1 Final Exam data (MITRE, 2015): normative answers, scores of people and of a model."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from mensura.catalog.sensemaking.answers.check import check_answers
from mensura.catalog.sensemaking.answers.json_file import answers_from_json
from mensura.catalog.sensemaking.assessment.assess import AssessmentRules, Benchmark, ModelSide, score_model
from mensura.catalog.sensemaking.assessment.cfa import BIASES
from mensura.catalog.sensemaking.assessment.exclusion import significance
from mensura.catalog.sensemaking.assessment.skill import chosen_normative, skill_by_task
from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.mitre.exam_reading import read_exam
from mensura.catalog.sensemaking.people import read_people, respondents_of
from mensura.catalog.sensemaking.solving.distribution import integer_percents, whole_percents
from mensura.catalog.sensemaking.solving.information import MENU, best_layers, expected_gain
from mensura.catalog.sensemaking.solving.normative import exact_humint, road_miles, solve
from mensura.xml_file import read_xml

DATA = Path(__file__).parents[1] / "data" / "icarus"
TOLERANCE = 1e-9


@pytest.fixture(scope="module")
def exam():
    return read_exam(DATA / "exam_final")


@pytest.fixture(scope="module")
def people(exam):
    return read_people(DATA / "human_final", exam)


@pytest.fixture(scope="module")
def rows():
    """Every row of the published tables, by task; Task 6 in both menu orders."""
    names = {number: [f"task_{number}.csv"] for number in range(1, 6)}
    names[6] = ["task_6_standard_N79.csv", "task_6_reverse_N24.csv"]
    found = {}
    for number, files in names.items():
        found[number] = []
        for name in files:
            with (DATA / "human_final" / name).open() as file:
                found[number] += list(csv.DictReader(file))
    return found


@pytest.fixture(scope="module")
def bayesian():
    return json.loads((DATA / "results_bayesian.json").read_text())


@pytest.fixture(scope="module")
def benchmark(exam, people):
    return Benchmark(exam, people)


@pytest.fixture(scope="module")
def scores(exam, benchmark, bayesian):
    runs = respondents_of([check_answers(answers_from_json(bayesian), exam)], exam)
    return score_model(benchmark, ModelSide(benchmark, runs))


def _place(people, row):
    return people.subjects.index(f"{row['Site_id']}_{row['Subject_id']}"), int(row["Trial_number"]) - 1


def _matrix(row, name, stages, kinds):
    return np.array([[float(row[f"{name}_{s + 1}_{k + 1}"]) for k in range(kinds)] for s in range(stages)])


def test_the_data_hold_103_people_of_whom_79_saw_the_standard_menu(people, benchmark):
    assert len(benchmark.people) == 103
    assert int(benchmark.people.in_order("standard").sum()) == 79
    assert people.faults == ()
    # Task 7 has 101, one of them under a code that occurs in no other task.
    assert int(np.isfinite(people.tasks[7].allocation).any(axis=(1, 2)).sum()) == 101
    assert len(people) == 104


@pytest.mark.parametrize("task", [1, 2, 3, 4, 5])
def test_every_normative_distribution_of_tasks_1_to_5(exam, rows, task):
    solution = [each.stages for each in solve(exam)[task]]
    for row in rows[task]:
        computed = solution[int(row["Trial_number"]) - 1]
        np.testing.assert_allclose(computed, _matrix(row, "Normative_probs", *computed.shape), atol=TOLERANCE, rtol=0)


def test_every_normative_distribution_of_task_6(exam, people, rows):
    computed = chosen_normative(exam, people, 6)
    for row in rows[6]:
        found = computed[_place(people, row)]
        np.testing.assert_allclose(found, _matrix(row, "Normative_probs", *found.shape), atol=TOLERANCE, rtol=0)


@pytest.mark.parametrize("task", [1, 2, 3])
def test_parameters_the_exam_states_for_every_group_and_block(exam, task):
    for block, solution in zip(exam.tasks[task].trials, solve(exam)[task], strict=True):
        for stated, computed in zip(block.spreads, solution.spreads, strict=True):
            assert computed.base_rate == pytest.approx(stated.base_rate, abs=TOLERANCE)
            assert computed.centre == pytest.approx(stated.centre, abs=TOLERANCE)
            if stated.sigma is not None:
                assert computed.sigma == pytest.approx(stated.sigma, abs=TOLERANCE)


def test_road_distances_equal_the_stated_ones_except_the_known_flaw(exam):
    """Task 4 trial 7 states 3.849 miles to site 4 where the roads give 3.249 (two roads overlap along a stretch)."""
    different = []
    for number in (3, 4, 5, 6):
        task = exam.tasks[number]
        for trial in task.trials:
            if number == 3:
                centres = [spread.centre for spread in trial.spreads]
                computed = road_miles(exam, task.roads, centres, [trial.probe])[:, 0]
            elif number == 4:
                computed = road_miles(exam, trial.roads, [trial.centre.place], [site.place for site in trial.sites])[0]
            else:
                centres = [centre.place for centre in trial.centres]
                computed = road_miles(exam, trial.roads, centres, [trial.site.place])[:, 0]
            for place in np.flatnonzero(np.abs(computed - trial.distances) > TOLERANCE):
                different.append((number, trial.number, int(place) + 1, computed[place], trial.distances[place]))
    assert [each[:3] for each in different] == [(4, 7, 4)]
    assert different[0][3] == pytest.approx(3.249, abs=5e-4)
    assert different[0][4] == pytest.approx(3.849, abs=5e-4)


@pytest.mark.parametrize("task", [5, 6])
def test_humint_shown_is_the_exact_distribution_in_whole_percents(exam, task):
    for trial in exam.tasks[task].trials:
        exact = exact_humint(exam, trial)
        np.testing.assert_array_equal(whole_percents(100 * exact), trial.humint)


@pytest.mark.parametrize("task", [1, 2, 3, 4, 5, 6])
def test_every_s1_and_s2_of_every_subject_and_trial(exam, people, rows, task):
    skill = skill_by_task(exam, people)[task]
    for row in rows[task]:
        place = _place(people, row)
        assert skill.s1[place] == pytest.approx(float(row["Probabilities_score"]), abs=TOLERANCE)
        assert skill.s2[place] == pytest.approx(float(row["Allocation_score"]), abs=TOLERANCE)


def test_whole_percents_of_all_raw_settings(rows):
    sets = 0
    for task in range(1, 7):
        kinds = 2 if task == 1 else 4
        for row in rows[task]:
            for stage in range(1 if task in (5, 6) else 0, int(row["Number_probability_sets"])):
                raw = [float(row[f"Raw_human_probs_{stage + 1}_{k + 1}"]) for k in range(kinds)]
                percents = [float(row[f"Human_probs_{stage + 1}_{k + 1}"]) for k in range(kinds)]
                np.testing.assert_array_equal(integer_percents(raw), percents)
                sets += 1
            if task >= 4:
                raw = [float(row[f"Raw_allocation_{k + 1}"]) for k in range(4)]
                np.testing.assert_array_equal(
                    integer_percents(raw), [float(row[f"Norm_allocation_{k + 1}"]) for k in range(4)]
                )
                sets += 1
    # 1030 + 515 + 515 + 2060 + 4120 + 3090 judgements and 3090 allocations of Tasks 1-6.
    assert sets == 14420


def test_s2_and_credits_of_task_7(exam):
    with (DATA / "human_final" / "task_7_from_xml_N101.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 101 * 15
    credits = {}
    for row in rows:
        trial = exam.tasks[7].trials[int(row["Trial"]) - 1]
        assert (trial.truth_group, trial.truth_site) == (row["Truth_group"], row["Truth_location"])
        assert trial.group_shown == (row["Group_shown"] == "true")
        s2 = float(row[f"Alloc_{trial.truth_site}"])
        assert s2 == pytest.approx(float(row["S2"]), abs=TOLERANCE)
        bought = [Layer.parse(text) for text in row["Purchases"].split(";") if text]
        price = dict(zip(trial.layers, trial.costs, strict=True))
        used = sum(price[layer] for layer in bought)
        assert used == pytest.approx(float(row["Credits_used"]), abs=TOLERANCE)
        before = credits.get(row["Subject"], exam.tasks[7].credits)
        credits[row["Subject"]] = before + s2 / 100 * exam.tasks[7].credits_for_correct - used
        assert credits[row["Subject"]] == pytest.approx(float(row["Credits_remaining"]), abs=1e-6)


def test_average_human_distributions_allocations_and_sequences(benchmark):
    published = json.loads((DATA / "average_human.json").read_text())["tasks"]
    for number in range(1, 7):
        for trial, stated in enumerate(published[str(number)]):
            np.testing.assert_allclose(benchmark.human.stages[number][trial], stated["stages"], atol=TOLERANCE)
            np.testing.assert_allclose(benchmark.human.allocation[number][trial], stated["allocation"], atol=TOLERANCE)
            assert benchmark.human.people[number] == stated["n"]


def test_cpa_of_the_bayesian_model(scores, bayesian):
    published = bayesian["published"]
    assert float(scores.cpa) == pytest.approx(published["CPA"], abs=TOLERANCE)
    assert float(scores.tasks[6]) == pytest.approx(published["RMR"], abs=TOLERANCE)
    weighted = (float(scores.cpa) - 0.15 * float(scores.tasks[6])) / 0.85
    assert weighted == pytest.approx(published["RSR_weighted"], abs=TOLERANCE)
    for number in range(1, 6):
        assert float(scores.tasks[number]) == pytest.approx(published["RSR_task"][str(number)], abs=TOLERANCE)


def test_relative_success_of_the_bayesian_model_on_every_stage(scores, bayesian):
    assessed = 0
    for key, stated in bayesian["published"]["RSR_stage"].items():
        task, trial, stage = map(int, key.split("."))
        found = scores.stages.stages[task][trial - 1, stage]
        assert np.isfinite(found) == stated["assessed"]
        if stated["assessed"]:
            assert found == pytest.approx(stated["rsr"], abs=TOLERANCE)
            assessed += 1
    assert assessed == 79


def test_mean_relative_success_of_each_stage_across_trials(scores, bayesian):
    for task, stated in bayesian["published"]["RSR_task_stage"].items():
        for stage, value in enumerate(stated):
            column = scores.stages.stages[int(task)][:, stage]
            if value is None:
                assert np.isnan(column).all()
            else:
                assert np.nanmean(column) == pytest.approx(value, abs=TOLERANCE)


def test_relative_match_of_the_bayesian_model_on_every_trial(scores, bayesian):
    np.testing.assert_allclose(scores.stages.matches, bayesian["published"]["RMR_trial"], atol=TOLERANCE)


def test_cfa_of_the_bayesian_model(scores, bayesian):
    published = bayesian["published"]["CFA"]
    names = dict(
        zip(
            BIASES,
            ("Representativeness", "AnchoringAdjustment", "ProbabilityMatching", "ConfirmationBias"),
            strict=True,
        )
    )
    for bias, name in names.items():
        assert float(scores.biases[bias]) == pytest.approx(published[name], abs=TOLERANCE)
    counted = {bias: sum(int(np.isfinite(v).sum()) for v in scores.items[bias].values()) for bias in BIASES}
    stated = published["n_assessed"]
    assert counted == {
        "representativeness": stated["RR"],
        "anchoring": stated["AI"],
        "probability_matching": stated["PM"],
        "confirmation": 1,
    }
    assert sum(float(scores.biases[bias]) >= 50 for bias in BIASES) == published["credits"]


def test_bayesian_model_s1_and_s2_on_every_trial(exam, bayesian):
    runs = respondents_of([check_answers(answers_from_json(bayesian), exam)], exam)
    skill = skill_by_task(exam, runs)
    for number in range(1, 7):
        for trial, stated in enumerate(bayesian["responses"][str(number)]):
            assert skill[number].s1[0, trial] == pytest.approx(stated["s1"], abs=TOLERANCE)
            assert skill[number].s2[0, trial] == pytest.approx(stated["s2"], abs=TOLERANCE)


def test_people_confirm_in_462_of_608_sigint_choices(benchmark):
    assert float(benchmark.human.confirming.sum()) == 462
    assert float(benchmark.human.sigint.sum()) == 608
    assert float(benchmark.human.confirmation()) == pytest.approx(75.99, abs=0.005)


def test_only_task_1_trial_9_fails_to_differ_from_uniform(benchmark):
    out = [
        (task, int(trial) + 1, int(stage))
        for task, use in benchmark.assessed_stages.items()
        for trial, stage in np.argwhere(~use)
        if not (task == 5 and stage == 0)
    ]
    assert out == [(1, 9, 0)]


def test_the_significance_test_rejects_the_published_stages_and_one_more(exam, people, benchmark):
    p_values = significance(people, normative=benchmark.normative)
    for bias in ("representativeness", "probability_matching", "confirmation"):
        assert all((p <= 0.05).all() for p in p_values[bias].values())
    published = Benchmark(exam, people, rules=AssessmentRules(exclusions="published")).assessed_items["anchoring"][5]
    computed = Benchmark(exam, people, rules=AssessmentRules(exclusions="computed")).assessed_items["anchoring"][5]
    assert int(published.sum()) == 29
    extra = np.argwhere(published & ~computed)
    assert extra.tolist() == [[8, 3]]
    assert p_values["anchoring"][5][8, 3] == pytest.approx(0.0602, abs=5e-5)
    assert not (computed & ~published).any()


def test_expected_gains_in_two_subjects_response_files(exam):
    checked = 0
    for subject in ("101", "201"):
        phase = read_xml(DATA / "subject_xml_examples" / f"S_BED_{subject}_Final-Exam-1_Task6.xml")
        for element, trial in zip(phase.iter("Trial"), exam.tasks[6].trials, strict=True):
            prior = exact_humint(exam, trial)
            first = element.find("TrialResponse/GroupResponse_afterINT/INTLayerExpectedUtilities")
            for utility in first.iter("ExpectedUtility"):
                kind = utility.find("LayerType")
                layer = Layer(kind.get("type").rpartition(":")[2][:-5].upper(), kind.findtext("Group"))
                stated = float(utility.get("expectedUtility_cumulative"))
                assert expected_gain(prior, layer, measure="published") == pytest.approx(stated, abs=TOLERANCE)
                checked += 1
    assert checked == 2 * 10 * 7


def test_best_int_of_every_choice_of_every_subject(exam, rows):
    """The tables compare all INTs, received ones too, SIGINT excepted; they say NaN where a subject was certain."""
    compared = 0
    for row in rows[6]:
        trial = exam.tasks[6].trials[int(row["Trial_number"]) - 1]
        for choice in range(3):
            prior = [float(row[f"Human_probs_{choice + 1}_{k + 1}"]) for k in range(4)]
            stated = row[f"Layer_Best_INT_{choice + 1}"].split()
            if stated == ["NaN"]:
                assert max(prior) == 100
                continue
            if choice == 0:
                prior = exact_humint(exam, trial)
            heard = any(row[f"Layer_type_{k + 1}"].startswith("SIGINT") for k in range(choice))
            menu = [layer for layer in MENU if not (heard and layer.kind == "SIGINT")]
            assert {Layer.parse(text) for text in stated} <= set(best_layers(prior, menu=menu, measure="published"))
            compared += 1
    assert compared == 3084


def test_confirmatory_sigint_is_always_best_by_the_published_measure_but_not_by_mutual_information(exam, people):
    holds = {"published": [], "mutual": []}
    normative = chosen_normative(exam, people, 6)
    for subject, trial in np.ndindex(*normative.shape[:2]):
        for choice, prior in enumerate(normative[subject, trial, :-1]):
            if not np.isfinite(prior).all():
                continue  # took no Task 6
            codes = people.tasks[6].layers[subject, trial, :choice]
            left = [layer for layer in MENU if layer.kind not in {MENU[code].kind for code in codes}]
            if any(layer.kind == "SIGINT" for layer in left):
                top = Layer("SIGINT", "ABCD"[int(np.argmax(prior))])
                for measure, found in holds.items():
                    found.append(top in best_layers(prior, menu=left, measure=measure))
    assert all(holds["published"])
    assert not all(holds["mutual"])
