"""Prices: what their makers ask for a million tokens, as of a date; a price that is not listed is not known."""

import re
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mensura.yaml_file import read_yaml

SNAPSHOT = re.compile(r"-(\d{4}-\d{2}-\d{2}|\d{8}|latest)$")


def list_prices(model: str, *, address: str, batch: bool = False) -> dict[str, Any]:
    """Return the listed price of a model at its maker's own address, as options of a manner; {} where none is listed.

    A dated version of a model has the price of the model.

    >>> list_prices("gpt-4o-mini-2024-07-18", address="https://api.openai.com/v1")["price_in"]
    0.15
    >>> list_prices("gpt-4o-mini", address="http://localhost:8000/v1")
    {}
    """
    table = _table()
    for provider in table["providers"].values():
        if urlsplit(address).hostname != urlsplit(provider["address"]).hostname:
            continue
        found = provider["models"].get(model) or provider["models"].get(SNAPSHOT.sub("", model))
        if found is not None:
            priced = f"list price {'of batches ' if batch else ''}as of {table['date']}"
            found = found["batch"] if batch else found
            return {"price_in": float(found["in"]), "price_out": float(found["out"]), "priced": priced}
    return {}


@cache
def _table() -> Any:

    return read_yaml(Path(__file__).with_name("prices.yaml"))
