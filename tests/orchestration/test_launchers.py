"""Launchers: the contract, for local processes and for one that only starts commands."""

from __future__ import annotations

import pytest
from command_launcher import CommandLauncher

from trainwright.orchestration.launching.local_launcher import LocalLauncher
from trainwright.testing.launcher_contract import LauncherContract


class TestLocalLauncher(LauncherContract):
    @pytest.fixture
    def launcher(self):
        launcher = LocalLauncher()
        yield launcher
        launcher.close()


class TestCommandLauncher(LauncherContract):
    HEARS_PROGRESS = False

    @pytest.fixture
    def launcher(self):
        launcher = CommandLauncher()
        yield launcher
        launcher.close()
