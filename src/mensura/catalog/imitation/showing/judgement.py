"""Judgements: what judges decided, whether that passes the rule of 1950, juries beside single judges, strategies."""

import itertools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mensura.catalog.imitation.pooled import BOUND, Facts, repeated, right_estimate, rights
from mensura.catalog.imitation.showing.gathered import Gathered
from mensura.exhibit import Exhibit
from mensura.exhibit.exhibit import Cell
from mensura.stats import Estimate, Scale, proportion_test, unit_estimate
from mensura.subjects.spec import HUMAN as PERSON

LEAST_JUDGES = 5


def judgement(gathered: Sequence[Gathered]) -> Exhibit:
    """Show how often judges were right, and whether that is shown to lie below 70 %."""
    rows: list[list[Cell]] = []
    notes: list[str] = []
    for one in gathered:
        estimates = one.group.estimates
        values = rights(one.games)
        hung = sum(game["decision"] == "hung" for game in one.games)
        rows.append(
            [
                one.name,
                one.judged_by,
                len(one.games),
                len(one.voids),
                hung,
                right_estimate(one.games),
                estimates.get("control_right"),
                estimates.get("difference"),
                estimates.get("dprime"),
                estimates.get("criterion"),
            ]
        )
        if values and not repeated(one.games):
            notes.append(f"{one.name}: {proportion_test(int(sum(values)), n=len(values), below=BOUND).sentence}")
        elif values:
            notes.append(f"{one.name}: games share their judges, so the exact test of the 70 % rule does not apply.")
        if "control_right" not in estimates or not estimates["control_right"].n:
            notes.append(
                f"{one.name}: no game was played with people in the machine's place. Judges err about people too, so "
                "what they got wrong here cannot be held against it."
            )
    columns = ("system", "judged by", "games", "void", "hung", "right", "right with people in its place",
               "wrong, more than with people", "d′", "criterion")  # fmt: skip
    words = (
        "A judgement, not a grade: how often those who asked said rightly who was who. The rule of 1950 is that an "
        f"average interrogator is right in no more than {BOUND:.0%} of games."
    )
    return Exhibit("Judgement", words, columns, rows, notes=notes)


def juries(gathered: Sequence[Gathered]) -> list[Exhibit]:
    """Show juries beside their single members, before and after they spoke among themselves."""
    rows: list[list[Cell]] = []
    for one in gathered:
        games = [game for game in one.games if len(game["verdicts"]) > 1]
        if not games:
            continue
        single = unit_estimate(
            [float(np.mean([verdict["right"] for verdict in game["verdicts"]])) for game in games],
            unit="jury",
            scale=Scale(0, 1),
        )
        before = right_estimate([{**game, "decision": game["before"]} for game in games])
        after = right_estimate(games) if any(game["deliberated"] for game in games) else None
        hung = [sum(game[name] == "hung" for game in games) for name in ("before", "decision")]
        rows.append([one.name, len(games), single, before, hung[0], after, hung[1] if after else None])
    if not rows:
        return []
    columns = (
        "system",
        "juries",
        "one juror is right",
        "the jury is right",
        "hung",
        "right after deliberation",
        "hung then",
    )
    words = "Jurors of one jury read the same talk, so juries are the unit. A hung jury identifies nobody."
    return [Exhibit("Jury and single judge", words, columns, rows)]


def dates(gathered: Sequence[Gathered]) -> list[Exhibit]:
    """Show judgements by the day of the game, where there were several: judges learn."""
    words = "Verdicts age: who judges later has heard more of machines. Days are those of Greenwich."
    return _parted(gathered, "date", words)


def cohorts(gathered: Sequence[Gathered]) -> list[Exhibit]:
    """Show judgements by the cohort that people came in, where there were several; programs come in none."""
    words = (
        "People of a cohort meet at one time, so what happened then touched all their games. Where cohorts lie further "
        "apart than their intervals allow, the interval over all games is too narrow."
    )
    return _parted(gathered, "cohort", words)


def _parted(gathered: Sequence[Gathered], fact: str, words: str) -> list[Exhibit]:
    """Show judgements apart by a fact of the games, where it is known and differs."""
    rows: list[list[Cell]] = []
    for one in gathered:
        for value in sorted({game[fact] for game in one.games if game.get(fact)}):
            games = [game for game in one.games if game[fact] == value]
            hung = sum(game["decision"] == "hung" for game in games)
            shown = value if isinstance(value, str) else ", ".join(map(str, value))
            rows.append([one.name, shown, len(games), hung, right_estimate(games)])
    if len({row[1] for row in rows}) < 2:
        return []
    return [Exhibit(f"By {fact}", words, ("system", fact, "games", "hung", "right"), rows)]


def strategies(gathered: Sequence[Gathered]) -> list[Exhibit]:
    """Show how often the pretender passed by what judges said they went by."""
    rows: list[list[Cell]] = []
    for one in gathered:
        verdicts = [verdict for verdict in one.verdicts if verdict["pretends"]]
        for name in dict.fromkeys(verdict["strategy"] for verdict in verdicts):
            chosen = [verdict for verdict in verdicts if verdict["strategy"] == name]
            rows.append([one.name, name, len(chosen), by_unit(chosen, "passed")])
    if not rows:
        return []
    words = "How often the pretender passed, by the strategy that the judge named. Judges chose it themselves."
    return [Exhibit("By question strategy", words, ("system", "strategy", "verdicts", "passed"), rows)]


def judges(gathered: Sequence[Gathered]) -> list[Exhibit]:
    """Show how judges differ, where there are enough of them; each has a level of their own."""
    rows: list[list[Cell]] = []
    notes: list[str] = []
    for one in gathered:
        by_judge: dict[str, list[float]] = {}
        for verdict in one.verdicts:
            # A person's name is not kept: who sits in a role of one unit is one person, and of another one another.
            who = verdict["unit"] if verdict["judge"] == PERSON else verdict["judge"]
            by_judge.setdefault(f"{who} {verdict['role']}", []).append(float(verdict["right"]))
        if len(by_judge) < LEAST_JUDGES or max(map(len, by_judge.values())) < 2:
            continue
        means = [float(np.mean(values)) for values in by_judge.values()]
        rows.append(
            [one.name, len(by_judge), unit_estimate(means, unit="judge", scale=Scale(0, 1)), min(means), max(means)]
        )
    if not rows:
        return []
    notes.append("The interval speaks of other judges like these; it holds judges, not games, for the unit.")
    columns = ("system", "judges", "right, over judges", "the worst judge", "the best judge")
    return [Exhibit("Judges", "Judges differ in level.", columns, rows, notes=notes)]


def by_unit(verdicts: Sequence[Facts], name: str) -> Estimate:
    """Estimate a share over units: verdicts of one session go together."""
    units: dict[str, list[float]] = {}
    for verdict in verdicts:
        units.setdefault(verdict["unit"], []).append(float(verdict[name]))
    means = [float(np.mean(values)) for values in units.values()]
    binary = all(len(values) == 1 for values in units.values())
    found = unit_estimate(means, unit="session", scale=Scale(0, 1, binary=binary))
    return replace(found, population="sessions")


def calibration(gathered: Sequence[Gathered]) -> list[Exhibit]:
    """Show how often what judges gave a probability to was true."""
    rows: list[list[Cell]] = []
    edges = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    for one in gathered:
        for low, high in itertools.pairwise(edges):
            chosen = [
                {"unit": v["unit"], "true": v["truth"] in ("A", "human"), "stated": v["stated"]}
                for v in one.verdicts
                if low <= v["stated"] < high or v["stated"] == high == 1
            ]
            if chosen:
                stated = float(np.mean([each["stated"] for each in chosen]))
                rows.append([one.name, f"{low:.0%} to {high:.0%}", len(chosen), stated, by_unit(chosen, "true")])
    if not rows:
        return []
    words = (
        "Of the games to which judges gave such a probability, in how many was it true? The two agree in good judges."
    )
    return [Exhibit("Calibration of the judges", words, ("system", "stated", "verdicts", "mean stated", "true"), rows)]
