"""Host: lets pass the time after which messages are released."""

from mensura.dialogue import Ask, Number
from mensura.subjects.subject import Unlearning


class Host(Unlearning):
    """Answers with the seconds that it was asked to wait; they pass as it answers."""

    recomputes = True

    def __call__(self, ask: Ask) -> int:
        assert isinstance(ask.space, Number)
        return int(ask.space.high or 0)
