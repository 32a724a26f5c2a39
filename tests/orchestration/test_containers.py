"""Container components, run by a program that behaves as podman does, but without containers."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from trainwright import LocalDagRunner, OutputDict, Parameter, Pipeline, component
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.containers.command_placeholders import (
    ConcatPlaceholder,
    InputUriPlaceholder,
    InputValuePlaceholder,
    OutputUriPlaceholder,
)
from trainwright.dsl.containers.container_component import create_container_component
from trainwright.dsl.containers.container_spec import ExecutorContainerSpec
from trainwright.orchestration.launching.containers import platform_options, run_arguments
from trainwright.orchestration.run_result import NodeState, PipelineRunError
from trainwright.proto.orchestration.platform_config_pb2 import DockerPlatformConfig
from trainwright.types.component_spec import ChannelParameter, ComponentSpec, ExecutionParameter
from trainwright.types.placeholders.runtime_placeholders import exec_property
from trainwright.types.standard_artifacts import Examples, Integer, String

FAKE = Path(__file__).parent / "fake_podman"


class Engine:
    """The fake engine: its daemon, and what its program was called with."""

    def __init__(self, directory: Path, name: str) -> None:
        self.directory = directory
        program = directory / name
        program.write_text(f"#!{sys.executable}\n" + (FAKE / "client.py").read_text())
        program.chmod(0o755)
        self.daemon = subprocess.Popen(
            [sys.executable, FAKE / "daemon.py", directory / "socket"], stdout=subprocess.PIPE
        )
        assert self.daemon.stdout.readline() == b"ready\n"

    def calls(self, command: str) -> list[list[str]]:
        lines = (self.directory / "calls").read_text().splitlines()
        return [call for call in map(json.loads, lines) if call[0] == command]

    def containers(self) -> list[str]:
        [program] = [self.directory / name for name in ("podman", "docker") if self.has(name)]
        return subprocess.run([program, "ps"], capture_output=True, text=True).stdout.split()

    def has(self, name: str) -> bool:
        return (self.directory / name).exists()

    def wait_for(self, number: int) -> None:
        """Waits until there are that many containers."""
        deadline = time.monotonic() + 30
        while len(self.containers()) != number:
            assert time.monotonic() < deadline, self.containers()
            time.sleep(0.05)


@pytest.fixture
def make_engine(monkeypatch):
    made = []

    def make(name: str) -> Engine:
        directory = Path(tempfile.mkdtemp(prefix="engine"))  # a socket's path must be short
        monkeypatch.setenv("PATH", str(directory))  # and no real docker or podman
        made.append(Engine(directory, name))
        return made[-1]

    yield make
    for engine in made:
        engine.daemon.kill()
        engine.daemon.wait()
        shutil.rmtree(engine.directory)


@pytest.fixture
def podman(make_engine):
    return make_engine("podman")


@component
def give(start: Parameter[int] = 7) -> OutputDict(number=int):
    return {"number": start}


@component
def read(text: str) -> OutputDict(length=int):
    return {"length": len(text)}


WRITE = """
import os, sys
path, text, number, setting = sys.argv[1:]
print("writing to", path)
open(path, "w").write(f"{text} {number} {setting} {os.environ.get('COLOR')}")
"""


def make_writer(image="tools:1", program=WRITE):
    return create_container_component(
        name="Writer",
        image=image,
        inputs={"number": Integer},
        outputs={"text": String, "examples": Examples},
        parameters={"words": str, "setting": dict},
        command=[
            sys.executable,
            "-c",
            program,
            OutputUriPlaceholder("text"),
            InputValuePlaceholder("words"),
            ConcatPlaceholder(["n=", InputValuePlaceholder("number")]),
            exec_property("setting"),
        ],
    )


def make_pipeline(root, writer_class, **arguments):
    giver = give()
    given = {"words": "hello world", "setting": {"a": [1]}, **arguments}
    writer = writer_class(number=giver.outputs["number"], **given)
    reader = read(text=writer.outputs["text"])
    return Pipeline("boxes", str(root), components=[giver, writer, reader], enable_cache=True)


def log_of(root) -> str:
    [log] = Path(root, "Writer", ".system", "executor_execution").glob("*/executor.log")
    return log.read_text()


def test_a_container_takes_its_place_among_other_nodes(tmp_path, podman):
    pipeline = make_pipeline(tmp_path, make_writer())
    pipeline.components[1].with_environment(COLOR="red")
    outputs = LocalDagRunner().run(pipeline).outputs
    [text] = outputs["Writer"]["text"]
    assert Path(text.uri).read_text() == 'hello world n=7 {"a": [1]} red'
    assert Path(outputs["read"]["length"][0].uri).read_text() == str(
        len(Path(text.uri).read_text())
    )

    log = log_of(tmp_path)
    assert "Image tools:1, run as: " in log
    assert f"writing to {text.uri}" in log
    assert "the container ended with exit status 0" in log
    assert "--env COLOR " in log  # and not its value, which may be a secret
    assert podman.containers() == []
    assert podman.calls("rm") == []


def test_the_container_sees_its_files_where_they_are(tmp_path, podman):
    outputs = LocalDagRunner().run(make_pipeline(tmp_path, make_writer())).outputs
    [call] = podman.calls("run")
    mounts = [call[place + 1] for place, option in enumerate(call) if option == "--mount"]
    written = [os.path.dirname(outputs["Writer"]["text"][0].uri)]
    written += [outputs["Writer"]["examples"][0].uri]
    assert mounts == [
        f"type=bind,source={tmp_path},target={tmp_path},readonly",
        *(f"type=bind,source={path},target={path}" for path in written),
    ]
    assert "--rm" in call
    assert "trainwright.node=Writer" in call
    assert "--user" not in call


def test_a_container_is_reused_until_its_image_or_command_changes(tmp_path, podman):
    def state(writer_class):
        return LocalDagRunner().run(make_pipeline(tmp_path, writer_class)).states["Writer"]

    assert state(make_writer()) is NodeState.COMPLETE
    assert state(make_writer()) is NodeState.CACHED
    assert state(make_writer(image="tools:2")) is NodeState.COMPLETE
    assert state(make_writer(program=WRITE + "\n")) is NodeState.COMPLETE
    assert len(podman.calls("run")) == 3


@pytest.mark.parametrize(
    ("image", "program", "complaint"),
    [
        (
            "tools:1",
            "import sys; sys.exit('no such color')",
            'Container exited with error code "1"',
        ),
        ("missing:latest", WRITE, "podman could not start the container"),
    ],
)
def test_what_fails_in_a_container_fails_the_node(tmp_path, podman, image, program, complaint):
    with pytest.raises(PipelineRunError) as raised:
        LocalDagRunner().run(make_pipeline(tmp_path, make_writer(image, program)))
    assert complaint in str(raised.value)
    assert f"The image is {image!r}" in str(raised.value)
    assert ("no such color" in log_of(tmp_path)) == (image == "tools:1")


def test_a_container_is_removed_when_its_node_is_stopped(tmp_path, podman):
    pipeline = make_pipeline(tmp_path, make_writer(program="import time; time.sleep(600)"))
    pipeline.components[1].with_timeout(1)
    with pytest.raises(PipelineRunError):
        LocalDagRunner().run(pipeline)
    podman.wait_for(0)
    assert len(podman.calls("run")) == 1


def test_a_container_is_removed_when_the_runner_dies(tmp_path, podman):
    script = tmp_path / "script.py"
    script.write_text(
        f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_containers import *
LocalDagRunner().run(make_pipeline({str(tmp_path)!r}, make_writer(
    program="import time; time.sleep(600)")))
"""
    )
    runner = subprocess.Popen([sys.executable, script], stderr=subprocess.DEVNULL)
    try:
        podman.wait_for(1)
    finally:
        runner.send_signal(signal.SIGKILL)
        runner.wait()
    podman.wait_for(0)


def test_without_docker_and_podman_nothing_is_started(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ValueError) as raised:
        LocalDagRunner().run(make_pipeline(tmp_path / "root", make_writer()))
    assert "Writer runs in a container of the image 'tools:1'" in str(raised.value)
    assert "neither docker nor podman is on the PATH" in str(raised.value)
    assert not (tmp_path / "root" / "give").exists()


def make_docker_without_daemon(directory: Path) -> None:
    docker = directory / "docker"
    docker.write_text("#!/bin/sh\necho Cannot connect to the Docker daemon >&2\nexit 1\n")
    docker.chmod(0o755)


def test_podman_is_used_where_dockers_daemon_is_not_running(tmp_path, podman):
    make_docker_without_daemon(podman.directory)
    outputs = LocalDagRunner().run(make_pipeline(tmp_path, make_writer())).outputs
    assert Path(outputs["Writer"]["text"][0].uri).exists()


def test_docker_without_its_daemon_is_refused_before_the_run(tmp_path, monkeypatch):
    make_docker_without_daemon(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ValueError, match="its daemon does not answer"):
        LocalDagRunner().run(make_pipeline(tmp_path / "root", make_writer()))
    assert not (tmp_path / "root" / "give").exists()


@pytest.mark.parametrize("image", ["--privileged", " "])
def test_an_option_is_not_taken_for_an_image(tmp_path, podman, image):
    with pytest.raises(ValueError, match="is not the name of an image"):
        LocalDagRunner().run(make_pipeline(tmp_path, make_writer(image=image)))


@pytest.mark.parametrize(
    ("argument", "complaint"),
    [
        (InputUriPlaceholder("text"), "input name must be in component's INPUTS. 'text' is not"),
        (InputValuePlaceholder("txt"), "must be in component's INPUTS or PARAMETERS. 'txt' is not"),
        (OutputUriPlaceholder("txt"), "output name must be in component's OUTPUTS. 'txt' is not"),
        (exec_property("txt"), "asks for a parameter that is not there: ['text']"),
        (give().outputs["number"].future()[0].value, "is about another node's output"),
        (5, "Unsupported type of placeholder arguments"),
    ],
)
def test_a_wrong_command_is_refused_before_the_run(tmp_path, podman, argument, complaint):
    wrong = create_container_component(
        name="Wrong", image="tools:1", parameters={"text": str}, command=["tool", argument]
    )
    pipeline = Pipeline("wrong", str(tmp_path), components=[wrong(text="a")])
    with pytest.raises(ValueError) as raised:
        LocalDagRunner().run(pipeline)
    assert str(raised.value).startswith("Wrong: ")
    assert complaint in str(raised.value)


def test_templates_in_a_command_are_filled_in(tmp_path, podman):
    class TemplateSpec(ComponentSpec):
        PARAMETERS = {"text": ExecutionParameter(type=str)}
        INPUTS = {"number": ChannelParameter(type=Integer)}
        OUTPUTS = {"text_file": ChannelParameter(type=String)}

    class Templated(BaseComponent):
        SPEC_CLASS = TemplateSpec
        EXECUTOR_SPEC = ExecutorContainerSpec(
            image="tools:1",
            command=[sys.executable, "-c", "import sys; open(sys.argv[1], 'w').write(sys.argv[2])"],
            args=[
                '{{ output_dict["text_file"][0].uri }}',
                '{{exec_properties.text}}/{{ input_dict["number"][0].value }}.txt',
            ],
        )

    giver = give()
    templated = Templated(TemplateSpec(text="a b", number=giver.outputs["number"]))
    pipeline = Pipeline("templates", str(tmp_path), components=[giver, templated])
    [text] = LocalDagRunner().run(pipeline).outputs["Templated"]["text_file"]
    assert Path(text.uri).read_text() == "a b/7.txt"


def test_dockers_containers_run_as_this_user(make_engine):
    docker = make_engine("docker")
    arguments = run_arguments(
        str(docker.directory / "docker"),
        "box",
        "tools:1",
        [],
        ["--fast"],
        mounts=[('/data/a,b"c', False)],
        environment={},
        labels={},
    )
    place = arguments.index("--user")
    assert arguments[place + 1] == f"{os.getuid()}:{os.getgid()}"
    assert arguments[-2:] == ["tools:1", "--fast"]
    assert '"source=/data/a,b""c"' in arguments[arguments.index("--mount") + 1]


def test_a_docker_platform_config_counts_for_containers(tmp_path, podman):
    config = DockerPlatformConfig(environment=["COLOR=blue"], privileged=True)
    config.user.uid = 12
    config.volumes["/models"].bind = "/mnt"
    config.volumes["/models"].mode = "ro"
    expected = [
        "--privileged",
        "--user",
        "12",
        "--env",
        "COLOR=blue",
        "--volume",
        "/models:/mnt:ro",
    ]
    assert platform_options(config) == expected

    pipeline = make_pipeline(tmp_path, make_writer())
    pipeline.components[1].with_platform_config(config)
    [text] = LocalDagRunner().run(pipeline).outputs["Writer"]["text"]
    assert Path(text.uri).read_text().endswith("blue")
    with pytest.raises(ValueError, match="docker_server_url of a DockerPlatformConfig has no effe"):
        platform_options(DockerPlatformConfig(docker_server_url="tcp://else:1"))
