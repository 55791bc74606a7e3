"""Text files: read or written where the user said, or one sentence why not."""

from pathlib import Path

from mensura.errors import BadFile
from mensura.private_file import make_private


def read_text(path: str | Path) -> str:
    """Read the text of a file, or say why that is not possible; a mark of its encoding is passed over."""
    try:
        return Path(path).expanduser().read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", "it is not UTF-8 text")
        raise BadFile(f"{path} cannot be read: {why}. Check the path.") from None


def write_text(path: Path, text: str, *, private: bool = False) -> Path:
    """Write a file, for its owner only where it tells of people, or say why it cannot be written there."""
    try:
        (make_private(path) if private else path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadFile(f"{path} cannot be written ({error.strerror or error}); give another place.") from error
    return path
