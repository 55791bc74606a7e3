"""Applying: what a closed panel found goes back to the sessions as a later truth, and their scores follow."""

from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING

from mensura.errors import BadParameter, UnknownName
from mensura.running.panel.artefact import judged_in
from mensura.running.panel.results import results
from mensura.running.results.summary import RunResult
from mensura.running.scoring.rescore import rescore

if TYPE_CHECKING:
    from mensura.store import Store


@dataclass(frozen=True)
class Applied:
    """The ratings that were applied: how many ratings, how many artefacts nobody rated, and the runs' new scores."""

    panel: str
    ratings: int
    unknown: int
    runs: list[RunResult]


def apply_panel(name: str, *, store: "Store") -> Applied:
    """Write each artefact's final rating into its session as a later truth, and score the runs again.

    Earlier truths and results are kept. What nobody rated stays as it was, and is counted.
    """
    found = results(name, store=store)
    runs, count, unknown = [], 0, 0
    for one in found.artefacts:
        try:
            run = store.sessions.find(one.source).run
        except UnknownName:
            raise BadParameter(
                f"The artefact {one.code} of {name} comes from {one.source!r}, which is not a session here; only "
                "panels whose artefacts are runs can be applied."
            ) from None
        judged = judged_in([run], store=store)
        if judged is None:
            raise BadParameter(f"The test of {run} does not say what of it is judged; its scores need no panel.")
        if isnan(one.score):
            unknown += 1
            continue
        value = {"value": one.score, "raters": one.raters, "panel": name}
        if store.truths.of(one.source).get(judged.key) != value:
            store.truths.resolve(one.source, judged.key, value, source=f"panel {name}")
        count += 1
        if run not in runs:
            runs.append(run)
    return Applied(name, count, unknown, [rescore(run, store=store) for run in runs])
