"""Transcript: a session as words, with nothing that tells who took it, when, or how it was scored."""

from typing import TYPE_CHECKING

from mensura.dialogue import Event
from mensura.dialogue.canonical import canonical
from mensura.dialogue.prompts.stored import stored_text

if TYPE_CHECKING:
    from mensura.store import Store

CLOSED = {"lapse": "(No answer in time.)", "refuse": "(Declined to answer.)"}


def transcript(session_id: str, *, store: "Store") -> str:
    """Write down what was asked and answered in a session, without names, times, rewards and truths."""
    events = store.events.of(session_id, content=True)
    several = len({event.role for event in events if event.kind == "ask"}) > 1
    lines = [line for event in events if (line := _line(event, several=several))]
    return "\n\n".join(lines)


def _line(event: Event, *, several: bool) -> str:
    role = f" ({event.role})" if several and event.role else ""
    if event.kind in ("ask", "tell"):
        said = stored_text((event.content or {}).get("prompt", ""))
        return f"{'Asked' if event.kind == 'ask' else 'Told'}{role}: {said}" if said else ""
    if event.kind in ("answer", "revise"):
        value = event.value if isinstance(event.value, str) else canonical(event.value)
        return f"{'Answered' if event.kind == 'answer' else 'Changed an earlier answer to'}{role}: {value}"
    return f"Answered{role}: {CLOSED[event.kind]}" if event.kind in CLOSED else ""
