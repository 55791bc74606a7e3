"""Pictures: what things of one's own look like, from the folder of their room."""

from base64 import b64encode
from pathlib import Path

from mensura.catalog.pagi_world.play import RoomPlay

TYPES = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".gif": "gif", ".webp": "webp", ".svg": "svg+xml"}


def pictures_of(play: RoomPlay, *, most: int) -> dict[str, str]:
    """Return the pictures of a room's things as addresses of data, by name, as long as they take at most so many bytes.

    What lies outside the folder of the room, or is no picture, is not read.
    """
    found: dict[str, str] = {}
    for name in {thing.plan.picture for thing in play.world.things.values() if thing.plan.picture}:
        data = _read(play.folder, name, most)
        if data:
            most -= len(data)
            kind = TYPES[Path(name).suffix.lower()]
            found[name] = f"data:image/{kind};base64,{b64encode(data).decode()}"
    return found


def _read(folder: Path, name: str, most: int) -> bytes:
    folder = folder.resolve()
    try:
        place = (folder / name).resolve()
        if Path(name).suffix.lower() not in TYPES or not place.is_relative_to(folder) or place.stat().st_size > most:
            return b""
        return place.read_bytes()
    except (OSError, ValueError):
        return b""
