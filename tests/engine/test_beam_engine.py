"""BeamEngine on Beam's runner within this process."""

import pytest

from trainwright.engine.beam_engine import BeamEngine
from trainwright.testing.engine_contract import EngineContract

pytest.importorskip("apache_beam")

IN_MEMORY = ["--runner=FnApiRunner"]


class TestBeamEngine(EngineContract):
    @pytest.fixture
    def engine(self):
        return BeamEngine(IN_MEMORY)
