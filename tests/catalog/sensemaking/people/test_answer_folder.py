import json

import numpy as np
import pytest
from click.testing import CliRunner

from mensura.catalog.sensemaking.answers.check import check_answers
from mensura.catalog.sensemaking.assessment.assess import AssessmentRules, Benchmark, ModelSide, score_cpa, score_model
from mensura.catalog.sensemaking.assessment.behaviour.individual import individual_cpa
from mensura.catalog.sensemaking.assessment.resampling import interval
from mensura.catalog.sensemaking.command import generate
from mensura.catalog.sensemaking.command import score as scorer
from mensura.catalog.sensemaking.generating import generate_exam
from mensura.catalog.sensemaking.minds import answer_exam, find_mind
from mensura.catalog.sensemaking.minds.fitting import fit_anchoring, split_people
from mensura.catalog.sensemaking.minds.reference import Anchoring
from mensura.catalog.sensemaking.minds.simulated import simulate_people
from mensura.catalog.sensemaking.people import read_people, respondents_of
from mensura.cli.results.score import reporting
from tests.proofs import proofs

score = reporting(scorer)


@pytest.fixture(scope="module")
def exam():
    return generate_exam(np.random.default_rng(8), id="generated-8")


@pytest.fixture(scope="module")
def simulated(exam):
    people = simulate_people(exam, count=100, rng=np.random.default_rng(1), tasks=range(1, 7))
    return respondents_of([check_answers(person, exam) for person in people], exam)


def test_simulated_people_are_named_so_and_answer_in_whole_percents(simulated):
    assert all(name.startswith("simulated-") for name in simulated.subjects)
    assert not any("missing" in fault.sentence or "sums" in fault.sentence for fault in simulated.faults)
    for data in simulated.tasks.values():
        assert (data.stages == np.floor(data.stages)).all()
        np.testing.assert_array_equal(data.stages.sum(axis=-1), 100)


def test_simulated_people_show_the_biases_people_show(exam, simulated):
    benchmark = Benchmark(exam, simulated, rules=AssessmentRules(exclusions="computed"))
    for bias in ("anchoring", "probability_matching", "confirmation"):
        assert any(use.any() for use in benchmark.assessed_items[bias].values())
    assert float(benchmark.human.confirmation()) > 50


def test_a_bias_people_do_not_show_on_most_trials_is_not_assessed(exam):
    """Normative people without noise show no regression, so representativeness is left out."""
    best = [check_answers(answer_exam(exam, find_mind("bayesian"), rng=np.random.default_rng(0)), exam)] * 5
    benchmark = Benchmark(exam, respondents_of(best, exam), rules=AssessmentRules(exclusions="computed"))
    assert not any(use.any() for use in benchmark.assessed_items["representativeness"].values())


def test_a_fit_finds_the_parameters_that_made_the_people(exam):
    made = Anchoring(regression=0.3, site_regression=0.1, adjustment=0.6, sharpness=1.5)
    people = [check_answers(answer_exam(exam, made, rng=np.random.default_rng(0)), exam)] * 3
    fit = fit_anchoring(exam, respondents_of(people, exam))
    for name, value in made.parameters.items():
        assert fit.mind.parameters[name] == pytest.approx(value, abs=0.01)
    assert fit.divergence_bits < 1e-5


def test_people_are_split_into_halves_that_share_nobody(simulated):
    first, second = split_people(simulated, rng=np.random.default_rng(0))
    assert set(first.subjects) | set(second.subjects) == set(simulated.subjects)
    assert not set(first.subjects) & set(second.subjects)
    assert abs(len(first) - len(second)) <= 1


def test_the_fitted_model_is_assessed_on_the_other_half(data):
    done = CliRunner().invoke(
        score,
        ["--exam", str(data / "exam_final"), "--humans", str(data / "human_final"), "--model", "fitted", "--json",
         "--draws", "0"],
        catch_exceptions=False,
    )  # fmt: skip
    found = json.loads(done.stdout)
    assert found["people"] in (51, 52)
    assert found["cpa"]["value"] > 80
    assert set(found["declared"][0]["parameters"]) >= {"regression", "site_regression", "adjustment", "sharpness"}
    assert any("fitted to" in note for note in found["notes"])


def test_generated_exams_can_come_with_simulated_people_who_are_said_to_be_so(tmp_path):
    done = CliRunner().invoke(
        generate, ["--seed", "2", "--out", str(tmp_path), "--people", "12"], catch_exceptions=False
    )
    assert done.exit_code == 0
    done = CliRunner().invoke(
        score,
        [
            "--exam",
            str(tmp_path),
            "--humans",
            str(tmp_path / "people"),
            "--model",
            "bayesian",
            "--json",
            "--draws",
            "20",
        ],
        catch_exceptions=False,
    )
    found = json.loads(done.stdout)
    assert found["people"] == 12
    assert "12 of the 12 people are simulated." in found["notes"]


def test_each_persons_cpa_leaves_out_their_own_answers(exam, simulated):
    few = simulated.subset([0, 1, 2, 3])
    benchmark = Benchmark(exam, few, rules=AssessmentRules(exclusions="computed"))
    found = individual_cpa(benchmark)
    others = Benchmark(exam, few.subset([1, 2, 3]), rules=AssessmentRules(exclusions="computed"))
    others.assessed_stages = benchmark.assessed_stages
    alone = score_model(others, ModelSide(others, few.subset([0])))
    assert found[0] == pytest.approx(float(alone.cpa), abs=1e-9)


def test_people_written_as_tables_xml_or_json_are_the_same_people(data, final_exam, tmp_path):
    whole = read_people(data / "human_final", final_exam)
    files = read_people(data / "subject_xml_examples", final_exam)
    chosen = whole.subset([whole.subjects.index(name) for name in files.subjects])
    for number in range(1, 7):
        np.testing.assert_array_equal(chosen.tasks[number].stages, files.tasks[number].stages)
        np.testing.assert_array_equal(chosen.tasks[number].allocation, files.tasks[number].allocation)
        np.testing.assert_array_equal(chosen.tasks[number].surprise, files.tasks[number].surprise)
        np.testing.assert_array_equal(chosen.tasks[number].layers, files.tasks[number].layers)
        np.testing.assert_allclose(chosen.tasks[number].drawn, files.tasks[number].drawn)


def test_tables_with_trailing_commas_other_case_and_bad_cells_are_read_and_the_bad_named(data, final_exam, tmp_path):
    lines = (data / "human_final" / "task_1.csv").read_text().splitlines()
    lines[0] = lines[0].upper()
    lines[1] = lines[1].replace(",75.0,25.0,75.0,25.0,", ",seventy,25.0,75.0,25.0,")
    lines[2] += ",,,"
    (tmp_path / "task_1.csv").write_text("\n".join(lines) + "\n,,,\n")
    people = read_people(tmp_path, final_exam)
    assert len(people) == 103
    assert [str(fault) for fault in people.faults] == [
        "task_1.csv, task 1, trial 1: human_probs_1_1 of BED_101 should be a number, got 'seventy'.",
        "task_1.csv, task 1, trial 1, stage 0: no usable distribution of BED_101.",
    ]
    assert np.isnan(people.tasks[1].stages[0, 0]).all()
    assert np.isfinite(people.tasks[1].stages[0, 1]).all()


@pytest.fixture(scope="module")
def population(exam):
    people = simulate_people(exam, count=200, rng=np.random.default_rng(11), tasks=range(1, 7))
    return respondents_of([check_answers(person, exam) for person in people], exam)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["conservative", *proofs("bayesian")])
@pytest.mark.proof
def test_the_interval_over_people_covers_the_true_cpa_at_its_nominal_rate(exam, population, name):
    """120 studies of 80 people drawn from a known population of simulated ones; the truth is the population's CPA.

    A model near people, and one at the floor of some tasks. Coverage of 120 studies at 95 % lies between
    90.0 and 99.2 % in 98 of 100 such tests.
    """
    rng = np.random.default_rng(12)
    runs = respondents_of([check_answers(answer_exam(exam, find_mind(name), rng=rng), exam)], exam)
    whole = Benchmark(exam, population, rules=AssessmentRules(exclusions="computed"))
    model = ModelSide(whole, runs)
    truth = float(score_model(whole, model).cpa)
    covered = 0
    for _ in range(120):
        sample = whole.on(population.subset(rng.integers(len(population), size=80)))
        draws = sample.resamples(draws=60, rng=rng).only_people()
        low, high = interval(float(score_cpa(sample, model)), score_cpa(sample, model, resamples=draws))
        covered += low <= truth <= high
    assert 0.90 <= covered / 120 <= 0.992


def _two_sites(data, tmp_path):
    """The same ids in two folders: people of one site, and others who answered something else."""
    for site in ("north", "south"):
        (tmp_path / site).mkdir()
        for file in (data / "subject_xml_examples").glob("*Task[16].xml"):
            text = file.read_text().replace("<SiteId>BED</SiteId>", "")
            if site == "south":
                text = text.replace('probability="', 'probability="1')
            (tmp_path / site / file.name).write_text(text)


def test_people_with_equal_ids_in_different_folders_stay_apart(data, final_exam, tmp_path):
    _two_sites(data, tmp_path)
    people = read_people(tmp_path, final_exam)
    assert sorted(people.subjects) == ["north/101", "north/201", "south/101", "south/201"]
    for number in (1, 6):
        assert np.isfinite(people.tasks[number].stages).all()
    assert not np.array_equal(people.tasks[1].stages[0], people.tasks[1].stages[2])


def test_one_person_whose_tasks_lie_in_different_folders_stays_one(data, final_exam, tmp_path):
    for file in (data / "subject_xml_examples").glob("*.xml"):
        folder = tmp_path / file.stem.rpartition("_")[2]
        folder.mkdir(exist_ok=True)
        (folder / file.name).write_text(file.read_text())
    people = read_people(tmp_path, final_exam)
    assert people.subjects == ("BED_101", "BED_201")
    assert people.faults == ()
    together = read_people(data / "subject_xml_examples", final_exam)
    np.testing.assert_array_equal(people.tasks[6].stages, together.tasks[6].stages)


def test_tables_in_different_folders_are_read_and_their_people_kept_apart(data, final_exam, tmp_path):
    text = (data / "human_final" / "task_1.csv").read_text()
    for site in ("north", "south"):
        (tmp_path / site).mkdir()
        (tmp_path / site / "task_1.csv").write_text(text)
    people = read_people(tmp_path, final_exam)
    assert len(people) == 206
    assert {"north/BED_101", "south/BED_101"} <= set(people.subjects)


def test_a_row_that_comes_twice_is_named_and_the_first_is_kept(data, final_exam, tmp_path):
    lines = (data / "human_final" / "task_1.csv").read_text().splitlines()
    second = lines[1].replace(",75.0,25.0,75.0,25.0,", ",5.0,95.0,5.0,95.0,")
    assert second != lines[1]
    (tmp_path / "task_1.csv").write_text("\n".join([*lines, second]) + "\n")
    (tmp_path / "task_1_again.csv").write_text("\n".join([lines[0], second]) + "\n")
    people = read_people(tmp_path, final_exam)
    assert len(people) == 103
    assert people.tasks[1].stages[0, 0, 0].tolist() == [75, 25]
    assert [str(fault) for fault in people.faults] == [
        "task_1.csv, task 1, trial 1: BED_101 answered twice; the first is kept.",
        "task_1_again.csv, task 1, trial 1: BED_101 answered twice; the first is kept.",
    ]


def test_tables_of_one_site_need_no_site_id(data, final_exam, tmp_path):
    rows = [line.partition(",")[2] for line in (data / "human_final" / "task_1.csv").read_text().splitlines()]
    (tmp_path / "task_1.csv").write_text("\n".join([rows[0], *(row for row in rows[1:21])]) + "\n")
    assert read_people(tmp_path, final_exam).subjects == ("101", "102")


def test_the_order_of_the_menu_is_told_by_a_column_or_the_name_of_file_or_folder(data, final_exam, tmp_path):
    lines = (data / "human_final" / "task_6_reverse_N24.csv").read_text().splitlines()
    unsaid = "\n".join(line.replace(",reverse,", ",,") for line in lines) + "\n"
    (tmp_path / "reverse").mkdir()
    (tmp_path / "plain").mkdir()
    (tmp_path / "odd").mkdir()
    for name in ("plain/task_6_reverse.csv", "reverse/task_6.csv", "plain/task_6.csv"):
        (tmp_path / "one.csv").write_text(unsaid)
        (tmp_path / "one.csv").rename(tmp_path / name)
        orders = set(read_people(tmp_path / name, final_exam).layer_order)
        assert orders == {"reverse" if "reverse" in name else "standard"}
    assert set(read_people(data / "human_final" / "task_6_reverse_N24.csv", final_exam).layer_order) == {"reverse"}
    (tmp_path / "odd" / "task_6.csv").write_text("\n".join(lines).replace(",reverse,", ",upside down,") + "\n")
    people = read_people(tmp_path / "odd", final_exam)
    assert str(people.faults[0]) == "task_6.csv: a menu's order is standard or reverse, not 'upside down'."
