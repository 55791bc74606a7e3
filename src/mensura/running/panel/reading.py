"""Reading a panel from a YAML file: rubric, artefacts, raters."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mensura.errors import BadFile, MensuraError, unknown
from mensura.running.panel.artefact import Artefact, judged_in, names_behind, session_artefacts
from mensura.running.panel.opening import Opened, open_panel
from mensura.running.panel.raters.assignment import assign
from mensura.running.panel.raters.rater import Rater
from mensura.yaml_file import read_yaml

if TYPE_CHECKING:
    from mensura.store import Store
    from mensura.store.people.panels import Assignment

KEYS = ("name", "rubric", "artefacts", "raters", "overlap", "mask", "keep", "resolution", "seed")
ARTEFACT_KEYS = ("file", "files", "text", "run", "condition", "source")
RATER_KEYS = ("name", "as", "nature")


@dataclass(frozen=True)
class PanelPlan:
    """A panel as its file describes it."""

    name: str
    rubric: Mapping[str, Any]
    artefacts: tuple[Mapping[str, Any], ...]
    raters: tuple[Rater, ...]
    overlap: int = 2
    folder: Path = Path()
    options: Mapping[str, Any] = field(default_factory=dict)

    def carry_out(self, *, store: "Store", who: str = "") -> "tuple[Opened, list[Assignment]]":
        """Open the panel and assign its artefacts."""
        artefacts = [one for given in self.artefacts for one in self._artefacts(given, store)]
        judged = judged_in([given["run"] for given in self.artefacts if "run" in given], store=store)
        rubric = self.rubric or (judged.rubric if judged is not None else {})
        if not rubric:
            raise BadFile("A panel names its rubric.")
        options = dict(self.options)
        if judged is not None:
            options["mask"] = [*judged.mask, *options.get("mask", ())]
        if known := names_behind([one.source for one in artefacts if one.source], store=store):
            options["mask"] = [*options.get("mask", ()), *known]
        opened = open_panel(self.name, artefacts, rubric=rubric, store=store, who=who, **options)
        return opened, assign(self.name, self.raters, overlap=self.overlap, store=store) if self.raters else []

    def _artefacts(self, given: Mapping[str, Any], store: "Store") -> list[Artefact]:
        condition, source = given.get("condition"), str(given.get("source") or "")
        if "run" in given:
            return session_artefacts(given["run"], store=store, condition=condition)
        named = str(condition or "")
        if "text" in given:
            return [Artefact.from_text(given["text"], condition=named, source=source)]
        if "file" in given:
            return [Artefact.from_file(self.folder / given["file"], condition=named, source=source or given["file"])]
        found = sorted(self.folder.glob(given["files"]))
        if not found:
            raise BadFile(f"No file is named like {given['files']!r} in {self.folder}.")
        return [Artefact.from_file(path, condition=named) for path in found]


def read_panel(path: str | Path) -> PanelPlan:
    """Read the panel that a YAML file describes; paths in it are meant from its folder."""
    file = Path(path).expanduser()
    data = read_yaml(path)
    if not isinstance(data, dict):
        raise BadFile(f"{path} must hold a mapping with {', '.join(KEYS[:4])}.")
    try:
        return make_panel(data, folder=file.parent, name=file.stem)
    except MensuraError as error:
        raise BadFile(f"{path}: {error}") from None


def make_panel(data: Mapping[str, Any], *, folder: Path, name: str) -> PanelPlan:
    """Make the plan of a panel from plain data."""
    _check(data, KEYS, "panel")
    if not data.get("artefacts"):
        raise BadFile("A panel names its artefacts.")
    if not data.get("rubric") and not all("run" in given for given in data["artefacts"]):
        raise BadFile("A panel names its rubric.")
    for given in data["artefacts"]:
        _check(given, ARTEFACT_KEYS, "artefact")
        if sum(kind in given for kind in ("file", "files", "text", "run")) != 1:
            raise BadFile(f"An artefact is one of file, files, text or run; got {dict(given)}.")
    return PanelPlan(
        name=str(data.get("name") or name),
        rubric=data.get("rubric") or {},
        artefacts=tuple(data["artefacts"]),
        raters=tuple(_rater(given) for given in data.get("raters") or ()),
        overlap=int(data.get("overlap", 2)),
        folder=folder,
        options={key: data[key] for key in ("mask", "keep", "resolution", "seed") if data.get(key) is not None},
    )


def _rater(given: Any) -> Rater:
    if isinstance(given, str):
        return Rater(given)
    _check(given, RATER_KEYS, "rater")
    return Rater(str(given.get("name") or ""), str(given.get("as") or "human"), given.get("nature"))


def _check(data: Any, allowed: tuple[str, ...], what: str) -> None:
    if not isinstance(data, Mapping):
        raise BadFile(f"Each {what} is a mapping with {', '.join(allowed)}; got {data!r}.")
    for key in data:
        if key not in allowed:
            raise unknown(f"part of a {what}", str(key), known=allowed, see=f"Parts are {', '.join(allowed)}.")
