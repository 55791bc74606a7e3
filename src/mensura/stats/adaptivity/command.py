"""`mensura adaptivity`: what courses gained, lost and took, from a file of measurements."""

import json
from pathlib import Path

import click

from mensura.console import json_option, show
from mensura.errors import BadFile
from mensura.json_file import loads
from mensura.text_file import read_text


@click.command("adaptivity")
@click.argument("file", type=click.Path(path_type=Path))
@json_option
def command(file: Path, as_json: bool) -> None:
    """Measure what courses gained, lost and took, from a JSON file of one of three kinds.

    \b
      {"R": [[0.8, 0.3], [0.6, 0.9]], "b": [0.1, 0.1]}     level on each task after each phase; untrained
      {"times": [10, 20, 30, null], "horizon": 50}         when each course reached a level; null is never
      {"arms": {"x": {"on_x": [0.9, 0.8], "on_y": [0.5, 0.4]}}}   trained on X, on Y, on X then Y, split

    docs/adaptivity.md says what arms hold and what each number means.
    """
    from mensura.stats.adaptivity.document import read_document

    try:
        data = loads(read_text(file))
    except json.JSONDecodeError as error:
        raise BadFile(f"{file} is not JSON: {error.msg} in line {error.lineno}.") from None
    found = read_document(data)
    show(found, [found["sentence"]], as_json=as_json)
