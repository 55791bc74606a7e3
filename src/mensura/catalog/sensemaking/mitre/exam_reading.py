"""Reading an exam: the XML file and the tables it names."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar
from xml.etree.ElementTree import Element

from mensura.catalog.sensemaking.exam.model import (
    Exam,
    FusionTask,
    FusionTrial,
    GridSize,
    LearningBlock,
    LearningTask,
    ScopingTask,
    ScopingTrial,
    Task,
    WaveTask,
    WaveTrial,
)
from mensura.catalog.sensemaking.exam.place import Attack, AttackSite, Centre, GridPoint
from mensura.catalog.sensemaking.exam.probs import Probs, published_probs, read_probs
from mensura.catalog.sensemaking.exam.regions import Regions
from mensura.catalog.sensemaking.exam.roads import RoadNetwork
from mensura.catalog.sensemaking.mitre import element as el
from mensura.catalog.sensemaking.mitre.table import FeatureVector, read_regions, read_roads, read_table
from mensura.errors import BadFile
from mensura.xml_file import read_xml

PROBS = "probs.toml"
ROOT = "IcarusEvaluation_CPD1"

Kind = TypeVar("Kind", RoadNetwork, Regions)


def find_exam(path: Path) -> Path:
    """Return the exam file: the path itself, or the fullest exam in a folder (truth and parameters before neither)."""
    if not path.exists():
        raise BadFile(f"{path} does not exist; give an exam file or the folder that holds it.")
    if path.is_file():
        return path
    found = []
    for candidate in sorted(path.glob("*.xml")):
        text = candidate.read_bytes()
        # Looked at as text: parsing every file of the folder would take longer than reading the exam.
        if ROOT.encode() in text[:2000] and b"<ExamPhase" in text and b"<TrialResponse" not in text:
            reverse = b'reverseLayerOrder="true"' in text
            known = [tag in text for tag in (b"<GroundTruth ", b"<CentersToAttackDistances")]
            found.append((-sum(known), reverse, candidate.name, candidate))
    if not found:
        raise BadFile(f"No exam in {path}: an exam is an XML file whose root is {ROOT}.")
    return min(found)[-1]


def read_exam(path: Path) -> Exam:
    """Read an exam from its XML file, or from a folder that holds one, with the tables it names.

    The original format has no place for PROBS: they are read from `probs.toml` beside the exam, and are the published
    ones where there is none.
    """
    file = find_exam(Path(path))
    root = read_xml(file)
    if root.tag != ROOT:
        raise BadFile(f"{file} begins with <{root.tag}>; an exam begins with <{ROOT}>.")
    beside = file.parent / PROBS
    return _Reading(file, root, read_probs(beside) if beside.exists() else published_probs()).exam()


class _Reading:
    """One reading of one file: remembers where it is for error messages and which tables it has read."""

    def __init__(self, file: Path, root: Element, probs: Probs) -> None:
        self.file = file
        self.root = root
        self.probs = probs
        self.roads: dict[str, RoadNetwork] = {}
        self.regions: dict[str, Regions] = {}
        self.faults: list[str] = []

    def exam(self) -> Exam:
        root = self.root
        tasks = {}
        for phase in root.iter("ExamPhase"):
            number = el.task_number(phase, where=str(self.file))
            tasks[number] = self._task(number, phase)
        if not tasks:
            raise BadFile(f"{self.file} has no ExamPhase, so there is nothing to take.")
        return Exam(
            id=root.get("id", ""),
            name=root.get("name", ""),
            tasks=tasks,
            roads=self.roads,
            regions=self.regions,
            grid=self._grid(),
            time_stamp=root.get("examTimeStamp"),
            normalisation=root.findtext("NormalizationMode"),
            version=root.findtext("ApplicationVersion"),
            tutorial=el.tutorial(root.find("Tutorial")),
            probs=self.probs,
            rule_pages=el.pages(root, "ProbabilityRulesInstructions/ProbabilityRulesPage"),
            faults=tuple(self.faults),
        )

    def _grid(self) -> GridSize:
        size = self.root.find("GridSize")
        if size is None:
            return GridSize()
        where = f"{self.file}, GridSize"
        return GridSize(
            width=int(el.number(size, "gridWidth", where=where)),
            height=int(el.number(size, "gridHeight", where=where)),
            miles_per_unit=el.number(size, "milesPerGridUnit", where=where),
            bottom_left_lat=float(size.get("bottomLeftLat", 0)),
            bottom_left_lon=float(size.get("bottomLeftLon", 0)),
        )

    def _task(self, number: int, phase: Element) -> Task:
        frame = el.frame(phase)
        where = f"{self.file}, Task {number}"
        if number <= 3:
            roads = self._file(phase, "RoadsFile", self.roads, read_roads)
            blocks = tuple(self._block(block, roads, where) for block in phase.iter("TrialBlock"))
            if not blocks:
                raise BadFile(f"{where}: no TrialBlock.")
            groups = el.words(el.need(phase, ".//GroupProbe/Groups", where=where))
            return LearningTask(number, frame, groups, blocks, roads)
        trials = list(phase.iter("Trial"))
        if not trials:
            raise BadFile(f"{where}: no Trial.")
        if number == 4:
            return ScopingTask(number, frame, tuple(self._scoping(trial, where) for trial in trials))
        if number in (5, 6):
            return FusionTask(number, frame, tuple(self._fusion(trial, where) for trial in trials))
        roads, regions = self._map(phase, where)
        return WaveTask(
            frame=frame,
            roads=roads,
            regions=regions,
            initial_group=el.need(phase, "InitialResponsibleGroup", where=where),
            trials=tuple(self._wave(trial, roads, where) for trial in trials),
            credits=(el.numbers(phase, "InitialCredits", where=where) or (10.0,))[0],
            credits_for_correct=(el.numbers(phase, "CorrectPredictionCredits", where=where) or (1.0,))[0],
        )

    def _block(self, block: Element, roads: str | None, where: str) -> LearningBlock:
        trial = el.child(block, "ProbeTrial", where=where)
        where = f"{where}, trial {trial.get('trialNum')}"
        attack = el.child(trial, "GroupProbe/AttackLocation", where=where)
        name, rows = self._table(block, where)
        return LearningBlock(
            number=int(el.number(block, "trialBlockNum", where=where)),
            trial=int(el.number(trial, "trialNum", where=where)),
            file=name,
            attacks=tuple(Attack(row.text("objectid"), self._place(row, roads, where)) for row in rows),
            probe=self._on_road(el.place(attack, where=where), roads, where),
            truth=_truth(trial, "responsibleGroup"),
            spreads=el.spreads(trial, where=where),
            distances=el.numbers(trial, "CentersToAttackDistances", where=where),
        )

    def _scoping(self, trial: Element, where: str) -> ScopingTrial:
        where = f"{where}, trial {trial.get('trialNum')}"
        shared, sites, centres = self._shared(trial, where, "CenterToAttackDistances", "attackLocationId")
        group = el.need(trial, "LocationProbe/AttackGroup", where=where)
        named = el.words(el.need(trial, "LocationProbe/Locations", where=where))
        if len(centres) != 1 or tuple(site.name for site in sites) != named:
            hold = f"{shared['file']} should hold one Group and the sites {' '.join(named)}, in that order."
            raise BadFile(f"{where}: {hold}")
        return ScopingTrial(group=group, centre=centres[0], sites=sites, **shared)

    def _fusion(self, trial: Element, where: str) -> FusionTrial:
        where = f"{where}, trial {trial.get('trialNum')}"
        shared, sites, centres = self._shared(trial, where, "CentersToAttackDistances", "responsibleGroup")
        if len(sites) != 1 or len(centres) < 2:
            raise BadFile(f"{where}: {shared['file']} should hold one Location and at least two Groups.")
        return FusionTrial(
            site=sites[0],
            centres=centres,
            humint=el.numbers(trial, "InitialHumintReport/Probabilities", where=where),
            choices=el.optional_whole(trial, "numLayersToShow", where=where),
            **shared,
        )

    def _shared(
        self, trial: Element, where: str, distances: str, truth: str
    ) -> tuple[dict[str, Any], tuple[AttackSite, ...], tuple[Centre, ...]]:
        """What trials of Tasks 4 to 6 have in common, and their sites and centres."""
        roads, regions = self._map(trial, where)
        file, rows = self._table(trial, where)
        shared = {
            "number": int(el.number(trial, "trialNum", where=where)),
            "file": file,
            "roads": roads,
            "regions": regions,
            "layers": el.layers(trial, where=where),
            "distances": el.numbers(trial, distances, where=where),
            "truth": _truth(trial, truth),
        }
        return shared, self._sites(rows, roads, where), self._centres(rows, roads, where)

    def _wave(self, trial: Element, roads: str, where: str) -> WaveTrial:
        where = f"{where}, trial {trial.get('trialNum')}"
        name, rows = self._table(trial, where)
        offered = trial.findall("INTLayers/INTLayer")
        return WaveTrial(
            number=int(el.number(trial, "trialNum", where=where)),
            file=name,
            sites=self._sites(rows, roads, where),
            centres=self._centres(rows, roads, where),
            layers=el.layers(trial, where=where),
            costs=tuple(el.number(layer, "costCredits", where=where) for layer in offered),
            group_shown=trial.findtext("ResponsibleGroupShown", "false").strip() == "true",
            truth_group=_truth(trial, "responsibleGroup"),
            truth_site=_truth(trial, "attackLocationId"),
        )

    def _table(self, parent: Element, where: str) -> tuple[str, list[FeatureVector]]:
        name = el.child(parent, "FeatureVectorFile", where=where).get("featureVectorUrl_CSV", "")
        return name, read_table(self._beside(name))

    def _map(self, parent: Element, where: str) -> tuple[str, str]:
        roads = self._file(parent, "RoadsFile", self.roads, read_roads)
        regions = self._file(parent, "RegionsFile", self.regions, read_regions)
        if roads is None or regions is None:
            raise BadFile(f"{where}: RoadsFile or RegionsFile is missing.")
        return roads, regions

    def _file(self, parent: Element, tag: str, known: dict[str, Kind], read: Callable[[Path], Kind]) -> str | None:
        found = parent.find(tag)
        if found is None:
            return None
        name = found.get("featureVectorUrl_CSV", "")
        if name not in known:
            known[name] = read(self._beside(name))
        return name

    def _beside(self, name: str) -> Path:
        folder = self.file.parent.resolve()
        path = (folder / name).resolve()
        if folder not in path.parents:
            raise BadFile(f"{self.file} names the table {name!r} outside its folder. Put it beside the exam.")
        return path

    def _place(self, row: FeatureVector, roads: str | None, where: str) -> GridPoint:
        return self._on_road(row.place(), roads, f"{where}, {row.file}, line {row.line}")

    def _on_road(self, place: GridPoint, roads: str | None, where: str) -> GridPoint:
        """Move a place beside the roads onto them, and note it; in public exams some sites lie a unit off."""
        if roads is None or (near := self.roads[roads].nearest(place)) == place or place in self.roads[roads]:
            return place
        self.faults.append(f"{where}: ({place.x:g}, {place.y:g}) is not on a road; ({near.x:g}, {near.y:g}) is taken.")
        return near

    def _sites(self, rows: list[FeatureVector], roads: str, where: str) -> tuple[AttackSite, ...]:
        return tuple(
            AttackSite(
                name=row.text("objectid"),
                place=self._place(row, roads, where),
                region=_region(row),
                imint=self._feature(row, "IMINT"),
                movint=self._feature(row, "MOVINT"),
            )
            for row in rows
            if row.text("objecttype").lower() == "location"
        )

    def _centres(self, rows: list[FeatureVector], roads: str, where: str) -> tuple[Centre, ...]:
        return tuple(
            Centre(row.text("objectid"), self._place(row, roads, where), self._feature(row, "SIGINT"), _region(row))
            for row in rows
            if row.text("objecttype").lower() == "group"
        )

    def _feature(self, row: FeatureVector, kind: str) -> str | None:
        code = row.optional(kind)
        if code is None:
            return None
        try:
            return self.probs.codes[kind][code]
        except KeyError:
            known = ", ".join(f"{key} {name}" for key, name in self.probs.codes[kind].items())
            raise BadFile(f"{row.file}, line {row.line}: {kind} is {code!r}; expected {known}.") from None


def _region(row: FeatureVector) -> str | None:
    """The region's group; Task 7 numbers the groups, the other tasks name them."""
    code = row.optional("SOCINT")
    if code is None:
        return None
    group = {"1": "A", "2": "B", "3": "C", "4": "D"}.get(code, code.upper())
    if group not in ("A", "B", "C", "D"):
        raise BadFile(f"{row.file}, line {row.line}: SOCINT is {code!r}; expected A to D or 1 to 4.")
    return group


def _truth(trial: Element, name: str) -> str | None:
    found = trial.find("GroundTruth")
    return None if found is None else found.get(name)
