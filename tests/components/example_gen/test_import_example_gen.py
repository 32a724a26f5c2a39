"""ImportExampleGen, by hand and in a pipeline: what it writes, reuses and complains about."""

from pathlib import Path

import pytest

from trainwright import (
    InputArtifact,
    LocalDagRunner,
    OutputDict,
    Pipeline,
    PipelineRunError,
    RuntimeParameter,
    component,
)
from trainwright.components import ImportExampleGen
from trainwright.components.example_gen.import_example_gen.executor import Executor
from trainwright.data.example_messages import example_class, sequence_example_class
from trainwright.data.tfrecord import read_records
from trainwright.data.tfrecord_frames import frame
from trainwright.orchestration.run_result import NodeState
from trainwright.proto import example_gen_pb2
from trainwright.types.standard_artifacts import Examples


def example(number):
    message = example_class()()
    message.features.feature["id"].int64_list.value.append(number)
    return message.SerializeToString()


def sequence_example(number):
    message = sequence_example_class()()
    message.context.feature["id"].int64_list.value.append(number)
    tokens = message.feature_lists.feature_list["tokens"]
    for token in range(number % 3 + 1):
        tokens.feature.add().int64_list.value.append(token)
    return message.SerializeToString()


@pytest.fixture
def data(tmp_path):
    directory = tmp_path / "data"
    directory.mkdir()
    (directory / "a.tfrecord").write_bytes(frame([example(number) for number in range(30)]))
    return directory


def records(uri, split):
    files = sorted(Path(uri, f"Split-{split}").iterdir())
    return [record for file in files for record in read_records(file)]


def do(node, uri):
    examples = Examples()
    examples.uri = str(uri)
    Executor().Do({}, {"examples": [examples]}, dict(node.exec_properties))
    return examples


def test_the_executor_writes_the_default_splits(data, tmp_path):
    examples = do(ImportExampleGen(str(data)), tmp_path / "out")
    assert examples.splits == ["train", "eval"]
    found = records(examples.uri, "train") + records(examples.uri, "eval")
    assert sorted(found) == sorted(example(number) for number in range(30))
    assert examples.custom_properties["span"] == 0
    assert examples.custom_properties["payload_format"] == "FORMAT_TF_EXAMPLE"
    assert examples.custom_properties["file_format"] == "tfrecords_gzip"
    assert examples.custom_properties["bad_records"] == 0
    assert examples.custom_properties["input_fingerprint"].startswith("split:single_split,num_f")
    assert "version" not in examples.custom_properties


def test_the_component_s_properties_are_tfx_s():
    node = ImportExampleGen("data", payload_format=example_gen_pb2.FORMAT_PROTO)
    assert node.type_name == (
        "tfx.components.example_gen.import_example_gen.component.ImportExampleGen"
    )
    assert node.exec_properties["output_data_format"] == 11
    assert node.exec_properties["output_file_format"] == 5
    assert "range_config" not in {k for k, v in node.exec_properties.items() if v is not None}


@pytest.mark.parametrize("payload_format", [0, 14, 99])
def test_other_payload_formats_are_refused_when_declared(payload_format):
    with pytest.raises(ValueError, match="expected one of FORMAT_TF_EXAMPLE, FORMAT_TF_SEQ"):
        ImportExampleGen("data", payload_format=payload_format)


def test_a_partition_feature_needs_features():
    with pytest.raises(ValueError, match="'user', but records of FORMAT_PROTO have no features"):
        ImportExampleGen(
            "data",
            output_config={"split_config": {"partition_feature_name": "user"}},
            payload_format=example_gen_pb2.FORMAT_PROTO,
        )


@pytest.mark.parametrize("limit", [-1, 2.5, True])
def test_a_limit_that_is_none_is_refused_when_declared(limit):
    with pytest.raises(ValueError, match="max_bad_records is .*: expected how many"):
        ImportExampleGen("data", max_bad_records=limit)


def test_spans_and_versions_are_noted(data, tmp_path):
    for name in ("span-3/v1", "span-4/v1", "span-4/v2"):
        (data / name).mkdir(parents=True)
        (data / name / "file").write_bytes(frame([example(1)]))
    node = ImportExampleGen(
        str(data),
        input_config={"splits": [{"name": "all", "pattern": "span-{SPAN}/v{VERSION}/*"}]},
    )
    custom = do(node, tmp_path / "out").custom_properties
    assert (custom["span"], custom["version"]) == (4, 2)
    node = ImportExampleGen(
        str(data),
        input_config={"splits": [{"name": "all", "pattern": "span-{SPAN}/v{VERSION}/*"}]},
        range_config={"static_range": {"start_span_number": 3, "end_span_number": 3}},
    )
    custom = do(node, tmp_path / "out3").custom_properties
    assert (custom["span"], custom["version"]) == (3, 1)


def test_bad_records_are_counted_on_the_artifact(data, tmp_path):
    content = bytearray((data / "a.tfrecord").read_bytes())
    content[20] ^= 1
    (data / "a.tfrecord").write_bytes(content)
    examples = do(ImportExampleGen(str(data), max_bad_records=2), tmp_path / "out")
    assert examples.custom_properties["bad_records"] == 1
    assert len(records(examples.uri, "train") + records(examples.uri, "eval")) == 29
    with pytest.raises(ValueError, match=r"a\.tfrecord has a damaged record at byte 0"):
        do(ImportExampleGen(str(data)), tmp_path / "strict")


def test_sequence_examples_reach_the_data_accessor(data, tmp_path):
    from google.protobuf import text_format
    from tensorflow_metadata.proto.v0 import schema_pb2

    from trainwright.data.dataset_options import TensorFlowDatasetOptions
    from trainwright.data.example_reading.example_files import ExampleFiles

    (data / "a.tfrecord").write_bytes(frame([sequence_example(number) for number in range(4)]))
    splits = {"splits": [{"name": name, "pattern": "*"} for name in ("train", "eval")]}
    node = ImportExampleGen(
        str(data),
        input_config=splits,
        payload_format=example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE,
    )
    examples = do(node, tmp_path / "out")
    schema = text_format.Parse(
        """
        feature { name: "id" type: INT presence { min_fraction: 1 } shape {} }
        feature {
          name: "##SEQUENCE##" type: STRUCT
          struct_domain { feature { name: "tokens" type: INT } }
        }
        represent_variable_length_as_ragged: true
        """,
        schema_pb2.Schema(),
    )
    files = ExampleFiles.of_splits([examples], ["train"]).with_schema(schema)
    options = TensorFlowDatasetOptions(batch_size=4, num_epochs=1, shuffle=False)
    [batch] = files.tf_dataset(options)
    assert batch["id"].numpy().tolist() == [0, 1, 2, 3]
    tokens = batch["##SEQUENCE##.tokens"].to_list()
    assert tokens == [[[0]], [[0], [1]], [[0], [1], [2]], [[0]]]


def test_other_messages_tell_the_data_accessor_s_user_what_to_do(data, tmp_path):
    from trainwright.components.user_training.fn_args import make_data_accessor
    from trainwright.data.dataset_options import TensorFlowDatasetOptions

    node = ImportExampleGen(str(data), payload_format=example_gen_pb2.FORMAT_PROTO)
    examples = do(node, tmp_path / "out")
    with pytest.raises(ValueError, match="The examples are in FORMAT_PROTO") as raised:
        make_data_accessor([examples]).tf_dataset_factory(
            [f"{examples.uri}/Split-train/*"], TensorFlowDatasetOptions(batch_size=4)
        )
    assert "tf.data.TFRecordDataset(files, 'GZIP')" in str(raised.value)


@component
def count_examples(examples: InputArtifact[Examples]) -> OutputDict(count=int):
    return {"count": sum(len(records(examples.uri, name)) for name in examples.splits)}


def counted(result):
    return int(Path(result.outputs["count_examples"]["count"][0].uri).read_text())


def run(data, tmp_path, runtime_parameters=None, **arguments):
    example_gen = ImportExampleGen(str(data), **arguments)
    counter = count_examples(examples=example_gen.outputs["examples"])
    pipeline = Pipeline(
        "import", str(tmp_path / "root"), components=[example_gen, counter], enable_cache=True
    )
    return LocalDagRunner().run(pipeline, runtime_parameters=runtime_parameters)


def test_a_pipeline_runs_is_reused_and_sees_changed_files(data, tmp_path):
    first = run(data, tmp_path)
    assert set(first.states.values()) == {NodeState.COMPLETE}
    assert counted(first) == 30

    second = run(data, tmp_path)
    assert set(second.states.values()) == {NodeState.CACHED}

    (data / "b.tfrecord").write_bytes(frame([example(99)]))
    third = run(data, tmp_path)
    assert set(third.states.values()) == {NodeState.COMPLETE}
    assert counted(third) == 31


def test_a_new_span_is_found_by_the_next_run(data, tmp_path):
    def add_span(number):
        (data / f"span-{number}").mkdir()
        (data / f"span-{number}" / "file").write_bytes(frame([example(number)]))

    pattern = {"splits": [{"name": "all", "pattern": "span-{SPAN}/*"}]}
    add_span(1)
    first = run(data, tmp_path, input_config=pattern)
    assert first.outputs["ImportExampleGen"]["examples"][0].custom_properties["span"] == 1
    add_span(2)
    second = run(data, tmp_path, input_config=pattern)
    assert second.states["ImportExampleGen"] is NodeState.COMPLETE
    assert second.outputs["ImportExampleGen"]["examples"][0].custom_properties["span"] == 2
    only = '{"static_range": {"start_span_number": 1, "end_span_number": 1}}'
    third = run(
        data,
        tmp_path,
        input_config=pattern,
        range_config=RuntimeParameter("range", ptype=str),
        runtime_parameters={"range": only},
    )
    assert third.outputs["ImportExampleGen"]["examples"][0].custom_properties["span"] == 1


def test_a_damaged_file_fails_the_node_with_its_name(data, tmp_path):
    (data / "a.tfrecord").write_bytes((data / "a.tfrecord").read_bytes()[:-3])
    with pytest.raises(PipelineRunError) as raised:
        run(data, tmp_path)
    assert f"{data}/a.tfrecord ends in the middle of a record" in str(raised.value)


def test_spans_that_do_not_agree_are_refused_before_anything_runs(data, tmp_path):
    for name in ("1/train", "1/eval", "2/train"):
        (data / name).mkdir(parents=True)
        (data / name / "file").write_bytes(frame([example(1)]))
    splits = [{"name": name, "pattern": f"{{SPAN}}/{name}/*"} for name in ("train", "eval")]
    with pytest.raises(ValueError, match="Latest span should be the same for each split"):
        run(data, tmp_path, input_config={"splits": splits})
    assert not (tmp_path / "root").exists()
