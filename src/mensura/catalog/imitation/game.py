"""Games as they were played, read from records: who said what when, what judges believed, and what they decided."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mensura.catalog.imitation.competition import paired
from mensura.catalog.imitation.forms import HUMAN, MACHINE, SIDES, GameForm, form_of
from mensura.catalog.imitation.interrogation import BELIEF, BOTH, MESSAGE, RELEASE, is_barred, split_key
from mensura.catalog.imitation.verdict import AFTER, NONE, RANKING, VERDICT, decided
from mensura.dialogue import Answer, Record

NUMBER = re.compile(r"\b([AB]\d+)\b")


@dataclass
class GameMessage:
    """One message: in the talk with which witness, from which role, its number, when written and when released.

    `released` is None where the time was over before; `planted` says that its writer planted a blunder in it.
    """

    side: str
    role: str
    text: str
    sent: int
    exchange: int
    judge: bool
    released: int | None = None
    id: str = ""
    planted: bool = False
    seconds: float | None = None
    notes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Belief:
    """What one judge believed at a tick: the probability that the pretender is what it plays."""

    role: str
    tick: int
    exchange: int
    value: float


@dataclass(frozen=True)
class GameVerdict:
    """What one judge decided, and how sure they were; `belief` is that of `Belief`, `stated` what they were asked."""

    role: str
    verdict: str
    right: bool
    stated: float
    belief: float
    reason: str = ""
    message: str = ""
    strategy: str = ""
    blunders: tuple[str, ...] = ()
    tick: int = 0


@dataclass
class PlayedGame:
    """One interrogation with all that was said, believed and decided."""

    form: GameForm
    truth: str
    messages: list[GameMessage] = field(default_factory=list)
    beliefs: list[Belief] = field(default_factory=list)
    verdicts: list[GameVerdict] = field(default_factory=list)
    after: list[GameVerdict] = field(default_factory=list)
    """Verdicts after the jury spoke among themselves."""
    majority: float = 0.5
    began: int = 0
    ended: int = 0
    prefix: str = ""
    missing: tuple[str, ...] = ()
    """Witnesses who were not there to answer."""
    replaced: Mapping[str, str] = field(default_factory=dict)
    """Role → the program that took the place of someone who had left."""

    @property
    def witness(self) -> str:
        """The role whose passing is judged: the pretender of a pair, the only witness else."""
        return self.form.pretender if self.form.pair or self.truth != HUMAN else self.form.target

    @property
    def side(self) -> str:
        """The letter of the witness whose passing is judged."""
        return SIDES[1 - SIDES.index(self.truth)] if self.form.pair else SIDES[0]

    @property
    def seats(self) -> dict[str, str]:
        """Letter → role."""
        if not self.form.pair:
            return {SIDES[0]: self.witness}
        return {side: self.form.target if side == self.truth else self.form.pretender for side in SIDES}

    @property
    def final(self) -> list[GameVerdict]:
        """The verdicts that count: those after deliberation where there was one."""
        return self.after or self.verdicts

    @property
    def decision(self) -> str:
        """What was decided in the end; "hung" where a jury did not agree, "" where nobody gave a verdict."""
        return decision_of(self.final, self)

    @property
    def void(self) -> str:
        """Why the game does not count; "" where it does."""
        if not self.verdicts:
            return "no juror gave a verdict" if self.form.jury else "the judge left"
        if self.replaced:
            return f"a program took the place of {', '.join(sorted(self.replaced))}"
        if self.missing:
            return f"a witness was missing: {', '.join(self.missing)}"
        return self._unheard

    @property
    def _unheard(self) -> str:
        """Why judges read nothing that they could judge by; "" where they read an answer."""
        answers = [one for one in self.messages if not one.judge]
        if any(one.released is not None for one in answers):
            return ""
        if answers:
            return "no answer was released before the time was over"
        first, *second = sorted(self.seats.values(), key=self.form.witnesses.index)
        return f"neither {first} nor {second[0]} spoke" if second else f"{first} did not speak"

    @property
    def exchanges(self) -> list[tuple[str, str]]:
        """Each question with the answer that the judged witness gave, "" for none, in order."""
        pairs = []
        for place, one in enumerate(self._judged):
            if one.judge:
                replies = self._judged[place + 1 : place + 2]
                pairs.append((one.text, replies[0].text if replies and not replies[0].judge else ""))
        return pairs

    @property
    def _judged(self) -> list[GameMessage]:
        return [one for one in self.messages if one.side == self.side and (one.judge or one.released is not None)]

    def passed(self, verdict: GameVerdict) -> bool:
        """Return whether a verdict takes the judged witness for what it plays, or for the human it is."""
        return not verdict.right if self.form.pair or self.truth != HUMAN else verdict.right

    def as_json(self) -> dict[str, Any]:
        """Return the game as JSON, with the truth in it: for those who may know."""
        return {
            "form": self.form.name,
            "seats": self.seats,
            "truth": self.truth,
            "void": self.void,
            "decision": self.decision,
            "messages": [vars(one) for one in self.messages],
            "beliefs": [vars(one) for one in self.beliefs],
            "verdicts": [vars(one) for one in self.verdicts],
            "after": [vars(one) for one in self.after],
        }


def decision_of(verdicts: Sequence[GameVerdict], game: PlayedGame) -> str:
    """Return what several verdicts come to; "" where there is none."""
    if not verdicts:
        return ""
    return decided({one.role: {"verdict": one.verdict} for one in verdicts}, game.form, share=game.majority)


def read_games(record: Record, truths: Mapping[str, Any]) -> list[PlayedGame]:
    """Read the games of a session: one, or one for each judge and round of a competition."""
    known = ("form", "jurors", "programs", "impersonator")
    form = form_of(**{name: record.parameters[name] for name in known})
    majority = float(record.parameters["majority"])
    prefixes = dict.fromkeys(split_key(one.key)[0] for one in record.answers if _is_of_game(one.key))
    by_turns = record.parameters["talk"] == "turns" and form.name != "loebner"
    games = []
    for prefix in prefixes:
        answers = [one for one in record.answers if split_key(one.key)[0] == prefix]
        truth = truths.get(f"{prefix}{VERDICT}")
        if truth is None:
            continue
        number = _pair_of(answers) or _ranked_pair(prefix, prefixes, truths)
        own = paired(form, number) if prefix and number else form
        game = PlayedGame(own, str(truth), majority=majority, prefix=prefix)
        given = {name: bool(record.parameters[name]) for name in ("barred", "delays")}
        _fill(game, answers, **given, seconds=int(record.parameters["seconds"]) or form.seconds)
        seats = (*own.judges, *own.witnesses)
        game.replaced = {role: who for role, who in record.replaced.items() if role in seats}
        game.missing = _missing(game, answers, by_turns=by_turns)
        games.append(game)
    return games


def _is_of_game(key: str) -> bool:
    return split_key(key)[1] in (MESSAGE, RELEASE, BELIEF, VERDICT, AFTER)


def _pair_of(answers: Sequence[Answer]) -> int:
    """Return the number of the witnesses who were asked something; 0 where nobody was."""
    return next((_number(one.role) for one in answers if one.role.startswith((MACHINE, HUMAN))), 0)


def _ranked_pair(prefix: str, prefixes: Iterable[str], truths: Mapping[str, Any]) -> int:
    """Return the number of the pair of a conversation by the ranking of its judge, who numbers all of them; 0: none."""
    judge = prefix.split("/")[1] if prefix else ""
    own = [one for one in prefixes if one and one.split("/")[1] == judge]
    ranked: Mapping[str, str] = truths.get(f"{RANKING}/{judge}") or {}
    return _number(ranked.get(str(own.index(prefix) + 1), "")) if own else 0


def _number(role: str) -> int:
    found = re.search(r"\d+$", role)
    return int(found[0]) if found else 0


def _fill(game: PlayedGame, answers: Sequence[Answer], *, barred: bool, delays: bool, seconds: int) -> None:
    side_of = {role: side for side, role in game.seats.items()}
    game.began = answers[0].asked if answers else 0
    talks: dict[str, list[GameMessage]] = {side: [] for side in game.seats}
    turn = 0
    for one in answers:
        _, kind, rest = split_key(one.key)
        if kind == RELEASE and len(rest) > 1:
            _let_out(talks, rest[1], end=game.began + seconds)
        if one.status != "answered":
            continue
        if kind == MESSAGE:
            of_judge = one.role in game.form.judges
            fresh = _asked(one, list(game.seats), turn + 1, barred) if of_judge else _replied(one, side_of, turn)
            turn += of_judge and bool(fresh)
            for message in fresh:
                message.released = message.sent if of_judge or not delays else None
                talks[message.side].append(message)
            game.messages += fresh
        elif kind == BELIEF:
            game.beliefs.append(Belief(one.role, one.tick, turn, _passing(game, float(one.value))))
        elif kind == VERDICT:
            game.verdicts.append(_verdict(game, one))
        elif kind == AFTER:
            game.after.append(_verdict(game, one))
    for side, talk in talks.items():
        for place, message in enumerate([one for one in talk if one.released is not None], start=1):
            message.id = f"{side}{place}"
    ends = [one.tick for one in answers if one.key.removeprefix(game.prefix).startswith((MESSAGE, RELEASE, BELIEF))]
    game.ended = max(ends, default=game.began)


def _asked(answer: Answer, sides: Sequence[str], turn: int, barred: bool) -> list[GameMessage]:
    to, text = (answer.value["to"], answer.value["text"]) if isinstance(answer.value, Mapping) else (BOTH, answer.value)
    if not text.strip() or (barred and is_barred(text)):
        return []
    return [GameMessage(side, answer.role, text, answer.tick, turn, True) for side in (sides if to == BOTH else [to])]


def _replied(answer: Answer, side_of: Mapping[str, str], turn: int) -> list[GameMessage]:
    if not answer.value.strip():
        return []
    notes, side = answer.notes or {}, side_of[answer.role]
    reply = GameMessage(side, answer.role, answer.value, answer.tick, turn, False, seconds=answer.seconds, notes=notes)
    reply.planted = bool(notes.get("planted"))
    return [reply]


def _missing(game: PlayedGame, answers: Sequence[Answer], *, by_turns: bool) -> tuple[str, ...]:
    """Return which witnesses were not there; silence and refusals are answers.

    Where all answers of a turn are waited for, an ask is withdrawn only from one who has left; elsewhere a witness who
    was withdrawn from every ask was never there.
    """
    became: dict[str, list[str]] = {}
    for one in answers:
        if one.role in game.seats.values() and one.key.removeprefix(game.prefix).startswith(MESSAGE):
            became.setdefault(one.role, []).append(one.status)
    gone = [
        role for role, each in became.items() if (each[-1] == "withdrawn" and by_turns) or set(each) == {"withdrawn"}
    ]
    return tuple(sorted(gone))


def _let_out(talks: Mapping[str, list[GameMessage]], waiting: str, *, end: int) -> None:
    """Note when messages are released: the key of a release names those that wait and the tick of each."""
    for name in waiting.split("+") if waiting else ():
        place, due = name[1:].split(".")
        talk = talks[name[0]]
        if int(place) <= len(talk) and int(due) < end:
            talk[int(place) - 1].released = int(due)


def _passing(game: PlayedGame, stated: float) -> float:
    """Return what a stated probability says of the pretender: that it is what it plays."""
    return stated if not game.form.pair or game.side == SIDES[0] else 1 - stated


def _verdict(game: PlayedGame, answer: Answer) -> GameVerdict:
    given = answer.value
    message = "" if given["message"] == NONE else given["message"]
    return GameVerdict(
        answer.role,
        given["verdict"],
        given["verdict"] == game.truth,
        float(given["probability"]),
        _passing(game, float(given["probability"])),
        given["reason"],
        message,
        given["strategy"],
        tuple(dict.fromkeys(NUMBER.findall(given["blunders"].upper()))),
        answer.tick,
    )
