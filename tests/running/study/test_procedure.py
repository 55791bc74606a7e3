"""Procedure: cohorts, what a procedure may say, and the commands that lead people through a study."""

import csv
import json
from collections import Counter

import pytest
from click.testing import CliRunner

from mensura.cli.main import cli
from mensura.errors import BadFile, BadParameter
from mensura.running.study import Cast, Study
from mensura.running.study.cohorts import imbalance, plan_cohorts
from mensura.running.study.procedure import CohortPlan
from tests.running.study.office import PROCEDURE


def test_every_condition_meets_at_all_times_of_day():
    slots = tuple(f"2027-03-{day:02d} {hour}" for day in range(1, 4) for hour in ("09:00", "14:00", "18:00"))
    made = plan_cohorts(list("abc"), CohortPlan(size=10, per_condition=30, slots=slots), seed=1)
    counted = Counter((one.condition, one.time_of_day) for one in made)
    assert set(counted.values()) == {1}
    assert Counter(one.condition for one in made) == {"a": 3, "b": 3, "c": 3}
    assert imbalance(slots, [one.condition for one in made]) < imbalance(slots, list("aaabbbccc"))


def test_too_few_slots_are_counted():
    with pytest.raises(BadParameter, match="need 4 slots; 1 are given"):
        plan_cohorts(["a", "b"], CohortPlan(size=15, per_condition=30, slots=("2027-03-01 09:00",)), seed=1)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"criterion": []}, "part of a procedure called 'criterion'"),
        ({"pay": {"hour": 3}}, "part of `pay` called 'hour'"),
        ({"cohorts": {"slots": ["Monday"]}}, "written 2027-03-01 09:00; got 'Monday'"),
        ({"criteria": [{}]}, "Criterion 1 of the procedure needs a text"),
        ({"criteria": 5}, "`criteria` of a procedure is a list; got 5"),
        ({"criteria": [{"key": "a", "text": "A?"}, {"key": "a", "text": "B?"}]}, "have the same key"),
        ({"answers": "Look it up."}, "`answers` of a procedure is a list; got 'Look it up.'"),
        ({"cohorts": {"size": "many"}}, "`size` of the cohorts is a whole number; got 'many'"),
        ({"cohorts": {"slots": 3}}, "`slots` of a procedure is a list; got 3"),
        ({"pay": {"per_half_hour": "ten"}}, "`per_half_hour` of the pay is an amount of 0 or more; got 'ten'"),
        ({"pay": {"milestones": {"site": -4}}}, "`site` of the pay is an amount of 0 or more; got -4"),
        ({"pay": {"milestones": ["site"]}}, "`milestones` of the pay map each name"),
    ],
)
def test_a_procedure_that_cannot_be_read_is_named(changed, words):
    with pytest.raises(Exception, match=words):
        Study(name="x", tests=("coin",), casts=(Cast("p", {"": "human"}),), procedure=changed)


def test_the_commands_lead_through_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plan = {"name": "office", "test": "coin", "casts": {"people": "human"}, "seed": 3, "procedure": PROCEDURE}
    (tmp_path / "study.yaml").write_text(
        json.dumps({**plan, "conditions": {"few": {"flips": 2}, "many": {"flips": 3}}})
    )
    with (tmp_path / "people.csv").open("w", newline="") as file:
        rows = [("cohort", "name", "contact", "adult", "staff"), (1, "Ann", "a@x.org", "yes", "no")]
        csv.writer(file).writerows([*rows, (1, "Bob", "b@x.org", "no", "no"), (2, "Cy", "A@x.org", "yes", "no")])
    runner = CliRunner()

    def run(*words):
        result = runner.invoke(cli, ["study", *words], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result

    assert "Next: mensura study run study.yaml" in run("status", "study.yaml").stderr
    run("run", "study.yaml")
    told = run("status", "study.yaml")
    assert told.stdout.count("nobody has a place yet") == 2
    assert "Next: mensura study enrol study.yaml --from people.csv" in told.stderr
    assert run("cohorts", "study.yaml").output.count("0 of 3 places") == 4
    enrolled = json.loads(run("enrol", "study.yaml", "--from", "people.csv", "--json").stdout)
    assert [one["line"] for one in enrolled["enrolled"]] == [2]
    assert [one["line"] for one in enrolled["refused"]] == [3, 4]
    assert "Next: mensura serve\nThen open /lab/observe." in run("status", "study.yaml").stderr
    assert json.loads(run("pay", "study.yaml", "--json").stdout) == []
    assert "Nobody has taken part yet." in run("pay", "study.yaml").stderr
    run("archive", "study.yaml", "--to", "a", "--to", "b")
    assert "0 files are intact" in run("archive", "study.yaml", "--verify", "--to", "a", "--to", "b").output


def test_a_line_that_cannot_be_read_gives_nobody_a_place(tmp_path, monkeypatch):
    # A link is shown once: a person who got one before the bad line would have a place and no way in.
    monkeypatch.chdir(tmp_path)
    plan = {"name": "office", "test": "coin", "casts": {"people": "human"}, "seed": 3, "procedure": PROCEDURE}
    (tmp_path / "study.yaml").write_text(
        json.dumps({**plan, "conditions": {"few": {"flips": 2}, "many": {"flips": 3}}})
    )
    people = "cohort,name,contact,adult,staff\n1,Ann,a@x.org,yes,no\n{},Bob,b@x.org,{},no\n"
    runner = CliRunner()
    assert runner.invoke(cli, ["study", "run", "study.yaml"]).exit_code == 0
    for cohort, adult, words in (("x", "yes", "the cohort is a number; got 'x'"), ("1", "perhaps", "with yes or no")):
        (tmp_path / "people.csv").write_text(people.format(cohort, adult))
        with pytest.raises(BadFile, match=f"people.csv:3: .*{words}"):
            runner.invoke(cli, ["study", "enrol", "study.yaml", "--from", "people.csv"], catch_exceptions=False)
        assert "1 of 3" not in runner.invoke(cli, ["study", "cohorts", "study.yaml"]).output
