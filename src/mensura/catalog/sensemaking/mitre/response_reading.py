"""Reading response files: one task per file as people's are, or a whole exam as a model's is."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import Element

from mensura.catalog.sensemaking.answers.answer import Answers, Defect, Drawn, Response, TrialAnswer, joined
from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.exam.place import GridPoint
from mensura.catalog.sensemaking.mitre import element as el
from mensura.errors import BadFile
from mensura.xml_file import read_xml


def read_responses(path: Path) -> Answers:
    """Read one subject's answers from a response file, or from a folder with one file per task."""
    path = Path(path)
    files = sorted(path.glob("*.xml")) if path.is_dir() else [path]
    if not files:
        raise BadFile(f"No response files in {path}; expected one XML file per task, or one for all.")
    broken: list[Defect] = []
    parts = []
    for file in files:
        try:
            parts.append((str(file), _read_file(file)))
        except BadFile as error:
            # One broken file of several is named, and the others are still read.
            if len(files) == 1:
                raise
            broken.append(broken_file(file, error))
    if not parts:
        raise BadFile(f"None of the {len(files)} files in {path} can be read; the first: {broken[0].sentence}")
    subjects = sorted({part.subject for _, part in parts})
    if len(subjects) > 1:
        named = ", ".join(subjects[:4])
        raise BadFile(f"{path} holds answers of several subjects ({named}); give one subject's folder or file.")
    whole = joined(subjects[0], parts)
    return replace(whole, faults=(*broken, *whole.faults))


def broken_file(file: Path, error: BadFile) -> Defect:
    """A file that cannot be read at all, as a fault among others."""
    return Defect(str(file), None, None, None, f"{str(error).removeprefix(str(file)).lstrip(' ,:')} It is left out.")


def _read_file(file: Path) -> Answers:
    root = read_xml(file)
    phases = list(root.iter("ExamPhase")) if root.tag == "IcarusEvaluation_CPD1" else [root]
    if not phases:
        raise BadFile(f"{file} has no ExamPhase, so it answers nothing.")
    reading = _Reading(str(file))
    tasks = {el.task_number(phase, where=str(file)): reading.phase(phase) for phase in phases}
    who = root.find(".//ResponseGenerator")
    human = {"true": True, "false": False}.get("" if who is None else (who.findtext("HumanSubject") or "").strip())
    name = (who.findtext("ResponseGeneratorId") or "").strip() if who is not None else ""
    site = (who.findtext("SiteId") or "").strip() or None if who is not None else None
    reverse = any(phase.get("reverseLayerOrder") == "true" for phase in phases)
    if not any(tasks.values()):
        raise BadFile(f"{file} holds no TrialResponse; it looks like an exam, not like answers to one.")
    return Answers(
        subject=f"{site}_{name}" if site and name else name or file.stem,
        tasks=tasks,
        human=human,
        site=site,
        layer_order="reverse" if reverse else "standard",
        faults=tuple(reading.faults),
    )


class _Reading:
    def __init__(self, file: str) -> None:
        self.file = file
        self.faults: list[Defect] = []
        self.task = 0
        self.trial = 0

    def fault(self, sentence: str, *, stage: int | None = None) -> None:
        self.faults.append(Defect(self.file, self.task, self.trial, stage, sentence))

    def phase(self, phase: Element) -> dict[int, TrialAnswer]:
        self.task = el.task_number(phase, where=self.file)
        answers: dict[int, TrialAnswer] = {}
        blocks = list(phase.iter("TrialBlock"))
        trials: list[tuple[str | None, Element | None]] = (
            [(block.get("trialBlockNum"), block.find("ProbeTrial")) for block in blocks]
            if blocks
            else [(trial.get("trialNum"), trial) for trial in phase.iter("Trial")]
        )
        for position, (named, trial) in enumerate(trials, start=1):
            self.trial = int(named) if named is not None and named.isdecimal() else position
            response = None if trial is None else trial.find("TrialResponse")
            if trial is None or response is None:
                continue
            if self.trial in answers:
                self.fault("answered twice; the first is kept.")
                continue
            answers[self.trial] = self._answer(trial, response)
        return answers

    def _answer(self, trial: Element, response: Element) -> TrialAnswer:
        stages, layers, layer_ms = self._stages(trial, response)
        surprise = response.find("GroundTruthSurpriseResponse")
        drawn = response.find("GroupCirclesResponse")
        if drawn is None:
            drawn = response.find("GroupCentersResponse")
        if self.task == 7:
            bought = response.findall("INTLayerPurchase/INTLayer")
            layers = tuple(layer for layer in map(self._layer, bought) if layer is not None)
            layer_ms = ()
        return TrialAnswer(
            trial=self.trial,
            stages=stages,
            allocation=self._allocation(response),
            layers=layers,
            layer_ms=layer_ms,
            drawn=() if drawn is None else self._drawn(drawn),
            surprise=None if surprise is None else self._number(surprise, "surprise"),
            surprise_ms=_whole(None if surprise is None else surprise.get("trialPartTime_ms")),
            time_ms=_whole(response.get("trialTime_ms")),
            draw_ms=_whole(None if drawn is None else drawn.get("trialPartTime_ms")),
            purchase_ms=_whole(response.findtext("LayerPurchaseTime_ms")),
        )

    def _stages(
        self, trial: Element, response: Element
    ) -> tuple[tuple[Response | None, ...], tuple[Layer, ...], tuple[int | None, ...]]:
        if self.task == 7:
            pair = (response.find("GroupResponse"), response.find("LocationResponse"))
            return tuple(None if p is None else self._percents(p, stage=i) for i, p in enumerate(pair)), (), ()
        first = response.find("LocationResponse" if self.task == 4 else "GroupResponse")
        if self.task <= 4:
            stages = [None if first is None else self._percents(first, stage=0)]
        else:
            given = el.numbers(trial, "InitialHumintReport/Probabilities", where=f"{self.file}, trial {self.trial}")
            stages = [None if given is None else Response(given)]
        after = response.findall("LocationResponse_afterINT") + response.findall("GroupResponse_afterINT")
        shown = el.layers(trial, where=f"{self.file}, trial {self.trial}") if self.task in (4, 5) else ()
        layers: list[Layer] = []
        times: list[int | None] = []
        for each in after:
            layer_shown = each.find("INTLayerShown")
            kind = None if layer_shown is None else layer_shown.find("LayerType")
            layer = None if kind is None else self._layer(kind)
            if layer is not None and layer_shown is not None:
                layers.append(layer)
                times.append(_whole(layer_shown.get("layerSelectionTime_ms")))
                if layer in shown:
                    # A stage left out in the middle must not shift the ones after it.
                    stages += [None] * (1 + shown.index(layer) - len(stages))
            report = each.find("LocationResponse")
            report = each.find("GroupResponse") if report is None else report
            stages.append(None if report is None else self._percents(report, stage=len(stages)))
        return tuple(stages), tuple(layers), tuple(times)

    def _percents(self, part: Element, *, stage: int) -> Response | None:
        return self._report(part, part.findall("GroupAttackProbability"), "probability", "rawProbability", stage=stage)

    def _allocation(self, response: Element) -> Response | None:
        chosen = response.find("TroopSelectionResponse")
        if chosen is not None:
            groups = el.words(chosen.get("groups", "")) or self._groups(response)
            picked = chosen.get("group", "")
            if picked not in groups:
                self.fault(f"the choice {picked!r} is not one of {' '.join(groups)}; left out.")
                return None
            values = tuple(100.0 * (group == picked) for group in groups)
            return Response(values, None, None, _whole(chosen.get("trialPartTime_ms")))
        part = response.find("TroopAllocationResponse")
        if part is None:
            return None
        return self._report(part, part.findall("TroopAllocation"), "allocation", "allocation_raw", stage=None)

    def _groups(self, response: Element) -> tuple[str, ...]:
        judged = [each.get("group", "") for each in response.findall("GroupResponse/GroupAttackProbability")]
        return tuple(sorted(judged)) or (("A", "B") if self.task == 1 else ("A", "B", "C", "D"))

    def _report(
        self, part: Element, items: Sequence[Element], value: str, raw: str, *, stage: int | None
    ) -> Response | None:
        if not items:
            return None
        named = [(item.get("group") or item.get("locationId") or "", item) for item in items]
        if len({name for name, _ in named}) < len(named):
            self.fault("names the same hypothesis twice; left out.", stage=stage)
            return None
        ordered = [item for _, item in sorted(named, key=lambda pair: pair[0])]
        try:
            values = tuple(float(item.get(value, "")) for item in ordered)
            raws = (
                tuple(float(item.get(raw, "")) for item in ordered) if all(raw in i.attrib for i in ordered) else None
            )
        except ValueError:
            self.fault(f"every {value} should be a number; left out.", stage=stage)
            return None
        times = [_whole(item.get("time_ms")) for item in ordered]
        control = tuple(time for time in times if time is not None)
        return Response(
            values, raws, control if len(control) == len(times) else None, _whole(part.get("trialPartTime_ms"))
        )

    def _layer(self, found: Element) -> Layer | None:
        try:
            return el.layer(found, where=self.file)
        except BadFile as error:
            self.fault(f"{str(error).removeprefix(self.file + ': ')} It is left out.")
            return None

    def _drawn(self, part: Element) -> tuple[Drawn, ...]:
        drawn = []
        for item in [*part.findall("GroupCircle"), *part.findall("GroupCenter")]:
            centre = item.find("CenterLocation")
            x = None if centre is None else self._number(centre, "x")
            y = None if centre is None else self._number(centre, "y")
            if x is None or y is None:
                self.fault(f"the centre drawn for group {item.get('group')} has no place; left out.")
                continue
            radius = self._number(item, "radius") if "radius" in item.attrib else None
            drawn.append(Drawn(item.get("group", ""), GridPoint(x, y), radius, _whole(item.get("time_ms"))))
        return tuple(sorted(drawn, key=lambda each: each.group))

    def _number(self, found: Element, name: str) -> float | None:
        try:
            return float(found.get(name, ""))
        except ValueError:
            self.fault(f"{name} should be a number, got {found.get(name)!r}; left out.")
            return None


def _whole(text: str | None) -> int | None:
    try:
        return None if text is None else int(float(text))
    except (ValueError, OverflowError):
        return None
