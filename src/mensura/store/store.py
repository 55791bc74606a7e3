"""Store: everything that is kept of runs, sessions and people, each kind in a separate room."""

from typing import Any, Self

from mensura.store.database import Database
from mensura.store.graphs import Graphs
from mensura.store.log.deeds import Deeds
from mensura.store.log.events import Events
from mensura.store.log.exchanges import Exchanges
from mensura.store.log.exclusions import Exclusions
from mensura.store.log.records import Records
from mensura.store.log.results import Results
from mensura.store.log.runs import RunLedger
from mensura.store.log.saves import Saves
from mensura.store.log.sessions import Sessions
from mensura.store.log.transcript import Transcript
from mensura.store.log.truths import TruthLedger
from mensura.store.people.accounts import Accounts
from mensura.store.people.belonging import Belongings
from mensura.store.people.copies import Copies
from mensura.store.people.erasure import Erasure
from mensura.store.people.invitations import Invitations
from mensura.store.people.keys import Keys
from mensura.store.people.members import Members
from mensura.store.people.panels import Panels
from mensura.store.people.presence import Presence
from mensura.store.people.recruiting_links import RecruitingLinks
from mensura.store.people.seating import Seating
from mensura.store.people.second_factor import SecondFactors
from mensura.store.people.shared_limits import SharedLimits
from mensura.store.people.trail import AuditTrail
from mensura.store.place import Place, find_place
from mensura.store.sealed.adoption import Adoption
from mensura.store.sealed.custody import Custodies
from mensura.store.sealed.keyring import Keyring
from mensura.store.sealed.opening import Opening


class Store:
    """Everything that is kept of runs and sessions; `mensura.store.open_store` opens one.

    Safe to share between threads. Pickled as its URL, so that a worker opens it again.
    """

    def __init__(self, place: Place, *, key: bytes | None = None, **options: Any) -> None:
        self.database = Database(place, **options)
        self.keyring = Keyring(self.database, key)
        self.custodies = Custodies(self.database, self.keyring)
        saves = Saves(self.database, self.keyring)
        adoption = Adoption(self.database, self.custodies, saves)

        self.runs = RunLedger(self.database, self.keyring, Opening(self.database, self.keyring))
        self.sessions = Sessions(self.database, self.custodies, self.runs)
        self.events = Events(self.database, self.custodies, saves, adoption)
        self.transcript = Transcript(self.events)
        self.exchanges = Exchanges(self.events)
        self.truths = TruthLedger(self.database, self.custodies)
        self.exclusions = Exclusions(self.database, self.custodies)
        self.deeds = Deeds(self.database, self.custodies)
        self.results = Results(self.database, self.custodies, self.exclusions)
        self.records = Records(self)

        self.accounts = Accounts(self.database)
        self.keys = Keys(self.database)
        self.second_factors = SecondFactors(self.database, self.keyring)
        self.members = Members(self.database)
        self.belongings = Belongings(self.database)
        self.invitations = Invitations(self.database, Erasure(self.database, self.custodies, adoption, saves))
        self.limits = SharedLimits(self.database)
        self.panels = Panels(self.database)
        self.graphs = Graphs(self.database)
        self.presence = Presence(self.database)
        self.recruiting_links = RecruitingLinks(self.database)
        self.seating = Seating(self.database)
        self.trail = AuditTrail(self.database)
        self.copies = Copies(self.database, self.trail)
        if self.database.migrated:
            adoption.adopt_unfinished()

    @property
    def url(self) -> str:
        """Return the address that opens this store again, from any folder and process; may hold a password."""
        return self.database.place.url

    def close(self) -> None:
        """Close all connections; the store can still be opened again."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Store {self.database.place.shown}>"

    def __reduce__(self) -> tuple[Any, ...]:
        database = self.database
        options = {"read_only": database.read_only, "patience": database.patience, "durable": database.durable}
        return _reopen, (self.url, self.keyring.given, options)


def _reopen(url: str, key: bytes | None, options: dict[str, Any]) -> Store:
    return Store(find_place(url), create=False, key=key, **options)
