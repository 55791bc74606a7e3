"""Team: several subjects that answer each for themselves, and a rule that makes one answer of theirs."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from mensura.dialogue import SUBJECT, Address, Ask, Noted, Refused, Space, Wait
from mensura.dialogue.canonical import canonical
from mensura.dialogue.session.log import loggable
from mensura.errors import BadParameter, Invalid, SubjectCrashed, unknown
from mensura.subjects import subject as parts
from mensura.subjects.group import Several, Work, added, unnoted
from mensura.subjects.naming import Factory, Naming, split_names
from mensura.subjects.source import Source
from mensura.subjects.subject import Subject

Rule = Callable[[list[Any], Ask], Any]


class Team(Several):
    """Asks every member, and makes one answer of the valid ones by a rule.

    A member that refuses, waits or answers outside the space is left out and noted; where nobody is left, the team
    refuses, or waits if a member does. A member that crashes takes the team with it.

    Parameters
    ----------
    members
        The subjects.
    rule
        "mean", "median", "vote" (the answer given most often; ties fall to the session's chance), "majority" (the
        answer of more than half of all members, else a refusal), or a function (answers, ask) → answer.

    Examples
    --------
    >>> from mensura.dialogue import Probability
    >>> team = Team([lambda ask: 0.2, lambda ask: 0.4], rule="mean", name="pair")
    >>> round(team(Ask("Heads?", Probability())).value, 3)
    0.3
    """

    def __init__(self, members: Sequence[Subject], *, rule: str | Rule = "mean", name: str = "team") -> None:
        if not members:
            raise BadParameter("A team needs members: team:mean(chance,./mine.py:respond)")
        super().__init__(members, name=name)
        self._rng: np.random.Generator | None = None
        self._rule = self._own_rule(rule) if isinstance(rule, str) else rule

    def begin(self, rng: np.random.Generator, role: str = SUBJECT, address: Address | None = None) -> None:
        """Begin a session; ties in votes fall by this generator."""
        self._rng = rng
        super().begin(rng, role, address)

    def work(self, ask: Ask) -> Work:
        assert ask.space is not None
        replies = [unnoted(reply) for reply in (yield [(member, ask) for member in self.members])]
        entries = [
            self._entry(member, reply, notes, ask.space)
            for member, (reply, notes) in zip(self.members, replies, strict=True)
        ]
        answers = [entry["answer"] for entry in entries if entry["status"] == "answered"]
        notes = {**added(notes for _, notes in replies), "members": entries}
        if answers:
            return Noted(self._rule(answers, ask), notes)
        if any(entry["status"] == "waited" for entry in entries):
            return Wait()
        return Noted(Refused("No member of the team gave a valid answer."), notes)

    def said(self, answer: Any, notes: Mapping[str, Any]) -> Iterator[Any] | None:
        entries = notes.get("members")
        return None if entries is None else map(_reply_of, entries)

    @staticmethod
    def _entry(member: Subject, reply: Any, notes: dict[str, Any], space: Space) -> dict[str, Any]:
        entry: dict[str, Any] = {"name": parts.name_of(member), **({"notes": notes} if notes else {})}
        if isinstance(reply, Refused):
            return {**entry, "status": "refused", "answer": None, "reason": reply.reason}
        if isinstance(reply, Wait):
            return {**entry, "status": "waited", "answer": None}
        try:
            return {**entry, "status": "answered", "answer": space.check(reply)}
        except Invalid as wrong:
            return {**entry, "status": "invalid", "answer": loggable(reply), "wrong": str(wrong)}

    def _own_rule(self, name: str) -> Rule:
        rules: dict[str, Rule] = {
            "mean": lambda answers, ask: middle(answers, space=ask.space, how=np.mean),
            "median": lambda answers, ask: middle(answers, space=ask.space, how=np.median),
            "vote": self._vote,
            "majority": self._majority,
        }
        if name not in rules:
            see = f"There are {', '.join(rules)}, or a function: team:./mine.py:rule(a,b)"
            raise unknown("rule for teams", name, known=rules, see=see)
        return rules[name]

    def _vote(self, answers: list[Any], ask: Ask) -> Any:
        return vote(answers, rng=self._rng)

    def _majority(self, answers: list[Any], ask: Ask) -> Any:
        text, count = Counter(map(canonical, answers)).most_common(1)[0]
        if 2 * count <= len(self.members):
            return Refused(f"No majority: at most {count} of {len(self.members)} agree.")
        return next(answer for answer in answers if canonical(answer) == text)


def _reply_of(entry: Mapping[str, Any]) -> Any:
    if entry["status"] == "waited":
        return Wait()
    refused = entry["status"] == "refused"
    return Noted(Refused(entry["reason"]) if refused else entry["answer"], entry.get("notes", {}))


def vote(answers: Sequence[Any], *, rng: np.random.Generator | None, form: Callable[[Any], str] = canonical) -> Any:
    """Return the answer that was given most often; ties fall by chance, or to the first where there is none.

    Answers are alike that have the same form.
    """
    counts = Counter(map(form, answers))
    most = max(counts.values())
    tied = [text for text, count in counts.items() if count == most]
    chosen = tied[0] if len(tied) == 1 or rng is None else tied[int(rng.integers(len(tied)))]
    return next(answer for answer in answers if form(answer) == chosen)


def middle(answers: Sequence[Any], *, space: Space | None, how: Callable[..., Any]) -> Any:
    """Take mean or median of answers number by number; amounts of a whole are scaled to be one again.

    >>> from mensura.dialogue import Distribution
    >>> middle([{"a": 0.25, "b": 0.75}, {"a": 0.75, "b": 0.25}], space=Distribution(("a", "b")), how=np.median)
    {'a': 0.5, 'b': 0.5}
    """
    assert space is not None
    if not space.pools:
        raise SubjectCrashed(f"Answers of kind {space.kind} are not numbers, so a team votes on them: team:vote(...)")
    return space.pool(answers, how)


def named(rest: str, *, naming: Naming) -> Factory:
    """Read a name such as `team:mean(chance,./mine.py:respond)`; members may be teams.

    The option `members` gives options to members by name.
    """
    title, bracket, inner = rest.partition("(")
    if not bracket or not inner.endswith(")"):
        raise BadParameter(f"A team is named team:RULE(member,member,...); got team:{rest}")
    rule = _find_rule(title, naming)
    factories = find_members(split_names(inner[:-1], ","), naming)
    return lambda: Team([factory() for factory in factories], rule=rule, name=naming.name)


def find_members(names: Sequence[str], naming: Naming, *own: str) -> list[Factory]:
    """Find the members of a group; each has its own options under the option `members`, the group its `own`."""
    options = naming.allow("members", *own).get("members", {})
    if stray := [name for name in options if name not in names]:
        raise BadParameter(f"There are options for {stray[0]}, which is not a member; members are {', '.join(names)}.")
    return [naming.with_options(options.get(name, {})).find(name) for name in names]


def _find_rule(title: str, naming: Naming) -> str | Rule:
    if ":" not in title:
        Team([lambda ask: None], rule=title)
        return title
    rule = Source.read(title, folder=naming.folder).load()
    if not callable(rule):
        raise BadParameter(f"The rule of a team is a function (answers, ask) → answer; {title} is {rule!r}.")
    return rule  # type: ignore[no-any-return]
