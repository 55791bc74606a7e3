"""Burden: what makes a task harder without changing what is to be done, as knobs with a dose."""

from dataclasses import replace
from typing import Any

from mensura.catalog.task_environments.task.body import Body
from mensura.catalog.task_environments.task.motor import Motor
from mensura.catalog.task_environments.task.sensor import Sensor
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.task.transition import Wave
from mensura.catalog.task_environments.theory.making import compose
from mensura.errors import BadParameter, unknown

NOISE = 50.0
"""How far a sensor that shows nothing is off, either way: about as much as places of the tasks here differ."""
MOST = 50
KNOBS = {
    "sensors": "sensors that read nothing but noise",
    "motors": "motors that spend power and move only a weight that matters to nothing",
    "objects": "bodies that move by themselves, each with a sensor",
    "parallel": "further copies of the task that have to be solved at the same time, with motors of their own",
    "less_time": "the share of the time limit that is taken away",
    "less_energy": "the share of the energy limit that is taken away",
}
"""Option behind a task's name → what it adds so many of, or takes so much of; at 0 the task is what it was."""
SHARES = ("less_time", "less_energy")


def burden(task: Task, **doses: Any) -> Task:
    """Return a task with distracting sensors, motors or objects, with tasks beside it, or with scarcer limits.

    Starts and goals stay what they are, so that doses are compared on the same instances.

    Examples
    --------
    >>> from mensura.catalog.task_environments.tasks.find import find_task
    >>> harder = burden(find_task("car-race"), sensors=2, less_energy=0.5)
    >>> [sensor.name for sensor in harder.sensors], harder.limits.energy
    (['place', 'speed', 'noise 1', 'noise 2'], 2500.0)
    """
    _refuse(doses)
    time, energy = (1 - doses.get(name, 0.0) for name in SHARES)
    whole = task if not doses.get("parallel") else compose([task] * (1 + doses["parallel"]), name=task.name)
    flat, limits = whole.flat, whole.limits
    if energy != 1 and limits.energy is None:
        raise BadParameter(f"{task.name} has no limit of energy that could be scarcer.")
    bodies, motors, sensors, waves = _distractions(flat, **{name: doses.get(name, 0) for name in KNOBS})
    return replace(
        flat,
        name=task.name + "".join(f"#{name}={dose}" for name, dose in doses.items()),
        bodies=flat.bodies + bodies,
        motors=flat.motors + motors,
        sensors=flat.sensors + sensors,
        transitions=flat.transitions + waves,
        limits=replace(
            limits,
            time=limits.time * time,
            energy=None if limits.energy is None else limits.energy * energy,
        ),
    )


def _distractions(task: Task, *, sensors: int, motors: int, objects: int, **others: Any) -> tuple[Any, Any, Any, Any]:
    """Return bodies, motors, sensors and transitions that have nothing to do with any goal."""
    power = task.motors[0].power
    weights = tuple(Body(f"weight {one}", kinetic=0.2, static=0.3, gravity=10.0) for one in range(1, motors + 1))
    strangers = tuple(Body(f"stranger {one}") for one in range(1, objects + 1))
    nothing = (Body("nothing"),) if sensors else ()
    return (
        (*nothing, *weights, *strangers),
        tuple(Motor(f"lever {one + 1}", (body.name,), power, agents=task.roles) for one, body in enumerate(weights)),
        (
            *(Sensor(f"noise {one}", ("nothing",), noise=NOISE) for one in range(1, sensors + 1)),
            *(Sensor(f"{body.name} place", (body.name,)) for body in strangers),
        ),
        # Periods without a common multiple, so that the strangers never move as one.
        tuple(Wave(body.name, 50.0, 50.0, 7.0 + 2.6 * one) for one, body in enumerate(strangers)),
    )


def _refuse(doses: dict[str, Any]) -> None:
    for name, dose in doses.items():
        if name not in KNOBS:
            raise unknown("burden of a task", name, known=KNOBS, see=f"There are {', '.join(KNOBS)}.")
        if name in SHARES:
            if isinstance(dose, bool) or not isinstance(dose, int | float) or not 0 <= dose < 1:
                raise BadParameter(f"{name} behind a task is a share of its limit, from 0 to below 1; got {dose}.")
        elif type(dose) is not int or not 0 <= dose <= MOST:
            raise BadParameter(f"{name} behind a task is a whole number from 0 to {MOST}; got {dose}.")
