"""InfraValidator: real servers, real examples, and a Pusher that believes the blessing."""

import base64
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import textwrap
import time
from http.client import HTTPConnection
from pathlib import Path

import pytest
from served_models import RunningServer, save_model

from trainwright import Importer, LocalDagRunner, Pipeline, PipelineRunError
from trainwright.components import ImportExampleGen, InfraValidator, Pusher
from trainwright.components.infra_validator.executor import Executor
from trainwright.data.tfrecord import open_gzip_writer, read_records
from trainwright.types.standard_artifacts import Examples, InfraBlessing, Model

STAND_IN = Path(__file__).with_name("model_server_stand_in.py")
REQUESTS = {
    "tensorflow_serving": {
        "signature_names": ["serving_default", "serialized", "classify", "regress"]
    },
    "split_name": "eval",
    "num_examples": 2,
    "make_warmup": True,
}


def serialized_example(*values):
    import tensorflow as tf

    example = tf.train.Example()
    example.features.feature["x"].float_list.value[:] = values
    return example.SerializeToString()


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A model artifact and examples, which no test changes."""
    directory = tmp_path_factory.mktemp("infra")
    save_model(directory / "model" / "Format-Serving")
    for split, value in (("train", -1.0), ("eval", 2.0)):
        (directory / "data" / split).mkdir(parents=True)
        with open_gzip_writer(directory / "data" / split / "examples.gz") as write:
            write([serialized_example(value, number) for number in range(3)])
        shutil.copytree(directory / "data" / split, directory / "examples" / f"Split-{split}")
    return directory


def nodes(place, request=REQUESTS, **options):
    splits = [{"name": name, "pattern": f"{name}/*"} for name in ("train", "eval")]
    example_gen = ImportExampleGen(str(place / "data"), input_config={"splits": splits})
    model = Importer(source_uri=str(place / "model"), artifact_type=Model).with_id("model")
    validator = InfraValidator(
        model=model.outputs["result"],
        examples=example_gen.outputs["examples"],
        request_spec=request,
        validation_spec={"num_tries": 1, "max_loading_time_seconds": 120},
        **options,
    )
    return example_gen, model, validator


def pipeline(place, root, request=REQUESTS):
    *others, validator = nodes(place, request)
    blessing = validator.outputs["blessing"]
    pusher = Pusher(infra_blessing=blessing, push_destination=str(root / "serving" / "small"))
    components = [*others, validator, pusher]
    return Pipeline("infra", str(root / "artifacts"), components=components, enable_cache=True)


@pytest.fixture(scope="module")
def validated(place, tmp_path_factory):
    """A root in which the pipeline has run once, and the result."""
    root = tmp_path_factory.mktemp("validated")
    return root, LocalDagRunner().run(pipeline(place, root))


def states(result):
    return {node: state.value for node, state in result.states.items()}


def test_a_model_that_answers_is_blessed_and_carries_its_requests(validated):
    from tensorflow_serving.apis import prediction_log_pb2

    _, result = validated
    assert set(states(result).values()) == {"complete"}
    (blessing,) = result.outputs["InfraValidator"]["blessing"]
    properties = blessing.custom_properties
    assert (properties["blessed"], properties["has_model"]) == (1, 1)
    assert properties["summary"] == (
        "blessed: it loads in trainwright serve and answers 8 requests"
    )
    assert sorted(os.listdir(blessing.uri)) == ["INFRA_BLESSED", "stamped_model"]
    warm_up = Path(blessing.uri, "stamped_model", "assets.extra", "tf_serving_warmup_requests")
    logs = list(map(prediction_log_pb2.PredictionLog.FromString, read_records(warm_up)))
    assert [log.WhichOneof("log_type") for log in logs] == [
        *["predict_log"] * 4,
        *["classify_log"] * 2,
        *["regress_log"] * 2,
    ]
    tensors, serialized = logs[1].predict_log.request, logs[2].predict_log.request
    assert list(tensors.inputs["x"].float_val) or tensors.inputs["x"].tensor_content
    assert list(serialized.inputs["examples"].string_val) == [serialized_example(2, 0)]
    assert serialized.model_spec.name == "infra-validation-model"


def test_the_same_again_is_reused_and_explained(place, validated):
    root, _ = validated
    forecasts = LocalDagRunner().explain(pipeline(place, root))
    assert not any(forecast.will_run for forecast in forecasts), forecasts
    again = LocalDagRunner().run(pipeline(place, root))
    assert set(states(again).values()) == {"cached"}


def test_the_pusher_pushes_what_the_blessing_has_and_it_can_be_served(validated):
    """The layout is TensorFlow Serving's: a number, and whole when it is visible."""
    root, result = validated
    base = root / "serving" / "small"
    (version,) = [name for name in os.listdir(base) if not name.startswith(".")]
    assert version.isdecimal()
    assert os.listdir(base) == [version]
    assert {"saved_model.pb", "variables", "assets.extra"} <= set(os.listdir(base / version))
    assert stat.S_IMODE((base / version).stat().st_mode) == 0o755
    (pushed,) = result.outputs["Pusher"]["pushed_model"]
    store = str(root / "artifacts" / "metadata.db")
    server = RunningServer(pushed.id, "--store", store)
    try:
        assert server.started["name"] == "small"
        assert server.started["versions"] == [int(version)]
        connection = HTTPConnection("127.0.0.1", server.started["port"], timeout=30)
        connection.request("POST", "/v1/models/small:predict", '{"instances": [[1, 2]]}')
        assert json.loads(connection.getresponse().read()) == {"predictions": [3.0]}
    finally:
        server.end()


def test_garbage_is_what_no_run_needs_and_never_what_was_pushed(place, validated):
    from click.testing import CliRunner

    from trainwright.cli.main import cli

    root, first = validated
    LocalDagRunner().run(pipeline(place, root, {**REQUESTS, "num_examples": 1}))
    old = first.outputs["InfraValidator"]["blessing"][0].uri
    arguments = ["gc", "--store", str(root / "artifacts" / "metadata.db"), "--keep", "1", "--yes"]
    done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 0, done.output
    assert not os.path.exists(old)
    assert len(os.listdir(root / "serving" / "small")) == 2
    again = LocalDagRunner().run(pipeline(place, root, {**REQUESTS, "num_examples": 1}))
    assert set(states(again).values()) == {"cached"}


def test_a_model_that_does_not_answer_is_not_blessed_nor_pushed_and_is_tried_again(place, tmp_path):
    request = {**REQUESTS, "split_name": ""}  # the first split, whose values the model refuses
    request["tensorflow_serving"] = {}
    result = LocalDagRunner().run(pipeline(place, tmp_path, request))
    (blessing,) = result.outputs["InfraValidator"]["blessing"]
    assert blessing.custom_properties["blessed"] == 0
    assert os.listdir(blessing.uri) == ["INFRA_NOT_BLESSED"]
    summary = blessing.custom_properties["summary"]
    assert summary.startswith("not blessed: Request 1 of 2 (:predict, signature 'serving_default')")
    assert "was refused with 400" in summary
    assert "minus one is not liked" in summary
    assert not (tmp_path / "serving").exists()
    forecasts = {
        one.node_id: one for one in LocalDagRunner().explain(pipeline(place, tmp_path, request))
    }
    assert "not blessed then" in forecasts["InfraValidator"].reason


# What follows calls the executor by hand.


def artifact(kind, path, **properties):
    made = kind()
    made.uri = str(path)
    for name, value in properties.items():
        setattr(made, name, value)
    return made


def validate(place, tmp_path, request=REQUESTS, model=None, **validation):
    """The blessing of an executor that is called by hand, and what it says."""
    blessing = artifact(InfraBlessing, tmp_path / "blessing")
    examples = artifact(Examples, place / "examples", split_names='["train", "eval"]')
    context = Executor.Context(tmp_dir=str(tmp_path / "tmp"), unique_id="1")
    Executor(context).Do(
        {"model": [artifact(Model, model or place / "model")], "examples": [examples]},
        {"blessing": [blessing]},
        {
            "serving_spec": json.dumps(
                {"tensorflow_serving": {"tags": ["2.0"]}, "local_docker": {}}
            ),
            "request_spec": json.dumps(request) if request else None,
            "validation_spec": json.dumps({"num_tries": 1, **validation}),
        },
    )
    assert not list((tmp_path / "tmp").rglob("server.log"))
    return blessing


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    """Puts a tensorflow_model_server on the path that behaves as it is told; what it noted."""
    program = tmp_path / "bin" / "tensorflow_model_server"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\n{STAND_IN.read_text()}")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("NOTES", str(tmp_path / "notes"))

    def behave(behaviour):
        monkeypatch.setenv("BEHAVIOUR", behaviour)

    def notes():
        return [json.loads(line) for line in (tmp_path / "notes").read_text().splitlines()]

    behave.notes = notes
    yield behave
    for note in notes() if (tmp_path / "notes").exists() else []:
        assert "pid" not in note or is_gone(note["pid"])


def is_gone(pid):
    """Whether a process ends soon."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.05)
    return False


def test_tensorflow_serving_is_used_where_it_is_installed(place, tmp_path, stand_in, caplog):
    stand_in("answer")
    caplog.set_level("INFO")
    blessing = validate(place, tmp_path)
    assert blessing.custom_properties["summary"] == (
        "blessed: it loads in tensorflow_model_server and answers 8 requests"
    )
    _, *asked = stand_in.notes()
    assert [one["path"].rpartition(":")[2] for one in asked] == [
        *["predict"] * 4,
        *["classify"] * 2,
        *["regress"] * 2,
    ]
    assert asked[1]["inputs"] == {"x": [[2.0, 1.0]]}
    sent = asked[2]["inputs"]["examples"][0]["b64"]
    assert base64.b64decode(sent) == serialized_example(2, 0)
    assert asked[4]["examples"] == [{"x": [2.0, 0.0]}]
    said = [one.getMessage() for one in caplog.records if "image" in one.getMessage()]
    assert len(said) == 1
    assert "tensorflow/serving:2.0: no container is started" in said[0]


@pytest.mark.parametrize(
    ("behaviour", "tries", "message"),
    [
        ("die", 2, "The model server ended: its process .* ended with exit status 3"),
        ("load", 1, "not loaded in time; when the server was last asked, the model was LOADING"),
        ("hang", 1, "it did not answer"),
        ("cannot_load", 2, "cannot load the model: Op type not registered 'Foo'"),
        ("refuse", 1, "Request 1 of 8 .* was refused with 400: Could not parse example input"),
        ("fail", 2, "was refused with 500: out of luck"),
        ("die_when_asked", 2, "The model server ended"),
    ],
)
def test_each_failure_has_its_own_words_and_leaves_nothing(
    place, tmp_path, stand_in, caplog, behaviour, tries, message
):
    stand_in(behaviour)
    seconds = {"load": 6, "hang": 8}.get(behaviour, 60)
    allowed = 2 if seconds == 60 else 1
    blessing = validate(place, tmp_path, num_tries=allowed, max_loading_time_seconds=seconds)
    assert blessing.custom_properties["blessed"] == 0
    assert "has_model" not in blessing.custom_properties
    summary = blessing.custom_properties["summary"]
    assert re.search(message, summary), summary
    assert sum("pid" in note for note in stand_in.notes()) == tries
    if behaviour == "die":
        assert "Address already in use" in caplog.text


def test_a_port_that_is_taken_meanwhile_is_tried_anew(place, tmp_path, stand_in):
    stand_in("port_taken_once")
    blessing = validate(place, tmp_path, None, num_tries=2)
    assert blessing.custom_properties["summary"] == "blessed: it loads in tensorflow_model_server"
    assert "has_model" not in blessing.custom_properties


def test_a_damaged_model_is_not_blessed(place, tmp_path, monkeypatch):
    monkeypatch.setenv("TRAINWRIGHT_MODEL_SERVER", "trainwright")
    shutil.copytree(place / "model", tmp_path / "model")
    for file in (tmp_path / "model" / "Format-Serving" / "variables").iterdir():
        file.unlink()
    blessing = validate(place, tmp_path, None, tmp_path / "model")
    summary = blessing.custom_properties["summary"]
    assert summary.startswith("not blessed: The model server refuses the model: The SavedModel at")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"split_name": "evl"},
            "split_name is 'evl': the examples have no such split; did you mean",
        ),
        (
            {"tensorflow_serving": {"signature_names": ["predict"]}},
            "has no signature 'predict'",
        ),
        ({"tensorflow_serving": {"tag_set": ["gpu"]}}, r"no graph with the tags \['gpu'\]"),
        (
            {"tensorflow_serving": {"signature_names": ["named"]}},
            "takes 'count', which the examples do not have",
        ),
    ],
)
def test_requests_that_cannot_be_made_fail_the_node(place, tmp_path, change, message):
    with pytest.raises(ValueError, match=message):
        validate(place, tmp_path, {**REQUESTS, **change})


@pytest.mark.parametrize(
    ("options", "environment", "message"),
    [
        (
            {"serving_spec": {"kubernetes": {}}},
            {},
            "kubernetes: servers are started on this machine",
        ),
        ({"serving_spec": {"model_name": "a/b"}}, {}, "model_name is 'a/b'"),
        ({"serving_spec": {"tensorflow_servin": {}}}, {}, "tensorflow_serving"),
        ({}, {"TRAINWRIGHT_MODEL_SERVER": "/no/such"}, "is '/no/such', which is not a program"),
    ],
)
def test_what_cannot_be_validated_is_refused_before_the_run(
    place, tmp_path, monkeypatch, options, environment, message
):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    def run():
        components = nodes(place, **options)
        LocalDagRunner().run(Pipeline("p", str(tmp_path / "root"), components=components))

    with pytest.raises((ValueError, PipelineRunError), match=message):
        run()
    assert not (tmp_path / "root" / "ImportExampleGen").exists()


@pytest.mark.parametrize("victim", ["runner", "node"])
def test_no_server_outlives_its_node(place, tmp_path, stand_in, victim):
    """Whoever is killed: a server that never becomes ready is gone at once."""
    stand_in("load")
    script = f"""
        import sys
        sys.path.insert(0, {str(Path(__file__).parent)!r})
        from pathlib import Path
        from test_infra_validator import pipeline
        from trainwright import LocalDagRunner
        LocalDagRunner().run(pipeline(Path({str(place)!r}), Path({str(tmp_path / "root")!r})))
    """
    path = os.pathsep.join(entry for entry in sys.path if entry)
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + 120
        while not (tmp_path / "notes").exists():
            assert time.monotonic() < deadline
            assert process.poll() is None
            time.sleep(0.1)
        time.sleep(0.2)
        server = stand_in.notes()[0]["pid"]
        node = int(Path(f"/proc/{server}/stat").read_text().rpartition(")")[2].split()[1])
        os.kill(process.pid if victim == "runner" else node, signal.SIGKILL)
        assert is_gone(server)
    finally:
        process.kill()
        process.wait()
