"""Host: lets pass the time after which messages are released."""

import re

from mensura.dialogue import Ask, prompt_text
from mensura.subjects.subject import Unlearning


class ReleasingHost(Unlearning):
    """Answers with the seconds that it was asked to wait; they pass as it answers."""

    recomputes = True

    def __call__(self, ask: Ask) -> int:
        # Not the bound of the space: an answer that is under way must stay valid while it waits.
        found = re.search(r"\d+", prompt_text(ask.prompt))
        return int(found[0]) if found else 0
