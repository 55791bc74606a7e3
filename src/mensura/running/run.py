"""Run: many sessions of one test, one cast, one condition."""

import os
import sys
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from numbers import Integral
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from mensura.catalog.find import find_test
from mensura.dialogue import Address, Bank, Limits, Seed, Test, Trace, instance_hash
from mensura.dialogue.packed import Chosen, Names
from mensura.dialogue.streams import KEYED
from mensura.errors import BadFile, BadParameter, BrokenTest, Interrupted
from mensura.heap import give_back
from mensura.running.casting import close_waiting
from mensura.running.cost.batching import batching, place_for
from mensura.running.cost.paying import (
    note_asked_again,
    note_in_vain,
    paying,
    spending_details,
    spending_of,
    stopped_words,
    while_affordable,
)
from mensura.running.cost.reaching import note_probes, reach_models
from mensura.running.elsewhere.administering import administer, check_cast
from mensura.running.executors import Executor, Here
from mensura.running.job import Done, Job, do
from mensura.running.people.desk import Show, attended
from mensura.running.plan import Member, Plan, Selection, chosen_items, planned_addresses, session_id
from mensura.running.reference import administration, changed_code, limits_of, reference
from mensura.running.results.counting import CONTROL, counted_anew
from mensura.running.results.reducing import check_reducer
from mensura.running.results.summary import RunResult, summarise_run
from mensura.running.scoring.provenance import environment_hash
from mensura.running.scoring.scoring import SCORED, scoring_version
from mensura.running.scoring.storing import is_scored, new_result, score_stored
from mensura.stats import read_population, read_reducer
from mensura.store.head import BY_HASH, RunHead, SessionHead
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
    control: Mapping[str, Member] | None = None,
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
    control
        Role → who plays it in a second run of the same sessions, for comparison: people in a machine's place.
    """
    if control:
        plan = Plan.of(test, cast, parameters=parameters, setting=setting)
        chosen = Seed.choose(seed)
        return run_with_control(plan, control, store=store, sessions=sessions, seed=chosen, options=options)
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
    reach_models(*plans, options=planned)
    chosen = Seed.choose(seed)
    heads = [begin_run(plan, store=store, seed=chosen, options=planned) for plan in plans]
    results = [
        carry_out(head, planned_addresses(head, sessions), plan=plan, store=store, options=options)
        for head, plan in zip(heads, plans, strict=True)
    ]
    for head in heads:
        store.runs.open(head.id)
    return results


def run_with_control(
    plan: Plan,
    control: Mapping[str, Member],
    *,
    store: "Store",
    sessions: int,
    seed: Seed,
    options: "RunOptions | None" = None,
) -> RunResult:
    """Make a run, and before it one of the same sessions in which others play some roles.

    The second is a separate run; the first names it, so that their scores can be compared at any time. What was
    true in one is opened when both are over.
    """
    options = options or RunOptions()
    roles = plan.definition.cast_roles(plan.parameters)
    changed = Plan.of(plan.test, {**plan.cast, **control}, parameters=plan.parameters)
    reach_models(plan, changed, options=options)
    beside = replace(options, condition=CONTROL, details={**options.details, "sessions": sessions})
    own = begin_run(replace(changed, setting=plan.setting), store=store, seed=seed, options=beside)
    named = {role: changed.cast[role].name for role in roles if role in control}
    details = {**options.details, "sessions": sessions, CONTROL: own.id, f"{CONTROL}_cast": named}
    head = begin_run(plan, store=store, seed=seed, options=replace(options, details=details))
    carry_out(own, planned_addresses(own, sessions), plan=changed, store=store, options=beside)
    result = carry_out(head, planned_addresses(head, sessions), plan=plan, store=store, options=options)
    for each in (own, head):
        store.runs.open(each.id)
    return result


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
    """The population of the estimates; None: what the run's items, sessions and subjects suggest."""
    reduce: str | None = None
    """How all answers to an item of a bank become one number: mean, majority, pass@K or at-least@K; None: mean."""
    selection: Selection = field(default_factory=Selection)
    confinement: Confinement = field(default_factory=Confinement)
    """The files and networks that programs and files may reach; a resumed run continues as it began."""
    spending: Spending = field(default_factory=Spending)
    """How language models are paid: from a cache, within a budget."""
    show_desk: Show | None = None
    """Shows a person the page on which they approve of calls of tools; None: nobody can."""


GATHERED_SECONDS = 0.1
"""For so long scores are gathered before they are stored: a transaction each costs as much as an answer."""
LOOKED_UP_AT_ONCE = 500
"""Sessions of which the store is asked at once how they stand."""


def begin_run(plan: Plan, *, store: "Store", seed: Seed, options: RunOptions) -> RunHead:
    """Write down what will be run before anything is."""
    head = head_of(plan, seed=seed, options=options)
    store.runs.add(head)
    return head


def head_of(plan: Plan, *, seed: Seed, options: RunOptions) -> RunHead:
    """Describe a run as it will be written down; raises what is wrong with it."""
    test = plan.definition
    if test.missing is not None:
        raise test.missing
    check_cast(test, plan.cast, options.spending)
    for spec in plan.cast.values():
        # A misspelt subject is an error now, not after a thousand sessions; people come by invitation.
        if spec.name != HUMAN:
            spec.find(test, spending=options.spending)
    for spec in dict.fromkeys(plan.cast.values()):
        if spec.name != HUMAN:
            spec.refuse(test, plan.parameters)
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
    return RunHead(
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
            **({"items": Names(item.hash for item in chosen), "bound": BY_HASH} if chosen else {}),
            **({"bank": {**test.bank.origin.details, "unscored": (chosen or test.bank).unscored}} if test.bank else {}),
            **({"generalise": options.generalise} if options.generalise else {}),
            **({"reduce": options.reduce} if options.reduce else {}),
            **({"elsewhere": dict(test.administer.about)} if test.administer else {}),
            **spending_details(options.spending, plan.cast),
            **options.details,
        },
    )


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
            f"{head.id} was begun with other files: {' '.join(changed)} Restore them, or begin a new "
            'run; in a study declare the change: mensura study run FILE --amend "why".'
        )
    note_asked_again(head, plan.cast, store=store)
    left = _left(head, addresses, store=store)
    if left:
        reach_models(plan, options=options)
    now = time.time()
    store.sessions.add_many(
        SessionHead(session_id(head.id, address), head.id, address, head.cast, created=now) for address in left
    )
    if left:
        note_probes(session_id(head.id, left[0]), plan, options, store=store)
    give_back()
    done: Done | None = None
    try:
        test = plan.definition
        on = place_for(options.on, options.spending, cast=plan.cast, sessions=len(left))
        with (
            batching(head, options.spending, store=store),
            paying(head, options.spending, store=store, on=on) as budget,
            attended(head, plan.cast, show=options.show_desk, store=store) as desk,
        ):
            # Made when they are taken: a bank may have a hundred thousand items.
            made = (job_of(head, address, plan=plan, store=store, options=options) for address in left)
            jobs = (replace(job, desk=desk) for job in made) if desk else made
            doing = on.map(do, while_affordable(jobs, budget)) if test.administer is None else None
            for together in gathered(doing or administer(list(jobs), test=test)):
                keep(together, [head] * len(together), store=store)
                for done in together:
                    options.progress(done)
                    if done.interrupted:
                        raise KeyboardInterrupt
    except KeyboardInterrupt:
        last = {done.session: done.scores} if done is not None and done.interrupted and done.scores else {}
        so_far = counted_anew(head, store=store, unstored=last)
        raise Interrupted(summarise_run(head, store=store, counting=so_far, generalise=options.generalise)) from None
    finally:
        close_waiting()
    score_left(head, plan.definition, store=store)
    give_back()
    result = summarise_run(head, store=store, generalise=options.generalise)
    give_back()
    if budget is not None and budget.over:
        ended = sum(count for status, count in result.counts.items() if status not in UNFINISHED)
        words = stopped_words(budget, run=head.id, over=ended, planned=len(addresses))
        return replace(result, stopped=words)
    return result


def _left(head: RunHead, addresses: Sequence[Address], *, store: "Store") -> Sequence[Address]:
    """Choose the addresses whose sessions are not over yet; of a hundred thousand, eight bytes each are kept."""
    if not store.sessions.count(head.id):
        return addresses
    places = array("q")
    for begin in range(0, len(addresses), LOOKED_UP_AT_ONCE):
        ids = [session_id(head.id, address) for address in addresses[begin : begin + LOOKED_UP_AT_ONCE]]
        known = store.sessions.standing(ids)
        places.extend(begin + at for at, name in enumerate(ids) if known.get(name, "open") in UNFINISHED)
    return Chosen(addresses, places)


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


def gathered(results: Iterable[Done]) -> Iterator[list[Done]]:
    """Yield results that come in quick succession together; one that comes alone is yielded at once.

    What is answered is in the store by then, so that a kill in between costs no more than scoring it again.
    """
    waiting: list[Done] = []
    given = -GATHERED_SECONDS
    try:
        for done in results:
            waiting.append(done)
            if time.monotonic() - given >= GATHERED_SECONDS:
                yield waiting
                waiting, given = [], time.monotonic()
    finally:
        # Whatever ended the run: what came before is kept.
        if waiting and not isinstance(sys.exception(), GeneratorExit):
            yield waiting


def keep(results: Sequence[Done], heads: Sequence[RunHead], *, store: "Store") -> None:
    """Store what came back with results, each of a run, and their scores in one transaction."""
    for done in results:
        if done.events:
            store.events.append(done.session, done.events, truths=done.truths)
    if any(done.events for done in results):
        store.database.flush()
    note_in_vain({done.session: done.in_vain for done in results if done.in_vain}, store=store)
    # One that was interrupted stays open, and is scored when it has been resumed.
    over = [(done, head) for done, head in zip(results, heads, strict=True) if not done.interrupted]
    # Scores first: a run that is killed in between takes the session up again, and none is left without its scores.
    store.results.add_many([new_result(done.scores, done.session, run=head) for done, head in over if done.scores])
    for done, _ in over:
        # A worker that died may have finished the session before: what its log says stands.
        store.sessions.end(done.session, status=done.status, last_words=done.last_words, unless_over=done.lost)


def score_left(head: RunHead, test: Test, *, store: "Store") -> None:
    """Score the sessions that ended when nobody was left to score them: the process that led the run was killed."""
    left = store.results.unscored(head.id, SCORED)
    # A session that was lost and scored as such may have come to its end since.
    for session in store.results.before_end(head.id):
        status = store.sessions.find(session).status
        if status in SCORED and not is_scored(store, session, "finished"):
            left[session] = status
    for session, status in left.items():
        try:
            record = store.records.find(session, run=head)
            score_stored(record, store.truths.of(session), test=test, run=head, store=store)
        except BrokenTest as error:
            store.sessions.end(session, status=status, last_words=str(error))


def resume_run(run_id: str, *, store: "Store", options: RunOptions | None = None) -> RunResult:
    """Resume a run that was interrupted: open sessions from their last answer, missing ones from the start."""
    head = store.runs.find(run_id)
    refuse_people(head)
    if "phases" in head.details:
        from mensura.running.course import resume_courses

        return resume_courses(head.id, store=store, options=options)[head.details["phase"]]
    _check_items(head)
    definition = find_test(reference(head))
    if definition.refuse is not None:
        # A file that is gone is missed here, by its name, and not in the sessions as a fault of the test.
        definition.refuse(**head.parameters)
    planned = planned_addresses(head, head.details.get("sessions", 0))
    others = [address for address in store.sessions.addresses(head.id) if address not in planned]
    addresses = [*others, *planned] if others else planned
    result = carry_out(head, addresses, plan=Plan.of_run(head), store=store, options=as_begun(head, options))
    store.runs.open(head.id)
    return result


def refuse_people(head: RunHead) -> None:
    """Refuse to let a program resume sessions in which people answer, alone or beside programs."""
    if HUMAN in head.cast.values():
        raise BadParameter(
            f"In {head.id} people answer, so it cannot be resumed; nothing was changed. Their sessions continue where "
            "they were as soon as they open their links: start `mensura serve` and send each person their link again."
        )


def _check_items(head: RunHead) -> None:
    """Refuse to resume with a bank whose items or answers are not those that the run began with."""
    if "items" not in head.details:
        return
    test = find_test(reference(head))
    chosen = (test.bank or Bank([])).only(head.details["items"])
    missing = len(head.details["items"]) - len(chosen)
    if missing or instance_hash(replace(test, bank=chosen), head.parameters) != head.instance_hash:
        what = f"{missing} of its items are gone or changed" if missing else "answers or groups were changed"
        raise BadFile(
            f"The bank of {head.id} is not the one it was begun with: {what}. Restore the file and "
            "resume, or begin a new run."
        )


def as_begun(head: RunHead, options: RunOptions | None) -> RunOptions:
    """Keep to the limits that a run began with, and open no more to its subjects."""
    options = options or RunOptions()
    spending = spending_of(head, options.spending)
    options = replace(options, confinement=Confinement.read(head.details), spending=spending)
    return replace(options, limits=limits_of(head)) if "limits" in head.details else options
