"""The schema test: say which candidate a pronoun stands for."""

from collections.abc import Generator
from typing import Any

import numpy as np

from mensura.catalog.imitation.winograd.files import OWN, read_schemas
from mensura.catalog.imitation.winograd.scoring import SCORES, SWITCHED, score
from mensura.catalog.imitation.winograd.subjects import SUBJECTS
from mensura.dialogue import Ask, Choice, test


def count_sentences(*, data: str = "", switch: bool = True) -> int:
    """Return how many sentences a person is asked about."""
    schemas = read_schemas(data or OWN)
    return sum(len(one.sentences) * (2 if switch and one.switch else 1) for one in schemas)


@test("winograd-v1", score=score, scores=SCORES, subjects=SUBJECTS, questions=count_sentences)
def winograd(rng: np.random.Generator, *, data: str = "", switch: bool = True) -> Generator[Ask, Any, None]:
    """Say which candidate a pronoun stands for, in sentences whose twins differ by a word."""
    asks = []
    for schema in read_schemas(data or OWN):
        for number, sentence in enumerate(schema.sentences):
            forms = [("", sentence)]
            if switch and schema.switch:
                forms.append((f"/{SWITCHED}", schema.switched(sentence)))
            for ending, form in forms:
                pronoun = "the gap" if form.pronoun == "_" else f'"{form.pronoun}"'
                options = tuple(schema.candidates[place] for place in rng.permutation(len(schema.candidates)))
                question = f"{form.text}\n\nWhat does {pronoun} in brackets stand for?"
                right = schema.candidates[form.right]
                asks.append(Ask(question, Choice(options), key=f"{schema.id}/{number}{ending}", truth=right))
    # Twins one after the other would show the word they differ by.
    for place in rng.permutation(len(asks)):
        yield asks[place]
