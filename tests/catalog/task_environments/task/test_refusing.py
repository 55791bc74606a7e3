"""Every task that nobody could take is refused with one sentence that says what is wrong."""

import re
from dataclasses import replace

import pytest

from mensura.catalog.task_environments.task.body import Body, When
from mensura.catalog.task_environments.task.goal import Goal, TaskLimits
from mensura.catalog.task_environments.task.motor import Motor
from mensura.catalog.task_environments.task.quantity import Range
from mensura.catalog.task_environments.task.sensor import Sensor
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.task.transition import Fuel, Kick, Lock, Rotate, Steer, Wave
from mensura.catalog.task_environments.tasks.find import find_task
from mensura.errors import MensuraError

CAR = Body("car", value=20.0, mass=5.0, kinetic=0.2, gravity=10.0, low=0.0, high=150.0)
ENGINE = Motor("engine", ("car",), power=200.0)
FINISH = Goal("finish", "car", 100.0, 5.0)


def task(**changes):
    return Task("race", **{"bodies": (CAR,), "motors": (ENGINE,), "goals": (FINISH,), **changes})


def body(**changes):
    return {"bodies": (replace(CAR, **changes),)}


def goal(**changes):
    return {"goals": (replace(FINISH, **changes),)}


def goals(*pairs):
    return {"goals": tuple(replace(FINISH, name=name, requires=requires) for name, requires in pairs)}


REFUSED = [
    (body(mass=0.0), "mass of 0 kg"),
    (body(mass=float("nan")), "mass of nan kg; a mass is above 0"),
    (body(kinetic=5.0) | {"limits": TaskLimits(60.0, 5000.0)}, "takes at least 18750 J, and the limit is 5000 J"),
    (body(mass=Range(0.0, 2.0)), "mass of 0 kg"),
    (body(kinetic=-0.1), "negative friction"),
    (body(slope=2.0), "slope of 2"),
    (body(low=160.0), "low is below high"),
    (body(value=Range(100.0, 160.0)), "starts from 100 to 160, outside 0 to 150"),
    ({"bodies": (CAR, CAR)}, "there twice"),
    ({"bodies": ()}, "has no body"),
    (goal(tolerance=0.0), "a value that moves in steps never meets"),
    (goal(target=200.0), r"cannot be solved: the goal finish lies at 200 ± 5, outside the bounds of car"),
    (goal(target=Range(140.0, 200.0)), r"drawn with seed \d+, cannot be solved"),
    (goal(target=22.0), "race is solved at its start"),
    (body(value=Range(0.0, 100.0)), r"race, drawn with seed \d+, is solved at its start"),
    (goal(body="cat"), "There is no body called 'cat'"),
    (goal(requires=("finsh",)), "There is no goal called 'finsh'"),
    (goals(("a", ("b",)), ("b", ("c",)), ("c", ("a",))), "form a circle: each waits for the other"),
    (goal(held=5.0, before=3.0), "has no time in which it could be met"),
    (goal(within=1.0, later=2.0), "has no time in which it could be met"),
    (goal(crossing=True, held=1.0), "met by crossing"),
    ({"sensors": (Sensor("a", ("b",)), Sensor("b", ("a",)))}, "sensors .* form a circle: each reads the other"),
    ({"sensors": (Sensor("a", ("car",), noise=-1.0),)}, "at least 0"),
    ({**body(hidden=True), "sensors": (Sensor("a", ("car",)),)}, "reads car, which is hidden"),
    ({"motors": (replace(ENGINE, power=0.0),)}, "power of 0 W"),
    ({"motors": (replace(ENGINE, waste=1.0),)}, "waste from 0 to below 1"),
    ({"motors": (replace(ENGINE, agents=()),)}, "no motor that an agent sets"),
    ({"motors": (replace(ENGINE, targets=("cart",)),)}, "There is no body called 'cart'"),
    ({"motors": (replace(ENGINE, reverse=0.0),), **body(value=140.0)}, "move where no motor can push it"),
    ({"limits": TaskLimits(60.0, 700.0)}, "takes at least 750 J, and the limit is 700 J"),
    ({"limits": TaskLimits(0.0)}, "limits of time and energy are above 0"),
    ({"transitions": (Wave("car", 50.0, 10.0, 5.0),)}, "car is led by a wave"),
    ({"transitions": (Kick("car", 0.0, 1.0),)}, "period of 0 s"),
    ({"transitions": (Fuel("car", "engine", 0.0, 1.0, 1.0),)}, "dry mass, tank and density"),
    ({"transitions": (Rotate("engine", "car"),)}, "has two targets"),
    ({"transitions": (Lock("car", When("car")),)}, "needs a condition"),
    ({"transitions": (Steer("car", "car", "car", "cos"),)}, "car is led by a steer"),
]


@pytest.mark.parametrize(("changes", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_it_is_refused(changes, words):
    with pytest.raises(MensuraError) as refused:
        task(**changes)
    said = str(refused.value)
    assert re.search(words, said), said
    assert "\n" not in said
    assert said.endswith((".", "?"))


def test_the_seed_that_is_named_is_the_one_that_fails():
    import numpy as np

    with pytest.raises(MensuraError) as refused:
        task(**body(value=Range(0.0, 100.0)))
    seed = int(re.search(r"seed (\d+)", str(refused.value))[1])
    start = task(**body(value=Range(0.0, 94.0))).ranges["bodies.car.value"]
    drawn = Range(0.0, 100.0).at(np.random.default_rng(seed).random())
    assert drawn >= 95
    assert start.high == 94


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"name": "a", "bodys": []}, "bodys is not known"),
        ({"bodies": []}, "name is missing"),
        ({"name": "a", "bodies": [{"name": "x", "mass": "heavy"}]}, r"bodies.0.mass cannot be read.*got 'heavy'"),
        ({"name": "a", "transitions": [{"kind": "lok"}]}, "transitions.0 cannot be read"),
        ({"name": "a", "transitions": [{"kind": "lock"}]}, "is missing"),
    ],
)
def test_json_that_is_no_task_is_refused(data, words):
    with pytest.raises(MensuraError, match=words):
        Task.read(data)


def test_files_that_cannot_be_read_say_so(tmp_path):
    with pytest.raises(MensuraError, match=r"none.json cannot be read"):
        Task.read(tmp_path / "none.json")
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(MensuraError, match=r"bad.json is not JSON"):
        Task.read(tmp_path / "bad.json")


def test_unknown_tasks_are_named():
    with pytest.raises(MensuraError, match="There is no task called 'car-rase'"):
        find_task("car-rase")
    with pytest.raises(MensuraError, match="1 to 200"):
        find_task("n-dimensions:0")


@pytest.mark.parametrize(
    ("task", "words"),
    [
        (
            "parking,limits.time=5",
            r"drawn with seed \d+, cannot be solved: it takes at least [\d.]+ s, and the limit is 5 s",
        ),
        ("fuel-car,limits.time=5", r"drawn with seed \d+, cannot be solved: it takes at least"),
        ("car-race,limits.time=9,limits.energy=960", r"drawn with seed \d+, .* with the 960 J that may be spent"),
        ("car-race,bodies.car.value=20,limits.time=6", r"limits.time=6 cannot be solved: it takes at least 6\.627 s"),
        ("n-dimensions:3,limits.time=20", "cannot be solved"),
    ],
)
def test_a_family_whose_limits_leave_too_little_is_refused_with_the_seed(task, words):
    with pytest.raises(MensuraError, match=words):
        find_task(task)


def test_limits_that_are_just_enough_are_taken():
    assert find_task("car-race,bodies.car.value=20,limits.time=6.63").limits.time == 6.63


@pytest.mark.parametrize("change", ["bodies.car.mass=x", "bodies.car.mass=1..", "bodies.cat.mass=3"])
def test_a_change_that_cannot_be_read_is_refused(change):
    with pytest.raises(MensuraError, match=r"bodies\.car\.mass"):
        find_task(f"car-race,{change}")
