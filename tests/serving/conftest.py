"""A SavedModel for the tests of the server, made and loaded once."""

from __future__ import annotations

import pytest
from served_models import save_model


@pytest.fixture(scope="session")
def model_directory(tmp_path_factory):
    """A SavedModel with a signature of each kind."""
    directory = tmp_path_factory.mktemp("served") / "model"
    save_model(directory)
    return directory


@pytest.fixture(scope="session")
def served_model(model_directory):
    from trainwright.serving.served_model import ServedModel

    model = ServedModel(str(model_directory), timeout_seconds=5)
    yield model
    model.close()
