"""Runs: what came of several subjects taking one test, as tables, charts and a report."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from mensura.catalog.find import TestLike, given_test
from mensura.data_frame import Form, data_frame
from mensura.dialogue import Items, session_mean
from mensura.errors import BadParameter, unknown
from mensura.library.given import StoreLike, SubjectLike, given_cast, opened
from mensura.report.content import Report
from mensura.report.runs import SameTest, build_report, label_of
from mensura.running.executors import Here, executor
from mensura.running.results.summary import RunResult, summarise_run
from mensura.running.run import RunOptions, run_each
from mensura.stats import Estimate
from mensura.stats.wording import several
from mensura.store import Store

if TYPE_CHECKING:
    from mensura.exhibit import Exhibit

Cast = SubjectLike | Mapping[str, SubjectLike]


def run(
    test: TestLike,
    subjects: Cast | Iterable[Cast],
    *,
    sessions: int = 1,
    seed: int | None = None,
    parameters: Mapping[str, Any] | None = None,
    setting: str | None = None,
    store: StoreLike = None,
    concurrency: int | None = None,
    options: RunOptions | None = None,
) -> "Runs":
    """Let one or several subjects take a test many times; everything is stored.

    Parameters
    ----------
    test
        A name (`"coin"`), a file (`"./mine.py:dice"`, a path), a `Test`, or a generator function.
    subjects
        One subject, a mapping of roles to subjects, or a list of either: a run is made for each. A subject is a name
        as for `--as`, a function, a class, a path, or a `SubjectSpec`.
    sessions
        How many sessions each; of a bank, how often each item is asked.
    seed
        Makes the runs repeatable and is then public. Without it a secret one is drawn, the same for all subjects, so
        that they meet the same items.
    parameters, setting
        What the test is taken with; parameters win over the setting.
    store
        A path, a URL or an open store; None: `$MENSURA_STORE`, else `mensura.db` in this folder.
    concurrency
        How many sessions at once, for language models and other subjects that are waited for.
    options
        Where and how: executor, limits, progress, budget and cache (`mensura.running.run.RunOptions`).

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     runs = run("coin", ["chance", lambda ask: 0.5], sessions=3, seed=1, store=f"{folder}/x.db")
    >>> len(runs), runs["chance"].scores["quadratic_score"].n
    (2, 3)
    """
    many = isinstance(subjects, Iterable) and not isinstance(subjects, str | Mapping) and not callable(subjects)
    casts: list[Any] = list(subjects) if many else [subjects]  # type: ignore[arg-type]
    if options is not None and not isinstance(options, RunOptions):
        raise BadParameter(f"Options are RunOptions(...); got {options!r}.")
    if concurrency is not None:
        if options is not None and not isinstance(options.on, Here):
            raise BadParameter("Say how many sessions are taken at once by `concurrency` or by `options.on`, not both.")
        options = replace(options or RunOptions(), on=executor(concurrency=concurrency))
    if not casts:
        raise BadParameter("No subject was given: name at least one.")
    with opened(store) as place:
        made = run_each(
            given_test(test),
            [given_cast(cast) for cast in casts],
            store=place,
            sessions=sessions,
            seed=seed,
            parameters=parameters,
            setting=setting,
            options=options,
        )
        return Runs(made, store=store if isinstance(store, Store) else place.url)


def find_runs(*runs: "RunLike", store: StoreLike = None, reduce: str | None = None) -> "Runs":
    """Return stored runs by their ids, as `mensura list --runs` shows them; "last" is the newest, "last~1" before.

    `reduce` makes one number of all answers to an item of a bank (`mensura.stats.read_reducer`), where it is not what
    the runs were begun with.
    """
    with opened(store) as place:
        heads = [place.runs.find(id) for run in runs for id in given_ids(run)]
        results = [summarise_run(head, store=place, reduce=reduce) for head in heads]
        return Runs(results, store=store if isinstance(store, Store) else place.url)


def given_ids(runs: "RunLike") -> list[str]:
    """Return the ids of the runs that are meant: by an id, by what came of one, or by several runs."""
    if not isinstance(runs, str | RunResult | Runs):
        raise BadParameter(
            f"A run is an id that `mensura list --runs` shows, or what `mensura.run` gave; got {runs!r}."
        )
    return [runs] if isinstance(runs, str) else [runs.head.id] if isinstance(runs, RunResult) else runs.ids


class Runs(Sequence["Runs"]):
    """One run or several of a test, with what came of them; each is found by number, subject or id."""

    def __init__(self, results: Sequence[RunResult], *, store: StoreLike) -> None:
        self.results = tuple(results)
        self.store = store

    def __len__(self) -> int:
        return len(self.results)

    @overload
    def __getitem__(self, which: int | str) -> "Runs": ...
    @overload
    def __getitem__(self, which: slice) -> "Runs": ...
    def __getitem__(self, which: int | str | slice) -> "Runs":
        if isinstance(which, str):
            named = dict(zip([*self.labels, *self.ids], self.results * 2, strict=True))
            if which not in named:
                raise unknown("run", which, known=list(named), see=f"There are {', '.join(self.labels)}.")
            return Runs([named[which]], store=self.store)
        chosen = self.results[which]
        return Runs([chosen] if isinstance(chosen, RunResult) else chosen, store=self.store)

    def __iter__(self) -> Iterator["Runs"]:
        return (self[number] for number in range(len(self)))

    @property
    def ids(self) -> list[str]:
        """The ids of the runs, by which commands know them."""
        return [one.head.id for one in self.results]

    @property
    def labels(self) -> list[str]:
        """Return labels that distinguish the runs: the subject, and condition or id where that is not enough."""
        return [label_of(one, self.results) for one in self.results]

    @property
    def result(self) -> RunResult:
        """The only run, with its counts, outcomes and costs."""
        if len(self) != 1:
            raise BadParameter(f"There are {len(self)} runs; choose one: runs[{self.labels[0]!r}].")
        return self.results[0]

    @property
    def scores(self) -> dict[str, Estimate]:
        """The estimate of each score of the only run."""
        return self.result.scores

    def to_frame(self, rows: str = "scores", *, form: Form = "pandas") -> Any:
        """Return a table with a row for each score of each run, or for each of its sessions or items.

        Parameters
        ----------
        rows
            "scores": estimates with interval, n, method and population; `with_excluded` is the value over all sessions,
            those in `excluded` too. "sessions": the value of each session. "items": the value of each item, with its
            content hash and what became of it. Excluded sessions have their rows: `excluded` says why, "" where one
            counts.
        form
            "pandas", "polars" or "arrow"; each needs its own package, and only that.
        """
        kinds = {"scores": self._scores, "sessions": self._sessions, "items": self._items}
        if rows not in kinds:
            raise unknown("kind of rows", rows, known=kinds, see=f"There are {', '.join(kinds)}.")
        return data_frame(kinds[rows](), form)

    def chart(self, score: str | None = None) -> Any:
        """Return an altair chart of a score, the first where none is named: estimates over single sessions."""
        with opened(self.store) as place:
            stored = {one.head.id: place.results.of(one.head.id) for one in self.results}
            tables = {table.score.name: table for table in SameTest(list(self.results), stored, place).tables}
        if score is not None and score not in tables:
            raise unknown("score", score, known=tables, see=f"There are {', '.join(tables)}.")
        drawn = [figure for name, table in tables.items() if score in (None, name) for figure in table.figures]
        if not drawn:
            raise BadParameter("Nothing was scored, so there is nothing to draw.")
        return drawn[0].chart()

    def exhibits(self) -> "list[Exhibit]":
        """Return the tables and pictures of the report, those that the test itself brings among them."""
        return [exhibit for section in self._report().sections for exhibit in section.exhibits]

    def report(self, path: str | Path = "report.html", *, title: str = "", question: str = "") -> Path:
        """Write the report that `mensura report` writes, as .html, .md or .pdf, and return where it is."""
        from mensura.report import write_report_of

        report, again = self._report(title=title, question=question), f"report {' '.join(self.ids)}"
        with opened(self.store) as place:
            return write_report_of(self.ids, report, path, store=place, again=again, who="Python")

    def _report(self, *, title: str = "", question: str = "") -> "Report":
        with opened(self.store) as place:
            return build_report(self.ids, store=place, title=title, question=question)

    def _scores(self) -> Iterator[dict[str, Any]]:
        for label, one in zip(self.labels, self.results, strict=True):
            for name, estimated in one.estimated.items():
                said = estimated.estimate.as_json()
                whole = estimated.with_excluded or estimated.estimate
                both = {"excluded": len(one.excluded), "with_excluded": whole.value}
                yield {**self._who(label, one), "score": name, "better": estimated.score.better, **said, **both}

    def _sessions(self) -> Iterator[dict[str, Any]]:
        for label, one, session, name, value in self._values():
            said = {"score": name, "value": session_mean(value), "excluded": one.excluded.get(session, "")}
            yield {**self._who(label, one), "session": session, **said}

    def _items(self) -> Iterator[dict[str, Any]]:
        for label, one, session, name, value in self._values():
            if isinstance(value, Items):
                for number, item in enumerate(value.values):
                    told = {"key": value.keys, "item": value.ids, "outcome": value.outcomes}
                    known = {field: said[number] if number < len(said) else "" for field, said in told.items()}
                    said = {"value": float(item), "excluded": one.excluded.get(session, "")}
                    yield {**self._who(label, one), "session": session, "score": name, **known, **said}

    def _values(self) -> Iterator[tuple[str, RunResult, str, str, Items | float]]:
        with opened(self.store) as place:
            for label, one in zip(self.labels, self.results, strict=True):
                for result in place.results.latest(one.head.id):
                    for name, value in result.scores.values.items():
                        yield label, one, result.session, name, value

    @property
    def _tests(self) -> str:
        return ", ".join(dict.fromkeys(one.head.test for one in self.results))

    @staticmethod
    def _who(label: str, one: RunResult) -> dict[str, Any]:
        return {"run": one.head.id, "test": one.head.test, "subject": label, "condition": one.head.condition}

    def __repr__(self) -> str:
        lines = [f"{several(len(self), 'run')} of {self._tests}"]
        for label, one in zip(self.labels, self.results, strict=True):
            lines += [f"{label}: {name} {estimate}" for name, estimate in one.scores.items()]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """Show in a notebook who took what, and each score as an estimate."""
        if len(self) == 1:
            return self.results[0]._repr_html_()
        names = list(dict.fromkeys(name for one in self.results for name in one.scores))
        head = "".join(f"<th>{escape(name)}</th>" for name in ["", *names])
        rows = []
        for label, one in zip(self.labels, self.results, strict=True):
            cells = [one.scores[name]._repr_html_() if name in one.scores else "–" for name in names]
            rows.append(f"<tr><th>{escape(label)}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
        return f"<p><b>{escape(self._tests)}</b></p><table><tr>{head}</tr>{''.join(rows)}</table>"


RunLike = str | RunResult | Runs
"""Anything that names a run."""
