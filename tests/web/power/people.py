"""People who answer at once, in a process whose every write is recorded: `python -m tests.web.power.people FOLDER`.

In the folder `safe` as the laboratory is served, in `unsafe` without flushes. What was acknowledged is written into the
file `acknowledged` beside the store, and so it is recorded in its order.
"""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sqlalchemy import event

from mensura.store.flush import Flush
from mensura.web.app import create_app
from mensura.web.participant.invitation import invite
from mensura.web.settings import WebSettings
from tests.web.conftest import Visitor

PEOPLE, ANSWERS = 3, 5


def take_part(folder: Path, *, pragmas: list[str]) -> None:
    """Let everyone answer, in a store of its own."""
    os.environ["MENSURA_KEY_FILE"] = str(folder / "keys" / "store.key")
    app = create_app(WebSettings(store=str(folder / "mensura.db")))
    lab = app.state.laboratory

    def prepare(connection, _) -> None:
        # Often, so that some cuts come between the log and the store.
        for pragma in ("wal_autocheckpoint=8", *pragmas):
            connection.execute(f"PRAGMA {pragma}")

    lab.store.database.engine.dispose()
    event.listen(lab.store.database.engine, "connect", prepare)
    _, links = invite("coin", store=lab.store, sessions=PEOPLE, seed=1, parameters={"flips": ANSWERS + 1})
    told = os.open(folder / "acknowledged", os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def answer(number: int) -> None:
        link = links[number]
        person = Visitor(app, link.path)
        for turn in range(ANSWERS):
            percent = 10 * number + turn + 1
            assert person.answer(str(percent)).status_code == 200
            os.write(told, f"{link.session} {percent / 100}\n".encode())

    with ThreadPoolExecutor(PEOPLE) as pool:
        list(pool.map(answer, range(PEOPLE)))


if __name__ == "__main__":
    base = Path(sys.argv[1])
    for name in ("safe", "unsafe"):
        (base / name).mkdir()
    take_part(base / "safe", pragmas=[])
    Flush.wait = lambda self: None  # type: ignore[method-assign]
    take_part(base / "unsafe", pragmas=["synchronous=OFF"])
    # A power cut closes nothing in order.
    os._exit(0)
