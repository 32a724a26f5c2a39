"""Messages of `trainwright run` when a Ray cluster and this machine do not fit together."""

from __future__ import annotations

import re
import sys
import textwrap
import uuid
from types import SimpleNamespace

import pytest

from trainwright.dsl.node_resources import NodeResources
from trainwright.orchestration.launching.on_ray.ray_places import RayPlaces
from trainwright.ray_cluster.connection import RayCluster

PIPELINE = """
    from trainwright import OutputArtifact, Pipeline, component
    from trainwright.components import Trainer
    from trainwright.types.standard_artifacts import Examples

    @component
    def write(examples: OutputArtifact[Examples]):
        open("it_has_run", "w").close()

    written = write(){resources}
    trainer = Trainer(
        module_file="{directory}/private/trainer.py",
        examples=written.outputs["examples"],
        train_args={{"num_steps": 1}},
        eval_args={{"num_steps": 1}},
    )
    nodes = [written, trainer] if {trains} else [written]
    pipeline = Pipeline("refused", "{root}", components=nodes)
"""
RUN = """
    import socket, sys
    if {on_laptop}:
        socket.sethostname("laptop")
    {before}
    from trainwright.cli.main import main

    sys.argv = ["trainwright", "run", "pipeline.py", "--runner", "ray", "--address", sys.argv[1]]
    main()
"""
OTHER_TRAINWRIGHT = "import trainwright._version as v; v.__version__ = '9.9.9'"
OTHER_PYTHON = """
    import ray._private.utils as utils
    here = utils.compute_version_info()
    utils.compute_version_info = lambda: (here[0], "3.9.1", *here[2:])
"""
RANKED = """
    from trainwright.dsl.function_executor import FunctionExecutor
    FunctionExecutor.USES_RANKS = True
"""
# Another machine of the cluster, as far as a process can tell, with a directory of its own.
LAPTOP = 'mount -t tmpfs none "$0" && echo "$TRAINER" > "$0/trainer.py"'


@pytest.fixture
def run(ray_cluster, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "private").mkdir()

    def run(before="", *, trains=False, on_laptop=True, resources="", root=""):
        source = PIPELINE.format(
            directory=tmp_path,
            trains=trains,
            resources=resources,
            root=root or tmp_path / "output",
        )
        (tmp_path / "pipeline.py").write_text(textwrap.dedent(source))
        program = textwrap.dedent(RUN).format(before=textwrap.dedent(before), on_laptop=on_laptop)
        place = ["unshare", "--mount", "--uts", "sh", "-c", f'{LAPTOP} && exec "$@"']
        command = [sys.executable, "-c", program, ray_cluster.address]
        if on_laptop:
            command = [*place, str(tmp_path / "private"), *command]
        environment = {"TRAINER": "def run_fn(fn_args):\n    pass\n"}
        return ray_cluster.run_command(command, env=environment)

    return run


def told(finished):
    return " ".join(finished.stderr.split())


def check_that_nothing_was_begun(finished, tmp_path):
    assert finished.returncode == 2, finished.stderr
    assert "Traceback" not in finished.stderr
    assert {path.name for path in tmp_path.iterdir()} <= {"pipeline.py", "private", "__pycache__"}


def test_a_module_file_that_only_this_machine_has(run, tmp_path):
    finished = run(trains=True)
    path = tmp_path / "private" / "trainer.py"
    assert f"Trainer: module_file is {path}, which laptop has and" in told(finished)
    assert "does not have. Put it on a filesystem that all machines" in told(finished)
    check_that_nothing_was_begun(finished, tmp_path)


def test_another_trainwright_on_a_machine_of_the_cluster(run, tmp_path):
    finished = run(OTHER_TRAINWRIGHT)
    assert "and this process has 9.9.9: what one of them writes" in told(finished)
    check_that_nothing_was_begun(finished, tmp_path)


def test_another_trainwright_below_the_cluster_on_this_machine(run, tmp_path):
    """Where all are one machine, nobody is asked before there is work."""
    finished = run(OTHER_TRAINWRIGHT, on_laptop=False)
    assert finished.returncode == 1
    assert "write: FAILED with RayVersionError:" in told(finished)
    assert "and this process has 9.9.9: what one of them writes" in told(finished)
    assert not (tmp_path / "it_has_run").exists()


def test_another_python_in_the_cluster(run, tmp_path):
    finished = run(OTHER_PYTHON, on_laptop=False)
    assert "Python: 3.9.1 Install the same Ray and the same Python on all machines" in (
        told(finished)
    )
    check_that_nothing_was_begun(finished, tmp_path)


def test_what_no_machine_of_the_cluster_has(run, tmp_path):
    finished = run(resources=".with_resources(cpus=64, gpus=1, memory=1 << 50)", on_laptop=False)
    words = told(finished)
    assert "The node 'write' needs 64 CPUs, 1 GPU and 1,048,576 GiB of memory, and no" in words
    assert re.search(r"has is \d+ CPUs?, 0 GPUs and \S+ GiB of memory\. Ask for less", words)
    check_that_nothing_was_begun(finished, tmp_path)


def test_a_group_of_processes_that_the_machines_have_no_room_for(run, tmp_path):
    group = ".with_processes(40).with_resources(cpus=2)"
    finished = run(RANKED, resources=group, on_laptop=False)
    words = told(finished)
    assert "The node 'write' needs 2 CPUs for each of 40 processes, and the Ray cluster at" in words
    # Other tests may have added a node of 4 CPUs to the three of 2.
    assert re.search(
        r"has room for [3-9] of them in all\. They get their places all at once", words
    )
    check_that_nothing_was_begun(finished, tmp_path)


def test_a_waiting_group_that_a_smaller_cluster_has_no_room_for_says_so():
    """A machine may have gone since the run began."""
    nodes = [{"Alive": True, "Resources": {"CPU": 2.0}}] * 3
    ray = SimpleNamespace(nodes=lambda: nodes, available_resources=lambda: {"CPU": 6.0})
    cluster = RayCluster(ray=ray, address="head:6379", is_on_this_machine=False)
    options = SimpleNamespace(resources=NodeResources(cpus=2))
    started = SimpleNamespace(node=SimpleNamespace(id="train", options=options))
    places = RayPlaces(cluster, lease_seconds=30.0)
    request = SimpleNamespace(started=started, num_processes=3)
    assert places.why_waiting(request, 1.0) == ""
    request.num_processes = 4
    assert "has room for 3 of them in all" in places.why_waiting(request, 1.0)


def test_a_root_in_the_memory_of_one_of_several_machines(run, tmp_path):
    pytest.importorskip("obstore", reason="pip install 'trainwright[storage]'")
    root = f"memory://{tmp_path.name}-{uuid.uuid4().hex}/output"
    finished = run(root=root)
    words = told(finished)
    assert f"The pipeline root {root} is shared memory of this machine" in words
    assert "give an address in s3://, gs:// or az://, or a directory that all" in words
    check_that_nothing_was_begun(finished, tmp_path)


def test_an_address_with_a_password_is_not_repeated(run, tmp_path):
    finished = run(before="sys.argv[1] = 'me:SECRET@' + sys.argv[1]", on_laptop=False)
    assert "--address" in told(finished)
    assert "SECRET" not in finished.stderr + finished.stdout
    check_that_nothing_was_begun(finished, tmp_path)
