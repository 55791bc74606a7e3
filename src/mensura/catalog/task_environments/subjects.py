"""Reference subjects of task environments."""

from collections.abc import Callable, Mapping
from typing import Any

from mensura.catalog.task_environments.agents.full_throttle import FullThrottle
from mensura.catalog.task_environments.agents.oracle import Oracle

SUBJECTS: Mapping[str, Callable[..., Any]] = {"full-throttle": FullThrottle, "oracle": Oracle}
