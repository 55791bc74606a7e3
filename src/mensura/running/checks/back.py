"""Back: where people may change their answers, nothing that is asked depends on them."""

from mensura.dialogue.canonical import canonical
from mensura.running.checks.check import Check
from mensura.running.checks.ending import Declining
from mensura.running.checks.trial import Held, Trial


def check_back(trial: Trial) -> Check:
    """Hold a session with random answers and one in which all are declined, and compare what was asked and told."""
    name = "going back"
    if not trial.test.back:
        return Check(name, None, "people cannot change earlier answers in it")
    for one, other in zip(_shown(trial.first), _shown(trial.hold(Declining)), strict=False):
        if one != other:
            words = f"what comes at {one[1]!r} depends on the answers before it, so they cannot be changed afterwards"
            return Check(name, False, f"{words}: leave out back=True")
    return Check(name, True, "asks the same whatever was answered")


def _shown(held: Held) -> list[tuple[str, str, str]]:
    shown = (event for event in held.events if event.kind in ("ask", "tell", "pause"))
    return [(event.kind, event.key, canonical(event.content)) for event in shown]
