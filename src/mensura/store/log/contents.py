"""Contents: prompts and spaces, stored once under their address and loaded when somebody looks at them."""

from typing import TYPE_CHECKING, Any

from mensura.dialogue.canonical import content_address
from mensura.errors import Altered
from mensura.store import text

if TYPE_CHECKING:
    from mensura.store.store import Store

AHEAD = 100
"""How many events are looked through at once: a reader of one prompt reads the next ones too."""
SELECT = (
    "SELECT number, address, body FROM events JOIN contents ON content = address "
    "WHERE session = ? AND number >= ? AND number < ?"
)


class ContentLoader:
    """Fetches prompt and space of an ask by its event number; None where there is none."""

    def __init__(self, store: "Store", session: str) -> None:
        self.store = store
        self.session = session
        self._from = -AHEAD
        self._bodies: dict[int, str] = {}

    def __call__(self, number: int) -> Any:
        """Return prompt and space of the ask with this number."""
        if not self._from <= number < self._from + AHEAD:
            session = self.store.custodies.find(self.session).number
            with self.store.database.reading() as connection:
                statement = self.store.database.sql(SELECT)
                rows = connection.exec_driver_sql(statement, (session, number, number + AHEAD))
                self._bodies = {number: self._checked(address, body) for number, address, body in rows}
            self._from = number
        return text.read_some(self._bodies.get(number))

    def _checked(self, address: str, body: str) -> str:
        if content_address(body) != address:
            raise Altered(f"What was shown in {self.session} is not what was written; `mensura audit` says where.")
        return body
