"""YAML files: what a user has written in one, or a sentence with the line at which it is not YAML."""

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


def parse_yaml(text: str, path: str | Path) -> Any:
    """Read YAML that stands in a file."""
    import yaml

    try:
        return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # Ten times faster, where built.
    except (yaml.YAMLError, ValueError) as error:  # A ValueError: a date that no calendar has.
        mark = getattr(error, "problem_mark", None)
        # The faster reader notices what is missing only behind the last line.
        where = f"{path}:{min(mark.line + 1, text.count(chr(10)) + 1)}" if mark else str(path)
        raise BadFile(f"{where}: this is not YAML: {getattr(error, 'problem', error)}.") from None
