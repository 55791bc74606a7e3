"""Episode: one session that agents step through from outside; nothing of it is logged."""

from collections.abc import Mapping
from typing import Any

from mensura.dialogue import Address, Ask, Instance, Limits, Outcome, Seed, Session, Test, Trace
from mensura.errors import Invalid, MensuraError
from mensura.running.driver import Driver


class Episodes:
    """The sessions of an environment, one after the other."""

    def __init__(self, test: Test, parameters: Mapping[str, Any], seed: int | None) -> None:
        self.test = test
        self.parameters = dict(parameters)
        self._seed = Seed.choose(seed).value
        self._number = -1
        self._now: Episode | None = None

    def begin(self, seed: int | None) -> "Episode":
        """Begin a session: the first of a seed that is given, else the next of the same seed."""
        if seed is not None:
            self._seed, self._number = seed, -1
        self._number += 1
        self.close()
        self._now = Episode(self.test, self.parameters, self._seed, self._number)
        return self._now

    @property
    def now(self) -> "Episode":
        """The session that goes on, or ended last."""
        if self._now is None:
            raise MensuraError("No episode has begun; call reset first.")
        return self._now

    @property
    def going(self) -> "Episode":
        """The session that goes on."""
        if self._now is None or self._now.outcome is not None:
            raise MensuraError("The episode is over; call reset before the next step.")
        return self._now

    def close(self) -> None:
        """Let the session go."""
        if self._now is not None:
            self._now.close()
            self._now = None


class Episode:
    """One session, with what agents see of it from step to step.

    Parameters
    ----------
    number
        Which session of the seed it is.
    trace
        "none" for speed; anything else keeps the log in `session`.
    """

    def __init__(
        self, test: Test, parameters: Mapping[str, Any], seed: int, number: int, *, trace: Trace = "none"
    ) -> None:
        instance = Instance(test, parameters, seed, Address(session=number))
        self.session = Session(instance, trace=trace, limits=Limits(answer_seconds=None))
        self.driver = Driver(test, {})
        self.rewards: dict[str, float] = {}
        """The reward of each role for the last step."""
        self.told: list[Ask] = []
        """The messages since the last step."""
        self.session.start()
        self._look()

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; None while it goes on."""
        return None if self.session.status == "open" else self.session.outcome

    @property
    def asked(self) -> dict[str, Ask]:
        """The asks that wait for an action, by role."""
        return self.driver.free(self.session) if self.driver.under_way else self.session.open

    def step(self, actions: Mapping[str, Any]) -> None:
        """Give the answers of the roles that are asked, and go on to the next asks or the end.

        Raises
        ------
        Invalid
            If an answer lies outside its space; the role is asked again, until it was wrong too often.
        """
        session, driver = self.session, self.driver
        if len(session.open) == 1 and not driver.under_way:
            role = next(iter(session.open))
            wrong = driver.give(session, role, session.asked[role], actions[role])
        else:
            for role, ask in driver.free(session).items():
                driver.undertake(role, ask, actions[role], now=session.clock.now, until=session.deadline_of(ask))
            driver.give_in(session)
            wrong = next(iter(driver.wrong.values()), "")
            driver.wrong.clear()
        self._look()
        if wrong:
            raise Invalid(wrong)
        self.rewards = session.collect()

    def close(self) -> None:
        """Let the session go."""
        self.session.stop("withdrawn")

    def _look(self) -> None:
        """Take note of the messages since the last step."""
        session = self.session
        while session.paused is not None:
            session.unpause()
        self.told = [ask for asks in session.told.values() for ask in asks] if session.told else []
        session.told.clear()
