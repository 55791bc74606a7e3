"""Contents: prompts and spaces, stored once under their address and loaded when somebody looks at them."""

from typing import TYPE_CHECKING, Any

from mensura.store import text

if TYPE_CHECKING:
    from mensura.store.store import Store

AHEAD = 100
"""How many events are looked through at once: whoever reads one prompt reads the next ones too."""
SELECT = (
    "SELECT number, body FROM events JOIN contents ON content = address "
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
        """Give prompt and space of the ask with this number."""
        if not self._from <= number < self._from + AHEAD:
            session = self.store._session_number(self.session)
            with self.store.reading() as connection:
                statement = self.store._sql(SELECT)
                rows = connection.exec_driver_sql(statement, (session, number, number + AHEAD))
                self._bodies = {row[0]: row[1] for row in rows}
            self._from = number
        return text.read_some(self._bodies.get(number))
