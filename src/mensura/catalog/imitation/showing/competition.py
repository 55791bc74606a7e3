"""Competition: who came first, and beside it whether that passed anything."""

from collections.abc import Sequence

import numpy as np

from mensura.catalog.imitation.showing.gathered import Gathered
from mensura.exhibit import Exhibit
from mensura.exhibit.exhibit import Cell
from mensura.stats.wording import several

SILVER = 0.5
"""The share of judges that must be fooled, by the competition's own rule."""


def competitions(gathered: Sequence[Gathered]) -> list[Exhibit]:
    """Show the programs by their mean place; the winner is the best of those present, which need not pass."""
    found = []
    for one in gathered:
        if not one.rankings:
            continue
        roles = sorted({role for ranking in one.rankings for role in ranking["places"]}, key=_number)
        rows: list[list[Cell]] = []
        best = (float("inf"), "")
        silent = 0
        for role in roles:
            places = [ranking["places"][role] for ranking in one.rankings if role in ranking["places"]]
            games = [game for game in one.games if game["witness"] == role]
            # Against somebody who never spoke nobody passes, nor by silence.
            spoken = [game for game in games if not game["silent"]]
            silent += len(games) - len(spoken)
            verdicts = [verdict["passed"] for game in spoken for verdict in game["verdicts"]]
            fooled, total = sum(verdicts), len(verdicts)
            name = f"{games[0]['system']} ({role})" if games else role
            mean = float(np.mean(places))
            passed = fooled / total >= SILVER if total else None
            rows.append([name, mean, len(places), f"{fooled} of {total}", passed])
            verdict = {True: "passed", False: "did not pass", None: "was not judged"}[passed]
            best = min(best, (mean, f"{name}, which {verdict}"))
        rows.sort(key=lambda row: float(str(row[1])))
        words = (
            f"First came {best[1]}: to pass, half of the judges must take it for the human. Coming first says who "
            "was best of those present, and nothing more."
        )
        columns = ("program", "mean place", "judges", "taken for the human", "passed")
        notes = (
            [f"Left out of the last two columns: {several(silent, 'game')} with a silent witness."] if silent else []
        )
        found.append(Exhibit(f"Competition: {one.name}", words, columns, rows, notes=notes))
    return found


def _number(role: str) -> int:
    return int("".join(filter(str.isdigit, role)) or 0)
