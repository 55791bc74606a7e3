"""Writing: replies of a room as lines, in the JSON of 2018 and the commas of 2015."""

import json
from typing import Any

from mensura.catalog.pagi_world.protocol.reading import Dialect


def line_of(reply: list[Any], dialect: Dialect, *, original: bool = False) -> bytes:
    """Write one reply as a line.

    Parameters
    ----------
    original
        Whether endorphins and spoken commands go out with commas in both dialects, as the program of 2018 has them.
    """
    if dialect == "commas" or (original and reply[0] in ("RD", "SC")):
        text = _commas(reply)
    else:
        text = json.dumps(_json(reply), separators=(",", ":"))
    return (text.replace("\n", " ") + "\n").encode("ascii", "backslashreplace")


def _json(reply: list[Any]) -> dict[str, Any]:
    kind, *rest = reply
    if kind == "sensor":
        code, values = rest
        return {"type": code, "x": values[0], "y": values[1] if len(values) > 1 else 0.0}
    if kind == "touch":
        code, values, title, name = rest
        felt = {
            "sensorCode": code, "p": values[0], "temp": values[1], "texture": values[2:6], "endorphins": values[6]
        }  # fmt: skip
        return {**felt, "type": title, "name": name} if name else felt
    if kind == "sight":
        code, values, title, name = rest
        return {"sensorCode": code, "vq": values, "type": title, "name": name}
    if kind == "item":
        name, (x, y, vx, vy) = rest
        return {"name": name, "x": x, "y": y, "vx": vx, "vy": vy}
    if kind == "found":
        return {"type": rest[0], "content": rest[1]}
    if kind == "map":
        return {"type": rest[0], "content": ",".join(rest[1])}
    if kind == "outcome":
        return {"type": "outcome", **rest[0]}
    if kind == "reflexFired":
        return {"type": "update", "content": f"reflexFired,{rest[0]}"}
    if kind == "TB":
        return {"type": "trigger", "content": f"TB,{rest[0]},{rest[1]}"}
    if kind == "RD":
        return {"type": "RD", "content": f"{_word(rest[0])},B{rest[1]}"}
    if kind == "saved":
        return {"type": "update", "content": f"saveTask,{rest[0]},OK"}
    return {"type": kind, "content": ",".join(_word(one) for one in rest)}


def _commas(reply: list[Any]) -> str:
    kind, *rest = reply
    if kind in ("sensor", "touch", "sight"):
        names = [one for one in rest[2:] if one] if kind == "touch" else rest[2:]
        parts = [rest[0], *rest[1], *(names[-1:] if kind == "touch" else names)]
    elif kind == "item":
        parts = ["getInfoAboutItem", rest[0], *rest[1]]
    elif kind == "found":
        parts = ["findObj", rest[0], rest[1]]
    elif kind == "map":
        parts = [rest[0], *rest[1]]
    elif kind == "outcome":
        parts = ["outcome", int(rest[0]["success"]), rest[0]["ticks"], rest[0]["endorphins"], rest[0]["work"]]
    elif kind == "update":
        return str(rest[0])
    elif kind == "RD":
        parts = ["RD", rest[0], f"B{rest[1]}"]
    elif kind == "saved":
        parts = ["saveTask", rest[0], "OK"]
    else:
        parts = [kind, *rest]
    return ",".join(_word(one) for one in parts)


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return str(value)
