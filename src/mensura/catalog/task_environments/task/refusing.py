"""What is refused: tasks that nobody could take, or that are done before they begin."""

from typing import Any


def refuse_task(task: Any) -> None:
    """Raise a sentence where a task cannot be taken."""
