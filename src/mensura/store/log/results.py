"""Results: scores with what made them. Scoring again adds a result; the old ones are kept."""

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Row, func, select

from mensura.dialogue import Items, Scores, counted_together, read_scores
from mensura.store import text
from mensura.store.database import Database
from mensura.store.log.exclusions import Exclusions
from mensura.store.schema import events, exclusions, results, runs, sessions
from mensura.store.sealed.chain import result_entry
from mensura.store.sealed.custody import Custodies, Custody
from mensura.store.sealed.sealing import is_sealed

READ_AT_ONCE = 500
UNANSWERED = "unanswered"
"""In the account of a result: its session broke off before anything was answered."""
TELLING = ("scores", "details", "account", "instance_hash")
"""The parts of a result that reveal truths, and are sealed together."""


COLUMNS = ("scoring", "instance_hash", "environment_hash", "scores", "details", "account", "time")
ADD_RESULT = f"INSERT INTO results (session, {', '.join(COLUMNS)}) VALUES ({', '.join('?' * (len(COLUMNS) + 1))})"


@dataclass(frozen=True)
class Result:
    """The scores of one session by one scoring, and what made them."""

    session: str
    scoring: str
    """Version of the scoring."""
    instance_hash: str
    environment_hash: str
    time: float
    scores: Scores


@dataclass(eq=False, repr=False)
class Results:
    """The results of a store."""

    database: Database
    custodies: Custodies
    exclusions: Exclusions

    def add(
        self, session_id: str, scores: Scores, *, scoring: str, environment_hash: str, instance_hash: str = ""
    ) -> None:
        """Store the scores of a session beside those it may have already; the hash of its content goes with them."""
        instance = scores.instance or instance_hash
        self.add_many([Result(session_id, scoring, instance, environment_hash, time.time(), scores)])

    def add_many(self, added: Sequence[Result]) -> None:
        """Store results of several sessions in one transaction."""
        rows = [(custody, _row(custody, one)) for one in added for custody in [self.custodies.find(one.session)]]
        if not rows:
            return
        # Sorted, or two writers of the same sessions could wait for one another.
        rows.sort(key=lambda pair: pair[0].number)
        with self.database.appending() as connection:
            values = [(custody.number, *(row[name] for name in COLUMNS)) for custody, row in rows]
            self.database.at_once(connection, ADD_RESULT, values)
            for custody, row in rows:
                if custody.sealer is not None:
                    self.custodies.link(connection, custody, [result_entry(custody.sealer.salt, row)])

    def of(self, run_id: str, *, scoring: str | None = None) -> dict[str, Scores]:
        """Return the latest scores of every session of a run that has some and counts, by session id.

        Excluded sessions do not count here, nor in every summary, comparison and report;
        `latest` gives theirs too.

        Parameters
        ----------
        scoring
            Only those of this version of the scoring; None: the latest of any.
        """
        excluded = self.exclusions.excluded(run_id)
        results = self.latest(run_id, scoring=scoring)
        return {result.session: result.scores for result in results if result.session not in excluded}

    def latest(self, run_id: str, *, scoring: str | None = None) -> list[Result]:
        """Return the latest result of every session of a run, with its provenance, in the order of the sessions.

        Their scores are as they count together: `mensura.dialogue.counted_together`.
        """
        found = list(self.each(run_id, scoring=scoring))
        together = counted_together({result.session: result.scores for result in found})
        return [replace(result, scores=together[result.session]) for result in found]

    def each(self, run_id: str, *, scoring: str | None = None) -> Iterator[Result]:
        """Go through the latest results of a run as each is by itself, with few of them in memory."""
        newest = select(func.max(results.c.number)).join(sessions, sessions.c.number == results.c.session)
        newest = newest.join(runs, runs.c.number == sessions.c.run).where(runs.c.id == run_id)
        if scoring is not None:
            newest = newest.where(results.c.scoring == scoring)
        return self._results(results.c.number.in_(newest.group_by(results.c.session)))

    def scored(self, run_id: str) -> set[str]:
        """Name the sessions of a run that have a result, without reading any."""
        wanted = select(sessions.c.id).join(runs, runs.c.number == sessions.c.run).where(runs.c.id == run_id)
        with self.database.reading() as connection:
            found = connection.execute(wanted.where(sessions.c.number.in_(select(results.c.session))))
            return set(found.scalars())

    def before_end(self, run_id: str) -> list[str]:
        """Name the sessions of a run whose log ended after they were last scored, as those that were lost before."""
        newest = select(func.max(results.c.time)).where(results.c.session == sessions.c.number).scalar_subquery()
        logged = select(events.c.session).where(events.c.session == sessions.c.number).exists()
        wanted = select(sessions.c.id).join(runs, runs.c.number == sessions.c.run).where(runs.c.id == run_id, logged)
        with self.database.reading() as connection:
            return list(connection.execute(wanted.where(newest < sessions.c.ended)).scalars())

    def version(self, run_id: str) -> tuple[int, int, int]:
        """Return which state the results and exclusions of a run are in: equal versions, equal summaries."""
        mine = select(sessions.c.number).join(runs, runs.c.number == sessions.c.run).where(runs.c.id == run_id)
        scored = select(func.count(), func.max(results.c.number)).where(results.c.session.in_(mine))
        with self.database.reading() as connection:
            many, newest = connection.execute(scored).one()
        return int(many), int(newest or 0), len(self.exclusions.ledger(run_id))

    def newest(self) -> tuple[int, int]:
        """Return the numbers of the newest result and the newest exclusion of any run, which cost nothing to read."""
        wanted = select(*(select(func.max(each.c.number)).scalar_subquery() for each in (results, exclusions)))
        with self.database.reading() as connection:
            scored, excluded = connection.execute(wanted).one()
        return int(scored or 0), int(excluded or 0)

    def history(self, session_id: str) -> list[Result]:
        """Return every result of a session, the oldest first."""
        return list(self._results(results.c.session == self.custodies.find(session_id).number))

    def unscored(self, run_id: str, statuses: Collection[str]) -> dict[str, str]:
        """Name the sessions of a run that ended in one of these ways and have no result, each with its status."""
        mine = select(runs.c.number).where(runs.c.id == run_id).scalar_subquery()
        none = ~select(results.c.number).where(results.c.session == sessions.c.number).exists()
        wanted = select(sessions.c.id, sessions.c.status).where(sessions.c.run == mine, none)
        with self.database.reading() as connection:
            found = connection.execute(wanted.where(sessions.c.status.in_(list(statuses))).order_by(sessions.c.number))
            return {row.id: row.status for row in found}

    def _results(self, condition: Any) -> Iterator[Result]:
        where = sessions.c
        # Secrets come along: to look each of them up would be a query for every session of a run.
        told = [column for column in results.c if column.name not in ("number", "session")]
        wanted = select(where.number, where.id, where.run, where.secret, *told)
        wanted = wanted.join(results, where.number == results.c.session)
        wanted = wanted.where(condition).order_by(
            where.course, where.phase, where.session, where.number, results.c.number
        )
        with self.database.reading() as connection:
            for row in connection.execution_options(yield_per=READ_AT_ONCE).execute(wanted):
                yield self._result(row)

    def _result(self, row: Row[Any]) -> Result:
        telling = {name: getattr(row, name) for name in TELLING}
        if is_sealed(row.scores):
            opened = text.read(self.custodies.of_row(row).open(row.scores, "result"))
            telling = dict(zip(TELLING, opened, strict=True))
        values = {name: _score(data) for name, data in text.read(telling["scores"]).items()}
        account = text.read_mapping(telling["account"])
        scores = Scores(
            values,
            text.read(telling["details"]),
            declared=read_scores(account.get("declared", ())),
            status=account.get("status", "finished"),
            tally=dict(account.get("tally", {})),
            instance=telling["instance_hash"],
            opening=account.get("opening", ""),
            scoring=row.scoring,
        )
        if account.get(UNANSWERED, scores.is_unanswered):
            scores = scores.as_unknown
        return Result(row.id, row.scoring, scores.instance, row.environment_hash, row.time, scores)


def _row(custody: Custody, result: Result) -> dict[str, Any]:
    # As the test scored it: what is unknown by itself may count beside other sessions.
    scores = result.scores.otherwise or result.scores
    row = {
        "scoring": result.scoring,
        "instance_hash": result.instance_hash,
        "environment_hash": result.environment_hash,
        "scores": text.write({name: _score_data(score) for name, score in scores.values.items()}),
        "details": text.write(scores.details),
        "account": text.write(_account(result.scores)),
        "time": result.time,
    }
    return row if custody.sealer is None else row | seal_result(custody, row)


def seal_result(custody: Custody, row: Mapping[str, Any]) -> dict[str, str]:
    """Write what of a result tells truths as it is stored.

    Whether an answer was right tells the truth; so does a hash of what was asked together with the truth.
    """
    kept = text.write([row[name] for name in TELLING])
    return {"scores": custody.seal(kept, "result"), "details": "{}", "account": "{}", "instance_hash": ""}


def _score_data(score: Items | float) -> Any:
    if not isinstance(score, Items):
        return float(score)
    data: dict[str, Any] = {"values": score.values.tolist(), "keys": list(score.keys)}
    if score.ids:
        data["ids"] = list(score.ids)
    if score.separate:
        data["separate"] = True
    if any(score.groups):
        data["groups"] = list(score.groups)
    if any(outcome != "answered" for outcome in score.outcomes):
        data["outcomes"] = list(score.outcomes)
    if score.answers:
        data["answers"] = list(score.answers)
    if any(score.cached):
        data["cached"] = list(score.cached)
    return data


def _score(data: Any) -> Items | float:
    if not isinstance(data, dict):
        return float(data)
    values, keys, ids = data["values"], data["keys"], data.get("ids", ())
    outcomes = data.get("outcomes") or (["answered"] * len(ids) if ids else ())
    groups, separate = data.get("groups", ()), data.get("separate", False)
    items = Items(values, keys, ids=ids, groups=groups, outcomes=outcomes, separate=separate)
    items.answers, items.cached = tuple(data.get("answers", ())), tuple(data.get("cached", ()))
    return items


def _account(scores: Scores) -> dict[str, Any]:
    """Write how the session ended, what became of everything asked, and what is declared of natural scores."""
    declared = [score.as_json() for score in scores.declared.values()]
    known = {"status": scores.status, "tally": scores.tally, "opening": scores.opening}
    nothing = {} if scores.status == "finished" else {UNANSWERED: scores.otherwise is not None}
    return {**known, **({"declared": declared} if declared else {}), **nothing}
