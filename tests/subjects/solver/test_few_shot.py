"""Few-shot: which examples are shown, and that none gives an answer away."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mensura
from mensura.dialogue import Ask, Choice, Number, prompt_text
from mensura.errors import BadFile, BadParameter
from mensura.subjects import SubjectSpec
from mensura.subjects.solver.few_shot import FewShot
from mensura.subjects.solver.solver import Solved, asked_in

LINES = [
    {"prompt": "2 + 2?", "answer": 4, "worked": "Two and two."},
    {"prompt": "Which is red?", "options": ["grass", "blood"], "answer": "B", "id": "red", "tags": ["easy"]},
    {"prompt": "Is 7 prime?", "answer": True},
    {"prompt": "3 + 3?", "answer": 6},
]


def write(path, lines):
    path.write_text("\n".join(map(json.dumps, lines)))
    return str(path)


def shown(few_shot, ask, *, seed=1):
    """Return what the subject is shown, and what the record says of it."""
    seen = []
    solver = Solved([lambda ask: seen.append(ask) or 1], solve=few_shot, title="few-shot")
    solver.begin(np.random.default_rng(seed))
    reply = solver(ask)
    assert seen[0].space == ask.space
    return prompt_text(seen[0].prompt), reply.notes["examples"]


def test_the_first_examples_stand_above_the_question_and_are_named_in_the_notes(tmp_path):
    few_shot = FewShot(examples=write(tmp_path / "shots.jsonl", LINES), shots=3)
    text, examples = shown(few_shot, Ask("5 + 5?", Number()))
    places = [text.index(part) for part in ("Two and two.\nAnswer: 4", "grass, blood\nAnswer: blood", "5 + 5?")]
    assert places == sorted(places)
    assert "Is 7 prime?\nAnswer: yes" in text
    assert "3 + 3?" not in text
    assert examples[1] == "red"
    assert len(set(examples)) == 3


def test_drawn_examples_come_from_the_chance_of_the_session(tmp_path):
    few_shot = FewShot(examples=write(tmp_path / "shots.jsonl", LINES), shots=2, drawn=True)
    ask = Ask("5 + 5?", Number())
    drawn = [tuple(shown(few_shot, ask, seed=seed)[1]) for seed in (1, 1, 2, 3, 4, 5)]
    assert drawn[0] == drawn[1]
    assert len(set(drawn)) > 2


def test_no_item_is_an_example_for_itself_also_within_another_solver(tmp_path):
    few_shot = FewShot(examples=write(tmp_path / "shots.jsonl", LINES), shots=3)
    for prompt in ("2 + 2?", " 2 +  2? ", ["2 + 2?", "Think step by step."]):
        text, examples = shown(few_shot, Ask(prompt, Number()))
        assert "Answer: 4" not in text
        assert len(examples) == 3


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 30), min_size=1, max_size=12, unique=True), st.booleans())
def test_items_of_the_bank_are_no_examples_unless_that_is_said(tmp_path_factory, chosen, said):
    path = write(
        tmp_path_factory.mktemp("shots") / "shots.jsonl",
        [{"prompt": f"{i} + 1000?", "answer": i + 1000} for i in range(40)],
    )
    bank = mensura.bank([{"prompt": f"{i} + 1000?", "answer": i + 1000} for i in chosen]).bank
    few_shot = FewShot(examples=path, shots=5, bank_items=said, asked=asked_in(bank))
    for item in bank:
        text, _ = shown(few_shot, Ask(item.prompt, item.space))
        present = [i for i in range(40) if f"Answer: {i + 1000}" in text]
        assert item.answer - 1000 not in present
        assert said or not set(present) & set(chosen)
        assert len(present) == 5


def test_the_bank_that_is_taken_is_found_by_the_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "items.jsonl", [{part: line[part] for part in line if part != "worked"} for line in LINES])
    bank = mensura.bank("items.jsonl")
    with pytest.raises(BadParameter, match=r"items\.jsonl has 0 examples to show \(4 more are items of the bank"):
        SubjectSpec("solve:few-shot(chance)#examples=items.jsonl#shots=1").find(bank)
    subject = SubjectSpec("solve:few-shot(constant:4)#examples=items.jsonl#shots=3#bank_items=true").make(bank)
    assert len(subject(Ask("2 + 2?", Number())).notes["examples"]) == 3
    with pytest.raises(BadParameter, match="#shots=4 needs 5"):
        SubjectSpec("solve:few-shot(chance)#examples=items.jsonl#shots=4#bank_items=true").find(bank)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "holds no examples"),
        ("no", "line 1: An example is a JSON object"),
        ('{"prompt": "?"}', "with `prompt` and `answer`"),
        ('\n{"prompt": "?", "options": "ab", "answer": 1}', "line 2: `options` is a list"),
        ('{"prompt": "?", "options": ["a", "b"], "answer": "c"}', "must be one of a, b"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, text, words):
    path = tmp_path / "shots.jsonl"
    path.write_text(text)
    with pytest.raises(BadFile, match=words):
        FewShot(examples=str(path), shots=1)


def test_what_is_asked_for_in_vain_is_said(tmp_path):
    with pytest.raises(BadFile, match=r"none\.jsonl cannot be read: No such file"):
        FewShot(examples="none.jsonl", folder=str(tmp_path))
    with pytest.raises(BadParameter, match="number of examples, at least 1; got 0"):
        FewShot(examples="none.jsonl", shots=0)


def test_a_choice_stays_a_choice(tmp_path):
    few_shot = FewShot(examples=write(tmp_path / "shots.jsonl", LINES), shots=1)
    assert shown(few_shot, Ask("Which is green?", Choice(("grass", "blood"))))[0].endswith("Which is green?")
