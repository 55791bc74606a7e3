"""Supply: vendors, what they sell, and the orders that stand."""

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


class Order(Data):
    """An order that stands: for an event, at a room and a slot."""

    id: str
    vendor: str
    item: str
    quantity: int = Field(ge=1)
    event: str
    room: str
    slot: int
