"""A whole new exam from a seed, with its normative solutions."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from mensura.catalog.sensemaking.exam.model import Exam, LearningTask, Task
from mensura.catalog.sensemaking.exam.probs import Probs, published_probs, write_probs
from mensura.catalog.sensemaking.generating.design import Design
from mensura.catalog.sensemaking.generating.learning import make_plane_task, make_road_task
from mensura.catalog.sensemaking.generating.setter import Setter
from mensura.catalog.sensemaking.generating.sites import MapSheet, make_fusion_task, make_scoping_task
from mensura.catalog.sensemaking.generating.terrain import make_regions, make_roads
from mensura.catalog.sensemaking.generating.waves import make_wave_task
from mensura.catalog.sensemaking.mitre.exam_reading import PROBS
from mensura.catalog.sensemaking.mitre.exam_writing import Reveal, write_exam
from mensura.catalog.sensemaking.solving.normative import NormativeAnswer, road_miles, solve
from mensura.catalog.sensemaking.solving.waves import solve_waves

ROADS_3 = "ROAD_Task3.csv"


def generate_exam(
    rng: np.random.Generator,
    *,
    design: Design | None = None,
    probs: Probs | None = None,
    id: str = "generated",
    reverse_layer_order: bool = False,
) -> Exam:
    """Make an exam of the published design.

    Every trial is solvable: each group is seen before it is judged, every place can be reached by road, and HUMINT
    neither settles a trial nor leaves it a guess.
    """
    by = Setter(rng, design or Design(), probs or published_probs(), id, reverse=reverse_layer_order)
    sheets = [_sheet(by, number) for number in range(1, by.design.networks + 1)]
    network = make_roads(by)
    tasks: dict[int, Task] = {
        1: make_plane_task(by, 1, by.groups[:2]),
        2: make_plane_task(by, 2, by.groups),
        3: make_road_task(by, network, ROADS_3),
        4: make_scoping_task(by, sheets),
        5: make_fusion_task(by, 5, sheets),
        6: make_fusion_task(by, 6, sheets),
        7: make_wave_task(by, sheets[0]),
    }
    exam = Exam(
        id=id,
        name=f"Exam {id}",
        tasks=tasks,
        roads={**{sheet.roads_file: sheet.network for sheet in sheets}, ROADS_3: network},
        regions={sheet.regions_file: sheet.regions for sheet in sheets},
        grid=by.grid,
        normalisation="NormalizeAfterAndConfirm",
        probs=by.probs,
    )
    return _with_parameters(exam)


def _sheet(by: Setter, number: int) -> MapSheet:
    network = make_roads(by)
    return MapSheet(network, make_regions(by, network), f"ROAD_{number}.csv", f"SOCINT_{number}.csv")


def _with_parameters(exam: Exam) -> Exam:
    """Write the normative parameters and distances of Tasks 1-3 into the exam, as the originals state them."""
    tasks = dict(exam.tasks)
    for number in (1, 2, 3):
        task = tasks[number]
        assert isinstance(task, LearningTask)
        blocks = zip(task.trials, solve(exam)[number], strict=True)
        trials = tuple(
            replace(block, spreads=solution.spreads, distances=_distances(exam, task, solution, place))
            for place, (block, solution) in enumerate(blocks)
        )
        tasks[number] = replace(task, trials=trials)
    return replace(exam, tasks=tasks)


def _distances(exam: Exam, task: LearningTask, solution: NormativeAnswer, place: int) -> tuple[float, ...] | None:
    if task.roads is None or solution.spreads is None:
        return None
    centres = [spread.centre for spread in solution.spreads]
    return tuple(road_miles(exam, task.roads, centres, [task.trials[place].probe])[:, 0].tolist())


def write_generated(exam: Exam, folder: Path) -> list[Path]:
    """Write an exam three times over, the tables it names, and its normative solutions.

    `exam.xml` is what a subject may see, `exam_with_gt.xml` has the truth too, `exam_full.xml` also parameters and
    distances; `normative.json` holds the percents of every stage, `probs.toml` the rules.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names = {"exam_full.xml": Reveal.ALL, "exam_with_gt.xml": Reveal.TRUTH, "exam.xml": Reveal.QUESTIONS}
    for name, reveal in names.items():
        write_exam(exam, folder / name, reveal=reveal, tables=name == "exam_full.xml")
    write_probs(exam.probs, folder / PROBS)
    solution = folder / "normative.json"
    solution.write_text(json.dumps(_solution_json(exam)), encoding="utf-8")
    return [*(folder / name for name in names), folder / PROBS, solution]


def _solution_json(exam: Exam) -> dict[str, object]:
    tasks: dict[str, object] = {
        str(number): [{"trial": place, "stages": each.stages.tolist()} for place, each in enumerate(solutions, start=1)]
        for number, solutions in solve(exam).items()
    }
    tasks["7"] = [
        {"trial": step.trial, "groups": step.groups.tolist(), "sites": step.sites.tolist()}
        for step in solve_waves(exam)
    ]
    return {
        "exam": exam.id,
        "note": "percents; Task 6 holds the given HUMINT, later stages depend on choices",
        "tasks": tasks,
    }
