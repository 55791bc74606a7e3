"""People in courses: the phases of their arm, pauses that pass, groups at random, and a report that says so."""

import time
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from mensura.errors import BadParameter
from mensura.running.adaptivity.groups import PEOPLE
from mensura.running.course import Phase, run_courses
from mensura.running.study import Cast, Stopping, Study, conduct, exhibits_of, progress_of
from mensura.running.study.invite import invite
from mensura.running.study.people.places import places_of
from mensura.running.study.planning.preview import preview_of
from mensura.running.study.registration.checked import check_plan

MADE = str(Path(__file__).parents[2] / "running" / "adaptivity" / "made.py")
HOURS = 30


def train(task):
    return {"name": f"train {task}", "task": task, "sessions": 2, "parameters": {"task": task}}


def probe(task, at, **more):
    return {"probe": task, "at": at, "parameters": {"task": task}, **more}


STUDY = Study(
    name="people in courses",
    tests=(f"{MADE}:skill",),
    casts=(Cast("people", {"": "human"}), Cast("learner", {"": "made-learner"})),
    arms={
        "A then B": (
            train("A"),
            train("B"),
            probe("A", "last"),
            probe("B", "last"),
            probe("B", "late", pause=HOURS * 3600),
        ),
        "B": (train("B"), probe("A", "last"), probe("B", "last")),
    },
    adaptivity={"score": "level", "chance": 0.05, "oracle": 0.95},
    stopping=Stopping(most=6),
    seed=4,
)
GROUPS = {"A then B": ["A last", "B last", "B late"], "B": ["A last", "B last"]}


@pytest.fixture
def later(monkeypatch):
    """Let it be so many seconds later on participants' pages."""
    clock = SimpleNamespace(time=time.time, monotonic=time.monotonic)
    monkeypatch.setattr("mensura.web.participant.participation.time", clock)
    return lambda seconds: setattr(clock, "time", lambda: time.time() + seconds)


def take(person, values, *, wait=None):
    """Go through a way as its pages lead; returns the kinds of pages and the headings that were seen."""
    seen = []
    for _ in range(100):
        seen.append(person.kind)
        if person.kind == "consent":
            person.post("next", agree="yes")
        elif person.kind == "ask":
            person.answer(str(next(values)))
        elif person.kind == "over":
            person.post("next")
        elif person.kind == "pause" and wait is not None:
            wait()
            person.look()
        else:
            return seen
    raise AssertionError(seen)


def group_of(store, number):
    session = store.invitations.get(number).sessions[-1]
    phase = store.runs.find(store.sessions.find(session).run).details["phase"]
    return phase.removesuffix(", learning")


def test_people_take_the_courses_of_their_arms_and_the_report_compares_groups(store, enter, later):
    conduct(STUDY, store=store)
    invited = invite(STUDY, 12, store=store)
    assert Counter(one.cell for one in invited) == {"people in A then B": 6, "people in B": 6}
    groups = {arm: Counter() for arm in GROUPS}
    levels = {}
    for place, one in enumerate(invited):
        arm, group = one.cell.removeprefix("people in "), group_of(store, one.number)
        groups[arm][group] += 1
        later(0)
        person = enter(f"/p/{one.token}")
        # Everyone learns from .1 to .4, and scores by their arm and a number of their own in the probe.
        probed = (0.8 if arm == "A then B" else 0.6) - (0.2 if group.startswith("A") else 0.0) + 0.01 * place
        levels.setdefault((arm, group), []).append(probed)
        training = [0.1, 0.2, 0.3, 0.4][: 4 if arm == "A then B" else 2]
        seen = take(person, iter([*training, probed]), wait=lambda: later(HOURS * 3600 + 1))
        assert seen.count("ask") == len(training) + 1
        assert seen.count("pause") == (group == "B late")
        assert seen[-1] == "thanks"
    assert groups == {arm: Counter(dict.fromkeys(names, 6 // len(names))) for arm, names in GROUPS.items()}
    assert {one.state for one in places_of(STUDY.name, store=store)} == {"finished"}
    conduct(STUDY, store=store)
    shown = {one.title: one for one in exhibits_of(STUDY, store=store)}
    table = shown["Levels, frozen and while learning"]
    assert f"people in B: {PEOPLE}" in table.notes
    rows = {(row[0], row[1], row[2]): row[3:] for row in table.rows}
    frozen, learning, apart = rows["people in B", "train B", "B"]
    assert (frozen, apart) == (None, None)
    expected = [(level - 0.05) / 0.9 for level in levels["B", "B last"]]
    assert learning.n == 3
    assert learning.value == pytest.approx(sum(expected) / 3)
    assert rows["learner in B", "train B", "B"][0] is not None
    moved = shown["Transfer of people from A to B, probed learning"]
    assert moved.notes[0] == PEOPLE
    gain = next(row[1] for row in moved.rows if row[0] == "gain with extra time")
    assert gain.method == "Welch's t"
    means = [sum(levels[arm, "B last"]) / len(levels[arm, "B last"]) for arm in ("A then B", "B")]
    assert gain.value == pytest.approx((means[0] - means[1]) / 0.9)
    kept = next(row for row in shown["Retention over pauses"].rows if row[0] == "people in A then B")
    assert (kept[1], kept[2], kept[3]) == ("B", "learning", HOURS / 24)
    assert "Welch" in kept[6].method
    curve = next(row for row in shown["Learning curves"].rows if row[:2] == ["people in B", "B"])
    assert curve[4].value == pytest.approx(0.1 / 0.9)


def test_nobody_passes_a_pause_before_its_time(store, enter, later):
    conduct(STUDY, store=store)
    for one in invite(STUDY, 12, store=store):
        if group_of(store, one.number) == "B late":
            break
    person = enter(f"/p/{one.token}")
    take(person, iter([0.1] * 4))
    assert person.kind == "pause"
    assert "The next part opens in 30 h 0 min" in person.text
    step = str(store.invitations.get(one.number).step)
    fields = {"step": step, "number": "1", "nonce": "n", "csrf": person.client.cookies.get("csrf", "")}
    for act in ("next", "answer"):
        assert person.post(act, hidden=fields, answer="0.5").status_code in (403, 409)
    last = store.invitations.get(one.number).sessions[-1]
    assert store.events.last_number(last) == 0
    later(HOURS * 3600 - 90)
    assert person.look().status_code == 200
    assert "The next part opens in 0 h 2 min" in person.text or "The next part opens in 0 h 1 min" in person.text
    later(HOURS * 3600 + 10)
    person.look()
    assert person.kind == "ask"


def test_the_place_of_someone_who_leaves_is_given_again_in_the_same_arm_and_group(store):
    conduct(STUDY, store=store)
    first = invite(STUDY, 10, store=store)
    gone = next(one for one in first if group_of(store, one.number) == "B last")
    store.invitations.withdraw(gone.number)
    counts = Counter((one.cell, group_of(store, one.number)) for one in first if one is not gone)
    again = invite(STUDY, 1, store=store)[0]
    assert again.cell == gone.cell
    mine = {group: count for (cell, group), count in counts.items() if cell == gone.cell}
    assert mine.get(group_of(store, again.number), 0) == min(mine.get(group, 0) for group in GROUPS[gone.cell[10:]])
    assert progress_of(STUDY, store=store).cells[0].runs


def test_the_plan_says_in_words_that_probes_are_by_groups_and_people_take_courses_in_studies_only(store):
    said = " ".join(preview_of(STUDY).sentences)
    assert "Each of people in B takes one of 2 probes, by chance: A last, learning, B last, learning." in said
    with pytest.raises(BadParameter, match="page by page, in a study"):
        run_courses([Phase("train", "coin", 2)], "human", store=store)


@pytest.mark.parametrize(
    ("phases", "words"),
    [
        (({"name": "a", "learn": False},), "nobody can freeze a person"),
        (({"name": "a"}, {"name": "b", "state": "fresh"}), "a person stays who they are"),
        (({"name": "a", "test": "dilemma"},), "several roles for people"),
    ],
)
def test_phases_that_nobody_could_take_are_refused(phases, words):
    study = Study("s", ("coin",), (Cast("people", {"": "human"}),), phases=phases)
    with pytest.raises(BadParameter, match=words):
        check_plan(study)
