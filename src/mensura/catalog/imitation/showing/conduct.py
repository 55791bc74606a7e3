"""Conduct: what was said instead of answers, what players gave away, and which games did not count."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from mensura.catalog.imitation.coding import ANSWERS, CODER, DIRECT
from mensura.catalog.imitation.delays import Typing
from mensura.catalog.imitation.pooled import Facts
from mensura.catalog.imitation.showing.gathered import Gathered
from mensura.exhibit import Exhibit
from mensura.exhibit.exhibit import Cell
from mensura.stats import Estimate, Scale, unit_estimate


def answers(gathered: Sequence[Gathered]) -> list[Exhibit]:
    """Show what kinds of answers the judged witnesses gave, beside the verdict."""
    rows: list[list[Cell]] = []
    for one in gathered:
        kinds: Counter[str] = Counter()
        for game in one.games:
            kinds.update(game["kinds"])
        total = sum(kinds.values())
        if total:
            others = ", ".join(f"{kind} {kinds[kind]}" for kind in ANSWERS if kind != DIRECT and kinds[kind])
            rows.append([one.name, total, _direct(one.games), others or "none"])
    if not rows:
        return []
    words = (
        f"Kinds of answers, coded by keywords ({CODER}), not by people. A reply with words of its own counts as "
        "direct, also where it makes no sense, so the share is not a score."
    )
    return [Exhibit("Direct answers", words, ("system", "questions answered", "direct", "the others"), rows)]


def _direct(games: Sequence[Facts]) -> Estimate:
    """Estimate the share of replies coded as direct, over units."""
    by_unit: dict[str, list[float]] = {}
    for game in games:
        if game["direct"] is not None:
            by_unit.setdefault(game["unit"], []).append(game["direct"])
    means = [float(np.mean(shares)) for shares in by_unit.values()]
    return unit_estimate(means, unit="session", scale=Scale(0, 1))


def conduct(gathered: Sequence[Gathered]) -> Exhibit:
    """Show which games did not count, and what stood out in those that did."""
    rows: list[list[Cell]] = []
    for one in gathered:
        games = one.games
        voids = ", ".join(f"{why} × {count}" for why, count in Counter(one.voids).items())
        rows.append(
            [
                one.name,
                len(one.voids),
                voids or "–",
                sum(bool(game["silent"]) for game in games),
                sum(bool(game["revealing"]) for game in games),
                sum(game["pasted"] for game in games),
                sum(game["late"] for game in games),
                sum(game["unreleased"] for game in games),
            ]
        )
    columns = ("system", "void", "why", "games with a silent witness", "with words that tell who speaks",
               "messages pasted", "messages later than their draw", "never released")  # fmt: skip
    words = (
        f"All of it is kept. Messages were released as people type: {Typing().words}; those of the condition undelayed "
        "at once."
    )
    return Exhibit("Conduct", words, columns, rows)


def books(gathered: Sequence[Gathered]) -> list[Exhibit]:
    """Show how large a book was from which answers were looked up, and how much of what was asked it lacks."""
    rows: list[list[Cell]] = []
    for one in gathered:
        found = [game["book"] for game in one.games if game.get("book")]
        if found:
            asked, lacking = (sum(book[name] for book in found) for name in ("asked", "uncovered"))
            rows.append([one.name, found[0]["entries"], found[0]["bits"], asked, lacking / asked])
    if not rows:
        return []
    words = "A table of all answers can be large and still lack what is asked."
    return [Exhibit("Book", words, ("system", "entries", "bits", "looked up", "share not found"), rows)]
