"""Conditions: which tools there are, who takes part, and the assistant as a logged role."""

from pathlib import Path

import pytest

from mensura.catalog.crisis.act import call
from mensura.catalog.crisis.assistant.learning.learned import Learned, LearnedFrom
from mensura.catalog.crisis.dialogue import crisis, roles_of
from mensura.catalog.crisis.office.replay import office_of
from mensura.catalog.crisis.office.request import KINDS, Proposal
from mensura.catalog.crisis.settings import CONDITIONS, COSTS, find_condition, price
from mensura.catalog.crisis.subjects.nothing import Nothing
from mensura.catalog.crisis.tools import TOOLS, acts_of
from mensura.dialogue import Refused, Session, replay
from mensura.dialogue.canonical import canonical
from mensura.errors import BadParameter, Invalid, MensuraError
from mensura.running.take import take


@pytest.fixture(scope="session")
def learned(tmp_path_factory) -> str:
    """Give a store of what was learned that is empty, from a training session."""
    path: Path = tmp_path_factory.mktemp("learned") / "learned.json"
    Learned(sources=[LearnedFrom("training-1", "training", "1" * 16, 1, "campus")]).write(path)
    return str(path)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_each_condition_offers_its_tools_and_no_others(package, learned, condition, working, advising, held):
    has = find_condition(condition)
    assert roles_of(condition=condition) == has.roles
    cast = {"subject": working(leaves=True), "helper": Nothing(), "assistant": advising()}
    cast = {role: cast[role] for role in has.roles}
    instance, session, _ = held(cast, package, condition=condition, learned=learned)
    assert session.status == "finished"
    fresh = Session(instance)
    fresh.start()
    while "subject" not in fresh.open:
        fresh.answer({"kind": "label"}, role="assistant")
    assert set(fresh.open["subject"].space.tools) == set(has.tools)
    assert fresh.open["subject"].space is acts_of(has.tools)


def test_a_sheet_takes_double_bookings_and_a_checked_schedule_does_not(package, small, working, held, record_of):
    plan = [call("move", event="papers", room="great", day=2, block=1)]
    for condition, where in (("cots", ("great", 5)), ("agent", ("auditorium", 0))):
        instance, _, journal = held(working(plan, leaves=True), package, condition=condition)
        assert office_of(record_of(instance, journal), world=small).place["papers"] == where


@pytest.mark.parametrize("condition", ["radar-l", "radar+l"])
def test_the_assistant_is_a_logged_role_and_what_it_proposes_is_done_when_accepted(
    package, small, condition, learned, working, advising, held, record_of, state
):
    plan = [
        call("suggest", message="m-1"),
        call("optimise"),
        call("find_room", event="keynote"),
        call("elicit"),
        call("batch"),
        call("draft"),
        call("suggest", message="m-99"),
        call("accept", proposal="p2", parts="1"),
    ]
    worker, adviser = working(plan, leaves=True), advising()
    cast = {"subject": worker, "assistant": adviser}
    instance, _, journal = held(cast, package, condition=condition, learned=learned, ablate="classifier, drafter")
    assert [request.kind for request in adviser.requests if request.kind != "label"] == list(KINDS[1:])
    assert {request.learned for request in adviser.requests} == {learned if condition == "radar+l" else ""}
    assert adviser.requests[0].ablate == ("classifier", "drafter")
    assert adviser.requests[0].kind == "label"
    assert worker.desks[0].new[0]["label"] == ["crisis"]
    assert "[crisis]" in worker.desks[0].text()
    assert worker.desks[2].said["data"]["proposal"]["id"] == "p2"
    record = record_of(instance, journal)
    office = office_of(record, world=small)
    assert office.place["dinner"] == ("terrace", 14)
    assert len(office.proposals) == 6
    assert office.notes == []
    moved = next(each for each in office.history if each.call == "move")
    assert (moved.role, moved.proposal) == ("subject", "p2")
    # Replay takes the recorded answers; nobody is asked again.
    before = len(adviser.requests)
    assert state(office_of(record, world=small)) == state(office)
    assert len(adviser.requests) == before
    given = [answer for answer in record.answers if answer.role == "assistant"]
    assert all(answer.tick == answer.asked for answer in given)


def test_what_the_assistant_may_know_is_made_when_it_is_wanted_and_not_logged(package, working, advising, held):
    adviser = advising()
    _, _, journal = held(
        {"subject": working([call("optimise")], leaves=True), "assistant": adviser}, package, condition="radar-l"
    )
    request = next(request for request in adviser.requests if request.kind == "optimise")
    assert {"letters", "manual", "facts", "place", "constraints", "history"} <= set(request.known)
    content = next(event.content for event in journal.events if event.key == "assistant:optimise")
    assert content["prompt"] == {"kind": "optimise", "about": {}, "learned": "", "ablate": []}
    assert len(canonical(content)) < 2000


def test_an_assistant_that_declines_is_said_so(package, working, held):
    worker = working([call("optimise")], leaves=True)
    _, session, _ = held({"subject": worker, "assistant": lambda ask: Refused("no")}, package, condition="radar-l")
    assert session.status == "finished"
    assert worker.desks[-1].said["words"] == "The assistant has no answer."


def test_two_people_share_an_office_and_each_act_is_theirs(package, small, working, held, record_of):
    plan = [call("note", text="I take the mail."), call("read", message="m-1"), call("look", page="notes")]
    helper = working([call("brief", text="All is well."), call("look", page="notes")])
    cast = {"subject": working(plan), "helper": helper}
    instance, session, journal = held(cast, package, condition="cots+a")
    assert session.status == "finished"
    office = office_of(record_of(instance, journal), world=small)
    # Two people work at once: the helper's long act ends when it ends, whatever the other has done meanwhile.
    assert [(each.tick, each.role, each.call) for each in office.history] == [
        (10, "subject", "note"),
        (35, "subject", "read"),
        (50, "subject", "look"),
        (300, "helper", "brief"),
        (315, "helper", "look"),
    ]
    assert "I take the mail." in helper.desks[-1].said["words"]
    assert replay(instance, journal.events).status == "finished"


def test_a_helper_who_goes_home_leaves_the_other_at_work(package, small, working, held, record_of):
    cast = {"subject": working([call("brief", text="Alone now.")], leaves=True), "helper": working([], leaves=True)}
    instance, session, journal = held(cast, package, condition="cots+a")
    assert session.status == "finished"
    office = office_of(record_of(instance, journal), world=small)
    assert [(each.role, each.call) for each in office.history] == [
        ("helper", "finish"),
        ("subject", "brief"),
        ("subject", "finish"),
    ]


def test_conditions_of_ones_own_come_from_a_file(tmp_path, package, working, held):
    path = tmp_path / "mine.yaml"
    path.write_text("about: Only reading.\ntools: [read, look, finish]\n")
    worker = working([call("read", message="b-1")], leaves=True)
    _, session, _ = held(worker, package, condition=str(path))
    assert session.status == "finished"
    path.with_name("bad.yaml").write_text("about: Flying.\ntools: [fly]\n")
    with pytest.raises(MensuraError, match="no tool called 'fly'"):
        find_condition(str(tmp_path / "bad.yaml"))
    path.with_name("torn.yaml").write_text("about: Torn.\ntools: [")
    with pytest.raises(MensuraError, match=r"torn\.yaml:\d+: this is not YAML"):
        find_condition(str(tmp_path / "torn.yaml"))
    path.with_name("lonely.yaml").write_text("about: Nobody answers.\ntools: [read, optimise, finish]\n")
    with pytest.raises(MensuraError, match="optimise needs someone to answer"):
        find_condition(str(tmp_path / "lonely.yaml"))
    with pytest.raises(MensuraError, match="Did you mean cots"):
        find_condition("cot")


def test_every_tool_has_a_price_and_an_act_and_every_condition_knows_its_tools():
    assert set(TOOLS) == set(COSTS)
    assert all(set(has.tools) <= set(TOOLS) for has in CONDITIONS.values())
    assert price(Proposal().check({"kind": "label"})) == 0


@pytest.mark.parametrize("arguments", [["room"], "room", 7, None])
def test_a_proposal_whose_acts_have_no_arguments_by_name_is_refused_in_a_sentence(arguments):
    with pytest.raises(Invalid, match="An act is") as said:
        Proposal().check({"kind": "suggest", "acts": [{"call": "move", "arguments": arguments}]})
    assert "\n" not in str(said.value)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"minutes": 0}, "at least a minute"),
        ({"condition": "radar-l", "ablate": "nosuch"}, "no learner called 'nosuch'"),
        ({"package": "crisis-0"}, "no package called 'crisis-0'"),
        ({"package": "nowhere.yaml"}, "cannot be read"),
        ({"condition": "radar+l", "learned": "nowhere.json"}, "no file 'nowhere.json'"),
    ],
)
def test_what_cannot_be_taken_is_the_users_mistake_and_one_sentence(package, parameters, words, advising):
    cast = {"subject": Nothing(), **({"assistant": advising()} if "condition" in parameters else {})}
    with pytest.raises(BadParameter, match=words):
        take(crisis, cast, seed=1, parameters={"package": package, **parameters})


def test_what_was_learned_in_a_test_is_refused(package, small, tmp_path, advising):
    source = LearnedFrom("crisis-1", "test", "0" * 16, 7, "campus")
    Learned(sources=[source]).write(tmp_path / "wrong.json")
    with pytest.raises(BadParameter, match="only training packages may be learned from"):
        take(
            crisis,
            {"subject": Nothing(), "assistant": advising()},
            seed=1,
            parameters={"package": package, "condition": "radar+l", "learned": str(tmp_path / "wrong.json")},
        )
