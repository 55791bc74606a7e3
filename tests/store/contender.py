"""A program that keeps forking writers, so that they can be killed at any moment without the cost of a start.

Each line on its standard input, `URL SESSION FILE MODE`, starts one writer; its process id is printed. The writer
appends turns for ever and notes in FILE, one line each, the last event number of every turn the store has
acknowledged. MODE `alone` writes as the only one; a number `n` writes n turns against others and then ends.
"""

import os
import sys

from mensura.dialogue import Event
from mensura.errors import Conflict
from mensura.store import open_store


def write(url: str, session: str, path: str, mode: str) -> None:
    """Append turns, and note what was acknowledged."""
    notes = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    store = open_store(url, create=False)
    left = -1 if mode == "alone" else int(mode)
    while left:
        number = store.events.last_number(session)
        try:
            store.events.append(session, turn(number), truths={f"key{number}": number})
        except Conflict:
            if mode == "alone":
                raise
            continue
        os.write(notes, f"{number + 2}\n".encode())
        left -= 1


def turn(number: int) -> list[Event]:
    """Make an ask with its answer, to follow an event."""
    key = f"key{number}"
    ask = Event(number + 1, "ask", "subject", key, value="number", content={"prompt": f"{number} " * 100})
    return [ask, Event(number + 2, "answer", "subject", key, value=number, nonce=f"{os.getpid()}-{number}")]


def main() -> None:
    """Fork a writer for every line; how a lone one ended is printed after its process id."""
    import mensura.store.store  # noqa: F401

    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            try:
                write(*line.split())
                os._exit(0)
            finally:
                os._exit(1)
        print(child, flush=True)
        if line.split()[3] == "alone":
            print(os.waitpid(child, 0)[1], flush=True)


if __name__ == "__main__":
    main()
