"""The survey after a session: the source's numbers, categories and reversals."""

import numpy as np

from mensura.catalog.crisis.survey.survey import MACROS, PREFIX, survey
from mensura.dialogue import Ask
from mensura.dialogue.prompts.base import prompt_data

# Steinfeld et al. 2006, section 3.4.
CATEGORIES = {
    "ease_of_use": range(4, 7),
    "usefulness": range(7, 10),
    "collaboration": range(10, 18),
    "disorientation": range(18, 23),
    "flow": range(23, 29),
}


def asked():
    return list(survey().ask(np.random.default_rng(1), {}, prefix=PREFIX))


def test_items_carry_the_numbers_and_categories_of_the_source():
    by_category = {name: [int(item.key) for item in items] for name, items in survey().categories.items()}
    assert by_category == {name: list(numbers) for name, numbers in CATEGORIES.items()}
    assert tuple(by_category) == MACROS


def test_the_general_items_are_left_by_themselves():
    scores = survey().score({f"{PREFIX}q{k}": 2 for k in range(1, 29)}, prefix=PREFIX)
    assert [scores.values[key] for key in "123"] == [2.0, 2.0, 2.0]


def test_the_best_answers_give_one_everywhere_and_the_assistant_metric_takes_them_as_answered():
    reversed_items = {10, 13, *range(17, 25)}
    given = {f"{PREFIX}q{k}": 7 if k in reversed_items else 1 for k in range(1, 29)}
    scores = survey().score(given, prefix=PREFIX).values
    assert all(np.all(scores[macro].values == 1) for macro in MACROS)
    assert scores["assistant"] == 1 - 7


def test_subjects_see_no_categories():
    for ask in asked():
        shown = str((ask.key, prompt_data(ask.prompt), ask.space and ask.space.data())).lower()
        assert not any(macro in shown or macro.replace("_", " ") in shown for macro in (*MACROS, "general"))
        assert "reverse" not in shown


def test_the_middle_of_the_scale_is_named_and_an_open_question_ends_it():
    asks = [ask for ask in asked() if isinstance(ask, Ask) and ask.space is not None]
    assert asks[0].space.data() == {
        "kind": "likert",
        "points": 7,
        "low_label": "strongly agree",
        "middle_label": "neutral",
        "high_label": "strongly disagree",
    }
    assert len(asks) == 29
    assert asks[-1].space.kind == "text"
