"""Check: whether a test keeps the contract. For its author, before anyone takes it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mensura.catalog.find import TestLike, find_test
from mensura.errors import BrokenTest, MensuraError, raised
from mensura.running.checks.back import check_back
from mensura.running.checks.batch import check_batch
from mensura.running.checks.chance import check_chance_level
from mensura.running.checks.check import Check
from mensura.running.checks.clock import check_clock
from mensura.running.checks.declared import (
    check_parameters_documented,
    check_questions_declared,
    check_scores_declared,
)
from mensura.running.checks.ending import check_declines, check_ends
from mensura.running.checks.fitting import check_truth_fits
from mensura.running.checks.golden import check_golden, write_golden
from mensura.running.checks.invalid import check_invalid_refused
from mensura.running.checks.leak.reaching import check_reach
from mensura.running.checks.leak.telling import check_nothing_tells, check_timing
from mensura.running.checks.leak.truth import check_truth_hidden
from mensura.running.checks.replaying import check_replays_alike
from mensura.running.checks.saving import check_saves
from mensura.running.checks.speed import check_world_speed
from mensura.running.checks.trial import Trial

CHEATS: tuple[Callable[[Trial], Check], ...] = (
    check_truth_hidden,
    check_truth_fits,
    check_nothing_tells,
    check_timing,
    check_reach,
)
"""The checks that try to find out the truth as a cheat would."""
CHECKS: tuple[Callable[[Trial], Check], ...] = (
    check_declines,
    check_replays_alike,
    check_clock,
    check_saves,
    check_back,
    *CHEATS,
    check_invalid_refused,
    check_parameters_documented,
    check_scores_declared,
    check_questions_declared,
    check_chance_level,
    check_world_speed,
    check_batch,
)


@dataclass(frozen=True)
class CheckOptions:
    """How thoroughly a test is checked."""

    sessions: int = 30
    """Sessions that a statistical check takes."""
    cuts: int = 25
    """At about how many places a log is cut for a resume; every one would take the square of its length."""
    turns: int = 20_000
    """Answers after which a session counts as endless."""
    golden: Path | None = None
    """Folder of golden transcripts."""


@dataclass(frozen=True)
class CheckReport:
    """The results of all checks of a test."""

    test: str
    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Return whether no check failed."""
        return all(check.passed is not False for check in self.checks)

    @property
    def failed(self) -> list[Check]:
        """The checks that failed."""
        return [check for check in self.checks if check.passed is False]

    def require(self) -> "CheckReport":
        """Raise `BrokenTest` with every failure, if there is any."""
        if not self.passed:
            raise BrokenTest("\n".join([f"{self.test} does not keep the contract.", *map(str, self.failed)]))
        return self

    def data(self) -> dict[str, Any]:
        """Return the report as JSON."""
        checks = [
            {"check": check.name, "passed": check.passed, "words": check.words, "remarks": list(check.remarks)}
            for check in self.checks
        ]
        return {"test": self.test, "passed": self.passed, "checks": checks}

    def __str__(self) -> str:
        verdict = "keeps the contract" if self.passed else "does not keep the contract"
        return "\n".join([f"{self.test} {verdict}.", *map(str, self.checks)])


def check_test(test: TestLike, *, options: CheckOptions = CheckOptions(), **parameters: Any) -> CheckReport:
    """Check that a test keeps the contract.

    It ends; it goes on when answers are declined or lapse; it replays alike, at any time of day; from every save the
    rest comes out the same; truths stay hidden, fit their spaces, and are told neither by key, place, length or time
    nor by any object that a subject can reach; invalid answers are refused with a sentence; every parameter says what
    it is; every score is declared and lies within its bounds; random answers score at the declared level; a silent and
    a talkative subject see the same world; its batch form agrees; and it behaves as written down.

    Parameters
    ----------
    test
        A test, or what it is called.
    options
        How thoroughly.
    **parameters
        Parameters of the test; small ones make the checks quick.

    Examples
    --------
    >>> report = check_test("coin", options=CheckOptions(sessions=5), flips=5)
    >>> report.passed
    True
    >>> print(report.checks[0])
    ok      ends: finishes after 5 asks with random answers
    """
    trial = make_trial(test, options=options, **parameters)
    first = check_ends(trial)
    if not first.passed:
        return CheckReport(trial.test.id, (first,))
    found = [_carefully(check, trial) for check in CHECKS]
    found.append(_carefully(lambda trial: check_golden(trial, options.golden), trial))
    return CheckReport(trial.test.id, (first, *found))


def update_golden(test: TestLike, folder: Path, *, options: CheckOptions = CheckOptions(), **parameters: Any) -> Path:
    """Write a test's golden transcript anew, and give its place."""
    return write_golden(make_trial(test, options=options, **parameters), folder)


def make_trial(test: TestLike, *, options: CheckOptions = CheckOptions(), **parameters: Any) -> Trial:
    """Put a test under examination."""
    definition = find_test(test)
    given = definition.fill(parameters)
    return Trial(definition, given, turns=options.turns, sessions=options.sessions, cuts=options.cuts)


def _carefully(check: Callable[[Trial], Check], trial: Trial) -> Check:
    """Turn what a test raises in the middle of a check into a finding."""
    name = getattr(check, "__name__", "check").removeprefix("check_").replace("_", " ")
    try:
        return check(trial)
    except MensuraError as error:
        return Check(name, False, str(error))
    except Exception as error:
        # Scoring, subjects and batch forms are the author's, and may raise anything.
        return Check(name, False, f"it {raised(error)}")
