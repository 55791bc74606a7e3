"""Register: the plan that a store has held since before the first session, its amendments, and whether that is so."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from mensura.dialogue.canonical import canonical
from mensura.errors import BadParameter, MensuraError
from mensura.running.reference import changed_code
from mensura.running.study.plan import Study
from mensura.running.study.registration.deviation import deviations
from mensura.stats.wording import several
from mensura.store.archive.importer import IMPORTED
from mensura.store.sealed.proof import audit_run, begun_under
from mensura.store.text import moment
from mensura.subjects.spec import HUMAN

if TYPE_CHECKING:
    from mensura.store import Store
    from mensura.store.head import RunHead


@dataclass(frozen=True)
class Amendment:
    """A change of a registered plan that was declared: when, why, what it changed, and which sessions it parts."""

    time: float
    reason: str
    deviations: tuple[str, ...]
    before: int
    """Sessions that were opened before it."""
    after: int

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        parted = f"{several(self.before, 'session')} before it, {self.after} after"
        return f"Amended on {moment(self.time)} ({parted}): {self.reason.rstrip('.')}. {' '.join(self.deviations)}"


@dataclass(frozen=True)
class Registration:
    """The registration of the plan of a study in a store."""

    study: str
    hash: str
    time: float
    plan: Study | None
    """The plan by which hypotheses are confirmed: as first stored, or as amended before the first session."""
    in_force: Study | None
    """The plan with its last amendment; None where only the hash was stored."""
    amendments: tuple[Amendment, ...]
    before_data: bool
    """Whether the plan was stored, whole and unaltered, before the first session."""
    sentence: str
    """Since when it has been registered, and what proves that."""

    def deviations(self, given: Study) -> list[str]:
        """List in what a plan differs from the registered one: as it decides, or as it was amended since."""
        return [] if given.hash == self.hash else self.changes(given)

    def changes(self, given: Study) -> list[str]:
        """List in what a plan differs from the one in force."""
        if self.in_force is not None:
            return deviations(self.in_force, given)
        if self.hash == given.hash:
            return []
        return [f"The plan is not the registered one (hash {self.hash}, now {given.hash}), whose text was not stored."]

    def as_json(self) -> dict[str, Any]:
        """Return what is registered as JSON."""
        return {
            "hash": self.hash,
            "time": self.time,
            "before_data": self.before_data,
            "sentence": self.sentence,
            "amendments": [asdict(one) for one in self.amendments],
        }


def study_runs(study: str, *, store: "Store") -> list["RunHead"]:
    """List the runs that were begun for a study, the oldest first."""
    return [head for head in store.runs.all() if head.details.get("study") == study]


def plan_hash(head: "RunHead") -> str:
    """Return the hash of the plan that a run was begun under; empty where someone took it out of the store."""
    return str(head.details.get("study_hash", ""))


def altered(study: str, *, store: "Store") -> list[str]:
    """Compare the rows of a study's runs with their chains; returns a sentence for each run that is not as written."""
    warnings = (audit_run(store, head.id, prompts=False).warning for head in study_runs(study, store=store))
    return [words for words in warnings if words]


def registration_of(study: str, *, store: "Store") -> Registration | None:
    """Return what is registered of a study; None where no run of it was begun.

    Every run carries the plan it was begun under, and the chain of each of its sessions binds that line: nobody can
    edit it unnoticed. A run under another plan than the first names the amendment that declared it.
    """
    heads = study_runs(study, store=store)
    if not heads:
        return None
    opened = {head.id: [one.created for one in store.sessions.of(head.id)] for head in heads}
    first = _first(heads, {plan_hash(head) for head in heads if opened[head.id]})
    times = sorted(time for each in opened.values() for time in each)
    amendments, last = _amendments(heads, first, times)
    decides = first
    for one, head in zip(amendments, last, strict=True):
        decides = head if not one.before else decides
    plan = plan_of(decides)
    alike = [head.id for head in heads if plan_hash(head) == plan_hash(decides)]
    sentence, holds = _proven(decides, plan, [run for run in alike if opened[run]], times, store)
    strange = sorted({plan_hash(head) for head in heads} - {plan_hash(head) for head in (first, *last)})
    if strange:
        sentence += f" The store also holds runs under another plan that no amendment declares: {', '.join(strange)}."
    if known := _known_before(heads, decides.created, store):
        sentence += (
            f" But {', '.join(known)} had the same test, subjects and seed before: what comes of them was known, and "
            "this is not a plan made before the data. Another seed gives new items."
        )
    in_force = plan_of(last[-1] if last else first)
    holds = holds and not known
    return Registration(study, plan_hash(decides), decides.created, plan, in_force, tuple(amendments), holds, sentence)


def _known_before(heads: Sequence["RunHead"], time: float, store: "Store") -> list[str]:
    """Name the studies, or runs of none, that let the same programs take the same items before a time."""

    def taken(head: "RunHead") -> str:
        return canonical([head.test, dict(head.parameters), dict(head.cast), head.seed_mark])

    mine = {taken(head) for head in heads if head.seed_mark and HUMAN not in head.cast.values()}
    others = [one for one in store.runs.all() if one.created < time and taken(one) in mine]
    names = [one.details.get("study", one.id) for one in others if store.sessions.count(one.id)]
    names = [name for name in names if name != heads[0].details["study"]]
    # A study that has members is not named to those of another.
    return list(dict.fromkeys("another study" if store.members.of(name) else name for name in dict.fromkeys(names)))


def require_plan(study: Study, *, store: "Store") -> None:
    """Refuse a plan that is not the registered one as amended: nobody comes under a change that was not declared."""
    registered = registration_of(study.name, store=store)
    changed = [*registered.changes(study), *changed_files(registered, store=store)] if registered else []
    if changed:
        raise BadParameter(
            f"The plan of {study.name} was changed after it was registered: {' '.join(changed)} Undo the change, "
            'declare it with --amend "why", or begin another study with a new name and seed.'
        )


def changed_files(registered: Registration, *, store: "Store") -> list[str]:
    """Name the files of tests and subjects that are not those of the runs that go on."""
    since = registered.amendments[-1].time if registered.amendments else None
    heads = [head for head in study_runs(registered.study, store=store) if amended_at(head) == since]
    return list(dict.fromkeys(words for head in heads for words in changed_code(head)))


def amended_at(head: "RunHead") -> float | None:
    """Return when the amendment was declared that a run was begun under; None where it was none."""
    return None if "amendment" not in head.details else float(head.details["amendment"]["time"])


def _first(heads: Sequence["RunHead"], taken: set[str]) -> "RunHead":
    """Find the run that registered the plan; one that led to no session has no chain, and is passed over."""
    for head in reversed(heads):
        if plan_hash(head) in taken and "amendment" in head.details:
            taken.add(head.details["amendment"]["of"])
    return next((head for head in heads if plan_hash(head) in taken or not taken), heads[0])


def plan_of(head: "RunHead") -> Study | None:
    """Read the plan that a run was begun under; None where it was not stored, or is not what was hashed."""
    try:
        plan = Study.read(head.details["plan"])
    except (MensuraError, KeyError, TypeError, ValueError):
        return None
    return plan if plan.hash == plan_hash(head) else None


def planned_rules(run: str, *, store: "Store") -> list[str]:
    """Name the rules by which the plan of a run excludes people; none where no plan was there before the data."""
    head = store.runs.find(run)
    plan = plan_of(head)
    if plan is None or begun_under(store, head.id) is False:
        return []
    return [*(rule.name for rule in plan.exclusions), *plan.procedure.get("exclude_for", ())]


def _amendments(
    heads: Sequence["RunHead"], first: "RunHead", times: Sequence[float]
) -> tuple[list[Amendment], list["RunHead"]]:
    """Follow the amendments from the first plan on, each declared by the first run that was begun under it."""
    found: list[Amendment] = []
    last: list[RunHead] = []
    for head in heads:
        declared = head.details.get("amendment")
        before = plan_hash(last[-1] if last else first)
        if declared and declared["of"] == before and declared["time"] not in {one.time for one in found}:
            earlier = sum(time < declared["time"] for time in times)
            changed = tuple(declared["deviations"])
            found.append(Amendment(declared["time"], declared["reason"], changed, earlier, len(times) - earlier))
            last.append(head)
    return found, last


def _proven(
    head: "RunHead", plan: Study | None, runs: Sequence[str], times: Sequence[float], store: "Store"
) -> tuple[str, bool]:
    """Return since when a plan has been registered and what proves it, and whether that was before the data."""
    registered = f"Plan {plan_hash(head) or 'without a hash'} was registered on {moment(head.created)}"
    came = store.trail.about(head.id, beginning=IMPORTED)
    if came:
        registered += f" in the store it comes from, and imported here on {moment(came[0].time)}"
    if "plan" in head.details and plan is None:
        return f"{registered}, but the stored plan no longer has that hash: it was altered.", False
    bound = {run: begun_under(store, run) for run in runs}
    if altered := next((run for run, holds in bound.items() if holds is False), ""):
        why = f"`mensura audit {altered}` shows it"
        return (
            f"{registered}, but its sessions were begun under another line: the stored plan was altered; {why}.",
            False,
        )
    if not times:
        return f"{registered}; no session was opened yet.", True
    if times[0] < head.created:
        return (
            f"{registered}, after the first session ({moment(times[0])}): it is not a plan made before the data.",
            False,
        )
    told = "the chain of its sessions proves it" if any(bound.values()) else "by the store's times; no chain proves it"
    text = "" if plan is not None else " Only its hash was stored, by an earlier release."
    return f"{registered}, before the first session ({moment(times[0])}): {told}.{text}", True
