"""Overview: what must be known of all sessions of a run besides their numbers, gathered in one pass over them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mensura.dialogue import Score, Scores, Tally, merged
from mensura.dialogue.packed import Names
from mensura.running.results.estimating import Outline, outline
from mensura.running.scoring.content import run_hash
from mensura.running.scoring.declared import stated_of, widen

if TYPE_CHECKING:
    from mensura.store.head import RunHead


@dataclass
class Overview:
    """The sessions of a run, as far as no number of theirs is needed: what holds of all of them is held once."""

    declared: dict[str, Score]
    outlines: dict[str, Outline] = field(default_factory=dict)
    tally: Tally = field(default_factory=dict)
    scorings: set[str] = field(default_factory=set)
    instance: str = ""
    """Hash of what was administered in all sessions; "" where that is not known."""
    answered: bool = False
    """Whether something was answered in some session."""
    detailed: list[Scores] = field(default_factory=list)
    """The facts beside their scores of those that have some; the scores themselves are let go."""

    @classmethod
    def of(cls, head: "RunHead", results: Iterable[Scores]) -> "Overview":
        """Look at each session of a run once."""
        found, instances = cls(stated_of(head)), Names()
        for scores in results:
            widen(found.declared, scores)
            outline(found.outlines, scores)
            found.answered = found.answered or not scores.is_silent
            found.tally = merged([found.tally, scores.tally])
            found.scorings |= {scores.scoring} - {""}
            if scores.instance:
                instances.append(scores.instance)
            if scores.details:
                found.detailed.append(Scores({}, scores.details))
        found.instance = run_hash(instances) if instances else ""
        return found
