"""`tfx.v1`: its names are those of `trainwright`, and others are refused in words."""

from __future__ import annotations

import importlib
import traceback

import pytest

import trainwright
from trainwright._version import TFX_API_VERSION


def test_a_name_is_the_same_object_as_in_trainwright():
    from tfx import v1

    assert v1.components.Trainer is trainwright.components.Trainer
    assert v1.components.FnArgs is trainwright.components.FnArgs
    assert v1.dsl.Cond is trainwright.Cond
    assert v1.dsl.Pipeline is trainwright.Pipeline
    assert v1.dsl.components.component is trainwright.component
    assert issubclass(v1.orchestration.LocalDagRunner, trainwright.LocalDagRunner)
    assert v1.dsl.experimental.RuntimeParameter is trainwright.RuntimeParameter
    assert v1.proto.TrainArgs is trainwright.proto.TrainArgs


@pytest.mark.parametrize(
    ("module_name", "name", "guess"),
    [
        ("tfx", "component", "components"),
        ("tfx.v1.components", "Trianer", "Trainer"),
        ("tfx.v1.proto", "TranArgs", "TrainArgs"),
        ("tfx.v1.proto.orchestration", "RunStat", "RunState"),
        ("tfx.types.artifact", "Artefact", "Artifact"),
        ("tfx.proto.trainer_pb2", "TranArgs", "TrainArgs"),
        ("tfx.utils.io_utils", "copy_fil", "copy_file"),
    ],
)
def test_a_name_that_nobody_has_is_refused_in_the_same_words(module_name, name, guess):
    message = (
        f"^{module_name}.{name} is not part of Trainwright {trainwright.__version__}, nor of TFX's "
        f"API as Trainwright knows it; did you mean '{guess}'"
    )
    module = importlib.import_module(module_name)
    assert not hasattr(module, name)
    with pytest.raises(AttributeError, match=message) as raised:
        getattr(module, name)
    printed = "".join(traceback.format_exception_only(raised.value))
    assert printed.lower().count("did you mean") == 1, "Python added a guess of its own"
    with pytest.raises(ImportError, match=message):
        exec(f"from {module_name} import {name}")


def test_the_version_begins_with_tfx_s():
    import tfx.version

    expected = f"{TFX_API_VERSION}+trainwright.{trainwright.__version__}"
    assert tfx.__version__ == tfx.v1.__version__ == tfx.version.__version__ == expected
