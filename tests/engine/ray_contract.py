"""The contract of an engine on Ray; run inside the namespace of a cluster by test_ray_engine.py."""

import os

import pytest

from trainwright.engine.ray_engine import RayEngine
from trainwright.testing.engine_contract import EngineContract


class TestRayEngine(EngineContract):
    @pytest.fixture
    def engine(self):
        return RayEngine(os.environ["RAY_TEST_ADDRESS"])


class TestRayEngineWithDisksOfItsOwn(EngineContract):
    @pytest.fixture
    def engine(self):
        return RayEngine(os.environ["RAY_TEST_ADDRESS"], shares_filesystem=False)
