"""A run of courses shows its attempts in the plane of time and energy, and how they change along the course."""

import json

from tests.cli.conftest import mensura  # noqa: F401 - a fixture

COURSES = ("run", "task-environments", "--as", "sarsa", "--courses", "3", "--episodes", "10", "--seed", "1")


def test_courses_are_what_its_intervals_speak_of(mensura, tmp_path):  # noqa: F811
    done = mensura(*COURSES, "--json")
    told = json.loads(done.out)["scores"]
    assert set(told) == {"solved", "goals_met", "time", "energy", "regret_time", "regret_energy"}
    assert {(one["population"], one["n"]) for one in told.values()} == {("courses", 3)}
    assert mensura("report", "last", "-o", "report.html").status == 0
    page = (tmp_path / "report.html").read_text()
    assert "Time and energy of sarsa" in page
    assert "The dashed line is all motors at full power" in page
    assert "by blocks of 2 attempts, over 3 courses" in page
    assert "Properties of the task environment" in page


def test_physics_that_creates_energy_has_no_regret_and_says_what_it_created(mensura):  # noqa: F811
    mensura("run", "task-environments", "--as", "full-throttle", "--physics", "original", "--seed", "1")
    done = mensura("show", "last")
    assert "The physics called original creates energy, on average" in done.out
    assert "regret" not in done.out.split("Next:")[0].replace("no regret is given", "")


def test_several_subjects_take_no_course_together(mensura):  # noqa: F811
    cast = ("--as", "agent1=random", "--as", "agent2=pid")
    done = mensura("run", "task-environments", "--task", "two-agents", *cast, "--courses", "2")
    assert done.status == 1
    assert "One subject takes a course" in done.err
