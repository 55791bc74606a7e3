"""The imitation game: judges question witnesses whom they cannot see, and say who is who."""

from collections.abc import Generator, Mapping
from typing import Annotated, Any, Literal

import numpy as np

from mensura.catalog.imitation.competition import competition
from mensura.catalog.imitation.delays import Typing
from mensura.catalog.imitation.exhibits import exhibits
from mensura.catalog.imitation.forms import HOST, HOSTS, PERSONAS, SIDES, FormName, GameForm, Told, form_of
from mensura.catalog.imitation.interrogation import Interrogation, InterrogationRules
from mensura.catalog.imitation.pooled import pooled
from mensura.catalog.imitation.scoring import SCORES, score
from mensura.catalog.imitation.settings import SETTINGS
from mensura.catalog.imitation.subjects import SUBJECTS
from mensura.catalog.imitation.verdict import AFTER, verdict_ask
from mensura.dialogue import Clock, Outcome, Round, Timing, chat, test
from mensura.errors import BadParameter

CONSENT = (
    "**You may be deceived:** some of those you talk to in writing may be told to pretend to be someone else, and some "
    "may be programs. When it is over, you are told who was who, and can withdraw what you said."
)
"""What people read before they agree to play."""
VOID = "Nobody gave a verdict, so the game does not count."


def roles(
    *, form: str = "standard", jurors: int = 12, programs: int = 4, impersonator: str = "man", **others: Any
) -> tuple[str, ...]:
    """Return who takes part in a form."""
    chosen = form_of(form, jurors=jurors, programs=programs, impersonator=impersonator)
    if form == "loebner":
        witnesses = (f"{role}{n}" for role in chosen.witnesses for n in range(1, programs + 1))
        return (*chosen.judges, *witnesses, *HOSTS)
    return (*chosen.judges, *chosen.witnesses, HOST)


def refuse(
    *, seconds: int, messages: int, longest: int, majority: float, deliberation: int, form: str, **others: Any
) -> None:
    """Refuse conditions that make no game."""
    for name, value, least in (("messages", messages, 1), ("longest", longest, 1), ("seconds", seconds, 0)):
        if value < least:
            raise BadParameter(f"--{name} is at least {least}; got {value}.")
    if not 0.5 <= majority <= 1:
        raise BadParameter(f"--majority is the share that must be exceeded, from 0.5 to 1 (all agree); got {majority}.")
    if deliberation < 0 or (deliberation and form != "jury"):
        raise BadParameter(f"--deliberation is for the form jury, in seconds; got {deliberation} for {form}.")
    form_of(form, jurors=others["jurors"], programs=others["programs"])


def spent(answer: Any) -> int:
    """Return how many ticks an act of a program costs: the host lets so much time pass as it says, others take 1."""
    return answer if type(answer) is int else 1


def lasts(answer: Any) -> int:
    """Return how many ticks an act of a program takes at least beside people: those that the host lets pass."""
    return answer if type(answer) is int else 0


@test(
    "imitation-v1",
    score=score,
    scores=SCORES,
    scoring="2",
    pooled=pooled,
    roles=roles,
    played=dict.fromkeys((HOST, *HOSTS), HOST),
    subjects=SUBJECTS,
    settings=SETTINGS,
    refuse=refuse,
    chance={"right": 0.5, "quadratic": 1 / 3},
    exhibits=exhibits,
    timing=Timing(people="wall", cost=spent, lasts=lasts),
    memory=0,
    consent=CONSENT,
)
def imitation(
    rng: np.random.Generator,
    *,
    clock: Clock,
    form: Annotated[
        FormName,
        "Who takes part: gender (a man and a woman, one of whom pretends), standard (a machine pretends in that "
        "place), machine-human (one of each), one (a single witness), jury (jurors ask in turn) or loebner (four "
        "judges and several programs).",
    ] = "standard",
    talk: Annotated[
        Literal["turns", "free"],
        "How they talk: turns (the answers of a turn are released together) or free (all write when they like).",
    ] = "turns",
    seconds: Annotated[int, "How many seconds the interrogation lasts; 0: 300, or 1500 in the form loebner."] = 0,
    messages: Annotated[int, "How many messages each may write, 1 or more."] = 10,
    longest: Annotated[int, "How many characters a message may have, 1 or more."] = 500,
    belief: Annotated[
        Literal["exchanges", "end"],
        "When judges say what they believe: exchanges (after each exchange) or end (with the verdict only).",
    ] = "exchanges",
    delays: Annotated[
        bool,
        "Whether messages are held back as long as a person would type, so that speed tells nothing.",
    ] = True,
    typing: Annotated[bool, "Whether people see that someone is typing."] = False,
    told: Annotated[
        Told,
        "What the witness who pretends is told: plain (play the part), persona (as a given person) or self (be "
        "yourself).",
    ] = "plain",
    honest: Annotated[
        bool,
        "Whether the pretender must claim no body, age, family or life that it does not have.",
    ] = False,
    barred: Annotated[bool, "Whether questions about bodies and about what a player is are not passed on."] = False,
    impersonator: Annotated[
        Literal["man", "woman"],
        "Who pretends to be the other in the form gender: man or woman.",
    ] = "man",
    jurors: Annotated[int, "How many jurors the form jury has, 2 or more."] = 12,
    majority: Annotated[
        float,
        "Which share of the jury a verdict must exceed, from 0.5 to 1; 1 means that all agree.",
    ] = 0.5,
    deliberation: Annotated[
        int,
        "How many seconds the jurors talk before they decide again; 0: they do not. For the form jury only.",
    ] = 0,
    programs: Annotated[
        int,
        "How many programs compete in the form loebner, 2 or more; as many people are questioned beside them.",
    ] = 4,
) -> Generator[Round, Any, Outcome]:
    """Question witnesses whom you cannot see, and say who is who."""
    chosen = form_of(form, jurors=jurors, programs=programs, impersonator=impersonator)
    length = seconds or chosen.seconds
    rules = InterrogationRules(
        talk, messages, longest, belief == "exchanges", Typing() if delays else None, barred, typing, clock.now + length
    )
    persona = PERSONAS[int(rng.integers(len(PERSONAS)))]
    instructions = {
        role: chosen.rules_for(role, told=told, honest=honest, persona=persona) for role in chosen.witnesses
    }
    if form == "loebner":
        return (yield from competition(chosen, rules, instructions, rng, clock, programs=programs))
    held = Interrogation(chosen, rules, seated(chosen, rng), judged_by(chosen, rng), instructions, rng, clock)
    yield from held.hold()
    verdicts = yield from _verdicts(held)
    if deliberation and verdicts:
        names = {role: f"Juror {place}" for place, role in enumerate(chosen.judges, start=1)}
        words = f"You are the jury. Speak about what you read. **{chosen.quest}**\n\nYou have {deliberation} seconds."
        yield from chat(
            names, words=words, key="deliberation", most=messages, until=clock.now + deliberation, clock=clock
        )
        yield from _verdicts(held, key=AFTER, words=f"You have heard the others. **{chosen.quest}**")
    revealed = f"{chosen.revealed(held.seats)} {DEBRIEFING}"
    return Outcome(revealed if verdicts else f"{VOID} {revealed}")


DEBRIEFING = (
    "Some players were told to pretend, and you may have been deceived; nobody meant you in person. If you do not want "
    "your answers to be used, you can withdraw them now."
)


def seated(form: GameForm, rng: np.random.Generator) -> dict[str, str]:
    """Draw who sits where: both behind A and B, or one of them alone."""
    order = rng.permutation(2)
    drawn = [form.witnesses[place] for place in order]
    return dict(zip(SIDES, drawn, strict=True)) if form.pair else {SIDES[0]: drawn[0]}


def judged_by(form: GameForm, rng: np.random.Generator) -> list[str]:
    """Draw in which order judges or jurors ask."""
    return [form.judges[place] for place in rng.permutation(len(form.judges))]


def _verdicts(held: Interrogation, **how: Any) -> Generator[Round, Any, Mapping[str, Any]]:
    truth = held.form.truth(held.seats)
    asks = [verdict_ask(role, held, truth=truth, **how) for role in held.form.judges]
    given = yield Round(asks, meanwhile=held.meanwhile)
    return dict(given)
