"""Taking a test once, in a program or a notebook; nothing is stored."""

from collections.abc import Mapping
from typing import Any

from mensura.catalog.find import TestLike, find_test
from mensura.dialogue import Limits, Seed
from mensura.errors import BadParameter
from mensura.library.given import SubjectLike, given_cast
from mensura.running.take import Taken
from mensura.running.take import take as take_once
from mensura.subjects import SubjectSpec


def take(
    test: TestLike,
    subject: SubjectLike | Mapping[str, SubjectLike],
    *,
    seed: int | None = None,
    parameters: Mapping[str, Any] | None = None,
    limits: Limits = Limits(),
) -> Taken:
    """Let a subject, or one for each role, take a test once, in memory.

    A test and a subject may be a name, a path, a function or an object, as for `mensura.run`; without a seed a secret
    one is drawn.

    >>> take("coin", lambda ask: 0.5, parameters={"flips": 2}).record.given()
    {'coin0': 0.5, 'coin1': 0.5}
    """
    if not isinstance(limits, Limits):
        raise BadParameter(f"Limits are Limits(...); got {limits!r}.")
    found = find_test(test)
    values = found.fill(parameters)
    complete = found.complete_cast(given_cast(subject), values)
    cast = {role: SubjectSpec.of(member).make(found) for role, member in complete.items()}
    return take_once(found, cast, seed=Seed.choose(seed).value, parameters=values, limits=limits)
