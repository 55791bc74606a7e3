"""The game in its forms: who is asked, what is released when, and what nobody may see before the end."""

import json

import numpy as np
import pytest

from mensura.catalog.imitation.dialogue import imitation
from mensura.catalog.imitation.forms import form_of
from mensura.catalog.imitation.game import read_games
from mensura.catalog.imitation.room import QuestionRoom
from mensura.dialogue import Instance, Refused, Session, prompt_text
from mensura.dialogue.canonical import canonical
from mensura.errors import BadParameter
from mensura.running.scoring.scoring import score_record
from tests.catalog.imitation.games import all_roles, game, judge, played

FORMS = ["gender", "standard", "machine-human", "one", "jury", "loebner"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("talk", ["turns", "free"])
def test_every_form_comes_to_its_verdicts(form, talk):
    taken = played(form=form, talk=talk, jurors=3, messages=3)
    games = read_games(taken.record, taken.truths)
    assert taken.record.status == "finished"
    assert len(games) == (16 if form == "loebner" else 1)
    assert all(len(one.verdicts) == (3 if form == "jury" else 1) and not one.void for one in games)
    assert all(message.released is not None for one in games for message in one.messages if one.ended < 299)


def test_who_sits_where_is_drawn():
    sides = [game(seed, messages=1).side for seed in range(60)]
    assert 15 < sides.count("A") < 45
    drawn = [game(seed, form="one", messages=1).truth for seed in range(60)]
    assert 15 < drawn.count("human") < 45


def test_answers_of_a_turn_are_released_together_whoever_was_faster():
    for seed in range(5):
        found = game(seed)
        turns = {
            one.exchange: {m.released for m in found.messages if m.exchange == one.exchange and not m.judge}
            for one in found.messages
        }
        assert all(len(ticks) == 1 for ticks in turns.values())
        assert all(m.released > m.sent for m in found.messages if not m.judge)


def test_the_written_time_is_kept_beside_the_released_one():
    delayed, undelayed = game(), game(delays=False)
    assert all(m.released == m.sent for m in undelayed.messages)
    assert sum(m.released - m.sent for m in delayed.messages) > 10


def test_time_by_the_clock_ends_the_questions():
    found = game(seconds=20, judge=judge(questions=["Is it late?"] * 9))
    assert found.ended <= 20
    assert found.verdicts


def test_messages_are_limited():
    found = game(messages=2, seconds=3000, judge=judge(questions=["Well?"] * 9))
    assert max(m.exchange for m in found.messages) == 2


def seen_by(role, **given):
    """Return all that a role is shown in a game, as JSON, before the end."""
    shown = []

    def watching(ask):
        shown.append(canonical([prompt_text(ask.prompt), ask.key, ask.space.described()]))
        return inner(ask)

    def witness(ask):
        drawn = ask.space.draw(np.random.default_rng(1))
        return "Quite well." if isinstance(ask.prompt, QuestionRoom) else drawn

    inner = judge(questions=["How are you?", "Who are you?"]) if role == "judge" else witness
    played(**given, **{role: watching})
    return "\n".join(shown)


def test_no_role_sees_another_ones_instructions():
    told = form_of("standard").rules_for("machine", told="persona", honest=True, persona="You are a sailor.")
    judged = seen_by("judge", told="persona", honest=True)
    human = seen_by("human", told="persona", honest=True)
    secret = told.split("\n")[0]
    assert "claim no body" in seen_by("machine", told="persona", honest=True)
    for shown in (judged, human):
        assert "claim no body" not in shown
        assert "sailor" not in shown
        assert secret not in shown


def test_a_witness_does_not_read_what_the_other_answers():
    shown = seen_by("human", machine=lambda ask: "XYZZY" if isinstance(ask.prompt, QuestionRoom) else "")
    assert "XYZZY" not in shown
    assert "How are you?" in shown or "?" in shown


def test_the_truth_is_told_at_the_end_and_not_before():
    taken = played()
    (found,) = read_games(taken.record, taken.truths)
    assert f"{found.truth} was the woman" in taken.record.outcome["prompt"]
    assert "deceived" in taken.record.outcome["prompt"]


def test_everyone_is_told_beforehand_that_some_pretend():
    for role in ("judge", "human", "machine"):
        assert "pretend to be someone else" in seen_by(role)


def test_the_honest_condition_bars_claims_of_a_body():
    assert "claim no body" in seen_by("machine", honest=True)
    assert "claim no body" not in seen_by("machine")


def test_a_barred_question_is_not_passed_on():
    found = game(barred=True, judge=judge(questions=["Are you a machine?", "What is six times seven?"]))
    assert {m.text for m in found.messages if m.judge} == {"What is six times seven?"}


def test_a_judge_who_bars_himself_for_ever_ends_nonetheless():
    taken = played(barred=True, seconds=100_000, judge=judge(questions=["Are you a machine?"] * 1000))
    assert taken.record.status == "finished"


def test_a_judge_may_write_to_one_witness():
    def one_sided(ask):
        if isinstance(ask.prompt, QuestionRoom):
            return {"to": "B", "text": "" if any(talk.lines for talk in ask.prompt.talks) else "Only you?"}
        return judge()(ask)

    found = game(judge=one_sided)
    assert {m.side for m in found.messages} == {"B"}


def test_a_game_without_a_verdict_is_void_and_says_so():
    taken = played(judge=lambda ask: Refused())
    (found,) = read_games(taken.record, taken.truths)
    assert found.void == "the judge left"
    assert taken.record.outcome["prompt"].startswith("Nobody gave a verdict")


def test_silence_is_kept_and_does_not_stop_the_game():
    found = game(human=lambda ask: "", judge=judge(questions=["One?", "Two?"]))
    assert not found.void
    assert not [m for m in found.messages if m.role == "human"]
    assert len([m for m in found.messages if m.role == "machine"]) == 2


def silent(ask):
    if isinstance(ask.prompt, QuestionRoom):
        return {"to": "both", "text": ""} if ask.prompt.to else ""
    return ask.space.draw(np.random.default_rng(1))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("quiet", ["witnesses", "judges"])
def test_a_game_in_which_no_witness_spoke_is_void_and_named(form, quiet):
    roles = [role for role in all_roles({"form": form, "jurors": 2, "programs": 2}) if not role.startswith("host")]
    judges = [role for role in roles if role.startswith(("judge", "juror"))]
    # One pair of a competition keeps silent, or one judge asks nothing; of other forms it is the whole game.
    mute = [role for role in roles if role not in judges and not role.endswith("2")]
    mute = mute if quiet == "witnesses" else judges[:1] if form == "loebner" else judges
    taken = played(form=form, jurors=2, programs=2, messages=1, **dict.fromkeys(mute, silent))
    voids = [one for one in read_games(taken.record, taken.truths) if one.void]
    if form != "loebner":
        assert len(voids) == 1
    elif quiet == "witnesses":
        assert [one.void for one in voids] == ["neither machine1 nor human1 spoke"] * 4
    else:
        assert sorted(one.void for one in voids) == [f"neither machine{n} nor human{n} spoke" for n in (1, 2)]
    assert all("spoke" in one.void or "speak" in one.void for one in voids)
    scores = score_record(imitation, taken.record, taken.truths)
    assert np.isnan(scores.values["right"]) == (form != "loebner")


def test_a_game_in_which_no_answer_came_in_time_is_void():
    found = game(seconds=5, judge=judge(questions=["What do you think of the weather?"]))
    assert [one.text for one in found.messages if not one.judge]
    assert found.void == "no answer was released before the time was over"


def begun(**given):
    parameters = imitation.fill(given)
    session = Session(Instance(imitation, parameters, 7))
    session.start()
    return session


def test_a_witness_who_leaves_makes_the_game_void():
    from mensura.dialogue import make_record

    session = begun()
    session.leave("human")
    while session.status == "open":
        role = next(iter(session.open))
        ask = session.open[role]
        if role == "judge":
            session.answer(judge()(ask) if session.turns else {"to": "both", "text": "Hello?"}, role=role)
        elif role == "host":
            session.advance(session.deadline)
        else:
            session.answer("Here.", role=role)
    record = make_record(session.drain(), test=imitation.id, parameters=session.instance.parameters)
    (found,) = read_games(record, session.drain_truths())
    assert found.void == "a witness was missing: human"


def test_a_program_in_the_place_of_someone_who_left_makes_the_game_void_and_is_named():
    taken = played()
    record = taken.record
    record.replaced["human"] = "eliza"
    (found,) = read_games(record, taken.truths)
    assert found.void == "a program took the place of human"


def test_the_log_says_who_was_replaced():
    from mensura.dialogue import make_record

    session = begun()
    session.replace("human", who="program eliza")
    session.replace("machine", who="P-someone")
    record = make_record(session.drain(), test=imitation.id, parameters=session.instance.parameters)
    assert record.replaced == {"human": "eliza"}


def test_a_judge_who_leaves_ends_the_game_at_once():
    session = begun()
    session.leave("judge")
    assert session.status == "finished"


def test_people_see_the_talk_while_others_have_the_word():
    session = begun()
    session.answer({"to": "both", "text": "Hello?"}, role="judge")
    waiting = session.meanwhile("judge").data()
    assert [talk["lines"][0]["text"] for talk in waiting["talks"]] == ["Hello?", "Hello?"]
    assert waiting["left"] == 0
    assert session.meanwhile("host") is None


def test_typing_is_shown_of_all_who_are_awaited_alike():
    session = begun(typing=True)
    session.answer({"to": "both", "text": "Hello?"}, role="judge")
    assert session.meanwhile("judge").data()["awaited"] == ["A", "B"]
    first = next(role for role in session.open)
    session.answer("Yes.", role=first)
    assert session.meanwhile("judge").data()["awaited"] == ["A", "B"]
    assert json.dumps(session.meanwhile("judge").data()).count("Yes.") == 0


def test_beliefs_are_asked_after_each_exchange_or_in_the_end():
    assert len(game(judge=judge(questions=["a?", "b?", "c?"])).beliefs) == 3
    assert not game(belief="end").beliefs


def test_jurors_ask_in_turn_and_decide_by_majority():
    found = game(form="jury", jurors=5, seconds=900)
    assert len({m.role for m in found.messages if m.judge}) == 5
    assert found.decision == found.truth


def test_a_jury_that_is_split_is_hung_and_deliberation_is_kept_beside():
    votes = {"juror1": "human", "juror2": "machine"}
    cast = {role: judge(questions=["So?"], verdict=vote) for role, vote in votes.items()}
    found = game(form="jury", jurors=2, deliberation=30, **cast, **{"messages": 1})
    assert found.decision == "hung"
    assert len(found.verdicts) == len(found.after) == 2


def test_unanimity_can_be_asked_for():
    cast = {f"juror{n}": judge(verdict="human" if n < 3 else "machine") for n in (1, 2, 3)}
    assert game(form="jury", jurors=3, **cast).decision == "human"
    assert game(form="jury", jurors=3, majority=1.0, **cast).decision == "hung"


def test_a_competition_lets_every_judge_meet_every_program_and_ranks_them():
    taken = played(form="loebner", messages=2)
    games = read_games(taken.record, taken.truths)
    met = {(one.final[0].role, one.witness) for one in games}
    assert len(met) == 16
    ranked = [answer for answer in taken.record.answers if answer.key.startswith("ranking/")]
    assert [len(answer.value) for answer in ranked] == [4, 4, 4, 4]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"messages": 0}, "--messages is at least 1"),
        ({"majority": 0.3}, "from 0.5 to 1"),
        ({"form": "standard", "deliberation": 5}, "for the form jury"),
        ({"form": "jury", "jurors": 1}, "--jurors is at least 2"),
    ],
)
def test_conditions_that_make_no_game_are_refused(given, words):
    with pytest.raises(BadParameter, match=words):
        imitation.fill(given)
