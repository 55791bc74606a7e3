"""Run: many sessions of one test, one cast, one condition."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from numbers import Integral
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from mensura.catalog.find import find_test
from mensura.dialogue import Address, Bank, Limits, Seed, Test, Trace, generator, instance_hash
from mensura.dialogue.definition import require_cast
from mensura.dialogue.streams import KEYED
from mensura.errors import BadFile, BadParameter, BrokenTest, Interrupted
from mensura.running.casting import close_waiting
from mensura.running.cost.batching import batching, place_for
from mensura.running.cost.paying import (
    note_asked_again,
    paying,
    spending_details,
    spending_of,
    stopped_words,
    while_affordable,
)
from mensura.running.elsewhere.administering import administer, check_cast
from mensura.running.executors import Executor, Here
from mensura.running.job import Done, Job, do
from mensura.running.reference import administration, changed_code, limits_of, reference
from mensura.running.results.counting import counted
from mensura.running.results.reducing import check_reducer
from mensura.running.results.summary import RunResult, summarise_run
from mensura.running.scoring.provenance import environment_hash
from mensura.running.scoring.scoring import SCORED, scoring_version
from mensura.running.scoring.storing import is_scored, score_stored, store_scores
from mensura.stats import read_population, read_reducer
from mensura.store.head import RunHead, SessionHead
from mensura.subjects import SubjectSpec
from mensura.subjects.model.cost.spending import Spending
from mensura.subjects.sandbox.confinement import Confinement
from mensura.subjects.sandbox.isolation import isolation_of
from mensura.subjects.source import file_digest, files_named
from mensura.subjects.spec import HUMAN

if TYPE_CHECKING:
    from mensura.store import Store

UNFINISHED = ("open", "lost")
"""How sessions stand that a resume takes up; a subject's own crash is an outcome, and is not tried again."""
Progress = Callable[[Done], None]
Member = SubjectSpec | str | Callable[..., Any]


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
        How many sessions; of a bank, how often each item is asked.
    seed
        Makes the run repeatable and is then public; without it a secret one is drawn.
    setting
        A registered condition of the test; parameters given beside it win.
    options
        Where and how: executor, trace, limits, progress.
    """
    return run_each(
        test,
        [cast],
        store=store,
        sessions=sessions,
        seed=seed,
        parameters=parameters,
        setting=setting,
        options=options,
    )[0]


def run_each(
    test: str | Test,
    casts: Sequence[Member | Mapping[str, Member]],
    *,
    store: "Store",
    sessions: int = 1,
    seed: int | None = None,
    parameters: Mapping[str, Any] | None = None,
    setting: str | None = None,
    options: "RunOptions | None" = None,
) -> list[RunResult]:
    """Make a run for each of several casts, all with one seed: they meet the same items.

    All are begun before the first is taken and opened after the last: what was true for one is still asked of others.
    """
    options = options or RunOptions()
    if not isinstance(sessions, Integral) or sessions < 1:
        raise BadParameter(f"A run has at least one session; got {sessions!r}.")
    planned = replace(options, details={**options.details, "sessions": sessions})
    plans = [Plan.of(test, cast, parameters=parameters, setting=setting) for cast in casts]
    chosen = Seed.choose(seed)
    heads = [begin_run(plan, store=store, seed=chosen, options=planned) for plan in plans]
    results = [
        carry_out(head, planned_addresses(head, sessions), plan=plan, store=store, options=options)
        for head, plan in zip(heads, plans, strict=True)
    ]
    for head in heads:
        store.runs.open(head.id)
    return results


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
    generalise: str | None = None
    """What the estimates speak of; None: what the run's items, sessions and subjects suggest."""
    reduce: str | None = None
    """What makes one number of all answers to an item of a bank: mean, majority, pass@K or at-least@K; None: mean."""
    selection: "Selection" = field(default_factory=lambda: Selection())
    confinement: Confinement = field(default_factory=Confinement)
    """What programs and files may see and reach; a run that is resumed goes on as it began."""
    spending: Spending = field(default_factory=Spending)
    """How language models are paid: from a cache, within a budget."""


@dataclass(frozen=True)
class Selection:
    """Which items of a bank are taken, and whether each is a dialogue of its own."""

    where: tuple[tuple[str, str], ...] = ()
    limit: int | None = None
    together: bool = False
    """All items in one conversation, as people have them."""


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


ADDED_AT_ONCE = 2000
"""Sessions that are written down in one transaction."""


def begin_run(plan: Plan, *, store: "Store", seed: Seed, options: RunOptions) -> RunHead:
    """Write down what will be run before anything is."""
    test = plan.definition
    check_cast(test, plan.cast)
    for spec in plan.cast.values():
        # A misspelt subject is an error now, not after a thousand sessions; people come by invitation.
        if spec.name != HUMAN:
            spec.find(test, spending=options.spending)
    if options.generalise is not None:
        read_population(options.generalise)
    chosen = chosen_items(plan, options.selection)
    if options.reduce is not None:
        sessions = int(options.details.get("sessions", 1))
        reducer = read_reducer(options.reduce)
        check_reducer(reducer, sessions=sessions, apart=chosen is not None, generalise=options.generalise)
    confinement = options.confinement.located()
    isolation = {role: isolation_of(spec, test, confinement) for role, spec in plan.cast.items()}
    means = next((found for one in isolation.values() if (found := one.means)), "")
    knowing = [role for role, spec in plan.cast.items() if spec.knows(test)]
    declared = test.declared_scores(plan.parameters)
    subjects = {
        role: {"name": spec.name, "options": dict(spec.options), "folder": spec.folder}
        for role, spec in plan.cast.items()
    }
    # Items of a bank are known by hashes of their own, whatever their order in the file.
    named = [plan.test] if isinstance(plan.test, str) and not test.bank else []
    named += [file for spec in plan.cast.values() if spec.given is None for file in files_named(spec.name)]
    code = {name: digest for name in named if (digest := file_digest(name))}
    head = RunHead(
        id=f"{test.name.replace('/', '.').replace(':', '.')}-{token_hex(4)}",
        test=test.id,
        parameters=plan.parameters,
        cast={role: spec.name for role, spec in plan.cast.items()},
        condition=options.condition or plan.setting,
        instance_hash=instance_hash(replace(test, bank=chosen) if chosen else test, plan.parameters),
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
            "streams": KEYED,
            "isolation": {role: one.as_json() for role, one in isolation.items()},
            "confinement": replace(confinement, means=means).as_json(),
            **({"code": code} if code else {}),
            **({"knows": knowing} if knowing else {}),
            **({"scores": [score.as_json() for score in declared.values()]} if declared else {}),
            **({"items": [item.hash for item in chosen]} if chosen else {}),
            **({"bank": {**test.bank.origin.details, "unscored": (chosen or test.bank).unscored}} if test.bank else {}),
            **({"generalise": options.generalise} if options.generalise else {}),
            **({"reduce": options.reduce} if options.reduce else {}),
            **({"elsewhere": dict(test.administer.about)} if test.administer else {}),
            **spending_details(options.spending, plan.cast),
            **options.details,
        },
    )
    store.runs.add(head)
    return head


def chosen_items(plan: Plan, selection: Selection) -> Bank | None:
    """Choose the items of a bank that are taken one by one; None where the test is taken as a whole."""
    bank = plan.definition.bank
    whole = bank is None or selection.together or HUMAN in {spec.name for spec in plan.cast.values()}
    if bank is None or whole:
        if selection.where or selection.limit is not None:
            raise BadParameter("--where and --limit choose items of a bank that are taken one by one; this is not one.")
        return None
    return bank.where(selection.where, limit=selection.limit)


def planned_addresses(head: RunHead, sessions: int) -> list[Address]:
    """List the sessions of a run in the order in which they are taken: so many, or of a bank so many for each item."""
    items = head.details.get("items") or [""]
    planned = [[Address(session=number, item=item) for item in items] for number in range(sessions)]
    if head.parameters.get("order") == "shuffled":
        # Streams are addressed by item, so the order in which items are taken changes none of them.
        for number, addresses in enumerate(planned):
            generator(head.own_seed(), Address(session=number), stream="order").shuffle(addresses)
    return [address for addresses in planned for address in addresses]


def read_cast(cast: Member | Mapping[str, Member], *, roles: Sequence[str]) -> dict[str, SubjectSpec]:
    """Give every role its subject."""
    if not isinstance(cast, Mapping):
        cast = dict.fromkeys(roles, cast)
    require_cast(cast, roles)
    return {role: SubjectSpec.of(cast[role]) for role in roles}


def carry_out(
    head: RunHead, addresses: Sequence[Address], *, plan: Plan, store: "Store", options: RunOptions
) -> RunResult:
    """Take the sessions of a run that are not yet over, by the test and the subjects that it was begun with.

    Raises
    ------
    Interrupted
        If Ctrl-C stops it; it holds what the run comes to so far.
    """
    if changed := changed_code(head):
        raise BadFile(
            f"{head.id} was begun with other files: {' '.join(changed)} Bring them back as they were, or begin a new "
            'run; in a study declare the change: mensura study run FILE --amend "why".'
        )
    over = {session.address for session in store.sessions.of(head.id) if session.status not in UNFINISHED}
    note_asked_again(head, plan.cast, store=store)
    left = [address for address in addresses if address not in over]
    now = time.time()
    for begin in range(0, len(left), ADDED_AT_ONCE):
        some = left[begin : begin + ADDED_AT_ONCE]
        store.sessions.add_many(
            SessionHead(session_id(head.id, address), head.id, address, head.cast, created=now) for address in some
        )
    # Made when they are taken: a bank may have a hundred thousand items.
    jobs = (job_of(head, address, plan=plan, store=store, options=options) for address in left)
    done: Done | None = None
    try:
        test = plan.definition
        on = place_for(options.on, options.spending, cast=plan.cast, sessions=len(left))
        with (
            batching(head, options.spending, store=store),
            paying(head, options.spending, store=store, on=on) as budget,
        ):
            doing = on.map(do, while_affordable(jobs, budget)) if test.administer is None else None
            for done in doing or administer(list(jobs), test=test):
                keep(done, head, store=store)
                options.progress(done)
                if done.interrupted:
                    raise KeyboardInterrupt
    except KeyboardInterrupt:
        so_far = counted(head, store=store)
        if done is not None and done.interrupted and done.scores is not None:
            so_far = replace(so_far, everything={**so_far.everything, done.session: done.scores})
        raise Interrupted(summarise_run(head, store=store, counting=so_far, generalise=options.generalise)) from None
    finally:
        close_waiting()
    score_left(head, plan.definition, store=store)
    result = summarise_run(head, store=store, generalise=options.generalise)
    if budget is not None and budget.over:
        ended = sum(count for status, count in result.counts.items() if status not in UNFINISHED)
        words = stopped_words(budget, run=head.id, over=ended, planned=len(addresses))
        return replace(result, stopped=words)
    return result


def job_of(head: RunHead, address: Address, *, plan: Plan, store: "Store", options: RunOptions) -> Job:
    """Describe one session of a run so that a worker can take it."""
    reachable = options.on.local or not store.url.startswith("sqlite")
    return Job(
        session=session_id(head.id, address),
        test=plan.test,
        parameters=plan.parameters,
        cast=plan.cast,
        seed=head.own_seed(),
        address=address,
        **administration(head),
        trace=head.trace,
        batch=bool(head.details.get("batch")),
        limits=options.limits,
        confinement=Confinement.read(head.details),
        spending=replace(options.spending, run=head.id),
        store=store.url if reachable else None,
        key=store.keyring.sealer.secret if reachable else None,
    )


def session_id(run_id: str, address: Address) -> str:
    """Name a session by its run and its address."""
    return f"{run_id}/{address.place}"


def keep(done: Done, head: RunHead, *, store: "Store") -> None:
    """Store what came back with a result, and its scores."""
    if done.events:
        store.events.append(done.session, done.events, truths=done.truths)
        store.database.flush()
    if done.interrupted:
        # It stays open, and is scored when it has been resumed.
        return
    # Scores first: a run that is killed in between takes the session up again, and none is left without its scores.
    if done.scores is not None:
        store_scores(done.scores, done.session, run=head, store=store)
    # A worker that died may have finished the session before: what its log says stands.
    store.sessions.end(done.session, status=done.status, last_words=done.last_words, unless_over=done.lost)


def score_left(head: RunHead, test: Test, *, store: "Store") -> None:
    """Score the sessions that ended when nobody was left to score them: the process that led the run was killed."""
    scored = store.results.scored(head.id)
    # A session that was lost and scored as such may have come to its end since.
    scored -= {one for one in store.results.before_end(head.id) if not is_scored(store, one, "finished")}
    for session in store.sessions.of(head.id):
        if session.status not in SCORED or session.id in scored:
            continue
        try:
            score_stored(store.records.find(session.id), store.truths.of(session.id), test=test, run=head, store=store)
        except BrokenTest as error:
            store.sessions.end(session.id, status=session.status, last_words=str(error))


def resume_run(run_id: str, *, store: "Store", options: RunOptions | None = None) -> RunResult:
    """Resume a run that was interrupted: open sessions from their last answer, missing ones from the start."""
    head = store.runs.find(run_id)
    refuse_people(head)
    if "phases" in head.details:
        from mensura.running.course import resume_courses

        return resume_courses(head.id, store=store, options=options)[head.details["phase"]]
    _check_items(head)
    stored = [session.address for session in store.sessions.of(head.id)]
    planned = planned_addresses(head, head.details.get("sessions", 0))
    addresses = list(dict.fromkeys([*stored, *planned]))
    result = carry_out(head, addresses, plan=Plan.of_run(head), store=store, options=as_begun(head, options))
    store.runs.open(head.id)
    return result


def refuse_people(head: RunHead) -> None:
    """Refuse to let a program go on with sessions in which people answer, alone or beside programs."""
    if HUMAN in head.cast.values():
        raise BadParameter(
            f"In {head.id} people answer, so it cannot be resumed; nothing was changed. Their sessions go on where "
            "they were as soon as they open their links: start `mensura serve` and send each person their link again."
        )


def _check_items(head: RunHead) -> None:
    """Refuse to resume with a bank whose items or answers are not those that the run began with."""
    if "items" not in head.details:
        return
    test = find_test(reference(head))
    known = {item.hash: item for item in test.bank or ()}
    missing = [item for item in head.details["items"] if item not in known]
    chosen = Bank([known[item] for item in head.details["items"] if item in known], name=head.test)
    if missing or instance_hash(replace(test, bank=chosen), head.parameters) != head.instance_hash:
        what = f"{len(missing)} of its items are gone or changed" if missing else "answers or groups were changed"
        raise BadFile(
            f"The bank of {head.id} is not the one it was begun with: {what}. Bring the file back as it was and "
            "resume, or begin a new run."
        )


def as_begun(head: RunHead, options: RunOptions | None) -> RunOptions:
    """Go on within the limits that a run began with, and open no more to its subjects."""
    options = options or RunOptions()
    spending = spending_of(head, options.spending)
    options = replace(options, confinement=Confinement.read(head.details), spending=spending)
    return replace(options, limits=limits_of(head)) if "limits" in head.details else options
