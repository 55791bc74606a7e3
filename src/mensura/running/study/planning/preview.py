"""Preview: what a plan means, in words, and what its first participant would see."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from mensura.catalog.find import find_test
from mensura.dialogue import Address, Instance, Seed, Session, prompt_data
from mensura.errors import BadParameter, MensuraError
from mensura.running.adaptivity.phases import cell_phases
from mensura.running.study.analysis.looks import TITLES, levels_of
from mensura.running.study.invite import CONSENT
from mensura.running.study.people.platform import NAMES
from mensura.running.study.people.recruitment import Recruitment
from mensura.running.study.plan import Cell, Study
from mensura.stats import Power, power_of_difference
from mensura.stats.wording import several

WAYS = {"greater": "above", "less": "below", "different": "different from"}


@dataclass(frozen=True)
class FirstPage:
    """A page that a participant would see: words in Markdown, or what a test asks first."""

    title: str
    text: str = ""
    prompts: tuple[Any, ...] = ()
    space: Any = None


@dataclass(frozen=True)
class PlannedCell:
    """A cell with how many sessions it is to have."""

    cell: Cell
    planned: int


@dataclass(frozen=True)
class Preview:
    """A plan in words, its cells, and the participant's first pages."""

    sentences: tuple[str, ...]
    cells: tuple[PlannedCell, ...]
    pages: tuple[FirstPage, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the preview as JSON."""
        cells = [
            {
                "cell": one.cell.name,
                "test": one.cell.test,
                "parameters": dict(one.cell.parameters),
                "sessions": one.planned,
            }
            for one in self.cells
        ]
        return {"sentences": list(self.sentences), "cells": cells, "pages": [page.title for page in self.pages]}


def preview_of(study: Study) -> Preview:
    """Return what a plan means; the questions shown have chance of their own and are none of the study's."""
    cells = tuple(PlannedCell(cell, study.planned(cell.cast)) for cell in study.cells())
    people = next((cell for cell in study.cells() if cell.cast.people), None)
    return Preview(tuple(_sentences(study)), cells, tuple(_pages(study, people)) if people else ())


def planned_power(study: Study, *, difference: float, sd: float) -> Power:
    """Return the chance that a study with this number per cell finds a true difference between two of them."""
    if not (sd > 0 and difference != 0 and abs(difference) < float("inf") and sd < float("inf")):
        raise BadParameter(f"Difference and spread are numbers, the spread above 0; got {difference:g} and {sd:g}.")
    many = min(study.planned(cast) for cast in study.casts)
    return power_of_difference(difference, sd=sd, n=many, design=design_of(study))


def design_of(study: Study) -> Literal["paired", "unpaired"]:
    """Return whether the first hypothesis compares sessions that meet the same items, or different people.

    Casts within one condition meet the same items, session by session, and are compared so; conditions are not.
    """
    if study.chance != "shared" or not study.hypotheses:
        return "unpaired"
    cells, casts = {cell.name: cell for cell in study.cells()}, {cast.name for cast in study.casts}
    first, second = study.hypotheses[0].compare
    if {first, second} <= casts:
        return "paired"
    alike = first in cells and second in cells and cells[first].condition == cells[second].condition
    return "paired" if alike else "unpaired"


def assumptions_of(study: Study) -> list[str]:
    """Return what the power of a plan assumes, in sentences."""
    cells = len(study.cells())
    if design_of(study) == "paired":
        said = ["Assumed: both sides meet the same items, session by session; the spread is that of the differences."]
    else:
        said = ["Assumed: two cells with different people or sessions, and the same spread of scores within each."]
    said.append("Scores are about normal, nobody drops out or is excluded, and the test is a two-sided t test.")
    if len(study.hypotheses) > 1:
        said.append(f"With {len(study.hypotheses)} hypotheses, adjusted by Holm, each alone finds less than this.")
    if cells > 2:
        said.append(f"It is for two of the {cells} cells; a hypothesis that pools several has more.")
    if study.stopping.looks:
        said.append("It is for the last look; earlier looks cost a little of it.")
    return said


def _sentences(study: Study) -> Iterator[str]:
    cells = study.cells()
    yield f"{study.name} takes {', '.join(study.tests)} in {several(len(cells), 'cell')}."
    for cast in study.casts:
        who = ", ".join(f"{name} as {role}" if role else name for role, name in cast.subjects.items())
        kind = "people" if cast.people else "programs that stand for people" if cast.simulated else "programs"
        many = several(study.planned(cast), "course" if study.courses else "session")
        yield f"The cast {cast.name}: {kind} ({who}), {many} in each cell."
    if any(cast.people for cast in study.casts):
        yield "Each person goes to the cell with the fewest usable or running sessions; chance decides among equals."
    for cell in [one for one in cells if one.cast.people and study.courses]:
        groups = [phase.name for phase in cell_phases(study, cell) if phase.state == "group"]
        if groups:
            yield f"Each of {cell.name} takes one of {several(len(groups), 'probe')}, by chance: {', '.join(groups)}."
    yield from _recruited(study)
    for one in study.hypotheses:
        score = one.score.replace("_", " ")
        yield f"{one.name} expects {one.compare[0]} {WAYS[one.expect]} {one.compare[1]} on {score}."
    if not study.hypotheses:
        yield "No hypothesis is stated: the study will describe, and test nothing."
    elif len(study.hypotheses) > 1:
        yield f"The {len(study.hypotheses)} hypotheses are adjusted for their number (Holm)."
    for rule in study.exclusions:
        yield f"Left out: {rule.name} ({rule.when})."
    stop = study.stopping
    if stop.width is not None:
        every = several(stop.check_every, "session")
        yield f"Programs stop once the interval of {stop.score} is narrower than {stop.width:g}, asked every {every}."
    if stop.looks:
        levels = ", ".join(f"{level:.2g}" for level in levels_of(study).levels)
        many = ", ".join(map(str, stop.looks))
        yield (
            f"The outcome is looked at after {many} sessions in each cell, by {TITLES[stop.method]}: the study stops "
            f"where p is at most {levels}."
        )
    if study.seed is not None:
        yield f"The seed {study.seed} is public: anyone who knows it can know the items."


def _recruited(study: Study) -> Iterator[str]:
    """Return what the plan says of people who come by one link."""
    said = Recruitment.read(study.recruiting)
    if said.platform:
        yield f"Everybody comes from {NAMES[said.platform]}."
    for criterion in said.criteria:
        yield f"Those who take part answer {'yes' if criterion.admits else 'no'} to: {criterion.text}"
    for question in said.strata:
        most = [f"{name} at most {many}" for name, many in question.options.items() if many is not None]
        quotas = f" ({', '.join(most)})" if most else ""
        yield f"Cells are balanced within each answer to: {question.text}{quotas}"


def _pages(study: Study, cell: Cell) -> Iterator[FirstPage]:
    words = study.invitation
    yield FirstPage("Consent", str(words.get("consent") or CONSENT))
    if words.get("briefing"):
        yield FirstPage("What you will do", str(words["briefing"]))
    for page in study.procedure.get("instruction", ()):
        yield FirstPage("How it is done", str(page))
    if words.get("quiz"):
        yield FirstPage("A few questions", f"The quiz {words['quiz']}.")
    try:
        # Those who take courses begin with the first phase.
        first = cell_phases(study, cell)[0] if study.courses else None
        yield _question(cell if first is None else replace(cell, test=first.test, parameters=first.parameters))
    except MensuraError as error:
        yield FirstPage("The first question", f"It cannot be shown here: {error}")


def _question(cell: Cell) -> FirstPage:
    test = find_test(cell.test)
    session = Session(Instance(test, test.fill(cell.parameters), Seed.choose(None).value, Address()))
    session.start()
    human = [role for role, who in cell.cast.subjects.items() if who == "human" and role]
    role = next((one for one in (*human, *session.open) if one in session.open), None)
    if role is None:
        return FirstPage("The first question", "Others are asked before the participant is.")
    ask = session.open[role]
    prompts = [prompt_data(one.prompt) for one in (*session.told.get(role, ()), ask)]
    return FirstPage("The first question", "", tuple(prompts), ask.space.described() if ask.space else None)
