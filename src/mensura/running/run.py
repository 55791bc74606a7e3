"""Run: many sessions of one test, one cast, one condition."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from mensura.catalog.find import find_test
from mensura.dialogue import Address, Limits, Scores, Seed, Test, Trace, instance_hash
from mensura.errors import BadParameter
from mensura.running.executors import Executor, Here
from mensura.running.job import Done, Job, do
from mensura.running.provenance import environment_hash
from mensura.running.scoring import estimates, merged_details, scoring_version
from mensura.stats import Estimate
from mensura.store.head import RunHead, SessionHead
from mensura.subjects import SubjectSpec

if TYPE_CHECKING:
    from mensura.store import Store

COUNTED = ("finished", "crashed", "timed_out", "invalid")
Progress = Callable[[Done], None]


@dataclass
class RunResult:
    """A run with what came of it."""

    head: RunHead
    counts: dict[str, int]
    scores: dict[str, Estimate]
    details: dict[str, Any] = field(default_factory=dict)
    last_words: list[str] = field(default_factory=list)
    sums: dict[str, float] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Give the run in the shape that every test's `run --json` has."""
        cast = self.head.cast
        names = set(cast.values())
        return {
            "run": self.head.id,
            "test": self.head.test,
            "subject": names.pop() if len(names) == 1 else dict(cast),
            "condition": self.head.condition,
            "hash": self.head.instance_hash,
            "environment": self.head.environment_hash,
            "seed": "public" if self.head.seed_public else "secret",
            "sessions": self.counts,
            "scores": {name: estimate.as_json() for name, estimate in self.scores.items()},
            **({"spent": self.sums} if self.sums else {}),
            **self.details,
        }


def run(
    test: str | Test,
    cast: SubjectSpec | str | Mapping[str, SubjectSpec | str],
    *,
    store: "Store",
    sessions: int = 1,
    seed: int | None = None,
    parameters: Mapping[str, Any] | None = None,
    setting: str | None = None,
    options: "RunOptions | None" = None,
) -> RunResult:
    """Let subjects take a test many times, store everything, and estimate the scores.

    Parameters
    ----------
    test
        A test, or its name.
    cast
        One subject for all roles, or one per role; by spec or by name.
    sessions
        How many administrations.
    seed
        Makes the run repeatable and is then public; without it a secret one is drawn.
    setting
        A registered condition of the test; parameters given beside it win.
    options
        Where and how: executor, trace, limits, progress.
    """
    options = options or RunOptions()
    head = begin_run(test, cast, store=store, seed=seed, parameters=parameters, setting=setting, options=options)
    addresses = [Address(session=number) for number in range(sessions)]
    return carry_out(head, addresses, store=store, options=options, test=test)


@dataclass(frozen=True)
class RunOptions:
    """Where and how a run is carried out."""

    on: Executor = field(default_factory=Here)
    trace: Trace | None = None
    """None: full, or the batch form where test and subject have one."""
    limits: Limits = field(default_factory=Limits)
    progress: Progress = lambda done: None
    condition: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)


def begin_run(
    test: str | Test,
    cast: SubjectSpec | str | Mapping[str, SubjectSpec | str],
    *,
    store: "Store",
    seed: int | None = None,
    parameters: Mapping[str, Any] | None = None,
    setting: str | None = None,
    options: RunOptions,
) -> RunHead:
    """Write down what will be run before anything is."""
    definition = find_test(test) if isinstance(test, str) else test
    values = definition.fill(parameters, setting=setting)
    specs = read_cast(cast, roles=definition.cast_roles(values))
    for spec in set(specs.values()):
        # A misspelt subject is an error now, not after a thousand sessions.
        spec.check(definition)
    chosen = Seed.choose(seed)
    head = RunHead(
        id=f"{definition.name.replace('/', '.').replace(':', '.')}-{token_hex(4)}",
        test=definition.id,
        parameters=values,
        cast={role: spec.name for role, spec in specs.items()},
        condition=options.condition or setting or "",
        instance_hash=instance_hash(definition, values),
        environment_hash=environment_hash(),
        seed=chosen.value,
        seed_public=chosen.public,
        trace=options.trace or "full",
        created=time.time(),
        details={
            "reference": test if isinstance(test, str) else definition.id,
            "batch": options.trace is None,
            "scoring": scoring_version(definition),
            **options.details,
        },
    )
    store.create_run(head)
    return head


def read_cast(
    cast: SubjectSpec | str | Mapping[str, SubjectSpec | str], *, roles: Sequence[str]
) -> dict[str, SubjectSpec]:
    """Give every role its subject."""
    if not isinstance(cast, Mapping):
        cast = dict.fromkeys(roles, cast)
    for role in roles:
        if role not in cast:
            raise BadParameter(f"The role {role} has no subject: --as {role}=SUBJECT. Roles are {', '.join(roles)}.")
    for role in cast:
        if role not in roles:
            raise BadParameter(f"There is no role {role}; roles are {', '.join(roles)}.")
    return {role: SubjectSpec(member) if isinstance(member, str) else member for role, member in cast.items()}


def carry_out(
    head: RunHead,
    addresses: Sequence[Address],
    *,
    store: "Store",
    options: RunOptions,
    test: str | Test | None = None,
) -> RunResult:
    """Take the sessions of a run that are not yet over."""
    over = {session.address for session in store.sessions(head.id) if session.status not in ("open",)}
    jobs = [
        job_of(head, address, store=store, options=options, test=test) for address in addresses if address not in over
    ]
    for job in jobs:
        store.create_session(SessionHead(job.session, head.id, job.address, head.cast, created=time.time()))
    for done in options.on.map(do, jobs):
        keep(done, head, store=store)
        options.progress(done)
    return summarise_run(head, store=store)


def job_of(
    head: RunHead, address: Address, *, store: "Store", options: RunOptions, test: str | Test | None = None
) -> Job:
    """Describe one session of a run so that a worker can take it."""
    reachable = options.on.local or not store.url.startswith("sqlite")
    return Job(
        session=session_id(head.id, address),
        test=test if test is not None else head.details["reference"],
        parameters=head.parameters,
        cast={role: SubjectSpec(name) for role, name in head.cast.items()},
        seed=head.seed,
        address=address,
        trace=head.trace,
        batch=bool(head.details.get("batch")),
        limits=options.limits,
        store=store.url if reachable else None,
    )


def session_id(run_id: str, address: Address) -> str:
    """Name a session by its run and its address."""
    return f"{run_id}/{address.course}.{address.phase}.{address.session}"


def keep(done: Done, head: RunHead, *, store: "Store") -> None:
    """Store what came back with a result, and its scores."""
    if done.events:
        store.append(done.session, done.events, truths=done.truths)
    store.end_session(done.session, status=done.status, last_words=done.last_words)
    if done.scores is not None:
        store.add_results(
            done.session,
            done.scores,
            scoring=head.details["scoring"],
            instance_hash=head.instance_hash,
            environment_hash=head.environment_hash,
        )


def summarise_run(head: RunHead, *, store: "Store") -> RunResult:
    """Estimate the scores of a run from what the store holds of it."""
    sessions = store.sessions(head.id)
    counts = {status: sum(session.status == status for session in sessions) for status in COUNTED}
    others = {session.status for session in sessions} - set(COUNTED)
    counts |= {status: sum(session.status == status for session in sessions) for status in sorted(others)}
    results: list[Scores] = list(store.results(head.id).values())
    words = [f"{session.id}: {session.last_words}" for session in sessions if session.last_words]
    return RunResult(head, counts, estimates(results), merged_details(results), words)


def resume_run(run_id: str, *, store: "Store", options: RunOptions | None = None) -> RunResult:
    """Go on with a run that was interrupted: open sessions from their last answer, missing ones from the start."""
    head = store.run(run_id)
    addresses = [session.address for session in store.sessions(head.id)]
    return carry_out(head, addresses, store=store, options=options or RunOptions())


def results_of(runs: Sequence[RunHead], *, store: "Store") -> Iterator[RunResult]:
    """Summarise several runs."""
    for head in runs:
        yield summarise_run(head, store=store)
