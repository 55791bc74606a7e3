"""Replay: resuming is replaying, and a difference is named."""

from dataclasses import replace

import numpy as np
import pytest

from mensura.dialogue import (
    Ask,
    Break,
    Instance,
    Number,
    Probability,
    Refused,
    Round,
    Save,
    Session,
    catch_up,
    replay,
    test,
)
from mensura.errors import Invalid, ReplayDiffers

HALF = Probability()


@test("busy-v1", roles=("a", "b"))
def busy(rng, clock, *, turns: int = 30, saved=None):
    """A bit of everything: rounds, deadlines, saves, breaks, chance, tells."""
    state = saved or {"turn": 0, "sum": 0.0}
    while state["turn"] < turns:
        turn = state["turn"]
        offer = rng.random()
        asks = [Ask(f"{turn}: {offer:.6f}", HALF, role=role, key=f"{role}{turn}", truth=offer) for role in "ab"]
        answers = yield Round(asks, until=clock.now + 5)
        state["sum"] += sum(answers.values())
        yield Ask(f"sum {state['sum']:.6f}", role="a", reward=len(answers))
        if turn % 7 == 3:
            yield Break("Rest.")
        state["turn"] += 1
        if turn % 10 == 9:
            yield Save(dict(state))


def act(session, rng):
    """Do something that could happen."""
    if session.paused is not None:
        if session.stopped_by or rng.random() < 0.7:
            session.unpause(by=session.stopped_by and "observer")
        else:
            session.pause(by="observer")
        return
    role = str(rng.choice(list(session.open)))
    what = rng.random()
    tick = session.clock.now + int(rng.integers(3))
    if what < 0.1:
        session.advance(session.deadline)
    elif what < 0.2:
        with pytest.raises(Invalid):
            session.answer("nonsense", role=role)
    elif what < 0.25:
        session.refuse("no", role=role)
    elif what < 0.28:
        session.pause(tick=session.clock.now, by=str(rng.choice(["", "observer"])))
    elif what < 0.31:
        session.leave(role)
        session.join(role, who="again")
    elif what < 0.33:
        session.replace(role, who="other")
    else:
        session.answer(float(rng.random()), role=role, tick=tick if tick < session.deadline else None)


def lived(seed, *, acts=200, trace="full"):
    """Live a session at random, with its log."""
    instance = Instance(busy, busy.fill(), seed)
    session = Session(instance, trace=trace)
    session.start()
    rng = np.random.default_rng(seed)
    events = session.drain()
    for _ in range(acts):
        if session.status != "open":
            break
        act(session, rng)
        events += session.drain()
    return instance, session, events


def state_of(session):
    asks = {role: (ask.prompt, ask.key, ask.until, session.asked[role]) for role, ask in session.open.items()}
    return (
        session.status,
        session.clock.now,
        session.log.number,
        asks,
        session.paused,
        session.stopped_by,
        session.turns,
    )


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("trace", ["full", "summary"])
def test_a_session_is_resumed_where_its_log_ends(seed, trace):
    instance, session, events = lived(seed, acts=40 + 13 * seed, trace=trace)
    again = replay(instance, events, from_save=False)
    assert state_of(again) == state_of(session)
    assert again.drain() == []


@pytest.mark.parametrize("seed", range(6))
def test_resuming_from_a_save_equals_replaying_everything(seed):
    instance, session, events = lived(seed, acts=150)
    assert any(event.kind == "save" for event in events)
    assert state_of(replay(instance, events)) == state_of(replay(instance, events, from_save=False))
    assert state_of(replay(instance, events)) == state_of(session)


@pytest.mark.parametrize("cut", range(1, 60, 3))
def test_a_log_cut_anywhere_is_completed_with_the_same_events(cut):
    instance, _, events = lived(3, acts=60)
    inputs = [event for event in events[cut:] if event.kind not in ("ask", "tell", "withdraw", "save", "digest")]
    again = replay(instance, events[:cut])
    made = again.drain()
    assert [(e.number, e.kind, e.key) for e in made] == [
        (e.number, e.kind, e.key) for e in events[cut : cut + len(made)]
    ]
    assert inputs


def test_a_resumed_session_goes_on_as_if_nothing_had_happened():
    instance, _, events = lived(5, acts=400)
    half = next(i for i, event in enumerate(events) if event.kind == "answer" and event.number > 80)
    again = replay(instance, events[:half])
    rest = again.drain()
    for event in events[half:]:
        if event.number <= again.log.number or event.kind != "answer":
            break
        again.answer(event.value, role=event.role, tick=event.tick)
        rest += again.drain()
    assert [e.content for e in rest if e.kind == "ask"] == [
        e.content for e in events[half : half + len(rest)] if e.kind == "ask"
    ]


@test("drifting-v1")
def drifting(rng, *, flaw: int = -1):
    """Ask numbers; with a flaw one ask comes out otherwise."""
    for i in range(250):
        yield Ask(f"ask {i}{'!' if i == flaw else ''}", HALF, key=f"k{i}")


def drifted_log(trace, answers=250):
    session = Session(Instance(drifting, drifting.fill(), 1), trace=trace)
    session.start()
    for _ in range(answers):
        session.answer(0.5)
    return session.drain()


def test_a_replay_that_meets_a_different_ask_names_the_first_difference():
    changed = Instance(drifting, drifting.fill({"flaw": 120}), 1)
    with pytest.raises(ReplayDiffers, match=r"Ask \d+ \('k120'\) differs in content: recorded .*ask 120.*ask 120!"):
        replay(changed, drifted_log("full"))


def test_a_summary_still_notices_a_difference():
    changed = Instance(drifting, drifting.fill({"flaw": 120}), 1)
    with pytest.raises(ReplayDiffers, match="digests"):
        replay(changed, drifted_log("summary"))


def test_a_difference_after_the_last_digest_is_noticed_too():
    changed = Instance(drifting, drifting.fill({"flaw": 120}), 1)
    with pytest.raises(ReplayDiffers, match="k120"):
        replay(changed, drifted_log("full", answers=130))


def test_a_test_that_now_ends_earlier_is_noticed():
    @test("shrinking-v1")
    def shrinking(rng, *, asks: int = 20):
        for i in range(asks):
            yield Ask(f"{i}", Number(), key=f"k{i}")

    session = Session(Instance(shrinking, shrinking.fill(), 1))
    session.start()
    for i in range(20):
        session.answer(i)
    with pytest.raises(ReplayDiffers, match="does not come any more"):
        replay(Instance(shrinking, {"asks": 12}, 1), session.drain())


def test_a_log_whose_answer_was_meddled_with_does_not_replay_silently():
    instance, _, events = lived(2, acts=120)
    index = next(i for i, event in enumerate(events) if event.kind == "answer")
    events[index] = replace(events[index], value=0.123456)
    with pytest.raises(ReplayDiffers, match="differs in content"):
        replay(instance, events, from_save=False)


def test_an_ended_session_replays_to_its_end():
    session = Session(Instance(drifting, drifting.fill(), 1))
    session.start()
    session.answer(0.5)
    session.stop("crashed", last_words="bang")
    again = replay(Instance(drifting, drifting.fill(), 1), session.drain())
    assert (again.status, again.last_words) == ("crashed", "bang")


def test_an_empty_log_starts_from_the_beginning():
    again = replay(Instance(drifting, drifting.fill(), 1), [])
    assert again.open["subject"].key == "k0"
    assert [event.kind for event in again.drain()] == ["ask"]


@pytest.mark.parametrize("cut", [1, 20, 45])
def test_a_live_session_catches_up_with_what_another_process_did(cut):
    instance, session, events = lived(4, acts=80)
    inputs = [i for i, event in enumerate(events) if event.kind in ("answer", "refuse", "lapse") and i > cut]
    behind = replay(instance, events[: inputs[0]], from_save=False)
    behind.drain()
    catch_up(behind, events[inputs[0] :])
    catch_up(behind, [])
    assert state_of(behind) == state_of(session)
    assert behind.drain() == []


def log_of(definition, answers):
    session = Session(Instance(definition, definition.fill(), 1))
    session.start()
    for answer in answers:
        session.answer(answer)
    return session.drain()


def numbered(asks):
    @test("numbered-v1")
    def numbered(rng):
        for i in range(asks):
            yield Ask(f"{i}?", HALF, key=f"k{i}")

    return numbered


def test_a_witness_hears_every_answer_with_its_ask():
    heard = []
    log = log_of(numbered(3), [0.1, 0.2])
    replay(Instance(numbered(3), {}, 1), log, witness=lambda role, ask, value: heard.append((role, ask.key, value)))
    assert heard == [("subject", "k0", 0.1), ("subject", "k1", 0.2)]


def test_a_witness_hears_what_was_told_before_each_ask_also_one_that_was_refused():
    @test("told-v1")
    def told(rng):
        for number in range(3):
            yield Ask(f"Rule {number}.")
            yield Ask(f"{number}?", HALF, key=f"k{number}")

    session = Session(Instance(told, {}, 1))
    session.start()
    session.answer(0.1)
    session.refuse("No.")
    heard = []
    resumed = replay(session.instance, session.drain(), witness=lambda _, ask, value: heard.append((ask.prompt, value)))
    assert heard == [("Rule 0.", None), ("0?", 0.1), ("Rule 1.", None), ("1?", Refused("No."))]
    assert [ask.prompt for ask in resumed.told["subject"]] == ["Rule 2."]


def test_a_test_that_became_shorter_or_breaks_is_named_on_replay():
    log = log_of(numbered(3), [0.1, 0.2])
    with pytest.raises(ReplayDiffers, match=r"Ask 3 \('k1'\) was recorded but does not come any more"):
        replay(Instance(numbered(1), {}, 1), log)

    @test("numbered-v1")
    def broken(rng):
        yield Ask("0?", HALF, key="k0")
        raise ValueError("lost")

    with pytest.raises(ReplayDiffers, match="was recorded but does not come any more"):
        replay(Instance(broken, {}, 1), log)


def test_a_log_that_refuses_what_nobody_asks_is_no_log_of_this_test():
    log = log_of(numbered(1), [0.1])
    strange = replace(log[1], kind="refuse", role="stranger")
    with pytest.raises(ReplayDiffers):
        replay(Instance(numbered(1), {}, 1), [log[0], strange])
