"""What a performer submits: its component models, their evidence, and how they are joined."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mensura.catalog.sensemaking.neural_fidelity.tables import systems
from mensura.errors import BadFile
from mensura.yaml_file import read_yaml

ARCHITECTURE = "Integrated architecture"
"""What raters judge beside the components: how these are joined, and how biases arise from it."""
KEYS = ("performer", "model", "month", "architecture", "biases", "components")
COMPONENT_KEYS = (
    "system", "additional", "implemented", "integrated_with", "functions", "description", "claims", "simplifications",
    "functional_parts",
)  # fmt: skip


@dataclass(frozen=True)
class Claim:
    """Something a performer claims of a component, with the literature it rests on."""

    text: str
    citations: tuple[str, ...]


@dataclass(frozen=True)
class Component:
    """The model of one brain system."""

    system: str
    description: str
    functions: tuple[str, ...]
    implemented: bool = True
    integrated_with: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    simplifications: tuple[Claim, ...] = ()
    functional_parts: tuple[Claim, ...] = ()
    additional: bool = False

    @property
    def integrated(self) -> bool:
        """Whether it is joined to any other component."""
        return self.implemented and bool(self.integrated_with)

    def uncited(self) -> list[str]:
        """Claims without a citation: the burden of proof is on the performer."""
        return [each.text for each in (*self.claims, *self.simplifications) if not each.citations]

    def expected(self) -> tuple[str, ...]:
        """The functions Table 4 expects of this brain system; none of an additional one."""
        return next((each.functions for each in systems() if each.name == self.system), ())

    def unclaimed(self) -> list[str]:
        """Functions Table 4 expects that the submission does not claim; sensemaking may need only some of them."""
        claimed = {name.strip().lower() for name in self.functions}
        return [name for name in self.expected() if name.lower() not in claimed]

    def as_markdown(self) -> str:
        """The component as raters read it, without a word of who made it."""
        lines = [f"## {self.system}", "", self.description, "", "**Functions**: " + ", ".join(self.functions) + "."]
        if self.expected():
            lines += ["", "**Functions of this brain system (Table 4)**: " + ", ".join(self.expected()) + "."]
        lines += ["", "**Joined to**: " + (", ".join(self.integrated_with) or "nothing yet") + "."]
        for title, items in (
            ("Claims", self.claims),
            ("Simplifications", self.simplifications),
            ("Purely functional parts", self.functional_parts),
        ):
            if items:
                lines += ["", f"**{title}**", ""]
                lines += [f"- {each.text} ({'; '.join(each.citations) or 'no citation'})" for each in items]
        return "\n".join(lines)


@dataclass(frozen=True)
class Submission:
    """One performer's delivery at one month."""

    performer: str
    model: str
    month: int
    components: tuple[Component, ...]
    architecture: str = ""
    biases: str = ""

    def architecture_markdown(self) -> str | None:
        """The integrated architecture and its biases as raters read them; None where nothing is said of either."""
        parts = [(title, text) for title, text in (("Integration", self.architecture), ("Biases", self.biases)) if text]
        if not parts:
            return None
        joined = [f"- {each.system}: {', '.join(each.integrated_with) or 'nothing yet'}" for each in self.components]
        lines = ["## Integrated architecture", "", *(f"**{title}**: {text}\n" for title, text in parts)]
        return "\n".join([*lines, "**Joined to**", "", *joined])

    @property
    def implemented(self) -> int:
        """How many component models are implemented."""
        return sum(component.implemented for component in self.components)

    @property
    def integrated(self) -> int:
        """How many component models are joined to others."""
        return sum(component.integrated for component in self.components)


def read_submission(path: Path) -> Submission:
    """Read a submission from a YAML file."""
    return make_submission(read_yaml(path), where=str(path))


def make_submission(data: Any, *, where: str = "submission") -> Submission:
    """Make a submission from plain data; brain systems are those of Table 4, or declared additional."""
    if not isinstance(data, Mapping):
        raise BadFile(f"{where} should be a mapping with {', '.join(KEYS)}.")
    _known(data, KEYS, where)
    components = data.get("components")
    if not isinstance(components, list) or not components:
        raise BadFile(f"{where} names no components.")
    read = tuple(_component(each, f"{where}, component {place}") for place, each in enumerate(components, start=1))
    names = [component.system for component in read]
    if len(set(names)) < len(names):
        raise BadFile(f"{where} models the same brain system twice; describe it as one component.")
    for component in read:
        for other in component.integrated_with:
            if other not in names:
                raise BadFile(f"{where}: {component.system} is joined to {other!r}, which is not among the components.")
    try:
        month = int(data.get("month", 0))
    except (TypeError, ValueError):
        raise BadFile(f"{where}: month should be a whole number, got {data.get('month')!r}.") from None
    return Submission(
        performer=str(data.get("performer") or ""),
        model=str(data.get("model") or ""),
        month=month,
        components=read,
        architecture=str(data.get("architecture") or ""),
        biases=str(data.get("biases") or ""),
    )


def _component(data: Any, where: str) -> Component:
    if not isinstance(data, Mapping) or not data.get("system"):
        raise BadFile(f"{where} should be a mapping that names its brain system.")
    _known(data, COMPONENT_KEYS, where)
    name = str(data["system"])
    required = {system.name for system in systems()}
    additional = bool(data.get("additional", False))
    if name not in required and not additional:
        raise BadFile(
            f"{where}: {name!r} is not one of the required brain systems ({'; '.join(sorted(required))}); "
            "write additional: true if it is needed for sensemaking besides them."
        )
    return Component(
        system=name,
        description=str(data.get("description") or ""),
        functions=tuple(map(str, data.get("functions") or ())),
        implemented=bool(data.get("implemented", True)),
        integrated_with=tuple(map(str, data.get("integrated_with") or ())),
        claims=_claims(data.get("claims"), where),
        simplifications=_claims(data.get("simplifications"), where),
        functional_parts=_claims(data.get("functional_parts"), where),
        additional=additional,
    )


def _claims(items: Any, where: str) -> tuple[Claim, ...]:
    claims = []
    for item in items or ():
        if isinstance(item, str):
            claims.append(Claim(item, ()))
        elif isinstance(item, Mapping) and item.get("text"):
            cited = item.get("citations") or ()
            claims.append(Claim(str(item["text"]), (cited,) if isinstance(cited, str) else tuple(map(str, cited))))
        else:
            raise BadFile(f"{where}: a claim is a text, or a mapping with text and citations; got {str(item)[:60]!r}.")
    return tuple(claims)


def _known(data: Mapping[str, Any], allowed: tuple[str, ...], where: str) -> None:
    stray = [str(key) for key in data if key not in allowed]
    if stray:
        raise BadFile(f"{where} has no part called {stray[0]!r}; it has {', '.join(allowed)}.")
