from typing import Any

import numpy as np
import pytest

from mensura.catalog.crisis.act import spoiled
from mensura.catalog.crisis.assistant.learning.learned import LEARNERS, Learned, LearnedFrom
from mensura.catalog.crisis.assistant.learning.training import learn_from
from mensura.catalog.crisis.assistant.role import Radar
from mensura.catalog.crisis.office.office import OfficeState
from mensura.catalog.crisis.office.request import Proposal, Request
from mensura.catalog.crisis.office.visible import known
from mensura.catalog.crisis.settings import BASE, ERRS, RADAR
from mensura.catalog.crisis.world.conference import Conference
from mensura.dialogue import Ask
from mensura.errors import BadParameter

REQUESTS: list[tuple[str, dict[str, Any]]] = [
    ("label", {"messages": ["m-1", "m-2", "m-3", "m-4", "m-5", "m-6", "m-7"]}),
    ("suggest", {"message": "m-2"}),
    ("suggest", {"message": "m-4"}),
    ("optimise", {}),
    ("find_room", {"event": "keynote"}),
    ("elicit", {}),
    ("batch", {}),
    ("draft", {}),
]


@pytest.fixture(scope="module")
def taught(small: Conference) -> Learned:
    learned = Learned()
    learn_from(small, learned, seed=1)
    return learned


def test_a_mail_gives_filled_in_forms(asking: Any) -> None:
    acts = asking("suggest", message="m-2")["acts"]
    assert acts[0] == {
        "call": "set_room_fact",
        "arguments": {"room": "auditorium", "fact": "capacity.theatre", "value": "180"},
    }
    assert acts[1]["arguments"] == {"room": "l12", "fact": "equipment", "value": "screen, whiteboard"}


def test_several_tasks_of_one_mail_are_found(asking: Any) -> None:
    calls = {act["call"]: act["arguments"] for act in asking("suggest", message="m-4")["acts"]}
    assert calls["constrain"] == {"kind": "building", "event": "panel", "place": "orchard"}
    assert calls["edit_entry"] == {"entry": "site-kofi", "field": "name", "value": "Kofi Mensah"}


def test_who_writes_that_they_are_away_gives_a_constraint(asking: Any) -> None:
    acts = asking("suggest", message="m-3")["acts"]
    assert acts == [{"call": "constrain", "arguments": {"kind": "away", "person": "kofi", "slots": "2"}}]


def test_labels_are_several_and_noise_has_few(asking: Any) -> None:
    labels = asking("label", messages=["m-2", "m-3", "m-6", "m-7"])["labels"]
    assert labels["m-2"] == ["room_fact"]
    assert labels["m-3"] == ["availability"]
    assert "order" in labels["m-6"]


def test_accepting_an_optimised_schedule_places_all_events(office: OfficeState, asking: Any) -> None:
    office.propose(asking("optimise"), now=1000)
    said = office.act("subject", "accept", {"proposal": "p1"}, now=1020)
    assert said.ok
    assert all(happening.ok for happening in office.history)
    lost = office.portal.lost
    assert not any(place in lost for place in office.place.values())


def test_the_elicitor_asks_for_a_page_that_the_user_can_open(office: OfficeState, asking: Any) -> None:
    answer = asking("elicit")
    office.propose(answer, now=1000)
    assert office.act("subject", "accept", {"proposal": "p1"}, now=1020).ok
    again = asking("elicit")
    assert answer["ranked"][0]["room"] not in {question["room"] for question in again["ranked"]}


def test_batch_updates_need_three_examples_unless_learned(office: OfficeState, asking: Any, taught: Learned) -> None:
    office.propose(asking("optimise"), now=1000)
    office.act("subject", "accept", {"proposal": "p1"}, now=1020)
    assert asking("batch")["acts"] == []
    learned = asking("batch", taught)["acts"]
    assert learned
    assert all(act["call"] == "edit_entry" for act in learned)
    for act in learned[:5]:
        office.act("subject", "edit_entry", act["arguments"], now=1100)
    fields = {act["arguments"]["field"] for act in asking("batch")["acts"]}
    assert fields <= {act["arguments"]["field"] for act in learned[:5]}


def test_nothing_learned_is_the_same_as_no_learning(office: OfficeState) -> None:
    for kind, about in REQUESTS:
        request = Request(kind, about, known=known(office))
        unlearned = Radar()(Ask(request, Proposal(), role="assistant"))
        empty = Radar(Learned())(Ask(request, Proposal(), role="assistant"))
        assert unlearned == empty


def test_leaving_out_every_learner_is_the_same_as_no_learning(asking: Any, taught: Learned) -> None:
    for kind, about in REQUESTS:
        assert asking(kind, taught.without(LEARNERS), **about) == asking(kind, **about)


@pytest.mark.parametrize(
    ("learner", "kind", "about"),
    [("drafter", "draft", {}), ("elicitor", "elicit", {}), ("workflow", "batch", {})],
)
def test_a_learner_left_out_answers_as_if_unlearned(
    asking: Any, taught: Learned, learner: str, kind: str, about: dict[str, Any]
) -> None:
    assert asking(kind, taught, **about) != asking(kind, **about)
    assert asking(kind, taught.without([learner]), **about) == asking(kind, **about)


def test_what_was_learned_in_a_test_is_refused(office: OfficeState, tmp_path: Any) -> None:
    learned = Learned(sources=[LearnedFrom("crisis-1", "test", "0" * 16, 12303, "c")])
    learned.write(tmp_path / "cheat.json")
    request = Request("draft", {}, learned=str(tmp_path / "cheat.json"), known=known(office))
    with pytest.raises(BadParameter, match="crisis-1, a test package"):
        Radar()(Ask(request, Proposal(), role="assistant"))


def test_the_assistant_cannot_be_the_one_who_is_assisted() -> None:
    with pytest.raises(BadParameter, match="--as assistant=radar"):
        Radar()(Ask("What next?", role="subject"))


def test_the_assistant_errs_at_the_declared_rate_in_what_only_the_mail_shows(small: Conference) -> None:
    office = OfficeState(small, tools=BASE | RADAR)
    office.arrive(7200)
    seen = known(office)

    def forms(radar: Radar, message: str) -> list[dict[str, Any]]:
        request = Request("suggest", {"message": message}, known=seen)
        return list(radar(Ask(request, Proposal(), role="assistant"))["acts"])

    wrong = total = 0
    for seed in range(60):
        erring = Radar()
        erring.begin(np.random.default_rng(seed))
        for message in ("m-2", "m-3", "m-4"):
            right, said = forms(Radar(), message), forms(erring, message)
            assert forms(erring, message) == said, "asking again must not betray an error"
            for one, other in zip(right, said, strict=True):
                can = spoiled(one, np.random.default_rng(0)) != one
                total += can
                wrong += one != other
                changed = {name for name, value in one["arguments"].items() if other["arguments"][name] != value}
                assert changed <= {"value", "slots", "quantity"}
    assert total >= 180
    assert abs(wrong / total - ERRS) < 3 * (ERRS * (1 - ERRS) / total) ** 0.5
