"""Measured: the scores that the tests of a study give, so that a plan cannot name one that does not exist."""

from collections.abc import Mapping
from typing import Any

from mensura.catalog.find import find_test
from mensura.dialogue import Test
from mensura.errors import MensuraError, unknown
from mensura.running.checks.trial import Trial
from mensura.running.study.plan import Study


def check_scores(study: Study) -> Study:
    """Refuse a plan whose hypotheses or stop rule name a score that none of its tests gives; returns the plan."""
    stop = study.stopping
    named = {f"hypothesis {one.name}": one.score for one in study.hypotheses}
    named |= {"the stop rule": stop.score} if stop.width is not None else {}
    if not named:
        return study
    given = [scores_of(find_test(test), values) for test, values in _taken(study)]
    there = list(dict.fromkeys(name for scores in given for name in scores or ()))
    for where, score in named.items():
        if score not in there and None not in given:
            raise unknown(f"score in {where}", score, known=there, see=f"Scores are {', '.join(there)}.")
    return study


def scores_of(test: Test, parameters: Mapping[str, Any]) -> list[str] | None:
    """Name the scores of a test: those it declares, else what one session by chance gives; None where that fails."""
    values = test.fill(parameters)
    if test.scores:
        return list(test.declared_scores(values))
    try:
        return list(Trial(test, values).first.scores().values)
    except MensuraError:
        return None


def _taken(study: Study) -> list[tuple[str, Mapping[str, Any]]]:
    """List what is taken, each test under each condition and in each phase."""
    taken: dict[str, tuple[str, Mapping[str, Any]]] = {}
    for cell in study.cells():
        for phase in study.phases or ({},):
            values = {**cell.parameters, **phase.get("parameters", {})}
            taken[f"{phase.get('test', cell.test)} {values}"] = (phase.get("test", cell.test), values)
    return list(taken.values())
