"""The keyword coder on replies of our own writing, and what it must not depend on."""

import json
import math

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from mensura.catalog.imitation.coding import (
    ANSWERS,
    CODER,
    QUESTIONS,
    agreed,
    code_answer,
    code_question,
    coding_rubric,
    direct_share,
    is_direct,
    is_question,
    share_by_game,
)
from mensura.catalog.imitation.coding.coded import code_file
from mensura.catalog.imitation.command import command
from mensura.errors import BadFile
from mensura.running.panel import read_panel
from mensura.survey.rubric import Rubric

ASKED = "How many legs has a spider?"


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("Eight.", "direct answer"),
        ("I think it is 8, but I never counted.", "direct answer"),
        ("Maybe eight?  I would say eight.", "direct answer"),
        ("Does it matter?", "evasive"),
        ("Why do you ask?", "evasive"),
        ("", "evasive"),
        ("Please go on.", "evasive"),
        ("A spider has legs.", "evasive"),
        ("I'd rather not say.", "refusal"),
        ("I won't answer that.", "refusal"),
        ("Sorry, I don't understand.", "feigned incomprehension"),
        ("Huh?", "feigned incomprehension"),
        ("That is not a fair question.", "point of order"),
        ("Let's talk about the weather.", "change of subject"),
        ("Stop asking me such things!!!", "emotional outburst"),
        ("Hahaha, more than my chair, lol", "joke"),
        ("As my uncle once said, do not count your spiders.", "quotation"),
        ("I haven't a leg to stand on, no pun intended.", "wordplay"),
        ("*looks at the ceiling*", "aside"),
        ("Incidentally, it is getting late.", "aside"),
    ],
)
def test_replies_are_coded_by_their_keywords(answer, kind):
    found = code_answer(answer, question=ASKED)
    assert (found.kind, found.coder) == (kind, CODER)


@pytest.mark.parametrize(
    ("question", "answer", "direct"),
    [
        ("Do you like rain?", "Yes, when I am indoors.", True),
        ("Do you like rain?", "The rain in the north is long.", False),
        ("Are you a machine?", "No, I'm not.", True),
        ("Are you a machine?", "How do you feel about machines?", False),
        ("Which tastes better: dark chocolate or milk chocolate?", "Milk.", True),
        ("Which tastes better: dark chocolate or milk chocolate?", "Chocolate is chocolate.", False),
        ("What do you do all day?", "I repair bicycles.", True),
        ("What do you do all day?", "What do you do all day?", False),
        ("Hello! Where do you live?", "In a small town by the sea.", True),
        ("How old are you?", "Old enough to know better.", False),
    ],
)
def test_a_direct_answer_answers_the_form_of_its_question(question, answer, direct):
    assert is_direct(answer, question=question) is direct


def test_a_claim_is_called_false_only_where_it_is_known_to_be_false():
    question, answer = "Who taught you to cook?", "My mother, when I was little."
    assert [code_answer(answer, question=question, person=p).kind for p in (None, True, False)] == [
        "direct answer",
        "direct answer",
        "false identity",
    ]


@pytest.mark.parametrize(
    ("question", "before", "strategy"),
    [
        ("Are you a robot?", "", "are you a machine?"),
        ("Prove that you're human.", "", "are you a machine?"),
        ("What did you have for breakfast?", "", "physical attribute"),
        ("What happens if I drop an egg?", "", "common sense"),
        ("Would the piano fit into a car?", "", "common sense"),
        ("What is the capital of Peru?", "", "knowledge"),
        ("What is 34957 + 70764?", "", "knowledge"),
        ("Why?", "I like the sea.", "follow-up"),
        ("Is the sea far from there?", "I live by the sea.", "follow-up"),
        ("How was your day?", "", "small talk"),
    ],
)
def test_questions_are_coded_by_their_keywords(question, before, strategy):
    assert code_question(question, before=before).kind == strategy


def test_the_share_of_direct_answers_counts_replies_to_questions_only():
    game = [("Hello there.", "Hello."), (ASKED, "Eight."), (ASKED, ""), ("Do you like rain?", "No.")]
    assert direct_share(game) == pytest.approx(2 / 3)
    assert math.isnan(direct_share([("Hello there.", "Hello.")]))


def test_the_share_over_games_takes_games_as_its_unit():
    found = share_by_game([[(ASKED, "Eight.")] * 9, [(ASKED, "Who knows?")], [("Hello.", "Hello.")]])
    assert (found.value, found.n) == (0.5, 2)
    assert np.isnan(share_by_game([]).value)


def test_a_panel_codes_by_the_twelve_kinds_and_six_strategies():
    rubric = Rubric.read(coding_rubric())
    assert [len(item.points) for item in rubric.items] == [12, 6] == [len(ANSWERS), len(QUESTIONS)]
    assert {item.measure for item in rubric.items} == {"nominal"}
    assert agreed(["joke"]) == "joke"
    assert agreed([]) is None


@given(st.text(max_size=80), st.text(max_size=80))
def test_every_reply_and_question_has_one_known_kind(answer, question):
    assert code_answer(answer, question=question).kind in ANSWERS
    assert code_question(question, before=answer).kind in QUESTIONS
    assert isinstance(is_question(question), bool)


@given(
    st.sampled_from(["Eight.", "Why do you ask?", "I won't answer that.", "A spider has legs."]),
    st.sampled_from([" ", "\n", "  \n"]),
)
def test_spaces_and_case_change_nothing(answer, space):
    assert (
        code_answer(answer.upper().replace(" ", space), question=ASKED).kind == code_answer(answer, question=ASKED).kind
    )


SAID = [
    {"game": "a", "question": ASKED, "answer": "Eight."},
    {"game": "a", "question": "Why?", "answer": "I won't answer that."},
    {"game": "b", "question": "Hello there.", "answer": "Hello."},
]


def test_a_file_is_coded_and_people_can_code_the_same(tmp_path):
    file, panel = tmp_path / "said.jsonl", tmp_path / "coding.yaml"
    file.write_text("\n".join(map(json.dumps, SAID)))
    told = CliRunner().invoke(command, ["code", str(file), "--panel", str(panel), "--json"])
    data = json.loads(told.stdout)
    assert data["coder"] == CODER
    assert [one["answer"] for one in data["exchanges"]][:2] == ["direct answer", "refusal"]
    assert data["questions"]["follow-up"] == 1
    assert (data["direct_share"]["value"], data["direct_share"]["n"]) == (0.5, 1)
    plan = read_panel(panel)
    assert len(plan.artefacts) == 3
    assert Rubric.read(plan.rubric).item("answer").measure == "nominal"


def test_a_broken_line_of_exchanges_is_named(tmp_path):
    file = tmp_path / "said.jsonl"
    file.write_text(json.dumps(SAID[0]) + "\n[]")
    with pytest.raises(BadFile, match="line 2"):
        code_file(file)
