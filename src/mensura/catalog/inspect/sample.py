"""Samples of Inspect as items: what is shown, where the answer must lie, and what is right."""

from collections.abc import Iterable, Sequence
from typing import Any

from mensura.dialogue import Choice, Item, Text
from mensura.errors import BadFile

WORDS = Text(longest=1_000_000)
"""Where free answers lie; models that reason aloud write much."""
LONGEST_TAG = 40


def item_of(sample: Any, *, messages: Sequence[Any] | None = None, choosing: bool, read_only: bool = False) -> Item:
    """Make an item of a sample of a dataset or a log.

    Parameters
    ----------
    messages
        What is shown where solvers changed it; None: the sample's input.
    choosing
        Whether one of the sample's choices is asked for, rather than a text.
    read_only
        Whether the item only stands in records: pictures and the like are then named, not refused.

    Raises
    ------
    BadFile
        If it holds what cannot be asked here; the message names the sample.
    """
    given = sample.input if messages is None else messages
    try:
        prompt = plain(given if isinstance(given, str) else chat_text(given, read_only=read_only))
        if not prompt.strip() and not read_only:
            raise BadFile("it asks nothing")
        space = Choice(_options(sample.choices)) if choosing and sample.choices else WORDS
        answer = _right(space.options, sample.target) if isinstance(space, Choice) else sample.target
    except BadFile as error:
        raise BadFile(f"Sample {sample.id!r} cannot be taken as an item: {error}.") from None
    return Item(prompt, space, answer, id=plain(str(sample.id)), tags=tuple(_tags(sample.metadata or {})))


def chat_text(messages: Iterable[Any], *, read_only: bool = False) -> str:
    """Return chat messages as one text: a lone question as it is, a talk with the roles before their words."""
    said = [(message.role, _words(message, read_only=read_only)) for message in messages]
    talk = [(role, words) for role, words in said if role != "system"]
    shown = [words for _, words in talk] if len(talk) == 1 else [f"{role.capitalize()}: {text}" for role, text in talk]
    return "\n\n".join([*(words for role, words in said if role == "system"), *shown])


def plain(text: str) -> str:
    """Leave out of a text what no database stores."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode()


def _words(message: Any, *, read_only: bool) -> str:
    if message.role == "tool" and not read_only:
        raise BadFile("its input holds the result of a tool")
    parts = [message.content] if isinstance(message.content, str) else message.content
    words = []
    for part in parts:
        kind = "text" if isinstance(part, str) else part.type
        if kind != "text" and not read_only:
            raise BadFile(f"its input holds {kind}, and only text can be asked")
        words.append(part if isinstance(part, str) else part.text if kind == "text" else f"[{kind}]")
    return "\n".join(words)


def _options(choices: Sequence[str]) -> tuple[str, ...]:
    options = tuple(plain(choice) for choice in choices)
    if len(set(options)) < len(options) or len(options) < 2:
        raise BadFile("its choices are not two or more different ones")
    return options


def _right(options: Sequence[str], target: Any) -> str:
    """Find the one choice that a target names by its letter."""
    letters = target if isinstance(target, str) else ",".join(target)
    place = ord(letters.strip()) - ord("A") if len(letters.strip()) == 1 else -1
    if not 0 <= place < len(options):
        raise BadFile(f"its target {letters!r} is not the letter of one choice")
    return options[place]


def _tags(metadata: dict[str, Any]) -> Iterable[str]:
    """Offer short facts of a sample to select by: `--where tag=level=3`."""
    for name, value in metadata.items():
        if isinstance(value, (str, int, float)) and len(str(value)) <= LONGEST_TAG:
            yield plain(f"{name}={value}")
