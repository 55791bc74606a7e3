"""Tasks: one id for Python and JSON, families of instances, systems in systems."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mensura.catalog.task_environments.physics.program import compile_task
from mensura.catalog.task_environments.physics.world import World
from mensura.catalog.task_environments.task.body import Body
from mensura.catalog.task_environments.task.goal import Goal, TaskLimits
from mensura.catalog.task_environments.task.motor import Motor
from mensura.catalog.task_environments.task.quantity import Range
from mensura.catalog.task_environments.task.sensor import Sensor
from mensura.catalog.task_environments.task.system import System
from mensura.catalog.task_environments.task.task import Task, _inside
from mensura.catalog.task_environments.task.transition import Steer
from mensura.catalog.task_environments.tasks.find import find_task, list_tasks


def test_a_few_lines_of_python_are_the_same_task_as_the_file():
    race = Task(
        "a name of my own",
        bodies=(Body("car", value=Range(0, 95), mass=5, kinetic=0.2, static=0.3, gravity=10, low=0, high=150),),
        motors=(Motor("engine", ("car",), power=200),),
        sensors=(
            Sensor("place", ("car",), noise=0.5, resolution=0.1),
            Sensor("speed", ("car",), reads="velocity"),
        ),
        goals=(Goal("finish", "car", 100, 5),),
        limits=TaskLimits(60, 5000),
    )
    assert race.id == find_task("car-race").id


@pytest.mark.parametrize("name", list_tasks())
def test_every_task_survives_json_and_fits_the_schema(name):
    task = find_task(name)
    data = json.loads(json.dumps(task.data()))
    Draft202012Validator(Task.schema()).validate(data)
    assert Task.read(data) == task
    assert Task.read(data).id == task.id


def test_the_schema_is_a_schema_and_refuses_what_reading_refuses():
    Draft202012Validator.check_schema(Task.schema())
    data = find_task("car-race").data()
    data["bodies"][0]["weight"] = 3
    assert list(Draft202012Validator(Task.schema()).iter_errors(data))


def test_another_number_is_another_task():
    data = find_task("car-race").data()
    data["bodies"][0]["mass"] = 6
    assert Task.read(data).id != find_task("car-race").id


@given(seed=st.integers(0, 2**32), name=st.sampled_from(["follow", "n-dimensions:3", "steered-car"]))
def test_an_instance_is_the_same_however_it_is_drawn(seed, name):
    task = find_task(name)
    one = task.draw(np.random.default_rng(seed))
    numbers = compile_task(task).drawn(np.random.default_rng(seed), 1)[0].tolist()
    assert one == task.fix(numbers)
    assert not one.ranges
    for span, number in zip(task.ranges.values(), numbers, strict=True):
        assert span.low <= number <= span.high
    family, instance = World(task, drawn=numbers), World(one)
    assert (family.state.value == instance.state.value).all()


def test_instances_leave_nothing_behind():
    race = find_task("car-race")
    race.fix([1.0])
    before = _inside.cache_info().currsize
    for start in range(2, 50):
        assert race.fix([float(start)]).ranges == {}
    assert _inside.cache_info().currsize == before


def test_systems_in_systems_have_full_names_and_find_what_is_around_them():
    wheels = System("wheels", bodies=(Body("angle"),), motors=(Motor("turn", ("angle",)),))
    car = System(
        "car",
        bodies=(Body("drive", mass=2), Body("x")),
        motors=(Motor("engine", ("drive",)),),
        sensors=(Sensor("place", ("x",)), Sensor("wall", ("post",))),
        transitions=(Steer("x", "drive", "wheels.angle", "cos"),),
        systems=(wheels,),
    )
    flat = Task("nested", bodies=(Body("post"),), goals=(Goal("there", "car.x", 10, 1),), systems=(car,)).flat
    assert [body.name for body in flat.bodies] == ["post", "car.drive", "car.x", "car.wheels.angle"]
    assert flat.motors[1].targets == ("car.wheels.angle",)
    assert flat.sensors[0].of == ("car.x",)
    assert flat.sensors[1].of == ("post",)
    assert flat.transitions[0].orientation == "car.wheels.angle"
    assert flat.goals[0].body == "car.x"


def test_a_hidden_system_hides_what_is_in_it():
    inner = System("inner", bodies=(Body("z"),))
    system = System("box", bodies=(Body("y"),), systems=(inner,), hidden=True)
    flat = Task("hiding", bodies=(Body("x"),), motors=(Motor("m", ("x",)),), systems=(system,)).flat
    assert [body.hidden for body in flat.bodies] == [False, True, True]
