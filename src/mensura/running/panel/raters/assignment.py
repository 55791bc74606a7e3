"""Assignment: who rates what, with a stated overlap and the work balanced over raters."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from mensura.dialogue import Address, generator
from mensura.errors import BadParameter
from mensura.running.panel.raters.rater import Rater
from mensura.running.panel.raters.seat import seat

if TYPE_CHECKING:
    from mensura.store import Store
    from mensura.store.people.panels import Assignment, PanelHead, Panels

ALONE = (
    "A language model rates beside people, never alone: its ratings are kept apart and cannot be the score. "
    "Add a rater who is a person (or a program)."
)


def assign(
    name: str, raters: Sequence[Rater], *, overlap: int = 2, lanes: int = 1, store: "Store"
) -> "list[Assignment]":
    """Let every artefact be rated by `overlap` raters, and by every language model besides.

    Where a model judges, only the artefacts that were drawn are given to others. Assigning again fills what raters who
    withdrew have left open, and what a larger overlap needs.

    Parameters
    ----------
    name : str
        Name of the panel.
    raters : sequence of Rater
        Who rates; each gets about the same number of artefacts, about the same number of each condition, in a different
        order.
    overlap : int
        How many raters each artefact has; with 1 nothing can be said of agreement.
    lanes : int
        In how many parts, which can be rated at once, a language model gets its artefacts.
    store : Store
        Where the panel is kept.

    Raises
    ------
    BadParameter
        If only language models would rate, or there are fewer raters than the overlap.
    """

    panels = store.panels
    head = _open(panels, name)
    before = panels.assignments(name)
    counting = [rater for rater in raters if rater.nature_of != "model"]
    judged = "judge" in head.details
    _check(raters, counting, before, overlap, judged=judged)
    rng = generator(int(head.details["seed"]), Address(session=len(before)), stream="assignment")
    given = _given(before)
    groups = panels.groups(name)
    drawn = {code for code in groups if not judged or head.details["about"][code].get("drawn")}
    need = {code: max(0, overlap - sum(code in codes for codes in given.values())) for code in groups if code in drawn}
    if not counting:
        need = dict.fromkeys(need, 0)
    shares = share_out(need, groups=groups, raters=[r.name for r in counting], rng=rng, given=given)
    made = [
        seat(head, rater, [(code, ()) for code in shares[rater.name]], kind="rating", store=store)
        for rater in counting
        if shares[rater.name]
    ]
    for model in raters:
        if model.nature_of == "model":
            had = {code for one in before if one.rater == model.name for code, _ in one.work}
            work = [(code, ()) for code in groups if code not in had]
            # By turns, so that no lane has one run's answers alone.
            parts = [part for lane in range(lanes) if (part := work[lane::lanes])]
            made += [seat(head, model, part, kind="additional", store=store) for part in parts]
    return made


def share_out(
    need: Mapping[str, int],
    *,
    groups: Mapping[str, int],
    raters: Sequence[str],
    rng: np.random.Generator,
    given: Mapping[str, set[str]] | None = None,
) -> dict[str, list[str]]:
    """Share artefacts out to raters.

    The rater with the least work so far comes first, then the one with the least of this group (condition), then the
    one who has met the others of this artefact least, then chance. From nothing, no rater has more than one artefact
    more than another, and no more than two more of one group.

    Parameters
    ----------
    need : mapping
        How many raters each artefact needs.
    groups : mapping
        The group of each artefact.
    raters : sequence of str
        Who rates.
    rng : numpy.random.Generator
        Decides what is left open.
    given : mapping, optional
        What raters have already.

    Returns
    -------
    dict
        Artefacts per rater, in no telling order.
    """
    given = given or {}
    work = {rater: list(given.get(rater, ())) for rater in raters}
    new: dict[str, list[str]] = {rater: [] for rater in raters}
    met: dict[frozenset[str], int] = {}
    codes = [code for code in need if need[code]]
    order = sorted(codes, key=dict(zip(codes, rng.permutation(len(codes)), strict=True)).__getitem__)
    for code in sorted(order, key=lambda code: groups[code]):
        chosen: list[str] = []
        free = [rater for rater in raters if code not in work[rater]]
        if len(free) < need[code]:
            raise BadParameter(f"{code} needs {need[code]} more raters who have not had it; there are {len(free)}.")
        for _ in range(need[code]):
            ties = rng.permutation(len(free))
            load = {
                rater: (
                    len(work[rater]),
                    sum(groups[other] == groups[code] for other in work[rater]),
                    sum(met.get(frozenset((rater, other)), 0) for other in chosen),
                    int(tie),
                )
                for rater, tie in zip(free, ties, strict=True)
            }
            least = min(free, key=load.__getitem__)
            free.remove(least)
            chosen.append(least)
            work[least].append(code)
            new[least].append(code)
        for pair in combinations(chosen, 2):
            met[frozenset(pair)] = met.get(frozenset(pair), 0) + 1
    return new


def _open(panels: "Panels", name: str) -> "PanelHead":
    head = panels.get(name)
    if head.closed is not None:
        raise BadParameter(f"The panel {name!r} is closed; nobody can rate in it any more.")
    return head


def _given(before: "Sequence[Assignment]") -> dict[str, set[str]]:
    given: dict[str, set[str]] = {}
    for one in before:
        if one.kind == "rating":
            given.setdefault(one.rater, set()).update(code for code, _ in one.work)
    return given


def _check(
    raters: Sequence[Rater], counting: Sequence[Rater], before: "Sequence[Assignment]", overlap: int, *, judged: bool
) -> None:
    names = [rater.name for rater in raters]
    if twice := {name for name in names if names.count(name) > 1}:
        raise BadParameter(f"Two raters are called {sorted(twice)[0]!r}; give each a different name.")
    others = {one.rater for one in before if one.kind == "rating"} - set(names)
    if judged and not counting:
        # People can be named later; until then there is no estimate.
        return
    if not counting and not others:
        raise BadParameter(ALONE)
    if overlap < 1:
        raise BadParameter(f"Every artefact needs at least one rater; got an overlap of {overlap}.")
    if len(counting) + len(others) < overlap:
        beside = " (language models rate besides, and do not count)" if len(raters) > len(counting) else ""
        raise BadParameter(
            f"An overlap of {overlap} needs {overlap} raters; there are {len(counting) + len(others)}{beside}."
        )
