"""People of the world: they speak at the conference, own reservations, or write mail."""

from typing import Literal

from mensura.catalog.crisis.world.data import Data

Style = Literal["plain", "formal", "terse", "chatty", "careless", "anxious", "pompous"]


class Person(Data):
    """Someone with an address and a way of writing."""

    id: str
    name: str
    mail: str
    phone: str
    affiliation: str = ""
    fax: str = ""
    site: str = ""
    post: str = ""
    """What they do: chair, speaker, secretary, vendor's clerk."""
    style: Style = "plain"
