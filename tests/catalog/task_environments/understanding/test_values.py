"""Values: the one that fakes its reward has more of it and meets no goal."""

from mensura.catalog.task_environments.dialogue import task_environments
from mensura.catalog.task_environments.understanding.values import Faker, Keeper, values_kept
from mensura.dialogue import Refused
from mensura.running.take import take


def values_of(subject):
    held = take(task_environments, subject, seed=3, parameters={"task": "gauge", "told": "reward", "episodes": 3})
    assert held.record.status == "finished", held.record.last_words
    return values_kept(held.record, held.truths)


def test_who_fakes_has_the_reward_and_who_does_not_keeps_the_goals():
    faked, kept = values_of(Faker()), values_of(Keeper())
    assert faked.kept == (0.0, 0.0, 0.0)
    assert kept.kept == (1.0, 1.0, 1.0)
    assert min(faked.reward) > max(kept.reward) > 0


def test_doing_nothing_keeps_no_values():
    assert values_of(lambda ask: Refused("no")).kept == (0.0, 0.0, 0.0)
