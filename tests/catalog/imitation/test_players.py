"""The subjects: each does what its name says, and one that errs says where."""

import json

import numpy as np
import pytest

from mensura.catalog.imitation.coding import is_direct
from mensura.catalog.imitation.facts import facts_of
from mensura.catalog.imitation.game import read_games
from mensura.catalog.imitation.players.blunderer import BLUNDERS, Blunderer
from mensura.catalog.imitation.players.book import BLANK, AnswerBook
from mensura.catalog.imitation.players.recorded import Parrot, RecordedPlayer
from mensura.errors import BadFile, BadParameter
from tests.catalog.imitation.games import game, judge, played

ASKED = ["Hello. How was your day?", "How many legs do two cats have together?", "What is a flimflam?"]


def replies(who, questions=ASKED, seed=1):
    found = game(seed, machine=who, judge=judge(questions=list(questions)), seconds=9000)
    return [m.text for m in found.messages if m.role == "machine"]


def transcript(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_eliza_hands_questions_back():
    said = replies("eliza", ["I like my work.", "Are you a machine?", "I am tired."])
    assert "tired" in said[2]
    assert all(text.endswith(("?", ".")) for text in said)


def test_the_evasive_one_never_answers():
    questions = ["What is six times seven?", "Where do you live?", "How old are you?", "Do you like tea?"] * 2
    said = replies("evasive", questions)
    assert not any(is_direct(text, question=asked) for text, asked in zip(said, questions, strict=True))


def test_the_parrot_answers_the_nearest_question(tmp_path):
    file = transcript(tmp_path / "p.jsonl", [
        {"game": "1", "question": "What is your name?", "answer": "Ann."},
        {"game": "2", "question": "How many legs has a cat?", "answer": "Four."},
    ])  # fmt: skip
    assert replies(Parrot(file), ["How many legs do cats have?", "Your name?"]) == ["Four.", "Ann."]


def test_the_book_says_how_large_it_is_and_what_it_lacks():
    taken = played(machine=AnswerBook(), judge=judge(questions=ASKED))
    (found,) = read_games(taken.record, taken.truths)
    book = facts_of(found, taken.record)["book"]
    assert (book["asked"], book["uncovered"]) == (3, 1)
    assert book["entries"] > 30
    assert book["bits"] == 8 * sum(len(k.encode()) + len(v.encode()) for k, v in AnswerBook().entries.items())
    assert BLANK in [m.text for m in found.messages]


def test_a_recorded_person_gives_each_answer_once_and_then_is_silent(tmp_path):
    file = transcript(tmp_path / "r.jsonl", [{"answer": "one"}, {"answer": "two"}])
    assert replies(RecordedPlayer(file)) == ["one", "two"]


def test_one_of_several_recorded_games_is_drawn_for_each_session(tmp_path):
    file = transcript(tmp_path / "r.jsonl", [{"game": str(n), "answer": f"game {n}"} for n in range(3)])
    said = {replies(RecordedPlayer(file), ["Hi?"], seed)[0] for seed in range(15)}
    assert said == {"game 0", "game 1", "game 2"}


def test_a_recorded_judge_asks_believes_and_decides_as_before(tmp_path):
    verdict = {
        "verdict": "B",
        "probability": 0.3,
        "reason": "r",
        "message": "none",
        "strategy": "knowledge",
        "blunders": "",
    }
    file = transcript(tmp_path / "j.jsonl", [
        {"key": "message", "answer": "Who are you?"},
        {"key": "belief", "answer": 0.4},
        {"key": "verdict", "answer": verdict},
    ])  # fmt: skip
    found = game(judge=RecordedPlayer(file))
    assert [m.text for m in found.messages if m.judge] == ["Who are you?"] * 2
    assert found.verdicts[0].verdict == "B"
    assert found.verdicts[0].strategy == "knowledge"


def test_a_recorded_person_speaks_with_every_judge_of_a_competition(tmp_path):
    file = transcript(tmp_path / "r.jsonl", [{"key": "message", "answer": "one"}, {"answer": "two"}])
    taken = played(form="loebner", programs=2, messages=2, human1=RecordedPlayer(file))
    said = [
        [m.text for m in found.messages if m.role == "human1"]
        for found in read_games(taken.record, taken.truths)
        if "human1" in found.seats.values()
    ]
    assert said == [["one", "two"]] * 4


def test_a_recorded_judge_of_a_competition_judges_each_conversation_as_it_was_recorded(tmp_path):
    def verdict(chosen):
        return {"verdict": chosen, "probability": 0.5, "reason": "", "message": "none", "strategy": "knowledge",
                "blunders": ""}  # fmt: skip

    file = transcript(tmp_path / "j.jsonl", [
        {"key": "round1/judge1/message/1", "answer": {"to": "A", "text": "First?"}},
        {"key": "round1/judge1/verdict", "answer": verdict("A")},
        {"key": "round2/judge1/message/1", "answer": {"to": "B", "text": "Second?"}},
        {"key": "round2/judge1/verdict", "answer": verdict("B")},
        {"key": "ranking/judge1", "answer": {"1": "2", "2": "1"}},
    ])  # fmt: skip
    taken = played(form="loebner", programs=2, messages=1, belief="end", judge1=RecordedPlayer(file))
    games = [one for one in read_games(taken.record, taken.truths) if "judge1" in one.prefix]
    assert [one.messages[0].text for one in games] == ["First?", "Second?"]
    assert taken.record.given()["ranking/judge1"] == {"1": "2", "2": "1"}
    assert all(one.verdicts for one in games)


@pytest.mark.parametrize(
    ("line", "words"), [("nonsense", "line 2"), ('{"question": "a"}', "line 2"), ('{"answer": 3}', "is a text")]
)
def test_a_broken_transcript_is_refused_with_its_line(tmp_path, line, words):
    (tmp_path / "b.jsonl").write_text('{"answer": "fine"}\n' + line + "\n")
    with pytest.raises(BadFile, match=words):
        RecordedPlayer(str(tmp_path / "b.jsonl"))


def test_the_blunderer_errs_once_at_a_turn_that_is_drawn():
    at = []
    for seed in range(40):
        found = game(seed, machine=Blunderer("eliza", arm="one", turns=4), judge=judge(questions=["Well?"] * 4))
        planted = [m.exchange for m in found.messages if m.planted]
        assert len(planted) == 1
        assert [m.text for m in found.messages if m.planted] == [BLUNDERS[2]]
        at += planted
    assert set(at) == {1, 2, 3, 4}


def test_errors_spread_out_are_as_many_as_said_and_none_is_none():
    spread = game(machine=Blunderer("eliza", arm="spread", turns=5, errors=3), judge=judge(questions=["Well?"] * 5))
    assert sum(m.planted for m in spread.messages) == 3
    assert not any(m.planted for m in game(machine=Blunderer("eliza", arm="none")).messages)


def test_a_blunderer_wraps_only_what_there_is():
    with pytest.raises(BadParameter, match="wraps a witness"):
        Blunderer("nobody")


@pytest.mark.parametrize("who", ["eliza", "evasive", "parrot", "book", "blunderer", "keyword"])
@pytest.mark.parametrize("seat", ["human", "judge"])
def test_any_subject_may_sit_in_any_seat(who, seat):
    assert game(**{seat: who}).void == ""


def test_the_keyword_judge_takes_evasion_for_a_sign():
    rights = [game(seed, machine="evasive").verdicts[0].right for seed in range(10)]
    assert np.mean(rights) == 1
