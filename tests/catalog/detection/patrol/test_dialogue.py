"""The patrol: information costs, alerts and arrests in time prevent attacks."""

import numpy as np
import pytest

from mensura.catalog.detection.dialogue import detection
from mensura.catalog.detection.patrol.account import Plot, Tariff, reckon
from mensura.catalog.detection.patrol.acts import acts
from mensura.catalog.detection.patrol.dialogue import patrol
from mensura.catalog.detection.patrol.subjects import Foresight, reports_in
from mensura.catalog.detection.prompts import Situation
from mensura.dialogue import Instance, Session, prompt_text
from mensura.errors import Invalid
from mensura.running.driver import drive, recall
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take
from mensura.store import MemoryJournal
from mensura.subjects.subject import knows

PLOT = Plot(10, 50, "T1", (("I1", "I9"), ("I2",), ("I3",), ("I4",)))
PRICES_DATA = {"information": 1, "false_arrest": 20, "alert": 3, "alert_days": 20, "damage": 100}
PRICES = Tariff(damage=100, false_arrest=20, alert=3, information=1, alert_days=20)


def alert(target, level):
    return {"call": "alert", "arguments": {"target": target, "level": level}}


def arrest(name):
    return {"call": "arrest", "arguments": {"name": name}}


@pytest.mark.parametrize(
    ("acts", "damage", "total"),
    [
        ([], 100, 100),
        ([(40, alert("T1", "1"))], 50, 53),
        ([(40, alert("T1", "2"))], 0, 6),
        ([(20, alert("T1", "2"))], 100, 106),
        ([(51, alert("T1", "2"))], 100, 106),
        ([(40, alert("T2", "2"))], 100, 106),
        ([(40, arrest("I1"))], 0, 0),
        ([(40, arrest("I9"))], 0, 0),
        ([(40, arrest("I2"))], 100, 100),
        ([(40, arrest("I2")), (41, arrest("I3"))], 0, 0),
        ([(5, arrest("I1"))], 100, 120),
        ([(40, arrest("I77"))], 100, 120),
        ([(40, {"call": "inquire", "arguments": {"name": "I1"}})], 100, 101),
    ],
)
def test_acts_are_reckoned_up(acts, damage, total):
    ledger = reckon([PLOT], acts, prices=PRICES)
    assert ledger.damage() == [damage]
    assert ledger.total() == total
    assert ledger.saved() == pytest.approx(1 - total / 100)


def test_without_attacks_what_could_be_saved_is_unknown():
    assert np.isnan(reckon([], [], prices=PRICES).saved())


def scores(name, seed):
    taken = take(patrol, patrol.subjects[name](), seed=seed)
    assert taken.record.status == "finished", taken.record.last_words
    return score_record(patrol, taken.record, taken.truths)


def test_foresight_saves_all_idleness_nothing_and_watching_something():
    for seed in range(3):
        assert scores("oracle", seed).values["saved_score"] > 0.95
        assert scores("idle", seed).values["saved_score"] == 0
    assert np.mean([scores("watchman", seed).values["saved_score"] for seed in range(5)]) > 0.1


def test_an_attack_that_was_stopped_is_reported_by_nobody():
    world = {"observability": 10.0, "threat_secrecy": 0.0, "corruption": 0.0, "step_days": 10, "most_acts": 20}
    rest = {"call": "go_on", "arguments": {}}

    def alert_everything(ask):
        desk = ask.prompt[0]
        return alert(f"T{20 - desk.acts_left}", "2") if desk.acts_left > 5 else rest

    def incidents(subject):
        seen = []

        class Watched(Foresight):
            def __call__(self, ask):
                seen.extend(row for row in reports_in(ask).rows if row[0] is not None)
                return super().__call__(ask) if subject is None else subject(ask)

        taken = take(patrol, Watched(), seed=1, parameters=world)
        assert taken.record.status == "finished", taken.record.last_words
        numbers = [row[0] for row in seen]
        assert numbers == list(range(len(numbers)))
        return sum(row[3] == "incident" for row in seen), len(seen)

    struck, reports = incidents(lambda ask: rest)
    assert struck > 0
    for stopping in (None, alert_everything):
        still, fewer = incidents(stopping)
        assert still == 0
        assert fewer <= reports - struck


def test_information_that_was_paid_for_is_true_and_about_what_was_asked():
    seen = []

    def subject(ask):
        seen.append(reports_in(ask))
        if len(seen) == 3:
            return {"call": "inquire", "arguments": {"name": "I5"}}
        if len(seen) == 4:
            return {"call": "watch", "arguments": {"target": "T2"}}
        return {"call": "go_on", "arguments": {}}

    taken = take(patrol, subject, seed=1)
    assert taken.record.status == "finished", taken.record.last_words
    assert all(row[7] == "T2" for row in seen[4].rows)
    assert all(row[2] <= seen[3].today for row in seen[3].rows)
    assert score_record(patrol, taken.record, taken.truths).values["information_cost"] == 2


@pytest.mark.parametrize(
    ("act", "words"),
    [
        ({"call": "inquire", "arguments": {"name": "nobody"}}, "no name 'NOBODY'; they go from I0 to I19"),
        ({"call": "arrest", "arguments": {"name": "I20"}}, "no name 'I20'"),
        ({"call": "watch", "arguments": {"target": "I1"}}, "no target 'I1'; they go from T0 to T3"),
        ({"call": "alert", "arguments": {"target": "T1", "level": "3"}}, "level of alert"),
        ({"call": "wait", "arguments": {}}, "no tool called 'wait'"),
    ],
)
def test_acts_about_nobody_and_nothing_are_refused_with_a_sentence(act, words):
    with pytest.raises(Invalid, match=words):
        acts(20, 4, prices=PRICES_DATA, back=90).check(act)


def test_drawn_acts_are_about_someone_and_something_that_exist():
    space, rng = acts(20, 4, prices=PRICES_DATA, back=90), np.random.default_rng(1)
    for _ in range(50):
        act = space.draw(rng)
        assert space.check(act) == act


def test_the_desk_shows_costs_alerts_arrests_and_attacks_as_they_happen():
    desks = []

    def subject(ask):
        desks.append(next(part for part in ask.prompt if isinstance(part, Situation)))
        if len(desks) == 1:
            return alert("T1", "2")
        return arrest("I1") if len(desks) == 2 else {"call": "go_on", "arguments": {}}

    taken = take(patrol, subject, seed=1)
    found = score_record(patrol, taken.record, taken.truths).values
    assert desks[0].costs == {"information": 0, "alerts": 0, "false arrests": 0, "damage": 0}
    assert desks[1].alerts == [("T1", 2, desks[0].today + 20)]
    assert desks[1].acts_left == desks[0].acts_left - 1
    assert desks[2].costs["alerts"] == 6
    assert desks[2].arrests[0][:2] == (desks[0].today, "I1")
    assert desks[-1].costs["damage"] == sum(damage for _, _, damage in desks[-1].attacks) > 0
    assert all(day < desk.today for desk in desks for day, _, _ in desk.attacks)
    assert sum(desks[-1].costs.values()) <= found["cost_loss"]
    assert "Costs so far" in prompt_text(desks[-1])


@pytest.mark.parametrize(
    ("test", "name"), [(patrol, "oracle"), (patrol, "watchman"), (detection, "oracle"), (detection, "links")]
)
def test_a_session_that_was_cut_off_goes_on_as_if_nothing_had_been(test, name):
    make = test.subjects[name]
    knowing = frozenset({"subject"} if knows(make) else ())
    instance = Instance(test, test.fill({"individuals": 120, "days": 120}), 3, knowing=knowing)
    whole = MemoryJournal()
    drive(Session(instance), {"subject": make()}, journal=whole)
    answers = [place for place, event in enumerate(whole.events) if event.kind == "answer"]
    cast, rest = {"subject": make()}, MemoryJournal()
    session, past = recall(instance, whole.events[: answers[len(answers) // 2] + 1], cast)
    drive(session, cast, journal=rest, past=past)
    again = [event.value for event in rest.events if event.kind == "answer"]
    assert again == [event.value for event in whole.events if event.kind == "answer"][-len(again) :]
    # What it was told is remembered too, without an answer.
    assert sum(ask.space is not None for _, ask, _ in past) + len(again) == len(answers)
