"""Messages keep TFX's bytes, JSON and names; reading refuses what TFX would ignore."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest
from google.protobuf import wrappers_pb2

import tfx.v1.proto
import trainwright.proto
from trainwright import proto
from trainwright.proto.proto_json import dict_to_proto, json_to_proto, proto_to_json

ROOT = Path(__file__).resolve().parent.parent
GENERATOR = ROOT / "scripts" / "generate_protos.py"
PROTO_FILES = sorted((ROOT / "proto").rglob("*.proto"))
# Those that TFX has below tfx.proto.
_ELSEWHERE = ("google_cloud", "kubeflow", "mlmd", "tfdv", "tfma")
TFX_PROTO_FILES = [path for path in PROTO_FILES if path.parent.name not in _ELSEWHERE]


def generated_module(proto_file: Path, package: str = "trainwright.proto"):
    parts = proto_file.relative_to(ROOT / "proto").with_suffix("").parts
    return importlib.import_module(".".join((package, *parts)) + "_pb2")


# Bytes written out by hand from TFX's field numbers: (number << 3 | wire type), length, value.
WIRE_AND_JSON = {
    "TrainArgs": (
        lambda: proto.TrainArgs(splits=["train"], num_steps=100),
        b"\x0a\x05train\x10\x64",
        '{\n  "num_steps": 100,\n  "splits": [\n    "train"\n  ]\n}',
    ),
    "EvalArgs": (
        lambda: proto.EvalArgs(splits=["eval"], num_steps=5),
        b"\x0a\x04eval\x10\x05",
        '{\n  "num_steps": 5,\n  "splits": [\n    "eval"\n  ]\n}',
    ),
    "Input": (
        lambda: proto.Input(splits=[proto.Input.Split(name="a", pattern="*")]),
        b"\x0a\x06\x0a\x01a\x12\x01*",
        '{\n  "splits": [\n    {\n      "name": "a",\n      "pattern": "*"\n    }\n  ]\n}',
    ),
    "Output": (
        lambda: proto.Output(
            split_config=proto.SplitConfig(
                splits=[proto.SplitConfig.Split(name="t", hash_buckets=2)],
                partition_feature_name="id",
            )
        ),
        b"\x1a\x0b" + b"\x0a\x05\x0a\x01t\x10\x02" + b"\x12\x02id",
        '{\n  "split_config": {\n    "partition_feature_name": "id",\n    "splits": [\n'
        '      {\n        "hash_buckets": 2,\n        "name": "t"\n      }\n    ]\n  }\n}',
    ),
    "RangeConfig static": (
        lambda: proto.RangeConfig(
            static_range=proto.StaticRange(start_span_number=1, end_span_number=3)
        ),
        b"\x0a\x04\x08\x01\x10\x03",
        '{\n  "static_range": {\n    "end_span_number": 3,\n    "start_span_number": 1\n  }\n}',
    ),
    "RangeConfig rolling": (
        lambda: proto.RangeConfig(
            rolling_range=proto.RollingRange(start_span_number=1, num_spans=2)
        ),
        b"\x12\x04\x08\x01\x10\x02",
        '{\n  "rolling_range": {\n    "num_spans": 2,\n    "start_span_number": 1\n  }\n}',
    ),
    "PushDestination": (
        lambda: proto.PushDestination(
            filesystem=proto.PushDestination.Filesystem(
                base_directory="/m", versioning=proto.Versioning.UNIX_TIMESTAMP
            )
        ),
        b"\x1a\x06\x0a\x02/m\x30\x01",
        '{\n  "filesystem": {\n    "base_directory": "/m",\n'
        '    "versioning": "UNIX_TIMESTAMP"\n  }\n}',
    ),
}


@pytest.mark.parametrize("case", WIRE_AND_JSON)
def test_bytes_and_json_are_those_of_tfx(case: str) -> None:
    build, wire, text = WIRE_AND_JSON[case]
    message = build()
    assert message.SerializeToString(deterministic=True) == wire
    assert type(message).FromString(wire) == message
    assert proto_to_json(message) == text
    assert json_to_proto(text, type(message)()) == message


def test_custom_config_carries_any_message() -> None:
    message = proto.CustomConfig()
    message.custom_config.Pack(wrappers_pb2.Int32Value(value=7))
    url = b"type.googleapis.com/google.protobuf.Int32Value"
    packed = b"\x0a" + bytes([len(url)]) + url + b"\x12\x02\x08\x07"
    assert message.SerializeToString() == b"\x0a" + bytes([len(packed)]) + packed
    assert json_to_proto(proto_to_json(message), proto.CustomConfig()) == message


def test_enum_numbers_are_those_of_tfx() -> None:
    from trainwright.proto.example_gen_pb2 import FileFormat
    from trainwright.proto.orchestration import RunState

    assert dict(proto.PayloadFormat.items()) == {
        "FORMAT_UNSPECIFIED": 0,
        "FORMAT_TF_EXAMPLE": 6,
        "FORMAT_TF_SEQUENCE_EXAMPLE": 7,
        "FORMAT_PROTO": 11,
        "FORMAT_PARQUET": 15,
    }
    assert dict(FileFormat.items()) == {
        "FILE_FORMAT_UNSPECIFIED": 0,
        "FORMAT_TFRECORDS_GZIP": 5,
        "FILE_FORMAT_PARQUET": 16,
    }
    assert dict(proto.Versioning.items()) == {"AUTO": 0, "UNIX_TIMESTAMP": 1}
    assert dict(RunState.State.items()) == {
        "UNKNOWN": 0,
        "READY": 1,
        "RUNNING": 2,
        "COMPLETE": 3,
        "SKIPPED": 4,
        "STOPPED": 6,
        "FAILED": 7,
        "SKIPPED_PARTIAL_RUN": 8,
    }


def test_an_empty_message_is_an_empty_object() -> None:
    assert proto_to_json(proto.TrainArgs()) == "{}"
    assert json_to_proto("{}", proto.TrainArgs()) == proto.TrainArgs()


def test_dict_accepts_both_spellings_enum_numbers_maps_and_null() -> None:
    assert dict_to_proto({"numSteps": 5, "splits": None}, proto.TrainArgs()).num_steps == 5
    pushed = dict_to_proto(
        {"filesystem": {"base_directory": "/m", "versioning": 1}}, proto.PushDestination()
    )
    assert pushed.filesystem.versioning == proto.Versioning.UNIX_TIMESTAMP
    pod = dict_to_proto({"annotations": {"any": "key"}}, proto.PodOverrides())
    assert pod.annotations == {"any": "key"}


def test_reading_merges_into_the_message_and_returns_it() -> None:
    message = proto.TrainArgs(splits=["train"])
    assert dict_to_proto({"num_steps": 3}, message) is message
    assert message == proto.TrainArgs(splits=["train"], num_steps=3)


@pytest.mark.parametrize("key", ["num_step", "numStep", "Num_Steps", "nsteps"])
def test_unknown_key_is_refused_with_the_nearest_field(key: str) -> None:
    expected = re.escape(
        f"TrainArgs has no field '{key}'. Did you mean 'num_steps'? "
        "Its fields are: splits, num_steps."
    )
    with pytest.raises(ValueError, match=expected):
        dict_to_proto({key: 5}, proto.TrainArgs())
    with pytest.raises(ValueError, match=expected):
        json_to_proto(f'{{"{key}": 5}}', proto.TrainArgs())


def test_unknown_key_without_a_near_field_gets_no_guess() -> None:
    with pytest.raises(ValueError, match=r"no field 'epochs'\. Its fields are: splits, num_steps"):
        dict_to_proto({"epochs": 5}, proto.TrainArgs())


def test_unknown_key_is_refused_in_nested_messages() -> None:
    splits = [{"name": "train", "hash_buckets": 2}, {"name": "eval", "hash_bucket": 1}]
    with pytest.raises(
        ValueError,
        match=r"^Output\.split_config\.splits\[1\] has no field 'hash_bucket'\. "
        r"Did you mean 'hash_buckets'\?",
    ):
        dict_to_proto({"split_config": {"splits": splits}}, proto.Output())


def test_unknown_key_in_a_third_party_message_is_refused() -> None:
    comparator = {"path": {"step": ["age"]}, "distribution_comparator": {"infinity_norms": {}}}
    with pytest.raises(ValueError, match=r"Did you mean 'infinity_norm'\?"):
        dict_to_proto(comparator, proto.FeatureComparator())


def test_a_refused_mapping_leaves_the_message_alone() -> None:
    message = proto.TrainArgs(num_steps=1)
    with pytest.raises(ValueError):
        dict_to_proto({"num_steps": 2, "split": ["train"]}, message)
    assert message.num_steps == 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "TrainArgs cannot be read from '{': Expecting property name"),
        ('{"num_steps": 1, "num_steps": 2}', "the key 'num_steps' comes twice"),
        ('{"num_steps": "many"}', "TrainArgs cannot be read from .*num_steps"),
        ('{"splits": "train"}', "TrainArgs cannot be read from .*splits"),
    ],
)
def test_json_that_does_not_fit_is_a_value_error(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        json_to_proto(text, proto.TrainArgs())


def test_a_value_that_is_no_mapping_is_a_type_error() -> None:
    with pytest.raises(TypeError, match=r"^TrainArgs must be a mapping .* got 100 of type int"):
        json_to_proto("100", proto.TrainArgs())
    with pytest.raises(TypeError, match=r"^Output\.split_config must be a mapping .* got 'train'"):
        dict_to_proto({"split_config": "train"}, proto.Output())


def test_the_public_names_are_those_of_tfx() -> None:
    expected = [
        "ClassifyOutput",
        "CustomConfig",
        "DataSpec",
        "DistributionValidatorConfig",
        "EnvVar",
        "EnvVarSource",
        "EvalArgs",
        "ExampleDiffConfig",
        "FeatureComparator",
        "FeatureSlicingSpec",
        "Input",
        "KubernetesConfig",
        "LocalDockerConfig",
        "ModelSpec",
        "Output",
        "OutputColumnsSpec",
        "OutputExampleSpec",
        "PairedExampleSkew",
        "PayloadFormat",
        "PodOverrides",
        "PredictOutput",
        "PredictOutputCol",
        "PushDestination",
        "RangeConfig",
        "RegressOutput",
        "RequestSpec",
        "RollingRange",
        "SecretKeySelector",
        "ServingSpec",
        "SingleSlicingSpec",
        "SplitConfig",
        "SplitsConfig",
        "StaticRange",
        "TensorFlowServing",
        "TensorFlowServingRequestSpec",
        "TrainArgs",
        "TuneArgs",
        "ValidationSpec",
        "Versioning",
    ]
    assert trainwright.proto.__all__ == expected
    assert set(expected) <= set(dir(trainwright.proto))
    with pytest.raises(AttributeError, match=r"'trainwright\.proto' has no attribute 'TrainArg'"):
        _ = trainwright.proto.TrainArg


def test_type_checkers_see_every_lazy_name() -> None:
    tree = ast.parse(Path(trainwright.proto.__file__).read_text())
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    seen = [alias.name for node in imports for alias in node.names]
    assert sorted(seen) == trainwright.proto.__all__
    for name in trainwright.proto.__all__:
        assert getattr(tfx.v1.proto, name) is getattr(trainwright.proto, name)


@pytest.mark.parametrize("proto_file", TFX_PROTO_FILES, ids=lambda path: path.stem)
def test_tfx_modules_export_the_very_same_objects(proto_file: Path) -> None:
    ours = generated_module(proto_file)
    theirs = generated_module(proto_file, "tfx.proto")
    for name in (name for name in vars(ours) if not name.startswith("_")):
        assert getattr(theirs, name) is getattr(ours, name)


def test_tfx_v1_exports_the_very_same_classes() -> None:
    from tfx.proto import trainer_pb2
    from tfx.proto.orchestration import run_state_pb2
    from tfx.v1 import proto as v1_proto

    assert v1_proto.TrainArgs is trainer_pb2.TrainArgs is proto.TrainArgs
    assert v1_proto.Filesystem is proto.PushDestination.Filesystem
    assert v1_proto.orchestration.RunState is run_state_pb2.RunState
    star: dict[str, object] = {}
    exec("from tfx.v1.proto import *", star)
    assert star.keys() >= {*trainwright.proto.__all__, "Filesystem", "orchestration"}


def run_python(code: str) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("package", ["trainwright.proto", "tfx.v1.proto", "tfx.proto"])
def test_importing_the_package_loads_no_generated_code(package: str) -> None:
    code = f"""
import sys, {package}
print([name for name in sys.modules if name.endswith("_pb2") or name == "tensorflow"])
"""
    assert run_python(code) == "[]\n"


def test_a_name_loads_its_own_module_only() -> None:
    code = """
import sys
from tfx.v1 import proto
proto.TrainArgs, proto.EvalArgs
print([name for name in sys.modules if name.endswith("_pb2")])
"""
    assert run_python(code) == "['trainwright.proto.trainer_pb2']\n"


def test_no_generated_code_loads_tensorflow() -> None:
    code = """
import sys
from tfx.v1.proto import *
orchestration.RunState
print([name for name in sys.modules if name.split(".")[0] in ("tensorflow", "keras")])
"""
    assert run_python(code) == "[]\n"


def declared_in(text: str) -> dict[str, int]:
    """The number of every field and enum value in a .proto file, by dotted name."""
    text = re.sub(r"//[^\n]*|\breserved\b[^;]*;|extend [\w.]+ \{[^}]*\}", "", text)
    scopes: list[str] = []
    numbers = {}
    pattern = r"(message|enum|oneof|service)\s+(\w+)\s*\{|(\})|(\w+)\s*=\s*(\d+)\s*(?:\[[^]]*\])?;"
    for kind, scope, closing, name, number in re.findall(pattern, text):
        if kind:
            scopes.append("" if kind == "oneof" else scope)
        elif closing:
            scopes.pop()
        else:
            numbers[".".join([*filter(None, scopes), name])] = int(number)
    return numbers


def declared_by(descriptor, scope: str = "") -> dict[str, int]:
    """The same, of a generated module's file or message descriptor."""
    numbers = {f"{scope}{f.name}": f.number for f in getattr(descriptor, "fields", ())}
    for enum in descriptor.enum_types_by_name.values():
        numbers |= {f"{scope}{enum.name}.{value.name}": value.number for value in enum.values}
    nested = getattr(descriptor, "nested_types_by_name", None)
    for message in (descriptor.message_types_by_name if nested is None else nested).values():
        if not message.GetOptions().map_entry:
            numbers |= declared_by(message, f"{scope}{message.name}.")
    return numbers


@pytest.mark.parametrize("proto_file", PROTO_FILES, ids=lambda path: path.stem)
def test_generated_code_has_the_fields_of_the_proto_file(proto_file: Path) -> None:
    """What can be told of staleness without protoc; the next test tells all of it."""
    declared = declared_in(proto_file.read_text())
    assert declared
    assert declared_by(generated_module(proto_file).DESCRIPTOR) == declared


def test_generated_code_is_current() -> None:
    pytest.importorskip("grpc_tools", reason="grpcio-tools is not installed")
    command = [sys.executable, str(GENERATOR), "--check"]
    checked = subprocess.run(command, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


def test_generator_says_what_to_install() -> None:
    code = f"""
import runpy, sys
sys.modules["grpc_tools"] = None
sys.argv = ["generate_protos.py", "--check"]
runpy.run_path({str(GENERATOR)!r}, run_name="__main__")
"""
    failed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert failed.returncode == 1
    assert re.search(r"needs grpcio-tools\. Run `pip install grpcio-tools==[\d.]+`", failed.stderr)


def run_generator(sources: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the generator over other sources; in a process of its own, as protoc is loaded there."""
    code = f"""
import pathlib, sys
sys.path.insert(0, {str(GENERATOR.parent)!r})
import generate_protos
generate_protos.SOURCES = pathlib.Path({str(sources)!r})
sys.exit(generate_protos.main({list(arguments)!r}))
"""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


def test_check_names_the_stale_files(tmp_path: Path) -> None:
    pytest.importorskip("grpc_tools", reason="grpcio-tools is not installed")
    assert run_generator(tmp_path).returncode == 0
    assert run_generator(tmp_path, "--check").returncode == 0

    (tmp_path / "trainwright/proto/tuner_pb2.py").write_text("edited")
    (tmp_path / "trainwright/proto/trainer_pb2.pyi").unlink()
    (tmp_path / "trainwright/proto/gone_pb2.py").write_text("no .proto any more")
    checked = run_generator(tmp_path, "--check")
    assert checked.returncode == 1
    assert re.findall(r"stale: src/trainwright/proto/(\S+)", checked.stderr) == [
        "gone_pb2.py",
        "trainer_pb2.pyi",
        "tuner_pb2.py",
    ]

    assert run_generator(tmp_path).returncode == 0
    assert run_generator(tmp_path, "--check").returncode == 0
    assert not (tmp_path / "trainwright/proto/gone_pb2.py").exists()
