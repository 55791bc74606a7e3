"""The waiting room: a limit, a paid way out, and people put together in the order in which they came."""

import pytest

from mensura.errors import BadParameter, UnknownName
from mensura.running.people.waiting_room import WaitingRoom, release
from mensura.running.study.payment import payments
from mensura.running.study.procedure import Pay
from mensura.store.people.invitations import Step
from mensura.web.lab.people.invitation import InvitationPlan
from mensura.web.lab.people.invitation import invite as invite_batch
from mensura.web.participant.invitation import Frame, invite
from mensura.web.participant.lobby import begin
from tests.web.participant.test_lobby import kinds

ROOM = {"minutes": 5, "pay": 2.5, "code": "WAITED-7"}


@pytest.fixture
def arriving(store, enter):
    """Give links to several sessions of two, and a way to come by one of them."""

    def make(sessions=2, **room):
        frame = Frame(after=[Step("thanks")], details={"study": "pairs", "waiting": {**ROOM, **room}})
        return invite("dilemma", store=store, sessions=sessions, seed=1, parameters={"rounds": 2}, frame=frame)[1]

    return make


def test_those_who_wait_are_told_how_long_and_may_then_leave_with_pay_and_code(arriving, enter, store, hand_clock):
    link = arriving()[0]
    ada = enter(link.path)
    assert "If they have not come in 5 min, you can leave and are paid 2.50 for waiting." in ada.text
    assert ada.post("leave", step="0", csrf=ada.text.split('data-csrf="')[1].split('"')[0]).status_code == 409
    for minute in range(1, 6):
        assert ada.tick().status_code == 204
        hand_clock.wait(60)
        assert ada.tick().status_code == 200, "the page says anew how long it takes"
        ada.look()
        assert f"in {5 - minute} min" in ada.text or minute == 5
    assert "Leave the waiting room" in ada.text
    ada.post("leave")
    assert ada.kind == "thanks"
    assert "You are paid 2.50 for having waited." in ada.text
    assert "Your code: <code>WAITED-7</code>" in ada.text
    ada.look()
    assert ada.kind == "thanks", "a reload changes nothing"
    kept = store.invitations.get(link.invitation.number)
    assert kept.details["released"] == {"waited": pytest.approx(300, abs=1), "pay": 2.5, "code": "WAITED-7"}
    assert [line.did for line in store.trail.about(kept.sign)] == ["let someone leave the waiting room"]
    (due,) = payments("pairs", Pay(per_half_hour=10), store=store)
    assert (due.total, due.half_hours) == (2.5, 0)


def test_nobody_is_let_go_whose_session_has_begun(arriving, enter, store, hand_clock):
    first, second = arriving(sessions=1)
    ada = enter(first.path)
    hand_clock.wait(301)
    ada.look()
    enter(second.path)
    ada.post("leave")
    assert ada.page.status_code == 409
    assert ada.kind == "ask"
    assert not release(store, store.invitations.get(first.invitation.number))


def test_without_a_limit_there_is_no_way_out_and_nothing_is_said_of_one(enter, links):
    ada = enter(links("dilemma", rounds=2)[0].path)
    assert "you can leave" not in ada.text
    assert "Leave the waiting room" not in ada.text


def test_by_arrival_those_meet_who_came_first(arriving, enter, store):
    first, _, _, fourth = arriving(match="arrival")
    ada = enter(first.path)
    assert ada.kind == "lobby"
    bohdan = enter(fourth.path)
    assert bohdan.kind == "ask"
    ada.look()
    assert ada.kind == "ask"
    signs = {first.invitation.sign, fourth.invitation.sign}
    assert {who for _, _, who in kinds(store, first.session, "join")} == signs
    assert store.events.last_number(fourth.session) == 0


def test_every_place_still_has_one_link_after_places_were_exchanged(arriving, enter, store):
    made = arriving(sessions=3, match="arrival")
    for number in (0, 5, 2, 4):
        enter(made[number].path)
    places = sorted(
        (step.session, step.role)
        for link in made
        for step in store.invitations.get(link.invitation.number).steps
        if step.session
    )
    assert places == sorted((link.session, link.role) for link in made)
    assert sum(bool(store.events.last_number(name)) for name in {link.session for link in made}) == 2


@pytest.mark.parametrize(("detail", "one", "other"), [("stratum", "old", "young"), ("cohort", 1, 2)])
def test_by_arrival_strata_and_cohorts_do_not_mix(arriving, enter, store, detail, one, other):
    made = arriving(match="arrival")
    for link, value in zip(made, (one, other, other, one), strict=True):
        store.seating.note(link.invitation.number, detail, value)
    assert enter(made[0].path).kind == "lobby"
    assert enter(made[2].path).kind == "lobby"
    assert enter(made[3].path).kind == "ask"


def test_someone_who_was_moved_as_the_session_began_blocks_nobody(arriving, enter, app, store):
    first, second, elsewhere, _ = arriving(match="arrival")
    ada = enter(first.path)
    for link in (elsewhere, second):
        store.presence.beat(link.invitation.sign)
    joined = {"first": first.invitation.sign, "second": elsewhere.invitation.sign}
    app.state.laboratory.sessions.act(first.session, lambda live: begin(live, joined))
    bohdan = enter(second.path)
    assert bohdan.kind == "ask"
    assert kinds(store, first.session, "replace") == [("replace", "second", second.invitation.sign)]
    ada.look()
    assert ada.kind == "ask"


def test_who_left_the_waiting_room_long_ago_is_matched_with_nobody(arriving, enter, hand_clock):
    made = arriving(match="arrival")
    enter(made[0].path)
    hand_clock.wait(60)
    assert enter(made[2].path).kind == "lobby"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"minutes": 0}, "more than 0"),
        ({"minutes": "ten"}, "is a number"),
        ({"pay": 2}, "after how many minutes"),
        ({"minutes": 5, "pay": -1}, "0 or more"),
        ({"minutes": 5, "code": "<b>"}, "letters, digits"),
        ({"match": "looks"}, "by links or by arrival"),
        ("ten minutes", "named parts"),
    ],
)
def test_a_waiting_room_that_means_nothing_is_refused(given, words):
    with pytest.raises(BadParameter, match=words):
        WaitingRoom.read(given)


def test_a_part_that_a_waiting_room_does_not_have_is_named():
    with pytest.raises(UnknownName, match="minutes"):
        WaitingRoom.read({"minuts": 5})


def test_people_who_meet_several_times_keep_their_partners(store):
    plan = InvitationPlan("dilemma", sessions=2, waiting={"match": "arrival"})
    with pytest.raises(BadParameter, match="keep their partners"):
        invite_batch(plan, store=store, created_by="erin")
