"""Rooms for tests; without pymunk they skip."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("pymunk") else ["*"]
