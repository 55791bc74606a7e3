"""Media: the addresses under which pages play files, which tell neither a file's name nor its place."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mensura.dialogue.prompts.media import file_hash, media_file
from mensura.web.drawing.own_page import SIGNER

if TYPE_CHECKING:
    from mensura.web.safety.signing import Signer

PURPOSE = "media"


@dataclass(frozen=True)
class MediaFile:
    """A file that a page may play."""

    path: Path
    media_type: str
    hash: str


def media_address(data: Mapping[str, Any]) -> str:
    """Return where a page finds what it plays, by the data of the prompt; empty where the file is not here."""
    if data.get("url"):
        return str(data["url"])
    path, signer = media_file(str(data.get("hash"))), SIGNER.get()
    if path is None or signer is None:
        return ""
    # Every process of the laboratory can serve it, also one that never made the prompt.
    known = "\0".join((data["hash"], data["media_type"], str(path)))
    return f"/media/{signer.hide(known, purpose=PURPOSE)}"


def played(hidden: str, signer: "Signer") -> MediaFile | None:
    """Find the file of an address; None where it is not ours, is gone, or holds something else by now."""
    known = signer.reveal(hidden, purpose=PURPOSE)
    if known is None:
        return None
    digest, media_type, path = known.split("\0", 2)
    try:
        return MediaFile(Path(path), media_type, digest) if file_hash(Path(path)) == digest else None
    except OSError:
        return None
