"""Reading items from files and folders, or from dicts."""

import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from mensura.catalog.bank.data.folder import open_rows
from mensura.catalog.bank.data.mapping import MAPPED, PARTS, ColumnMap
from mensura.catalog.bank.data.text import EACH, JsonFile
from mensura.catalog.bank.name import BankName
from mensura.catalog.bank.spaces import option_text, read_answer, read_space
from mensura.dialogue import Bank, BankOrigin, Item, Prompt, Space
from mensura.dialogue.packed import Packed
from mensura.dialogue.prompts.base import read_prompt
from mensura.dialogue.spaces.base import shown
from mensura.dialogue.spaces.text import storable
from mensura.errors import BadFile, BadParameter, MensuraError, unknown
from mensura.scores.grades.grade import GRADERS, graded_truth, is_graded, read_grade
from mensura.stats.response.curves import ItemCurve

Source = str | os.PathLike[str] | Iterable[Any] | Callable[[], Iterable[Any]]
OURS = (".jsonl", ".ndjson")
"""Files in the form of our own, where nothing behind their name says that they are in another."""
HOW = ("answers", "split", "config", "bad")


def read_file(path: str | os.PathLike[str], *, name: str | None = None, space: Any = None, grade: Any = None) -> Bank:
    """Read the items of a file or of a dataset's folder; a mistake is named with its line or row.

    Parameters
    ----------
    path
        A file of JSON lines; or a file or folder of data, behind it what its columns mean
        (`./data.parquet#prompt=question#answer=label`).
    name
        What the bank is called; after its file where nothing is given.
    space
        The space of the items that name none.
    grade
        The grader of the items that name none and whose answers it can read.
    """
    named = BankName.read(str(path))
    # A grader is named by its kind, not by a column.
    grade = grade or named.settings.get("grade")
    named = replace(named, settings={key: value for key, value in named.settings.items() if key != "grade"})
    if named.settings or named.file.suffix.lower() not in OURS or named.file.is_dir():
        return _read_data(named, name=name, space=space, grade=grade)
    rows = JsonFile(named.file).rows()
    items = read_each(
        rows, lambda row: read_item(row, space=space, grade=grade), empty=f"{path} holds no items. {EACH}."
    )
    return Bank(items, name=name or clean_name(named.file.stem), origin=BankOrigin((str(named.file.absolute()),)))


def _read_data(named: BankName, *, name: str | None, space: Any, grade: Any) -> Bank:
    """Read items from somebody's data by a mapping of its columns."""
    settings = named.allow(*MAPPED, *HOW)
    folder, split = named.file.is_dir(), settings.get("split", "")
    rows = open_rows(named.file, split=split if folder else "", config=settings.get("config", ""))
    if split and not folder and "split" not in rows.columns:
        raise BadFile(f"{named.path} has no column `split`, so it has no split {split!r}. Leave out #split.")
    mapped = ColumnMap.read(settings, rows, path=named.path)
    left_out = skipping(settings)
    items = read_each(
        mapped.placed(split="" if folder else split),
        lambda row: read_item(mapped.data(row), space=space, grade=grade),
        empty=f"{named.path} holds no items{f' in the split {split}' if split else ''}. Check the file.",
        left_out=left_out,
    )
    called = name or clean_name("-".join(filter(None, [named.file.absolute().stem, settings.get("config"), split])))
    # The folder itself too: a file that is put into it later may belong to the split.
    places = (*rows.places, *([str(named.file.absolute())] if folder else []))
    details = {"mapping": dict(settings), "left_out": len(left_out or ())}
    return Bank(items, name=called, origin=BankOrigin(places, details, tuple(left_out or ())))


def read_items(source: Any, *, name: str | None = None, space: Any = None, grade: Any = None) -> Bank:
    """Read items from dicts or `Item`s, or from a function that gives them."""
    given = source() if callable(source) else source
    if isinstance(given, (Mapping, Item)) or not isinstance(given, Iterable):
        raise BadParameter(f"A bank is made from a file or from many items; got {shown(source)}.")
    called = name or clean_name(getattr(source, "__name__", "bank"))
    placed = ((f"Item {place} of {called}", data) for place, data in enumerate(given, start=1))
    items = read_each(
        placed, lambda data: read_item(data, space=space, grade=grade), empty=f"{called} holds no items.", packed=False
    )
    return Bank(items, name=called)


def read_each(
    placed: Iterable[tuple[str, Any]],
    make: Callable[[Any], Item],
    *,
    empty: str,
    left_out: list[str] | None = None,
    packed: bool = True,
) -> Sequence[Item]:
    """Make an item of everything that is placed somewhere; no two may ask the same or have the same id.

    Parameters
    ----------
    placed
        Where each thing stands, in words, and the thing.
    make
        What makes an item of it, or raises a sentence.
    empty
        What is said where there is nothing.
    left_out
        Takes a sentence for each thing that is no item; None where the first such sentence is raised.
    packed
        Whether the items are kept out of memory; those of a program may hold what cannot be written to a file.
    """
    items: list[Item] | Packed[Item] = Packed() if packed else []
    places: Packed[str] = Packed()
    asked: dict[bytes, int] = {}
    for where, data in placed:
        try:
            item = make(data)
            if (known := asked.get(_digest(item.hash))) is not None:
                raise BadFile(f"This asks the same question as {places[known]}. Keep one of them.")
            if item.id and (known := asked.get(_digest(item.id))) is not None:
                raise BadFile(f"The id {item.id!r} is also that of {places[known]}. Give it another.")
        except MensuraError as error:
            if left_out is None:
                raise BadFile(f"{where}: {error}") from None
            left_out.append(f"{where}: {error}")
            continue
        asked[_digest(item.hash)] = asked[_digest(item.key)] = len(items)
        places.append(where)
        items.append(item)
    if not items:
        raise BadFile(empty)
    return items


def _digest(name: str) -> bytes:
    return blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def skipping(settings: Mapping[str, str]) -> list[str] | None:
    """Return a list to put rows into that are left out, where `#bad=skip` allows that; else None."""
    if settings.get("bad", "skip") != "skip":
        raise BadParameter(f"#bad=skip leaves out rows that are not items; there is no #bad={settings['bad']}.")
    return [] if "bad" in settings else None


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
    prompt = _prompt(data.get("prompt"))
    known = PARTS if isinstance(prompt, str) else (*PARTS, *prompt.beside)
    for part in data:
        if part not in known:
            raise BadFile(str(unknown("part of an item", str(part), known=known, see=f"Parts are {', '.join(known)}.")))
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
        prompt,
        found,
        _right(found, answer, own=graded, grade=grade),
        id=_name(data, "id"),
        tags=_tags(data.get("tags")),
        group=_name(data, "group"),
        licence=_name(data, "licence"),
        calibration=_calibration(data.get("calibration")),
    )


def _prompt(given: Any) -> str | Prompt:
    """Read what is asked: a text, or the data of a prompt whose class can be found."""
    if isinstance(given, Mapping):
        try:
            prompt = read_prompt(given)
        except (TypeError, KeyError) as error:
            raise BadFile(f"The prompt of kind {given.get('kind')!r} cannot be made: {error}.") from None
        if prompt is None:
            raise BadFile(f"`prompt` is a text, or an object of an installed kind of prompt; got {shown(given)}.")
        return prompt
    if not isinstance(given, str) or not given.strip():
        raise BadFile(f"It has no `prompt`: the text of the question; got {shown(given)}.")
    return _text(given, "prompt")


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


def _calibration(given: Any) -> Mapping[str, Any] | None:
    """Check how hard an item is said to be; what other programs wrote beside our numbers is kept."""
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise BadFile(f'`calibration` is an object, {{"model": "2pl", "a": 1.2, "b": 0.3}}; got {shown(given)}.')
    ItemCurve.read(given)
    return dict(given)


def _text(text: str, part: str) -> str:
    """Refuse what no database stores."""
    if not storable(text):
        raise BadFile(f"`{part}` holds a character that cannot be stored: NUL, or half of a surrogate pair.")
    return text
