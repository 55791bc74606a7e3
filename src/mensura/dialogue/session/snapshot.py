"""Snapshot: what a resume needs beside the state that the test itself saves."""

from typing import TYPE_CHECKING, Any

from mensura.dialogue.canonical import canonical
from mensura.dialogue.session.digest import Digest

if TYPE_CHECKING:
    from mensura.dialogue.session.asking import Asking


def snapshot(session: "Asking", state: Any) -> dict[str, Any]:
    """Describe where a session stands; raises TypeError or ValueError where the test's state is not JSON."""
    canonical(state)
    log = session.log
    return {
        "state": state,
        "rng": session.rng.bit_generator.state,
        "tick": session.clock.now,
        "number": log.number + 1,
        "turns": session.turns,
        "digest": "" if log.digest is None else log.digest.close(),
        "gone": sorted(session.gone),
    }


def restore(session: "Asking", saved: dict[str, Any]) -> Any:
    """Put a session that has not begun where a snapshot was taken, and return the test's own state."""
    session.rng.bit_generator.state = saved["rng"]
    session.clock.now = saved["tick"]
    session.turns = saved["turns"]
    session.gone = set(saved["gone"])
    session.log.number = saved["number"]
    if session.log.digest is not None:
        session.log.digest = Digest(saved["digest"])
    return saved["state"]
