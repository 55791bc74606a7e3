"""Reading elements that several of the files share, with errors that say where."""

import re
from xml.etree.ElementTree import Element

from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.exam.model import Heading, InstructionPage, Pause, Tutorial
from mensura.catalog.sensemaking.exam.place import Dispersion, GridPoint
from mensura.catalog.sensemaking.mitre.table import finite
from mensura.errors import BadFile, Invalid


def child(parent: Element, path: str, *, where: str) -> Element:
    """Return a descendant that must be there."""
    found = parent.find(path)
    if found is None:
        raise BadFile(f"{where}: <{path}> is missing.")
    return found


def need(parent: Element, path: str, *, where: str) -> str:
    """Return the text of a descendant that must be there."""
    text = (child(parent, path, where=where).text or "").strip()
    if not text:
        raise BadFile(f"{where}: <{path}> is empty.")
    return text


def words(text: str) -> tuple[str, ...]:
    """Split a list the way the files write it."""
    return tuple(text.split())


def number(parent: Element, name: str, *, where: str) -> float:
    """Return an attribute that must be a number."""
    text = parent.get(name)
    if text is None:
        raise BadFile(f"{where}: <{parent.tag}> has no {name}.")
    value = finite(text)
    if value is None:
        raise BadFile(f"{where}: {name} should be a number, got {text!r}.")
    return value


def place(parent: Element, *, where: str) -> GridPoint:
    """Return the attributes x and y."""
    return GridPoint(number(parent, "x", where=where), number(parent, "y", where=where))


def optional_whole(parent: Element, name: str, *, where: str) -> int | None:
    """Return an attribute that is a whole number, or None where it is absent."""
    return int(number(parent, name, where=where)) if name in parent.attrib else None


def numbers(parent: Element, path: str, *, where: str) -> tuple[float, ...] | None:
    """Return a list of numbers, or None where the element is absent."""
    found = parent.find(path)
    if found is None:
        return None
    try:
        return tuple(float(word) for word in words(found.text or ""))
    except ValueError:
        raise BadFile(f"{where}: <{path}> should hold numbers, got {found.text!r}.") from None


def task_number(phase: Element, *, where: str) -> int:
    """Return which task a phase is, by its type or tag (Task_4_Phase)."""
    kind = phase.get("type", phase.tag).rpartition(":")[2]
    match = re.fullmatch(r"Task_([1-7])_Phase", kind)
    if match is None:
        raise BadFile(f"{where}: {kind!r} is not a task; expected Task_1_Phase to Task_7_Phase.")
    return int(match[1])


def layer(found: Element, *, where: str) -> Layer:
    """Read a LayerType (or the INTLayer of a purchase) by the local name of its type."""
    kind = found.get("type", "").rpartition(":")[2].removesuffix("Layer").upper()
    group = (found.findtext("Group") or "").strip()
    try:
        return Layer.parse(f"{kind}-{group}" if group else kind)
    except Invalid as error:
        raise BadFile(f"{where}: {error}") from error


def layers(trial: Element, *, where: str) -> tuple[Layer, ...]:
    """Read the layers of a trial in the order of the file."""
    return tuple(layer(found, where=where) for found in trial.findall("INTLayers/INTLayer/LayerType"))


def spreads(trial: Element, *, where: str) -> tuple[Dispersion, ...] | None:
    """Read the parameters the exam's author computed, or None where the copy withholds them."""
    found = trial.find("AttackDispersionParameters")
    if found is None:
        return None
    read = []
    for each in found.iter("Parameters"):
        read.append(
            Dispersion(
                group=each.get("group", ""),
                base_rate=number(each, "baseRate", where=where),
                centre=place(child(each, "CenterLocation", where=where), where=where),
                sigma=number(each, "sigmaX", where=where) if "sigmaX" in each.attrib else None,
            )
        )
    return tuple(read)


def pages(parent: Element, path: str) -> tuple[InstructionPage, ...]:
    """Read pages of instructions with their attributes in order."""
    return tuple(InstructionPage(tuple(page.items())) for page in parent.findall(path))


def frame(phase: Element) -> Heading:
    """Read what stands round the trials of a task."""
    pause = phase.find("Pause")
    return Heading(
        id=phase.get("id", ""),
        name=phase.get("name", ""),
        exam_id=phase.get("examId"),
        show_score=truth_value(phase.findtext("ShowScore")),
        reverse_layer_order=truth_value(phase.get("reverseLayerOrder")),
        pages=pages(phase, "InstructionPages/InstructionsPage"),
        pause=None
        if pause is None
        else Pause(
            text=pause.findtext("InstructionText", "").strip(),
            seconds=int(float(pause.get("Length_seconds", 0))),
            required=pause.get("Required") == "true",
            countdown=pause.get("ShowCountdown") == "true",
        ),
    )


def tutorial(found: Element | None) -> Tutorial | None:
    """Read the tutorial, where there is one."""
    if found is None:
        return None
    groups = words(found.findtext("ProbabilityEntryGroups", ""))
    return Tutorial(groups, pages(found, "TutorialPages/TutorialPage"))


def truth_value(text: str | None) -> bool | None:
    """Read true or false, or None where nothing is said."""
    return None if text is None else text.strip() == "true"
