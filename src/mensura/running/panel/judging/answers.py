"""Answers: what subjects said in a run, each made an artefact that tells nothing of who said it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mensura.dialogue import Record
from mensura.dialogue.prompts.stored import stored_text
from mensura.errors import BadParameter
from mensura.running.panel.artefact import Artefact
from mensura.running.reference import installed_test
from mensura.running.scoring.scoring import SCORED
from mensura.scores.grades.grade import ANSWER, is_graded
from mensura.store.head import RunHead
from mensura.subjects.spec import HUMAN

if TYPE_CHECKING:
    from mensura.store import Store

NOTHING = "(Nothing was answered.)"
LOST = ("lost", "broken")


@dataclass(frozen=True)
class GivenAnswer:
    """One answer in words, to which question, and of which unit of the estimate: its item or group of items."""

    session: str
    question: str
    answer: str
    right: str
    """The right answer in words; empty where it is not known or not told."""
    unit: str
    place: str
    """Which answer of its run it is: the same of two runs answer the same question."""


def answers_of(run: str, *, store: "Store", truth: bool) -> list[GivenAnswer]:
    """Return the answers in words of a run's sessions, what was left unanswered too; what we lost counts nowhere.

    Raises
    ------
    BadParameter
        If nothing was asked for in words, or what is right is wanted while someone can still be asked it.
    """
    head = store.runs.find(run)
    if truth:
        _require_told(head, store)
    found = [
        one
        for record, truths in store.records.with_truths(head.id)
        if record.status in SCORED and record.status not in LOST
        for one in _in_session(record, truths if truth else {}, head)
    ]
    if not found:
        raise BadParameter(f"Nothing in {head.id} was to be answered in words, so there is nothing to judge.")
    return found


def artefact_of(one: GivenAnswer, *, condition: str) -> Artefact:
    """Make an artefact of one answer: the question, what is right where that is told, and the answer."""
    parts = [f"**Question**\n\n{one.question}", *_right(one), f"**Answer**\n\n{quoted(one.answer)}"]
    about = {"unit": one.unit, "answer": one.place}
    return replace(Artefact.from_text("\n\n".join(parts), condition=condition, source=one.session), about=about)


def pair_of(first: GivenAnswer, second: GivenAnswer, *, condition: str, turned: bool) -> Artefact:
    """Make an artefact of two answers to one question; turned, the second comes before the first."""
    shown = (second, first) if turned else (first, second)
    parts = [f"**Question**\n\n{first.question}", *_right(first)]
    parts += [
        f"**{name} answer**\n\n{quoted(one.answer)}" for name, one in zip(("First", "Second"), shown, strict=True)
    ]
    about = {"unit": first.unit, "answer": first.place, "turned": turned}
    return replace(Artefact.from_text("\n\n".join(parts), condition=condition, source=first.session), about=about)


def paired_answers(first: str, second: str, *, store: "Store", truth: bool) -> list[tuple[GivenAnswer, GivenAnswer]]:
    """Pair the answers of two runs to the same questions."""
    for run in (first, second):
        if HUMAN in store.runs.find(run).cast.values():
            raise BadParameter(
                f"In {run} people answer; someone who withdraws could not be removed from a pair. Judge each run alone."
            )
    others = {one.place: one for one in answers_of(second, store=store, truth=truth)}
    pairs = [(one, others[one.place]) for one in answers_of(first, store=store, truth=truth) if one.place in others]
    if not pairs:
        raise BadParameter(f"{first} and {second} share no question, so no two of their answers can be compared.")
    return pairs


def quoted(text: str) -> str:
    """Set every line of an answer apart, so that it cannot pass for a part of what the judge is told.

    >>> print(quoted("Yes.\\n**What is right**\\nYes."))
    > Yes.
    > **What is right**
    > Yes.
    """
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines() or [""])


def _in_session(record: Record, truths: Mapping[str, Any], head: RunHead) -> Iterator[GivenAnswer]:
    test = installed_test(head)
    bank = None if test is None else test.bank
    session = record.session.rpartition("/")[2].split(".")[:3]
    for answer in record.answers:
        if answer.kind != "text" or record.outcome_of(answer) in ("", "lost"):
            continue
        content = record.content(answer.number) or {}
        item = record.item or (bank.hash_of(answer.key) if bank is not None else "") or answer.key
        yield GivenAnswer(
            session=record.session,
            question=stored_text(content.get("prompt", "")),
            answer=str(answer.value).strip() if answer.status == "answered" and answer.value else NOTHING,
            right=_words(truths.get(answer.key)),
            unit=(bank.group_of(answer.key) if bank is not None else "") or item,
            place=f"{item} {'.'.join(session)}",
        )


def _right(one: GivenAnswer) -> list[str]:
    return [f"**What is right**\n\n{one.right}"] if one.right else []


def _words(truth: Any) -> str:
    """Return the right answer in words; several right answers get a line each."""
    if truth is None:
        return ""
    given = truth[ANSWER] if is_graded(truth) else truth
    every = given if isinstance(given, (list, tuple)) else [given]
    return "\n".join(" or ".join(map(str, one)) if isinstance(one, (list, tuple)) else str(one) for one in every)


def _require_told(head: RunHead, store: "Store") -> None:
    if not store.runs.open(head.id) or store.sessions.open_addresses(head, of_test="items" in head.details):
        raise BadParameter(
            f"Someone can still be asked what was asked in {head.id}, so truths may not be shown yet: wait until the "
            "last session is over, or judge without --truth."
        )
