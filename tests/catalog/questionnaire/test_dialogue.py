"""Surveys from data: hidden categories, reversal, words, open questions, files."""

import json
from pathlib import Path

import numpy as np
import pytest

from mensura.catalog.find import find_test
from mensura.catalog.questionnaire.dialogue import survey_test
from mensura.dialogue import instance_hash, prompt_data
from mensura.dialogue.canonical import canonical
from mensura.errors import BadFile, BadParameter
from mensura.running.check import CheckOptions, check_test
from mensura.running.results.survey import summarise_survey
from mensura.running.run import run
from mensura.running.take import take
from mensura.store import open_store

ITEMS = [
    {"key": "reliance-1", "text": "I could rely on {assistant}.", "category": "reliance"},
    {"key": "reliance-2", "text": "I had to watch {assistant}.", "category": "reliance", "reverse": True},
    {"key": "effort-1", "text": "It was hard.", "category": "effort"},
    {"key": "suggestions", "text": "What should {assistant} do better?", "open": True},
]
FILE = """
name: reliance
introduction: Some statements about {assistant}.
words: {assistant: the assistant}
scale: {points: 7}
items:
  - {key: r1, text: "I could rely on {assistant}.", category: reliance}
  - {key: r2, text: "I had to watch {assistant}.", category: reliance, reverse: true}
  - {text: "What should be better?", open: true}
"""


@pytest.fixture
def survey():
    """Make a small survey."""
    return survey_test(ITEMS, name="reliance", scale=7, words={"assistant": "the assistant"}, thanks="Thank you.")


def test_reversed_items_are_turned_and_others_are_not(survey):
    given = {"rely": 6, "watch": 2, "hard": 3, "better": "Nothing."}
    taken = take(survey, lambda ask: next(value for word, value in given.items() if word in ask.prompt), seed=1)
    scores = survey.score(taken.record, {})
    assert scores.values["reliance"].values.tolist() == [6, 6]
    assert scores.values["reliance"].keys == ("reliance-1", "reliance-2")
    assert scores.values["effort"].values.tolist() == [3]
    assert scores.details == {"open_answers": {"suggestions": "Nothing."}}


@pytest.mark.parametrize("answer", range(1, 8))
def test_turning_keeps_the_scale_and_its_middle(answer):
    one = survey_test([{"text": "A.", "category": "c", "reverse": True}], name="one", scale=7)
    taken = take(one, lambda ask: answer, seed=1)
    assert one.score(taken.record, {}).values["c"].values.tolist() == [8 - answer]


def test_categories_and_keys_are_never_shown(survey):
    seen = []

    def subject(ask):
        seen.append(canonical([prompt_data(ask.prompt), ask.key, ask.space.data()]) + repr(ask))
        return ask.space.draw(np.random.default_rng(1))

    taken = take(survey, subject, seed=1)
    heard = "\n".join(seen) + canonical([taken.record.content(answer.number) for answer in taken.record.answers])
    assert len(seen) == 4
    assert not [word for word in ("reliance", "effort", "suggestions", "reverse", "category") if word in heard]


def test_words_stand_for_names_and_are_parameters(survey):
    assert list(survey.parameters) == ["assistant"]
    asked = []
    take(survey, lambda ask: asked.append(ask.prompt) or ask.space.draw(np.random.default_rng(1)), seed=1)
    assert asked[0] == "I could rely on the assistant."
    asked.clear()
    take(
        survey,
        lambda ask: asked.append(ask.prompt) or ask.space.draw(np.random.default_rng(1)),
        seed=1,
        parameters={"assistant": "Robin"},
    )
    assert asked[0] == "I could rely on Robin."


def test_braces_in_an_answer_or_a_name_are_not_read_as_words():
    odd = survey_test(["I trust {tool}."], name="odd", scale=7, words={"tool": "the tool"})
    asked = []
    take(odd, lambda ask: asked.append(ask.prompt) or 1, seed=1, parameters={"tool": "{tool} {0}"})
    assert asked == ["I trust {tool} {0}."]


def test_a_random_order_leaves_scores_and_open_questions_in_place():
    items = [{"text": f"Statement {i}.", "category": "c", "reverse": i % 2 == 1} for i in range(8)]
    mixed = survey_test([*items, {"text": "Why?", "open": True}], name="mixed", scale=7, order="random")
    orders = []
    for seed in range(3):
        asked = []
        subject = lambda ask: asked.append(ask.prompt) or ("" if ask.prompt == "Why?" else 2)  # noqa: B023, E731
        taken = take(mixed, subject, seed=seed)
        orders.append(asked)
        assert asked[-1] == "Why?"
        assert mixed.score(taken.record, {}).values["c"].values.tolist() == [2, 6] * 4
    assert len({tuple(order) for order in orders}) == 3


def test_items_without_a_category_are_scores_of_their_own():
    lone = survey_test([{"key": "age", "text": "Your age?", "scale": {"from": 0, "to": 120}}], name="lone")
    assert lone.score(take(lone, lambda ask: 40, seed=1).record, {}).values == {"age": 40}


@pytest.mark.parametrize(
    ("items", "rest", "words"),
    [
        (["I trust {tool}."], {"scale": 7}, "`words` does not say"),
        (["A."], {}, "has no scale"),
        ([], {"scale": 7}, "at least one item"),
        ([{"text": "A.", "open": True, "category": "c"}], {}, "has no scale, category or reversal"),
        ([{"text": "A.", "key": "a"}, {"text": "B.", "key": "a"}], {"scale": 7}, "Two items"),
        (
            [{"text": "A.", "category": "c"}, {"text": "B.", "category": "c", "scale": 5}],
            {"scale": 7},
            "different scales",
        ),
        (["A."], {"scale": 7, "differences": {"d": ["q1", "q2"]}}, "names 'q2', which is not an item with a scale"),
        (["A."], {"scale": 7, "order": "sorted"}, "written or random"),
    ],
)
def test_a_wrong_survey_is_refused_in_words(items, rest, words):
    with pytest.raises(BadParameter, match=words):
        survey_test(items, name="wrong", **rest)


def test_another_wording_or_reversal_measures_something_else(survey):
    same = survey_test(ITEMS, name="reliance", scale=7, words={"assistant": "the assistant"})
    turned = survey_test(
        [{**ITEMS[0], "reverse": True}, *ITEMS[1:]], name="reliance", scale=7, words={"assistant": "the assistant"}
    )
    assert instance_hash(same, {}) == instance_hash(survey, {})
    assert instance_hash(turned, {}) != instance_hash(survey, {})


def test_a_survey_keeps_the_contract(survey):
    report = check_test(survey, options=CheckOptions(sessions=3))
    assert report.passed, str(report)


def test_a_file_is_a_test_and_its_sessions_give_alpha_and_open_answers(tmp_path: Path):
    (tmp_path / "survey.yaml").write_text(FILE)
    with open_store(tmp_path / "s.db") as store:
        head = run(str(tmp_path / "survey.yaml"), "chance", store=store, sessions=12, seed=3).head
        found = summarise_survey(head.id, store=store)
        answers = np.array([scores.values["reliance"].values for scores in store.results.of(head.id).values()])
    assert head.test == "reliance-v1"
    category = found.categories["reliance"]
    total, items = answers.sum(axis=1).var(ddof=1), answers.var(axis=0, ddof=1).sum()
    assert category.reliability.alpha.value == pytest.approx(2 * (1 - items / total))
    assert category.reliability.alpha.n == 12
    assert category.mean.n == 12
    assert category.mean.value == pytest.approx(answers.mean())
    assert len(found.open_answers["q3"]) <= 12
    assert json.loads(json.dumps(found.as_json()))["categories"]["reliance"]["mean"]["n"] == 12


def test_a_category_of_one_item_has_no_alpha_and_says_why(tmp_path: Path, survey):
    with open_store(tmp_path / "s.db") as store:
        head = run(survey, "chance", store=store, sessions=3, seed=3).head
        found = summarise_survey(head.id, store=store)
    assert found.categories["effort"].reliability is None
    assert "two items" in found.categories["effort"].why_not


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("items: [", "survey.yaml:1: this is not YAML"),
        ("a: 1", "holds no survey"),
        (
            "name: x\nscael: 7\nitems: [A.]",
            "survey.yaml:2: There is no part of a survey called 'scael'. Did you mean scale",
        ),
        ("items: [A.]", "has no scale"),
    ],
)
def test_a_wrong_file_is_refused_in_words(tmp_path: Path, content, words):
    (tmp_path / "survey.yaml").write_text(content)
    with pytest.raises(BadFile, match=words):
        find_test(str(tmp_path / "survey.yaml"))


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path):
    with pytest.raises(BadFile, match="cannot be read"):
        find_test(str(tmp_path / "none.yaml"))


def test_several_items_on_a_page_are_scored_as_if_they_were_asked_apart():
    items = [{"text": f"Item {i}.", "category": "all", "reverse": i == 2} for i in range(1, 4)]
    items.append({"text": "Anything else?", "open": True})
    survey = survey_test(items, name="paged", scale=7, page=3, stem="How far do you agree?")

    def subject(ask):
        assert ask.prompt == "How far do you agree?"
        return {key: "no" if key == "q4" else 2 for key in ask.space.questions}

    taken = take(survey, subject, seed=1)
    assert [answer.key for answer in taken.record.answers] == ["page1", "page2"]
    scores = survey.score(taken.record, {})
    assert scores.values["all"].values.tolist() == [2, 6, 2]
    assert scores.details["open_answers"] == {"q4": "no"}
    assert survey.questions == 2
    with pytest.raises(BadParameter, match="1 item or more; got 0"):
        survey_test(items, name="paged", scale=7, page=0)
