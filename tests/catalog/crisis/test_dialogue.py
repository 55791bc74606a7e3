"""The crisis as a dialogue: time, conditions, the break, replay, and resuming after a kill."""

import json
import pickle
from pathlib import Path

import pytest

from mensura.catalog.crisis.assistant.learned import Learned, Source
from mensura.catalog.crisis.dialogue import crisis, roles_of
from mensura.catalog.crisis.office.replay import office_of, truth_of
from mensura.catalog.crisis.office.request import KINDS, Proposal
from mensura.catalog.crisis.packages.build import build_world
from mensura.catalog.crisis.settings import CONDITIONS, COSTS, find_condition, price
from mensura.catalog.crisis.subjects.nothing import Nothing
from mensura.catalog.crisis.tools import TOOLS, acts_of
from mensura.dialogue import Instance, Refused, Session, Wait, make_record, replay
from mensura.dialogue.canonical import canonical
from mensura.errors import BadParameter, Invalid, MensuraError
from mensura.running.scoring import score_record
from mensura.running.take import drive, recall, take
from mensura.store import MemoryJournal
from mensura.subjects.chance import Chance


@pytest.fixture(scope="session")
def package(small, tmp_path_factory) -> str:
    """Give the small world as a file, which is a package of its own."""
    path: Path = tmp_path_factory.mktemp("crisis") / "small.json"
    path.write_text(json.dumps(small.data()))
    return str(path)


def call(name, **arguments):
    return {"call": name, "arguments": arguments}


PLAN = (
    call("read", message="m-1"),
    call("ask_room", room="auditorium", day=2, block=1),
    call("move", event="dinner", room="terrace", day=3, block=5),
    call("change_order", order="o-2"),
    call("edit_entry", entry="site-dinner", field="room", value="Terrace Room"),
    call("note", text="keynote: wait for Ines"),
    call("wait", seconds=400),
    call("move", event="keynote", room="auditorium", day=2, block=1),
    call("brief", text="The Great Hall is lost on Tuesday. The keynote moves to the Orchard Auditorium."),
    call("move", event="keynote", room="great", day=2, block=1),
    call("search", words="umbrella"),
    call("reply", message="m-5", text="Behind Orchard House."),
)


class Worker:
    """Does what a plan says, then waits or leaves."""

    recomputes = True

    def __init__(self, plan=PLAN, *, leaves=False, skip=0):
        self.plan = list(plan)[skip:]
        self.leaves = leaves
        self.desks = []

    def __call__(self, ask):
        self.desks.append(ask.prompt)
        if self.plan:
            return self.plan.pop(0)
        return call("finish") if self.leaves else Wait()


class Adviser:
    """Plays the assistant: labels every message, and proposes to move the dinner."""

    def __init__(self):
        self.requests = []

    def __call__(self, ask):
        request = ask.prompt
        self.requests.append(request)
        labels = {message: ["crisis"] for message in request.about.get("messages", [])}
        move = call("move", event="dinner", room="terrace", day=3, block=5)
        acts = [] if request.kind == "label" else [move, call("note", text="moved")]
        return {"kind": request.kind, "words": f"By {request.learned or 'nothing'}.", "acts": acts, "labels": labels}


def held(subject, package, *, seed=1, **parameters):
    """Hold a session, and give its events beside its end."""
    instance = Instance(crisis, crisis.fill({"package": package, "minutes": 30, **parameters}), seed)
    cast = subject if isinstance(subject, dict) else {"subject": subject}
    session, journal = Session(instance), MemoryJournal()
    drive(session, cast, journal=journal)
    return instance, session, journal


def record_of(instance, journal):
    return make_record(journal.events, test=crisis.id, parameters=instance.parameters)


def state(office):
    return canonical(
        [
            office.now,
            office.visible(),
            office.spent,
            [[each.tick, each.role, each.call, each.arguments, each.ok, each.words] for each in office.history],
        ]
    )


def test_doing_nothing_lets_the_time_pass_and_is_scored(package):
    taken = take(crisis, Nothing(), seed=1, parameters={"package": package, "minutes": 30})
    assert taken.record.status == "finished"
    assert [answer.status for answer in taken.record.answers] == ["lapsed", "lapsed"]
    assert taken.record.answers[-1].tick == 30 * 60
    scores = score_record(crisis, taken.record, taken.truths)
    assert scores.values["publishing"] == 0
    assert scores.values["briefing"] == 0
    assert scores.values["final"] == scores.details["floor"]["final"]


def test_programs_pay_the_stated_price_of_each_act(package):
    instance, _, journal = held(Worker(leaves=True), package)
    answers = [answer for answer in record_of(instance, journal).answers if answer.status == "answered"]
    paid = [answer.tick - answer.asked for answer in answers]
    assert paid == [price(act) for act in (*PLAN, call("finish"))]
    assert paid[:3] == [COSTS["read"], COSTS["ask_room"], COSTS["move"]]


def test_a_session_lasts_as_long_as_its_package_says_unless_told_otherwise(package):
    for given, minutes in (({}, 30), ({"minutes": 45}, 45)):
        session = Session(Instance(crisis, crisis.fill({"package": package, **given}), 1))
        session.start()
        assert session.open["subject"].prompt.left == minutes * 60
    assert build_world("crisis-1").minutes == 120
    assert build_world("practice-1").minutes == 20


def test_mail_arrives_by_tick_whatever_is_done(package, small):
    worker = Worker()
    instance, _, journal = held(worker, package)
    busy = office_of(record_of(instance, journal), world=small)
    instance, _, journal = held(Nothing(), package)
    idle = office_of(record_of(instance, journal), world=small)
    written = [letter.id for letter in busy.mailbox.values() if letter.id.startswith("r-")]
    assert [id for id in busy.mailbox if id not in written] == list(idle.mailbox)
    assert written
    shown = [(header["id"], desk.now) for desk in worker.desks for header in desk.new]
    assert len({id for id, _ in shown}) == len(shown)
    assert all(busy.mailbox[id].tick <= now for id, now in shown)


def test_every_act_is_answered_logged_and_never_lost(package, small):
    acts = [
        call("move", event="keynote", room="nowhere", day=1, block=1),
        call("order", vendor="nobody", item="x", quantity=1, event="keynote"),
        call("cancel_order", order="o-99"),
        call("ask_room", room="terrace", day=1, block=1),
        call("order", vendor="petal", item="bouquet", quantity=-1, event="keynote"),
        call("look", page="nothing"),
    ]
    worker = Worker(acts, leaves=True)
    instance, session, journal = held(worker, package)
    assert session.status == "finished"
    office = office_of(record_of(instance, journal), world=small)
    assert [each.call for each in office.history] == [act["call"] for act in (*acts, call("finish"))]
    assert [each.ok for each in office.history] == [False] * 6 + [True]
    assert all(desk.said["words"] for desk in worker.desks)
    assert office.now == sum(price(act) for act in acts)


def test_malformed_calls_get_one_sentence(package):
    session = Session(Instance(crisis, crisis.fill({"package": package}), 1))
    session.start()
    for wrong, words in [
        ({"call": "mov"}, "Did you mean move"),
        (call("move", event="keynote"), "move needs room"),
        (call("move", event="keynote", room="l12", day="one", block=1), "day of move"),
        (call("optimise"), "no tool called 'optimise'"),
        ("read m-1", 'Give {"call": name'),
    ]:
        with pytest.raises(Invalid, match=words) as said:
            session.open["subject"].space.check(wrong)
        assert "\n" not in str(said.value)


@pytest.mark.parametrize(
    "wrong",
    [
        call("wait", seconds=10**12),
        call("wait", seconds="soon"),
        call("wait"),
        call("accept", proposal="p1", parts="1 " * 10**6),
        {"call": ["wait"]},
        None,
        "wait",
    ],
)
def test_nonsense_costs_a_moment_and_not_the_day(package, small, wrong):
    worker = Worker([wrong, call("read", message="m-1")], leaves=True)
    instance, session, journal = held(worker, package)
    assert session.status == "finished"
    office = office_of(record_of(instance, journal), world=small)
    assert [each.call for each in office.history] == ["read", "finish"]
    assert office.now <= COSTS["read"] + COSTS["accept"] + 2000


@pytest.mark.parametrize(
    ("wrong", "cost"),
    [
        ("read m-1", 1),
        (call("red", message="m-1"), 1),
        (call("wait", seconds="soon"), 1),
        (call("wait", seconds=10**12), 1),
        (call("move", event="keynote"), COSTS["move"]),
    ],
)
def test_a_malformed_call_costs_what_its_act_does_and_one_tick_where_it_names_none(package, small, wrong, cost):
    instance, _, journal = held(Worker([wrong], leaves=True), package)
    assert office_of(record_of(instance, journal), world=small).now == cost


def test_the_whole_state_replays_from_the_log(package, small):
    instance, _, journal = held(Worker(), package)
    office = office_of(record_of(instance, journal))
    again = office_of(record_of(instance, journal), world=small)
    assert state(office) == state(again)
    assert office.place["keynote"] == ("auditorium", 5)
    assert office.place["dinner"] == ("terrace", 14)
    assert office.orders["o-2"].room == "terrace"
    assert office.site["site-dinner"]["room"] == "Terrace Room"
    assert replay(instance, journal.events).status == "finished"
    assert replay(instance, journal.events, from_save=False).status == "finished"


def test_the_state_in_the_middle_can_be_had(package, small):
    instance, _, journal = held(Worker(), package)
    early = office_of(record_of(instance, journal), world=small, until=200)
    assert early.now == 200
    assert early.place["keynote"] == ("great", 5)
    assert early.place["dinner"] == ("terrace", 14)
    assert early.bumps[0].answer is None


def test_the_break_comes_after_half_the_time_with_a_save_and_a_snapshot_in_words(package):
    worker = Worker([call("wait", seconds=890), call("brief", text="Soon."), call("read", message="m-1")])
    _, _, journal = held(worker, package)
    kinds = [event.kind for event in journal.events]
    save = kinds.index("save")
    assert kinds[save - 1 : save + 3] == ["tell", "save", "pause", "unpause"]
    half = journal.events[save - 1]
    assert half.key == "half"
    assert "0 events moved" in half.content["prompt"]
    assert "1 words of briefing" in half.content["prompt"]
    # The act that was under way when half of the time was over is not cut off.
    assert journal.events[save].tick == 890 + COSTS["brief"]
    assert [desk.now for desk in worker.desks][:4] == [0, 890, 1190, 1215]


def test_a_page_looks_again_when_the_break_is_due_even_if_no_mail_comes_then(package, small):
    seen = []

    def reader(ask):
        if ask.key == "act":
            whole = ask.prompt.page_data()
            seen.append((whole["now"], whole["next"]))
        return call("wait", seconds=100)

    take(crisis, reader, seed=1, parameters={"package": package, "minutes": 30})
    half, letters = 900, [letter.tick for letter in small.letters]
    assert {now >= half for now, _ in seen} == {False, True}
    for now, due in seen:
        ahead = [tick for tick in letters if tick > now] + ([half] if now < half else [])
        assert due == min(ahead, default=None)


def test_going_on_from_the_save_gives_the_rest_again(package):
    plan = (*PLAN, call("wait", seconds=100), call("read", message="m-2"), call("look", page="schedule"))
    instance, _, journal = held(Worker(plan), package, minutes=20)
    events = journal.events
    assert sum(event.kind == "save" for event in events) == 1
    for end in range(1, len(events) + 1):
        part = replay(instance, events[:end])
        full = replay(instance, events[:end], from_save=False)
        assert (part.clock.now, part.status) == (full.clock.now, full.status)
        assert {role: ask.prompt.data() for role, ask in part.open.items()} == {
            role: ask.prompt.data() for role, ask in full.open.items()
        }
        pages = [canonical(ask.prompt.page_data()) for kept in (part, full) for ask in kept.open.values()]
        assert len(set(pages)) <= 1


def test_a_session_killed_at_any_act_goes_on_to_the_same_end(package, small):
    instance, _, journal = held(Worker(leaves=True), package, minutes=20)
    whole = state(office_of(record_of(instance, journal), world=small))
    answered = [place for place, event in enumerate(journal.events) if event.kind == "answer"]
    for done, place in enumerate(answered, start=1):
        kept = journal.events[: place + 1]
        worker = Worker(leaves=True, skip=done)
        session, past = recall(instance, kept, {"subject": worker})
        rest = MemoryJournal()
        drive(session, {"subject": worker}, journal=rest, past=past)
        record = make_record([*kept, *rest.events], test=crisis.id, parameters=instance.parameters)
        assert state(office_of(record, world=small)) == whole


def test_time_runs_out_over_an_act_that_takes_too_long(package, small):
    instance, session, journal = held(Worker([call("wait", seconds=100), call("wait", seconds=7000)]), package)
    assert session.status == "finished"
    record = record_of(instance, journal)
    assert record.answers[-1].tick == 1800
    assert office_of(record, world=small).now == 1800


@pytest.fixture(scope="session")
def learned(tmp_path_factory) -> str:
    """Give a store of what was learned that is empty, from a training session."""
    path: Path = tmp_path_factory.mktemp("learned") / "learned.json"
    Learned(sources=[Source("training-1", "training", "1" * 16, 1, "campus")]).write(path)
    return str(path)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_each_condition_offers_its_tools_and_no_others(package, learned, condition):
    has = find_condition(condition)
    assert roles_of(condition=condition) == has.roles
    cast = {"subject": Worker(leaves=True), "helper": Nothing(), "assistant": Adviser()}
    cast = {role: cast[role] for role in has.roles}
    instance, session, _ = held(cast, package, condition=condition, learned=learned)
    assert session.status == "finished"
    fresh = Session(instance)
    fresh.start()
    while "subject" not in fresh.open:
        fresh.answer({"kind": "label"}, role="assistant")
    assert set(fresh.open["subject"].space.tools) == set(has.tools)
    assert fresh.open["subject"].space is acts_of(has.tools)


def test_a_sheet_takes_double_bookings_and_a_checked_schedule_does_not(package, small):
    plan = [call("move", event="papers", room="great", day=2, block=1)]
    for condition, where in (("cots", ("great", 5)), ("agent", ("auditorium", 0))):
        instance, _, journal = held(Worker(plan, leaves=True), package, condition=condition)
        assert office_of(record_of(instance, journal), world=small).place["papers"] == where


@pytest.mark.parametrize("condition", ["radar-l", "radar+l"])
def test_the_assistant_is_a_logged_role_and_what_it_proposes_is_done_when_accepted(package, small, condition, learned):
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
    worker, adviser = Worker(plan, leaves=True), Adviser()
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


def test_what_the_assistant_may_know_is_made_when_it_is_wanted_and_not_logged(package):
    adviser = Adviser()
    _, _, journal = held(
        {"subject": Worker([call("optimise")], leaves=True), "assistant": adviser}, package, condition="radar-l"
    )
    request = next(request for request in adviser.requests if request.kind == "optimise")
    assert {"letters", "manual", "facts", "place", "constraints", "history"} <= set(request.known)
    content = next(event.content for event in journal.events if event.key == "assistant:optimise")
    assert content["prompt"] == {"kind": "optimise", "about": {}, "learned": "", "ablate": []}
    assert len(canonical(content)) < 2000


def test_an_assistant_that_declines_is_said_so(package):
    worker = Worker([call("optimise")], leaves=True)
    _, session, _ = held({"subject": worker, "assistant": lambda ask: Refused("no")}, package, condition="radar-l")
    assert session.status == "finished"
    assert worker.desks[-1].said["words"] == "The assistant has no answer."


def test_two_people_share_an_office_and_each_act_is_theirs(package, small):
    plan = [call("note", text="I take the mail."), call("read", message="m-1"), call("look", page="notes")]
    helper = Worker([call("brief", text="All is well."), call("look", page="notes")])
    cast = {"subject": Worker(plan), "helper": helper}
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


def test_a_helper_who_goes_home_leaves_the_other_at_work(package, small):
    cast = {"subject": Worker([call("brief", text="Alone now.")], leaves=True), "helper": Worker([], leaves=True)}
    instance, session, journal = held(cast, package, condition="cots+a")
    assert session.status == "finished"
    office = office_of(record_of(instance, journal), world=small)
    assert [(each.role, each.call) for each in office.history] == [
        ("helper", "finish"),
        ("subject", "brief"),
        ("subject", "finish"),
    ]


def test_conditions_of_ones_own_come_from_a_file(tmp_path, package):
    path = tmp_path / "mine.yaml"
    path.write_text("about: Only reading.\ntools: [read, look, finish]\n")
    worker = Worker([call("read", message="b-1")], leaves=True)
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


def test_chance_gets_through(package):
    taken = take(crisis, Chance(), seed=3, parameters={"package": package, "minutes": 30})
    assert taken.record.status == "finished"
    assert taken.record.counts()["invalid"] == 0


def test_a_desk_carried_to_another_process_carries_no_office(package):
    session = Session(Instance(crisis, crisis.fill({"package": package}), 1))
    session.start()
    desk = session.open["subject"].prompt
    assert "office" in desk.page_data()
    carried = pickle.dumps(desk)
    assert len(carried) < 5000
    assert "office" not in pickle.loads(carried).page_data()


def test_a_page_stays_small(package):
    session = Session(Instance(crisis, crisis.fill({"package": package}), 1))
    session.start()
    desk = session.open["subject"].prompt
    assert len(canonical(desk.page_data())) < 250_000
    assert len(canonical(desk.data())) < 1000


def test_the_truth_says_which_world_it_was(package, small):
    taken = take(crisis, Nothing(), seed=1, parameters={"package": package, "minutes": 30})
    assert taken.truths["world"]["hash"] == small.hash
    assert small.hash not in canonical([answer.value for answer in taken.record.answers])


def test_a_session_in_a_world_of_ones_own_can_be_scored_where_its_file_is_not(small, tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(small.data()))
    taken = take(crisis, Worker(leaves=True), seed=1, parameters={"package": str(path), "minutes": 30})
    path.unlink()
    truths = json.loads(canonical(taken.truths))
    scores = score_record(crisis, taken.record, truths)
    assert scores.values["final"] > scores.details["floor"]["final"]
    assert "data" not in truth_of(build_world("practice-1"), "practice-1")


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
def test_what_cannot_be_taken_is_the_users_mistake_and_one_sentence(package, parameters, words):
    cast = {"subject": Nothing(), **({"assistant": Adviser()} if "condition" in parameters else {})}
    with pytest.raises(BadParameter, match=words):
        take(crisis, cast, seed=1, parameters={"package": package, **parameters})


def test_what_was_learned_in_a_test_is_refused(package, small, tmp_path):
    source = Source("crisis-1", "test", "0" * 16, 7, "campus")
    Learned(sources=[source]).write(tmp_path / "wrong.json")
    with pytest.raises(BadParameter, match="only training packages may be learned from"):
        take(
            crisis,
            {"subject": Nothing(), "assistant": Adviser()},
            seed=1,
            parameters={"package": package, "condition": "radar+l", "learned": str(tmp_path / "wrong.json")},
        )
