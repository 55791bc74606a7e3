"""Worlds that a quick subject moves faster are caught."""

from mensura.dialogue import Ask, Choice, Outcome, Timing, Wait
from mensura.running.checks.speed import check_world_speed
from tests.running.checks.examined import Chatty, good, trial_of


def running_world(rng, *, clock, fair: bool = True):
    """A world of ten ticks that tells its time; unfair, it steps on answers too."""
    step = 0
    while step < 10:
        edge = clock.now + 1 if not fair else step + 1
        yield Ask("Go on?", Choice(("yes", "no")), key="act", until=edge)
        if not fair or clock.now >= step + 1:
            step += 1
            yield Ask(f"Step {step}.", key=f"step{step}")
    return Outcome()


class Quiet:
    """Says nothing."""

    def __call__(self, ask):
        return Wait()


PACE = {"subjects": {"silent": Quiet, "talkative": Chatty}, "timing": Timing(cost=0)}


def test_a_world_that_steps_on_answers_is_caught():
    def unfair(rng, *, clock):
        return (yield from running_world(rng, clock=clock, fair=False))

    found = check_world_speed(trial_of(unfair, **PACE))
    assert found.passed is False
    assert "for a silent subject, but" in found.words


def test_a_world_that_steps_on_time_alone_passes():
    def fair(rng, *, clock):
        return (yield from running_world(rng, clock=clock))

    class ChattyEnough:
        """Says yes a few times, then nothing: at no cost, talk without pause would never let time pass."""

        said = 0

        def __call__(self, ask):
            self.said += 1
            return Wait() if self.said % 4 == 0 else "yes"

    pace = {**PACE, "subjects": {"silent": Quiet, "talkative": ChattyEnough}}
    found = check_world_speed(trial_of(fair, **pace))
    assert found.passed, found
    idle_only = check_world_speed(trial_of(fair))
    assert idle_only.passed
    assert "would tell more" in idle_only.words


def test_a_test_without_clock_has_no_pace():
    assert check_world_speed(trial_of(good)).passed is None
