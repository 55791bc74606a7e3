"""Ending: every session comes to an end, whatever the subject does."""

from typing import Any

from mensura.dialogue import Ask, Refused, Wait
from mensura.errors import MensuraError
from mensura.running.checks.check import Check
from mensura.running.checks.trial import Held, Trial


def check_ends(trial: Trial) -> Check:
    """See a session with random answers finish within the limit of turns, and be scored."""
    name = "ends"
    try:
        held = trial.first
        held.scores()
    except MensuraError as error:
        return Check(name, False, str(error))
    return _judge(name, trial, held, "random answers")


def check_declines(trial: Trial) -> Check:
    """See a session finish in which every answer is declined, and one in which nobody answers in time."""
    name = "declines"
    for make, words in ((Declining, "declined answers"), (Waiting, "lapsed asks")):
        try:
            held = trial.hold(make)
            held.scores()
        except MensuraError as error:
            return Check(name, False, f"with {words}: {error}")
        judged = _judge(name, trial, held, words)
        if not judged.passed:
            return judged
    return Check(name, True, "goes on when answers are declined or lapse, and can be scored")


class Declining:
    """Declines everything."""

    def __call__(self, ask: Ask) -> Any:
        return Refused("declined")


class Waiting:
    """Lets asks lapse that can, and declines the others."""

    def __call__(self, ask: Ask) -> Any:
        return Refused("declined") if ask.until is None else Wait()


def _judge(name: str, trial: Trial, held: Held, words: str) -> Check:
    asks = sum(event.kind == "ask" for event in held.events)
    if held.session.status == "finished":
        return Check(name, True, f"finishes after {asks} asks with {words}")
    if held.session.status == "timed_out":
        return Check(name, False, f"does not finish within {trial.turns} asks with {words}")
    return Check(name, False, f"ends as {held.session.status} with {words}: {held.session.last_words}")
