"""Summary: what the sessions of a run come to."""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from mensura.dialogue import Tally
from mensura.running.results.counting import Counted, counted_anew
from mensura.running.results.endings import nothing_answered
from mensura.running.results.estimating import Circumstances, Estimated, check_population
from mensura.running.results.reducing import with_reducer
from mensura.running.scoring.scoring import merged_details
from mensura.stats import Estimate
from mensura.store.head import RunHead
from mensura.subjects.sandbox.isolation import isolation_words

if TYPE_CHECKING:
    from mensura.store import Store

COUNTED = ("finished", "crashed", "timed_out", "invalid")
MOST_DECLINED = 5
LONGEST_WORDS = 200


@dataclass
class RunResult:
    """A run with what came of it."""

    head: RunHead
    counts: dict[str, int]
    estimated: dict[str, Estimated]
    details: dict[str, Any] = field(default_factory=dict)
    last_words: list[str] = field(default_factory=list)
    spent: dict[str, float | None] = field(default_factory=dict)
    """Tokens and cost of language models; None where some of it is not known."""
    outcomes: Tally = field(default_factory=dict)
    """The outcomes of all questions."""
    scoring: list[str] = field(default_factory=list)
    """Versions of the scoring that made the results: several where only some sessions were scored again."""
    chain: str = ""
    """The head of the run's chain: with it anyone can tell whether the record was changed since."""
    excluded: dict[str, str] = field(default_factory=dict)
    """Sessions that do not count → why."""
    excluded_words: str = ""
    """How many of the sessions that are over count, and why others do not; empty where all do."""
    asked_again: int = 0
    """How many requests may have been paid twice at most: on their way when a process was stopped."""
    declined: list[str] = field(default_factory=list)
    """The first refusals, with their reasons."""
    stopped: str = ""
    """Why not all of it was taken now, and what to do; empty where it was."""
    absent: list[str] = field(default_factory=list)
    """Scores that this run was not asked for, such as those of a comparison that was not made."""
    unanswered: str = ""
    """That no session was answered, and why; empty where one was."""

    @property
    def scores(self) -> dict[str, Estimate]:
        """The headline of each score: over what was asked, less what we lost."""
        return {name: one.estimate for name, one in self.estimated.items()}

    @property
    def isolation(self) -> str:
        """How far its subjects were kept from what they must not see, in a few words; empty where nobody noted it."""
        return isolation_words(self.head.details.get("isolation", {}))

    def as_json(self) -> dict[str, Any]:
        """Return the run in the shape that every test's `run --json` has."""
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
            "isolation": self.head.details.get("isolation", {}),
            "knows": list(self.head.details.get("knows", ())),
            "chain": self.chain,
            "sessions": self.counts,
            "excluded": self.excluded,
            "outcomes": dict(self.outcomes),
            "scoring": {"taken_under": self.head.details.get("scoring", ""), "scored_by": self.scoring},
            **({"reduce": self.head.details["reduce"]} if "reduce" in self.head.details else {}),
            "scores": {name: one.as_json() for name, one in self.estimated.items()} | dict.fromkeys(self.absent),
            **({"spent": self.spent} if self.spent else {}),
            **({"asked_again": self.asked_again} if self.asked_again else {}),
            **({"stopped": self.stopped} if self.stopped else {}),
            **({"unanswered": self.unanswered} if self.unanswered else {}),
            **self.details,
        }

    def _repr_html_(self) -> str:
        """Show the run in a notebook: who took what, how it went, and each score as an estimate."""
        from html import escape

        head = self.head
        who = ", ".join(head.who)
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


def summarise_run(
    head: RunHead,
    *,
    store: "Store",
    counting: Counted | None = None,
    generalise: str | None = None,
    reduce: str | None = None,
) -> RunResult:
    """Estimate the scores of a run from what the store holds of it, or from those of its sessions that count.

    `generalise` is the population that the estimates speak of, `reduce` names what makes one number of all answers to
    an item; without them those count that the run was begun with.
    """
    from mensura.running.cost.paying import asked_again
    from mensura.store.sealed.proof import run_head_of

    standing = store.sessions.count(head.id)
    counts = {status: standing.get(status, 0) for status in [*COUNTED, *sorted(standing.keys() - set(COUNTED))]}
    head = with_reducer(head, reduce, generalise=generalise)
    counting = replace(counting or counted_anew(head, store=store), head=head)
    words = [f"{session}: {said}" for session, said in store.sessions.last_words(head.id).items()]
    if generalise is not None:
        check_population(generalise, Circumstances.of(head))
    spent = store.events.spent(head.id)
    pending = standing.get("open", 0)
    found = counting.estimated(generalise=generalise)
    overview = counting.overview
    return RunResult(
        administered(head, overview.instance),
        counts,
        {name: replace(one, pending=pending) for name, one in found.items()},
        merged_details(overview.detailed),
        words,
        spent,
        overview.tally,
        sorted(overview.scorings),
        run_head_of(store, head.id),
        dict(counting.why),
        counting.words,
        asked_again(head.id, store=store) if spent else 0,
        _declined(head, store=store) if spent else [],
        absent=counting.absent(found),
        unanswered="" if overview.answered else nothing_answered(", ".join(head.who), [head], store=store),
    )


def _declined(head: RunHead, *, store: "Store") -> list[str]:
    """Show the first refusals of language models, with what was said."""
    found = store.events.declined(head.id, limit=MOST_DECLINED)
    said = [(session, event.key, " ".join(str(event.value).split())) for session, event in found]
    return [f"{session}: refused {key}: {words[:LONGEST_WORDS] or 'no reason given'}" for session, key, words in said]


def administered(head: RunHead, instance: str) -> RunHead:
    """Let a run carry the hash of what was really administered, as soon as that is known."""
    return replace(head, instance_hash=instance) if instance else head
