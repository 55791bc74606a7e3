"""Evaluations that were taken, as their run keeps them: parameters, who played, and what the scoring kept."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mensura.catalog.arcade.starts.file import read_starts
from mensura.dialogue import Scores
from mensura.errors import BadData
from mensura.subjects.spec import HUMAN

TEST = "arcade"


@dataclass(frozen=True)
class TakenEvaluation:
    """A session of a run.

    Parameters
    ----------
    run, who
        Its run, and who played.
    parameters, details
        Of the test, and what its scoring kept.
    """

    run: str
    who: str
    parameters: Mapping[str, Any]
    details: Mapping[str, Any]

    @property
    def made(self) -> str:
        """Return how moments of this play were made: by a human, or as a program's demo."""
        return "human" if self.who == HUMAN else "demo"

    @property
    def may_be_kept(self) -> bool:
        """Return whether its play may be kept: as its player said; a program need not be asked."""
        said = self.details.get("keep")
        return said == "yes" or (said is None and HUMAN not in self.who)

    def states(self, file: Path | None = None) -> dict[str, bytes]:
        """Return the states of its starts by id, from a file or from where they were."""
        place = str(file or self.parameters["starts"])
        if not place:
            return {}
        return {start.id: start.state for start in read_starts(Path(place), game=str(self.details["game"])).starts}


def taken_of(scored: Iterable[tuple[Any, Scores]], *, run: str) -> list[TakenEvaluation]:
    """Return the evaluations among the sessions of a run, each given with the head of the run and its scores."""
    found = [
        TakenEvaluation(head.id, ", ".join(dict.fromkeys(head.cast.values())), head.parameters, scores.details)
        for head, scores in scored
        if scores.details.get("game")
    ]
    if not found:
        raise BadData(f"{run} has no evaluation that is over and was scored.")
    return found
