"""Checking answers against their exam: what cannot be assessed is named and set aside, the rest stays."""

import math
from collections.abc import Sequence
from dataclasses import replace

from mensura.catalog.sensemaking.answers.answer import Answers, Defect, Response, TrialAnswer
from mensura.catalog.sensemaking.exam.model import Exam, FusionTask, ScopingTask, WaveTask
from mensura.catalog.sensemaking.solving.normative import hypotheses, stage_count

TOLERATED = 1.0
"""Percents by which a distribution may miss 100 without remark: whole percents are often rounded one by one."""


def check_answers(answers: Answers, exam: Exam, *, file: str = "answers") -> Answers:
    """Return the answers with everything unusable removed, and one fault for each thing removed, mended or missing.

    Missing trials and stages stay as None, to count 0. Values that are negative, not numbers or of the wrong count,
    and unknown or repeated INTs are removed;
    a distribution that sums to something else is scaled to 100, as the published scores do.
    """
    checker = _Checker(exam, file)
    tasks = {number: checker.task(number, answers) for number in sorted(exam.tasks) if number in answers.tasks}
    for number in sorted(set(answers.tasks) - set(exam.tasks)):
        checker.fault(number, None, None, "the exam has no such task; it is left out.")
    for number in sorted(set(exam.tasks) - set(answers.tasks) - {7}):  # Task 7 is never assessed
        checker.fault(number, None, None, "no answers.")
    return replace(answers, tasks=tasks, faults=(*answers.faults, *checker.faults))


class _Checker:
    def __init__(self, exam: Exam, file: str) -> None:
        self.exam = exam
        self.file = file
        self.faults: list[Defect] = []

    def fault(self, task: int | None, trial: int | None, stage: int | None, sentence: str) -> None:
        self.faults.append(Defect(self.file, task, trial, stage, sentence))

    def task(self, number: int, answers: Answers) -> dict[int, TrialAnswer]:
        given = answers.tasks[number]
        expected = range(1, len(self.exam.tasks[number].trials) + 1)
        for trial in sorted(set(given) - set(expected)):
            self.fault(number, trial, None, f"the task has trials 1 to {expected[-1]}; this one is left out.")
        checked = {}
        for trial in expected:
            if trial not in given:
                self.fault(number, trial, None, "no answer.")
                checked[trial] = TrialAnswer(trial, (None,) * stage_count(self.exam, number))
            else:
                checked[trial] = self._trial(number, given[trial])
        return checked

    def _trial(self, number: int, answer: TrialAnswer) -> TrialAnswer:
        task = self.exam.tasks[number]
        answer = self._layers(number, answer)
        names = hypotheses(self.exam, number)
        wanted = stage_count(self.exam, number)
        stages: list[Response | None] = list(answer.stages)
        if isinstance(task, FusionTask):
            stages = self._with_given(task, answer, stages, wanted)
        if len(stages) > wanted:
            self.fault(
                number, answer.trial, None, f"{len(stages)} stages where {wanted} are expected; the rest is cut."
            )
        stages = (stages + [None] * wanted)[:wanted]
        checked: list[Response | None] = []
        for stage, report in enumerate(stages):
            if isinstance(task, WaveTask) and stage == 0 and report is None:
                checked.append(None)  # groups are reported only when wanted
                continue
            kinds = 4 if isinstance(task, WaveTask) and stage == 0 else len(names)
            checked.append(self._report(number, answer.trial, stage, report, kinds, "distribution"))
        allocation = self._report(number, answer.trial, None, answer.allocation, len(names), "allocation")
        surprise = answer.surprise
        if surprise is not None and not 0 <= surprise <= 6:
            self.fault(number, answer.trial, None, f"surprise lies between 0 and 6; got {surprise:g}, left out.")
            surprise = None
        drawn = tuple(each for each in answer.drawn if math.isfinite(sum(each.centre) + (each.radius or 0.0)))
        if len(drawn) < len(answer.drawn):
            self.fault(number, answer.trial, None, "what is drawn lies at finite coordinates; the rest is left out.")
        return replace(answer, stages=tuple(checked), allocation=allocation, surprise=surprise, drawn=drawn)

    def _with_given(
        self, task: FusionTask, answer: TrialAnswer, stages: list[Response | None], wanted: int
    ) -> list[Response | None]:
        """Put the HUMINT that was given in front where a file leaves it out."""
        trial = task.trials[answer.trial - 1]
        if trial.humint is None:
            return stages
        if len(stages) == wanted and stages[0] is None:
            return [Response(trial.humint), *stages[1:]]
        if len(stages) != wanted - 1:
            return stages
        first = stages[0]
        is_given = first is not None and _alike(first.values, trial.humint)
        return stages if is_given else [Response(trial.humint), *stages]

    def _report(
        self, task: int, trial: int, stage: int | None, report: Response | None, kinds: int, what: str
    ) -> Response | None:
        if report is None:
            self.fault(task, trial, stage, f"the {what} is missing.")
            return None
        values = report.values
        if len(values) != kinds:
            self.fault(task, trial, stage, f"the {what} has {len(values)} values; {kinds} are expected.")
            return None
        if not all(math.isfinite(value) for value in values):
            self.fault(task, trial, stage, f"the {what} holds something that is not a number.")
            return None
        if min(values) < 0:
            self.fault(task, trial, stage, f"the {what} holds the negative value {min(values):g}.")
            return None
        total = sum(values)
        if not 0 < total < math.inf:
            self.fault(task, trial, stage, f"the {what} sums to {'infinity' if total else 'nothing'}.")
            return None
        if abs(total - 100) > TOLERATED:
            self.fault(task, trial, stage, f"the {what} sums to {total:g}, not 100; it is scaled.")
            return replace(report, values=tuple(100 * value / total for value in values))
        return report

    def _layers(self, number: int, answer: TrialAnswer) -> TrialAnswer:
        task = self.exam.tasks[number]
        if isinstance(task, ScopingTask):
            return replace(answer, layers=answer.layers or task.trials[answer.trial - 1].layers)
        if isinstance(task, FusionTask):
            trial = task.trials[answer.trial - 1]
            if trial.choices is None:
                return replace(answer, layers=answer.layers or trial.layers)
            kinds = [layer.kind for layer in answer.layers]
            unknown = [layer for layer in answer.layers if layer not in trial.layers]
            if unknown:
                self.fault(number, answer.trial, None, f"{unknown[0]} is not on the menu; the choices are left out.")
                return replace(answer, layers=())
            if len(set(kinds)) < len(kinds):
                self.fault(number, answer.trial, None, "the same INT is chosen twice; the choices are left out.")
                return replace(answer, layers=())
            if len(kinds) != trial.choices:
                sentence = f"{len(kinds)} INTs are chosen where {trial.choices} are expected."
                self.fault(number, answer.trial, None, sentence)
        return answer


def _alike(values: Sequence[float], given: Sequence[float]) -> bool:
    return len(values) == len(given) and all(abs(a - b) <= 1e-6 for a, b in zip(values, given, strict=True))
