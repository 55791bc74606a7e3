"""A study on arms: planned as data, paired by seed, resumed after a kill, and measured into a report."""

from dataclasses import replace

import numpy as np
import pytest

from mensura.errors import BadFile, BadParameter, UnknownName
from mensura.running.adaptivity.gathering import gather
from mensura.running.adaptivity.levels import CourseLevels, Dose
from mensura.running.adaptivity.measures import Measures
from mensura.running.adaptivity.phases import cell_phases
from mensura.running.adaptivity.transferring import arm_roles, pairs
from mensura.running.executors import Processes
from mensura.running.run import RunOptions
from mensura.running.study import Cast, Hypothesis, Stopping, Study, analyse, conduct, exhibits_of, progress_of
from mensura.running.study.analysis.cell import read_cell
from mensura.running.study.reading import read_plan
from mensura.running.study.registration.checked import check_plan
from mensura.running.study.registration.deviation import deviations
from mensura.store import open_store

SURE, SLIPPERY = {"length": 5, "slip": 0.0, "most_steps": 20}, {"length": 5, "slip": 0.3, "most_steps": 20}
PROBES = tuple(
    {"probe": task, "at": "last", "sessions": 2, "parameters": values}
    for task, values in (("X", SURE), ("Y", SLIPPERY))
)


def train(task, sessions):
    return {"name": f"{task} training", "task": task, "sessions": sessions} | {
        "parameters": SURE if task == "X" else SLIPPERY,
        "knowledge": True,
    }


STUDY = Study(
    name="arms",
    tests=("corridor",),
    casts=(
        Cast("learner", {"": "q-learner"}),
        Cast("struck", {"": "fault:drop(q-learner)#rate=0.5"}),
        Cast("walk", {"": "random-walk"}),
        Cast("best", {"": "optimal"}),
    ),
    arms={
        "X then Y": (train("X", 4), train("Y", 4), *PROBES),
        "Y alone": (train("Y", 4), *PROBES),
        "half": ({"interleave": [train("X", 2), train("Y", 2)], "blocks": 2}, *PROBES),
        "X only": (train("X", 4), *PROBES),
    },
    adaptivity={"score": "return", "chance": "walk", "oracle": "best", "reach": 0.5, "block": 2},
    hypotheses=(
        Hypothesis("H1", "return", ("learner in X then Y", "learner in X only"), "greater", phase="Y last, frozen"),
    ),
    stopping=Stopping(most=4),
    seed=5,
)


def logs(study, store):
    return {
        (state.cell.name, head.details["phase"], one.address): [
            (event.kind, event.value, event.content) for event in store.events.of(one.id)
        ]
        for state in progress_of(study, store=store).cells
        for head in state.runs
        for one in store.sessions.of(head.id)
    }


def prompts(study, store):
    """Give what was asked first in each session, by arm, phase and address."""
    found = {}
    for state in progress_of(study, store=store).cells:
        for head in state.runs:
            for one in store.sessions.of(head.id):
                first = next(event for event in store.events.of(one.id, content=True) if event.kind == "ask")
                found[state.cell.name, head.details["phase"], one.address] = first.content["prompt"]
    return found


@pytest.fixture(scope="module")
def conducted(tmp_path_factory):
    with open_store(str(tmp_path_factory.mktemp("arms") / "arms.db")) as kept:
        conduct(STUDY, store=kept)
        yield kept


def levels_of(store):
    cells = [read_cell(STUDY, state, store) for state in progress_of(STUDY, store=store).cells]
    return CourseLevels(STUDY, Measures.read(STUDY), [gather(STUDY, one, "return", store=store) for one in cells])


def test_arms_are_crossed_with_casts_and_each_has_phases_of_its_own(conducted):
    cells = {state.cell.name: state for state in progress_of(STUDY, store=conducted).cells}
    assert len(cells) == 16
    names = [head.details["phase"] for head in cells["learner in half"].runs]
    assert names[:4] == ["X training 1", "Y training 1", "X training 2", "Y training 2"]
    assert names[4:] == ["X last, frozen", "X last, learning", "Y last, frozen", "Y last, learning"]


def test_the_same_course_meets_the_same_instances_in_every_arm_and_for_every_cast(conducted):
    asked = prompts(STUDY, conducted)
    for (cell, phase, address), prompt in asked.items():
        if phase.startswith(("Y training", "X training")):
            arm = "X then Y" if phase.startswith("X") else "Y alone"
            assert asked[f"learner in {arm}", f"{phase[0]} training", address] == prompt, (cell, phase)
        if phase.endswith("frozen"):
            assert asked["best in X only", phase, address] == prompt


def test_a_study_that_was_stopped_goes_on_to_the_same_bits_on_several_processes(store, tmp_path):
    # Each cell that goes on starts processes, so there is one: it is stopped within the second of two, whose subject
    # fails now and then.
    study = replace(
        STUDY,
        casts=STUDY.casts[:2],
        arms={"half": STUDY.arms["half"]},
        adaptivity={"score": "return"},
        stopping=Stopping(most=2),
        hypotheses=(),
    )
    seen = []

    def stop(done):
        seen.append(done)
        if len(seen) == 30:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        conduct(study, store=store, options=RunOptions(progress=stop))
    conduct(study, store=store, options=RunOptions(Processes(2)))
    with open_store(str(tmp_path / "whole.db")) as whole:
        conduct(study, store=whole)
        assert logs(study, store) == logs(study, whole)


def test_levels_lie_between_chance_and_oracle_and_every_probe_is_there_both_ways(conducted):
    levels = levels_of(conducted)
    best = next(one for one in levels.courses if one.cell.name == "best in Y alone")
    walk = next(one for one in levels.courses if one.cell.name == "walk in Y alone")
    for one, value in ((best, 1.0), (walk, 0.0)):
        frozen = one.probes(frozen=True)[-1][1]
        assert abs(levels.level(one, frozen).value - value) < 1e-9
        assert [taken.phase.task for _, taken in one.probes(frozen=False)] == ["X", "Y"]
    learner = next(one for one in levels.courses if one.cell.name == "learner in Y alone")
    assert learner.taken["Y training"].scores.shape == (4, 4)
    assert (learner.taken["Y training"].knowledge[:, 0] == 0).all()
    assert (np.diff(learner.taken["Y training"].knowledge) >= 0).all()


def test_arms_are_told_apart_as_x_y_x_then_y_and_split(conducted):
    levels = levels_of(conducted)
    arms = [one for one in levels.sound if one.cell.cast.name == "learner"]
    roles = arm_roles(arms, "X", "Y")
    assert {role: one.cell.arm for role, one in roles.items()} == {
        "x": "X only",
        "y": "Y alone",
        "x_then_y": "X then Y",
        "split": "half",
    }
    found = {(one.who, one.first, one.second, one.way): one for one in pairs(levels)}
    forms = found["learner", "X", "Y", "frozen"].forms
    assert forms.paired
    assert forms.gain_extra is not None
    assert forms.gain_extra.n == 4
    after = levels.scaled(roles["x_then_y"], (p := roles["x_then_y"].probes(frozen=True)[1][1]), p.levels)
    alone = levels.scaled(roles["y"], (p := roles["y"].probes(frozen=True)[1][1]), p.levels)
    assert abs(forms.gain_extra.value - (after - alone).mean()) < 1e-12
    assert found["learner", "X", "Y", "learning"].forms.gain_extra != forms.gain_extra


def test_the_report_has_curves_probes_transfer_pairs_doses_and_failures_over_courses(conducted):
    exhibits = {one.title: one for one in exhibits_of(STUDY, store=conducted)}
    wanted = ("Learning curves", "Levels, frozen and while learning", "Every task after every phase, frozen")
    for title in (*wanted, "Dose and response: drop round q-learner in Y alone", "How it failed"):
        assert exhibits[title].rows, title
    assert any(title.startswith("Transfer of learner from X to Y, probed frozen") for title in exhibits)
    probes = exhibits["Levels, frozen and while learning"]
    assert probes.columns[3:5] == ("frozen", "while learning")
    assert all(row[3].population == row[4].population == "courses" for row in probes.rows)
    dosed = exhibits["Dose and response: drop round q-learner in Y alone"]
    assert dosed.columns == ("rate", "level")
    times = exhibits["Training time by dose: drop round q-learner in Y alone"]
    assert times.columns == ("rate", "task", "reached", "sessions to reach it")
    assert [row[:2] for row in times.rows] == [[0.0, "Y"], [0.5, "Y"]]
    carried = exhibits["Transfer by dose: drop round q-learner, from X to Y, probed frozen"]
    assert [row[0] for row in carried.rows] == [0.0, 0.5]
    place = carried.columns.index("gain with extra time")
    sound = exhibits["Transfer of learner from X to Y, probed frozen"]
    assert carried.rows[0][place] == next(row[1] for row in sound.rows if row[0] == "gain with extra time")
    assert carried.rows[1][place].n == 4
    drawn = [figure for one in exhibits.values() for figure in one.figures]
    assert len(drawn) >= 4
    assert all("<svg" in figure.svg for figure in drawn[:1])
    failed = dict(zip(exhibits["How it failed"].columns, exhibits["How it failed"].rows[0], strict=True))
    assert failed["struck"] > 0
    assert failed["stopped"] == 0


def test_dose_and_response_has_the_levels_of_the_table_of_levels(conducted):
    exhibits = {one.title: one for one in exhibits_of(STUDY, store=conducted)}
    rows = exhibits["Levels, frozen and while learning"].rows
    sound = [row[3] for row in rows if row[0] == "learner in Y alone" and row[2] == "Y"][-1]
    assert exhibits["Dose and response: drop round q-learner in Y alone"].rows[0] == [0.0, sound]


def test_the_mean_of_a_block_of_the_curve_is_its_level_on_both_sides_of_chance(conducted):
    levels = levels_of(conducted)
    found = []
    for one in levels.sound:
        for task in {each.task for each in one.training}:
            means = levels.curve(one, task).mean(axis=0)
            assert means.clip(-1, 1).tolist() == pytest.approx([each.value for each in levels.along(one, task)])
            found += means.tolist()
    assert min(found) < 0 < max(found)


def test_a_hypothesis_on_one_phase_compares_the_arms_course_by_course(conducted):
    (tested,) = analyse(STUDY, store=conducted).planned
    assert tested.difference.population == "courses"
    assert tested.difference.n == 4


def test_plans_without_arms_keep_the_hash_that_they_had():
    plain = Study("s", ("coin",), (Cast("c", {"": "chance"}),), hypotheses=(Hypothesis("H", "x", ("c", "c")),))
    written = plain.as_json()
    assert not {"arms", "adaptivity"} & set(written)
    assert set(written["hypotheses"][0]) == {"name", "score", "compare", "expect"}
    assert Study.read(STUDY.as_json()).hash == STUDY.hash


def test_a_changed_arm_is_a_deviation_in_words():
    changed = replace(STUDY, arms={**STUDY.arms, "X only": (train("X", 5), *PROBES)})
    assert deviations(STUDY, changed) == ["Arm 'X only' was changed."]


PLAN = """
name: arms
test: corridor
casts: {learner: q-learner, walk: random-walk}
sessions: 3
arms:
  both: [{name: X, sessions: 2}, {probe: X, at: last}]
  none: [{probe: X, at: last}]
adaptivity: {score: return, chance: walk}
"""


def test_arms_are_read_from_yaml_and_mistakes_are_said():
    assert [cell.name for cell in read_plan(PLAN).cells()][:2] == ["learner in both", "walk in both"]
    for old, new, words in [
        ("{name: X, sessions: 2}", "{name: X, session: 2}", "Did you mean sessions"),
        ("chance: walk", "chance: run", "cast as chance"),
        ("score: return", "score: returns", "Did you mean return"),
        ("score: return, ", "", "by which score"),
        ("{probe: X, at: last}]\n  none", "{probe: X, at: last}, {probe: X, at: last}]\n  none", "different names"),
        ("arms:", "phases: [{name: X}]\narms:", "not both"),
    ]:
        with pytest.raises(BadFile, match=words):
            read_plan(PLAN.replace(old, new))
    with pytest.raises(BadFile, match="nobody can freeze a person"):
        read_plan(PLAN.replace("q-learner", "human").replace("sessions: 2}", "sessions: 2, learn: false}"))
    people = read_plan(PLAN.replace("q-learner", "human"))
    assert [(one.name, one.state) for one in cell_phases(people, people.cells()[0])] == [
        ("X", "carry"),
        ("X last, learning", "group"),
    ]
    with pytest.raises(UnknownName, match="phase in hypothesis H1"):
        check_plan(replace(STUDY, hypotheses=(replace(STUDY.hypotheses[0], phase="Z"),)))
    with pytest.raises(BadParameter, match="measured in courses"):
        check_plan(replace(STUDY, arms={}, hypotheses=()))


def test_doses_are_read_off_the_names_of_subjects():
    assert Dose.of("q-learner") is None
    found = Dose.of("fault:late(q-learner)#by=3#what=done")
    assert (found.fault, found.subject, found.amount, found.unit) == ("late of what is done", "q-learner", 3.0, "by")


def test_a_cast_goes_through_the_arms_that_it_names_and_an_unknown_arm_is_refused():
    some = replace(STUDY, casts=(*STUDY.casts[:-1], replace(STUDY.casts[-1], arms=("Y alone",))), hypotheses=())
    last = some.casts[-1].name
    assert [cell.arm for cell in some.cells() if cell.cast.name == last] == ["Y alone"]
    assert {cell.arm for cell in some.cells() if cell.cast.name == some.casts[0].name} == set(some.arms)
    assert Study.read(some.as_json()) == some
    assert "arms" not in STUDY.as_json()["casts"][0]
    with pytest.raises(UnknownName, match="Y alone"):
        replace(STUDY, casts=(replace(STUDY.casts[0], arms=("Y aline",)),))
