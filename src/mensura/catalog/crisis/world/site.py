"""The conference's web site: pages of entries, each a few named fields."""

from mensura.catalog.crisis.world.data import Data


class SiteEntry(Data):
    """One row of the site's database: an event, a person, a hotel, a page of words."""

    id: str
    page: str
    """The page on which it stands: programme, people, venue, sponsors, travel, news ..."""
    fields: dict[str, str]
    event: str = ""
    """The event it announces; its fields "room" and "time" are what publishing the schedule writes."""
