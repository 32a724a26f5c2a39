"""Utilities of `tfx.utils` that programs call by themselves."""

import sys
import tarfile
import zipfile

import pytest

from tfx.utils import (
    dependency_utils,
    import_utils,
    io_utils,
    kube_utils,
    name_utils,
    proto_utils,
    retry,
    telemetry_utils,
    topsort,
    version_utils,
)
from tfx.utils.di import errors, module
from tfx.utils.model_paths import tf_serving_flavor
from trainwright.proto import trainer_pb2


def test_layers_keep_parents_before_children():
    parents = {"a": [], "b": ["a"], "c": ["a"], "d": ["b", "c", "unknown"]}
    children = {"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []}
    layers = topsort.topsorted_layers(list(parents), str, parents.__getitem__, children.__getitem__)
    assert layers == [["a"], ["b", "c"], ["d"]]


def test_a_cycle_is_named():
    around = {"a": ["b"], "b": ["a"]}
    with pytest.raises(topsort.InvalidDAGError, match="Cycle detected. .*: a, b"):
        topsort.topsorted_layers(["a", "b"], str, around.__getitem__, around.__getitem__)


def test_a_call_is_repeated_until_it_succeeds():
    calls = []

    @retry.retry(delay_seconds=0, expected_exception=KeyError)
    def third_time_lucky():
        calls.append(1)
        if len(calls) < 3:
            raise KeyError
        return "done"

    assert third_time_lucky() == "done"
    assert len(calls) == 3


def test_a_function_is_read_from_a_file_as_it_is_now(tmp_path):
    source = tmp_path / "fn.txt"
    source.write_text("def answer(): return 1")
    assert import_utils.import_func_from_source(str(source), "answer")() == 1
    source.write_text("def answer(): return 2")  # the same size, within the same second
    assert import_utils.import_func_from_source(str(source), "answer")() == 2


def test_a_file_that_cannot_be_loaded_can_be_mended(tmp_path):
    source = tmp_path / "fn.py"
    with pytest.raises(ImportError, match=r"answer in .*fn\.py not found"):
        import_utils.import_func_from_source(str(source), "answer")
    source.write_text("1 / 0")
    with pytest.raises(ZeroDivisionError):
        import_utils.import_func_from_source(str(source), "answer")
    source.write_text("def answer(): return 3")
    assert import_utils.import_func_from_source(str(source), "answer")() == 3


def test_a_function_is_taken_out_of_a_wheel(tmp_path):
    wheel = tmp_path / "user-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("user_wheel_module.py", "def answer(): return 42")
    before = list(sys.path)
    function = import_utils.import_func_from_module(f"user_wheel_module@{wheel}", "answer")
    assert function() == 42
    assert sys.path == before


def test_full_names_lead_back():
    for value in (str, retry.retry, module.DependencyModule.call):
        assert name_utils.resolve_full_name(name_utils.get_full_name(value)) is value


def test_fingerprints_see_sizes_and_times(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).write_text(name)
    before = io_utils.generate_fingerprint("train", str(tmp_path / "*"))
    assert before.startswith("split:train,num_files:2,total_bytes:2,xor_checksum:")
    (tmp_path / "b").write_text("bb")
    assert io_utils.generate_fingerprint("train", str(tmp_path / "*")) != before


def test_messages_become_a_tfrecord_file(tmp_path):
    from trainwright.data.tfrecord import read_records

    path = str(tmp_path / "new" / "args")
    messages = [trainer_pb2.TrainArgs(num_steps=steps) for steps in (1, 2)]
    io_utils.write_tfrecord_file(path, *messages)
    assert list(read_records(path)) == [one.SerializeToString() for one in messages]


def test_reading_messages_passes_over_keys_of_other_versions():
    text = '{"num_steps": 3, "from_the_future": 1}'
    assert proto_utils.json_to_proto(text, trainer_pb2.TrainArgs()).num_steps == 3


def test_a_message_is_read_by_its_name():
    found = proto_utils.deserialize_proto_message(
        '{"num_steps": 3}', trainer_pb2.TrainArgs.DESCRIPTOR.full_name
    )
    assert found == trainer_pb2.TrainArgs(num_steps=3)


def test_labels_hold_within_their_scope_and_hide_the_users_own_executors():
    before = telemetry_utils.make_labels_dict()
    with telemetry_utils.scoped_labels({"tfx_executor": "my.Secret", "tfx_runner": "X.Y"}):
        inside = telemetry_utils.make_labels_dict()
    assert inside == {**before, "tfx_executor": "third_party_executor", "tfx_runner": "x-y"}
    assert telemetry_utils.make_labels_dict() == before


class Service:
    pass


def test_arguments_are_injected_by_name_and_type():
    injector = module.DependencyModule()
    injector.provide_value(3, name="x")
    injector.provide_class(Service, singleton=True)
    assert injector.call(lambda x, missing=7: x + missing) == 10
    assert injector.get("any", Service) is injector.get("other", Service)
    with pytest.raises(errors.NotProvidedError, match="name=y"):
        injector.call(lambda y: y)


def test_paths_of_served_models_are_taken_apart():
    path = tf_serving_flavor.make_model_path("/models", "penguin", 12)
    assert tf_serving_flavor.parse_model_path(path) == ("/models", "penguin", 12)
    with pytest.raises(ValueError, match="No version segment"):
        tf_serving_flavor.parse_model_path("/models/penguin/latest")


def test_only_released_versions_have_an_image_of_their_own():
    assert version_utils.get_image_version("1.2.3") == "1.2.3"
    assert version_utils.get_image_version("1.2.3+local") == "latest"


def test_the_package_for_beams_workers_holds_what_they_import():
    package = dependency_utils.build_ephemeral_package()
    with tarfile.open(package) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"setup.py", "PKG-INFO", "tfx/__init__.py", "trainwright/__init__.py"} <= names


def test_what_needs_a_cluster_says_what_to_install():
    pytest.importorskip("tfx")
    if _is_installed("kubernetes"):
        pytest.skip("kubernetes is installed")
    with pytest.raises(ModuleNotFoundError, match="pip install kubernetes"):
        kube_utils.make_core_v1_api()
    assert kube_utils.sanitize_pod_name("-My Pod__1") == "my-pod-1"


def _is_installed(name):
    import importlib.util

    return importlib.util.find_spec(name) is not None
