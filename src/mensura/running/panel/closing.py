"""Closing a panel: rating ends, and only then may conditions be told."""

from math import isnan
from typing import TYPE_CHECKING

from mensura.errors import BadParameter
from mensura.running.panel.raters.assignment import ALONE
from mensura.running.panel.raters.progress import progress_of
from mensura.running.panel.results import results
from mensura.store.log.deeds import JUDGED

if TYPE_CHECKING:
    from mensura.store import Store


def _tell_sessions(name: str, *, store: "Store", who: str) -> None:
    """Write down with each session what the panel made of it; who rated it stays with the panel."""
    told = {
        one.source: {
            "panel": name,
            "score": None if isnan(one.score) else one.score,
            "values": {item: None if isnan(value) else value for item, value in one.values.items()},
            "raters": one.raters,
        }
        for one in results(name, store=store).artefacts
        if "/" in one.source and store.sessions.known(one.source)
    }
    store.deeds.note_all(told, JUDGED, who=who)


def close(name: str, *, store: "Store", who: str = "", unfinished: bool = False) -> None:
    """End rating, so that `results` may tell conditions. It cannot be opened again.

    Refused while raters have work left, unless `unfinished` says that the panel may end so; and where only language
    models have rated, unless one of them is its judge: its ratings then give no estimate.
    """

    panels = store.panels
    progress = progress_of(name, store=store)
    if progress.closed:
        return
    kinds = {rating.kind for rating in panels.ratings(name) if rating.item}
    judged = "judge" in panels.get(name).details and "additional" in kinds
    if "rating" not in kinds and not judged:
        raise BadParameter(ALONE if "additional" in kinds else f"Nobody has rated anything in the panel {name!r} yet.")
    if progress.behind and not unfinished:
        who_is = ", ".join(f"{one.rater} ({one.rated} of {one.artefacts})" for one in progress.behind)
        raise BadParameter(
            f"Raters are not done: {who_is}. Wait for them, or close it anyway with --unfinished; what is "
            "missing stays unknown."
        )
    panels.close(name)
    _tell_sessions(name, store=store, who=who)
    store.trail.note(who, "closed panel", name, unfinished=len(progress.behind))
