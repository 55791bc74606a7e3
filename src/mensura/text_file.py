"""Text files: read or written where the user said, or one sentence why not."""

from contextlib import suppress
from errno import EDQUOT, ENOSPC
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
    new = not path.exists()
    try:
        (make_private(path) if private else path).write_text(text, encoding="utf-8")
    except OSError as error:
        if new:
            with suppress(OSError):
                path.unlink()
        raise unwritable(path, error) from error
    return path


def unwritable(path: str | Path, error: OSError) -> BadFile:
    """Return the error for a file that cannot be written, with what to do about it.

    >>> print(unwritable("report.html", OSError(28, "No space left on device")))
    report.html cannot be written: the disk is full. Free some space, or name a file on another disk.
    """
    if error.errno in (ENOSPC, EDQUOT):
        return BadFile(f"{path} cannot be written: the disk is full. Free some space, or name a file on another disk.")
    return BadFile(f"{path} cannot be written ({error.strerror or error}); give another place.")
