"""A whole new exam from a seed, with its normative solutions."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from mensura.catalog.sensemaking.exam import (
    Exam,
    GridSize,
    Heading,
    LearningTask,
    Pause,
    Probs,
    RoadNetwork,
    published_probs,
)
from mensura.catalog.sensemaking.exam.model import Task
from mensura.catalog.sensemaking.exam.probs import GROUPS, write_probs
from mensura.catalog.sensemaking.generating.design import Design
from mensura.catalog.sensemaking.generating.learning import make_plane_task, make_road_task
from mensura.catalog.sensemaking.generating.sites import MapSheet, make_fusion_task, make_scoping_task
from mensura.catalog.sensemaking.generating.terrain import make_regions, make_roads
from mensura.catalog.sensemaking.generating.waves import make_wave_task
from mensura.catalog.sensemaking.mitre.exam_reading import PROBS
from mensura.catalog.sensemaking.mitre.exam_writing import Reveal, write_exam
from mensura.catalog.sensemaking.solving.normative import NormativeAnswer, road_miles, solve
from mensura.catalog.sensemaking.solving.waves import solve_waves

BREAK = "Take a break of five to ten minutes. Continue when you are ready."


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
    plan, rules, grid = design or Design(), probs or published_probs(), GridSize()
    terrains = [_terrain(rng, number, grid, plan) for number in range(1, plan.networks + 1)]
    network = make_roads(rng, grid=grid, design=plan)
    frames = {number: _frame(id, number, reverse=reverse_layer_order) for number in range(1, 8)}
    pair, four = GROUPS[:2], GROUPS
    tasks: dict[int, Task] = {
        1: make_plane_task(rng, number=1, groups=pair, frame=frames[1], grid=grid, design=plan),
        2: make_plane_task(rng, number=2, groups=four, frame=frames[2], grid=grid, design=plan),
        3: make_road_task(
            rng,
            groups=four,
            frame=frames[3],
            grid=grid,
            network=network,
            roads="ROAD_Task3.csv",
            design=plan,
            probs=rules,
        ),
        4: make_scoping_task(rng, frame=frames[4], groups=four, terrains=terrains, grid=grid, design=plan, probs=rules),
        **{
            number: make_fusion_task(
                rng,
                number=number,
                frame=frames[number],
                groups=four,
                terrains=terrains,
                grid=grid,
                design=plan,
                probs=rules,
            )
            for number in (5, 6)
        },
        7: make_wave_task(rng, frame=frames[7], groups=four, terrain=terrains[0], grid=grid, design=plan, probs=rules),
    }
    roads: dict[str, RoadNetwork] = {terrain.roads_file: terrain.network for terrain in terrains}
    exam = Exam(
        id=id,
        name=f"Exam {id}",
        tasks=tasks,
        roads={**roads, "ROAD_Task3.csv": network},
        regions={terrain.regions_file: terrain.regions for terrain in terrains},
        grid=grid,
        normalisation="NormalizeAfterAndConfirm",
        probs=rules,
    )
    return _with_parameters(exam, rules)


def _terrain(rng: np.random.Generator, number: int, grid: GridSize, design: Design) -> MapSheet:
    network = make_roads(rng, grid=grid, design=design)
    regions = make_regions(rng, grid=grid, network=network)
    return MapSheet(network, regions, f"ROAD_{number}.csv", f"SOCINT_{number}.csv")


def _with_parameters(exam: Exam, probs: Probs) -> Exam:
    """Write the normative parameters and distances of Tasks 1-3 into the exam, as the originals state them."""
    solved = solve(exam, probs=probs)
    tasks = dict(exam.tasks)
    for number in (1, 2, 3):
        task = tasks[number]
        assert isinstance(task, LearningTask)
        tasks[number] = replace(
            task,
            trials=tuple(
                replace(
                    block,
                    spreads=solution.spreads,
                    distances=_distances(exam, task, solution, place),
                )
                for place, (block, solution) in enumerate(zip(task.trials, solved[number], strict=True))
            ),
        )
    return replace(exam, tasks=tasks)


def _distances(exam: Exam, task: LearningTask, solution: NormativeAnswer, place: int) -> tuple[float, ...] | None:
    if task.roads is None or solution.spreads is None:
        return None
    centres = [spread.centre for spread in solution.spreads]
    return tuple(road_miles(exam, task.roads, centres, [task.trials[place].probe])[:, 0].tolist())


def _frame(id: str, number: int, *, reverse: bool) -> Heading:
    return Heading(
        id=f"Task{number}",
        name=f"Mission {number}",
        exam_id=id,
        show_score=number != 7,
        reverse_layer_order=True if reverse and number >= 4 else None,
        pause=Pause(BREAK) if number in (4, 6) else None,
    )


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
