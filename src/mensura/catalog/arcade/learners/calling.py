"""One call that trains: begun or resumed, saved on the way, its interruptions counted."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mensura.catalog.arcade.learners.options import METHODS, options_for
from mensura.catalog.arcade.learners.replay import Replay
from mensura.catalog.arcade.learners.saving import read_save, resume, save
from mensura.catalog.arcade.learners.torch_extra import choose_device
from mensura.catalog.arcade.learners.training import Course, Training
from mensura.catalog.arcade.settings import RULES
from mensura.catalog.arcade.world.games import find_game
from mensura.errors import BadFile, BadParameter
from mensura.json_file import read_json

SAVE_EVERY = 120.0
"""Seconds between saves."""
TOLD = ("frames", "acts", "updates", "fps", "q_mean")


@dataclass(frozen=True)
class TrainingCall:
    """What a call of training is told.

    Parameters
    ----------
    game, setting, method, frames, out, seed
        What is trained, for how many frames in all, into which file, with which chance.
    starts, memory
        Files of starts, and of experience.
    games, processes, device
        How it is played and where it learns.
    resume
        Whether to go on from `out`.
    seconds, until_return
        After how long, or at which mean return of the last hundred episodes, to stop, with a save.
    changes
        Options that differ from the preset.
    """

    game: str
    setting: str
    method: str
    frames: int
    out: Path
    seed: int = 1
    starts: Path | None = None
    memory: Path | None = None
    games: int = 1
    processes: int = 0
    device: str = "auto"
    resume: bool = False
    seconds: float = float("inf")
    until_return: float = float("inf")
    changes: Mapping[str, Any] = field(default_factory=dict)


def train(call: TrainingCall, *, tell: Callable[[dict[str, Any]], None] = lambda point: None) -> dict[str, Any]:
    """Train as a call says, and return frames, acts, updates, frames per second, the mean greatest value, and more."""
    if call.out.exists() and not call.resume:
        raise BadParameter(f"{call.out} exists already. Continue it with --resume, or name another --out.")
    if not call.out.parent.is_dir():
        raise BadFile(f"There is no folder {call.out.parent} to write {call.out.name} to.")
    course, second = _course(call)
    if course.frames < course.least_frames:
        raise BadParameter(
            f"Training for {course.frames} frames ends before the first update: learning begins after "
            f"{course.options.warm_up_acts} acts by chance. Give --frames {course.least_frames} or more, or a smaller "
            "--warm-up-acts."
        )
    log = CallLog(call.out)
    before = read_save(call.out)[1]["calls"] if call.resume and call.out.exists() else 0
    training = Training(course, choose_device(call.device), second=second, call=before)
    whole = training.device.type == "cpu" and course.processes == 0
    try:
        if call.resume and call.out.exists():
            resume(training, call.out)
        log.begin(training.frames)
        tell_every = max(course.frames // 40, 2_000)
        result = training.run(
            seconds=call.seconds,
            until_return=call.until_return,
            tell_every=tell_every,
            tell=tell,
            save_every=SAVE_EVERY,
            save=lambda: save(training, call.out, whole=whole),
        )
        save(training, call.out, whole=whole)
        log.end(training.frames)
    finally:
        training.close()
    return {
        **{name: result.get(name) for name in TOLD},
        **{name: what for name, what in result.items() if name not in TOLD},
        **course.as_json(),
        "method": course.options.method,
        "drawn": training.updater.drawn,
        "begun_at": training.begun_at,
        "calls": training.calls,
        "cut_off": log.cut_off,
        "refilled": training.refilled,
        "resumes_to_the_same_bits": whole,
        "device": training.device.type,
        "graph": training.updater.captured,
        "reached_source": course.frames <= training.frames >= 50_000_000,
        "curve": training.curve,
        "out": str(call.out),
    }


class CallLog:
    """Beside a save, a line when a call begins and one when it ends: a call that was killed lacks the second.

    Parameters
    ----------
    out
        The save.
    """

    def __init__(self, out: Path) -> None:
        self.path = out.with_name(out.name + ".calls")
        self.cut_off = 0

    def begin(self, frames: int) -> None:
        """Note that a call begins, and count those that were killed."""
        lines = self.path.read_text(encoding="utf-8").split() if self.path.exists() else []
        if frames == 0:
            lines = []
        marks = [line.split(":")[0] for line in lines]
        self.cut_off = sum(
            mark == "begun" and (place + 1 == len(marks) or marks[place + 1] == "begun")
            for place, mark in enumerate(marks)
        )
        self.path.write_text("\n".join([*lines, f"begun:{frames}", ""]), encoding="utf-8")

    def end(self, frames: int) -> None:
        """Note that it ended."""
        with self.path.open("a", encoding="utf-8") as kept:
            kept.write(f"ended:{frames}\n")


def _course(call: TrainingCall) -> tuple[Course, Replay | None]:
    options = options_for(call.setting, call.method, **call.changes)
    rules = RULES[call.setting]
    game = find_game(call.game)
    starts: tuple[bytes, ...] = ()
    hashes: set[str] = set()
    name, human = "", ["nothing"]
    if call.starts is not None:
        from mensura.catalog.arcade.starts.file import read_starts
        from mensura.catalog.arcade.starts.splitting import demand_clean

        if call.method != "hcr":
            raise BadParameter(f"{call.method} begins at the beginning of the game; --starts is for hcr.")
        found = read_starts(call.starts, game=game)
        demand_clean(found)
        chosen = found.of_split("train")
        starts = tuple(start.state for start in chosen.starts)
        hashes = {known for start in chosen.starts for known in start.hashes}
        name = f"{call.starts.name}, {len(starts)} starts for training, made by {', '.join(chosen.made)}"
        human = ["starts"] if chosen.human else ["nothing"]
    second = None
    if options.shares_batches:
        if call.memory is None:
            raise BadParameter(
                f"{call.method} replays what others experienced: give --memory FILE. "
                "her takes human play only, er-search what search made."
            )
        from mensura.catalog.arcade.learners.experience import read_memory

        second, who = read_memory(
            call.memory, game=game, rules=rules, method=call.method, device=choose_device(call.device)
        )
        name, human = f"{call.memory.name}, {who}", ["experience"] if call.method == "her" else ["nothing"]
    course = Course(
        game,
        call.setting,
        rules,
        options,
        call.frames,
        call.seed,
        starts,
        name,
        tuple(human),
        call.games,
        call.processes,
        tuple(sorted(hashes)),
    )
    return course, second


def read_log(path: Path) -> list[dict[str, Any]]:
    """Return a learning curve from the result beside a save."""
    told: dict[str, Any] = read_json(path)
    curve: list[dict[str, Any]] = told["curve"]
    return curve


__all__ = ["METHODS", "RULES", "CallLog", "TrainingCall", "read_log", "train"]
