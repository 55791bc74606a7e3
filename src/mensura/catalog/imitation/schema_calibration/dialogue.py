"""The calibration form: people say who is meant and how sure they are; no answer is right or wrong."""

from collections.abc import Generator, Mapping
from typing import Annotated, Any

import numpy as np

from mensura.catalog.imitation.winograd.files import OWN, SchemaFile, read_schemas
from mensura.dialogue import Ask, Choice, Items, Outcome, Probability, Questions, Record, Score, prompt_text, test
from mensura.errors import BadParameter
from mensura.subjects.subject import Unlearning

GROUP = "group"
SCORES = (Score("confidence", better=None, low=0, high=1, label="confidence", shown_to="laboratory"),)


def score(record: Record, truths: Mapping[str, Any]) -> dict[str, Items]:
    """Return the confidence in each item; what its author meant is no part of the form, and is joined afterwards."""
    asked = [answer for answer in record.answers if "/" in answer.key]
    sure = [one.value["confidence"] if one.status == "answered" else np.nan for one in asked]
    return {"confidence": Items(sure, [one.key for one in asked])}


def count_questions(*, data: str = "", groups: str = "", count: int = 0) -> int:
    """Return how many questions each person is asked."""
    return (count or sum(len(_asked(one)) for one in read_schemas(data or OWN))) + bool(groups)


def refuse(*, data: str = "", groups: str = "", count: int = 0) -> None:
    """Raise a sentence where these schemas cannot be calibrated."""
    have = count_questions(data=data)
    if not 0 <= count <= have:
        raise BadParameter(
            f"`count` is how many sentences each person is asked, up to {have}, or 0 for all; got {count}."
        )
    if groups and len(set(groups.split(","))) < 2:
        raise BadParameter(f"`groups` names at least two groups, with commas between; got {groups!r}.")


class Sure(Unlearning):
    """Takes the candidate that is named first, and is sure of it."""

    def __call__(self, ask: Ask) -> Any:
        if isinstance(ask.space, Choice):
            return ask.space.options[0]
        assert isinstance(ask.space, Questions)
        candidates = ask.space.questions["answer"][1]
        assert isinstance(candidates, Choice)
        text = prompt_text(ask.prompt)
        return {"answer": min(candidates.options, key=lambda name: text.lower().find(name.lower())), "confidence": 1.0}


@test(
    "schema-calibration-v1",
    score=score,
    scores=SCORES,
    questions=count_questions,
    refuse=refuse,
    shows_truth="a sentence names everything that its pronoun can stand for",
    subjects={"sure": Sure},
    settings={"short": {"count": 12}},
)
def schema_calibration(
    rng: np.random.Generator,
    *,
    data: SchemaFile = "",
    groups: Annotated[
        str,
        "Groups of which each person names their own first, two or more separated by commas; none: nobody is asked.",
    ] = "",
    count: Annotated[int, "How many sentences each person is asked about, 1 or more; 0: all of them."] = 0,
) -> Generator[Ask, Any, Outcome]:
    """Say who is meant in each sentence, and how sure you are."""
    items = [
        (f"{schema.id}/{number}", schema, one) for schema in read_schemas(data or OWN) for number, one in _asked(schema)
    ]
    order = rng.permutation(len(items))[: count or len(items)]
    yield Ask(
        "You will read sentences with a word in brackets. Say whom or what it stands for, and how sure you are that "
        "others would say the same. Some sentences are easy, some may be badly written, and some may leave it open. Do "
        "not look anything up. Your answers decide which of them are fit to be asked of others."
    )
    if groups:
        yield Ask("Which of these describes you?", Choice(tuple(one.strip() for one in groups.split(","))), key=GROUP)
    for place in order:
        key, schema, sentence = items[place]
        options = tuple(schema.candidates[at] for at in rng.permutation(len(schema.candidates)))
        pronoun = "the gap" if sentence.pronoun == "_" else f'"{sentence.pronoun}"'
        asked = {
            "answer": (f"What does {pronoun} in brackets stand for?", Choice(options)),
            "confidence": ("How sure are you?", Probability()),
        }
        yield Ask(sentence.text, Questions(asked), key=key)
    return Outcome("Thank you. What people say of a sentence decides what it can be used for.")


def _asked(schema: Any) -> list[tuple[int, Any]]:
    rows = list(enumerate(schema.sentences))
    return rows[:1] if schema.ambiguous else rows
