"""Answers get the verdicts that Inspect itself gives: the same texts through its evaluation and through our scoring."""

import asyncio
import json
from random import Random
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura.catalog.inspect.scoring import VERDICTS, as_number, grade, score_verdicts, verdicts_of
from mensura.catalog.inspect.task import InspectGrader
from mensura.dialogue import Answer, Record
from tests.inspect_tasks import WHY

SCORERS = {
    "match": [{}, {"location": "begin"}, {"location": "any", "numeric": True}, {"ignore_case": False}],
    "includes": [{}, {"ignore_case": False}],
    "exact": [{}],
    "pattern": [{"pattern": r"is (\w+)"}, {"pattern": r"(\d+) (\d+)", "match_all": True}],
    "answer": [{"pattern": "letter"}, {"pattern": "word"}, {"pattern": "line"}],
    "f1": [{}, {"stop_words": ["is"]}],
}
KNOWN = [
    ("match", "The answer is 42.", "42", 1.0),
    ("match", "42 it is not", "42", 0.0),
    ("includes", "It is Paris, I think", "paris", 1.0),
    ("exact", "The Paris!", "paris", 1.0),
    ("answer", "Well.\nANSWER: B", ["A", "B"], 1.0),
    ("f1", "the cat sat", "a cat", 0.67),
]


@pytest.fixture(scope="module")
def evaluated():
    """Give what lets Inspect evaluate texts against targets: its own run, with a model that says the texts."""
    inspect_ai = pytest.importorskip("inspect_ai", reason=WHY)
    from inspect_ai import scorer
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    def evaluate(pairs, graders, folder):
        samples = [Sample(str(place), target=target) for place, (_, target) in enumerate(pairs)]
        made = [getattr(scorer, one.name)(**json.loads(one.arguments)) for one in graders]

        def say(messages, *about):
            # Without counts it would fetch a tokenizer from the internet.
            output = ModelOutput.from_content("mockllm", pairs[int(messages[-1].text)][0])
            return output.model_copy(update={"usage": ModelUsage(input_tokens=1, output_tokens=1)})

        model = get_model("mockllm/model", custom_outputs=say, memoize=False)
        options = {"display": "none", "log_dir": str(folder), "log_realtime": False, "log_format": "json"}
        log = inspect_ai.eval(inspect_ai.Task(samples, scorer=made), model=model, **options)[0]
        assert log.status == "success"
        return [list(verdicts_of(one.scores).values()) for one in sorted(log.samples, key=lambda one: one.id)]

    return evaluate


def test_known_answers_get_known_verdicts():
    pytest.importorskip("inspect_ai", reason=WHY)
    for name, text, target, value in KNOWN:
        grader = InspectGrader(name, json.dumps({"pattern": "letter"} if name == "answer" else {}))
        assert grade(grader, text, target) == value, (name, text)
    assert grade(InspectGrader("choice"), "Paris", "Paris") == 1.0
    assert grade(InspectGrader("choice"), "Rome", "Paris") == 0.0


WORDS = ["is", "Paris", "42", "4,2", "$42", "ANSWER:", "answer: b", "B", "the", "½", "-", "\n", "é", "1e3", "", "(42)"]
GRADERS = [InspectGrader(name, json.dumps(arguments)) for name, several in SCORERS.items() for arguments in several]


def test_texts_get_the_verdicts_of_inspects_own_evaluation(evaluated, tmp_path):
    chance = Random(7)
    texts = [" ".join(chance.choices(WORDS, k=chance.randrange(6))) for _ in range(40)]
    pairs = [(text, target) for text, target in zip(texts[:20], texts[20:], strict=True) if target.strip()]
    theirs = [[verdict["value"] for verdict in sample] for sample in evaluated(pairs, GRADERS, tmp_path)]
    assert [[grade(grader, text, target) for grader in GRADERS] for text, target in pairs] == theirs
    assert {0.0, 1.0} < {value for sample in theirs for value in sample}


TEXTS = st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=4)), max_size=6).map(" ".join)


@settings(max_examples=60)
@given(grader=st.sampled_from(GRADERS), text=TEXTS, targets=st.lists(TEXTS, min_size=1, max_size=3))
def test_any_text_gets_the_verdict_of_inspects_own_scorer(grader, text, targets):
    pytest.importorskip("inspect_ai", reason=WHY)
    from inspect_ai import scorer
    from inspect_ai.model import ChatMessageUser, ModelName, ModelOutput
    from inspect_ai.solver import TaskState

    messages, output = [ChatMessageUser(content="Who?")], ModelOutput.from_content("a/b", text)
    state = TaskState(ModelName("a/b"), 1, 1, "Who?", messages, scorer.Target(targets), output=output)
    theirs = getattr(scorer, grader.name)(**json.loads(grader.arguments))(state, scorer.Target(targets))
    assert grade(grader, text, targets) == scorer.value_to_float()(asyncio.run(theirs).value)


def test_values_are_read_as_inspect_reads_them():
    assert [as_number(value) for value in ("C", "I", "P", "N", True, "yes", "No", "2.5", 3)] == [
        1.0, 0.0, 0.5, 0.0, 1.0, 1.0, 0.0, 2.5, 3.0,
    ]  # fmt: skip
    assert as_number("odd") != as_number("odd")


def verdict(value, **more):
    return SimpleNamespace(value=value, **{"answer": None, "explanation": None, **more})


def test_a_verdict_that_is_no_number_is_unknown_and_not_zero():
    told = verdicts_of({"mood": verdict({"level": 2, "word": "odd"}), "match": verdict("C", answer="42")})
    assert told["mood/word"] == {"value": None, "graded": False, "said": "odd"}
    assert told["match"] == {"value": 1.0, "graded": True, "answer": "42"}
    record = Record("x-v1", {}, status="finished", answers=[Answer(1, "subject", "a", "text", "42", "answered")])
    scores = score_verdicts(record, {"a": "42", VERDICTS: told})
    assert {name: items.values.tolist()[0] for name, items in scores.values.items() if name != "mood/word"} == {
        "mood/level": 2.0,
        "match": 1.0,
    }
    assert scores.values["mood/word"].values != scores.values["mood/word"].values
    assert scores.declared["match"].better == "more"
    assert scores.declared["mood/level"].better is None
