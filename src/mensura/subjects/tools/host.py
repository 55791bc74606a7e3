"""Host of tools: serves typed Python functions over stdin and stdout in lines of JSON.

::

    python -m mensura.subjects.tools.host ./mine.py:tools

The first line says which functions there are; then each line is a call, and is answered by one. What a function prints
goes to stderr, so that it cannot be taken for a result.
"""

import argparse
import json
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from mensura.subjects.outside.host import leave_with_parent
from mensura.subjects.outside.protocol import line, storable
from mensura.subjects.source import Source
from mensura.subjects.tools.kit import ARGUMENTS, RAISED, SLOW, Came
from mensura.subjects.tools.signature import Signature, in_words, signatures_of


class TimeUp(BaseException):
    """Raised inside a function that takes too long; no `except Exception` of its own may swallow it."""


def carried_out(signatures: Mapping[str, Signature], message: Mapping[str, Any]) -> Came:
    """Carry out a call; whatever goes wrong is a sentence for the model."""
    signature, seconds = signatures[message["call"]], message["seconds"]
    try:
        given = signature.check(message["arguments"])
    except ValueError as error:
        return Came(str(error), ARGUMENTS)
    try:
        with _within(seconds):
            return Came(storable(in_words(signature.called(**given)))).bounded()
    except TimeUp:
        return Came(f"{signature.name} was stopped: it took longer than {seconds:g} s.", SLOW)
    except (Exception, SystemExit) as error:
        return Came(storable(f"{signature.name} raised {type(error).__name__}: {error}"), RAISED).bounded()


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    def stop(number: int, frame: Any) -> None:
        raise TimeUp

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def main() -> None:
    """Serve the functions that the command line names until stdin ends."""
    parser = argparse.ArgumentParser(prog="python -m mensura.subjects.tools.host", description=__doc__.split("\n")[0])
    parser.add_argument("source", nargs="+", help="files or modules and names: ./mine.py:tools")
    given = parser.parse_args()
    leave_with_parent()
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sources = [Source.read(text) for text in given.source]
    sys.path[:0] = [os.path.dirname(source.place) for source in sources if source.is_file]
    things = [source.load() for source in sources]
    signatures = signatures_of(things[0] if len(things) == 1 else things)
    offered = [[one.function.name, one.function.about, one.function.schema] for one in signatures.values()]
    output.write(line({"ready": offered}))
    output.flush()
    for text in sys.stdin.buffer:
        came = carried_out(signatures, json.loads(text))  # noqa: TID251
        output.write(line({"words": came.words, "fault": came.fault}))
        output.flush()


if __name__ == "__main__":
    main()
