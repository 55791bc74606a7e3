"""Turn: one process at a time gives places in a study or registers it; what was looked up must still be true then."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from secrets import token_hex
from typing import TYPE_CHECKING

from mensura.errors import BadParameter

if TYPE_CHECKING:
    from mensura.store import Store

TURN_SECONDS = 30.0
"""How long someone who gives a place may be silent before the next may give one."""


@contextmanager
def in_turn(study: str, *, store: "Store") -> Iterator[None]:
    """Let one process at a time give places in a study; the others wait."""
    presence, name, holder = store.presence, f"enrolment of {study}", token_hex(8)
    last = time.monotonic() + 2 * TURN_SECONDS
    while not presence.take(name, holder=holder, patience=TURN_SECONDS):
        if time.monotonic() > last:
            raise BadParameter(f"Others keep assigning places in {study}; try again when they are done.")
        time.sleep(0.02)
    try:
        yield
    finally:
        presence.let_go([name])
