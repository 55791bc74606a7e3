"""Bank: a set of items, each a question with its own content hash, tags and truth apart."""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

from mensura.dialogue.canonical import hash_of_all, short_hash
from mensura.dialogue.packed import Chosen, Names, Packed, Places
from mensura.dialogue.prompts.base import PromptLike, prompt_data
from mensura.dialogue.spaces.base import Space
from mensura.errors import BadFile, BadParameter, unknown

Conditions = Mapping[str, str] | Iterable[tuple[str, str]]


@dataclass(frozen=True, eq=False)
class Item:
    """One question: what is shown, where the answer must lie, and apart from it what is right.

    Parameters
    ----------
    prompt
        What is asked.
    space
        Where the answer must lie.
    answer
        What is right; None where nothing is, or where it is not known yet.
    id
        A name of its own; its hash where it has none.
    tags
        Words to select by.
    group
        Items that share a passage or a template share a group; the group is then the unit of the estimate.
    licence
        Under which terms it may be used.
    before
        What is shown in front of the question, such as solved examples. It is not part of the hash: with and without
        examples it is the same item.
    calibration
        How hard it is on the scale of some persons, as `mensura calibrate` writes it; no part of the hash.
    """

    prompt: PromptLike
    space: Space
    answer: Any = None
    id: str = ""
    tags: tuple[str, ...] = ()
    group: str = ""
    licence: str = ""
    before: str = ""
    calibration: Mapping[str, Any] | None = None

    @cached_property
    def hash(self) -> str:
        """Hash of the question. The answer is not part of it: the hash is in addresses, which subjects may see."""
        return short_hash({"prompt": prompt_data(self.prompt), "space": self.space.data()})

    @property
    def key(self) -> str:
        """The name of its answer in a record."""
        return self.id or self.hash

    @property
    def shown(self) -> PromptLike:
        """All that is shown: the text before the question, and the question."""
        if not self.before:
            return self.prompt
        return self.before + self.prompt if isinstance(self.prompt, str) else [self.before, self.prompt]


@dataclass(frozen=True)
class BankOrigin:
    """Where the items of a bank were read."""

    files: tuple[str, ...] = ()
    """All files that were read, by their full paths: subjects must not see them."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """The part that a run stores, as JSON."""
    left_out: tuple[str, ...] = ()
    """The reason for each row that is not an item."""


class Bank:
    """A set of items, found by hash or by key; no two of them ask the same.

    >>> from mensura.dialogue import Choice
    >>> easy, hard = Item("2 + 2?", Choice(("3", "4")), "4", tags=("easy",)), Item("7 * 8?", Choice(("54", "56")), "56")
    >>> bank = Bank([easy, hard])
    >>> len(bank), [item.prompt for item in bank.where({"tag": "easy"})]
    (2, ['2 + 2?'])
    """

    def __init__(self, items: Iterable[Item], *, name: str = "bank", origin: BankOrigin = BankOrigin()) -> None:
        self.name = name
        self.origin = origin
        self.items: Sequence[Item] = items if isinstance(items, Packed | Chosen) else tuple(items)
        self._hashes = Places(item.hash for item in self.items)
        # Items without a name of their own have their hash as key.
        named = any(item.id for item in self.items)
        self._keys = Places(item.key for item in self.items) if named else self._hashes
        for place in sorted({*self._hashes.repeated, *self._keys.repeated}):
            item = self.items[place]
            if any(self.items[other].hash == item.hash for other in self._hashes.of(item.hash) if other < place):
                raise BadFile(f"Item {place + 1} of {name} asks the same as an earlier one ({_short(item)}). Keep one.")
            if any(self.items[other].key == item.key for other in self._keys.of(item.key) if other < place):
                raise BadFile(f"Item {place + 1} of {name} has the id {item.id!r} of another. Give it another id.")

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    def find(self, hash: str) -> Item:
        """Find an item by its hash."""
        for item in (self.items[place] for place in self._hashes.of(hash)):
            if item.hash == hash:
                return item
        raise BadFile(f"{self.name} no longer holds the item {hash}: restore the file, or begin a new run.")

    def only(self, hashes: Iterable[str]) -> "Bank":
        """Return the items of these hashes that it holds, without the others."""
        found = (place for hash in hashes for place in self._hashes.of(hash) if self.items[place].hash == hash)
        places = array("q", found)
        return self if len(places) == len(self) else Bank(Chosen(self.items, places), name=self.name)

    def hash_of(self, key: str) -> str:
        """Return the hash of the item with this key; "" where there is none."""
        item = self._of_key(key)
        return "" if item is None else item.hash

    def group_of(self, key: str) -> str:
        """Return the group of the item with this key; "" where it stands alone."""
        item = self._of_key(key)
        return "" if item is None else item.group

    def _of_key(self, key: str) -> Item | None:
        found = (self.items[place] for place in self._keys.of(key))
        return next((item for item in found if item.key == key), None)

    def where(self, conditions: Conditions = (), *, limit: int | None = None) -> "Bank":
        """Select the items that meet every condition (`tag`, `group`, `id` or `licence`), at most `limit` of them."""
        if limit is not None and limit < 1:
            raise BadParameter(f"--limit is the number of items to take, at least 1; got {limit}.")
        pairs = list(conditions.items() if isinstance(conditions, Mapping) else conditions)
        for name, _ in pairs:
            if name not in CONDITIONS:
                raise unknown("property of an item", name, known=CONDITIONS, see=f"There are {', '.join(CONDITIONS)}.")
        if not pairs and limit is None:
            return self
        meets = (place for place, item in enumerate(self.items) if all(_meets(item, *one) for one in pairs))
        chosen = array("q", islice(meets, limit))
        if not chosen:
            said = ", ".join(f"{name}={value}" for name, value in pairs)
            tags = sorted({tag for item in self.items for tag in item.tags})
            raise BadParameter(f"No item of {self.name} has {said}. Its tags are {', '.join(tags) or 'none'}.")
        return Bank(Chosen(self.items, chosen), name=self.name, origin=self.origin)

    @property
    def unscored(self) -> int:
        """How many items have no answer: they are asked and not scored."""
        return sum(item.answer is None for item in self.items)

    @cached_property
    def calibrations(self) -> dict[str, Mapping[str, Any]]:
        """Key → calibration of the items that are scored and have one."""
        held = (item for item in self.items if item.answer is not None)
        return {item.key: item.calibration for item in held if item.calibration is not None}

    @property
    def remarks(self) -> list[str]:
        """Return warnings about scores: items without an answer, rows that are not items."""
        found = []
        if self.unscored:
            found.append(f"Items without an answer: {self.unscored} of {len(self)}; they are asked and not scored.")
        if left_out := self.origin.left_out:
            found.append(f"Rows that are left out: {len(left_out)}. The first is {left_out[0]}")
        return found

    @cached_property
    def hash(self) -> str:
        """Hash of all questions and their answers, whatever their order."""
        return hash_of_all(Names(short_hash(_content(item)) for item in self.items).each())


CONDITIONS = ("tag", "group", "id", "licence")


def _content(item: Item) -> list[Any]:
    return [item.hash, item.answer, item.group, *([item.before] if item.before else [])]


def _meets(item: Item, name: str, value: str) -> bool:
    return value in item.tags if name == "tag" else getattr(item, name) == value


def _short(item: Item) -> str:
    text = str(item.prompt)
    return text if len(text) <= 60 else text[:57] + "..."
