"""Few-shot: examples with their answers before the question."""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from mensura.dialogue import Ask, Choice, Noted, Wait, prompt_text
from mensura.dialogue.canonical import short_hash
from mensura.dialogue.spaces.base import shown
from mensura.dialogue.spaces.text import folded
from mensura.errors import BadFile, BadParameter, Invalid
from mensura.json_file import loads
from mensura.subjects.group import prompts
from mensura.subjects.outside.protocol import written
from mensura.subjects.solver.solver import Steps
from mensura.text_file import read_text

HEADING = "Examples with their right answers, before the question that you are to answer:"
QUESTION = "Now the question:"


@dataclass(frozen=True)
class Example:
    """A question with its right answer, as a subject is shown it."""

    prompt: str
    answer: str
    options: tuple[str, ...] = ()
    worked: str = ""
    """The way to the answer."""
    id: str = ""

    @cached_property
    def key(self) -> str:
        """Return its name in the record: its id, or a hash of its question."""
        return self.id or short_hash([self.prompt, *self.options])

    @cached_property
    def folded(self) -> str:
        """Its question, to be compared with others."""
        return folded(self.prompt)

    def __str__(self) -> str:
        options = [f"Options: {', '.join(self.options)}"] if self.options else []
        return "\n".join([self.prompt, *options, *([self.worked] if self.worked else []), f"Answer: {self.answer}"])


class FewShot:
    """Shows examples with their answers above the question; the record names those that were shown.

    No example is shown that asks what is asked, alone or as part of it, and none whose question is in the bank that is
    taken unless that is said.

    Parameters
    ----------
    examples
        A file of JSON lines with `prompt` and `answer`, and `options`, `worked` (the way to the answer) and `id` where
        there are any. Parts that only matter to banks are passed over, so a bank will do.
    shots
        How many are shown.
    drawn
        Draw them anew for each ask by the session's chance; else the first of the file are shown.
    bank_items
        Show items of the bank that is taken too, other than the one that is asked.
    """

    def __init__(
        self,
        *,
        examples: str,
        shots: int = 5,
        drawn: bool = False,
        bank_items: bool = False,
        folder: str = ".",
        asked: frozenset[str] = frozenset(),
    ) -> None:
        if not isinstance(shots, int) or isinstance(shots, bool) or shots < 1:
            raise BadParameter(f"`shots` is the number of examples, at least 1; got {shots!r}.")
        self.shots, self.drawn = shots, drawn
        known = read_examples(Path(folder, Path(str(examples)).expanduser()))
        self.pool = [one for one in known if bank_items or one.folded not in asked]
        # One more, so that no item lacks an example because it is one itself.
        needed = shots + bool(bank_items and asked)
        if len(self.pool) < needed:
            left_out = len(known) - len(self.pool)
            besides = f" ({left_out} more are items of the bank that is taken)" if left_out else ""
            raise BadParameter(
                f"{examples} has {len(self.pool)} examples to show{besides}, and #shots={shots} needs {needed}. Add "
                "examples, or show fewer."
            )

    def __call__(self, ask: Ask, *, rng: np.random.Generator) -> Steps:
        asked = folded(prompt_text(ask.prompt))
        order = rng.permutation(len(self.pool)) if self.drawn else range(len(self.pool))
        others = (one for place in order if (one := self.pool[place]).folded not in asked)
        chosen = list(islice(others, self.shots))
        above = "\n\n".join([HEADING, *map(str, chosen), QUESTION])
        reply = yield replace(ask, prompt=[above, *prompts(ask)])
        return reply if isinstance(reply, Wait) else Noted(reply, {"examples": [one.key for one in chosen]})


def read_examples(path: Path) -> tuple[Example, ...]:
    """Read examples from a file of JSON lines, or raise a sentence with the line that is wrong."""
    try:
        found = path.stat()
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror}. Check the path.") from None
    return _of_file(path, found.st_size, found.st_mtime_ns)


@lru_cache(maxsize=4)
def _of_file(path: Path, size: int, changed: int) -> tuple[Example, ...]:
    """Read a file once, and anew when it has changed: a worker finds its subject again for every item."""
    lines = [(number, line) for number, line in enumerate(read_text(path).split("\n"), start=1) if line.strip()]
    read = []
    for number, line in lines:
        try:
            read.append(_example(line))
        except (BadFile, Invalid) as error:
            raise BadFile(f"{path}, line {number}: {error}") from None
    if not read:
        raise BadFile(f"{path} holds no examples. Write one JSON object with `prompt` and `answer` on each line.")
    return tuple(read)


def _example(line: str) -> Example:
    try:
        data = loads(line)
    except ValueError:
        data = None
    if not isinstance(data, dict) or not isinstance(data.get("prompt"), str) or data.get("answer") is None:
        raise BadFile(f"An example is a JSON object with `prompt` and `answer`; got {line[:60]!r}.")
    given = data.get("options") or ()
    if not isinstance(given, (list, tuple)):
        raise BadFile(f"`options` is a list of texts; got {shown(given)}.")
    options = tuple(str(option).strip() for option in given)
    answer = Choice(options).outcome(data["answer"]) if options else _written(data["answer"])
    return Example(data["prompt"], answer, options, str(data.get("worked") or ""), str(data.get("id") or ""))


def _written(answer: Any) -> str:
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    return answer if isinstance(answer, str) else written(answer)
