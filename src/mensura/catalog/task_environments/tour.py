"""What task environments show on the tour: attempts in the plane of time and energy, beside the computed best."""

from mensura.exhibit.tour_stop import Guide, TourStop
from mensura.stats.wording import figure

TASK = "car-race"


def tour(take: Guide) -> TourStop:
    """Let a learner and a random driver drive a car, and draw the attempts of the learner."""
    from mensura.catalog.task_environments.exhibits import exhibits

    groups = {name: take("task-environments-v1", name, task=TASK, episodes=30) for name in ("q-learning", "random")}
    solved = {name: figure(100 * group.estimates["solved"].value) for name, group in groups.items()}
    picture = exhibits([groups["q-learning"]])[0].figures[0]
    return TourStop(
        "Task environments: physics against the computed best",
        "An agent sets the motors of a physical task to reach its goals in little time and with little energy.",
        f"A learner stopped the car in {solved['q-learning']} % of thirty attempts and a random driver in "
        f"{solved['random']} %. Each dot is an attempt of the learner; the blue line is the least energy that each "
        "time allows, and the dashed orange line is full power all the way.",
        picture.svg,
        picture.words,
        f"mensura take task-environments --task {TASK} --as human",
    )
