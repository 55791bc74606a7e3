"""Inclusion rules: which items count, said before anybody has answered."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from hashlib import blake2b
from pathlib import Path
from typing import Any

from mensura.errors import BadFile, unknown
from mensura.yaml_file import read_yaml


@dataclass(frozen=True, slots=True)
class InclusionRules:
    """Which items count in a grade. An item that does not is reported with its reason, never dropped in silence."""

    least_answers: int = 10
    """An item that fewer calibrators answered is not decided on, and stays out."""
    agreement: float = 0.8
    """Least share of calibrators who answer as the author meant."""
    confidence: float = 0.0
    """Least mean confidence, where it was asked."""
    differing: bool = True
    """Whether items count that function differently between groups of calibrators."""
    written: str = ""
    """When and where the rules were written down, in words."""

    def __post_init__(self) -> None:
        if self.least_answers < 1 or not 0 <= self.agreement <= 1 or not 0 <= self.confidence <= 1:
            raise BadFile("Rules have least_answers from 1, and agreement and confidence between 0 and 1.")

    @property
    def hash(self) -> str:
        """A hash of what the rules say, to be written down with them."""
        return blake2b(repr(sorted(asdict(self).items())).encode(), digest_size=8).hexdigest()

    def as_json(self) -> dict[str, Any]:
        """Return them for a machine."""
        return {**asdict(self), "hash": self.hash}


def read_rules(path: str | Path) -> InclusionRules:
    """Read rules from a YAML file; what it does not say is as usual."""
    data = read_yaml(path)
    known = [field.name for field in fields(InclusionRules)]
    if not isinstance(data, Mapping):
        raise BadFile(f"{path}: rules are a mapping with {', '.join(known)}.")
    for key in data:
        if key not in known:
            raise unknown("rule", str(key), known=known, see=f"Rules are {', '.join(known)}.")
    try:
        return InclusionRules(**{key: type(getattr(InclusionRules(), key))(value) for key, value in data.items()})
    except (TypeError, ValueError) as error:
        raise BadFile(f"{path}: {error}") from None


def younger_than(rules: Path, answers: Path) -> str:
    """Return a warning where the file of rules was changed after that of the answers, empty otherwise."""
    if rules.stat().st_mtime > answers.stat().st_mtime:
        return f"{rules.name} was changed after {answers.name}: by the files' times the rules were not written before."
    return ""
