"""Table: the items of several runs, paired by content, with one cell for each item and run."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from mensura.dialogue import OUTCOMES, Item, Score, undeclared
from mensura.dialogue.prompts.stored import stored_text
from mensura.errors import BadParameter, unknown
from mensura.running.items.observed import Codes, ItemRun, Numbers, Sighting, read_items
from mensura.running.results.naming import labels_of
from mensura.stats import Estimate
from mensura.stats.response.curves import ItemCurve

if TYPE_CHECKING:
    from mensura.store import Store

Spent = Literal["tokens", "cost", "seconds"]
SPENT: tuple[Spent, ...] = ("tokens", "cost", "seconds")


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One item: its public name, what was asked and how it is found."""

    name: str
    """Hash of the question; it does not tell the answer."""
    prompt: str
    tags: tuple[str, ...]
    group: str
    content: str
    """Where prompt and space are stored, as the first subject was shown them."""
    questions: frozenset[str]
    """All hashes under which sessions know it."""
    calibration: Mapping[str, Any] | None = None
    """How hard its bank says that it is."""

    def parameter(self, name: str) -> Estimate | None:
        """Return its difficulty "b" or its discrimination "a" with an interval; None where it is not calibrated."""
        return None if self.calibration is None else ItemCurve.read(self.calibration).estimate(name)


@dataclass(frozen=True, eq=False)
class ItemTable:
    """The items of several runs by one score: rows are items, columns are runs."""

    runs: tuple[ItemRun, ...]
    score: Score
    rows: tuple[ItemRow, ...]
    places: tuple[Codes, ...]
    """For each run, which row each of its sightings belongs to."""
    withheld: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=bool))
    """The rows whose verdicts are kept back, since someone can still be asked; none where it is empty."""

    @cached_property
    def labels(self) -> list[str]:
        """Return the name of the subject of each run."""
        return labels_of([run.head for run in self.runs])

    @cached_property
    def tags(self) -> list[str]:
        """All tags that items have."""
        return sorted({tag for row in self.rows for tag in row.tags})

    @property
    def scores(self) -> dict[str, Score]:
        """The scores that items have in any of the runs."""
        return {name: score for run in reversed(self.runs) for name, score in run.declared.items()}

    def counts(self, column: int) -> NDArray[np.bool_]:
        """Return which sightings of a run count.

        Those of excluded sessions do not, and an answer from a cache is not a new observation: of such ones the first
        counts where no other answer to the item was given.
        """
        run, rows = self.runs[column], self.places[column]
        if not run.cached.any():
            return run.counting
        counting = run.counting.copy()
        fresh = np.bincount(rows[counting & ~run.cached], minlength=len(self.rows)) > 0
        copies = np.flatnonzero(counting & run.cached)
        _, first = np.unique(rows[copies], return_index=True)
        counting[copies] = False
        counting[copies[first]] = ~fresh[rows[copies[first]]]
        return counting

    def values(self, column: int) -> Numbers:
        """Return what each sighting of a run scored; NaN where that is not known, kept back or does not count."""
        run = self.runs[column]
        found = run.values.get(self.score.name, np.full(len(run.sightings), np.nan))
        hidden = self.withheld[self.places[column]] if len(self.withheld) else False
        return np.where(self.counts(column) & ~np.asarray(hidden), found, np.nan)

    @cached_property
    def known(self) -> Numbers:
        """How many answers of each cell have a value, items × runs."""
        return self._cells(lambda column: (~np.isnan(self.values(column))).astype(float))

    @cached_property
    def means(self) -> Numbers:
        """The mean value of each cell, for a proportion the share that is right; NaN where nothing is known."""
        sums = self._cells(lambda column: np.nan_to_num(self.values(column)))
        return np.divide(sums, self.known, out=np.full_like(sums, np.nan), where=self.known > 0)

    @cached_property
    def tallies(self) -> NDArray[np.int64]:
        """Return the outcomes of the answers of each cell, items × runs × outcomes."""
        many = len(OUTCOMES)
        made = np.zeros((len(self.rows), len(self.runs), many), dtype=np.int64)
        for column, (run, rows) in enumerate(zip(self.runs, self.places, strict=True)):
            counting = self.counts(column)
            cells = np.bincount(rows[counting] * many + run.outcomes[counting], minlength=len(self.rows) * many)
            made[:, column] = cells.reshape(len(self.rows), many)
        return made

    @cached_property
    def asked(self) -> NDArray[np.int64]:
        """How many answers of each cell count, whatever became of them, items × runs."""
        return np.asarray(self.tallies.sum(axis=2))

    @cached_property
    def spent(self) -> dict[Spent, Numbers]:
        """The tokens and the cost of each cell, and the mean of its seconds; NaN where one of them is not known."""
        made: dict[Spent, Numbers] = {}
        for name in SPENT:
            parts = [getattr(run, name) for run in self.runs]
            sums = self._cells(lambda column, parts=parts: np.where(self.counts(column), parts[column], 0.0))  # type: ignore[misc]
            made[name] = np.where(self.asked > 0, sums, np.nan)
        made["seconds"] = made["seconds"] / np.maximum(self.asked, 1)
        return made

    @cached_property
    def by_subject(self) -> tuple[Numbers, Numbers]:
        """The sum of the means of the single subjects of each cell, people one by one, and how many they are."""
        sums, many = np.zeros((len(self.rows), len(self.runs))), np.zeros((len(self.rows), len(self.runs)))
        for column, (rows, means) in enumerate(self.subject_means):
            sums[:, column] = np.bincount(rows, weights=means, minlength=len(self.rows))
            many[:, column] = np.bincount(rows, minlength=len(self.rows))
        return sums, many

    @cached_property
    def subject_means(self) -> list[tuple[Codes, Numbers]]:
        """For each run the rows that its subjects answered, in order, and the mean of each subject there."""
        made = []
        for column, (run, rows) in enumerate(zip(self.runs, self.places, strict=True)):
            values = self.values(column)
            held = ~np.isnan(values)
            width = int(run.subjects.max(initial=0)) + 1
            cells, codes = np.unique(rows[held] * width + run.subjects[held], return_inverse=True)
            sums, many = np.bincount(codes, weights=values[held]), np.bincount(codes)
            made.append((cells // width, sums / np.maximum(many, 1)))
        return made

    @cached_property
    def units(self) -> tuple[Codes, ...]:
        """For each run the unit of each sighting, as numbers: its item, or its group where it has one."""
        groups: dict[str, int] = {}
        of_row = [groups.setdefault(row.group or f"#{place}", len(groups)) for place, row in enumerate(self.rows)]
        return tuple(np.array(of_row, dtype=np.int64)[rows] for rows in self.places)

    def sightings(self, row: int, column: int) -> list[Sighting]:
        """Return each time that the subject of a run was asked an item."""
        return [self.runs[column].sightings[place] for place in np.flatnonzero(self.places[column] == row)]

    def find(self, name: str) -> int:
        """Find an item by its public name."""
        known = {row.name: place for place, row in enumerate(self.rows)}
        if name not in known:
            raise unknown("item in these runs", name, known=known, see="The table of items shows all of them.")
        return known[name]

    def withholding(self, questions: Collection[str] | None) -> "ItemTable":
        """Keep back the verdicts on some questions, or with None on all of them."""
        if questions is not None and not questions:
            return self
        hidden = [questions is None or bool(row.questions.intersection(questions)) for row in self.rows]
        return replace(self, withheld=np.array(hidden, dtype=bool)) if any(hidden) else self

    def by(self, score: str) -> "ItemTable":
        """Return the same items by another score."""
        if score not in self.scores:
            raise unknown("score of items", score, known=self.scores, see=f"There are {', '.join(self.scores)}.")
        return replace(self, score=self.scores[score])

    def _cells(self, of: Callable[[int], Numbers]) -> Numbers:
        """Add up a number of each sighting by item and run."""
        made = np.zeros((len(self.rows), len(self.runs)))
        for column, rows in enumerate(self.places):
            made[:, column] = np.bincount(rows, weights=of(column), minlength=len(self.rows))
        return made


def item_table(runs: Sequence[str], *, store: "Store", score: str | None = None) -> ItemTable:
    """Pair the items of stored runs by content; without a name the score that the most items have."""
    if not runs:
        raise BadParameter("Name at least one run: mensura items last")
    heads = {head.id: head for head in map(store.runs.find, runs)}
    made = join([read_items(head, store=store) for head in heads.values()], store=store)
    return made if score is None else made.by(score)


def join(runs: Sequence[ItemRun], *, store: "Store") -> ItemTable:
    """Put the items of runs into one table.

    What was scored is paired by question and truth, as comparisons do: a question whose key was changed between two
    runs is two items. What has no truth yet is paired by the question alone.
    """
    by_id: dict[str, int] = {}
    by_question: dict[str, int] = {}
    for one in (one for run in runs for one in run.sightings if one.id):
        by_question.setdefault(one.question, by_id.setdefault(one.id, len(by_id)))
    numbers: dict[int | str, int] = {}
    places = []
    for run in runs:
        pairs = (by_id[one.id] if one.id else by_question.get(one.question, one.question) for one in run.sightings)
        # Rows are numbered as items are met, so that a bank keeps its order.
        places.append(np.array([numbers.setdefault(pair, len(numbers)) for pair in pairs], dtype=np.int64))
    met: list[list[Sighting]] = [[] for _ in numbers]
    for run, mine in zip(runs, places, strict=True):
        for row, one in zip(mine.tolist(), run.sightings, strict=True):
            met[row].append(one)
    return ItemTable(tuple(runs), _usual_score(runs), _rows(met, runs, store=store), tuple(places))


def _usual_score(runs: Sequence[ItemRun]) -> Score:
    """Return the score that the most answers have, the first of those with as many."""
    counted: dict[str, int] = {}
    declared: dict[str, Score] = {}
    for run in runs:
        for name, values in run.values.items():
            counted[name] = counted.get(name, 0) + int((~np.isnan(values)).sum())
            declared.setdefault(name, run.declared[name])
    best = max(counted, key=lambda name: counted[name], default=None)
    return undeclared("score") if best is None else declared[best]


def _rows(met: Sequence[Sequence[Sighting]], runs: Sequence[ItemRun], *, store: "Store") -> tuple[ItemRow, ...]:
    items: dict[str, Item] = {item.hash: item for run in runs for item in run.bank or ()}
    shown = [next((one.content for one in seen if one.content), "") for seen in met]
    bodies = store.exchanges.bodies(shown)
    rows, taken = [], dict[str, int]()
    for place, (seen, content) in enumerate(zip(met, shown, strict=True)):
        questions = [one.question for one in seen if one.question]
        name = next((each for each in questions if each in items), None) or next(iter(questions), f"item-{place}")
        taken[name] = taken.get(name, 0) + 1
        item, body = items.get(name), bodies.get(content)
        prompt = stored_text(body.get("prompt", "")) if isinstance(body, Mapping) else ""
        public = name if taken[name] == 1 else f"{name}-{taken[name]}"
        group = next((one.group for one in seen if one.group), "")
        tags, known = (item.tags, item.calibration) if item else ((), None)
        rows.append(ItemRow(public, prompt, tags, group, content, frozenset(questions), known))
    return tuple(rows)
