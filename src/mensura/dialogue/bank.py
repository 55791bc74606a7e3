"""Bank: a set of items, each a question with its own content hash, tags and truth apart."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mensura.dialogue.canonical import short_hash
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
    """

    prompt: PromptLike
    space: Space
    answer: Any = None
    id: str = ""
    tags: tuple[str, ...] = ()
    group: str = ""
    licence: str = ""

    @cached_property
    def hash(self) -> str:
        """Hash of the question. The answer is no part of it: the hash is in addresses, which subjects may see."""
        return short_hash({"prompt": prompt_data(self.prompt), "space": self.space.data()})

    @property
    def key(self) -> str:
        """The name of its answer in a record."""
        return self.id or self.hash


class Bank:
    """A set of items, found by hash or by key; no two of them ask the same.

    >>> from mensura.dialogue import Choice
    >>> easy, hard = Item("2 + 2?", Choice(("3", "4")), "4", tags=("easy",)), Item("7 * 8?", Choice(("54", "56")), "56")
    >>> bank = Bank([easy, hard])
    >>> len(bank), [item.prompt for item in bank.where({"tag": "easy"})]
    (2, ['2 + 2?'])
    """

    def __init__(self, items: Iterable[Item], *, name: str = "bank") -> None:
        self.name = name
        self.items = tuple(items)
        self._by_hash: dict[str, Item] = {}
        self._by_key: dict[str, Item] = {}
        for place, item in enumerate(self.items, start=1):
            if item.hash in self._by_hash:
                raise BadFile(
                    f"Item {place} of {name} asks the same as one before it ({_short(item)}). Keep one of them."
                )
            if item.key in self._by_key:
                raise BadFile(
                    f"Item {place} of {name} has the id {item.id!r}, which another item has. Give it its own."
                )
            self._by_hash[item.hash] = item
            self._by_key[item.key] = item

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    def find(self, hash: str) -> Item:
        """Find an item by its hash."""
        if hash not in self._by_hash:
            raise BadFile(f"{self.name} no longer holds the item {hash}: it was changed since the run was begun.")
        return self._by_hash[hash]

    def hash_of(self, key: str) -> str:
        """Return the hash of the item with this key; "" where there is none."""
        item = self._by_key.get(key)
        return "" if item is None else item.hash

    def group_of(self, key: str) -> str:
        """Return the group of the item with this key; "" where it stands alone."""
        item = self._by_key.get(key)
        return "" if item is None else item.group

    def where(self, conditions: Conditions = (), *, limit: int | None = None) -> "Bank":
        """Select the items that meet every condition (`tag`, `group`, `id` or `licence`), at most `limit` of them."""
        if limit is not None and limit < 1:
            raise BadParameter(f"--limit is the number of items to take, at least 1; got {limit}.")
        pairs = list(conditions.items() if isinstance(conditions, Mapping) else conditions)
        for name, _ in pairs:
            if name not in CONDITIONS:
                raise unknown("property of an item", name, known=CONDITIONS, see=f"There are {', '.join(CONDITIONS)}.")
        chosen = [item for item in self.items if all(_meets(item, *one) for one in pairs)]
        if not chosen:
            said = ", ".join(f"{name}={value}" for name, value in pairs)
            tags = sorted({tag for item in self.items for tag in item.tags})
            raise BadParameter(f"No item of {self.name} has {said}. Its tags are {', '.join(tags) or 'none'}.")
        return Bank(chosen[:limit], name=self.name)

    @cached_property
    def hash(self) -> str:
        """Hash of all questions and their answers, whatever their order."""
        return short_hash(sorted(short_hash([item.hash, item.answer, item.group]) for item in self.items))


CONDITIONS = ("tag", "group", "id", "licence")


def _meets(item: Item, name: str, value: str) -> bool:
    return value in item.tags if name == "tag" else getattr(item, name) == value


def _short(item: Item) -> str:
    text = str(item.prompt)
    return text if len(text) <= 60 else text[:57] + "..."
