"""The test itself: reference subjects in the order they should be, and the contract kept."""

import json

import numpy as np
import pytest

from mensura.catalog.detection.dialogue import detection
from mensura.catalog.detection.prompts import Dossier, Reports
from mensura.catalog.detection.space import ATTACK, PERSON, Hypotheses
from mensura.dialogue import Refused, prompt_data, prompt_text
from mensura.errors import Invalid
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take


def scores(name, seed=3, **parameters):
    taken = take(detection, detection.subjects[name](), seed=seed, parameters=parameters)
    assert taken.record.status == "finished", taken.record.last_words
    return score_record(detection, taken.record, taken.truths)


def test_the_oracle_is_right_about_everything():
    found = scores("oracle").values
    for name in ("attack", "group", "person"):
        assert found[f"{name}_mean_f"] == pytest.approx(1.0)
        assert found[f"{name}_nacc"] == pytest.approx(1.0)
    assert found["alert_f"] > 0.75


def test_refusing_to_report_scores_as_an_empty_report_does():
    found = []
    for answer in ([], Refused("no")):
        taken = take(detection, lambda ask, answer=answer: answer, seed=3, parameters={"individuals": 80, "days": 120})
        values = score_record(detection, taken.record, taken.truths).values
        found.append({name: np.mean(getattr(value, "values", value)) for name, value in values.items()})
    assert found[0] == pytest.approx(found[1], nan_ok=True)
    assert set(found[0]) == {score.name for score in detection.scores}
    unsaid = {score.name for score in detection.scores if score.unanswered is None}
    assert {value for name, value in found[1].items() if name not in {*unsaid, "gain_over_evidence"}} == {0.0}


def test_link_discovery_beats_rules_beats_evidence_beats_guessing_over_several_worlds():
    mean = {
        name: np.mean([scores(name, seed).values["attack_mean_f"] for seed in range(6)])
        for name in ("random", "echo", "rules", "links")
    }
    assert mean["links"] > mean["rules"] > mean["echo"] > mean["random"]
    # Worlds of the second version add cases to the evidence as attacks end, so echo has more of them.
    assert mean["links"] > 2 * mean["echo"]


@pytest.mark.slow
def test_link_discovery_alerts_of_more_attacks_in_time_than_are_in_evidence_already():
    alerts, timely = {}, {}
    for name in ("echo", "rules", "links"):
        found = [scores(name, seed) for seed in range(200, 212)]
        alerts[name] = sum(each.details["alerts"]["in_time"] for each in found)
        timely[name] = np.mean([each.values["alert_f"] for each in found])
    assert alerts["links"] > 1.5 * alerts["echo"]
    assert timely["links"] > timely["echo"] > timely["rules"]


def test_an_alert_that_gives_one_name_to_two_persons_in_turn_is_still_scored():
    def subject(ask):
        if ask.key == "hypotheses":
            return []
        day = int(ask.key.split("-")[1])
        return [
            {"type": PERSON, "uid": f"p{day}", "hasMember": ["I1", f"I{day}"]},
            {"type": ATTACK, "uid": f"a{day}", "targetInExploitation": "T1", "deliberateActors": [f"p{day}"]},
        ]

    taken = take(detection, subject, seed=3)
    found = score_record(detection, taken.record, taken.truths)
    assert found.details["alerts"]["alerts"] == 7


def test_an_echo_gains_nothing_over_evidence():
    assert scores("echo").values["gain_over_evidence"] == pytest.approx(0.0)


def test_every_attack_is_an_item_so_that_subjects_can_be_compared_on_the_same_truth():
    first, second = (scores(name).values["attack_f_score"] for name in ("rules", "links"))
    assert first.keys == second.keys
    assert len(first.values) > 0


def test_silence_scores_zero_and_so_does_an_answer_that_is_not_valid():
    silent = take(detection, lambda ask: [], seed=3)
    found = score_record(detection, silent.record, silent.truths).values
    assert found["attack_mean_f"] == 0
    assert found["attack_nacc"] == 0
    assert found["alert_f"] == 0
    assert np.isnan(found["attack_precision"])
    broken = take(detection, lambda ask: None, seed=3)
    assert broken.record.status == "invalid"
    # Nothing was answered, so nothing is known.
    assert np.isnan(score_record(detection, broken.record, broken.truths).values["attack_mean_f"])


def test_reports_come_in_batches_and_none_before_it_was_reported():
    seen = []

    def subject(ask):
        assert isinstance(ask.prompt, Reports)
        seen.append(ask.prompt)
        return []

    take(detection, subject, seed=3)
    assert [each.today for each in seen] == [30, 60, 90, 120, 150, 180, 210, 240]
    for each in seen[:-1]:
        assert all(row[1] < each.today for row in each.rows)
    numbers = [row[0] for each in seen for row in each.rows]
    assert numbers == list(range(len(numbers)))


def test_no_attack_stands_in_evidence_before_it_is_over():
    shown = []

    def subject(ask):
        shown.append(ask.prompt)
        return []

    taken = take(detection, subject, seed=3, parameters={"attack_in_evidence": 1.0})
    truth = taken.truths["hypotheses"]
    end = {each["uid"]: each["endingDate"] for each in truth["reference"] if each["type"] == ATTACK}
    assert {each["type"] for each in shown[0].briefing.cases}.isdisjoint({ATTACK})
    told = [(case["uid"], reports.today) for reports in shown for case in reports.cases]
    assert {uid for uid, _ in told} == set(end)
    assert len(told) == len(end)
    assert all(end[uid] < today or today == 240 for uid, today in told)


def test_a_model_reads_patterns_and_parameters_as_others_do():
    prompts = []
    take(detection, lambda ask: prompts.append(ask.prompt) or [], seed=3, parameters={"individuals": 80})
    text = prompt_text(prompts[0].briefing)
    for words in (
        "Event patterns:",
        "through a middleman:",
        "times:",
        "exploitation_days_mean: 60.0",
        "modeCapabilities",
    ):
        assert words in text


def test_strange_types_and_deep_nesting_are_refused_with_a_sentence():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    for answer in (
        [{"type": ["ThreatGroup"], "uid": "a"}],
        [{"type": deep, "uid": "a"}],
        [{"type": ATTACK, "uid": deep}],
    ):
        with pytest.raises(Invalid):
            space().check(answer)
    for key in ("_note", "startingDate", "deliberateActors", "alternatives", "costs"):
        with pytest.raises(Invalid):
            space().check([{"type": ATTACK, "uid": "a", key: deep}])
    with pytest.raises(Invalid, match="JSON"):
        space().parse({"answer": "[" * 100_000})


def test_every_parameter_of_the_world_can_be_set():
    assert "observe_call" in detection.parameters
    assert detection.parameters["individuals"].read("200") == 200
    taken = take(detection, lambda ask: [], seed=3, parameters={"individuals": 150, "batch_days": 500})
    assert len(taken.record.answers) == 1


def space():
    return Hypotheses(names=50, targets=5, modes=8, days=100)


def test_drawn_answers_are_valid_and_so_is_what_the_form_sends():
    rng = np.random.default_rng(1)
    for _ in range(20):
        answer = space().draw(rng)
        assert space().check(answer) == answer
        typed = [{**each, "confidence": f"{100 * each['confidence']} %"} for each in answer]
        read = [{**each, "confidence": pytest.approx(each["confidence"])} for each in answer]
        assert space().parse({"answer": json.dumps(typed)}) == read
        assert space().parse({"answer": "\n".join(json.dumps(each) for each in typed)}) == read
    assert space().parse({"answer": " "}) == []


def test_people_write_confidence_in_percent():
    group = {"type": "ThreatGroup", "uid": "1"}
    for written, share in ((60, 0.6), ("60 %", 0.6), ("12,5", 0.125), (1, 0.01)):
        read = space().parse({"answer": json.dumps({**group, "confidence": written})})
        assert space().check(read) == [{**group, "confidence": share}]
    for written, words in ((0.6, "Object 1, confidence: Do you mean 0.6 % or 60 %"), (600, "lies between")):
        with pytest.raises(Invalid, match=words):
            space().parse({"answer": json.dumps([{**group, "confidence": written}])})
    assert "confidence in percent" in space().hint_for_people()
    assert "percent" not in space().hint()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("none", "Give a list"),
        ([{"type": "Attack", "uid": "1"}], "Object 1: the unknown type 'Attack'"),
        (
            [{"type": "ThreatGroup", "uid": "1"}, {"type": "ThreatGroup", "uid": "1", "memberAgents": ["I2"]}],
            "Object 2",
        ),
        ([{"type": "VulnerabilityExploitationCase", "uid": "1", "modeInExploitation": "M99"}], "M99"),
        ([{"type": "VulnerabilityExploitationCase", "uid": "1", "performedBy": "nobody"}], "nobody"),
    ],
)
def test_wrong_answers_are_refused_with_a_sentence(answer, words):
    with pytest.raises(Invalid, match=words):
        space().check(answer)
    with pytest.raises(Invalid, match="not JSON"):
        space().parse({"answer": "{"})


def test_prompts_are_data_and_words():
    shown = []

    class Reader:
        def feedback(self, told):
            shown.append(told.prompt)

        def __call__(self, ask):
            shown.append(ask.prompt)
            return []

    take(detection, Reader(), seed=3, parameters={"individuals": 120, "days": 90})
    assert isinstance(shown[0], Dossier)
    for prompt in shown:
        json.dumps(prompt_data(prompt))
        assert prompt_text(prompt)
    schema = space().schema()
    assert {each["properties"]["type"]["const"] for each in schema["items"]["anyOf"]} >= {"ThreatGroup"}
    assert "VulnerabilityExploitationCase" in space().hint()
