"""Pictures: how large a thing of a picture is, 50 of its points to a unit, as in the program of 2018."""

import struct
from pathlib import Path
from typing import Any

from mensura.errors import BadFile

POINTS = 50
LARGEST = 4000


def size_of(name: str, folder: Path) -> tuple[float, float] | None:
    """Return width and height in units of a PNG or GIF in a folder; None where there is no such file.

    Raises
    ------
    BadFile
        Where it lies outside the folder or is no such picture.
    """
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise BadFile(f"The picture {name!r:.80} lies outside the folder of the room.")
    try:
        with path.open("rb") as file:
            head = file.read(24)
    except OSError:
        return None
    if head[:8] == b"\x89PNG\r\n\x1a\n" and len(head) == 24:
        wide, high = struct.unpack(">II", head[16:])
    elif head[:3] == b"GIF" and len(head) >= 10:
        wide, high = struct.unpack("<HH", head[6:10])
    else:
        raise BadFile(f"The picture {name!r:.80} is neither a PNG nor a GIF.")
    if not 1 <= min(wide, high) <= max(wide, high) <= LARGEST:
        raise BadFile(f"The picture {name!r:.80} has {wide} by {high} points; a side has 1 to {LARGEST}.")
    return wide / POINTS, high / POINTS


def with_sizes(room: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return a room whose things have the sizes of their pictures, where they say none."""
    things = []
    for thing in room.get("things", []):
        size = size_of(thing["picture"], folder) if thing.get("picture") else None
        things.append({**thing, "size": list(size)} if size is not None and "size" not in thing else thing)
    return {**room, "things": things} if things else room
