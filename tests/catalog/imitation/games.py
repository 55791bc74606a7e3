"""Games of scripted roles for the tests: simulated, and said to be so wherever they are shown."""

from mensura.catalog.imitation.dialogue import imitation
from mensura.catalog.imitation.game import read_games
from mensura.catalog.imitation.subjects import SUBJECTS
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take


def played(seed=1, trace="full", **given):
    """Play one game; roles are given by name, everything else is a parameter."""
    named = {name: given.pop(name) for name in list(given) if name in all_roles(given)}
    cast = {}
    for role in all_roles(given):
        who = named.get(role) or default(role)
        cast[role] = SUBJECTS[who]() if isinstance(who, str) else who
    return take(imitation, cast, seed=seed, parameters=given, trace=trace)


def all_roles(parameters):
    known = {name: value for name, value in parameters.items() if name in imitation.parameters}
    return imitation.cast_roles(imitation.fill(known))


def default(role):
    if role.startswith("host"):
        return "host"
    if role.startswith(("judge", "juror")):
        return "keyword"
    return "eliza" if role.startswith(("machine", "man")) else "parrot"


def game(seed=1, **given):
    """Return the game that was played."""
    taken = played(seed, **given)
    (found,) = read_games(taken.record, taken.truths)
    return found


def scored(seed=1, **given):
    taken = played(seed, **given)
    return score_record(imitation, taken.record, taken.truths)


def judge(*, questions=("How are you?",), verdict=None, probability=0.5, beliefs=(), **more):
    """Make a judge who asks these questions and decides as told: a verdict, or what `verdict(options)` chooses."""
    from mensura.catalog.imitation.room import Hearing, QuestionRoom
    from mensura.dialogue import Questions

    asked, believed = iter(questions), iter(beliefs)

    def answer(ask):
        if isinstance(ask.prompt, QuestionRoom):
            text = next(asked, "")
            return {"to": "both", "text": text} if isinstance(ask.space, Questions) else text
        if ask.key == "deliberation":
            return ""
        if isinstance(ask.prompt, Hearing) and not isinstance(ask.space, Questions):
            return next(believed, probability)
        options = ask.space.questions["verdict"][1].options
        chosen = options[0] if verdict is None else verdict if isinstance(verdict, str) else verdict(options)
        given = {"verdict": chosen, "probability": probability, "reason": "told", "message": "none"}
        return {**given, "strategy": "small talk", "blunders": "", **more}

    return answer
