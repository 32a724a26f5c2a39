"""The tests here need tfx-bsl, which not every environment has: where it is not, they are skipped.

`make test-reference`, which has it, selects by the marker `reference`; `make test` runs what has no
such marker. These tests belong to both, so they get the marker when it is asked for.
"""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    if config.getoption("markexpr") == "reference":
        for item in items:
            if item.path.is_relative_to(HERE) and item.get_closest_marker("soak") is None:
                item.add_marker("reference")
