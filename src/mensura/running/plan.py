"""Plan: what a run takes, and which items of a bank: all that is settled before anything is written down."""

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

from mensura.catalog.find import find_test
from mensura.dialogue import Address, Bank, Test, generator
from mensura.dialogue.definition import require_cast
from mensura.dialogue.packed import Places
from mensura.errors import BadParameter
from mensura.running.reference import reference
from mensura.store.head import RunHead
from mensura.subjects import SubjectSpec
from mensura.subjects.spec import HUMAN

Member = SubjectSpec | str | Callable[..., Any]


@dataclass(frozen=True)
class Plan:
    """The design of a run: the test, its cast by role, its parameters and the name of its setting."""

    test: str | Test
    cast: Mapping[str, SubjectSpec]
    parameters: Mapping[str, Any]
    setting: str = ""

    @property
    def definition(self) -> Test:
        """The test itself."""
        return find_test(self.test)

    @classmethod
    def of(
        cls,
        test: str | Test,
        cast: Member | Mapping[str, Member],
        *,
        parameters: Mapping[str, Any] | None = None,
        setting: str | None = None,
    ) -> "Plan":
        """Complete what a user says of a run: all parameters, and a subject for every role."""
        definition = find_test(test)
        values = definition.fill(parameters, setting=setting)
        complete = definition.complete_cast(cast, values)
        return cls(test, read_cast(complete, roles=definition.cast_roles(values)), values, setting or "")

    @classmethod
    def of_run(cls, head: RunHead) -> "Plan":
        """Read the plan of a stored run."""
        cast = {role: SubjectSpec(**described) for role, described in head.details["subjects"].items()}
        return cls(reference(head), cast, head.parameters, head.condition)


@dataclass(frozen=True)
class Selection:
    """Which items of a bank are taken, and whether each is a separate dialogue."""

    where: tuple[tuple[str, str], ...] = ()
    limit: int | None = None
    together: bool = False
    """All items in one conversation, as people have them."""


def chosen_items(plan: Plan, selection: Selection) -> Bank | None:
    """Choose the items of a bank that are taken one by one; None where the test is taken as a whole."""
    bank = plan.definition.bank
    # What an adaptive test asks next depends on the answers so far.
    together = selection.together or bool(plan.parameters.get("adaptive"))
    whole = bank is None or together or HUMAN in {spec.name for spec in plan.cast.values()}
    if bank is None or whole:
        if selection.where or selection.limit is not None:
            raise BadParameter("--where and --limit choose items of a bank, taken one by one; leave them out here.")
        return None
    return bank.where(selection.where, limit=selection.limit)


def planned_addresses(head: RunHead, sessions: int) -> Sequence[Address]:
    """List the sessions of a run in the order in which they are taken; of a bank, those of each item."""
    items = head.details.get("items") or [""]
    orders: list[Sequence[int]] = [range(len(items))] * sessions
    if head.parameters.get("order") == "shuffled":
        # Streams are addressed by item, so the order in which items are taken changes none of them.
        for number in range(sessions):
            places = list(range(len(items)))
            generator(head.own_seed(), Address(session=number), stream="order").shuffle(places)
            orders[number] = array("q", places)
    return PlannedAddresses(items, orders)


class PlannedAddresses(Sequence[Address]):
    """The addresses of a run, each made when it is looked at: a bank may have a hundred thousand items.

    Parameters
    ----------
    items
        The hashes of its items.
    orders
        For each round through them the places in the order in which they are taken.
    """

    def __init__(self, items: Sequence[str], orders: Sequence[Sequence[int]]) -> None:
        self._items = items
        self._orders = orders

    def __len__(self) -> int:
        return len(self._items) * len(self._orders)

    def __contains__(self, address: object) -> bool:
        if not isinstance(address, Address) or address[:2] != Address()[:2] or address.session >= len(self._orders):
            return False
        return any(self._items[place] == address.item for place in self._places.of(address.item))

    @cached_property
    def _places(self) -> Places:
        return Places(self._items)

    @overload
    def __getitem__(self, place: int) -> Address: ...
    @overload
    def __getitem__(self, place: slice) -> list[Address]: ...
    def __getitem__(self, place: int | slice) -> Address | list[Address]:
        if isinstance(place, slice):
            return [self[one] for one in range(len(self))[place]]
        session, turn = divmod(range(len(self))[place], len(self._items))
        return Address(session=session, item=self._items[self._orders[session][turn]])


def read_cast(cast: Member | Mapping[str, Member], *, roles: Sequence[str]) -> dict[str, SubjectSpec]:
    """Give every role its subject."""
    if not isinstance(cast, Mapping):
        cast = dict.fromkeys(roles, cast)
    require_cast(cast, roles)
    return {role: SubjectSpec.of(cast[role]) for role in roles}


def session_id(run_id: str, address: Address) -> str:
    """Name a session by its run and its address."""
    return f"{run_id}/{address.place}"
