"""One administration of an exam: what it shows, what it remembers, and what it tells at the end of a task."""

from collections.abc import Collection, Generator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.exam.model import NORMALISATION_MODES, Exam, FusionTrial, WaveTask, WaveTrial
from mensura.catalog.sensemaking.generating.generate import generate_exam
from mensura.catalog.sensemaking.mitre.exam_reading import read_exam
from mensura.catalog.sensemaking.showing.atlas import LAST_SEEN, Atlas, Bars, Handbook
from mensura.catalog.sensemaking.showing.percents import PercentAllocation, Percents, read_mode, shares_of
from mensura.catalog.sensemaking.showing.picture import picture
from mensura.catalog.sensemaking.showing.rules import handbook, rule
from mensura.catalog.sensemaking.showing.wording import Wording, find_wording, instructions
from mensura.catalog.sensemaking.solving.normative import humint_shown, solve
from mensura.catalog.sensemaking.solving.skill import stage_s1, trial_s1
from mensura.catalog.sensemaking.solving.waves import WaveBelief
from mensura.dialogue import Ask, Feature
from mensura.errors import BadParameter


def open_exam(path: str, rng: np.random.Generator, *, order: str) -> Exam:
    """Read the exam at a path, or generate one from the session's chance."""
    if order not in ("", "standard", "reverse"):
        raise BadParameter(f"The INT menu's order is standard or reverse (empty: as the exam says); got {order!r}.")
    if path:
        return read_exam(Path(path))
    return generate_exam(rng, reverse_layer_order=order == "reverse")


def read_tasks(text: str, known: Collection[int]) -> list[int]:
    """Read which tasks are taken, as in "123" or "4,5,6"; they are taken in their own order."""
    wanted = {character for character in text if character not in ", -"}
    stray = sorted(wanted - {str(number) for number in known})
    if stray or not wanted:
        have = "".join(map(str, sorted(known)))
        raise BadParameter(f"Tasks are named by their numbers, as in --tasks 456; this exam has {have}; got {text!r}.")
    return sorted(int(number) for number in wanted)


def taken_trials(there: int, most: int) -> int:
    """How many of the trials that are there are taken; 0 means all.

    >>> taken_trials(10, 0), taken_trials(10, 3), taken_trials(5, 9)
    (10, 3, 5)
    """
    return min(there, most) if most else there


class Administration:
    """What one session knows: the exam and its solution, and the scores so far."""

    def __init__(
        self, exam: Exam, *, wording: str, order: str, pictures: bool, normalisation: str = "", most: int = 0
    ) -> None:
        if most < 0:
            raise BadParameter(f"--trials is how many trials of each task are taken, 0 for all; got {most}.")
        self.exam = exam
        self.most = most
        self.probs = exam.probs
        self.words: Wording = find_wording(wording)
        says_reverse = any(task.frame.reverse_layer_order for task in exam.tasks.values())
        self.order = order or ("reverse" if says_reverse else "standard")
        self.pictures = pictures
        self.mode = read_mode(normalisation or exam.normalisation or NORMALISATION_MODES[0])
        self.handbook = Handbook(handbook(self.words, self.probs), self.probs.as_table())
        self.atlas = Atlas(exam)
        self.solved = solve(exam)
        self._s1: dict[int, dict[str, list[float]]] = {}
        self._s2: dict[int, list[float]] = {}
        self._waves: WaveState | None = None

    def instructions(self, number: int) -> str:
        """What a task is about."""
        task = self.exam.tasks[number]
        credits = task.credits_for_correct if isinstance(task, WaveTask) else 0.0
        return instructions(number, self.words, trials=self.trials(number), probs=self.probs, credits=credits)

    def trials(self, number: int) -> int:
        """How many trials of a task are taken."""
        return taken_trials(len(self.exam.tasks[number].trials), self.most)

    def shown(self, features: Sequence[Feature], words: str) -> list[Any]:
        """A map with words, and as a picture too where pictures are wanted."""
        drawn = self.atlas.map(features)
        return [words, drawn, picture(drawn, words=words)] if self.pictures else [words, drawn]

    def told(self, features: Sequence[Feature]) -> list[Any]:
        """A map beside words that already say what it shows."""
        return [self.atlas.map(features, silent=True)]

    def menu(self, layers: Sequence[Layer]) -> list[Layer]:
        """The INTs in the order of this session's menu."""
        return list(layers) if self.order == "standard" else list(reversed(layers))

    def humint(self, trial: FusionTrial) -> NDArray[np.float64]:
        """The distribution given before the first report."""
        return humint_shown(self.exam, trial)

    def judge(
        self, prompt: Sequence[Any], *, options: Sequence[str], key: str, normative: NDArray[np.float64]
    ) -> Generator[Ask, Any, dict[str, float]]:
        """Ask for a distribution, remember how near it came, and give it in percents."""
        known = bool(np.isfinite(normative).all())
        truth = {"normative": normative.tolist()} if known else None
        # Reports say their own rules.
        rules = replace(self.handbook, silent=key[0] != "7" and not key.endswith(".0"))
        shown = flat([rules, *prompt] if key[0] in "4567" else prompt)
        before = _before(shown)
        answer = yield Ask(shown, self.percents(options, before=before), key=key, truth=truth)
        if answer is None:
            return before or dict.fromkeys(options, 100 / len(options))
        percents = {name: 100 * value for name, value in shares_of(answer).items()}
        number, place, _ = key.split(".", 2)
        if known and number != "7":
            score = float(stage_s1(list(percents.values()), normative=normative))
            self._s1.setdefault(int(number), {}).setdefault(place, []).append(score)
        return percents

    def percents(self, options: Sequence[str], *, before: Mapping[str, float] | None = None) -> Percents:
        """The space of a judgement, its controls starting where the last one ended."""
        return Percents(tuple(options), self.mode, before)

    def allocation(self, options: Sequence[str]) -> PercentAllocation:
        """The space of a decision."""
        return PercentAllocation(tuple(options), mode=self.mode)

    def allocated(self, number: int, place: int, shares: Mapping[str, float] | None, truth: str | None) -> float | None:
        """S2 of a decision, remembered for the end of the task."""
        if shares is None or truth is None:
            return None
        score = float(shares[truth])
        self._s2.setdefault(number, []).append(score)
        return score

    def task_scores(self, number: int) -> str:
        """What is told at the end of a task: S1 and S2 as means over its trials."""
        trials = self._s1.get(number, {})
        s1 = [float(trial_s1(np.array(stages))) for stages in trials.values()]
        s2 = self._s2.get(number, [])
        parts = [f"That was {self.words.mission} {number}."]
        if s1:
            parts.append(f"Your judgements were {np.mean(s1):.0f} of 100 like the best ones (S1).")
        if s2:
            parts.append(f"Your decisions earned {np.mean(s2):.0f} of 100 on average (S2).")
        return " ".join(parts)

    def last_words(self) -> str:
        """What is told at the end."""
        s1 = [float(trial_s1(np.array(stages))) for trials in self._s1.values() for stages in trials.values()]
        return "That was all. Thank you." + (f" Over all tasks your S1 is {np.mean(s1):.0f} of 100." if s1 else "")

    def wave_state(self, task: WaveTask) -> "WaveState":
        """What carries over from trial to trial of Task 7."""
        if self._waves is None:
            self._waves = WaveState(self.exam, task)
        return self._waves


class WaveState:
    """Task 7 so far: credits, what was seen, what was last reported, and the normative belief."""

    def __init__(self, exam: Exam, task: WaveTask) -> None:
        self.belief = WaveBelief(exam)
        self.probs = exam.probs
        self.credits = task.credits
        self.credits_for_all = task.credits_for_correct
        self.reported = dict(zip(self.belief.groups, self.belief.percents_now.tolist(), strict=True))
        self.news: list[str] = []
        self.last = np.ones(len(self.belief.groups))
        self._places: list[tuple[int, tuple[float, float]]] = []

    def visible(self) -> list[tuple[int, tuple[float, float]]]:
        """The last five events, by number."""
        return self._places[-LAST_SEEN:]

    def happened(self, trial: WaveTrial, s2: float | None) -> None:
        """Take in what is fed back after a trial."""
        assert trial.truth_site is not None
        site = next(each for each in trial.sites if each.name == trial.truth_site)
        self._places.append((trial.number, (site.place.x, site.place.y)))
        self.credits += self.earned(s2)
        self.news = [f"Last time it happened at site {trial.truth_site}."]
        self.belief.see_attack(trial, trial.truth_site)
        if trial.group_shown and trial.truth_group is not None:
            self.news.append(f"It was group {trial.truth_group}.")
            self.belief.see_group(trial.truth_group)

    def earned(self, s2: float | None) -> float:
        """Credits a decision earns: all of them only where everything was put on the right site."""
        return 0.0 if s2 is None else s2 / 100 * self.credits_for_all

    def bought(self, trial: WaveTrial, layer: Layer, *, cost: float, words: Wording) -> None:
        """Pay for a report and take it in."""
        assert trial.truth_site is not None
        self.credits -= cost
        feature = trial.feature(layer, site=trial.truth_site)
        self.last = self.probs.likelihood(layer, feature, groups=self.belief.groups)
        self.news.append(rule(layer, feature, words, self.probs, groups=self.belief.groups))
        self.belief.see_layer(trial, layer, site=trial.truth_site)

    def next_trial(self) -> None:
        """Let the wave rule carry the belief on."""
        self.belief.next_trial()


def _before(prompt: Sequence[Any]) -> dict[str, float] | None:
    """What was last reported of the same alternatives, as the bars of the prompt show it."""
    for part in prompt:
        for name in ("Before", "Your last report") if isinstance(part, Bars) else ():
            if name in part.sets:
                return dict(part.sets[name])
    return None


def flat(prompt: Sequence[Any]) -> list[Any]:
    """Join the parts of a prompt into one list."""
    joined: list[Any] = []
    for part in prompt:
        joined += part if isinstance(part, list) else [part]
    return joined
