"""Host: serves a Python subject over stdin and stdout in lines of JSON.

::

    python -m mensura.subjects.outside.host ./mine.py:respond

Whatever the subject prints goes to stderr, so that it cannot be taken for an answer.
"""

import argparse
import base64
import json
import os
import pickle
import sys
import threading
import time
from collections.abc import Mapping
from typing import Any, BinaryIO

import numpy as np

from mensura.dialogue import Abstained, Noted, Refused, Wait
from mensura.json_file import loads
from mensura.subjects import subject as parts
from mensura.subjects.callable import as_subject
from mensura.subjects.outside.abilities import ABILITIES
from mensura.subjects.outside.decoding import read_ask, read_outcome
from mensura.subjects.outside.protocol import line
from mensura.subjects.policy import as_policy
from mensura.subjects.source import Source

LOOK_SECONDS = 0.5


class Host:
    """Carries messages to a subject and its replies back."""

    def __init__(self, subject: Any, output: BinaryIO, *, policy: str = "") -> None:
        self.subject = subject
        self.output = output
        self.policy = policy

    def say_ready(self) -> None:
        """Report that the subject is loaded, and what it can do."""
        offered: dict[str, Any] = {"recomputes": bool(getattr(self.subject, "recomputes", False))}
        offered |= dict.fromkeys(self._able(), True)
        if "learning" in offered:
            offered["learning"] = bool(self.subject.learning)
        for name in ("sessions", "collective"):
            if said := getattr(self.subject, name, None):
                offered[name] = said
        self._write({"ready": offered})

    def handle(self, message: Mapping[str, Any]) -> None:
        """Do what a message says."""
        kind = message.get("type")
        if kind == "ask":
            self._write({**self._reply(message), "number": message.get("number")})
        elif kind == "tell":
            parts.feedback(self.subject, read_ask(message))
        elif kind == "remember":
            parts.remember(self.subject, read_ask(message), message["answer"])
        elif kind == "begin":
            parts.begin(self.subject, np.random.default_rng(message["seed"]), message["role"])
        elif kind == "end":
            parts.end(self.subject, read_outcome(message))
        elif kind == "able":
            self._write({"able": self._able(), "number": message.get("number")})
        elif kind == "learning":
            self.subject.learning = message["value"]
        elif kind == "snapshot":
            self._write({"state": pack(self.subject.snapshot()), "number": message.get("number")})
        elif kind == "restore":
            self.subject.restore(unpack(message["state"]))
        elif kind == "knowledge":
            self._write({"knowledge": float(self.subject.knowledge()), "number": message.get("number")})
        elif kind == "pause":
            self.subject.pause(message["seconds"])

    def _able(self) -> list[str]:
        return [name for name in ABILITIES if hasattr(self.subject, name)]

    def _reply(self, message: Mapping[str, Any]) -> dict[str, Any]:
        ask = read_ask(message)
        given = self.subject(np.asarray(ask.prompt.values, dtype=self.policy) if self.policy else ask)  # type: ignore[union-attr]
        notes = {}
        if isinstance(given, Noted):
            given, notes = given.value, {"notes": given.notes}
        if isinstance(given, Refused):
            return {"abstain" if isinstance(given, Abstained) else "refuse": given.reason, **notes}
        return {"wait": True} if isinstance(given, Wait) else {"answer": given, **notes}

    def _write(self, reply: Mapping[str, Any]) -> None:
        try:
            text = line(reply)
        except TypeError:
            # Not JSON: the driver says so to the subject, as with any other answer outside its space.
            text = line({key: repr(value) if key == "answer" else value for key, value in reply.items()})
        self.output.write(text)
        self.output.flush()


def pack(state: Any) -> Any:
    """Write a state as JSON, or pickled where it is more than that; only the subject's own process reads it again."""
    try:
        if json.loads(json.dumps(state, allow_nan=False)) == state:  # noqa: TID251
            return {"json": state}
    except (TypeError, ValueError):
        pass
    return {"pickle": base64.b64encode(pickle.dumps(state)).decode()}


def unpack(packed: Mapping[str, Any]) -> Any:
    """Read a state that `pack` wrote."""
    return packed["json"] if "json" in packed else pickle.loads(base64.b64decode(packed["pickle"]))


def leave_with_parent() -> None:
    """End this process when the one that started it has died: a subject that hangs would otherwise stay for ever."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def main() -> None:
    """Serve the subject that the command line names until stdin ends."""
    parser = argparse.ArgumentParser(prog="python -m mensura.subjects.outside.host", description=__doc__.split("\n")[0])
    parser.add_argument("source", help="file or module and name: ./mine.py:respond")
    parser.add_argument("--options", type=loads, default={}, help="keyword arguments of a class, as JSON")
    parser.add_argument("--policy", default="", metavar="TYPE", help="a policy, array of this type → action")
    given = parser.parse_args()
    leave_with_parent()
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    # What it prints is worth most when it is killed.
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    source = Source.read(given.source)
    if source.is_file:
        # As when Python runs it: what lies beside the file can be imported at any time.
        sys.path.insert(0, os.path.dirname(source.place))
    thing = source.load()
    subject = as_policy(thing, options=given.options) if given.policy else as_subject(thing, options=given.options)
    host = Host(subject, output, policy=given.policy)
    host.say_ready()
    for text in sys.stdin.buffer:
        host.handle(json.loads(text))  # noqa: TID251


if __name__ == "__main__":
    main()
