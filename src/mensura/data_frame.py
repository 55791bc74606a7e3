"""Tables of results for pandas, polars or Arrow, none of which the rest of the program needs."""

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any, Literal

from mensura.errors import MissingExtra, unknown

Form = Literal["pandas", "polars", "arrow"]
BROUGHT = {"pandas": ("pandas", "frames"), "polars": ("polars", "polars"), "arrow": ("pyarrow", "datasets")}
"""Form → the package that makes it, and the extra that brings the package."""


def data_frame(rows: Iterable[Mapping[str, Any]], form: Form) -> Any:
    """Return rows as a DataFrame of pandas or polars, or as a Table of Arrow.

    >>> data_frame([{"score": 1.0}, {"score": None}], "arrow").num_rows
    2
    """
    if form not in BROUGHT:
        raise unknown("form of tables", form, known=BROUGHT, see=f"There are {', '.join(BROUGHT)}.")
    package, extra = BROUGHT[form]
    try:
        library: Any = import_module(package)
    except ImportError:
        raise MissingExtra(f"Tables for {form}", package=package, extra=extra) from None
    listed = [dict(row) for row in rows]
    if form == "pandas":
        return library.DataFrame(listed)
    return library.Table.from_pylist(listed) if form == "arrow" else library.DataFrame(listed, infer_schema_length=None)
