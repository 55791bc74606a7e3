"""The session: what is asked, what is logged, and how time, rounds and faults are handled."""

import pytest

from mensura.dialogue import (
    Ask,
    Break,
    Call,
    Choice,
    Instance,
    Limits,
    Number,
    Outcome,
    Probability,
    Round,
    Save,
    Session,
    make_record,
    test,
)
from mensura.errors import BadParameter, BrokenTest, Invalid, Late

HALF = Probability()


def opened(definition, *, seed=1, **more):
    session = Session(Instance(definition, definition.fill(), seed), **more)
    session.start()
    return session


def kinds(session):
    return [event.kind for event in session.drain()]


@test("plain-v1")
def plain(rng):
    """Ask twice."""
    first = yield Ask("One?", HALF, key="one", truth=1)
    yield Ask(f"You said {first}.")
    yield Ask("Two?", HALF, key="two", truth=0, reward=0.5)
    return Outcome("Bye", reward=1.0)


def test_a_session_asks_tells_answers_and_ends():
    session = opened(plain)
    assert session.open["subject"].prompt == "One?"
    session.answer(0.25)
    assert [told.prompt for told in session.told["subject"]] == ["You said 0.25."]
    session.answer(0.75)
    assert session.status == "finished"
    assert session.outcome.reward == 1.0
    assert kinds(session) == ["ask", "answer", "tell", "ask", "answer", "digest", "end"]


def test_truth_is_apart_from_the_ask_and_from_every_event():
    session = opened(plain)
    assert session.open["subject"].truth is None
    session.answer(0.25)
    session.answer(0.75)
    assert session.drain_truths() == {"one": 1, "two": 0}
    assert session.drain_truths() == {}


def test_a_record_pairs_asks_with_answers_and_rewards():
    session = opened(plain)
    session.answer(0.25)
    session.answer(0.75)
    record = make_record(session.drain(), test="plain-v1", parameters={})
    assert record.given() == {"one": 0.25, "two": 0.75}
    assert record.rewards().tolist() == [0.5, 1.0]
    assert record.content(1)["prompt"] == "One?"
    assert record.status == "finished"


def test_an_invalid_answer_is_refused_with_a_sentence_and_asked_again():
    session = opened(plain)
    with pytest.raises(Invalid, match="between 0 and 1; got 7"):
        session.answer(7)
    assert session.open["subject"].key == "one"
    session.answer(0.5)
    record = make_record(session.drain(), test="plain-v1", parameters={})
    assert record.answers[0].invalid == 1
    assert record.counts()["invalid"] == 1


def test_too_many_invalid_answers_in_a_row_end_the_session_as_invalid():
    session = opened(plain, limits=Limits(invalid_in_a_row=2))
    for _ in range(2):
        with pytest.raises(Invalid):
            session.answer({"strange", object()})
    assert session.status == "invalid"
    assert "2 invalid answers" in session.last_words


def test_an_answer_to_an_old_ask_is_late_and_changes_nothing():
    session = opened(plain)
    number = session.asked["subject"]
    session.answer(0.5, number=number)
    with pytest.raises(Late, match="closed"):
        session.answer(0.5, number=number)
    session.answer(0.5)
    with pytest.raises(Late, match="over"):
        session.answer(0.5)


def test_an_answer_for_a_role_that_is_not_asked_is_late():
    session = opened(plain)
    with pytest.raises(Late, match="Nothing is asked of nobody"):
        session.answer(0.5, role="nobody")


def test_a_refusal_gives_the_test_none_and_the_record_says_refused():
    @test("refusable-v1")
    def refusable(rng):
        answer = yield Ask("?", HALF, key="q")
        yield Ask(f"{answer}", HALF, key="after")

    session = opened(refusable)
    session.refuse("I had rather not")
    assert session.open["subject"].prompt == "None"
    record = make_record(session.drain(), test="refusable-v1", parameters={})
    assert record.answers[0].status == "refused"
    assert record.answers[1].status == "missing"


def test_turns_are_limited():
    @test("endless-v1")
    def endless(rng):
        while True:
            yield Ask("?", HALF)

    session = opened(endless, limits=Limits(turns=3))
    for _ in range(3):
        session.answer(0.5)
    assert session.status == "timed_out"
    assert "3 turns" in session.last_words


def test_an_ask_without_key_is_named_by_its_number():
    @test("nameless-v1")
    def nameless(rng):
        yield Ask("?", HALF, truth=1)

    session = opened(nameless)
    assert session.open["subject"].key == "1"
    assert session.drain_truths() == {"1": 1}


def test_one_key_has_one_truth():
    @test("two-truths-v1")
    def two_truths(rng):
        yield Ask("?", HALF, key="q", truth=1)
        yield Ask("?", HALF, key="q", truth=0)

    session = opened(two_truths)
    with pytest.raises(BrokenTest, match="two truths"):
        session.answer(0.5)
    assert session.status == "broken"


@pytest.mark.parametrize(
    ("item", "words"),
    [
        ("a string", "yielded str"),
        (Round([Ask("?", HALF, role="a"), Ask("?", HALF, role="a")]), "one role twice"),
        (Save({1, 2}), "not JSON"),
    ],
)
def test_a_test_that_breaks_the_rules_is_named(item, words):
    @test("rule-breaker-v1")
    def rule_breaker(rng):
        yield item

    with pytest.raises(BrokenTest, match=words):
        opened(rule_breaker)


def test_an_error_in_a_test_is_the_tests_fault_and_the_answer_is_still_logged():
    @test("faulty-v1")
    def faulty(rng):
        yield Ask("?", HALF, key="q")
        raise ValueError("oops")

    session = opened(faulty)
    with pytest.raises(
        BrokenTest, match=r"faulty-v1 raised ValueError in .*test_session.py, line \d+: oops.*fault of the test"
    ):
        session.answer(0.5)
    assert "answer" in kinds(session)


@test("trio-v1", roles=("a", "b", "c"))
def trio(rng, *, need: str = "all", until: int = 0):
    """Ask three roles at once, twice."""
    count = int(need) if need.isdigit() else need
    for turn in range(2):
        asks = [Ask("?", HALF, role=role, key=f"{role}{turn}") for role in "abc"]
        answers = yield Round(asks, need=count, until=until or None)
        yield Ask(f"{list(answers.items())}", role="a")


def trio_session(**parameters):
    session = Session(Instance(trio, trio.fill(parameters), 1))
    session.start()
    return session


def test_a_round_gives_answers_in_the_order_of_the_asks_not_of_arrival():
    session = trio_session()
    session.answer(0.3, role="c")
    session.answer(0.1, role="a")
    session.answer(0.2, role="b")
    assert session.told["a"][0].prompt == "[('a', 0.1), ('b', 0.2), ('c', 0.3)]"


def test_a_round_that_needs_any_withdraws_the_rest():
    session = trio_session(need="any")
    session.answer(0.2, role="b")
    assert session.told["a"][0].prompt == "[('b', 0.2)]"
    assert kinds(session).count("withdraw") == 2


@test("standing-v1", roles=("a", "b"))
def standing(rng, *, whole: bool = False):
    """Ask two roles; what the other is asked still stands when one has answered and is asked again."""
    asks = {role: Ask("?", HALF, role=role, key=role) for role in "ab"}
    yield Round(list(asks.values()), need="any", stays=True)
    again = Ask("Again?", HALF, role="a", key="again")
    answers = yield Round([asks["b"], again] if whole else [again], need="any", stays=True)
    return Outcome(f"{answers}")


def test_what_stays_open_is_asked_once_and_can_be_answered_in_the_next_round():
    session = Session(Instance(standing, standing.fill({"whole": True}), 1))
    session.start()
    number = session.asked["b"]
    session.answer(0.1, role="a")
    assert session.asked["b"] == number
    assert kinds(session).count("ask") == 3
    session.answer(0.2, role="b", number=number)
    assert session.outcome.prompt == "{'b': 0.2}"


def test_what_stays_open_but_is_not_asked_again_is_withdrawn():
    session = Session(Instance(standing, standing.fill({"whole": False}), 1))
    session.start()
    session.answer(0.1, role="a")
    assert list(session.open) == ["a"]
    assert kinds(session)[-2:] == ["withdraw", "ask"]
    session.answer(0.3, role="a")
    assert session.outcome.prompt == "{'a': 0.3}"


def test_a_round_that_needs_two_goes_on_after_two():
    session = trio_session(need="2")
    session.answer(0.2, role="b")
    assert set(session.open) == {"a", "c"}
    session.answer(0.2, role="c")
    assert set(session.open) == {"a", "b", "c"}


def test_a_round_lapses_at_its_tick_and_the_silent_are_absent():
    session = trio_session(until=5)
    session.answer(0.2, role="b", tick=3)
    session.advance(4)
    assert set(session.open) == {"a", "c"}
    session.advance(5)
    assert session.told["a"][0].prompt == "[('b', 0.2)]"
    assert session.clock.now == 5


def test_whoever_leaves_is_absent_from_then_on_and_may_come_back():
    session = trio_session()
    session.leave("b", reason="network")
    session.answer(0.1, role="a")
    session.answer(0.3, role="c")
    assert session.told["a"][0].prompt == "[('a', 0.1), ('c', 0.3)]"
    assert set(session.open) == {"a", "c"}
    session.join("b", who="someone else")
    session.replace("c", who="another")
    session.answer(0.1, role="a")
    session.answer(0.3, role="c")
    assert session.status == "finished"
    assert [kind for kind in kinds(session) if kind in ("leave", "join", "replace")] == ["leave", "join", "replace"]


def test_a_round_whose_roles_have_all_left_gives_nothing():
    session = trio_session()
    for role in "abc":
        session.leave(role)
    assert session.status == "finished"


def test_an_ask_to_a_role_that_left_gives_none():
    @test("lonely-v1", roles=("a",))
    def lonely(rng):
        yield Ask("first", HALF, role="a")
        answer = yield Ask("?", HALF, role="a")
        return Outcome(f"got {answer}")

    session = opened(lonely)
    session.leave("a")
    assert session.outcome.prompt == "got None"


@test("timed-v1")
def timed(rng, clock):
    """Ask with deadlines."""
    first = yield Ask("?", HALF, key="q", until=10)
    second = yield Ask(f"{first} at {clock.now}", HALF, key="r", until=20)
    return Outcome(f"{second} at {clock.now}")


def test_every_deadline_lapses_at_its_own_tick_before_a_later_event():
    session = opened(timed)
    session.advance(1000)
    assert session.outcome.prompt == "None at 20"
    assert [event.tick for event in session.drain() if event.kind == "lapse"] == [10, 20]


def test_an_answer_after_the_deadline_is_late_and_the_lapse_comes_first():
    session = opened(timed)
    with pytest.raises(Late):
        session.answer(0.5, number=session.asked["subject"], tick=15)
    assert session.open["subject"].prompt == "None at 10"


def test_the_clock_shows_the_tick_of_the_event_being_handled():
    session = opened(timed)
    session.answer(0.5, tick=7)
    assert session.open["subject"].prompt == "0.5 at 7"
    session.advance(8)
    assert session.clock.now == 7


def test_a_pause_stops_the_clock_and_is_logged():
    session = opened(timed)
    session.pause(tick=3)
    session.pause()
    session.advance(100)
    with pytest.raises(Late, match="paused"):
        session.answer(0.5)
    session.unpause()
    session.unpause()
    session.answer(0.5, tick=4)
    assert [kind for kind in kinds(session) if "pause" in kind] == ["pause", "unpause"]


def test_a_break_of_the_test_waits_for_the_subject():
    @test("restful-v1")
    def restful(rng):
        yield Ask("?", HALF)
        yield Break("Rest.")
        yield Ask("!", HALF)

    session = opened(restful)
    session.answer(0.5)
    assert session.paused == "Rest."
    assert not session.open
    session.unpause()
    assert session.open["subject"].prompt == "!"
    session.stop("withdrawn", last_words="enough")
    session.stop("crashed")
    assert (session.status, session.last_words) == ("withdrawn", "enough")


@pytest.mark.parametrize("resting", [False, True])
def test_only_an_observer_lets_a_clock_continue_that_an_observer_stopped(resting):
    @test("stopped-v1")
    def stopped(rng):
        if resting:
            yield Break("Rest.")
        yield Ask("?", HALF)

    session = opened(stopped)
    session.pause(by="anna")
    session.pause(by="bob")
    for forged in (session.unpause, lambda: session.answer(0.5)):
        with pytest.raises(Late, match="observer anna stopped the clock"):
            forged()
    session.unpause(by="bob")
    assert session.paused == ("Rest." if resting else None)
    session.unpause()
    session.answer(0.5)
    named = [(event.kind, event.value) for event in session.drain() if event.value in ("anna", "bob")]
    assert named == [("pause", "anna"), ("unpause", "bob")]


def test_no_trace_logs_nothing_and_summary_logs_no_prompts():
    silent = opened(plain, trace="none")
    silent.answer(0.5)
    silent.answer(0.5)
    assert silent.drain() == []
    short = opened(plain, trace="summary")
    short.answer(0.5)
    assert all(event.content is None for event in short.drain())


def test_a_deadline_is_the_earlier_of_ask_and_round():
    @test("both-v1", roles=("a", "b"))
    def both(rng):
        yield Round([Ask("?", HALF, role="a", until=3), Ask("?", HALF, role="b")], until=8)

    session = opened(both)
    assert session.deadline == 3
    session.advance(3)
    assert session.deadline == 8
    session.advance(8)
    assert session.status == "finished"


def test_an_odd_invalid_answer_is_kept_as_text_and_a_huge_one_cut():
    @test("picky-v1")
    def picky(rng):
        yield Ask("?", Choice(("a",)))
        yield Ask("?", Number())

    session = opened(picky)
    for answer in (object(), "x" * 50_000):
        with pytest.raises(Invalid):
            session.answer(answer)
    kept = [event.value for event in session.drain() if event.kind == "invalid"]
    assert kept[0].startswith("<object")
    assert len(kept[1]) == 10_000


def test_a_parameter_that_the_test_cannot_take_is_the_users_error():
    @test("choosy-v1")
    def choosy(rng):
        raise BadParameter("flips must be even")
        yield

    session = Session(Instance(choosy, {}, 1))
    with pytest.raises(BadParameter, match="must be even"):
        session.start()
    assert (session.status, session.last_words) == ("broken", "flips must be even")


@pytest.mark.parametrize(
    "ask",
    [Ask({"not": "a prompt"}, HALF, key="k"), Ask("?", Call({"go": {}}), key="k"), Ask("?", HALF, key="k", reward="x")],
)
def test_an_ask_that_cannot_be_written_as_json_is_the_tests_fault(ask):
    @test("unwritable-v1")
    def unwritable(rng):
        yield ask

    with pytest.raises(BrokenTest, match="'k' that cannot be written as JSON"):
        opened(unwritable)
