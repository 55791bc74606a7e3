"""Writing an exam in the original format: the XML file and the tables it names."""

from dataclasses import astuple
from enum import Enum
from pathlib import Path
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.exam.model import (
    Exam,
    FusionTask,
    FusionTrial,
    Heading,
    LearningBlock,
    LearningTask,
    ScopingTask,
    ScopingTrial,
    Task,
    WaveTask,
    WaveTrial,
)
from mensura.catalog.sensemaking.mitre.table import write_regions, write_roads, write_table

TYPE = "{http://www.w3.org/2001/XMLSchema-instance}type"
SCHEMA = "{http://www.w3.org/2001/XMLSchema-instance}schemaLocation"
NOTHING_SCORED = {"ConditionNum": "0", "CountCondition": "true", "ShowInstructionsPage": "true", "ShowScore": "false"}


class Reveal(Enum):
    """How much a written exam tells: everything, truth without the author's parameters, or only the questions."""

    ALL = "all"
    TRUTH = "truth"
    QUESTIONS = "questions"


def write_exam(exam: Exam, path: Path, *, reveal: Reveal = Reveal.ALL, tables: bool = True) -> None:
    """Write an exam file and, beside it, the tables it names."""
    write_tree(exam_element(exam, reveal=reveal), path)
    if tables:
        write_tables(exam, path.parent)


def write_tree(root: Element, path: Path) -> None:
    """Write an element as a file, indented like the originals."""
    indent(root, space="    ")
    ElementTree(root).write(path, encoding="UTF-8", xml_declaration=True)


def exam_element(exam: Exam, *, reveal: Reveal = Reveal.ALL) -> Element:
    """Return the exam as an element tree."""
    root = Element(
        "ns2:IcarusEvaluation_CPD1",
        {"xmlns:ns2": "IcarusCPD_1", "xmlns:ns3": "IcarusCPD_Base", "id": exam.id, "name": exam.name},
    )
    root.set(SCHEMA, "IcarusCPD_Base IcarusBaseSchema.xsd IcarusCPD_1 IcarusCPD_1_Schema.xsd")
    if exam.time_stamp:
        root.set("examTimeStamp", exam.time_stamp)
    add_text(root, "NormalizationMode", exam.normalisation)
    add_text(root, "ApplicationVersion", exam.version)
    if exam.tutorial is not None:
        tutorial = SubElement(root, "Tutorial")
        _texts(tutorial, **NOTHING_SCORED, ProbabilityEntryGroups=" ".join(exam.tutorial.groups))
        add_text(tutorial, "AutoNormalizeProbabilities", "false")
        pages = SubElement(tutorial, "TutorialPages")
        for page in exam.tutorial.pages:
            SubElement(pages, "TutorialPage", dict(page.attributes))
    names = ("gridWidth", "gridHeight", "milesPerGridUnit", "bottomLeftLat", "bottomLeftLon")
    SubElement(root, "GridSize", dict(zip(names, map(repr, astuple(exam.grid)), strict=True)))
    if exam.rule_pages:
        rules = SubElement(root, "ProbabilityRulesInstructions")
        for page in exam.rule_pages:
            SubElement(rules, "ProbabilityRulesPage", dict(page.attributes))
    for number in sorted(exam.tasks):
        phase = SubElement(root, "ExamPhase", {TYPE: f"ns2:Task_{number}_Phase"})
        fill_phase(phase, exam, number, reveal=reveal)
    return root


def fill_phase(phase: Element, exam: Exam, number: int, *, reveal: Reveal, head: Element | None = None) -> None:
    """Write one task into its element; `head` is put where response files name who answered."""
    task: Task = exam.tasks[number]
    _frame(phase, task.frame, exam, reveal=reveal, head=head)
    if isinstance(task, LearningTask):
        _file(phase, "RoadsFile", task.roads)
        for block in task.trials:
            _block(phase, task, block, reveal)
    elif isinstance(task, ScopingTask):
        for scoping in task.trials:
            _scoping(phase, scoping, reveal)
    elif isinstance(task, FusionTask):
        for fusion in task.trials:
            _fusion(phase, fusion, reveal)
    else:
        _wave_task(phase, task, reveal)


def _frame(phase: Element, frame: Heading, exam: Exam, *, reveal: Reveal, head: Element | None) -> None:
    phase.set("id", frame.id)
    if frame.exam_id is not None:
        phase.set("examId", frame.exam_id)
    phase.set("name", frame.name)
    if frame.reverse_layer_order is not None:
        phase.set("reverseLayerOrder", yes_or_no(frame.reverse_layer_order))
    told = frame.show_score is not None
    if told:
        add_text(phase, "ConditionNum", "0")
        add_text(phase, "CountCondition", "true")
    if frame.pages:
        pages = SubElement(phase, "InstructionPages")
        for page in frame.pages:
            SubElement(pages, "InstructionsPage", dict(page.attributes))
    if told:
        add_text(phase, "ShowInstructionsPage", "true")
        add_text(phase, "ShowScore", yes_or_no(bool(frame.show_score)))
    if head is not None:
        phase.append(head)
    if told:
        add_text(phase, "ApplicationVersion", exam.version)
    if frame.pause is not None:
        required, countdown = yes_or_no(frame.pause.required), yes_or_no(frame.pause.countdown)
        length = {"Length_seconds": str(frame.pause.seconds), "Required": required, "ShowCountdown": countdown}
        _texts(SubElement(phase, "Pause", length), **NOTHING_SCORED, InstructionText=frame.pause.text)


def _block(phase: Element, task: LearningTask, block: LearningBlock, reveal: Reveal) -> None:
    groups = " ".join(task.groups)
    outer = SubElement(
        phase, "TrialBlock", {"trialBlockNum": str(block.number), "numPresentationTrials": str(len(block.attacks))}
    )
    _file(outer, "FeatureVectorFile", block.file)
    trial = SubElement(outer, "ProbeTrial", {"trialNum": str(block.trial)})
    if block.spreads is not None and reveal is Reveal.ALL:
        parameters = SubElement(trial, "AttackDispersionParameters")
        for spread in block.spreads:
            each = SubElement(parameters, "Parameters", {"baseRate": repr(spread.base_rate), "group": spread.group})
            where = {"x": repr(spread.centre.x), "y": repr(spread.centre.y)}
            if spread.sigma is None:
                where = {"locationId": spread.group, **where}
            else:
                each.attrib.update(sigmaX=repr(spread.sigma), sigmaY=repr(spread.sigma), theta="0.0")
            SubElement(each, "CenterLocation", where)
    _numbers(trial, "CentersToAttackDistances", block.distances if reveal is Reveal.ALL else None)
    asked = {2: "GroupCirclesProbe", 3: "GroupCentersProbe"}.get(task.number)
    if asked:
        add_text(SubElement(trial, asked), "Groups", groups)
    probe = SubElement(trial, "GroupProbe")
    SubElement(probe, "AttackLocation", {"locationId": "1", "x": repr(block.probe.x), "y": repr(block.probe.y)})
    add_text(probe, "Groups", groups)
    add_text(SubElement(trial, "TroopSelectionProbe"), "Groups", groups)
    _truth(trial, reveal, responsibleGroup=block.truth)
    _surprise(trial)


def _scoping(phase: Element, trial: ScopingTrial, reveal: Reveal) -> None:
    element = SubElement(phase, "Trial", {"trialNum": str(trial.number)})
    _files(element, trial)
    _numbers(element, "CenterToAttackDistances", trial.distances if reveal is Reveal.ALL else None)
    sites = " ".join(site.name for site in trial.sites)

    def probe(parent: Element) -> None:
        asked = SubElement(parent, "LocationProbe")
        add_text(asked, "AttackGroup", trial.group)
        add_text(asked, "Locations", sites)

    probe(element)
    layers = SubElement(element, "INTLayers")
    for layer in trial.layers:
        shown = SubElement(layers, "INTLayer")
        layer_element(shown, layer)
        probe(shown)
    add_text(SubElement(element, "TroopAllocationProbe"), "Locations", sites)
    _truth(element, reveal, attackLocationId=trial.truth)
    _surprise(element)


def _fusion(phase: Element, trial: FusionTrial, reveal: Reveal) -> None:
    element = SubElement(phase, "Trial")
    if trial.choices is not None:
        element.set("numLayersToShow", str(trial.choices))
    element.set("trialNum", str(trial.number))
    _files(element, trial)
    _numbers(element, "CentersToAttackDistances", trial.distances if reveal is Reveal.ALL else None)
    groups = " ".join(trial.groups)
    if trial.humint is not None:
        report = SubElement(element, "InitialHumintReport")
        add_text(report, "Groups", groups)
        _numbers(report, "Probabilities", trial.humint)
    layers = SubElement(element, "INTLayers")
    for layer in trial.layers:
        shown = SubElement(layers, "INTLayer")
        layer_element(shown, layer)
        probe = SubElement(shown, "GroupProbe")
        SubElement(probe, "AttackLocation", {"locationId": trial.site.name})
        add_text(probe, "Groups", groups)
    add_text(SubElement(element, "TroopAllocationProbe"), "Groups", groups)
    _truth(element, reveal, responsibleGroup=trial.truth)
    _surprise(element)


def _wave_task(phase: Element, task: WaveTask, reveal: Reveal) -> None:
    _file(phase, "RoadsFile", task.roads)
    _file(phase, "RegionsFile", task.regions)
    add_text(phase, "InitialResponsibleGroup", task.initial_group)
    add_text(phase, "InitialCredits", f"{task.credits:g}")
    add_text(phase, "CorrectPredictionCredits", f"{task.credits_for_correct:g}")
    for trial in task.trials:
        _wave(phase, trial, reveal)


def _wave(phase: Element, trial: WaveTrial, reveal: Reveal) -> None:
    element = SubElement(phase, "Trial", {"trialNum": str(trial.number)})
    _file(element, "FeatureVectorFile", trial.file)
    sites = " ".join(site.name for site in trial.sites)
    add_text(SubElement(element, "GroupProbe"), "Groups", " ".join(centre.group for centre in trial.centres))
    add_text(SubElement(element, "LocationProbe"), "Locations", sites)
    add_text(SubElement(element, "TroopAllocationProbe"), "Locations", sites)
    add_text(element, "ResponsibleGroupShown", yes_or_no(trial.group_shown))
    _truth(element, reveal, responsibleGroup=trial.truth_group, attackLocationId=trial.truth_site)
    layers = SubElement(element, "INTLayers")
    for layer, cost in zip(trial.layers, trial.costs, strict=True):
        layer_element(SubElement(layers, "INTLayer", {"costCredits": f"{cost:g}"}), layer)


def layer_element(parent: Element, layer: Layer, *, tag: str = "LayerType") -> Element:
    """Write a layer with its type, and for SIGINT its group."""
    element = SubElement(parent, tag, {TYPE: f"ns2:{layer.kind.capitalize()}Layer"})
    add_text(element, "Group", layer.group)
    return element


def write_tables(exam: Exam, folder: Path) -> None:
    """Write every table an exam names."""
    for name, network in exam.roads.items():
        write_roads(folder / name, network)
    for name, regions in exam.regions.items():
        write_regions(folder / name, regions)
    codes = {kind: {name: int(code) for code, name in table.items()} for kind, table in exam.probs.codes.items()}
    for task in exam.tasks.values():
        for trial in task.trials:
            _trial_table(trial, folder / trial.file, codes, numbered=task.number == 7)


def _trial_table(
    trial: LearningBlock | ScopingTrial | FusionTrial | WaveTrial,
    path: Path,
    codes: dict[str, dict[str, int]],
    *,
    numbered: bool,
) -> None:
    base = ("ObjectID", "ObjectType", "X", "Y")
    if isinstance(trial, LearningBlock):
        write_table(path, base, ((a.group, "Location", *a.place) for a in trial.attacks))
        return
    if isinstance(trial, ScopingTrial):
        centre = (trial.centre.group, "Group", *trial.centre.place, trial.centre.region)
        write_table(path, (*base, "SOCINT"), [centre, *((s.name, "Location", *s.place, s.region) for s in trial.sites)])
        return

    def region(group: str | None) -> str | int | None:
        return "ABCD".index(group) + 1 if numbered and group is not None else group

    def code(kind: str, feature: str | None) -> int | None:
        return None if feature is None else codes[kind][feature]

    sites = (trial.site,) if isinstance(trial, FusionTrial) else trial.sites
    rows: list[tuple[object, ...]] = [
        (s.name, "Location", *s.place, region(s.region), code("IMINT", s.imint), code("MOVINT", s.movint), None)
        for s in sites
    ]
    rows += [
        (c.group, "Group", *c.place, region(c.region), None, None, code("SIGINT", c.sigint)) for c in trial.centres
    ]
    write_table(path, (*base, "SOCINT", "IMINT", "MOVINT", "SIGINT"), rows)


def _files(element: Element, trial: ScopingTrial | FusionTrial) -> None:
    _file(element, "FeatureVectorFile", trial.file)
    _file(element, "RoadsFile", trial.roads)
    _file(element, "RegionsFile", trial.regions)


def _file(parent: Element, tag: str, name: str | None) -> None:
    if name is not None:
        SubElement(parent, tag, {"featureVectorUrl_CSV": name})


def _numbers(parent: Element, tag: str, values: tuple[float, ...] | None) -> None:
    if values is not None:
        add_text(parent, tag, " ".join(repr(float(value)) for value in values))


def add_text(parent: Element, tag: str, text: str | None) -> None:
    """Write a text under a tag, where there is one."""
    if text is not None:
        SubElement(parent, tag).text = text


def _texts(parent: Element, **texts: str) -> None:
    for tag, text in texts.items():
        add_text(parent, tag, text)


def _truth(parent: Element, reveal: Reveal, **names: str | None) -> None:
    known = {name: value for name, value in names.items() if value is not None}
    if known and reveal is not Reveal.QUESTIONS:
        SubElement(parent, "GroundTruth", known)


def _surprise(parent: Element) -> None:
    SubElement(parent, "GroundTruthSurpriseProbe", {"minSurprise": "0", "maxSurprise": "6", "increment": "1"})


def yes_or_no(value: bool) -> str:
    """Write a truth value as XML does."""
    return "true" if value else "false"
