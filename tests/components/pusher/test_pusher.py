"""Pusher: a server that watches the directory sees whole versions only, and only blessed ones."""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from trainwright import (
    Channel,
    LocalDagRunner,
    OutputArtifact,
    Parameter,
    Pipeline,
    PipelineRunError,
    component,
)
from trainwright.components import Pusher
from trainwright.components.pusher.executor import Executor, push_directory
from trainwright.dsl.base_executor import EmptyExecutor
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.proto import pusher_pb2
from trainwright.types import standard_artifacts
from trainwright.types.standard_artifacts import InfraBlessing, Model, ModelBlessing, PushedModel

FILES = {
    "saved_model.pb": b"graph",
    "variables/variables.index": b"index",
    "variables/variables.data-00000-of-00001": b"weights" * 1000,
    "assets/vocabulary.txt": b"a\nb\n",
}


def write_model(directory):
    for name, content in FILES.items():
        path = Path(directory, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def read_model(directory):
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in Path(directory).rglob("*")
        if path.is_file()
    }


def versions(base):
    return sorted(name for name in os.listdir(base) if name.isdigit())


def artifact(artifact_type, uri="", **custom_properties):
    made = artifact_type()
    made.uri = str(uri)
    made.custom_properties.update(custom_properties)
    return made


@pytest.fixture
def model(tmp_path):
    write_model(tmp_path / "model" / "Format-Serving")
    return artifact(Model, tmp_path / "model")


def push(tmp_path, **inputs):
    """Calls the executor by hand; returns the PushedModel artifact."""
    node = Pusher(model=Channel(type=Model), push_destination=destination(tmp_path))
    (tmp_path / "pushed").mkdir(exist_ok=True)
    pushed = artifact(PushedModel, tmp_path / "pushed")
    input_dict = {key: [value] for key, value in inputs.items()}
    Executor().Do(input_dict, {"pushed_model": [pushed]}, dict(node.exec_properties))
    return pushed


def destination(tmp_path):
    return {"filesystem": {"base_directory": str(tmp_path / "serving")}}


def test_a_model_becomes_a_version_named_by_the_time(tmp_path, model):
    before = int(time.time())
    pushed = push(tmp_path, model=model)
    (version,) = os.listdir(tmp_path / "serving")
    assert before <= int(version) <= time.time()
    assert read_model(tmp_path / "serving" / version) == FILES
    assert read_model(tmp_path / "pushed") == FILES
    assert pushed.get_int_custom_property("pushed") == 1
    assert pushed.get_string_custom_property("pushed_version") == version
    assert pushed.get_string_custom_property("pushed_destination") == str(
        tmp_path / "serving" / version
    )


def test_pushes_in_the_same_second_get_different_versions(tmp_path, model):
    pushed = [push(tmp_path, model=model) for _ in range(3)]
    names = [made.get_string_custom_property("pushed_version") for made in pushed]
    assert sorted(names) == names == versions(tmp_path / "serving")
    assert len(set(names)) == 3


def test_pushes_at_the_same_time_get_different_versions(tmp_path, model):
    source, base = f"{model.uri}/Format-Serving", str(tmp_path / "serving")
    with ThreadPoolExecutor(8) as pool:
        pushed = list(pool.map(lambda _: push_directory(source, base), range(24)))
    assert len(set(pushed)) == 24
    assert sorted(map(os.path.basename, pushed)) == sorted(os.listdir(base))
    assert all(read_model(path) == FILES for path in pushed)


def test_a_version_that_is_taken_by_something_else_is_left_alone(tmp_path, model):
    base = tmp_path / "serving"
    base.mkdir()
    now = int(time.time())
    for second in range(20):
        (base / str(now + second)).write_text("not mine")
    pushed = push(tmp_path, model=model)
    assert int(pushed.get_string_custom_property("pushed_version")) >= now + 20
    assert (base / str(now)).read_text() == "not mine"


def test_a_version_of_the_future_does_not_stay_the_newest(tmp_path, model):
    base = tmp_path / "serving"
    ahead = int(time.time()) + 10**6
    for name in (str(ahead), str(2**63), "9" * 40, "\N{SUPERSCRIPT TWO}", "notes"):
        (base / name).mkdir(parents=True)
    pushed = push(tmp_path, model=model)
    assert pushed.get_string_custom_property("pushed_version") == str(ahead + 1)
    assert Pusher.DRIVER_CLASS().why_not_reuse({"pushed_model": [pushed]}) is None
    (base / str(ahead + 2)).mkdir()
    reason = Pusher.DRIVER_CLASS().why_not_reuse({"pushed_model": [pushed]})
    assert reason == f"version {ahead + 2} was pushed to {base} after {ahead + 1}"


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("saved_model.pb", None, "saved_model.pb is gone"),
        ("variables/variables.index", b"", "variables/variables.index has 0 bytes instead of 5"),
        ("", None, "it has no files"),
    ],
)
def test_a_version_that_was_damaged_is_pushed_again(tmp_path, model, name, content, expected):
    pushed = push(tmp_path, model=model)
    version = Path(pushed.get_string_custom_property("pushed_destination"))
    (version / "assets.extra").mkdir()
    (version / "assets.extra/warm_up").write_text("added where it is served")
    why_not_reuse = Pusher.DRIVER_CLASS().why_not_reuse
    assert why_not_reuse({"pushed_model": [pushed]}) is None
    if content is not None:
        (version / name).write_bytes(content)
    elif name:
        (version / name).unlink()
    else:
        shutil.rmtree(version)
        (version / "variables").mkdir(parents=True)
    reason = why_not_reuse({"pushed_model": [pushed]})
    assert reason == f"the pushed version {version} is damaged: {expected}"


def test_a_push_of_a_custom_executor_counts_whatever_its_artifact_holds(tmp_path):
    version = tmp_path / "serving" / "7"
    write_model(version)
    (tmp_path / "artifact").mkdir()
    (tmp_path / "artifact/endpoint").write_text("https://example.com")
    pushed = artifact(
        PushedModel, str(tmp_path / "artifact"), pushed=1, pushed_destination=str(version)
    )
    assert Pusher.DRIVER_CLASS().why_not_reuse({"pushed_model": [pushed]}) is None
    assert "no record" in Pusher.DRIVER_CLASS().why_not_reuse({})


def test_above_the_highest_number_nothing_can_be_pushed(tmp_path, model):
    (tmp_path / "serving" / str(2**63 - 1)).mkdir(parents=True)
    with pytest.raises(ValueError, match=f"{2**63 - 1} has the highest number .* Remove or rename"):
        push(tmp_path, model=model)
    assert os.listdir(tmp_path / "serving") == [str(2**63 - 1)]


def test_links_within_a_model_are_pushed_as_files(tmp_path, model):
    serving = Path(model.uri, "Format-Serving")
    (serving / "assets" / "again.txt").symlink_to("vocabulary.txt")
    (serving / "more").symlink_to(serving / "assets")
    pushed = Path(push(tmp_path, model=model).get_string_custom_property("pushed_destination"))
    assert (pushed / "more" / "again.txt").read_bytes() == FILES["assets/vocabulary.txt"]
    assert not any(path.is_symlink() for path in pushed.rglob("*"))


@pytest.mark.parametrize(
    ("link", "target", "message"),
    [
        ("assets/secret", "{tmp_path}/secret", "a link that leads out of it, to '{tmp_path}/secr"),
        ("all", "../..", "a link that leads out of it, to '{tmp_path}'"),
        ("assets/up", "..", "a link to .*, which has links to directories in it"),
        ("gone", "nowhere", "'{tmp_path}/model/Format-Serving/gone' is a link that leads nowhere"),
        ("zeros", "/dev/zero", "zeros' is a device"),
    ],
)
def test_a_model_with_a_link_that_cannot_be_copied_is_refused(
    tmp_path, model, link, target, message
):
    (tmp_path / "secret").write_text("of somebody else")
    Path(model.uri, "Format-Serving", link).symlink_to(target.format(tmp_path=tmp_path))
    with pytest.raises(ValueError, match=message.format(tmp_path=tmp_path)):
        push(tmp_path, model=model)
    assert not (tmp_path / "serving").exists()


def test_a_model_that_is_a_link_out_of_its_artifact_is_refused(tmp_path, model):
    Path(model.uri, "Format-Serving").rename(tmp_path / "elsewhere")
    Path(model.uri, "Format-Serving").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ValueError, match="a link that leads out of its artifact, to .*elsewhere"):
        push(tmp_path, model=model)


@pytest.mark.parametrize("place", ["", "versions/new"])
def test_a_destination_in_the_model_itself_is_refused(tmp_path, place):
    (tmp_path / "model").mkdir()
    (tmp_path / "model/saved_model.pb").touch()
    with pytest.raises(ValueError, match="lies in the model that is pushed"):
        push_directory(str(tmp_path / "model"), str(tmp_path / "model" / place))
    assert os.listdir(tmp_path / "model") == ["saved_model.pb"]


def test_a_model_with_a_named_pipe_is_refused(tmp_path, model):
    os.mkfifo(f"{model.uri}/Format-Serving/assets/pipe")
    with pytest.raises(ValueError, match="assets/pipe' is a named pipe"):
        push(tmp_path, model=model)


def step_by_step(action, source, base):
    """Runs push_step_by_step.py in a process of its own and returns what it saw."""
    script = str(Path(__file__).parent / "push_step_by_step.py")
    finished = subprocess.run(
        [sys.executable, script, action, str(source), str(base)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert finished.returncode == 0, finished.stderr
    seen = json.loads(finished.stdout)
    assert seen["steps"] > 2 * len(FILES)
    return seen


def test_at_no_step_is_there_a_version_that_is_not_whole(tmp_path, model):
    base = tmp_path / "serving"
    assert step_by_step("watch", f"{model.uri}/Format-Serving", base)["broken"] == []
    assert len(versions(base)) == 1


def test_a_watcher_never_sees_a_version_that_is_not_whole(tmp_path, model):
    base = tmp_path / "serving"
    base.mkdir()
    stop = threading.Event()
    seen, broken = set(), []

    def watch():
        while not stop.is_set():
            for name in set(versions(base)) - seen:
                if read_model(base / name) != FILES:
                    broken.append(name)
                seen.add(name)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        pushed = [push_directory(f"{model.uri}/Format-Serving", str(base)) for _ in range(20)]
        wait_until(lambda: len(seen) == len(pushed))
    finally:
        stop.set()
        watcher.join()
    assert broken == []
    assert seen == {os.path.basename(path) for path in pushed}
    assert sorted(os.listdir(base)) == sorted(seen)


def test_another_account_can_read_what_was_pushed(tmp_path, model):
    os.chmod(f"{model.uri}/Format-Serving", 0o700)
    pushed = push_directory(f"{model.uri}/Format-Serving", str(tmp_path / "serving"))
    assert os.stat(pushed).st_mode & 0o777 == 0o755


@pytest.mark.parametrize(
    ("blessings", "is_pushed"),
    [
        ({}, True),
        ({"model_blessing": {"blessed": 1}}, True),
        ({"model_blessing": {"blessed": 0}}, False),
        ({"model_blessing": {}}, False),
        ({"infra_blessing": {"blessed": 1}}, True),
        ({"infra_blessing": {"blessed": 0}}, False),
        ({"infra_blessing": {}}, False),
        ({"model_blessing": {"blessed": 1}, "infra_blessing": {"blessed": 1}}, True),
        ({"model_blessing": {"blessed": 1}, "infra_blessing": {"blessed": 0}}, False),
        ({"model_blessing": {"blessed": 0}, "infra_blessing": {"blessed": 1}}, False),
    ],
)
def test_every_wired_blessing_must_bless(tmp_path, model, blessings, is_pushed):
    types = {"model_blessing": ModelBlessing, "infra_blessing": InfraBlessing}
    inputs = {key: artifact(types[key], **given) for key, given in blessings.items()}
    pushed = push(tmp_path, model=model, **inputs)
    assert pushed.get_int_custom_property("pushed") == int(is_pushed)
    assert pushed.has_custom_property("pushed")
    assert pushed.has_custom_property("pushed_version") is is_pushed
    assert (tmp_path / "serving").exists() is is_pushed


def test_a_model_that_is_not_pushed_says_why(tmp_path, model):
    blessing = artifact(ModelBlessing, blessed=0)
    pushed = push(tmp_path, model=model, model_blessing=blessing)
    assert pushed.get_string_custom_property("summary") == (
        "not pushed: model_blessing does not bless the model"
    )


def test_a_blessing_of_this_model_counts(tmp_path, model):
    blessing = artifact(ModelBlessing, blessed=1, current_model=model.uri)
    assert push(tmp_path, model=model, model_blessing=blessing).get_int_custom_property("pushed")


def test_a_blessing_from_another_pipeline_is_refused(tmp_path, model):
    blessing = artifact(
        ModelBlessing,
        "/other/Evaluator/blessing/7",
        blessed=1,
        current_model="/other/Trainer/model/6",
    )
    with pytest.raises(ValueError, match="about a model of another pipeline") as refused:
        push(tmp_path, model=model, model_blessing=blessing)
    assert "/other/Trainer/model/6" in str(refused.value)
    assert "model_blessing=evaluator.outputs['blessing']" in str(refused.value)
    assert not (tmp_path / "serving").exists()


def test_a_blessing_of_another_model_of_the_pipeline_is_pointed_out(tmp_path, model, caplog):
    about = str(Path(model.uri).parent / "another")
    blessing = artifact(ModelBlessing, blessed=1, current_model=about)
    assert push(tmp_path, model=model, model_blessing=blessing).get_int_custom_property("pushed")
    assert f"The blessing is about {about}" in caplog.text


def test_without_a_model_the_stamped_one_is_pushed(tmp_path):
    write_model(tmp_path / "infra" / "stamped_model")
    blessing = artifact(InfraBlessing, tmp_path / "infra", blessed=1, has_model=1)
    pushed = push(tmp_path, infra_blessing=blessing)
    assert read_model(pushed.get_string_custom_property("pushed_destination")) == FILES


def test_a_model_counts_more_than_the_stamped_one(tmp_path, model):
    (tmp_path / "infra" / "stamped_model").mkdir(parents=True)
    blessing = artifact(InfraBlessing, tmp_path / "infra", blessed=1, has_model=1)
    pushed = push(tmp_path, model=model, infra_blessing=blessing)
    assert read_model(pushed.get_string_custom_property("pushed_destination")) == FILES


def test_a_blessing_without_a_model_says_what_to_wire(tmp_path):
    blessing = artifact(InfraBlessing, tmp_path / "infra", blessed=1)
    with pytest.raises(RuntimeError, match=r"wire model=trainer\.outputs\['model'\]"):
        push(tmp_path, infra_blessing=blessing)
    assert not (tmp_path / "serving").exists()


@pytest.mark.parametrize("is_empty", [False, True])
def test_a_model_that_is_not_there_is_not_pushed(tmp_path, is_empty):
    if is_empty:
        (tmp_path / "gone" / "Format-Serving").mkdir(parents=True)
    with pytest.raises(FileNotFoundError, match="no model to push at .*gone/Format-Serving"):
        push(tmp_path, model=artifact(Model, tmp_path / "gone"))
    assert not (tmp_path / "serving").exists()


def test_a_push_that_fails_leaves_nothing(tmp_path, model):
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))  # as on a full disk
    try:
        with pytest.raises(OSError, match="File too large"):
            push(tmp_path, model=model)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert os.listdir(tmp_path / "serving") == []


@pytest.fixture
def model_of_many_files(model):
    """A model whose copy takes long enough to be interrupted in the middle."""
    for number in range(3000):
        os.link(
            f"{model.uri}/Format-Serving/assets/vocabulary.txt",
            f"{model.uri}/Format-Serving/assets/{number}.txt",
        )
    return model


def start_push(source, base):
    code = (
        "import sys; from trainwright.components.pusher.executor import push_directory; "
        "push_directory(*sys.argv[1:])"
    )
    return subprocess.Popen([sys.executable, "-c", code, str(source), str(base)])


def wait_until(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in a minute"


def test_a_push_that_is_killed_in_the_middle_of_the_copy_leaves_no_version(
    tmp_path, model_of_many_files
):
    source, base = Path(model_of_many_files.uri, "Format-Serving"), tmp_path / "serving"
    process = start_push(source, base)
    wait_until(lambda: list(base.glob(".trainwright-push-*/**/1*.txt")) or process.poll() == 0)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    assert versions(base) == []
    assert list(base.glob(".trainwright-push-*"))
    pushed = push_directory(str(source), str(base))
    assert os.listdir(base) == [os.path.basename(pushed)]


def test_a_push_that_is_killed_at_any_step_leaves_no_broken_version(tmp_path, model):
    seen = step_by_step("kill", f"{model.uri}/Format-Serving", tmp_path / "serving")
    assert seen["broken"] == []
    assert sorted(os.listdir(tmp_path / "serving")) == versions(tmp_path / "serving")


def test_what_a_push_of_another_host_left_is_swept_a_day_later(tmp_path, model):
    base = tmp_path / "serving"
    elsewhere = ".trainwright-push-0123456789ab-1-1.0-"
    stale, fresh = base / f"{elsewhere}stale", base / f"{elsewhere}fresh"
    for directory in (stale, fresh):
        write_model(directory / "model")
    other = base / "notes"
    other.mkdir()
    two_days_ago = time.time() - 2 * 24 * 3600
    for directory in (stale, other):
        os.utime(directory, (two_days_ago, two_days_ago))
    push(tmp_path, model=model)
    assert not stale.exists()
    assert fresh.exists()
    assert other.exists()


def test_the_copy_of_an_old_model_does_not_look_like_a_left_over(tmp_path, model):
    source, base = Path(model.uri, "Format-Serving"), tmp_path / "serving"
    two_days_ago = time.time() - 2 * 24 * 3600
    for directory in (source, *source.iterdir()):
        os.utime(directory, (two_days_ago, two_days_ago))
    seen = step_by_step("disturb", source, base)
    assert seen["broken"] == []
    assert len(versions(base)) == seen["steps"] + 1


def test_the_constructor_needs_a_model_or_an_infra_blessing(tmp_path):
    with pytest.raises(ValueError, match="one of model or infra_blessing channel should be given"):
        Pusher(model_blessing=Channel(type=ModelBlessing), push_destination=destination(tmp_path))
    assert Pusher(
        infra_blessing=Channel(type=InfraBlessing), push_destination=destination(tmp_path)
    )


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        5,
        {},
        {"filesystem": {}},
        {"filesystem": {"base_directory": ""}},
        "{}",
        pusher_pb2.PushDestination(),
    ],
)
def test_the_constructor_needs_a_destination(wrong):
    with pytest.raises(ValueError, match="Pusher needs a push_destination, for example"):
        Pusher(model=Channel(type=Model), push_destination=wrong)


def test_a_misspelt_destination_gets_a_suggestion():
    with pytest.raises(ValueError, match="no field 'base_dir'. Did you mean 'base_directory'"):
        Pusher(model=Channel(type=Model), push_destination={"filesystem": {"base_dir": "/serving"}})


@pytest.mark.parametrize("name", ["model", "model_blessing", "infra_blessing"])
def test_a_channel_of_the_wrong_type_is_refused(name, tmp_path):
    channels = {"model": Channel(type=Model), name: Channel(type=standard_artifacts.Schema)}
    with pytest.raises(TypeError, match=f"Argument {name} should be a Channel of type"):
        Pusher(**channels, push_destination=destination(tmp_path))


def test_a_custom_executor_may_do_without_a_destination():
    with pytest.warns(DeprecationWarning, match="custom_executor_spec is deprecated"):
        node = Pusher(
            model=Channel(type=Model),
            custom_config={"b": 1, "a": 2},
            custom_executor_spec=ExecutorClassSpec(EmptyExecutor),
        )
    assert node.exec_properties["custom_config"] == '{"a": 2, "b": 1}'


@component
def make_model(model: OutputArtifact[Model], is_saved: Parameter[bool]):
    if is_saved:
        path = Path(model.uri, "Format-Serving")
        path.mkdir()
        (path / "saved_model.pb").write_bytes(b"graph")


@component
def bless(blessing: OutputArtifact[ModelBlessing], blessed: Parameter[int]):
    blessing.set_int_custom_property("blessed", blessed)


def run_pipeline(tmp_path, *, is_saved=True, blessed=1):
    maker, blesser = make_model(is_saved=is_saved), bless(blessed=blessed)
    pusher = Pusher(
        model=maker.outputs["model"],
        model_blessing=blesser.outputs["blessing"],
        push_destination=destination(tmp_path),
    )
    components = [maker, blesser, pusher]
    pipeline = Pipeline("push", str(tmp_path / "root"), components=components)
    return LocalDagRunner().run(pipeline).outputs["Pusher"]["pushed_model"][0]


def test_in_a_pipeline_the_store_remembers_where_the_model_went(tmp_path):
    record = run_pipeline(tmp_path)
    (version,) = versions(tmp_path / "serving")
    assert record.type.name == "PushedModel"
    assert record.custom_properties["pushed"] == 1
    assert record.custom_properties["pushed_version"] == version
    assert record.custom_properties["pushed_destination"] == str(tmp_path / "serving" / version)
    assert (Path(record.uri) / "saved_model.pb").read_bytes() == b"graph"


def test_in_a_pipeline_a_model_that_is_not_blessed_is_no_failure(tmp_path):
    record = run_pipeline(tmp_path, blessed=0)
    assert record.custom_properties["pushed"] == 0
    assert "pushed_version" not in record.custom_properties
    assert not (tmp_path / "serving").exists()


def test_in_a_pipeline_a_missing_model_fails_the_node(tmp_path):
    with pytest.raises(PipelineRunError, match="Pusher failed with FileNotFoundError: There is no"):
        run_pipeline(tmp_path, is_saved=False)


def test_a_cached_push_counts_only_while_it_is_there_and_the_newest(tmp_path):
    """Going back to an older model pushes it again; so does a serving directory that is gone."""
    import shutil

    from trainwright import LocalDagRunner, OutputArtifact, Parameter, Pipeline, component
    from trainwright.components import Pusher
    from trainwright.types import standard_artifacts

    @component
    def make(text: Parameter[str], model: OutputArtifact[standard_artifacts.Model]):
        import os

        os.makedirs(f"{model.uri}/Format-Serving")
        with open(f"{model.uri}/Format-Serving/model.txt", "w") as file:
            file.write(text)

    serving = tmp_path / "serving"

    def run(text: str) -> tuple[str, str]:
        maker = make(text=text)
        pusher = Pusher(
            model=maker.outputs["model"],
            push_destination={"filesystem": {"base_directory": str(serving)}},
        )
        pipeline = Pipeline("p", str(tmp_path / "r"), components=[maker, pusher], enable_cache=True)
        state = LocalDagRunner().run(pipeline).states["Pusher"].value
        newest = max(serving.iterdir(), key=lambda path: int(path.name))
        return state, (newest / "model.txt").read_text()

    assert run("a") == ("complete", "a")
    assert run("a") == ("cached", "a")
    assert run("b") == ("complete", "b")
    assert run("a") == ("complete", "a")
    shutil.rmtree(serving)
    assert run("a") == ("complete", "a")


def test_a_destination_that_cannot_be_written_is_refused_before_anything_runs(tmp_path):
    from trainwright import LocalDagRunner, OutputArtifact, Pipeline, component
    from trainwright.components import Pusher
    from trainwright.types import standard_artifacts

    @component
    def make(model: OutputArtifact[standard_artifacts.Model]):
        pass

    (tmp_path / "file").touch()
    maker = make()
    destination = {"filesystem": {"base_directory": str(tmp_path / "file" / "serving")}}
    pusher = Pusher(model=maker.outputs["model"], push_destination=destination)
    with pytest.raises(ValueError, match="push_destination of Pusher .*not a directory"):
        LocalDagRunner().run(Pipeline("p", str(tmp_path / "r"), components=[maker, pusher]))
    assert not (tmp_path / "r").exists()
