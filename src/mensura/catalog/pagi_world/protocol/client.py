"""Client: talk to a served room. One file that needs nothing else; copy it wherever an agent lives."""

import json
import socket
from typing import Any

from mensura.json_file import loads


class RoomClient:
    """A client of a room, in the JSON dialect.

    >>> agent = RoomClient(port=42209)  # doctest: +SKIP
    >>> agent.sensor("BP")  # doctest: +SKIP
    {'type': 'BP', 'x': -2.7, 'y': -8.8}
    """

    def __init__(self, host: str = "127.0.0.1", port: int = 42209, role: str = "") -> None:
        self._socket = socket.create_connection((host, port))
        self._lines = self._socket.makefile("rwb")
        self.heard: list[dict[str, Any]] = []
        """What came unasked: reflexes that fired, endorphins, words, triggers."""
        self.over = False
        self.tick = 0
        self.name = role or "I"
        self.perceived: list[tuple[int, dict[str, Any]]] = []
        """What came, asked or not, with the tick of the last step before it."""
        self._write("establishConnection", role)

    def sensor(self, code: str) -> dict[str, Any]:
        """Read a sensor."""
        return self._ask("sensorRequest", code)

    def force(self, effector: str, *values: float | str) -> dict[str, Any]:
        """Use an effector; values are numbers, or expressions of sensors as "[2*Sx]"."""
        return self._ask("addForce", effector, otherStrings=[str(one) for one in values])

    def step(self, ticks: int = 1) -> int:
        """Let the room go on; returns its tick."""
        self.tick = int(self._ask("step", floatContent=ticks)["content"])
        return self.tick

    def reflex(self, name: str, conditions: str, *actions: dict[str, Any]) -> dict[str, Any]:
        """Set a reflex; its actions are made by `message`."""
        return self._ask("setReflex", name, otherStrings=[conditions], messages=list(actions))

    def state(self, name: str, milliseconds: float = -1) -> dict[str, Any]:
        """Set a state."""
        return self._ask("setState", name, floatContent=milliseconds)

    def say(self, text: str) -> None:
        """Say something."""
        self._write("say", text, otherStrings=["P"], floatContent=3)

    def answer(self, question: str, answer: str) -> dict[str, Any]:
        """Answer a question of the room."""
        return self._ask("answerQuestion", question, otherStrings=[answer])

    def outcome(self) -> dict[str, Any]:
        """Ask how it stands."""
        return self._ask("getOutcome")

    def sentences(self) -> list[str]:
        """Return all that was perceived in the manner of the cognitive event calculus DCEC*: P agent, time, what.

        What is sensed holds at its time; what came unasked, as endorphins, words, triggers and reflexes, happens then.
        """
        return [
            f"(P {self.name} {tick} {_formula(reply, tick)})" for tick, reply in self.perceived if _formula(reply, tick)
        ]

    @staticmethod
    def message(kind: str, text: str = "", **fields: Any) -> dict[str, Any]:
        """Make a message, as for the actions of a reflex."""
        return {"messageType": kind, "stringContent": text, **fields}

    def close(self) -> None:
        """Leave."""
        self._socket.close()

    def _write(self, kind: str, text: str = "", **fields: Any) -> None:
        self._lines.write(json.dumps(self.message(kind, text, **fields)).encode() + b"\n")
        self._lines.flush()

    def _ask(self, kind: str, text: str = "", **fields: Any) -> dict[str, Any]:
        self._write(kind, text, **fields)
        while True:
            line = self._lines.readline()
            if not line:
                raise ConnectionError("The room has closed the connection.")
            reply: dict[str, Any] = loads(line)
            self.perceived.append((self.tick, reply))
            if reply.get("type") in UNASKED or str(reply.get("content", "")).startswith("reflexFired"):
                self.heard.append(reply)
                self.over |= reply.get("type") == "over"
            else:
                return reply


def _formula(reply: dict[str, Any], tick: int) -> str:
    """Return what a reply says as a formula; "" for one that is no percept.

    >>> _formula({"type": "BP", "x": 1.5, "y": 2.0}, 7)
    '(holds (BP 1.5 2.0) 7)'
    >>> _formula({"sensorCode": "B4", "p": 1.0, "temp": 0.0, "name": "floor"}, 7)
    '(holds (and (touches B4 "floor") (temperature B4 0.0)) 7)'
    >>> _formula({"type": "heard", "content": "b,now I know"}, 7)
    '(happens (action b (says "now I know")) 7)'
    """
    code, content = reply.get("sensorCode"), str(reply.get("content", ""))
    kind, first, rest = str(reply.get("type", "")), *content.partition(",")[::2]
    if code and "vq" in reply:
        return f"(holds (sees {code} {json.dumps(reply['name'])}) {tick})" if reply["name"] else ""
    if code:
        touched = f"(touches {code} {json.dumps(reply.get('name', 'something'))})" if reply["p"] else f"(free {code})"
        return f"(holds (and {touched} (temperature {code} {reply['temp']})) {tick})"
    if "x" in reply and "name" not in reply:
        return f"(holds ({kind} {reply['x']} {reply['y']}) {tick})"
    events = {
        "RD": f"(endorphins {first} {rest})",
        "SC": f"(commands person {json.dumps(content)})",
        "heard": f"(action {first} (says {json.dumps(rest)}))",
        "trigger": f"(trigger {rest.replace(',', ' ')})",
        "update": f"(action I (reflex {rest}))" if first == "reflexFired" else "",
    }
    return f"(happens {events[kind]} {tick})" if events.get(kind) else ""


UNASKED = ("RD", "SC", "heard", "trigger", "over")
