"""Take: let subjects take a test once, in memory."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mensura.dialogue import Address, Instance, Limits, Record, Session, Test, Trace, make_record
from mensura.running.driver import drive
from mensura.store import MemoryJournal
from mensura.subjects.subject import Subject, knows, name_of, own_minds


@dataclass(frozen=True)
class Taken:
    """What taking a test leaves in memory: the record, and the truths apart from it."""

    record: Record
    truths: Mapping[str, Any]
    session: Session


def take(
    test: Test,
    subject: Subject | Mapping[str, Subject],
    *,
    seed: int,
    parameters: Mapping[str, Any] | None = None,
    address: Address = Address(),
    trace: Trace = "full",
    limits: Limits = Limits(),
) -> Taken:
    """Let a subject, or a cast of them by role, take a test once, in memory.

    Examples
    --------
    >>> from mensura.dialogue import Ask, Probability, test
    >>> @test("even-v1")
    ... def even(rng):
    ...     yield Ask("A fair coin: probability of heads?", Probability(), key="heads")
    >>> take(even, lambda ask: 0.5, seed=1).record.given()
    {'heads': 0.5}
    """
    values = test.fill(parameters)
    cast = _cast(test, subject, values)
    for member in {id(one): one for one in cast.values()}.values():
        if hasattr(member, "refuse_parameters"):
            member.refuse_parameters(name_of(member), **values)
    knowing = frozenset(role for role, member in cast.items() if knows(member))
    instance = Instance(test, values, seed, address, knowing=knowing)
    session = Session(instance, trace=trace, limits=limits)
    journal = MemoryJournal()
    drive(session, cast, journal=journal)
    record = make_record(
        journal.events,
        test=test.id,
        parameters=instance.parameters,
        cast={role: name_of(member) for role, member in cast.items()},
    )
    record.status = session.status
    return Taken(record, journal.truths, session)


def _cast(test: Test, subject: Subject | Mapping[str, Subject], parameters: Mapping[str, Any]) -> dict[str, Subject]:
    complete = test.complete_cast(subject, parameters)
    return own_minds({role: test.subjects[who]() if isinstance(who, str) else who for role, who in complete.items()})
