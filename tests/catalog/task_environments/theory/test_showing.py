"""The table of properties that goes with scores."""

from mensura.catalog.task_environments.tasks.find import find_task
from mensura.catalog.task_environments.theory.properties import DEFINITIONS
from mensura.catalog.task_environments.theory.showing import properties_exhibit


def test_table_has_every_property_of_every_task_with_its_definition():
    shown = properties_exhibit([find_task("car-race"), find_task("two-agents")])
    assert shown.columns == ("property", "car-race", "two-agents", "definition")
    assert [row[0] for row in shown.rows] == list(DEFINITIONS)
    assert [row[3] for row in shown.rows] == list(DEFINITIONS.values())
    agents = dict(zip(DEFINITIONS, shown.rows, strict=True))["agents"]
    assert agents[1:3] == (0.0, 0.5)
