"""Reading: finds the answer in what a model said, and says how, where it was not in the form asked for."""

import json
import re
from dataclasses import dataclass
from typing import Any

from mensura.dialogue import Refused, Space
from mensura.errors import Invalid
from mensura.subjects.model.request import Completion, FunctionCall
from mensura.subjects.outside.protocol import Unreadable, read_json

FENCE = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL)
THOUGHT = re.compile(r"\A\s*<think>(.*?)</think>", re.DOTALL)
BARE = 'The reply was the answer alone, without {"answer": ...}.'


@dataclass(frozen=True)
class Read:
    """An answer, and how a reply out of form was understood; "" where it was in form."""

    value: Any
    understood: str = ""


def read_completion(completion: Completion, space: Space) -> Read:
    """Find the answer to an ask of this space.

    A reply that is nothing but a valid answer is understood, and noted; anything else out of form is `Unreadable`.
    """
    if refused := read_refusal(completion):
        return refused
    if completion.calls:
        return _read_calls(completion.calls, space)
    _, text = split_thought(completion.text)
    for part in (text, *FENCE.findall(text)):
        try:
            said = read_json(part)
        except ValueError:
            continue
        if isinstance(said, dict) and "answer" in said:
            return Read(said["answer"])
    found = _last_answer(text)
    if found is not None:
        return found
    cut = "The reply was cut off at the limit of tokens." if completion.finish == "length" else ""
    return _bare(text, space) or Read(Unreadable(completion.text), cut)


def read_refusal(completion: Completion) -> Read | None:
    """Return that the model or its endpoint declined; None where it did not."""
    if completion.refusal or completion.finish == "content_filter":
        return Read(Refused(completion.refusal or "The endpoint's content filter stepped in."))
    return None


def split_thought(text: str) -> tuple[str, str]:
    """Part what a model thought aloud, between marks at the beginning, from what it said.

    >>> split_thought("<think>Hm.</think> yes")
    ('Hm.', ' yes')
    """
    found = THOUGHT.match(text)
    return ("", text) if found is None else (found[1].strip(), text[found.end() :])


def _read_calls(calls: tuple[FunctionCall, ...], space: Space) -> Read:
    """Read the first call; a subject does one thing at a time, so further ones are not carried out."""
    first, more = calls[0], len(calls) - 1
    others = f"The first of {more + 1} calls counts; {more} more were not carried out." if more else ""
    if space.acts:
        return Read({"call": first.name, "arguments": first.arguments}, others)
    if isinstance(first.arguments, dict) and "answer" in first.arguments:
        return Read(first.arguments["answer"], others)
    unknown = f"It called {first.name!r}, and there is no such tool."
    return Read(Unreadable(json.dumps([first.name, first.arguments])), others or unknown)


def _last_answer(text: str) -> Read | None:
    """Find the last JSON object with an answer within other words, as models write that think aloud."""
    decoder = json.JSONDecoder()  # noqa: TID251
    for place in reversed([found.start() for found in re.finditer(r'\{\s*"answer"', text)]):
        try:
            end = decoder.raw_decode(text, place)[1]
            return Read(read_json(text[place:end])["answer"])
        except (ValueError, RecursionError):
            continue
    return None


def _bare(text: str, space: Space) -> Read | None:
    """Take a reply that is nothing but a valid answer."""
    for part in (text, *FENCE.findall(text)):
        part = part.strip()
        candidates: list[Any] = []
        try:
            candidates.append(read_json(part))
        except ValueError:
            # What looks like JSON that was cut off is no text that was meant as an answer.
            if part and part[0] not in '{["`' and "\n" not in part:
                candidates.append(part)
        for candidate in candidates:
            try:
                space.check(candidate)
            except Invalid:
                continue
            return Read(candidate, BARE)
    return None
