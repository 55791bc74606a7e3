"""The ledger: every event of every question, who, when and why; scores follow from the events."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import isnan
from time import time
from typing import Any, NamedTuple, Self

from sqlalchemy import Connection, create_engine, event, func, insert, inspect, select, text
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.pool import StaticPool

from mensura.errors import BadParameter, Conflict, Invalid, StoreError, unknown
from mensura.scores.alternatives import SUM_TOLERANCE
from mensura.track_record.ledger.life import LedgerEntry, Life, live
from mensura.track_record.ledger.question import Question
from mensura.track_record.ledger.scoring import ForecasterScore, score_question
from mensura.track_record.ledger.tables import events, metadata

FLOOR = 0.01
STORED = [column.name for column in events.columns if column.name != "number"]
PEOPLE = "*people"
"""The pseudo-question under which roles are entered."""


class Deed(NamedTuple):
    """The author of an act, the reason, its claimed time, and when the ledger was told."""

    who: str
    why: str
    at: float
    entered: float


class Ledger:
    """A registry of questions and forecasts, event by event.

    Questions are set by requesters, not by those who forecast: a person has one role or the other. Nothing is ever
    changed or erased; taking a resolution back is a further event, and scores are computed from the events when they
    are asked for. The ledger keeps the time of every entry beside the time that is claimed for it, and ties each event
    to the one before by a hash: an event that was altered afterwards is refused. Who acts it takes on trust.

    Parameters
    ----------
    url
        SQLAlchemy URL; a file by `sqlite:///questions.db`, in memory without one.
    floor
        Smallest probability the logarithm pays for.
    clock
        Gives the present time; days since 1970 unless another clock is given.

    Examples
    --------
    >>> ledger = Ledger(clock=lambda: 0.0)
    >>> ledger.enter("ruth", "requester"); ledger.enter("ada", "forecaster")
    >>> rain = Question("rain", "Rain at Kew?", options=("yes", "no"), deadline=10, resolving="Met Office, Kew gauge")
    >>> ledger.draft(rain, who="ruth"); ledger.open("rain", who="ruth")
    >>> ledger.forecast("rain", {"yes": 0.8, "no": 0.2}, who="ada")
    >>> ledger.resolve("rain", "yes", who="ruth", why="gauge read", at=10.0)
    >>> [(score.rule, round(score.value, 3), score.coverage) for score in ledger.scores("rain")]
    [('log', 0.47, 1.0), ('quadratic', 0.21, 1.0)]
    """

    def __init__(
        self, url: str = "sqlite://", *, floor: float = FLOOR, clock: Callable[[], float] | None = None
    ) -> None:
        memory = {"poolclass": StaticPool, "connect_args": {"check_same_thread": False}} if url == "sqlite://" else {}
        self.engine = create_engine(url, **memory)
        self.floor = floor
        self.clock = clock or (lambda: time() / 86400)
        if self.engine.dialect.name == "sqlite":
            event.listen(self.engine, "connect", _prepare_sqlite)
            event.listen(self.engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
        metadata.create_all(self.engine)
        with self._transaction() as connection:
            known = {column["name"] for column in inspect(connection).get_columns(events.name)}
            for column in {"entered": "FLOAT", "link": "VARCHAR"}.items():
                if column[0] not in known:
                    connection.execute(text(f"ALTER TABLE {events.name} ADD COLUMN {' '.join(column)}"))

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def enter(self, person: str, role: str, *, who: str = "", why: str = "") -> None:
        """Enter a person as requester or forecaster; nobody is both, and a role is not changed."""
        if role not in ("requester", "forecaster"):
            raise BadParameter(f"A person is a requester or a forecaster; got {role!r}.")
        with self._transaction() as connection:
            entered = self._events(connection, PEOPLE)
            known = _roles(entered).get(person)
            if known and known != role:
                raise BadParameter(
                    f"{person} is a {known} already. Questions are set by requesters, not by those who forecast them."
                )
            if not known:
                told = {"person": person, "role": role}
                self._add(connection, PEOPLE, entered, "entered", told, self._deed(who or person, why))

    def draft(self, question: Question, *, who: str, why: str = "", at: float | None = None) -> None:
        """Enter a question as a draft; one that is not confirmable is refused with the reason."""
        question.check()
        with self._transaction() as connection:
            self._need(connection, who, "requester")
            if self._events(connection, question.name):
                raise BadParameter(f"There is already a question {question.name!r}. Give this one another name.")
            self._add(connection, question.name, [], "drafted", question.as_json(), self._deed(who, why, at))

    def amend(self, question: Question, *, who: str, why: str, at: float | None = None) -> None:
        """Change a draft; once a question is open its words stay."""
        question.check()
        with self._transaction() as connection:
            self._need(connection, who, "requester")
            life = self._life(connection, question.name)
            if life.state != "draft":
                raise BadParameter(f"Question {question.name!r} is {life.state}; only drafts can be changed.")
            told = question.as_json()
            self._add(connection, question.name, life.history, "amended", told, self._deed(who, why, at))

    def open(self, question: str, *, who: str, why: str = "", at: float | None = None) -> None:
        """Open a draft for forecasts."""
        self._turn(question, "opened", {}, self._deed(who, why, at))

    def close_question(self, question: str, *, who: str, why: str = "", at: float | None = None) -> None:
        """Take no more forecasts."""
        self._turn(question, "closed", {}, self._deed(who, why, at))

    def annul(self, question: str, *, who: str, why: str, at: float | None = None) -> None:
        """Record that the question cannot be settled; it has no scores."""
        self._turn(question, "annulled", {}, self._deed(who, why, at))

    def resolve(
        self, question: str, outcome: Any, *, who: str, why: str, as_of: float | None = None, at: float | None = None
    ) -> None:
        """Enter what came true, or correct it.

        Parameters
        ----------
        question
            Its name.
        outcome
            The alternative that happened, or the value of the quantity.
        who, why
            Who says so, and on what ground.
        as_of
            When the truth was there; forecasts made later do not count. The time of the entry unless given.
        at
            Time of the entry; now unless given.
        """
        deed = self._deed(who, why, at)
        with self._transaction() as connection:
            life = self._life(connection, question)
            _check_outcome(life.question, outcome)
            since = deed.at if as_of is None else as_of
            if life.opened is not None and since < life.opened:
                raise BadParameter(f"Question {question!r} opened at {life.opened:g}, after {since:g}.")
        self._turn(question, "resolved", {"outcome": outcome, "as_of": since}, deed)

    def forecast(
        self,
        question: str,
        probabilities: Mapping[str, float] | Sequence[float],
        *,
        who: str,
        why: str = "",
        at: float | None = None,
    ) -> None:
        """Enter a forecast, or a revision of one."""
        deed = self._deed(who, why, at)
        moment = deed.at
        with self._transaction() as connection:
            self._need(connection, who, "forecaster")
            life = self._life(connection, question)
            life.allow("forecast")
            if life.question.deadline is not None and moment > life.question.deadline:
                raise BadParameter(f"The deadline of {question!r} was {life.question.deadline:g}; now is {moment:g}.")
            if life.opened is not None and moment < life.opened:
                raise BadParameter(f"Question {question!r} opened at {life.opened:g}, after {moment:g}.")
            if any(entry.who == who and entry.at >= moment for entry in life.forecasts):
                raise BadParameter(f"{who} has forecast {question!r} at {moment:g} or later; enter them in order.")
            values = _check_forecast(life.question, probabilities)
            self._add(connection, question, life.history, "forecast", {"probabilities": values}, deed)

    def questions(self) -> list[Life]:
        """Return every question with its state and history."""
        with self._transaction() as connection:
            names = connection.execute(
                select(events.c.question)
                .where(events.c.question != PEOPLE)
                .group_by(events.c.question)
                .order_by(func.min(events.c.number))
            )
            return [self._life(connection, name) for (name,) in names.all()]

    def question(self, name: str) -> Life:
        """Return one question with its state and history."""
        with self._transaction() as connection:
            return self._life(connection, name)

    def scores(self, question: str | None = None) -> list[ForecasterScore]:
        """Return the scores that stand, of one question or of all."""
        lives = self.questions() if question is None else [self.question(question)]
        return [score for life in lives for score in score_question(life, floor=self.floor)]

    def _deed(self, who: str, why: str, at: float | None = None) -> Deed:
        now = self.clock()
        return Deed(who, why, float(now if at is None else at), float(now))

    def _turn(self, question: str, kind: str, content: Any, deed: Deed) -> None:
        with self._transaction() as connection:
            self._need(connection, deed.who, "requester")
            life = self._life(connection, question)
            life.allow(kind)
            if kind in ("annulled", "resolved") and not deed.why.strip():
                raise BadParameter(f"Say why {question!r} is {kind}: the ledger keeps the reason for every decision.")
            self._add(connection, question, life.history, kind, content, deed)

    def _add(
        self,
        connection: Connection,
        question: str,
        before: Sequence[LedgerEntry],
        kind: str,
        content: Any,
        deed: Deed,
    ) -> None:
        who, why, at, entered = deed
        entry = LedgerEntry(0, question, len(before) + 1, kind, who, at, why, content, entered)
        entry = replace(entry, link=entry.linked(before[-1].link if before else None))
        try:
            connection.execute(insert(events).values({name: getattr(entry, name) for name in STORED}))
        except IntegrityError:
            raise Conflict(f"Someone else changed {question!r} at the same moment; nothing was entered.") from None

    def _events(self, connection: Connection, question: str) -> list[LedgerEntry]:
        query = select(events).where(events.c.question == question).order_by(events.c.version)
        own = [LedgerEntry(**row) for row in connection.execute(query).mappings()]
        link: str | None = None
        for number, entry in enumerate(own, start=1):
            if entry.version != number or ((entry.link or link) and entry.link != entry.linked(link)):
                raise StoreError(f"Event {number} of {question!r} was altered in the ledger. Restore it from a copy.")
            link = entry.link
        return own

    def _life(self, connection: Connection, question: str) -> Life:
        own = self._events(connection, question)
        if not own:
            names = connection.execute(select(events.c.question).distinct()).scalars().all()
            raise unknown("question", question, known=names, see="`Ledger.questions` gives all of them.")
        return live(own)

    def _need(self, connection: Connection, who: str, role: str) -> None:
        has = _roles(self._events(connection, PEOPLE)).get(who)
        if has != role:
            stands = f"is a {has}" if has else "is not entered"
            raise BadParameter(f"This needs a {role}; {who} {stands}. First enter people with their role.")

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        try:
            with self.engine.begin() as connection:
                yield connection
        except OperationalError as problem:
            raise StoreError(f"The ledger cannot be used now, nothing was changed: {problem.orig}") from problem


def ledger_url(place: str) -> str:
    """Return the SQLAlchemy URL of a ledger that was named by its file.

    >>> ledger_url("ledger.db"), ledger_url("postgresql://lab@db/questions")
    ('sqlite:///ledger.db', 'postgresql+psycopg://lab@db/questions')
    """
    if place.startswith("postgresql://"):
        return place.replace("postgresql://", "postgresql+psycopg://", 1)
    return place if "://" in place else f"sqlite:///{place}"


def _prepare_sqlite(connection: Any, record: object) -> None:
    # SQLAlchemy begins transactions itself, so that what is read is what is written upon.
    connection.isolation_level = None
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA busy_timeout=20000")


def _roles(entered: Sequence[LedgerEntry]) -> dict[str, str]:
    return {entry.content["person"]: entry.content["role"] for entry in entered}


def _check_outcome(question: Question, outcome: Any) -> None:
    if question.kind == "alternatives":
        if outcome not in question.options:
            raise Invalid(f"{question.name!r} has the alternatives {', '.join(question.options)}; got {outcome!r}.")
    elif isinstance(outcome, bool) or not isinstance(outcome, int | float) or isnan(outcome):
        raise Invalid(f"{question.name!r} asks for a number; got {outcome!r}.")


def _check_forecast(question: Question, probabilities: Mapping[str, float] | Sequence[float]) -> list[float]:
    if isinstance(probabilities, Mapping):
        if set(probabilities) != set(question.options):
            raise Invalid(f"Give one probability for each of {', '.join(question.options)}.")
        values = [float(probabilities[name]) for name in question.options]
    else:
        values = [float(value) for value in probabilities]
    if len(values) != question.width:
        raise Invalid(f"{question.name!r} takes {question.width} probabilities; got {len(values)}.")
    if any(isnan(value) or value < 0 for value in values):
        raise Invalid(f"A probability lies between 0 and 1; got {min(values):g}.")
    if abs(sum(values) - 1) > SUM_TOLERANCE:
        raise Invalid(f"The probabilities must sum to 1; they sum to {sum(values):.6g}.")
    return values
