"""`tfx.scripts.run_executor` runs one executor with what its flags say."""

from __future__ import annotations

import base64
import json

import pytest

from tfx.dsl.components.base import base_beam_executor, base_executor
from tfx.scripts import run_executor
from tfx.types import artifact_utils, standard_artifacts
from tfx.utils import name_utils

CALLS = []


class Recorder(base_executor.BaseExecutor):
    def Do(self, input_dict, output_dict, exec_properties):
        output_dict["y"][0].uri = "changed"
        CALLS.append((self, input_dict, output_dict, exec_properties))


class BeamRecorder(base_beam_executor.BaseBeamExecutor, Recorder):
    pass


@pytest.fixture(autouse=True)
def no_calls():
    CALLS.clear()


def run(executor_class, *flags):
    path = name_utils.get_full_name(executor_class)
    run_executor.main(run_executor.parse_flags([f"--executor_class_path={path}", *flags]))
    (call,) = CALLS
    return call


INPUTS = artifact_utils.jsonify_artifact_dict({"x": [standard_artifacts.Examples()] * 2})
OUTPUTS = artifact_utils.jsonify_artifact_dict({"y": [standard_artifacts.Model()]})
PROPERTIES = json.dumps({"a": "b"})


def test_artifacts_and_properties_are_read(capsys):
    executor, inputs, outputs, properties = run(
        Recorder,
        f"--inputs={INPUTS}",
        f"--outputs={OUTPUTS}",
        f"--exec-properties={PROPERTIES}",
        "--temp_directory_path=/somewhere",
        "--for_the_executor=1",
    )
    assert [type(one) for one in inputs["x"]] == [standard_artifacts.Examples] * 2
    assert [type(one) for one in outputs["y"]] == [standard_artifacts.Model]
    assert properties == {"a": "b"}
    assert executor.context.tmp_dir == "/somewhere"
    assert executor.context.extra_flags == ["--for_the_executor=1"]
    assert capsys.readouterr().out == ""


def test_flags_may_be_base64_and_outputs_may_be_printed(capsys):
    def encoded(text):
        return base64.b64encode(text.encode()).decode()

    _, inputs, _, properties = run(
        Recorder,
        *("--inputs-base64", encoded(INPUTS)),
        *("--outputs-base64", encoded(OUTPUTS)),
        *("--exec-properties-base64", encoded(PROPERTIES)),
        "--write-outputs-stdout",
    )
    assert len(inputs["x"]) == 2
    assert properties == {"a": "b"}
    printed = artifact_utils.parse_artifact_dict(capsys.readouterr().out)
    assert printed["y"][0].uri == "changed"


def test_an_executor_on_beam_gets_the_other_flags_for_beam():
    executor, *_ = run(
        BeamRecorder, f"--inputs={INPUTS}", f"--outputs={OUTPUTS}", "--exec-properties={}", "--x=1"
    )
    assert list(executor.context.beam_pipeline_args) == ["--x=1"]


def test_a_missing_flag_is_named(capsys):
    with pytest.raises(SystemExit):
        run_executor.parse_flags(["--executor_class_path=x", "--inputs={}", "--outputs={}"])
    assert "--exec-properties" in capsys.readouterr().err
