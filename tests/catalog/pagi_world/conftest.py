"""Rooms for tests."""

import pytest

pytest.importorskip("pymunk", reason='rooms need pymunk: pip install "mensura[physics]"')
