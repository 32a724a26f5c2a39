"""Beam flags reach executors that take them; who cannot follow them to another runner says so."""

import io
import json

import pytest
from rich.console import Console

from trainwright import Importer, LocalDagRunner, OutputDict, Pipeline, component
from trainwright.components import CsvExampleGen, FileBasedExampleGen, SchemaGen, StatisticsGen
from trainwright.components.example_gen.base_example_gen_executor import BaseExampleGenExecutor
from trainwright.components.example_gen.parquet_example_gen import executor as parquet_executor
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_executor import BaseExecutor
from trainwright.dsl.beam_flags import misspelt_runner, remote_runner
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.orchestration.events import NodeWarning, RunEventKind, RunStarted
from trainwright.orchestration.pipeline_check import find_warnings
from trainwright.orchestration.reports.live_report import LiveReport
from trainwright.orchestration.reports.reports import describe_event
from trainwright.proto import pusher_pb2
from trainwright.types.component_spec import ChannelParameter, ComponentSpec
from trainwright.types.standard_artifacts import Schema, String

DATAFLOW = ["--runner=DataflowRunner", "--region=europe-west1"]


@pytest.mark.parametrize(
    ("flags", "runner"),
    [
        ([], None),
        (["--direct_num_workers=0", "--direct_running_mode=multi_processing"], None),
        (["--runner=DirectRunner"], None),
        (["--runner", "direct"], None),
        (["--runner=apache_beam.runners.direct.DirectRunner"], None),
        (["--runner=PrismRunner"], None),
        (["--runner=DataflowRunner"], "DataflowRunner"),
        (["--runner", "FlinkRunner"], "FlinkRunner"),
        (["--runner=SparkRunner", "--runner=DirectRunner"], None),
        (["--runner"], None),
        (["--runner="], None),
        (["--runner", "--region=x"], None),
    ],
)
def test_the_last_runner_counts_unless_it_is_local(flags, runner):
    assert remote_runner(flags) == runner


@pytest.mark.parametrize(
    ("flags", "found"),
    [
        (DATAFLOW, None),
        (["--runner", "DataflowRunner"], None),
        (["--job_name", "runner"], None),
        (["--runner_options=1"], None),
        (["runner=DataflowRunner"], "runner=DataflowRunner"),
        (["--streaming", "-runner=DataflowRunner"], "-runner=DataflowRunner"),
        (["runner", "DataflowRunner"], "runner"),
        (["--runner"], "--runner"),
        (["--runner="], "--runner="),
        (["--runner", "--region=x"], "--runner"),
    ],
)
def test_a_flag_that_names_no_runner_is_found(flags, found):
    assert misspelt_runner(flags) == found


class FlagsSpec(ComponentSpec):
    PARAMETERS = {}
    INPUTS = {}
    OUTPUTS = {"flags": ChannelParameter(type=String)}


class FlagsExecutor(BaseExecutor):
    def Do(self, input_dict, output_dict, exec_properties):
        output_dict["flags"][0].value = json.dumps(self.context.beam_pipeline_args)


class Flags(BaseComponent):
    SPEC_CLASS = FlagsSpec
    EXECUTOR_SPEC = ExecutorClassSpec(FlagsExecutor)

    def __init__(self):
        super().__init__(spec=FlagsSpec())


class ReadsByBeam(BaseExampleGenExecutor):
    def GetInputSourceToExamplePTransform(self):
        raise AssertionError("it is not called")


@component
def function() -> OutputDict(x=int):
    return {"x": 1}


def warned(*nodes, flags=(), engine="local"):
    """The ids of nodes that a run would warn of."""
    pipeline = Pipeline("p", "root", components=nodes, beam_pipeline_args=flags, engine=engine)
    return [node_id for node_id, _ in find_warnings(pipeline, {node.id for node in nodes})]


def nodes():
    example_gen = CsvExampleGen("data")
    statistics_gen = StatisticsGen(example_gen.outputs["examples"])
    schema_gen = SchemaGen(statistics_gen.outputs["statistics"])
    own = FileBasedExampleGen("data", custom_executor_spec=ExecutorClassSpec(ReadsByBeam))
    parquet = FileBasedExampleGen(
        "data", custom_executor_spec=ExecutorClassSpec(parquet_executor.Executor)
    ).with_id("Parquet")
    return [example_gen, statistics_gen, schema_gen, own, parquet, Flags(), function()]


def test_each_node_that_tfx_would_run_elsewhere_is_named():
    assert warned(*nodes(), flags=DATAFLOW) == ["CsvExampleGen", "Parquet", "StatisticsGen"]
    assert warned(*nodes(), flags=["--runner=DirectRunner"]) == []


def test_a_runner_is_the_engine_of_nodes_with_passes_unless_another_was_chosen():
    assert warned(*nodes(), flags=DATAFLOW, engine=None) == []
    assert warned(SchemaGen(nodes()[1].outputs["statistics"]), flags=DATAFLOW, engine=None) == []
    [schema_gen] = [node for node in nodes() if node.id == "SchemaGen"]
    schema_gen.with_beam_pipeline_args(DATAFLOW)
    assert warned(schema_gen, engine=None) == ["SchemaGen"]


def test_a_misspelt_runner_is_named_for_the_same_nodes():
    example_gen = CsvExampleGen("data")
    assert warned(*nodes(), flags=["--runner"]) == ["CsvExampleGen", "Parquet", "StatisticsGen"]
    example_gen.with_beam_pipeline_args(["runner=DataflowRunner"])
    pipeline = Pipeline("p", "root", components=[example_gen])
    [(_, message)] = find_warnings(pipeline, {"CsvExampleGen"})
    assert message.startswith(
        "beam_pipeline_args have 'runner=DataflowRunner', which names no runner: the flag is "
    )


def test_flags_of_a_node_count_more_than_the_pipelines():
    local = CsvExampleGen("data").with_beam_pipeline_args(["--runner=DirectRunner"])
    assert warned(local, flags=DATAFLOW) == []
    assert warned(CsvExampleGen("data").with_beam_pipeline_args(DATAFLOW)) == ["CsvExampleGen"]


def test_flags_for_a_node_that_never_runs_on_beam_are_pointed_out():
    example_gen, statistics_gen, schema_gen, *_ = nodes()
    schema_gen.with_beam_pipeline_args(DATAFLOW)
    assert warned(example_gen, statistics_gen, schema_gen) == ["SchemaGen"]


def test_a_run_warns_and_an_executor_gets_all_flags(tmp_path):
    (tmp_path / "schema.pbtxt").write_text("")
    importer = Importer(str(tmp_path / "schema.pbtxt"), Schema)
    importer.with_platform_config(pusher_pb2.PushDestination())
    flags = Flags().with_beam_pipeline_args(["--a=1"]).with_beam_pipeline_args(["--b=2"])
    events = []
    pipeline = Pipeline(
        "p", str(tmp_path / "root"), components=[importer, flags], beam_pipeline_args=DATAFLOW
    )
    result = LocalDagRunner(observer=events.append).run(pipeline)
    with open(result.outputs["Flags"]["flags"][0].uri) as file:
        assert json.load(file) == [*DATAFLOW, "--a=1", "--b=2"]
    [warning] = [event for event in events if event.kind is RunEventKind.NODE_WARNING]
    assert (warning.node, events.index(warning)) == ("Importer", 1)
    assert "with_platform_config has no effect" in warning.data["message"]


def test_a_warning_is_seen_in_both_reports():
    [(node_id, message), *_] = find_warnings(
        Pipeline(
            "p", "root", components=nodes(), beam_pipeline_args=DATAFLOW, engine="ray://h:6379"
        ),
        {"CsvExampleGen"},
    )
    event = NodeWarning(node=node_id, message=message)
    line = describe_event(event, "p")
    assert line.startswith(
        "CsvExampleGen: WARNING: does not run on DataflowRunner, which beam_pipeline_args name: "
        "the pipeline's engine is ray://h:6379, which counts more."
    )
    report = LiveReport()
    started = {"pipeline": "p", "run_id": "1", "root": "root", "store": "metadata.db"}
    report(RunStarted(**started, enable_cache=False, nodes=[node_id]))
    report(event)
    shown = io.StringIO()
    Console(file=shown, width=400).print(report.render())
    assert line in shown.getvalue()


@pytest.mark.parametrize("wrong", ["--runner=DirectRunner", [1], [None]])
def test_flags_must_be_a_list_of_strings(wrong):
    with pytest.raises(TypeError, match="beam_pipeline_args is .*: expected a list of strings"):
        Pipeline("p", "root", beam_pipeline_args=wrong)
    with pytest.raises(TypeError, match="beam_pipeline_args is .*: expected a list of strings"):
        CsvExampleGen("data").with_beam_pipeline_args(wrong)


def test_a_function_gets_no_flags():
    with pytest.raises(TypeError, match="made from a function, which gets no Beam flags"):
        function().with_beam_pipeline_args(["--a=1"])


def test_a_platform_config_is_a_message():
    with pytest.raises(TypeError, match="is a protobuf message, got {}"):
        CsvExampleGen("data").with_platform_config({})
    config = pusher_pb2.PushDestination()
    assert CsvExampleGen("data").with_platform_config(config).platform_config is config


def test_flags_of_an_engine_that_cannot_work_are_refused_before_the_run(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.csv").write_text("x\n1\n")
    example_gen = CsvExampleGen(str(tmp_path / "data"))
    statistics = StatisticsGen(example_gen.outputs["examples"]).with_beam_pipeline_args(DATAFLOW)
    root = tmp_path / "root"
    with pytest.raises(ValueError, match="DataflowRunner are on other machines and need a place"):
        LocalDagRunner().run(Pipeline("p", str(root), components=[example_gen, statistics]))
    assert not root.exists()
