"""What an assessment means, in sentences."""

from typing import TYPE_CHECKING

import numpy as np

from mensura.catalog.sensemaking.assessment.cfa import BIASES
from mensura.catalog.sensemaking.assessment.cfa import PASS_MARK as BIAS_MARK

if TYPE_CHECKING:
    from mensura.catalog.sensemaking.assessment.assess import Benchmark
    from mensura.catalog.sensemaking.assessment.result import Assessment


def notes(assessment: "Assessment") -> list[str]:
    """Sentences a reader needs beside the numbers."""
    said = []
    benchmark = assessment.benchmark
    null, null_sigint = (null_biases(benchmark, sigint=asks) for asks in (False, True))
    assessed = len(assessment.biases_assessed)
    said.append(
        f"CFA alone says little: a model that answers uniformly passes {null} of {assessed} biases here without "
        f"ever asking for SIGINT and {null_sigint} of {assessed} if it asks, because ties count as the maximum. "
        f"Read CFA beside CPA ({float(assessment.scores.cpa):.1f} for this model)."
    )
    unassessed = [bias for bias in BIASES if not any(use.any() for use in benchmark.assessed_items[bias].values())]
    for bias in unassessed:
        said.append(f"People show no significant {bias.replace('_', ' ')} on most items, so it is not assessed.")
    total = sum(assessment.missing.values())
    if total:
        said.append(
            f"{total} assessed stages or trials have no usable answer and count 0; on what was answered alone CPA "
            f"would be {assessment.answered:.1f}."
        )
    absent = [str(number) for number, value in assessment.scores.tasks.items() if not np.isfinite(value)]
    if absent:
        said.append(
            f"Task{'s' if len(absent) > 1 else ''} {', '.join(absent)} cannot be scored; the weights of the others are "
            "scaled up, and CPA cannot be passed."
        )
    runs = len(assessment.side.runs)
    if runs > 1:
        said.append(
            f"{runs} runs were averaged: distributions and allocations by their means, SIGINT choices pooled. How "
            "sequences of Task 6 are averaged was never published; here the sequence most runs chose on a trial stands "
            "for the model, the first of the menu where several tie."
        )
    silent = sum(not each for each in assessment.declared)
    if silent:
        said.append(f"{silent} of {runs} runs declare no parameters; they should be fixed within a run and stated.")
    return said


def null_biases(benchmark: "Benchmark", *, sigint: bool) -> int:
    """How many biases a uniform model passes on this exam with these people."""
    from mensura.catalog.sensemaking.answers.check import check_answers
    from mensura.catalog.sensemaking.assessment.assess import ModelSide, score_model
    from mensura.catalog.sensemaking.minds import answer_exam, find_mind
    from mensura.catalog.sensemaking.people.respondents import respondents_of

    mind = find_mind("uniform-sigint" if sigint else "uniform")
    exam = benchmark.exam
    answers = answer_exam(exam, mind, rng=np.random.default_rng(0))
    runs = respondents_of([check_answers(answers, exam)], exam)
    scores = score_model(benchmark, ModelSide(benchmark, runs))
    return sum(float(scores.biases[bias]) >= BIAS_MARK for bias in BIASES)
