"""Reading items from a file of JSON lines, or from dicts."""

import json
import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from mensura.catalog.bank.spaces import option_text, read_answer, read_space
from mensura.dialogue import Bank, Item, Space
from mensura.dialogue.spaces.base import shown
from mensura.dialogue.spaces.text import storable
from mensura.errors import BadFile, BadParameter, MensuraError, unknown
from mensura.scores.grades.grade import GRADERS, graded_truth, is_graded, read_grade

Source = str | os.PathLike[str] | Iterable[Any] | Callable[[], Iterable[Any]]
PARTS = ("prompt", "answer", "options", "id", "tags", "group", "licence", "space", "grade")
EACH = "Write one JSON object with `prompt` and `answer` on each line"


def read_file(path: str | os.PathLike[str], *, name: str | None = None, space: Any = None, grade: Any = None) -> Bank:
    """Read the items of a file; a mistake is named with its line.

    Parameters
    ----------
    path
        A file of JSON lines.
    name
        What the bank is called; after its file where nothing is given.
    space
        The space of the items that name none.
    grade
        The grader of the items that name none and whose answers it can read.
    """
    read = ((f"{path}:{number}", _item_of(text, space, grade)) for number, text in _lines(path))
    items = _collect(read, empty=f"{path} holds no items. {EACH}.")
    return Bank(items, name=name or clean_name(Path(path).stem))


def read_items(source: Any, *, name: str | None = None, space: Any = None, grade: Any = None) -> Bank:
    """Read items from dicts or `Item`s, or from a function that gives them."""
    given = source() if callable(source) else source
    if isinstance(given, (Mapping, Item)) or not isinstance(given, Iterable):
        raise BadParameter(f"A bank is made from a file or from many items; got {shown(source)}.")
    called = name or clean_name(getattr(source, "__name__", "bank"))
    read = (
        (f"Item {place} of {called}", lambda data=data: read_item(data, space=space, grade=grade))
        for place, data in enumerate(given, start=1)
    )
    return Bank(_collect(read, empty=f"{called} holds no items."), name=called)


def clean_name(name: str) -> str:
    """Make the name of a test from that of a file.

    >>> clean_name("Übung 3 (final)")
    'ubung-3-final'
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9_]+", "-", plain).strip("-") or "bank"


def read_item(data: Any, *, space: Any = None, grade: Any = None) -> Item:
    """Read one item from a dict with `prompt` and `answer`, and optional further parts; or check one that is made.

    Raises
    ------
    MensuraError
        If something is missing, of the wrong type, unknown, or if the answer lies outside its space.

    Examples
    --------
    >>> item = read_item({"prompt": "2 + 2?", "options": ["3", "4"], "answer": "B", "tags": ["easy"]})
    >>> item.answer, item.space.kind, item.tags
    ('4', 'choice', ('easy',))
    """
    if isinstance(data, Item):
        right = data.answer if is_graded(data.answer) else read_answer(data.space, data.answer)
        return replace(data, answer=right, tags=tuple(data.tags))
    if not isinstance(data, Mapping):
        raise BadFile(f"An item is a JSON object; got {shown(data)}. {EACH}.")
    for part in data:
        if part not in PARTS:
            raise BadFile(str(unknown("part of an item", str(part), known=PARTS, see=f"Parts are {', '.join(PARTS)}.")))
    prompt = data.get("prompt")
    if not isinstance(prompt, str) or not prompt.strip():
        raise BadFile(f"It has no `prompt`: the text of the question; got {shown(prompt)}.")
    options, answer = data.get("options"), data.get("answer")
    graded = data.get("grade")
    # To a grader the parts of a list are each right, or are the members of a set; they are of one kind.
    kind = answer
    if isinstance(answer, (list, tuple)) and (graded is not None or grade is not None):
        kind = next((one for one in answer if not isinstance(one, (list, tuple))), "")
    found = read_space(space if data.get("space") is None else data["space"], options=options, answer=kind)
    if isinstance(options, (list, tuple)) and any(
        type(option) is type(answer) and option == answer for option in options
    ):
        answer = option_text(answer)
    return Item(
        _text(prompt, "prompt"),
        found,
        _right(found, answer, own=graded, grade=grade),
        id=_name(data, "id"),
        tags=_tags(data.get("tags")),
        group=_name(data, "group"),
        licence=_name(data, "licence"),
    )


def _lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, str]]:
    """Return the lines that hold anything, with their numbers."""
    try:
        content = Path(path).expanduser().read_bytes()
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror}. Check the path.") from None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = content.count(b"\n", 0, error.start) + 1
        raise BadFile(f"{path}:{number}: this is not UTF-8. Save the file as UTF-8.") from None
    # Not splitlines: JSON allows line separators of Unicode inside of a text.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, line


def _item_of(text: str, space: Any, grade: Any) -> Callable[[], Item]:
    return lambda: read_item(_json(text), space=space, grade=grade)


def _right(space: Space, answer: Any, *, own: Any, grade: Any) -> Any:
    """Return what is right: with the grader that the item names, or that of its bank where it can read the answers."""
    if answer is None or (own is None and grade is None):
        return read_answer(space, answer)
    name, _ = read_grade(grade if own is None else own)
    kinds = GRADERS[name].kinds
    if space.kind in kinds:
        return graded_truth(grade if own is None else own, answer)
    if own is None:
        return read_answer(space, answer)
    raise BadFile(f"The grader {name} reads a {' or a '.join(kinds)}; this item asks for a {space.kind}.")


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadFile(f"{twice!r} appears twice in one line; keep one of them.")
    return found


def _json(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_no_number, object_pairs_hook=_once_each)
    except json.JSONDecodeError as error:
        raise BadFile(f"This is not JSON: {error.msg} at character {error.pos + 1}. {EACH}.") from None
    except (ValueError, RecursionError) as error:
        raise BadFile(f"This is not JSON: {error}. {EACH}.") from None


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is not a number; write null where there is no answer")


def _collect(read: Iterable[tuple[str, Callable[[], Item]]], *, empty: str) -> list[Item]:
    """Make all items, and say of which the first mistake is; no two may ask the same or have the same id."""
    items: list[Item] = []
    asked: dict[str, str] = {}
    for where, make in read:
        try:
            item = make()
        except MensuraError as error:
            raise BadFile(f"{where}: {error}") from None
        if item.hash in asked:
            raise BadFile(f"{where}: This asks the same as {asked[item.hash]}. Keep one of them.")
        if item.id and item.id in asked:
            raise BadFile(f"{where}: The id {item.id!r} is that of {asked[item.id]}. Give it another.")
        asked[item.hash] = where
        asked[item.key] = where
        items.append(item)
    if not items:
        raise BadFile(empty)
    return items


def _name(data: Mapping[str, Any], part: str) -> str:
    """Read a part that is a text, or a number that serves as one."""
    value = data.get(part)
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise BadFile(f"`{part}` is a text; got {shown(value)}.")
    return _text(str(value), part)


def _tags(tags: Any) -> tuple[str, ...]:
    if tags is None:
        return ()
    if not isinstance(tags, (list, tuple)) or not all(isinstance(tag, str) for tag in tags):
        raise BadFile(f'`tags` is a list of texts, ["easy"]; got {shown(tags)}.')
    return tuple(_text(tag, "tags") for tag in tags)


def _text(text: str, part: str) -> str:
    """Refuse what no database stores."""
    if not storable(text):
        raise BadFile(f"`{part}` holds a character that cannot be stored: NUL, or half of a surrogate pair.")
    return text
