"""Supply: vendors, what they sell, and the orders that stand."""

from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from mensura.catalog.crisis.world.data import Amount, Data

VendorKind = Literal["audio-visual", "catering", "security", "flowers", "rentals"]


class Product(Data):
    """Something a vendor sells."""

    id: str
    name: str
    price: Amount
    """Per unit and block."""
    gives: str = ""
    """The equipment that it brings to a room, or "catering" for portions; "" for anything else."""


class Vendor(Data):
    """A firm that takes orders by form only."""

    id: str
    name: str
    kind: VendorKind
    items: tuple[Product, ...]
    lead_days: Annotated[int, Field(ge=0, le=366)] = 1
    """An order must be placed so many days before it is needed."""
    delivery: Amount = 0.0
    """What each order costs besides."""
    change_fee: Amount = 0.0
    cancel_fee: Amount = 0.0

    @cached_property
    def product(self) -> dict[str, Product]:
        """What it sells, by id."""
        return {item.id: item for item in self.items}


class Order(Data):
    """An order that stands: for an event, at a room and a slot."""

    id: str
    vendor: str
    item: str
    quantity: int = Field(ge=1)
    event: str
    room: str
    slot: int
