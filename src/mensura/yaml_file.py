"""YAML files: what a user has written in one, or a sentence with the line at which it is not YAML."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from mensura.errors import BadFile
from mensura.text_file import read_text


def read_yaml(path: str | Path) -> Any:
    """Read what a YAML file holds.

    Parameters
    ----------
    path
        The file; `~` is the user's own folder.
    """
    return parse_yaml(read_text(path), path)


def parse_yaml(text: str, path: str | Path, *, tags: Mapping[str, Callable[[str], Any]] | None = None) -> Any:
    """Read YAML that stands in a file; `tags` says what becomes of a text behind a tag (`!function utils.clean`)."""
    import yaml

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]  # Ten times faster, where built.
        """One of its own, so that no other file knows the tags."""

    for tag, make in (tags or {}).items():
        Loader.add_constructor(tag, lambda loader, node, make=make: make(str(node.value)))
    try:
        return yaml.load(text, Loader=Loader)
    except (yaml.YAMLError, ValueError) as error:  # A ValueError: a date that no calendar has.
        mark = getattr(error, "problem_mark", None)
        # The faster reader notices what is missing only behind the last line.
        where = f"{path}:{min(mark.line + 1, text.count(chr(10)) + 1)}" if mark else str(path)
        raise BadFile(f"{where}: this is not YAML: {getattr(error, 'problem', error)}.") from None
