"""The crisis as a dialogue: time, the break, replay, and resuming after a kill."""

import json
import pickle

import pytest

from mensura.catalog.crisis.act import call
from mensura.catalog.crisis.dialogue import crisis
from mensura.catalog.crisis.office.replay import office_of, truth_of
from mensura.catalog.crisis.packages.build import build_world
from mensura.catalog.crisis.settings import COSTS, price
from mensura.catalog.crisis.subjects.nothing import Nothing
from mensura.dialogue import Instance, Session, make_record, replay
from mensura.dialogue.canonical import canonical
from mensura.errors import Invalid
from mensura.running.driver import drive, recall
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take
from mensura.store import MemoryJournal
from mensura.subjects.chance import Chance


def test_doing_nothing_lets_the_time_pass_and_is_scored(package):
    taken = take(crisis, Nothing(), seed=1, parameters={"package": package, "minutes": 30})
    assert taken.record.status == "finished"
    assert [answer.status for answer in taken.record.answers] == ["lapsed", "lapsed"]
    assert taken.record.answers[-1].tick == 30 * 60
    scores = score_record(crisis, taken.record, taken.truths)
    assert scores.values["publishing"] == 0
    assert scores.values["briefing"] == 0
    assert scores.values["final"] == scores.details["floor"]["final"]


def test_programs_pay_the_stated_price_of_each_act(package, working, held, record_of):
    instance, _, journal = held(working(leaves=True), package)
    answers = [answer for answer in record_of(instance, journal).answers if answer.status == "answered"]
    paid = [answer.tick - answer.asked for answer in answers]
    assert paid == [price(act) for act in (*working.PLAN, call("finish"))]
    assert paid[:3] == [COSTS["read"], COSTS["ask_room"], COSTS["move"]]


def test_a_session_lasts_as_long_as_its_package_says_unless_told_otherwise(package):
    for given, minutes in (({}, 30), ({"minutes": 45}, 45)):
        session = Session(Instance(crisis, crisis.fill({"package": package, **given}), 1))
        session.start()
        assert session.open["subject"].prompt.left == minutes * 60
    assert build_world("crisis-1").minutes == 120
    assert build_world("practice-1").minutes == 20


def test_mail_arrives_by_tick_whatever_is_done(package, small, working, held, record_of):
    worker = working()
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


def test_every_act_is_answered_logged_and_never_lost(package, small, working, held, record_of):
    acts = [
        call("move", event="keynote", room="nowhere", day=1, block=1),
        call("order", vendor="nobody", item="x", quantity=1, event="keynote"),
        call("cancel_order", order="o-99"),
        call("ask_room", room="terrace", day=1, block=1),
        call("order", vendor="petal", item="elephant", quantity=1, event="keynote"),
        call("look", page="nothing"),
    ]
    worker = working(acts, leaves=True)
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
def test_nonsense_costs_a_moment_and_not_the_day(package, small, wrong, working, held, record_of):
    worker = working([wrong, call("read", message="m-1")], leaves=True)
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
def test_a_malformed_call_costs_what_its_act_does_and_one_tick_where_it_names_none(
    package, small, wrong, cost, working, held, record_of
):
    instance, _, journal = held(working([wrong], leaves=True), package)
    assert office_of(record_of(instance, journal), world=small).now == cost


def test_the_whole_state_replays_from_the_log(package, small, working, held, record_of, state):
    instance, _, journal = held(working(), package)
    office = office_of(record_of(instance, journal))
    again = office_of(record_of(instance, journal), world=small)
    assert state(office) == state(again)
    assert office.place["keynote"] == ("auditorium", 5)
    assert office.place["dinner"] == ("terrace", 14)
    assert office.orders["o-2"].room == "terrace"
    assert office.site["site-dinner"]["room"] == "Terrace Room"
    assert replay(instance, journal.events).status == "finished"
    assert replay(instance, journal.events, from_save=False).status == "finished"


def test_the_state_in_the_middle_can_be_had(package, small, working, held, record_of):
    instance, _, journal = held(working(), package)
    early = office_of(record_of(instance, journal), world=small, until=200)
    assert early.now == 200
    assert early.place["keynote"] == ("great", 5)
    assert early.place["dinner"] == ("terrace", 14)
    assert early.bumps[0].answer is None


def test_the_break_comes_after_half_the_time_with_a_save_and_a_snapshot_in_words(package, working, held):
    worker = working([call("wait", seconds=890), call("brief", text="Soon."), call("read", message="m-1")])
    _, _, journal = held(worker, package)
    kinds = [event.kind for event in journal.events]
    save = kinds.index("save")
    assert kinds[save - 1 : save + 3] == ["tell", "save", "pause", "unpause"]
    half = journal.events[save - 1]
    assert half.key == "half"
    assert "events moved: 0" in half.content["prompt"]
    assert "words of briefing: 1" in half.content["prompt"]
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


def test_going_on_from_the_save_gives_the_rest_again(package, working, held):
    plan = (*working.PLAN, call("wait", seconds=100), call("read", message="m-2"), call("look", page="schedule"))
    instance, _, journal = held(working(plan), package, minutes=20)
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


def test_a_session_killed_at_any_act_goes_on_to_the_same_end(package, small, working, held, record_of, state):
    instance, _, journal = held(working(leaves=True), package, minutes=20)
    whole = state(office_of(record_of(instance, journal), world=small))
    answered = [place for place, event in enumerate(journal.events) if event.kind == "answer"]
    for place in answered:
        kept = journal.events[: place + 1]
        # It recomputes its answers, so it is asked again for those of the past.
        worker = working(leaves=True)
        session, past = recall(instance, kept, {"subject": worker})
        rest = MemoryJournal()
        drive(session, {"subject": worker}, journal=rest, past=past)
        record = make_record([*kept, *rest.events], test=crisis.id, parameters=instance.parameters)
        assert state(office_of(record, world=small)) == whole


def test_whoever_waits_for_no_time_at_all_comes_to_the_end_of_the_day(package, working, held):
    worker = working([call("wait", seconds=0)] * 100)
    _, session, _ = held(worker, package, minutes=1)
    assert session.status == "finished"
    assert [desk.now for desk in worker.desks] == list(range(60))


def test_time_runs_out_over_an_act_that_takes_too_long(package, small, working, held, record_of):
    instance, session, journal = held(working([call("wait", seconds=100), call("wait", seconds=7000)]), package)
    assert session.status == "finished"
    record = record_of(instance, journal)
    assert record.answers[-1].tick == 1800
    assert office_of(record, world=small).now == 1800


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


def test_a_session_in_a_world_of_ones_own_can_be_scored_where_its_file_is_not(small, tmp_path, working):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(small.data()))
    taken = take(crisis, working(leaves=True), seed=1, parameters={"package": str(path), "minutes": 30})
    path.unlink()
    truths = json.loads(canonical(taken.truths))
    scores = score_record(crisis, taken.record, truths)
    assert scores.values["final"] > scores.details["floor"]["final"]
    assert "data" not in truth_of(build_world("practice-1"), "practice-1")
