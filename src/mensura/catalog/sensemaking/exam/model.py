"""The exam and its seven tasks as typed data. What a subject may not see yet is optional, and absent in its copy."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.exam.place import Attack, AttackSite, Centre, Dispersion, GridPoint
from mensura.catalog.sensemaking.exam.probs import Probs, published_probs
from mensura.catalog.sensemaking.exam.regions import Regions
from mensura.catalog.sensemaking.exam.roads import RoadNetwork

NORMALISATION_MODES = (
    "NormalizeAfterAndConfirm",
    "NormalizeAfter",
    "NormalizeDuringManual",
    "NormalizeDuringInstaneous",  # the original's spelling
    "NormalizeOff",
)


@dataclass(frozen=True, slots=True)
class GridSize:
    """The map's size and scale."""

    width: int = 100
    height: int = 100
    miles_per_unit: float = 0.3
    bottom_left_lat: float = 0.0
    bottom_left_lon: float = 0.0


@dataclass(frozen=True, slots=True)
class InstructionPage:
    """A page of instructions as the exam file names it: its attributes, in order."""

    attributes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Pause:
    """A break before a task."""

    text: str
    seconds: int = 0
    required: bool = True
    countdown: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """What stands round the trials of a task: its name, instructions, break and the order of the layer menu."""

    id: str
    name: str
    exam_id: str | None = None
    show_score: bool | None = None
    reverse_layer_order: bool | None = None
    pages: tuple[InstructionPage, ...] = ()
    pause: Pause | None = None


@dataclass(frozen=True, slots=True)
class Tutorial:
    """The pages shown before the exam and the groups of their practice controls."""

    groups: tuple[str, ...] = ()
    pages: tuple[InstructionPage, ...] = ()


@dataclass(frozen=True, slots=True)
class LearningBlock:
    """Attacks shown one after another, then one attack whose group is to be judged (Tasks 1-3)."""

    number: int
    trial: int
    file: str
    attacks: tuple[Attack, ...]
    probe: GridPoint
    truth: str | None = None
    spreads: tuple[Dispersion, ...] | None = None
    distances: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class LearningTask:
    """Tasks 1-3: learn where the groups attack from a growing sample."""

    number: int
    frame: Heading
    groups: tuple[str, ...]
    trials: tuple[LearningBlock, ...]
    roads: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MapTrial:
    """What a trial of Tasks 4 to 6 has: its map, the INTs shown or offered, and what came true."""

    number: int
    file: str
    roads: str
    regions: str
    layers: tuple[Layer, ...]
    distances: tuple[float, ...] | None = None
    truth: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopingTrial(MapTrial):
    """Task 4: one group with a known centre may attack any of several sites."""

    group: str
    centre: Centre
    sites: tuple[AttackSite, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionTrial(MapTrial):
    """Tasks 5 and 6: one attacked site, groups with known centres, INTs shown in order or chosen from a menu."""

    site: AttackSite
    centres: tuple[Centre, ...]
    humint: tuple[float, ...] | None = None
    choices: int | None = None

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups judged, in order."""
        return tuple(centre.group for centre in self.centres)

    def feature(self, layer: Layer) -> str:
        """Return what a layer reports on this trial."""
        return _feature(layer, self.site, self.centres)


@dataclass(frozen=True, slots=True)
class ScopingTask:
    """Task 4."""

    number: int
    frame: Heading
    trials: tuple[ScopingTrial, ...]


@dataclass(frozen=True, slots=True)
class FusionTask:
    """Task 5 (layers in a fixed order) or 6 (layers chosen)."""

    number: int
    frame: Heading
    trials: tuple[FusionTrial, ...]


@dataclass(frozen=True, slots=True)
class WaveTrial:
    """Task 7: four possible sites on the fixed map; who attacks and where is known to the exam only."""

    number: int
    file: str
    sites: tuple[AttackSite, ...]
    centres: tuple[Centre, ...]
    layers: tuple[Layer, ...]
    costs: tuple[float, ...]
    group_shown: bool = False
    truth_group: str | None = None
    truth_site: str | None = None

    def feature(self, layer: Layer, *, site: str) -> str:
        """Return what a layer bought after the attack on `site` reports."""
        return _feature(layer, next(place for place in self.sites if place.name == site), self.centres)


def _feature(layer: Layer, site: AttackSite, centres: tuple[Centre, ...]) -> str:
    heard = next((centre.sigint for centre in centres if centre.group == layer.group), None)
    found = {"SIGINT": heard, "IMINT": site.imint, "MOVINT": site.movint, "SOCINT": site.region}[layer.kind]
    if found is None:
        raise LookupError(f"there is no {layer} report on site {site.name}")
    return found


@dataclass(frozen=True, slots=True)
class WaveTask:
    """Task 7: self-initiated sensemaking in waves of attacks, with credits to spend on layers."""

    frame: Heading
    roads: str
    regions: str
    initial_group: str
    trials: tuple[WaveTrial, ...]
    credits: float = 10.0
    credits_for_correct: float = 1.0
    number: int = 7


Task = LearningTask | ScopingTask | FusionTask | WaveTask


@dataclass(frozen=True)
class Exam:
    """A whole exam: its tasks by number and the roads and regions they use by file name."""

    id: str
    name: str
    tasks: Mapping[int, Task]
    roads: Mapping[str, RoadNetwork]
    regions: Mapping[str, Regions]
    grid: GridSize = field(default_factory=GridSize)
    time_stamp: str | None = None
    normalisation: str | None = None
    version: str | None = None
    tutorial: Tutorial | None = None
    rule_pages: tuple[InstructionPage, ...] = ()
    probs: Probs = field(default_factory=published_probs)
    faults: tuple[str, ...] = ()
    """What was mended in reading it."""

    def __hash__(self) -> int:
        return hash((self.id, self.name))
