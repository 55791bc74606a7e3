"""Media: recordings and films, with the words that stand for them; and those that are fetched before they are shown."""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, ClassVar

from mensura.dialogue.prompts.base import Prompt
from mensura.errors import BadFile

MOST_INLINE = 2_000_000
"""Bytes of a recording that may stand inside the page; larger ones are files."""
_FILES: dict[str, Path] = {}


def media_file(address: str) -> Path | None:
    """Return the file of a recording that this process has made a prompt of, by the hash of its content."""
    return _FILES.get(address)


def file_hash(path: Path) -> str:
    """Hash the content of a file; read again only when it has changed."""
    found = path.stat()
    return _hash(str(path), found.st_size, found.st_mtime_ns)


@lru_cache(maxsize=4096)
def _hash(path: str, size: int, changed: int) -> str:
    return blake2b(Path(path).read_bytes(), digest_size=16).hexdigest()


@dataclass(frozen=True)
class Media(Prompt):
    """Something that is played: a file, or bytes where it is short.

    Records hold the words and the hash of a file, neither its name nor its place: a name often tells what is right.
    """

    types: ClassVar[dict[str, str]]
    said: ClassVar[str]
    content: bytes | str | Path
    words: str
    """A description for those who cannot play it, such as programs and models."""
    transcript: str = ""
    """The words spoken in it, where everyone may read them."""
    media_type: str = ""

    def __post_init__(self) -> None:
        if isinstance(self.content, bytes):
            if len(self.content) > MOST_INLINE:
                raise BadFile(f"A recording of {len(self.content)} bytes is too large for a page; give a file's path.")
            if not self.media_type:
                raise BadFile(f'Say what the bytes are: media_type="{next(iter(self.types.values()))}".')
            return
        path = Path(self.content).expanduser().resolve()
        kind = self.media_type or self.types.get(path.suffix.lower(), "")
        if not path.is_file():
            raise BadFile(f"There is no file {self.content} to play ({self.words}).")
        if not kind:
            known = ", ".join(self.types)
            raise BadFile(f"{self.content} is not one of {known}; give media_type= if browsers can play it anyway.")
        object.__setattr__(self, "content", path)
        object.__setattr__(self, "media_type", kind)
        _FILES[self.hash] = path

    @property
    def hash(self) -> str:
        """Return the hash of its content; empty for bytes, which are part of the page."""
        return file_hash(self.content) if isinstance(self.content, Path) else ""

    def data(self) -> dict[str, Any]:
        given = {"kind": self.kind, "words": self.words, "transcript": self.transcript, "media_type": self.media_type}
        if isinstance(self.content, bytes):
            return {**given, "url": f"data:{self.media_type};base64,{b64encode(self.content).decode()}"}
        return {**given, "hash": self.hash}

    def text(self) -> str:
        return f"[{self.said}: {self.words}]" + (f"\n\n{self.transcript}" if self.transcript else "")


@dataclass(frozen=True)
class Audio(Media):
    """A recording to listen to.

    >>> Audio(b"RIFF", "a bell", media_type="audio/wav").text()
    '[Recording: a bell]'
    """

    kind: ClassVar[str] = "audio"
    said: ClassVar[str] = "Recording"
    types: ClassVar[dict[str, str]] = {
        ".mp3": "audio/mpeg",
        ".wav": "audio/wav",
        ".ogg": "audio/ogg",
        ".m4a": "audio/mp4",
        ".flac": "audio/flac",
        ".webm": "audio/webm",
    }


@dataclass(frozen=True)
class Video(Media):
    """A film to watch; `captions` are WebVTT, shown under the picture when the viewer wants them."""

    kind: ClassVar[str] = "video"
    said: ClassVar[str] = "Film"
    types: ClassVar[dict[str, str]] = {".mp4": "video/mp4", ".webm": "video/webm", ".ogv": "video/ogg"}
    captions: str = ""
    language: str = ""
    """The language of the captions, as in "de"."""

    def __post_init__(self) -> None:
        if self.captions and not self.captions.lstrip("\ufeff").startswith("WEBVTT"):
            raise BadFile(f"The captions of {self.words!r} are not WebVTT: the first line must be WEBVTT.")
        super().__post_init__()

    def data(self) -> dict[str, Any]:
        captions = {"captions": self.captions, "language": self.language} if self.captions else {}
        return {**super().data(), **captions}


@dataclass(frozen=True)
class Preload(Prompt):
    """The next prompts, fetched while the person still answers; it shows nothing.

    Someone who looks into the page can play it early: name only what may be known.
    """

    kind: ClassVar[str] = "preload"
    media: Sequence[Media]

    def data(self) -> dict[str, Any]:
        # Bytes come with their own page.
        named = [each for each in self.media if each.hash]
        return {"kind": self.kind, "media": [{"hash": each.hash, "media_type": each.media_type} for each in named]}

    def text(self) -> str:
        return ""
