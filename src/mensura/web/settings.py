"""WebSettings: how the laboratory is served."""

import json
import os
from dataclasses import asdict, dataclass

from mensura.json_file import loads

VARIABLE = "MENSURA_WEB"
"""How settings travel to worker processes: as JSON in the environment."""


@dataclass(frozen=True)
class WebSettings:
    """How the laboratory is served.

    Parameters
    ----------
    store
        Where records are kept, as for `open_store`.
    secure
        Send cookies over https only; without it this is done wherever a request came over https.
    workers
        Processes that serve; several count together how often someone asks.
    login_seconds, idle_seconds
        How long a login lasts in all, and without a page being opened; 0: as long as it lasts in all.
    most_bytes
        Largest answer that is read, uploads included.
    absence_seconds
        Silence after which someone counts as gone, where others wait for them.
    at_hand
        Sessions that each process keeps in memory.
    page_rate, address_rate, fault_rate
        Requests a second that one link, one address, and one address with links that are not known may make; each
        may save up a few seconds of them.

    Examples
    --------
    >>> WebSettings(store="lab.db").most_bytes
    8000000
    """

    store: str | None = None
    secure: bool = False
    workers: int = 1
    login_seconds: float = 12 * 3600.0
    idle_seconds: float = 2 * 3600.0
    most_bytes: int = 8_000_000
    absence_seconds: float = 120.0
    at_hand: int = 2000
    page_rate: float = 20.0
    address_rate: float = 1000.0
    fault_rate: float = 1.0

    def to_environment(self) -> None:
        """Leave the settings where worker processes find them."""
        os.environ[VARIABLE] = json.dumps(asdict(self))

    @classmethod
    def from_environment(cls) -> "WebSettings":
        """Read the settings that the first process left."""
        return cls(**loads(os.environ.get(VARIABLE, "{}")))
