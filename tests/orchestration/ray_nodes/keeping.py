"""A pipeline in an object store, whose node is killed when it has something to keep."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

from trainwright import InputArtifact, OutputArtifact, Pipeline, RayDagRunner, component
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_executor import BaseExecutor
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.metadata.connection import sqlite_metadata_connection_config
from trainwright.types import standard_artifacts
from trainwright.types.component_spec import ChannelParameter, ComponentSpec


@component
def write(examples: OutputArtifact[standard_artifacts.Examples]):
    Path(examples.uri, "words").write_text("one two three")


class TrainSpec(ComponentSpec):
    PARAMETERS = {}
    INPUTS = {"examples": ChannelParameter(type=standard_artifacts.Examples)}
    OUTPUTS = {
        "model": ChannelParameter(type=standard_artifacts.Model),
        "run": ChannelParameter(type=standard_artifacts.ModelRun),
    }


class TrainExecutor(BaseExecutor):
    """Is killed in its first attempt; the second goes on from what the first has left."""

    def Do(self, input_dict, output_dict, exec_properties):
        words = Path(input_dict["examples"][0].uri, "words").read_text()
        state = Path(self.context.stateful_working_dir, "step")
        Path(output_dict["run"][0].uri, "checkpoint").write_text(words)
        if not state.exists():
            state.write_text("7")
            print(f"killed in {self.context.log_dir}", flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
        Path(output_dict["model"][0].uri, "weights").write_text(f"{words} {state.read_text()}")


class Train(BaseComponent):
    SPEC_CLASS = TrainSpec
    EXECUTOR_SPEC = ExecutorClassSpec(TrainExecutor)

    def __init__(self, examples):
        super().__init__(spec=TrainSpec(examples=examples))


@component
def count(model: InputArtifact[standard_artifacts.Model]):
    assert Path(model.uri, "weights").read_text() == "one two three 7"


if __name__ == "__main__":
    options, root, store = json.loads(sys.argv[1]), *sys.argv[2:]
    written = write()
    trained = Train(written.outputs["examples"])
    counted = count(model=trained.outputs["model"])
    config = sqlite_metadata_connection_config(store)
    nodes = [written, trained, counted]
    RayDagRunner(**options).run(Pipeline("keeping", root, config, nodes, enable_cache=True))
