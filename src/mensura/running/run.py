"""Run: many sessions of one test, one cast, one condition."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from mensura.catalog.find import find_test
from mensura.dialogue import Address, Limits, Scores, Seed, Test, Trace, instance_hash
from mensura.errors import BadParameter, BrokenTest
from mensura.running.executors import Executor, Here
from mensura.running.job import Done, Job, do
from mensura.running.provenance import environment_hash
from mensura.running.scoring import estimates, merged_details, score_record, scoring_version
from mensura.stats import Estimate
from mensura.store.head import RunHead, SessionHead
from mensura.subjects import SubjectSpec

if TYPE_CHECKING:
    from mensura.store import Store

HUMAN = "human"
"""The subject that is a person on a page."""
COUNTED = ("finished", "crashed", "timed_out", "invalid")
Progress = Callable[[Done], None]
Member = SubjectSpec | str | Callable[..., Any]


@dataclass
class RunResult:
    """A run with what came of it."""

    head: RunHead
    counts: dict[str, int]
    scores: dict[str, Estimate]
    details: dict[str, Any] = field(default_factory=dict)
    last_words: list[str] = field(default_factory=list)
    spent: dict[str, float | None] = field(default_factory=dict)
    """Tokens and cost of language models; None where some of it is not known."""

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
            "parameters": dict(self.head.parameters),
            "seed": "public" if self.head.seed_public else "secret",
            "sessions": self.counts,
            "scores": {name: estimate.as_json() for name, estimate in self.scores.items()},
            **({"spent": self.spent} if self.spent else {}),
            **self.details,
        }

    def _repr_html_(self) -> str:
        """Show the run in a notebook: who took what, how it went, and each score as an estimate."""
        from html import escape

        head = self.head
        who = ", ".join(dict.fromkeys(head.cast.values()))
        under = f" under {head.condition}" if head.condition else ""
        counts = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in self.counts.items() if count)
        rows = "".join(
            f"<tr><td>{escape(name)}</td><td>{estimate._repr_html_()}</td></tr>"
            for name, estimate in self.scores.items()
        )
        return (
            f"<p><b>{escape(head.test)}</b> taken by {escape(who)}{escape(under)} "
            f"<small>({escape(head.id)}; sessions: {escape(counts or 'none')})</small></p><table>{rows}</table>"
        )


def run(
    test: str | Test,
    cast: Member | Mapping[str, Member],
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
    plan = Plan.of(test, cast, parameters=parameters, setting=setting)
    if sessions < 1:
        raise BadParameter(f"A run has at least one session; got {sessions}.")
    planned = replace(options, details={**options.details, "sessions": sessions})
    head = begin_run(plan, store=store, seed=Seed.choose(seed), options=planned)
    addresses = [Address(session=number) for number in range(sessions)]
    return carry_out(head, addresses, plan=plan, store=store, options=options)


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


@dataclass(frozen=True)
class Plan:
    """What a run takes: the test, its cast by role, its parameters and the name of its setting."""

    test: str | Test
    cast: Mapping[str, SubjectSpec]
    parameters: Mapping[str, Any]
    setting: str = ""

    @property
    def definition(self) -> Test:
        """The test itself."""
        return find_test(self.test)

    @classmethod
    def of(
        cls,
        test: str | Test,
        cast: Member | Mapping[str, Member],
        *,
        parameters: Mapping[str, Any] | None = None,
        setting: str | None = None,
    ) -> "Plan":
        """Complete what a user says of a run: all parameters, and a subject for every role."""
        definition = find_test(test)
        values = definition.fill(parameters, setting=setting)
        complete = definition.complete_cast(cast, values)
        return cls(test, read_cast(complete, roles=definition.cast_roles(values)), values, setting or "")

    @classmethod
    def of_run(cls, head: RunHead) -> "Plan":
        """Read the plan of a stored run."""
        cast = {role: SubjectSpec(**described) for role, described in head.details["subjects"].items()}
        return cls(reference(head), cast, head.parameters, head.condition)


def begin_run(plan: Plan, *, store: "Store", seed: Seed, options: RunOptions) -> RunHead:
    """Write down what will be run before anything is."""
    test = plan.definition
    for spec in plan.cast.values():
        # A misspelt subject is an error now, not after a thousand sessions; people come by invitation.
        if spec.name != HUMAN:
            spec.find(test)
    subjects = {
        role: {"name": spec.name, "options": dict(spec.options), "folder": spec.folder}
        for role, spec in plan.cast.items()
    }
    head = RunHead(
        id=f"{test.name.replace('/', '.').replace(':', '.')}-{token_hex(4)}",
        test=test.id,
        parameters=plan.parameters,
        cast={role: spec.name for role, spec in plan.cast.items()},
        condition=options.condition or plan.setting,
        instance_hash=instance_hash(test, plan.parameters),
        environment_hash=environment_hash(),
        seed=seed.value,
        seed_public=seed.public,
        trace=options.trace or "full",
        created=time.time(),
        details={
            "reference": plan.test if isinstance(plan.test, str) else test.id,
            "folder": os.getcwd(),
            "subjects": subjects,
            "limits": asdict(options.limits),
            "batch": options.trace is None,
            "scoring": scoring_version(test),
            **options.details,
        },
    )
    store.create_run(head)
    return head


def reference(head: RunHead) -> str:
    """Name the test of a stored run so that it is found from any folder."""
    name = str(head.details.get("reference", head.test))
    folder = Path(head.details.get("folder", "."))
    path = Path(name.rpartition(":")[0] if ".py:" in name else name).expanduser()
    is_file = ".py:" in name or path.suffix in (".py", ".yaml", ".yml")
    if not is_file or path.exists() or path.is_absolute() or not (folder / path).exists():
        return name
    return str(folder / name)


def definition_of(head: RunHead) -> Test:
    """Find the test of a stored run, in the version that was taken, also where it lies in a file."""
    test = find_test(reference(head))
    return test if test.id == head.test else find_test(head.test)


def read_cast(cast: Member | Mapping[str, Member], *, roles: Sequence[str]) -> dict[str, SubjectSpec]:
    """Give every role its subject."""
    if not isinstance(cast, Mapping):
        cast = dict.fromkeys(roles, cast)
    for role in roles:
        if role not in cast:
            raise BadParameter(f"The role {role} has no subject: --as {role}=SUBJECT. Roles are {', '.join(roles)}.")
    for role in cast:
        if role not in roles:
            raise BadParameter(f"There is no role {role}; roles are {', '.join(roles)}.")
    return {role: SubjectSpec.of(cast[role]) for role in roles}


def carry_out(
    head: RunHead, addresses: Sequence[Address], *, plan: Plan, store: "Store", options: RunOptions
) -> RunResult:
    """Take the sessions of a run that are not yet over."""
    over = {session.address for session in store.sessions(head.id) if session.status != "open"}
    jobs = [
        job_of(head, address, plan=plan, store=store, options=options) for address in addresses if address not in over
    ]
    now = time.time()
    store.create_sessions(SessionHead(job.session, head.id, job.address, head.cast, created=now) for job in jobs)
    for done in options.on.map(do, jobs):
        keep(done, head, store=store)
        options.progress(done)
    score_left(head, plan.definition, store=store)
    return summarise_run(head, store=store)


def job_of(head: RunHead, address: Address, *, plan: Plan, store: "Store", options: RunOptions) -> Job:
    """Describe one session of a run so that a worker can take it."""
    if head.seed is None:
        raise BadParameter(f"{head.id} was imported without its secret seed, so its sessions cannot be gone on with.")
    reachable = options.on.local or not store.url.startswith("sqlite")
    return Job(
        session=session_id(head.id, address),
        test=plan.test,
        parameters=plan.parameters,
        cast=plan.cast,
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
    # Scores first: whoever is killed in between takes the session up again, and none is left without its scores.
    if done.scores is not None:
        _add_scores(done.session, done.scores, head, store=store)
    # A worker that died may have finished the session before: what its log says stands.
    store.end_session(done.session, status=done.status, last_words=done.last_words, unless_over=done.lost)


def score_left(head: RunHead, test: Test, *, store: "Store") -> None:
    """Score the sessions that ended when nobody was left to score them: the process that led the run was killed."""
    scored = store.scored(head.id)
    for session in store.sessions(head.id):
        if session.status != "finished" or session.id in scored:
            continue
        record = store.record(session.id)
        try:
            scores = score_record(test, record, store.truths(session.id))
        except BrokenTest as error:
            store.end_session(session.id, status="finished", last_words=str(error))
            continue
        _add_scores(session.id, scores, head, store=store)


def _add_scores(session: str, scores: Scores, head: RunHead, *, store: "Store") -> None:
    store.add_results(
        session,
        scores,
        scoring=head.details["scoring"],
        instance_hash=head.instance_hash,
        environment_hash=head.environment_hash,
    )


def summarise_run(head: RunHead, *, store: "Store", scores: Mapping[str, Scores] | None = None) -> RunResult:
    """Estimate the scores of a run from what the store holds of it, or from those of its sessions that count."""
    sessions = store.sessions(head.id)
    counts = {status: sum(session.status == status for session in sessions) for status in COUNTED}
    others = {session.status for session in sessions} - set(COUNTED)
    counts |= {status: sum(session.status == status for session in sessions) for status in sorted(others)}
    results = list((store.results(head.id) if scores is None else scores).values())
    words = [f"{session.id}: {session.last_words}" for session in sessions if session.last_words]
    return RunResult(head, counts, estimates(results), merged_details(results), words, store.spent(head.id))


def resume_run(run_id: str, *, store: "Store", options: RunOptions | None = None) -> RunResult:
    """Go on with a run that was interrupted: open sessions from their last answer, missing ones from the start."""
    head = store.run(run_id)
    if "phases" in head.details:
        from mensura.running.course import resume_courses

        return resume_courses(head.id, store=store, options=options)[head.details["phase"]]
    stored = [session.address for session in store.sessions(head.id)]
    planned = [Address(session=number) for number in range(head.details.get("sessions", 0))]
    return carry_out(
        head,
        list(dict.fromkeys([*stored, *planned])),
        plan=Plan.of_run(head),
        store=store,
        options=as_begun(head, options),
    )


def as_begun(head: RunHead, options: RunOptions | None) -> RunOptions:
    """Go on within the limits that a run began with."""
    options = options or RunOptions()
    return replace(options, limits=Limits(**head.details["limits"])) if "limits" in head.details else options
