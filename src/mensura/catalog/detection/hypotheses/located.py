"""A YAML file that knows on which line everything stands."""

from collections.abc import Hashable
from pathlib import Path
from typing import Any

from mensura.errors import BadFile
from mensura.text_file import read_text
from mensura.yaml_file import bounded_yaml

Place = tuple[Hashable, ...]


class Located:
    """The content of a YAML file, with the line of every key and item, so that an error can name its place.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "small.yaml"
    >>> _ = path.write_text("types:\\n  Attack:\\n    case: true\\n")
    >>> located = Located(path)
    >>> located.content, located.line("types", "Attack", "case")
    ({'types': {'Attack': {'case': True}}}, 3)
    """

    def __init__(self, path: Path) -> None:
        import yaml

        self.path = path
        self._lines: dict[Place, int] = {}
        text = read_text(path)
        with bounded_yaml(text, path, line=", line "):
            loader = yaml.SafeLoader(text)  # noqa: TID251
            node = loader.get_single_node()
            self.content: Any = None if node is None else self._build(node, (), loader)

    def line(self, *place: Hashable) -> int:
        """Return the line where a key or item stands, or the nearest thing around it."""
        while place and place not in self._lines:
            place = place[:-1]
        return self._lines.get(place, 1)

    def error(self, message: str, *place: Hashable) -> BadFile:
        """Make the error that names the file, the line and what is wrong there."""
        return BadFile(f"{self.path}, line {self.line(*place)}: {message}")

    def _build(self, node: Any, place: Place, loader: Any) -> Any:
        import yaml

        self._lines.setdefault(place, node.start_mark.line + 1)
        if isinstance(node, yaml.MappingNode):
            content: dict[Hashable, Any] = {}
            for key_node, value_node in node.value:
                key, line = loader.construct_object(key_node, deep=True), key_node.start_mark.line + 1
                if not isinstance(key, Hashable):
                    raise BadFile(f"{self.path}, line {line}: a key must be plain text.")
                here = (*place, key)
                if key in content:
                    raise BadFile(f"{self.path}, line {line}: {key!r} appears twice; keep one.")
                self._lines[here] = line
                content[key] = self._build(value_node, here, loader)
            return content
        if isinstance(node, yaml.SequenceNode):
            return [self._build(item, (*place, index), loader) for index, item in enumerate(node.value)]
        return loader.construct_object(node, deep=True)
