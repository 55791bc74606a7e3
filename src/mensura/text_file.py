"""Text files: written where the user said, or one sentence why not."""

from pathlib import Path

from mensura.errors import BadFile


def write_text(path: Path, text: str) -> Path:
    """Write a file, or say in a sentence why it cannot be written there."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadFile(f"{path} cannot be written ({error.strerror or error}); give another place.") from error
    return path
