"""The plagiarism test: say how close each answer is to the text it may have been taken from."""

from collections.abc import Generator
from typing import Annotated, Any

import numpy as np

from mensura.catalog.analogy.documents import Documents
from mensura.catalog.analogy.plagiarism.corpus import AnswerCorpus, SourcedAnswer, read_corpus
from mensura.catalog.analogy.plagiarism.exhibits import exhibits
from mensura.catalog.analogy.plagiarism.scoring import CHANCE, SCORES, score
from mensura.catalog.analogy.subjects import CLOSENESS
from mensura.dialogue import Ask, Probability, test
from mensura.dialogue.canonical import short_hash
from mensura.errors import BadParameter

QUESTION = "How much of the answer was taken from the source? From 0, nothing, to 1 (100 %), copied whole."


def chosen(data: str, tasks: str) -> list[SourcedAnswer]:
    """Return the answers that are asked about."""
    corpus = read_corpus(data)
    wanted = [task.strip() for task in tasks.split(",") if task.strip()] or sorted(corpus.sources)
    for task in wanted:
        if task not in corpus.sources:
            raise BadParameter(f"--tasks names {task!r}; the corpus has the tasks {', '.join(sorted(corpus.sources))}.")
    return [answer for answer in corpus.answers if answer.task in wanted]


def refuse(*, data: str, tasks: str, count: int) -> None:
    """Raise a sentence where the corpus cannot be read, or has no such tasks."""
    if count < 0:
        raise BadParameter(f"--count is how many answers are asked about, or 0 for all; got {count}.")
    chosen(data, tasks)


def count_questions(*, data: str, tasks: str, count: int) -> int:
    """Return how many answers a person is asked about."""
    held = len(chosen(data, tasks))
    return min(count, held) if count else held


def make_ask(answer: SourcedAnswer, corpus: AnswerCorpus) -> Ask:
    """Ask about one answer, under a key that tells neither who wrote it nor how."""
    shown = [{"title": "Source", "text": corpus.sources[answer.task]}, {"title": "Answer", "text": answer.text}]
    truth = {"level": answer.level, "task": answer.task, "participant": answer.participant}
    key = short_hash([answer.task, answer.text])[:12]
    return Ask(Documents(QUESTION, shown), Probability(), key=key, truth=truth)


@test(
    "analogy-plagiarism-v1",
    score=score,
    scores=SCORES,
    subjects=CLOSENESS,
    refuse=refuse,
    chance=CHANCE,
    exhibits=exhibits,
    memory=0,
    questions=count_questions,
)
def plagiarism(
    rng: np.random.Generator,
    *,
    data: Annotated[
        str,
        "The folder of a corpus of answers, or its file_information.csv; none: a small corpus made for the test.",
    ] = "",
    tasks: Annotated[
        str,
        "Which tasks of the corpus are asked about, by name and separated by commas; none: all of them.",
    ] = "",
    count: Annotated[int, "How many answers are asked about, 1 or more; 0: all of them."] = 0,
) -> Generator[Ask, Any, None]:
    """Say how close answers are to the source from which some of them were copied."""
    corpus, answers = read_corpus(data), chosen(data, tasks)
    for place in rng.permutation(len(answers))[: count or None]:
        yield make_ask(answers[place], corpus)
