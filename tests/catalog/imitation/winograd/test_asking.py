"""The condition in which a subject may ask back: what it pays, and that no rule without judgement pays."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mensura.catalog.imitation.winograd.dialogue import NOTHING_MORE, winograd
from mensura.catalog.imitation.winograd.files import OWN, UNCLEAR, read_schemas
from mensura.catalog.imitation.winograd.scoring import ASKING, COST, score
from mensura.catalog.imitation.winograd.subjects import ASK_BACK
from mensura.dialogue import Answer, Record, prompt_text, session_mean
from mensura.errors import BadFile, BadParameter
from mensura.running.take import take


def scored(rows, people=None):
    """Score items: (ambiguous, asked, right) each; `people` holds the share of people who are right, by item."""
    answers, truths = [], {}
    for place, (ambiguous, asked, right) in enumerate(rows):
        key, said = f"s{place}/0", "Ann" if right else "Bea"
        shares = {"Ann": people[place], "Bea": 1 - people[place]} if people else {}
        truths[key] = {"right": "Ann", "ambiguous": ambiguous, "people": shares}
        answers.append(Answer(len(answers), "subject", key, "choice", ASK_BACK if asked else said, "answered"))
        if asked:
            answers.append(Answer(len(answers), "subject", f"{key}/after", "choice", said, "answered"))
            truths[f"{key}/after"] = "Ann"
    record = Record("winograd-v1", {"ask": True}, status="finished", answers=answers)
    return {name: session_mean(value) for name, value in score(record, truths).values.items()}


def test_credit_worked_by_hand():
    rows = [(False, False, True), (False, True, True), (False, True, False), (True, True, True), (True, False, True)]
    found = scored(rows, people=[0.9, 0.8, 0.8, 0.6, 0.6])
    assert found["credit"] == pytest.approx((1 + (1 - COST) + 0 + 1 + 0) / 5)
    assert found["discernment"] == pytest.approx(1 / 2 - 2 / 3)
    assert found["people"] == pytest.approx((0.9 + 0.8 * (1 - COST) + 0.2 * (1 - COST) + 1 + 0.6) / 5)
    assert found["accuracy"] == pytest.approx(2 / 3)


skills = st.lists(st.booleans(), min_size=1, max_size=12)


@given(skills, skills, st.data())
def test_it_never_pays_to_ask_always_or_never(clear, unclear, data):
    people = [data.draw(st.floats(0.5, 1)) for _ in clear] + [data.draw(st.floats(0.3, 0.7)) for _ in unclear]
    where = [(False, right) for right in clear] + [(True, right) for right in unclear]

    def asking(rule):
        return scored([(ambiguous, rule(ambiguous), right) for ambiguous, right in where], people)

    placed, always, never = asking(lambda a: a), asking(lambda a: True), asking(lambda a: False)
    assert placed["credit"] >= max(always["credit"], never["credit"])
    assert (placed["discernment"], always["discernment"], never["discernment"]) == (1, 0, 0)
    if any(clear):
        assert placed["credit"] > always["credit"]
    if any(unclear):
        assert placed["credit"] > never["credit"]
    if all(clear) and all(unclear):
        assert placed["people"] > max(always["people"], never["people"])


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), min_size=2, max_size=8), st.data())
def test_leaving_out_never_pays(rows, data):
    keys = [f"s{place}/0" for place in range(len(rows))]
    truths = {
        key: {"right": "Ann", "ambiguous": row[0], "people": {"Ann": 0.7, "Bea": 0.3}}
        for key, row in zip(keys, rows, strict=True)
    }
    gone = data.draw(st.sampled_from(keys))

    def means(without):
        answers = []
        for key, (_, asked, right) in zip(keys, rows, strict=True):
            said = "Ann" if right else "Bea"
            first = ASK_BACK if asked else said
            status = "refused" if key == without else "answered"
            answers.append(Answer(len(answers), "subject", key, "choice", first, status))
            if asked and key != without:
                answers.append(Answer(len(answers), "subject", f"{key}/after", "choice", said, "answered"))
        record = Record("winograd-v1", {"ask": True}, status="finished", answers=answers)
        return {name: session_mean(value) for name, value in score(record, truths).values.items()}

    whole, less = means(None), means(gone)
    assert all(not less[one.name] > whole[one.name] + 1e-12 for one in ASKING)


class Discerning:
    """Asks where the sentence is one of the unclear ones, and answers rightly: a simulated ceiling."""

    def __init__(self):
        self.told = []
        schemas = (*read_schemas(OWN), *read_schemas(UNCLEAR))
        self.unclear = {one.text for schema in schemas if schema.ambiguous for one in schema.sentences}
        self.right = {one.told or one.text: s.candidates[one.right] for s in schemas for one in s.sentences}

    def __call__(self, ask):
        text = prompt_text(ask.prompt)
        if ask.key.endswith("question"):
            return "What had happened?"
        if ask.key.endswith("after"):
            self.told.append(text)
            return self.right[text.split("\n\n")[-1]]
        sentence = text.split("\n\n")[0]
        return ASK_BACK if sentence in self.unclear else self.right[sentence]


def test_somebody_who_asks_is_told_and_can_answer():
    subject = Discerning()
    taken = take(winograd, subject, seed=3, parameters={"ask": True, "switch": False})
    found = {name: session_mean(value) for name, value in score(taken.record, taken.truths).values.items()}
    assert (found["accuracy"], found["credit"], found["discernment"]) == (1, 1, 1)
    assert np.isnan(found["people"])
    assert len(subject.told) == 12
    assert all("You asked: What had happened?" in one for one in subject.told)


def test_of_a_clear_sentence_nothing_more_is_told():
    taken = take(winograd, winograd.subjects["always-asks"](), seed=3, parameters={"ask": True, "count": 8})
    last = [
        prompt_text(taken.record.content(one.number)["prompt"]) for one in taken.record.answers if "after" in one.key
    ]
    clear = {
        one.key for one in taken.record.answers if one.key.split("/")[0] not in {s.id for s in read_schemas(UNCLEAR)}
    }
    assert last
    assert sum(text.endswith(NOTHING_MORE) for text in last) == sum("after" in key for key in clear)


def test_without_asking_back_it_is_not_offered():
    taken = take(winograd, winograd.subjects["first-mentioned"](), seed=3, parameters={"count": 8})
    assert all(ASK_BACK not in taken.record.content(one.number)["space"]["options"] for one in taken.record.answers)
    assert {one.key.split("/")[0] for one in taken.record.answers} <= {schema.id for schema in read_schemas(OWN)}


@pytest.mark.parametrize("count", [-1, 61])
def test_more_schemas_than_there_are_are_refused(count):
    with pytest.raises(BadParameter, match="from 1 to 60"):
        winograd.refuse(count=count)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"sentences": [{"text": "A b [he].", "right": 0, "told": "x"}] * 2}, "different right answers"),
        ({"sentences": [{"text": "A b [he].", "right": 0, "told": "x"}, {"text": "A b [he].", "right": 1}]}, "`told`"),
        ({"sentences": [{"text": "A b [he].", "right": 0, "told": "x", "people": {"C": 1}}]}, "'C' is none"),
        (
            {"ambiguous": False, "sentences": [{"text": "A b [he].", "right": 0, "people": {"A": -1}}]},
            "how many people",
        ),
        ({"ambiguous": False, "sentences": [{"text": "A b [he].", "right": "A"}]}, "number of an answer"),
        ({"id": "a/b", "ambiguous": False, "sentences": [{"text": "A b [he].", "right": 0}]}, "without a slash"),
    ],
)
def test_broken_ambiguous_schemas_are_named(changed, words, tmp_path):
    file = tmp_path / "mine.jsonl"
    file.write_text(json.dumps({"id": "x", "answers": ["A", "B"], "ambiguous": True, **changed}))
    with pytest.raises(BadFile, match="line 1") as caught:
        read_schemas(file)
    assert words in str(caught.value)
