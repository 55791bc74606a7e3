"""Reading: what clients write, in the JSON of 2018 and the commas of 2015, as calls."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, Literal

from mensura.catalog.pagi_world.calls import TOOLS
from mensura.errors import Invalid
from mensura.json_file import loads

Dialect = Literal["json", "commas"]
Row = tuple[Any, ...]
LONGEST = 1_000_000
"""The longest message in bytes; the rest of a longer one is skipped."""
END = re.compile(rb"\}[ \t\r]*\n(?!\s*[,\]])")
CONNECT, DISCONNECT = "establishConnection", "removeConnection"
OLD_NAMES = {"getActiveStates": "getStates", "getActiveReflexes": "getReflexes"}
NO_FORCE = ("J", "LHG", "LHR", "RHG", "RHR")


@dataclass(frozen=True, slots=True)
class ClientMessage:
    """One message of a client: a call, or what is wrong with it."""

    dialect: Dialect
    row: Row = ()
    wrong: str = ""


@dataclass
class Framing:
    """Bytes of one connection, parted into messages however they arrive."""

    kept: bytearray = field(default_factory=bytearray)
    skipping: bool = False

    def feed(self, data: bytes) -> Iterator[ClientMessage]:
        """Take bytes, and give all messages that are complete."""
        self.kept += data
        while True:
            if self.skipping:
                end = self.kept.find(b"\n")
                if end < 0:
                    self.kept.clear()
                    return
                del self.kept[: end + 1]
                self.skipping = False
            found = self._next()
            if found is None:
                break
            if found:
                yield read_message(found)
        if len(self.kept) > LONGEST:
            dialect: Dialect = "json" if self.kept.lstrip()[:1] == b"{" else "commas"
            self.kept.clear()
            self.skipping = True
            yield ClientMessage(dialect, (), f"A message has at most {LONGEST:,} bytes; the rest of it is skipped.")

    def _next(self) -> bytes | None:
        kept = self.kept
        start = len(kept) - len(kept.lstrip())
        if kept[start : start + 1] == b"{":
            match = END.search(kept, start)
            if match is None:
                return None
            end = match.end()
            if end == len(kept) and not _complete(bytes(kept[start:end])):
                # The next character may still say that it goes on.
                return None
        else:
            end = kept.find(b"\n", start) + 1
            if end <= 0:
                return None
        found = bytes(kept[start:end])
        del kept[:end]
        return found


def _complete(text: bytes) -> bool:
    try:
        loads(text)
    except json.JSONDecodeError as error:
        return error.pos < len(text.decode("utf-8", "replace").rstrip())
    return True


def read_message(text: bytes) -> ClientMessage:
    """Read one message.

    >>> read_message(b"addForce,LHvec,10,[2*Sx]").row
    ('addForce', 'LHvec', ['10', '[2*Sx]'])
    """
    dialect: Dialect = "json" if text.lstrip()[:1] == b"{" else "commas"
    try:
        words = text.decode("utf-8")
        return ClientMessage(dialect, _padded(_from_json(words) if dialect == "json" else _from_commas(words.strip())))
    except UnicodeDecodeError:
        return ClientMessage(dialect, (), "A message is text in ASCII or UTF-8.")
    except Invalid as wrong:
        return ClientMessage(dialect, (), str(wrong))


def _padded(row: Row) -> Row:
    """Complete a row with None for what is optional; raise a sentence for what is missing."""
    name = row[0]
    if name in (CONNECT, DISCONNECT):
        return row
    tool = TOOLS.get(name)
    if tool is None:
        known = [*TOOLS, CONNECT, DISCONNECT]
        raise Invalid(f"There is no message {name!r:.60}; there are {', '.join(known)}.")
    if len(row) - 1 > len(tool.arguments):
        raise Invalid(f"{name} takes {len(tool.arguments)} values; got {len(row) - 1}.")
    for place, argument in enumerate(tool.arguments):
        if (place >= len(row) - 1 or row[place + 1] is None) and argument not in tool.optional:
            raise Invalid(f"{name} needs {argument}.")
    return (*row, *[None] * (len(tool.arguments) - len(row) + 1))


def _from_json(text: str) -> Row:
    try:
        message = loads(text)
    except ValueError as error:
        raise Invalid(f"That is not JSON: {error}.") from None
    return _json_row(message)


def _json_row(message: Any, *, inside: bool = False) -> Row:
    if not isinstance(message, Mapping) or not isinstance(message.get("messageType"), str):
        raise Invalid('A message is an object with "messageType" and the fields that it needs.')
    said = str(message["messageType"])
    name = OLD_NAMES.get(said, said)
    text, number = message.get("stringContent"), message.get("floatContent")
    vector = message.get("vectorContent")
    vector = vector if isinstance(vector, Mapping) else {}
    others = message.get("otherStrings")
    others = [others] if isinstance(others, str) else others if isinstance(others, list) else []
    x, y = vector.get("x", 0), vector.get("y", 0)
    for value in (number, x, y):
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value)):
            raise Invalid(f"{name}: numbers are finite; got {value!r:.40}.")
    words = "" if text is None else str(text)
    first = str(others[0]) if others else None
    if name == "addForce":
        return (name, words, _force(words, x, y, [str(one) for one in others if str(one) != ""]))
    if name == "setReflex":
        if inside:
            raise Invalid("A reflex cannot do setReflex.")
        actions = message.get("messages") or []
        if not isinstance(actions, list):
            raise Invalid("setReflex: messages is a list.")
        return (name, words, first or "", [list(_json_row(action, inside=True)) for action in actions])
    if name == "createItem":
        parts = (first or "").split(",")
        if len(parts) != 5:
            raise Invalid("createItem: otherStrings holds one text, name,ph,rot,endorphin,kin.")
        return (name, parts[0], words, x, y, number, *[_number(part, name) for part in parts[1:]], None)
    if name == "say":
        return (name, words, first or "P", number, x, y)
    return (name, *_json_values(name, words, number, x, y, first))


def _json_values(name: str, text: str, number: Any, x: Any, y: Any, first: str | None) -> tuple[Any, ...]:
    if name == "step":
        return (_whole(number),)
    if name == "setState":
        return (text, 0 if number is None else number)
    if name in ("findObj", "answerQuestion", "changeItem"):
        return (text, _maybe_json(first) if name == "changeItem" else first)
    if name == "dropItem":
        return (text, x, y, first)
    if name == "addForceToItem":
        return (text, x, y, 0 if number is None else number)
    if name == "setGravity":
        return (x, y)
    if name in (CONNECT, "loadTask", "saveTask"):
        return (text,)
    return () if name in ("getStates", "getReflexes", "reset", "getOutcome", DISCONNECT) else (text,)


def _force(effector: str, x: Any, y: Any, others: list[str]) -> Any:
    if effector in NO_FORCE:
        return None
    if others:
        return others if effector.endswith("vec") else others[:1]
    if effector.endswith("vec"):
        return [x, y]
    # Of one number, whichever of the two is given.
    return y if effector.endswith("V") and y else x


def _maybe_json(text: str | None) -> Any:
    try:
        return loads(text or "")
    except ValueError:
        return text


def _from_commas(text: str) -> Row:
    name, _, rest = text.partition(",")
    name = OLD_NAMES.get(name.strip(), name.strip())
    parts = split_outside(rest, ",") if rest else []
    if name == "addForce":
        if not parts:
            raise Invalid("addForce needs effector.")
        return (name, parts[0], None if parts[0] in NO_FORCE else parts[1:])
    if name in ("print", "SC"):
        return (name, rest)
    if name == "setReflex":
        actions = ",".join(parts[2:])
        rows = [list(_padded(_from_bars(one))) for one in split_outside(actions, ";") if one.strip()]
        return (name, parts[0] if parts else None, parts[1] if len(parts) > 1 else "", rows)
    if name == "say":
        if len(parts) < 5:
            raise Invalid("say needs speaker, text, seconds, x and y.")
        return (name, ",".join(parts[1:-3]), parts[0], *[_number(part, name) for part in parts[-3:]])
    if name == "createItem":
        return (name, *parts[:2], *[_number(part, name) for part in parts[2:]])
    if name == "step":
        return (name, _whole(_number(parts[0], name) if parts else None))
    if name == "setState":
        return (name, parts[0] if parts else None, _number(parts[1], name) if len(parts) > 1 else None)
    if name in ("dropItem", "addForceToItem"):
        return (
            name,
            *parts[:1],
            *[_number(part, name) for part in parts[1 : 3 if name == "dropItem" else 4]],
            *parts[3 if name == "dropItem" else 4 :],
        )
    if name == "setGravity":
        return (name, *[_number(part, name) for part in parts])
    if name == "answerQuestion":
        return (name, *parts[:1], ",".join(parts[1:]) or None)
    if name == "changeItem":
        item, _, changes = rest.partition(",")
        return (name, item.strip(), _maybe_json(changes))
    return (name, *parts)


def _from_bars(text: str) -> Row:
    """Read an action of a reflex, whose parts stand between bars: addForce|J, setState|name|500."""
    return _from_commas(",".join(split_outside(text.strip(), "|")))


def split_outside(text: str, sign: str) -> list[str]:
    """Part a text at signs outside square brackets.

    >>> split_outside("a,[b,c],d", ",")
    ['a', '[b,c]', 'd']
    """
    parts, depth, start = [], 0, 0
    for place, one in enumerate(text):
        depth += (one == "[") - (one == "]")
        if one == sign and depth <= 0:
            parts.append(text[start:place].strip())
            start = place + 1
    return [*parts, text[start:].strip()]


def _number(text: Any, name: str) -> float:
    try:
        found = float(text)
    except (TypeError, ValueError):
        raise Invalid(f"{name}: a number is wanted; got {text!r:.40}.") from None
    if not isfinite(found):
        raise Invalid(f"{name}: numbers are finite; got {text!r:.40}.")
    return found


def _whole(value: Any) -> int:
    if value is None or not 1 <= value <= 1_000_000 or value != int(value):
        raise Invalid(f"step takes a whole number of ticks from 1 to 1 000 000; got {value!r:.40}.")
    return int(value)
