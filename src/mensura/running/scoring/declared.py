"""Declared: what is known of the scores of a stored run, also where its test is not installed."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mensura.dialogue import Score, Scores, read_scores
from mensura.errors import MensuraError
from mensura.scores.natural import wider

if TYPE_CHECKING:
    from mensura.store.head import RunHead


def declared_of(head: "RunHead", results: Mapping[str, Scores]) -> dict[str, Score]:
    """Return what is declared of a run's scores: by the run itself, else by its test, and by natural scores.

    Runs of earlier versions carry no declarations; their test's count where it is installed.
    """
    if "scores" in head.details:
        declared = read_scores(head.details["scores"])
    else:
        from mensura.running.reference import definition_of

        try:
            declared = definition_of(head).declared_scores(head.parameters)
        except (MensuraError, TypeError):
            # A run may come from another installation, with a test that is not here or has other parameters.
            declared = {}
    for scores in results.values():
        for name, score in scores.declared.items():
            declared[name] = wider(declared[name], score) if name in declared else score
    return declared
