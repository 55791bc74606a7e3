"""YAML from outside: what a file or a text holds, or one sentence with the line at which it cannot be read.

Every YAML goes through here. The parser in C ends the whole process where parts are nested some ten thousand deep, and
three hundred characters of aliases of aliases stand for more than any memory holds. So depth, size and what aliases
stand for are counted on the stream of events, which needs neither stack nor memory, before anything is built.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mensura.errors import BadFile
from mensura.text_file import read_text

LARGEST = 16 * 2**20
"""Characters of a text; one that long takes minutes to read."""
DEEPEST = 100
MERGE = "tag:yaml.org,2002:merge"
MOST_NODES = 1_000_000
"""Values, lists and mappings, each counted wherever an alias repeats it."""


def read_yaml(path: str | Path) -> Any:
    """Read what a YAML file holds.

    Parameters
    ----------
    path
        The file; `~` is the user's own folder.
    """
    return parse_yaml(read_text(path), path)


def parse_yaml(text: str, path: str | Path, *, tags: Mapping[str, Callable[[str], Any]] | None = None) -> Any:
    """Return the value of YAML from a file; `tags` reads the text behind a tag (`!function utils.clean`)."""
    import yaml

    class Loader(_fastest()):  # type: ignore[misc]
        """A separate one, so that no other file knows the tags."""

        def flatten_mapping(self, node: Any) -> None:
            """Refuse a key that is written twice, then copy in what `<<` names."""
            # A mapping that another one merged before it was built itself holds the merged keys already.
            if id(node) not in flat:
                flat.add(id(node))
                _check_keys(self, node, path)
            super().flatten_mapping(node)

    flat = set[int]()
    for tag, make in (tags or {}).items():
        Loader.add_constructor(tag, lambda loader, node, make=make: make(str(node.value)))
    with bounded_yaml(text, path):
        return yaml.load(text, Loader=Loader)  # noqa: TID251


@contextmanager
def bounded_yaml(text: str, path: str | Path, *, aliases: bool = True, line: str = ":") -> Iterator[None]:
    """Check the bounds of a text, and raise whatever a reader of YAML raises inside as a sentence with the line.

    Parameters
    ----------
    text
        The YAML.
    path
        What the sentence calls it.
    aliases
        Whether references (`*name`) to other parts are read; else they are refused.
    line
        The text between the path and the number of a line.
    """
    import yaml

    try:
        _check_bounds(text, f"{path}{line}", aliases=aliases)
        yield
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        # The faster reader notices what is missing only behind the last line.
        where = f"{path}{line}{min(mark.line + 1, text.count(chr(10)) + 1)}" if mark else str(path)
        raise BadFile(f"{where}: this is not YAML: {_said(error)}.") from None
    # Texts that only look like a date or a number (2027-13-45), and tags on what is none (`!!int ""`).
    except (ValueError, LookupError, AttributeError, TypeError, ArithmeticError) as error:
        raise BadFile(f"{path}: this is not YAML: {error}.") from None


def _check_keys(loader: Any, node: Any, path: str | Path) -> None:
    """Refuse a mapping in which a key is written twice: the last would win, and nobody would know."""
    import yaml

    lines: dict[Hashable, int] = {}
    for name, _ in node.value:
        if not isinstance(name, yaml.ScalarNode) or name.tag == MERGE:
            continue
        key, line = loader.construct_object(name), name.start_mark.line + 1
        if not isinstance(key, Hashable):
            continue
        if key in lines:
            raise BadFile(f"{path}:{line}: the key {key!r} is in line {lines[key]} already; keep one.")
        lines[key] = line


def _check_bounds(text: str, place: str, *, aliases: bool) -> None:
    """Refuse a text that is too long, nested too deeply, or holds too many parts once its aliases are written out."""
    import yaml

    if len(text) > LARGEST:
        raise BadFile(f"{place}1: this YAML is too large: at most {LARGEST:,} characters are read.")
    total, sizes = 0, dict[str | None, int]()
    around: list[tuple[str | None, int]] = []  # The anchors of the parts that are open, and the total before each.
    for event in yaml.parse(text, Loader=_fastest()):  # noqa: TID251
        here = f"{place}{event.start_mark.line + 1 if event.start_mark else 1}"
        if isinstance(event, yaml.CollectionEndEvent):
            anchor, before = around.pop()
            if anchor is not None:
                sizes[anchor] = total - before
            continue
        if isinstance(event, yaml.AliasEvent):
            if not aliases:
                raise BadFile(f"{here}: Write the part out: references (`*{event.anchor}`) are not read here.")
            if any(anchor == event.anchor for anchor, _ in around):
                raise BadFile(f"{here}: `*{event.anchor}` refers to a part that contains it.")
            total += sizes.get(event.anchor, 1)
        elif isinstance(event, yaml.NodeEvent):
            if isinstance(event, yaml.CollectionStartEvent):
                around.append((event.anchor, total))
                if len(around) > DEEPEST:
                    raise BadFile(f"{here}: this YAML is nested more than {DEEPEST} levels deep.")
            elif event.anchor is not None:
                sizes[event.anchor] = 1
            total += 1
        if total > MOST_NODES:
            raise BadFile(
                f"{here}: this YAML is too large: with what its aliases repeat it has more than {MOST_NODES:,} parts."
            )


def _fastest() -> Any:
    """Return PyYAML's safe loader in C, ten times faster than the one in Python, where it was built."""
    import yaml

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # noqa: TID251


def _said(error: Any) -> str:
    """Return what a reader of YAML says is wrong, in one line."""
    return str(getattr(error, "problem", None) or str(error).partition("\n")[0]).rstrip(".")
