"""The task of N dimensions: as many bodies, moved by hidden motors of which a selector chooses."""

from mensura.catalog.task_environments.task.body import Body
from mensura.catalog.task_environments.task.goal import Goal, TaskLimits
from mensura.catalog.task_environments.task.motor import Motor
from mensura.catalog.task_environments.task.quantity import Range
from mensura.catalog.task_environments.task.sensor import Sensor
from mensura.catalog.task_environments.task.system import System
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.task.transition import Select

FRICTION, GRAVITY, POWER = 0.2, 10.0, 1.0
GOAL, START = 10.0, Range(1.0, 5.0)


def many_dimensions(count: int, *, stay: bool) -> Task:
    """Make the task of so many dimensions.

    One motor at a time (strict), as printed; or with motors that stay on once they are chosen, as in the original
    program. Limits: the program's are three times the least energy and, in seconds, a ninth of that, which one motor
    at a time cannot keep; strict allows three times the energy and the time of the oracle's cheapest schedule.
    """
    from mensura.catalog.task_environments.oracle.bodies import SharedMotor
    from mensura.catalog.task_environments.oracle.body import BodyProblem
    from mensura.catalog.task_environments.oracle.solve import solve

    names = [f"x{number}" for number in range(1, count + 1)]
    # The farthest start decides, so that every instance of the family can be solved.
    far = BodyProblem(mass=1, friction=FRICTION, gravity=GRAVITY, power=POWER, distance=GOAL - 0.5 - START.low)
    time, energy = SharedMotor([solve(far)] * count, power=POWER).limits()
    return Task(
        f"n-dimensions{'-original' if stay else ''}:{count}",
        bodies=tuple(
            Body(name, value=START, kinetic=FRICTION, static=0.3, gravity=GRAVITY, low=0.0, high=GOAL) for name in names
        ),
        sensors=tuple(Sensor(f"at {name}", (name,)) for name in names),
        goals=tuple(Goal(f"{name} there", name, GOAL, 0.5) for name in names),
        limits=TaskLimits(time=energy / 9 if stay else time, energy=energy),
        systems=(
            System(
                "control",
                bodies=(
                    Body("selector", mass=0.01, kinetic=FRICTION, static=0.3, gravity=GRAVITY, low=0.0, high=count),
                ),
                motors=(Motor("power", power=POWER, reverse=0.0), Motor("selection", ("selector",), power=0.1)),
                sensors=(Sensor("selected", ("selector",)),),
                transitions=(Select("power", "selector", tuple(f"hidden.push {name}" for name in names), stay=stay),),
                systems=(
                    System(
                        "hidden",
                        motors=tuple(
                            Motor(f"push {name}", (name,), power=POWER, reverse=0.0, agents=()) for name in names
                        ),
                    ),
                ),
            ),
        ),
        about=f"Move {count} bodies to {GOAL:g}, with motors that one selector chooses from.",
    )
