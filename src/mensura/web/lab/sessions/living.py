"""Living prompts: worlds too large to be logged at every ask are brought back by replaying the session up to it."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mensura.dialogue import Instance, Prompt, prompt_data
from mensura.dialogue import replay as replay_session
from mensura.dialogue.kind import class_of_kind
from mensura.errors import MensuraError
from mensura.running.reference import administration, definition_of

if TYPE_CHECKING:
    from mensura.store import Store
    from mensura.web.lab.sessions.playback import Moment, Screen


def bring_back(store: "Store", session_id: str, moment: "Moment") -> "Moment":
    """Put what pages showed in place of what was logged, where that was less.

    A session that cannot be replayed, since its seed was kept back or its test has changed, shows what was logged.
    """
    try:
        session = store.sessions.find(session_id)
        run = store.runs.find(session.run)
        test = definition_of(run)
        if run.seed is None or not any(_lives_on(screen) for screen in moment.screens):
            return moment
        instance = Instance(test, run.parameters, run.seed, session.address, **administration(run))
        screens = [_as_shown(store, session_id, instance, run.trace, screen) for screen in moment.screens]
    except MensuraError:
        return moment
    return replace(moment, screens=tuple(screens))


def _as_shown(store: "Store", session_id: str, instance: Instance, trace: Any, screen: "Screen") -> "Screen":
    if not _lives_on(screen):
        return screen
    events = [event for event in store.events.of(session_id) if event.number <= screen.line.number]
    ask = replay_session(instance, events, trace=trace).open.get(screen.role)
    if ask is None:
        return screen
    return replace(screen, line=replace(screen.line, prompt=prompt_data(ask.prompt, page=True)))


def _lives_on(screen: "Screen") -> bool:
    prompt = screen.line.prompt
    if screen.line.kind != "ask" or not isinstance(prompt, dict):
        return False
    kind = class_of_kind(str(prompt.get("kind")), Prompt)
    return kind is not None and kind.page_data is not Prompt.page_data
