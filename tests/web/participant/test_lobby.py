"""Several roles: the lobby, people who drop out and come back, places that are taken, programs beside people."""

import time

import pytest

from mensura.store.people.invitations import Step

PATIENCE = 120.0


def until(true, *, patience=PATIENCE):
    """Wait for something that another thread does."""
    last = time.monotonic() + patience
    while not true():
        assert time.monotonic() < last, "it did not happen in time"
        time.sleep(0.05)


def kinds(store, session, *wanted):
    return [(event.kind, event.role, event.value) for event in store.events.of(session) if event.kind in wanted]


@pytest.fixture
def pair(enter, links, hand_clock):
    """Two people who both entered a dilemma of three rounds."""
    both = links("dilemma", rounds=3)
    people = [enter(link.path) for link in both]
    for person in people:
        person.look()
    return both[0].session, people


def test_the_lobby_waits_until_all_are_there_and_logs_nothing(enter, links, store):
    first, second = links("dilemma", rounds=3)
    ada = enter(first.path)
    assert ada.kind == "lobby"
    assert "1 of 2 people are here" in ada.text
    assert ada.tick().status_code == 204
    assert store.events.last_number(first.session) == 0
    bohdan = enter(second.path)
    assert bohdan.kind == "ask"
    page = ada.tick()
    assert page.status_code == 200
    assert "Round 1" in page.text
    joined = kinds(store, first.session, "join")
    assert [role for _, role, _ in joined] == ["first", "second"]


def test_who_left_the_lobby_is_not_counted_as_there(enter, links, store, hand_clock):
    first, second = links("dilemma", rounds=3)
    enter(first.path)
    hand_clock.wait(60)
    bohdan = enter(second.path)
    assert bohdan.kind == "lobby"
    assert "1 of 2" in bohdan.text


def test_nobody_sees_the_other_s_move_before_both_have_moved(pair, store):
    _session, (ada, bohdan) = pair
    ada.answer("cooperate")
    assert ada.kind == "waiting"
    assert ada.tick().status_code == 204
    bohdan.look()
    assert "cooperate</td>" not in bohdan.text
    bohdan.answer("defect")
    assert bohdan.kind == "ask"
    assert "cooperate</td>" in bohdan.text
    assert ada.tick().status_code == 200


def test_a_form_is_not_taken_away_because_the_other_answered(pair):
    _, (ada, bohdan) = pair
    bohdan.answer("defect")
    assert ada.tick().status_code == 204


def test_two_people_finish_together_and_are_scored_once(pair, store):
    session, (ada, bohdan) = pair
    for _ in range(3):
        ada.look()
        ada.answer("cooperate")
        bohdan.look()
        bohdan.answer("cooperate")
    ada.look()
    bohdan.look()
    assert ada.kind == bohdan.kind == "over"
    assert "The game is over." in ada.text
    assert len(store.results.history(session)) == 1


def test_someone_who_is_not_heard_of_leaves_and_the_test_goes_on(pair, store, hand_clock):
    session, (ada, _bohdan) = pair
    ada.answer("cooperate")
    hand_clock.wait(60)
    ada.look()
    assert kinds(store, session, "leave") == [("leave", "second", "not heard of")]
    assert ada.kind == "ask"


def test_someone_who_comes_back_joins_again(pair, store, hand_clock):
    session, (ada, bohdan) = pair
    ada.answer("cooperate")
    hand_clock.wait(60)
    ada.look()
    bohdan.look()
    assert kinds(store, session, "join")[-1][1] == "second"
    ada.answer("cooperate")
    bohdan.look()
    assert bohdan.kind == "ask"


def test_another_link_waits_for_a_place_and_gets_one_that_becomes_free(pair, enter, store, hand_clock):
    session, (ada, bohdan) = pair
    token, spare = store.invitations.add([Step("session", session=session, role="second")])
    chidi = enter(f"/p/{token}")
    assert "All places are taken just now" in chidi.text
    assert chidi.post("answer", hidden=ada.hidden, answer="defect").status_code in (403, 409)
    hand_clock.wait(60)
    chidi.look()
    assert chidi.kind == "ask"
    assert kinds(store, session, "replace") == [("replace", "second", f"invitation {spare.number}")]
    chidi.answer("defect")
    bohdan.look()
    assert "your place was given to someone else" in bohdan.text
    bohdan.post("next")
    assert bohdan.kind == "thanks"


def test_a_program_takes_the_place_of_someone_who_drops_out(enter, links, store, hand_clock):
    first, second = links("dilemma", details={"replacement": "tit-for-tat"}, rounds=3)
    ada, _bohdan = enter(first.path), enter(second.path)
    ada.look()
    ada.answer("cooperate")
    hand_clock.wait(60)
    ada.look()
    until(lambda: ada.look() and ada.kind == "ask")
    assert kinds(store, first.session, "replace") == [("replace", "second", "program tit-for-tat")]
    assert "cooperate</td>" in ada.text


def test_a_person_plays_with_a_program_to_the_end(enter, links, store):
    link = links("dilemma", {"first": "human", "second": "tit-for-tat"}, rounds=3)[0]
    person = enter(link.path)
    for move in ("defect", "cooperate", "cooperate"):
        until(lambda: person.look() and person.kind == "ask")
        person.answer(move)
    until(lambda: person.look() and person.kind == "over")
    moves = [
        event.value for event in store.events.of(link.session) if event.kind == "answer" and event.role == "second"
    ]
    assert moves == ["cooperate", "defect", "cooperate"]
    assert len(store.results.history(link.session)) == 1


def test_a_program_goes_on_with_its_memory_after_the_server_was_lost(settings, enter, links, app, store):
    from mensura.web.app import create_app

    link = links("dilemma", {"first": "human", "second": "grim"}, rounds=4)[0]
    person = enter(link.path)
    person.answer("defect")
    until(lambda: person.look() and person.kind == "ask")
    app.state.laboratory.programs.close()
    again = create_app(settings)
    other = type(person)(again, link.path)
    for _ in range(2):
        until(lambda: other.look() and other.kind == "ask")
        other.answer("cooperate")
    until(lambda: other.look() and other.kind == "ask")
    moves = [
        event.value for event in store.events.of(link.session) if event.kind == "answer" and event.role == "second"
    ]
    assert moves[:3] == ["cooperate", "defect", "defect"]
    again.state.laboratory.close()


def test_a_program_that_crashes_ends_the_part_kindly(enter, links, store, tmp_path):
    (tmp_path / "bad.py").write_text("def respond(ask):\n    raise RuntimeError('secret words')\n")
    link = links("dilemma", {"first": "human", "second": f"{tmp_path}/bad.py:respond"}, rounds=3)[0]
    person = enter(link.path)
    person.answer("defect")
    until(lambda: person.look() and person.kind == "over")
    assert "The other side stopped working" in person.text
    assert "secret words" not in person.text
    assert store.sessions.find(link.session).status == "crashed"
    assert "secret words" in store.sessions.find(link.session).last_words


def test_a_session_in_which_a_program_crashed_keeps_what_was_earned_and_says_what_was_not_answered(
    enter, links, store, tmp_path
):
    (tmp_path / "bad.py").write_text(
        "class Bad:\n    moves = 0\n    def __call__(self, ask):\n        self.moves += 1\n"
        "        if self.moves > 2:\n            raise RuntimeError('tired')\n        return 'cooperate'\n"
    )
    link = links("dilemma", {"first": "human", "second": f"{tmp_path}/bad.py:Bad"}, rounds=5)[0]
    person = enter(link.path)
    for _ in range(2):
        until(lambda: person.look() and person.kind == "ask")
        person.answer("cooperate")
    until(lambda: person.look() and person.kind == "over")
    until(lambda: store.results.history(link.session))
    scores = store.results.history(link.session)[-1].scores
    assert scores.status == "crashed"
    # What the person would still have been asked is lost to them, not their failure.
    assert scores.tally == {"answered": 4, "crashed": 3, "lost": 3}
    assert scores.instance
    person.look()
    assert len(store.results.history(link.session)) == 1, "it is scored once"


def test_a_program_that_answers_nonsense_ends_the_session_as_invalid(enter, links, store, tmp_path):
    (tmp_path / "bad.py").write_text("def respond(ask):\n    return 'nonsense'\n")
    link = links("dilemma", {"first": "human", "second": f"{tmp_path}/bad.py:respond"}, rounds=2)[0]
    person = enter(link.path)
    person.answer("defect")
    until(lambda: person.look() and person.kind == "over")
    assert store.sessions.find(link.session).status == "invalid"
    assert "The other side stopped working" in person.text


def test_a_partner_s_withdrawal_ends_the_part_for_the_other_too(pair, store):
    session, (ada, bohdan) = pair
    ada.answer("cooperate")
    bohdan.page = bohdan.client.get(f"{bohdan.path}/withdraw")
    assert "their own answers stay" in bohdan.text
    bohdan.post("withdraw", sure="yes")
    assert ada.tick().status_code == 200
    ada.look()
    assert "Someone withdrew" in ada.text
    assert kinds(store, session, "answer") == [("answer", "first", "cooperate")]
    assert {event.role for event in store.events.of(session)} == {"first"}
    ada.post("next")
    assert ada.kind == "thanks"


def test_only_one_process_plays_for_a_program(store, app, settings, enter, links):
    link = links("dilemma", {"first": "human", "second": "chance"}, rounds=2)[0]
    store.presence.take(f"programs of {link.session}", holder="another process", patience=10)
    person = enter(link.path)
    person.answer("defect")
    time.sleep(0.6)
    person.look()
    assert person.kind == "waiting"


def test_a_program_acts_while_a_person_still_thinks(enter, links, store, tmp_path):
    (tmp_path / "race.py").write_text(
        "from mensura.dialogue import Ask, Choice, Round, test\n"
        "@test('race-v1', roles=('person', 'machine'))\ndef race(rng):\n    'The first answer ends the round.'\n"
        "    for i in range(2):\n"
        "        asks = [Ask(f'Round {i}', Choice(('go',)), role=role) for role in ('person', 'machine')]\n"
        "        yield Round(asks, need='any')\n"
    )
    link = links(f"{tmp_path}/race.py:race", {"person": "human", "machine": "chance"})[0]
    person = enter(link.path)
    until(lambda: person.look() and person.kind == "over")
    assert kinds(store, link.session, "answer") == [("answer", "machine", "go")] * 2
    assert len(kinds(store, link.session, "withdraw")) == 2


MONOLOGUE = """
from mensura.dialogue import Ask, Text, test

@test("monologue-v1", roles=("first", "second"))
def monologue(rng):
    for number in range(6):
        yield Ask(f"Question {number}?", Text(), key="question", role="first")
    yield Ask("And you?", Text(), key="last", role="second")
"""


def test_whoever_answers_without_pause_is_not_taken_for_absent(enter, links, store, tmp_path, hand_clock):
    file = tmp_path / "monologue.py"
    file.write_text(MONOLOGUE)
    both = links(f"{file}:monologue")
    ada, bohdan = (enter(link.path) for link in both)
    ada.look()
    # Her page's script sends answers, and asks for nothing besides.
    ada.client.headers["X-Mensura-Part"] = "main"
    for number in range(6):
        ada.answer(f"Answer {number}.")
        hand_clock.wait(15)
        bohdan.look()
    assert kinds(store, both[0].session, "leave") == []
    assert bohdan.kind == "ask"
