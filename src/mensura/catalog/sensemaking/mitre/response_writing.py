"""Writing response files in the original format: the phase as given, with each trial's response."""

from collections.abc import Sequence
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.answers.answer import Answers, Response, TrialAnswer
from mensura.catalog.sensemaking.exam.model import Exam, FusionTask, FusionTrial, WaveTask
from mensura.catalog.sensemaking.exam.probs import GROUPS
from mensura.catalog.sensemaking.mitre.exam_writing import (
    TYPE,
    Reveal,
    add_text,
    fill_phase,
    layer_element,
    write_tree,
    yes_or_no,
)
from mensura.catalog.sensemaking.solving.information import expected_gain
from mensura.catalog.sensemaking.solving.normative import exact_humint, hypotheses, normative_stages, solve
from mensura.catalog.sensemaking.solving.skill import stage_s1, trial_s1, trial_s2

SPACES = {"xmlns:ns2": "IcarusCPD_1", "xmlns:ns3": "IcarusCPD_Base"}


def write_responses(answers: Answers, exam: Exam, path: Path) -> list[Path]:
    """Write a subject's answers: a model's as one file, a person's as one file per task in a folder.

    Scores and normative distributions stand beside the answers where the exam's truth and parameters allow.
    """
    writing = _Writing(answers, exam)
    path = Path(path)
    if not answers.human:
        root = Element("ns2:IcarusEvaluation_CPD1", {**SPACES, "id": exam.id, "name": exam.name})
        for number in sorted(answers.tasks):
            writing.fill(SubElement(root, "ExamPhase", {TYPE: f"ns2:Task_{number}_Phase"}), number)
        write_tree(root, path)
        return [path]
    path.mkdir(parents=True, exist_ok=True)
    written = []
    for number in sorted(answers.tasks):
        root = Element(f"ns2:Task_{number}_Phase", dict(SPACES))
        writing.fill(root, number)
        written.append(path / f"S_{answers.subject}_{exam.id}_Task{number}.xml")
        write_tree(root, written[-1])
    return written


class _Writing:
    def __init__(self, answers: Answers, exam: Exam) -> None:
        self.answers = answers
        self.exam = exam
        self.solution = solve(exam)

    def fill(self, phase: Element, number: int) -> None:
        head = Element("ResponseGenerator")
        subject, site = self.answers.subject, self.answers.site
        add_text(head, "HumanSubject", yes_or_no(bool(self.answers.human)))
        add_text(head, "ResponseGeneratorId", subject.removeprefix(f"{site}_") if site else subject)
        add_text(head, "SiteId", site)
        fill_phase(phase, self.exam, number, reveal=Reveal.ALL, head=head)
        if self.answers.layer_order == "reverse":
            phase.set("reverseLayerOrder", "true")
        trials = phase.findall("TrialBlock/ProbeTrial") or phase.findall("Trial")
        task = self.exam.tasks[number]
        credits = task.credits if isinstance(task, WaveTask) else 0.0
        for position, trial in enumerate(trials, start=1):
            answer = self.answers.tasks[number].get(position)
            if answer is not None and (answer.allocation or any(answer.stages)):
                self._trial(trial, number, answer)
                if isinstance(task, WaveTask):
                    credits = _credits(trial, task, answer, credits)

    def _trial(self, trial: Element, number: int, answer: TrialAnswer) -> None:
        response = SubElement(trial, "TrialResponse")
        _ms(response, "trialTime_ms", answer.time_ms)
        normative = self._normative(number, answer)
        scores = [_s1(report, chain) for report, chain in zip(answer.stages, normative, strict=False)]
        names = hypotheses(self.exam, number)
        self._feedback(response, trial, number, answer, scores)
        _drawings(response, number, answer)
        if number == 7:
            parts = (("GroupResponse", GROUPS, "group"), ("LocationResponse", names, "locationId"))
            for report, (tag, judged, by) in zip(answer.stages, parts, strict=True):
                if report is not None:
                    _percents(SubElement(response, tag), report, judged, by=by)
        else:
            self._stages(response, number, answer, normative, scores)
        _decision(response, number, answer, names)
        if answer.surprise is not None:
            surprise = SubElement(response, "GroundTruthSurpriseResponse", {"surprise": f"{answer.surprise:g}"})
            _ms(surprise, "trialPartTime_ms", answer.surprise_ms)
        if number == 7:
            self._purchases(response, answer)

    def _stages(
        self,
        response: Element,
        number: int,
        answer: TrialAnswer,
        normative: Sequence[NDArray[np.float64]],
        scores: Sequence[float],
    ) -> None:
        names = hypotheses(self.exam, number)
        tag, by = ("LocationResponse", "locationId") if number == 4 else ("GroupResponse", "group")
        if number in (5, 6):
            exact = 100 * exact_humint(self.exam, self._fusion(number, answer))
            add_text(response, "InitialProbabilities", _numbers(exact))
        for stage, report in enumerate(answer.stages):
            if report is None or (stage == 0 and number in (5, 6)):
                continue
            parent = response
            if stage > 0:
                parent = SubElement(response, f"{tag}_afterINT")
                if number == 6:
                    self._gains(parent, answer, stage)
                if stage <= len(answer.layers):
                    shown = SubElement(parent, "INTLayerShown", {"userSelected": yes_or_no(number == 6)})
                    if stage <= len(answer.layer_ms):
                        _ms(shown, "layerSelectionTime_ms", answer.layer_ms[stage - 1])
                    layer_element(shown, answer.layers[stage - 1])
            part = SubElement(parent, tag)
            if stage < len(scores) and np.isfinite(scores[stage]):
                add_text(part, "NormativeProbsCumulative", _numbers(normative[stage]))
                add_text(part, "ProbabilitiesScore_s1", repr(scores[stage]))
            _percents(part, report, names, by=by)

    def _gains(self, parent: Element, answer: TrialAnswer, stage: int) -> None:
        """What each INT was worth before the choice of a stage: to the normative belief, and to the subject's own.

        As in the originals, received INTs are listed again but for SIGINT, and the first choice has one column: what
        was believed then was given.
        """
        trial = self._fusion(6, answer)
        received = answer.layers[: stage - 1]
        normative = exact_humint(self.exam, trial)
        if received:
            normative = normative_stages(self.exam, trial, received)[-1]
        own = answer.stages[stage - 1] if stage > 1 else None
        part = SubElement(parent, "INTLayerExpectedUtilities")
        heard = any(layer.kind == "SIGINT" for layer in received)
        for layer in (each for each in trial.layers if not (heard and each.kind == "SIGINT")):
            item = SubElement(part, "ExpectedUtility")
            worth = {"expectedUtility_cumulative": normative}
            if own is not None:
                worth["expectedUtility_subjectProbs"] = np.array(own.values)
            for name, belief in worth.items():
                item.set(
                    name,
                    repr(expected_gain(belief, layer, measure="published", groups=trial.groups, probs=self.exam.probs)),
                )
            layer_element(item, layer)

    def _feedback(
        self, response: Element, trial: Element, number: int, answer: TrialAnswer, scores: Sequence[float]
    ) -> None:
        feedback = SubElement(response, "ResponseFeedback", {"responseWellFormed": "true"})
        truth = trial.find("GroundTruth")
        if truth is None:
            return
        SubElement(feedback, "GroundTruth", dict(truth.attrib))
        s1 = float(trial_s1(np.array(scores[1:] if number in (5, 6) else scores)))
        if np.isfinite(s1):
            add_text(feedback, "ProbabilitiesScore_s1", repr(s1))
        asked = self.exam.tasks[number].trials[answer.trial - 1]
        came = getattr(asked, "truth_site" if number == 7 else "truth")
        if answer.allocation is not None:
            s2 = trial_s2(answer.allocation.values, truth=hypotheses(self.exam, number).index(came))
            add_text(feedback, "TroopAllocationScore_s2", repr(float(s2)))

    def _purchases(self, response: Element, answer: TrialAnswer) -> None:
        if answer.purchase_ms is not None:
            add_text(response, "LayerPurchaseTime_ms", str(answer.purchase_ms))
        for layer in answer.layers:
            cost = self.exam.probs.costs.get(layer.kind, 0.0)
            bought = SubElement(response, "INTLayerPurchase", {"costCredits": f"{cost:g}"})
            layer_element(bought, layer, tag="INTLayer")

    def _fusion(self, number: int, answer: TrialAnswer) -> FusionTrial:
        task = self.exam.tasks[number]
        assert isinstance(task, FusionTask)
        return task.trials[answer.trial - 1]

    def _normative(self, number: int, answer: TrialAnswer) -> list[NDArray[np.float64]]:
        if number == 7:
            return []
        if number == 6:
            return list(normative_stages(self.exam, self._fusion(number, answer), answer.layers))
        return list(self.solution[number][answer.trial - 1].stages)


def _s1(report: Response | None, normative: NDArray[np.float64]) -> float:
    return float("nan") if report is None else float(stage_s1(report.values, normative=normative))


def _credits(trial: Element, task: WaveTask, answer: TrialAnswer, credits: float) -> float:
    """Write what was earned, spent and left after one trial of Task 7; return what is left."""
    feedback = trial.find("TrialResponse/ResponseFeedback")
    score = None if feedback is None else feedback.findtext("TroopAllocationScore_s2")
    if feedback is None or score is None:
        return credits
    asked = task.trials[answer.trial - 1]
    price = dict(zip(asked.layers, asked.costs, strict=True))
    earned = float(score) / 100 * task.credits_for_correct
    used = sum(price.get(layer, 0.0) for layer in answer.layers)
    left = credits + earned - used
    # The schema has credits between the truth and the scores.
    place = 1 + list(feedback).index(feedback.findall("GroundTruth")[0])
    for tag, value in (("NumCreditsUsed", used), ("NumCreditsRemaining", left), ("NumCreditsAwarded", earned)):
        credit = Element(tag)
        credit.text = repr(round(value, 10))
        feedback.insert(place, credit)
    return left


def _drawings(response: Element, number: int, answer: TrialAnswer) -> None:
    if not answer.drawn:
        return
    circles = number == 2
    part = SubElement(response, "GroupCirclesResponse" if circles else "GroupCentersResponse")
    _ms(part, "trialPartTime_ms", answer.draw_ms)
    for each in answer.drawn:
        item = SubElement(part, "GroupCircle" if circles else "GroupCenter", {"group": each.group})
        if each.radius is not None:
            item.set("radius", repr(each.radius))
        _ms(item, "time_ms", each.time_ms)
        SubElement(item, "CenterLocation", {"x": repr(float(each.centre.x)), "y": repr(float(each.centre.y))})


def _decision(response: Element, number: int, answer: TrialAnswer, names: Sequence[str]) -> None:
    report = answer.allocation
    if report is None:
        return
    if number <= 3:
        chosen = SubElement(response, "TroopSelectionResponse", {"group": names[int(np.argmax(report.values))]})
        _ms(chosen, "trialPartTime_ms", report.time_ms)
        return
    by = "locationId" if number in (4, 7) else "group"
    tags = ("TroopAllocation", "allocation", "allocation_raw")
    _percents(SubElement(response, "TroopAllocationResponse"), report, names, by=by, tags=tags)


def _percents(
    part: Element,
    report: Response,
    names: Sequence[str],
    *,
    by: str,
    tags: tuple[str, str, str] = ("GroupAttackProbability", "probability", "rawProbability"),
) -> None:
    _ms(part, "trialPartTime_ms", report.time_ms)
    for index, name in enumerate(names):
        item = SubElement(part, tags[0], {by: name, tags[1]: repr(float(report.values[index]))})
        if report.raw is not None:
            item.set(tags[2], repr(float(report.raw[index])))
        if report.control_ms is not None:
            _ms(item, "time_ms", report.control_ms[index])


def _numbers(values: Sequence[float] | NDArray[np.float64]) -> str:
    return " ".join(repr(float(value)) for value in values)


def _ms(element: Element, name: str, value: int | None) -> None:
    if value is not None:
        element.set(name, str(value))
