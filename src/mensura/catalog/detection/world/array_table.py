"""Tables kept as columns: tens of millions of rows must fit into memory, so numbers are no wider than they need be."""

from dataclasses import fields
from typing import Any, Self, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray


class ArrayTable:
    """A dataclass of arrays of one length, each as wide as its annotation says."""

    __slots__ = ()

    @classmethod
    def names(cls) -> list[str]:
        """Return the names of the columns."""
        return [each.name for each in fields(cls)]  # type: ignore[arg-type]

    @classmethod
    def of(cls, **columns: Any) -> Self:
        """Copy columns of any width."""
        kinds = {name: get_args(get_args(hint)[1])[0] for name, hint in get_type_hints(cls).items()}
        return cls(**{name: np.array(columns[name], kind) for name, kind in kinds.items()})

    @classmethod
    def joined(cls, parts: list[Self]) -> Self:
        """Put tables below one another."""
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in cls.names()))

    def __len__(self) -> int:
        return len(getattr(self, self.names()[0]))

    def only(self, chosen: NDArray[np.int64] | NDArray[np.bool_] | slice) -> Self:
        """Return some of the rows."""
        return type(self)(*(getattr(self, name)[chosen] for name in self.names()))

    def columns(self) -> dict[str, Any]:
        """Return the columns by name."""
        return {name: getattr(self, name) for name in self.names()}
