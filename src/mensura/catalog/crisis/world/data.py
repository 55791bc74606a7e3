"""Data: the base of everything in the world that is read from and written to files."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mensura.errors import BadFile

Model = TypeVar("Model", bound="Data")
Key = TypeVar("Key")
Value = TypeVar("Value")
Count = Annotated[int, Field(ge=0)]
Amount = Annotated[float, Field(ge=0)]


class Data(BaseModel):
    """A thing of the world: typed, checked when it is read, never changed afterwards."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    def data(self) -> dict[str, Any]:
        """Return it as JSON; what has its default is left out."""
        return self.model_dump(mode="json", exclude_defaults=True)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Copy it with changes; what was worked out about the old one is forgotten."""
        made = super().model_copy(update=update, deep=deep)
        for name in made.__dict__.keys() - type(self).model_fields.keys():
            del made.__dict__[name]
        return made


def grouped(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, list[Value]]:
    """Return what belongs to each key, in order.

    >>> grouped([("hall", "a"), ("foyer", "b"), ("hall", "c")])
    {'hall': ['a', 'c'], 'foyer': ['b']}
    """
    found: dict[Key, list[Value]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def read(model: type[Model], said: Mapping[str, Any], *, place: str | Path) -> Model:
    """Check data from a file; the first fault is named with its place.

    >>> from mensura.catalog.crisis.world.campus.place import Building
    >>> read(Building, {"id": "oak", "nam": "Oak House"}, place="world.yaml")
    Traceback (most recent call last):
    mensura.errors.BadFile: world.yaml: name: Field required.
    """
    try:
        return model.model_validate(said)
    except ValidationError as wrong:
        first = wrong.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise BadFile(f"{place}: {where}: {first['msg']}.") from None
