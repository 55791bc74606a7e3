"""Declared: what is known of the scores of a stored run, also where its test is not installed."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mensura.dialogue import Score, Scores, read_scores
from mensura.errors import MensuraError
from mensura.scores.natural import wider

if TYPE_CHECKING:
    from mensura.store.head import RunHead


def declared_of(head: "RunHead", results: Mapping[str, Scores]) -> dict[str, Score]:
    """Return what is declared of a run's scores: by the run itself, else by its test, and by natural scores."""
    declared = stated_of(head)
    for scores in results.values():
        widen(declared, scores)
    return declared


def stated_of(head: "RunHead") -> dict[str, Score]:
    """Return what a run itself declares of its scores, else its test.

    Runs of earlier versions carry no declarations; their test's count where it is installed.
    """
    if "scores" in head.details:
        return read_scores(head.details["scores"])
    from mensura.running.reference import definition_of

    try:
        return definition_of(head).declared_scores(head.parameters)
    except (MensuraError, TypeError):
        # A run may come from another installation, with a test that is not here or has other parameters.
        return {}


def widen(declared: dict[str, Score], scores: Scores) -> None:
    """Add to what is declared what a session declares of its natural scores."""
    for name, score in scores.declared.items():
        declared[name] = wider(declared[name], score) if name in declared else score
