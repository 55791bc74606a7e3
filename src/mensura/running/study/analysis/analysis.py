"""Analysis: what the written plan asks of the data, and apart from it whatever else was looked at."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from mensura.catalog.find import find_test
from mensura.dialogue.canonical import canonical
from mensura.exhibit import Exhibit
from mensura.running.adaptivity.exhibits import adaptivity_exhibits
from mensura.running.reference import BEGUN_CHANGED
from mensura.running.results.counting import excluded_words
from mensura.running.results.endings import nothing_answered
from mensura.running.results.estimating import Estimated
from mensura.running.results.exhibits import shown_by
from mensura.running.study.analysis.cell import LeftOut, TakenCell, read_cell
from mensura.running.study.analysis.looks import UNADJUSTED, Look, judged_by, look_at
from mensura.running.study.analysis.tested import Tested, adjusted, examine
from mensura.running.study.analysis.trained import trained_groups
from mensura.running.study.conduct import Progress, progress_of, unanswered
from mensura.running.study.observing import ObserverNotes
from mensura.running.study.observing import left_out as excluded_by
from mensura.running.study.plan import Hypothesis, Study
from mensura.running.study.registration.register import Registration, altered, registration_of
from mensura.stats import Estimate, read_population
from mensura.stats.wording import several

if TYPE_CHECKING:
    from mensura.store import Store


@dataclass
class Analysis:
    """The results of a study."""

    study: Study
    progress: Progress
    estimated: dict[str, dict[str, Estimated]]
    """Cell → score → its estimate, with what became of everything that was asked."""
    planned: list[Tested]
    exploratory: list[Tested]
    left_out: list[LeftOut]
    family: str = ""
    simulated: bool = False
    generalise: str | None = None
    """The population that estimates speak of; None: what the data are."""
    notes: list[str] = field(default_factory=list)
    exhibits: list[Exhibit] = field(default_factory=list)
    """The exhibits of the tests for such a study."""
    registration: Registration | None = None
    """The plan as it was registered; None where the study has not begun."""
    deviations: list[str] = field(default_factory=list)
    """In what the plan that was given, the population and the number of sessions are not as registered."""
    altered: list[str] = field(default_factory=list)
    """Alterations that the audit of its runs found; then no hypothesis is confirmed."""
    over: int = 0
    """How many sessions are over, or were excluded before."""
    unanswered: list[str] = field(default_factory=list)
    """The cells in which nothing was answered, and why: nothing is known of them."""

    @property
    def told(self) -> list[str]:
        """Return notes that come before any verdict: alterations, cells without answers, and the state of the plan."""
        if self.registration is None:
            return [f"Plan {self.study.hash} is not registered: no session of {self.study.name} was opened."]
        said = [*self.altered, *self.unanswered, self.registration.sentence]
        said += [one.sentence for one in self.registration.amendments]
        if self.deviations:
            said.append("Not as registered, and what is asked besides the registered plan is exploratory:")
        return [*said, *self.deviations]

    @property
    def excluded(self) -> str:
        """How many sessions count and why others do not; empty where all do."""
        return excluded_words({left.session: left.kind for left in self.left_out}, of=self.over)

    @property
    def scores(self) -> dict[str, dict[str, Estimate]]:
        """Cell → score → estimate."""
        return {
            cell: {name: found.estimate for name, found in scores.items()} for cell, scores in self.estimated.items()
        }

    def as_json(self) -> dict[str, Any]:
        """Return the analysis as JSON."""
        return {
            "study": self.study.name,
            "hash": self.study.hash,
            "registration": None if self.registration is None else self.registration.as_json(),
            "deviations": self.deviations,
            "altered": self.altered,
            **({"unanswered": self.unanswered} if self.unanswered else {}),
            "simulated": self.simulated,
            "cells": {
                cell: {name: found.as_json() for name, found in scores.items()}
                for cell, scores in self.estimated.items()
            },
            "planned": [tested.as_json() for tested in self.planned],
            "exploratory": [tested.as_json() for tested in self.exploratory],
            "excluded": self.excluded,
            "left_out": [asdict(left) for left in self.left_out],
            "notes": self.notes,
            **({"exhibits": [exhibit.as_json() for exhibit in self.exhibits]} if self.exhibits else {}),
        }


def analyse(study: Study, *, store: "Store", generalise: str | None = None) -> Analysis:
    """Analyse a study by its written plan; what the plan does not name is marked exploratory.

    Parameters
    ----------
    generalise
        The population to speak of where it is not the plan's; the verdicts are the plan's all the same.
    """
    registered = registration_of(study.name, store=store)
    # Hypotheses are confirmed by the plan as it was registered; what is asked besides is exploratory.
    plan = registered.plan if registered and registered.plan else study
    holds = registered is None or (registered.before_data and (plan is not study or registered.hash == study.hash))
    strange = altered(study.name, store=store)
    holds = holds and not strange
    population = None if plan.generalise is None else read_population(plan.generalise)
    changed = registered.deviations(study) if registered else []
    if generalise is not None and read_population(generalise) != population:
        study = replace(study, generalise=generalise)
        changed.append(f"The population: {population or 'what the data are'}, now {generalise}.")
    asked_of = population if generalise is None else read_population(generalise)
    progress = progress_of(plan, store=store)
    cells, look = _read(plan, progress, population, store)
    heads = [head for state in progress.cells for head in state.runs]
    noted = [line.did for head in heads for line in store.trail.about(head.id, beginning=BEGUN_CHANGED)]
    changed += [f"Someone {words}" for words in dict.fromkeys(noted)]
    changed += [
        f"{name} has {several(cell.beyond, 'session')} beyond the {plan.planned(cell.state.cell.cast)} of the plan: "
        "the first that are usable count, and what all of them say is exploratory."
        for name, cell in cells.items()
        if cell.beyond and look is None
    ]
    scores = {name: cell.estimated(asked_of) for name, cell in cells.items()}
    confirmed, asked = (plan.hypotheses, ()) if holds else ((), plan.hypotheses)
    planned, family = adjusted([examine(one, cells, population, "planned") for one in confirmed])
    planned = planned if look is None else judged_by(look, planned)
    if any(cell.everything.keys() & cell.why.keys() for cell in cells.values()):
        whole = {name: cell.with_excluded for name, cell in cells.items()}
        both = [examine(one, whole, population, "planned")[1] for one in confirmed]
        said = [one if isinstance(one, str) else one.sentence for one in both]
        planned = [replace(one, with_excluded=words) for one, words in zip(planned, said, strict=True)]
    notes = _notes(plan, cells, store)
    notes += [look.sentence, UNADJUSTED] if look is not None else []
    return Analysis(
        plan,
        progress,
        scores,
        planned,
        [
            *adjusted([examine(one, cells, population, "asked") for one in asked])[0],
            *_asked_afterwards(plan, study, store),
            *_explore(plan, cells, asked_of),
        ],
        [left for cell in cells.values() for left in cell.left_out],
        family,
        any(state.cell.cast.simulated for state in progress.cells),
        asked_of,
        notes,
        _exhibits(plan, cells, scores, store),
        registered,
        changed,
        strange,
        sum(cell.over for cell in cells.values()),
        unanswered(progress, store=store),
    )


def look_of(plan: Study, *, store: "Store") -> Look | None:
    """Return the last look at the outcome that a registered plan allows; None where it looks at none before the end."""
    population = None if plan.generalise is None else read_population(plan.generalise)
    return _read(plan, progress_of(plan, store=store), population, store)[1]


def _read(
    plan: Study, progress: Progress, population: str | None, store: "Store"
) -> tuple[dict[str, TakenCell], Look | None]:
    """Read the cells: all of them, or as the last look of a sequential plan saw them."""

    def read(staged: Study) -> dict[str, TakenCell]:
        return {state.cell.name: read_cell(staged, state, store) for state in progress.cells}

    if not plan.stopping.looks:
        return read(plan), None
    look, cells = look_at(plan, read, population, store=store)
    return dict(cells), look


def _asked_afterwards(plan: Study, asked: Study, store: "Store") -> list[Tested]:
    """Test what a changed plan asks and the registered one does not: its own hypotheses, or all under other rules."""
    rules = [(one.exclusions, one.stopping, canonical(one.procedure), one.generalise) for one in (plan, asked)]
    new = [one for one in asked.hypotheses if rules[0] != rules[1] or one not in plan.hypotheses]
    if not new:
        return []
    states = progress_of(asked, store=store).cells
    population = None if asked.generalise is None else read_population(asked.generalise)
    cells = {state.cell.name: read_cell(asked, state, store, own_rules=False) for state in states}
    return adjusted([examine(one, cells, population, "asked") for one in new])[0]


def exhibits_of(study: Study, *, store: "Store") -> list[Exhibit]:
    """Return what the tests' own literature shows of a study, whether or not its hypotheses can be tested yet."""
    cells = {state.cell.name: read_cell(study, state, store) for state in progress_of(study, store=store).cells}
    return _exhibits(study, cells, {name: cell.estimated(None) for name, cell in cells.items()}, store)


Estimates = Mapping[str, Mapping[str, Estimated]]


def _exhibits(study: Study, cells: Mapping[str, TakenCell], scores: Estimates, store: "Store") -> list[Exhibit]:
    # Where nothing was answered there is nothing to show.
    silent = [name for name, cell in cells.items() if nothing_answered(name, cell.state.runs, store=store)]
    cells = {name: cell for name, cell in cells.items() if name not in silent}
    taken = {name: cell for name, cell in cells.items() if cell.usable}
    return [*adaptivity_exhibits(study, cells, store=store)] + [
        exhibit
        for test in study.tests
        for exhibit in shown_by(
            find_test(test),
            [
                group
                for name, cell in taken.items()
                if cell.state.cell.test == test
                for group in (
                    trained_groups(cell, study, store=store) if study.courses else [cell.group(store, scores[name])]
                )
            ],
        )
    ]


def _explore(study: Study, cells: Mapping[str, TakenCell], population: str | None) -> list[Tested]:
    """Compare what the plan does not name: every pair of cells of one test on every score they share."""
    planned = {(frozenset(h.compare), h.score) for h in study.hypotheses}
    found = []
    for first, second in combinations(cells.values(), 2):
        one, other = first.state.cell, second.state.cell
        # Cells that differ in both cast and condition answer no question.
        if one.test != other.test or (one.cast.name != other.cast.name and one.condition != other.condition):
            continue
        names = (one.name, other.name)
        for score in first.names:
            if (frozenset(names), score) in planned or score not in second.names:
                continue
            if min(first.units(score), second.units(score)) < 2:
                continue
            found.append(examine(Hypothesis("exploratory", score, names), cells, population, "explored"))
    return adjusted(found)[0]


def _notes(study: Study, cells: Mapping[str, TakenCell], store: "Store") -> list[str]:
    short = [name for name, cell in cells.items() if cell.early or cell.state.counts.get("open")]
    notes = [f"Not finished yet: {', '.join(short)}."] if short else []
    notes += [
        f"The plan excludes {rule.when}: those who fail where it is hard then do not count there."
        for rule in study.exclusions
        if rule.parts()[0] in ("status", "missing", "refused", "abstained", "lapsed", "answered")
    ]
    notes_of = ObserverNotes(store)
    pending = [one for one in notes_of.pending(study.name) if not excluded_by(notes_of.of(one.number))]
    flagged = [one.subject_number for one in pending]
    if flagged:
        notes.append(f"Flagged by an observer, not judged yet, and counted here: {', '.join(flagged)}.")
    return notes
