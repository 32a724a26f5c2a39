"""The launcher's contract on a Ray cluster; run inside of its namespace by test_ray_launcher.py."""

from __future__ import annotations

import os

import pytest

from trainwright.orchestration.launching.on_ray.ray_launcher import RayLauncher
from trainwright.ray_cluster.connection import connect
from trainwright.testing.launcher_contract import LauncherContract


class TestRayLauncher(LauncherContract):
    @pytest.fixture
    def launcher(self):
        launcher = RayLauncher(connect(os.environ["RAY_ADDRESS_OF_TEST"]), lease_seconds=10.0)
        yield launcher
        launcher.close()
