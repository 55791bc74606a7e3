"""Digit matrices (Webb, Holyoak & Lu 2023, experiment 1): accuracies by type of problem, load, and what is solved."""

from collections import defaultdict
from pathlib import Path

import pytest

from mensura.catalog.puzzles.files.digit_matrices import (
    condition_of,
    derive,
    load_relations,
    loads_by_condition,
    read_accuracies,
    read_problems,
)
from mensura.catalog.puzzles.solvers.raven import Raven
from mensura.dialogue import Ask
from mensura.errors import BadFile

DATA = Path(__file__).parents[1] / "data" / "digit_matrices"
ANSWERS = Path(__file__).parents[3] / "shared" / "data" / "puzzles" / "webb_digit_matrices" / "exp1_all_data.csv"
# Generated and chosen, by type of problem: one, two, three rules, logic; means over the published file.
PUBLISHED = {
    "people": [(0.849, 0.857), (0.578, 0.690), (0.523, 0.621), (0.386, 0.512)],
    "GPT-3": [(1.0, 1.0), (0.854, 0.912), (0.692, 0.932), (0.800, 0.850)],
}


@pytest.fixture(scope="module")
def problems():
    return read_problems(DATA / "problems.json")


@pytest.mark.parametrize("who", PUBLISHED)
def test_accuracies_by_type_of_problem(who):
    rows = [row for row in read_accuracies(DATA / "accuracy.csv") if row.who == who]
    for rules, (generated, chosen) in enumerate(PUBLISHED[who]):
        here = [row for row in rows if row.condition.rules == rules]
        count = sum(row.count for row in here)
        assert sum(row.generated for row in here) / count == pytest.approx(generated, abs=6e-4)
        assert sum(row.chosen for row in here) / count == pytest.approx(chosen, abs=6e-4)


def test_single_answers_are_counted_as_they_were_published(tmp_path):
    file = tmp_path / "answers.csv"
    head = "subjID,gen_correct_pred,MC_correct_pred,human_vs_gpt,N_unique_rules,prob_type,onerule_rule_type"
    rows = ["0,1,1,0,0,0,2,-1,-1", "0,0,1,0,0,0,2,-1,-1", "1,1,1,1,0,0,2,-1,-1", "1,0,0,0,1,1,-1,-1,1"]
    file.write_text(f"{head},aligned_permuted,tworule_prog_noprog\n" + "\n".join(rows) + "\n")
    found = {(row.who, row.condition.rules): (row.count, row.generated, row.chosen) for row in read_accuracies(file)}
    assert found == {("people", 0): (2, 1, 2), ("GPT-3", 0): (1, 1, 1), ("people", 1): (1, 0, 0)}


@pytest.mark.skipif(not ANSWERS.exists(), reason=f"no published answers at {ANSWERS}")
def test_our_table_counts_the_published_answers():
    assert sorted(map(str, read_accuracies(ANSWERS))) == sorted(map(str, read_accuracies(DATA / "accuracy.csv")))


def test_every_problem_is_derived_and_every_condition_has_problems(problems):
    assert all(derive(problem) is not None for problem in problems)
    conditions = {row.condition for row in read_accuracies(DATA / "accuracy.csv")}
    assert {condition_of(problem) for problem in problems} == conditions == set(loads_by_condition(problems))


def test_what_is_derived_is_what_the_names_of_the_types_say(problems):
    said = {
        "row_constant": "same",
        "dist3_diag1": "distribute-three",
        "prog_size1": "progression",
        "c3_set_union": "union",
        "c1_set_union": "remove",
        "c2_set_union": "difference-of-two",
        "AND": "intersection",
        "XOR": "exclusive-or",
    }
    for problem in problems:
        if problem.type in said:
            assert derive(problem).steps[0].operation == said[problem.type], problem


def test_load_goes_with_people_s_errors_among_rules_by_place_and_hardly_over_all_conditions(problems):
    """Logic is one short rule, yet hard: both columns are told, each with its interval."""
    found = {one.part: one for one in load_relations(problems, read_accuracies(DATA / "accuracy.csv"))}
    length = found["length"]
    assert (length.every.n, length.without_logic.n) == (12, 10)
    assert length.every.value == pytest.approx(0.237, abs=1e-3)
    assert length.without_logic.value == pytest.approx(0.796, abs=1e-3)
    assert length.without_logic.low > length.every.high
    assert not found["background"].every.has_interval


def test_raven_solves_nearly_all_problems_of_every_type(problems):
    raven, right = Raven(), defaultdict(list)
    for problem in problems:
        said = raven(Ask(problem.prompt, problem.space, key="digits"))
        right[problem.type].append(said == problem.space.options[problem.right])
    assert min(sum(found) / len(found) for found in right.values()) > 0.9


def test_files_of_another_form_are_refused(tmp_path):
    (tmp_path / "problems.json").write_text('{"XOR": [1, 2]}')
    (tmp_path / "accuracy.csv").write_text("who,rules\npeople,1\n")
    with pytest.raises(BadFile, match="digit matrices"):
        read_problems(tmp_path / "problems.json")
    with pytest.raises(BadFile, match="accuracies"):
        read_accuracies(tmp_path / "accuracy.csv")
