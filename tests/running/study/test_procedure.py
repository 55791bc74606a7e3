"""A study with people in cohorts: who may come, when, what they are paid, and what is kept of them."""

import csv
import gzip
import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest
from click.testing import CliRunner

from mensura.cli.main import cli
from mensura.dialogue import Event, Scores
from mensura.errors import BadData, BadFile, BadParameter
from mensura.running.study import Cast, Stopping, Study, conduct
from mensura.running.study.archiving import archive, release, verify
from mensura.running.study.cohorts import imbalance, plan_cohorts
from mensura.running.study.encoding import Decision, compare_codings, read_coding, read_decisions, settle
from mensura.running.study.observing import Observations
from mensura.running.study.payment import payment, payments
from mensura.running.study.procedure import CohortPlan, Pay, Procedure
from mensura.running.study.recruiting import Applicant, enrol, seats_of
from mensura.running.study.start_bias import start_bias
from mensura.store import open_store
from mensura.store.audit import Audit
from mensura.store.exclusions import Exclusions
from mensura.store.invitations import Invitations

SLOTS = tuple(f"2027-03-{day:02d} {hour}" for day in range(1, 4) for hour in ("09:00", "14:00"))
PROCEDURE = {
    "criteria": [{"key": "adult", "text": "Are you 18 to 65?"}, {"key": "staff", "text": "Staff?", "admits": False}],
    "cohorts": {"size": 2, "per_condition": 4, "spares": 1, "slots": list(SLOTS)},
    "instruction": ["First page.", "Second page."],
    "pay": {"per_half_hour": 10, "milestones": {"schedule": 12, "briefing": 4}},
    "answers": ["That information is available to you."],
    "exclude_for": ["sleeping"],
    "consider_for": ["long idle"],
}


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path / "lab.db") as opened:
        yield opened


@pytest.fixture
def study(store):
    made = Study(
        name="office",
        tests=("coin",),
        casts=(Cast("people", {"": "human"}),),
        conditions={"few": {"flips": 2}, "many": {"flips": 3}},
        stopping=Stopping(most=4),
        procedure=PROCEDURE,
        seed=3,
    )
    conduct(made, store=store)
    return made


def cohorts_of(study):
    return plan_cohorts(["few", "many"], Procedure.read(study.procedure).cohorts, seed=3)


def apply(study, store, *, cohort=1, contact="ann@example.org", adult=True, staff=False):
    applicant = Applicant("Ann", contact, {"adult": adult, "staff": staff})
    procedure = Procedure.read(study.procedure)
    return enrol(study, procedure, cohorts_of(study), applicant, cohort=cohort, store=store)


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


def test_a_place_has_a_number_that_says_nothing_and_pages_before_the_test(study, store):
    given = apply(study, store)
    one = Invitations(store).get(given.invited.number)
    assert given.subject[1:] == "0101"
    assert [step.text for step in one.steps if step.kind == "page"] == ["First page.", "Second page."]
    assert "Ann" not in json.dumps([one.label, dict(one.details), [vars(step) for step in one.steps]])
    assert Invitations(store).identities()[0]["name"] == "Ann"


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"adult": False}, "those who take part answer yes"),
        ({"staff": True}, "those who take part answer no"),
        ({"contact": " "}, "Name and contact are needed"),
        ({"cohort": 99}, "There is no cohort 99"),
    ],
)
def test_whoever_cannot_take_part_is_told_why(study, store, how, words):
    with pytest.raises(BadParameter, match=words):
        apply(study, store, **how)
    assert Invitations(store).all() == []


def test_nobody_takes_part_twice_even_under_another_spelling(study, store):
    apply(study, store, contact="ann@example.org")
    with pytest.raises(BadParameter, match="nobody does twice"):
        apply(study, store, cohort=2, contact=" Ann+again@Example.ORG ")


def test_a_cohort_is_full_once_its_spares_are_taken(study, store):
    for number in range(3):
        apply(study, store, contact=f"p{number}@example.org")
    assert sorted(seats_of("office", 1, store=store)) == [1, 2, 3]
    with pytest.raises(BadParameter, match="Cohort 1 is full"):
        apply(study, store, contact="p9@example.org")


def test_of_those_who_enrol_at_the_same_moment_each_gets_a_seat_and_nobody_two(study, store, tmp_path):
    together = Barrier(6)

    def enrol_at_once(contact):
        with open_store(tmp_path / "lab.db") as another:
            together.wait(60)
            try:
                return apply(study, another, contact=contact).subject
            except BadParameter as error:
                return str(error)

    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(enrol_at_once, ["ann@example.org", "bo@example.org", "cy@example.org"] * 2))
    assert sorted(found)[3:] == ["This person has taken part in a study of this test, and nobody does twice."] * 3
    assert len(set(found)) == 4
    assert sorted(seats_of("office", 1, store=store)) == [1, 2, 3]
    assert len(Invitations(store).all()) == 3


def test_half_hours_begun_are_paid_and_unknown_milestones_are_not_zero():
    terms = Pay(10, {"schedule": 12, "briefing": 4})
    assert payment(seconds=1801, milestones=None, pay=terms).as_json() == {
        "subject": "",
        "half_hours": 2,
        "base": 20,
        "bonus": 0,
        "total": 20,
        "withdrew": False,
        "milestones": {"schedule": None, "briefing": None},
    }
    assert payment(seconds=0, milestones={"schedule": True}, pay=terms).total == 12


def test_those_who_never_came_are_not_paid(study, store):
    apply(study, store)
    assert payments("office", Procedure.read(PROCEDURE).pay, store=store) == []


def test_whoever_withdraws_is_paid_for_the_time_and_gives_the_seat_back(study, store, hand_clock):
    given = apply(study, store)
    book = Invitations(store)
    book.mark(given.invited.number, what="entered")
    hand_clock.wait(1900)
    session = next(step.session for step in book.get(given.invited.number).steps if step.session)
    store.append(session, [Event(1, "ask", "subject", "coin0", 0, "probability", time=hand_clock.now)], truths={})
    hand_clock.wait(7 * 86_400)
    Observations(store).flag(given.invited.number, "on the phone", who="Erin")
    book.withdraw(given.invited.number)
    (due,) = payments("office", Procedure.read(PROCEDURE).pay, store=store)
    assert (due.subject, due.half_hours, due.total, due.withdrew) == (given.subject, 2, 20, True)
    assert due.milestones == {"schedule": None, "briefing": None}
    assert seats_of("office", 1, store=store) == {}
    assert Observations(store).pending("office") == []


def test_scores_of_a_quiz_leave_milestones_unknown(study, store):
    number = apply(study, store).invited.number
    book = Invitations(store)
    book.mark(number, what="entered")
    session = next(step.session for step in book.get(number).steps if step.session)
    hashes = {"instance_hash": "a", "environment_hash": "b"}
    store.add_results(session, Scores({"accuracy": 1.0}), scoring="quiz", **hashes)
    (due,) = payments("office", Procedure.read(PROCEDURE).pay, store=store)
    assert due.milestones == {"schedule": None, "briefing": None}
    reached = {"milestones": {"schedule": True, "briefing": False}}
    store.add_results(session, Scores({"final": 1.0}, reached), scoring="office", **hashes)
    (due,) = payments("office", Procedure.read(PROCEDURE).pay, store=store)
    assert due.milestones == reached["milestones"]
    assert due.bonus == 12


def test_observers_say_only_what_is_allowed_and_everything_is_kept(study, store):
    number = apply(study, store).invited.number
    ledger, procedure = Observations(store), Procedure.read(PROCEDURE)
    ledger.answer(number, "That information is available to you.", procedure=procedure, who="Erin")
    with pytest.raises(BadParameter, match="Observers may say only"):
        ledger.answer(number, "Look into the manual.", procedure=procedure, who="Erin")
    with pytest.raises(BadParameter, match="only for what the procedure names: sleeping"):
        ledger.exclude(number, "bad score", procedure=procedure, who="Erin")
    ledger.exclude(number, "sleeping", procedure=procedure, who="Erin")
    assert [(one.kind, one.words) for one in ledger.of(number)] == [
        ("answered", "That information is available to you."),
        ("excluded", "sleeping"),
    ]
    session = Invitations(store).get(number).steps[3].session
    assert Exclusions(store).excluded(session.split("/")[0])[session].planned


def test_late_exclusions_are_judged_and_marked(study, store):
    number = apply(study, store).invited.number
    ledger = Observations(store)
    with pytest.raises(BadParameter, match="Nobody has flagged"):
        ledger.judge(number, out=True, reason="no", who="Eve")
    ledger.flag(number, "long idle", who="Erin")
    assert [one.number for one in ledger.pending("office")] == [number]
    ledger.judge(number, out=True, reason="asleep for an hour", who="Eve")
    assert ledger.pending("office") == []
    (decision,) = Exclusions(store).ledger()
    assert (decision.planned, decision.reason) == (False, "judged: asleep for an hour")


def test_whoever_was_left_out_and_is_judged_to_count_is_taken_in_again(study, store):
    number = apply(study, store).invited.number
    ledger = Observations(store)
    session = Invitations(store).get(number).steps[3].session
    ledger.exclude(number, "sleeping", procedure=Procedure.read(PROCEDURE), who="Erin")
    ledger.flag(number, "long idle: was reading", who="Erin")
    ledger.judge(number, out=False, reason="the log shows reading", who="Eve")
    assert Exclusions(store).excluded(store.session(session).run) == {}
    assert [(one.excluded, one.planned) for one in Exclusions(store).ledger()] == [(True, True), (False, False)]


def test_two_coders_are_brought_together(tmp_path):
    first = {"E1": "A 3", "E2": "B 4", "E3": "C 1"}
    second = {"E1": "A 3", "E2": "B 5"}
    assert [one.item for one in compare_codings(first, second)] == ["E2", "E3"]
    decisions = {
        "E2": Decision("E2", "B 5", "Eve", "the second cell is crossed out"),
        "E3": Decision("E3", "", "Eve", "no"),
    }
    made = settle(first, second, decisions)
    assert made.values == {"E1": "A 3", "E2": "B 5"}
    assert made.agreement == pytest.approx(1 / 3)
    with pytest.raises(BadData, match="1 differences are not settled; the first is 'E3'"):
        settle(first, second, {"E2": decisions["E2"]})
    with pytest.raises(BadData, match="The coders agree on 'E1'"):
        settle(first, second, {**decisions, "E1": Decision("E1", "x", "Eve", "y")})
    with pytest.raises(BadData, match="does not say why"):
        settle(first, second, {**decisions, "E3": Decision("E3", "", "Eve", " ")})
    with pytest.raises(BadData, match="does not say who"):
        settle(first, second, {**decisions, "E3": Decision("E3", "", "", "no")})


def test_of_two_copies_in_a_sheet_the_first_counts(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("item,value\nE1,A 3\nE1,B 9\n")
    assert read_coding(path) == {"E1": "A 3"}
    path.write_text("thing,value\n")
    with pytest.raises(BadFile, match=r"a.csv:1: the column 'item' is missing"):
        read_coding(path)
    path.write_text("item,value,who,why\nE1,a,x,y\nE1,b,x,y\n")
    with pytest.raises(BadFile, match=r"a.csv:3: 'E1' is decided twice"):
        read_decisions(path)


def test_the_bias_of_start_times_agrees_with_statsmodels():
    import pandas
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    rng = np.random.default_rng(1)
    frame = pandas.DataFrame({"kind": rng.choice(list("abc"), 60), "start": rng.choice(["am", "pm", "eve"], 60)})
    frame["score"] = rng.normal(size=60) + (frame["kind"] == "a")
    found = start_bias(frame["score"], frame["kind"], frame["start"])
    table = anova_lm(ols("score ~ C(kind) + C(start)", frame).fit(), typ=2)
    assert found.f == pytest.approx(table.loc["C(start)", "F"])
    assert found.p == pytest.approx(table.loc["C(start)", "PR(>F)"])


def test_conditions_that_met_at_one_time_each_cannot_be_judged():
    with pytest.raises(BadData, match="cannot be told apart"):
        start_bias([1, 2, 3, 4], list("aabb"), ["am", "am", "pm", "pm"])


@pytest.fixture
def finished(store):
    made = Study(name="done", tests=("coin",), casts=(Cast("c", {"": "chance"}),), stopping=Stopping(most=3), seed=1)
    return [head for state in conduct(made, store=store).cells for head in state.runs]


def test_every_session_is_kept_in_two_places_and_read_back(finished, store, tmp_path):
    places = [tmp_path / "one", tmp_path / "two"]
    done = archive(finished, places, store=store)
    assert len(done.checksums) == 3
    assert archive(finished, places, store=store).checksums == done.checksums
    assert verify(places) == 3
    name = next(iter(done.checksums))
    kept = json.loads(gzip.decompress((places[1] / name).read_bytes()))
    assert kept["truths"]
    assert kept["run"]["seed"] == "1"
    (places[0] / name).write_bytes(b"damaged")
    with pytest.raises(BadData, match="damaged or changed"):
        verify(places)
    with pytest.raises(BadData, match="archived already and differs"):
        archive(finished, places, store=store)


def test_where_there_is_no_archive_nothing_is_said_to_be_whole(finished, store, tmp_path):
    archive(finished, [tmp_path / "one", tmp_path / "two"], store=store)
    with pytest.raises(BadData, match="three holds no archive"):
        verify([tmp_path / "one", tmp_path / "three"])
    for places in ([], [tmp_path / "one"], [tmp_path / "one", tmp_path / "one"]):
        with pytest.raises(BadParameter, match="at least two different places"):
            verify(places)


def test_one_place_is_not_an_archive(finished, store, tmp_path):
    with pytest.raises(BadParameter, match="at least two different places"):
        archive(finished, [tmp_path, tmp_path / "."], store=store)


def test_a_release_is_written_down(finished, store, tmp_path):
    checksum = release(finished, tmp_path / "r.zip", to="Lab B", why="replication", training="cert 7", store=store)
    (line,) = [line for line in Audit(store).lines() if line.did == "released data"]
    assert line.details["sha256"] == checksum
    with pytest.raises(BadParameter, match="their proof of training"):
        release(finished, tmp_path / "s.zip", to="Lab B", why="x", training=" ", store=store)
    assert not (tmp_path / "s.zip").exists()


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
    assert "Next: mensura serve, and open /lab/observe" in run("status", "study.yaml").stderr
    assert json.loads(run("pay", "study.yaml", "--json").stdout) == []
    assert "Nobody has come yet." in run("pay", "study.yaml").stderr
    run("archive", "study.yaml", "--to", "a", "--to", "b")
    assert "0 files are whole" in run("archive", "study.yaml", "--verify", "--to", "a", "--to", "b").output


def test_a_line_that_cannot_be_read_gives_nobody_a_place(tmp_path, monkeypatch):
    # A link is shown once: whoever got one before the bad line would have a place and no way in.
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


def test_one_coding_is_not_two(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("item,value\nE1,A 3\n")
    with pytest.raises(BadFile, match="given for both coders"):
        CliRunner().invoke(
            cli, ["study", "encode", "--first", str(path), "--second", str(path)], catch_exceptions=False
        )
