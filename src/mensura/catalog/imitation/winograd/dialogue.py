"""The schema test: say which candidate a pronoun stands for, or ask back where the sentence leaves it open."""

from collections.abc import Generator, Sequence
from typing import Annotated, Any

import numpy as np

from mensura.catalog.imitation.winograd.files import OWN, UNCLEAR, SchemaFile, read_schemas
from mensura.catalog.imitation.winograd.schema import Schema, SchemaSentence
from mensura.catalog.imitation.winograd.scoring import AFTER, SWITCHED, declared_scores, score
from mensura.catalog.imitation.winograd.subjects import ASK_BACK, SUBJECTS
from mensura.dialogue import Ask, Choice, Text, test
from mensura.errors import BadParameter

NOTHING_MORE = "There is nothing more to be known than the sentence says."
LONGEST_QUESTION = 300


def count_sentences(*, data: str = "", switch: bool = True, ask: bool = False, count: int = 0) -> int | None:
    """Return how many sentences a person is asked about; None where it depends on what is drawn or asked back."""
    if count or ask:
        return None
    return sum(_forms(one, switch) for one in _schemas(data, ask))


def refuse(*, data: str = "", switch: bool = True, ask: bool = False, count: int = 0) -> None:
    """Raise a sentence where these schemas cannot be asked."""
    have = len(_schemas(data, ask))
    if not 0 <= count <= have:
        raise BadParameter(f"`count` is how many schemas are drawn, from 1 to {have}, or 0 for all; got {count}.")


@test(
    "winograd-v1",
    score=score,
    scores=declared_scores,
    subjects=SUBJECTS,
    questions=count_sentences,
    refuse=refuse,
    settings={"ask": {"ask": True}, "short": {"count": 12}},
)
def winograd(
    rng: np.random.Generator,
    *,
    data: SchemaFile = "",
    switch: Annotated[
        bool,
        "Whether schemas whose candidates can change places are asked once more with them exchanged.",
    ] = True,
    ask: Annotated[
        bool,
        "Whether the subject may ask back instead of answering; some sentences then leave open who is meant.",
    ] = False,
    count: Annotated[int, "How many schemas are drawn, 1 or more; 0: all of them."] = 0,
) -> Generator[Ask, Any, None]:
    """Say which candidate a pronoun stands for, in sentences whose twins differ by a word.

    With `ask` the subject may ask back instead of answering, and some sentences leave open who is meant.
    """
    schemas: Sequence[Schema] = _schemas(data, ask)
    if count:
        schemas = [schemas[place] for place in sorted(rng.choice(len(schemas), size=count, replace=False))]
    forms: list[tuple[str, Schema, SchemaSentence, tuple[str, ...]]] = []
    for schema in schemas:
        for number, sentence in _asked(schema, rng):
            for ending in ("", f"/{SWITCHED}") if switch and schema.switch else ("",):
                options = tuple(schema.candidates[place] for place in rng.permutation(len(schema.candidates)))
                form = schema.switched(sentence) if ending else sentence
                forms.append((f"{schema.id}/{number}{ending}", schema, form, options))
    # Twins one after the other would show the word they differ by.
    for place in rng.permutation(len(forms)):
        yield from _item(*forms[place], ask=ask)


def _item(
    key: str, schema: Schema, sentence: SchemaSentence, options: tuple[str, ...], *, ask: bool
) -> Generator[Ask, Any, None]:
    pronoun = "the gap" if sentence.pronoun == "_" else f'"{sentence.pronoun}"'
    question = f"{sentence.text}\n\nWhat does {pronoun} in brackets stand for?"
    truth = _truth(schema, sentence, ask=ask)
    given = yield Ask(question, Choice((*options, ASK_BACK) if ask else options), key=key, truth=truth)
    if given != ASK_BACK:
        return
    wanted = yield Ask(
        f"{sentence.text}\n\nWhat would you like to know?",
        Text(longest=LONGEST_QUESTION, lines=2),
        key=f"{key}/question",
    )
    told = sentence.told or NOTHING_MORE
    asked = f"\n\nYou asked: {wanted}" if wanted else ""
    yield Ask(f"{question}{asked}\n\n{told}", Choice(options), key=f"{key}/{AFTER}", truth=truth["right"])


def _asked(schema: Schema, rng: np.random.Generator) -> list[tuple[int, SchemaSentence]]:
    """Return the sentences that are asked: both twins, and of an ambiguous one what chance makes true."""
    rows = list(enumerate(schema.sentences))
    return [rows[int(rng.integers(len(rows)))]] if schema.ambiguous else rows


def _truth(schema: Schema, sentence: SchemaSentence, *, ask: bool) -> Any:
    right = schema.candidates[sentence.right]
    if not ask and not schema.ambiguous:
        return right
    total = sum(sentence.people)
    people = {name: many / total for name, many in zip(schema.candidates, sentence.people, strict=False)}
    return {"right": right, "ambiguous": schema.ambiguous, "people": people}


def _schemas(data: str, ask: bool) -> tuple[Schema, ...]:
    if data:
        return read_schemas(data)
    return (*read_schemas(OWN), *read_schemas(UNCLEAR)) if ask else read_schemas(OWN)


def _forms(schema: Schema, switch: bool) -> int:
    return (1 if schema.ambiguous else len(schema.sentences)) * (2 if switch and schema.switch else 1)
