"""Tsk: rooms of the program of 2018, in .NET's binary format (MS-NRBF); only what those files hold is read.

The format is a list of records: classes with their members, strings, arrays and references by number. Classes other
than those of such rooms are refused: nothing is ever made from a name that a file gives.
"""

import struct
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any

from mensura.catalog.pagi_world.world.kinds import BY_ID
from mensura.errors import BadFile

HEADER, CLASS_AGAIN, SYSTEM_CLASS, CLASS, STRING, ARRAY = 0, 1, 4, 5, 6, 7
BOXED, REFERENCE, NOTHING, END, LIBRARY = 8, 9, 10, 11, 12
NOTHINGS, NOTHINGS_256, PRIMITIVES, OBJECTS, STRINGS = 14, 13, 15, 16, 17
FORMATS = {1: "<?", 2: "<B", 6: "<d", 7: "<h", 8: "<i", 9: "<q", 10: "<b", 11: "<f", 14: "<H", 15: "<I", 16: "<Q"}
"""Primitive types by their number."""
KNOWN = (
    "FileSaving",
    "WorldObject",
    "TaskDescription",
    "Vector",
    "Dictionary",
    "List",
    "KeyValuePair",
    "Comparer",
    "Hashtable",
)
"""Parts of the names of classes that such files hold."""
MOST = 200_000


@dataclass
class _ClassHead:
    name: str
    members: list[str]
    types: list[tuple[int, Any]]


@dataclass
class _Reading:
    data: bytes
    at: int = 0
    objects: dict[int, Any] = field(default_factory=dict)
    classes: dict[int, _ClassHead] = field(default_factory=dict)
    records: int = 0

    def take(self, form: str) -> Any:
        size = struct.calcsize(form)
        if self.at + size > len(self.data):
            raise EOFError
        value = struct.unpack_from(form, self.data, self.at)[0]
        self.at += size
        return value

    def text(self) -> str:
        length, shift = 0, 0
        while True:
            byte = self.take("<B")
            length |= (byte & 127) << shift
            if byte < 128:
                break
            shift += 7
            if shift > 28:
                raise ValueError("a text has no end")
        if self.at + length > len(self.data):
            raise EOFError
        value = self.data[self.at : self.at + length].decode("utf-8")
        self.at += length
        return value

    def record(self) -> Any:
        """Read one record; returns its value, or what stands for a reference."""
        self.records += 1
        if self.records > MOST:
            raise ValueError("it has too many records")
        kind = self.take("<B")
        if kind == HEADER:
            self.at += 16
            return self.record()
        if kind == LIBRARY:
            self.take("<i")
            self.text()
            return self.record()
        if kind in (CLASS, SYSTEM_CLASS):
            return self._class(library=kind == CLASS)
        if kind == CLASS_AGAIN:
            number = self.take("<i")
            head = self.classes[self.take("<i")]
            return self._members(number, head)
        if kind == STRING:
            number = self.take("<i")
            self.objects[number] = self.text()
            return self.objects[number]
        if kind == REFERENCE:
            return _Reference(self.take("<i"))
        if kind == BOXED:
            return self.take(FORMATS[self.take("<B")])
        if kind == NOTHING:
            return None
        if kind in (ARRAY, PRIMITIVES, OBJECTS, STRINGS):
            return self._array(kind)
        if kind == END:
            raise StopIteration
        raise ValueError(f"record {kind} is none that such a file holds")

    def _class(self, *, library: bool) -> Any:
        number, name = self.take("<i"), self.text()
        if not any(part in name for part in KNOWN):
            raise ValueError(f"it holds a {name[:60]}")
        count = self.take("<i")
        if not 0 <= count <= 1000:
            raise ValueError("a class has too many members")
        members = [self.text() for _ in range(count)]
        sorts = [self.take("<B") for _ in range(count)]
        types = [(sort, self._type(sort)) for sort in sorts]
        if library:
            self.take("<i")
        head = self.classes[number] = _ClassHead(name, members, types)
        return self._members(number, head)

    def _type(self, sort: int) -> Any:
        if sort in (0, 7):
            return self.take("<B")
        if sort == 3:
            return self.text()
        if sort == 4:
            name = self.text()
            self.take("<i")
            return name
        return None

    def _members(self, number: int, head: _ClassHead) -> dict[str, Any]:
        made: dict[str, Any] = {"class": head.name}
        self.objects[number] = made
        for name, (sort, kind) in zip(head.members, head.types, strict=True):
            made[name] = self.take(FORMATS[kind]) if sort == 0 else self.record()
        return made

    def _array(self, kind: int) -> Any:
        number = self.take("<i")
        if kind == ARRAY:
            self.take("<B")
            rank = self.take("<i")
            if rank != 1:
                raise ValueError("an array has more than one dimension")
            length = self.take("<i")
            sort = self.take("<B")
            part = self._type(sort)
            form = FORMATS[part] if sort == 0 else None
        else:
            length = self.take("<i")
            form = FORMATS[self.take("<B")] if kind == PRIMITIVES else None
        if not 0 <= length <= MOST:
            raise ValueError("an array is too long")
        items: list[Any] = []
        self.objects[number] = items
        while len(items) < length:
            if form is not None:
                items.append(self.take(form))
            elif self.data[self.at : self.at + 1] in (bytes([NOTHINGS]), bytes([NOTHINGS_256])):
                sort = self.take("<B")
                count = self.take("<i") if sort == NOTHINGS else self.take("<B")
                items += [None] * min(count, length - len(items))
            else:
                items.append(self.record())
        return items

    def resolve(self, value: Any) -> Any:
        return self.objects.get(value.number) if isinstance(value, _Reference) else value


@dataclass(frozen=True)
class _Reference:
    number: int


def read_tsk(path: Path) -> dict[str, Any]:
    """Read a room of the program of 2018 as a room of ours; what it cannot say is left at its default."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror or error}.") from None
    if len(data) < 17 or data[0] != HEADER or struct.unpack_from("<ii", data, 9) != (1, 0):
        raise BadFile(
            f"{path} is not a saved room of the program of 2018: it does not begin as .NET's binary format does."
        )
    reading = _Reading(data)
    top: list[Any] = []
    try:
        while True:
            top.append(reading.record())
    except StopIteration:
        pass
    except EOFError:
        raise BadFile(f"{path} ends early, after {len(data)} bytes: it was not saved whole.") from None
    except (ValueError, KeyError, struct.error, UnicodeDecodeError, RecursionError) as error:
        raise BadFile(f"{path} cannot be read at byte {reading.at}: {error}.") from None
    saved = next((one for one in top if isinstance(one, dict) and "FileSaving" in one["class"]), None)
    if saved is None:
        raise BadFile(f"{path} holds no room: there is no FileSaving in it.")
    return _room(reading, saved, path)


def _room(reading: _Reading, saved: dict[str, Any], path: Path) -> dict[str, Any]:
    found = {name.split("+")[-1].strip("<>").split(">")[0]: reading.resolve(value) for name, value in saved.items()}
    listed = found.get("worldObjects")
    if isinstance(listed, dict):
        items = reading.resolve(listed.get("_items")) or []
        listed = items[: int(listed.get("_size", len(items)))]
    things: list[dict[str, Any]] = []
    names: set[str] = set()
    left: list[str] = []
    for one in listed or []:
        thing = reading.resolve(one)
        made = _thing(reading, thing, names) if isinstance(thing, dict) else None
        if made is not None:
            things.append(made)
        elif isinstance(thing, dict):
            left.append(f"{reading.resolve(thing.get('objName')) or 'a thing'} ({thing.get('prefabID')})")
    gravity = found.get("gravity")
    down = gravity.get("y") if isinstance(gravity, dict) else gravity
    room: dict[str, Any] = {
        "name": path.stem,
        "about": "A room of the program of 2018."
        + (f" Left out, since no kind has their number: {', '.join(left)}." if left else ""),
        "instructions": str(found.get("taskDescriptor") or ""),
        "gravity": [0, float(down) if isinstance(down, int | float) and isfinite(down) else -9.81],
        "editing": True,
        "things": things,
    }
    place = found.get("bodyPosition")
    x, y = (place.get("x"), place.get("y")) if isinstance(place, dict) else (found.get("bodyX"), found.get("bodyY"))
    agent: dict[str, Any] = {"role": "subject"}
    if isinstance(x, int | float) and isinstance(y, int | float):
        agent["at"] = [x, y]
    if isinstance(found.get("bodyRotation"), int | float):
        agent["angle"] = found["bodyRotation"]
    room["agents"] = [agent]
    return room


def _thing(reading: _Reading, given: dict[str, Any], names: set[str]) -> dict[str, Any] | None:
    number = given.get("prefabID")
    kind = BY_ID.get(number) if isinstance(number, int) else None
    if kind is None:
        return None
    base = str(reading.resolve(given.get("objName")) or kind.name)[:80].replace("\n", " ")
    name, count = base, 1
    # The second half of a large kit has the name of the first and _2.
    while name in names or f"{name}_2" in names or name == "subject":
        count += 1
        name = f"{base}_{count}"
    names |= {name, f"{name}_2"} if kind.does == "halves" else {name}
    x, y = given.get("positionX"), given.get("positionY")
    place = [float(x or 0), float(y or 0)]
    return {"kind": kind.name, "name": name, "at": place, "angle": float(given.get("rotation") or 0)}
