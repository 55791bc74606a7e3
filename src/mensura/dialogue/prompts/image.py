"""Image: a picture with the words that stand for it."""

from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from mensura.dialogue.prompts.base import Prompt


@dataclass(frozen=True)
class Image(Prompt):
    """A picture, with words for those who cannot see it."""

    kind: ClassVar[str] = "image"
    content: bytes
    words: str
    media_type: str = "image/png"

    @classmethod
    def from_file(cls, path: str | Path, *, words: str) -> "Image":
        """Read a PNG, JPEG or SVG file."""
        kinds = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".svg": "image/svg+xml"}
        return cls(Path(path).read_bytes(), words, kinds[Path(path).suffix.lower()])

    @property
    def url(self) -> str:
        """The picture inside a link, as pages and language models take it."""
        return f"data:{self.media_type};base64,{b64encode(self.content).decode()}"

    def data(self) -> dict[str, Any]:
        return {"kind": self.kind, "url": self.url, "words": self.words}

    def text(self) -> str:
        return f"[Picture: {self.words}]"
