"""Chain of thought: free reasoning first, then a last line that holds the answer."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mensura.dialogue import Ask, Noted, Refused, Space, Text, Wait
from mensura.errors import Invalid
from mensura.subjects.group import prompts
from mensura.subjects.model.letters import lettered, letters_of, read_option
from mensura.subjects.outside.protocol import Unreadable, read_json, written
from mensura.subjects.solver.solver import Steps

THINK = (
    "Think step by step, in your own words. Then end with a line that begins with ANSWER: and holds nothing but your "
    "answer."
)
MARK = re.compile(r"^[\s>#*_-]*ANSWER[\s*_]*:[*_]*(.*)$", re.IGNORECASE | re.MULTILINE)
REASONING = Text(longest=200_000, lines=12)


def cot(ask: Ask) -> Steps:
    """Ask for reasoning in free words, and read the answer off its last line that begins with ANSWER:."""
    assert ask.space is not None
    reply = yield replace(ask, prompt=[*prompts(ask), f"{THINK}\n{wanted(ask.space)}"], space=REASONING)
    if isinstance(reply, (Refused, Wait)) or not isinstance(reply, str):
        return reply
    answer = read_answer_line(reply, space=ask.space)
    if isinstance(answer, Unreadable):
        return answer
    return Noted(answer, {"understood": f"Its last line ANSWER: was read as {written(answer)}."})


def wanted(space: Space) -> str:
    """Return in words what the last line may hold; options are listed with their letters."""
    options = options_of(space)
    if not options:
        return space.hint() if space.kind in ("text", "number", "probability") else _as_json(space)
    either = "its letter or the option itself" if letters_of(options) else "the option itself"
    return f"{lettered(options)}\nAnswer with one of them: {either}."


def read_answer_line(text: str, *, space: Space) -> Any:
    """Read the last line that begins with ANSWER: as an answer in a space.

    The text after the mark counts; where nothing follows it on its line, the text below. An option is named as
    `read_option` says; everything else is JSON or, where the space takes a text, that text.

    Returns
    -------
    Any
        The answer, or `Unreadable`, which every space refuses with a sentence.

    Examples
    --------
    >>> from mensura.dialogue import Choice, Number
    >>> read_answer_line("Paris is larger.\\n**ANSWER: b**", space=Choice(("Rome", "Paris")))
    'Paris'
    >>> read_answer_line("ANSWER: 3\\nNo, wait.\\nANSWER: 4", space=Number())
    4.0
    >>> read_answer_line("It is 4.", space=Number())
    the unreadable reply 'It is 4.'
    """
    marks = list(MARK.finditer(text))
    if not marks:
        return Unreadable(text)
    said = marks[-1][1].strip() or text[marks[-1].end() :].strip()
    options = options_of(space)
    if options:
        option = read_option(said, options)
        return Unreadable(text) if option is None else space.check(option)
    plain = said.strip("*_`").strip()
    for reading in (str, read_json):
        try:
            return space.check(reading(plain if reading is str else plain.rstrip(".")))
        except (Invalid, ValueError):
            continue
    return Unreadable(text)


def options_of(space: Space) -> Sequence[str]:
    """Return the options one of which is the answer; none where the answer is something else."""
    options: Sequence[str] = space.schema().get("enum", ())
    return options if all(isinstance(option, str) for option in options) else ()


def _as_json(space: Space) -> str:
    return f"The answer is JSON that fits {written(space.schema())}"
