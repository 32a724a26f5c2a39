"""Runs TFX's own unit tests, as the wheels of TFX have them, against this project.

    python scripts/run_tfx_tests.py                      all tests of the modules that users import
    python scripts/run_tfx_tests.py types utils/io_utils only paths that begin so
    python scripts/run_tfx_tests.py -v 1.21.0 components of that version alone

The wheels are downloaded by pip once and unpacked under build/. `tfx` is this project; what a test
has beside it (testdata, helpers, `tfx.examples`) comes from the unpacked wheel. Each file
is a fork of one process that has imported TensorFlow and Beam and used nothing of them. The last
lines are the tests that passed and failed, by folder.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import re
import signal
import subprocess
import sys
import time
import zipfile
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
WHEELS = Path(os.environ.get("TFX_WHEELS", ROOT / "build" / "tfx-wheels"))
VERSIONS = ("1.15.1", "1.21.0")
SECONDS_PER_FILE = 600

# Inside of TFX's own runners and services, and of the containers of its InfraValidator.
NOT_FOR_USERS = re.compile(
    r"""^(
    components/infra_validator/.*executor
    |components/infra_validator/(model_server|request_builder|serving_bins)
    |.*e2e|.*end_to_end
    |experimental/
    |extensions/
    |orchestration/(airflow|config|experimental(?!/interactive)|kubeflow|launcher|local/legacy|beam/legacy)/
    |orchestration/portable/
        (?!mlmd/|input_resolution/|execution/|placeholder|inputs_utils|outputs_utils|data_types
        |cache_utils|merge_utils|execution_publish_utils|runtime_parameter_utils)
    |orchestration/(publisher|python_execution_binary)
    |scripts/run_component|tools/
    )""",
    re.VERBOSE,
)


@dataclass
class FileResult:
    """What became of the tests of one file."""

    name: str
    outcomes: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("prefixes", nargs="*", help="paths below tfx/ that test files begin with")
    parser.add_argument("-v", "--version", action="append", choices=VERSIONS)
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("-a", "--all", action="store_true", help="also what is not for users")
    parser.add_argument("-q", "--quiet", action="store_true", help="do not name failed tests")
    options = parser.parse_args(arguments)

    preload()
    totals: Counter[str] = Counter()
    for version in options.version or VERSIONS:
        checkout = unpacked_wheel(version)
        files = test_files(checkout, options.prefixes, everything=options.all)
        results = run_files(checkout, files, options.jobs)
        print_results(version, results, quiet=options.quiet)
        for result in results:
            totals += result.outcomes
    print(f"in all: {_share(totals)}")
    return 0 if totals["passed"] >= 0.9 * (totals["passed"] + totals["failed"]) else 1


def unpacked_wheel(version: str) -> Path:
    """The directory with the files of TFX's wheel, downloaded if it is not there."""
    checkout = WHEELS / f"tfx-{version}"
    if not (checkout / "complete").exists():
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", WHEELS]
            + ["--only-binary", ":all:", "--python-version", "3.10", f"tfx=={version}"],
            check=True,
        )
        wheel = next(WHEELS.glob(f"tfx-{version}-*.whl"))
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(checkout)
        if version == VERSIONS[0]:
            _add_test_data(checkout)
        (checkout / "complete").touch()
    return checkout


def _add_test_data(checkout: Path) -> None:
    """The older wheel has no data files: those of the newer one take their places."""
    newer = unpacked_wheel(VERSIONS[-1])
    for source in newer.glob("tfx/**/*"):
        target = checkout / source.relative_to(newer)
        if source.is_file() and "testdata" in source.parts and not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())


def test_files(checkout: Path, prefixes: list[str], *, everything: bool) -> list[str]:
    """The test files to run, as paths below `tfx/`."""
    package = checkout / "tfx"
    names = sorted(path.relative_to(package).as_posix() for path in package.rglob("*_test.py"))
    chosen = [name for name in names if not prefixes or name.startswith(tuple(prefixes))]
    return [name for name in chosen if everything or not NOT_FOR_USERS.match(name)]


def run_files(checkout: Path, names: list[str], jobs: int) -> list[FileResult]:
    """Runs test files, each in a fork of this process, up to `jobs` at a time."""
    waiting, running, results = list(reversed(names)), {}, {}
    while waiting or running:
        while waiting and len(running) < jobs:
            name = waiting.pop()
            running[_start_file(checkout, name)] = (name, time.monotonic() + SECONDS_PER_FILE)
        time.sleep(0.05)
        for pid, (name, deadline) in list(running.items()):
            ended, _ = os.waitpid(pid, os.WNOHANG)
            if not ended and time.monotonic() < deadline:
                continue
            if not ended:
                os.killpg(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            del running[pid]
            results[name] = _read_result(checkout, name, stopped=not ended)
            if sys.stderr.isatty():
                print(f"\r{len(results)} of {len(names)} files", end="", file=sys.stderr)
    return [results[name] for name in names]


def _start_file(checkout: Path, name: str) -> int:
    """Forks a process that runs one test file with pytest, in a process group of its own."""
    report, log = _report(checkout, name), _log(checkout, name)
    report.parent.mkdir(exist_ok=True)
    report.unlink(missing_ok=True)
    pid = os.fork()
    if pid:
        return pid
    os.setpgid(0, 0)
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    os.chdir(checkout)
    path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(checkout)]))
    os.environ.update(PYTHONPATH=path)
    sys.path[:] = [entry for entry in sys.path if entry not in ("", str(ROOT / "scripts"))]
    sys.path.append(str(checkout))
    status = 1
    try:
        status = _run_pytest(checkout, name, report)
    finally:
        sys.stdout.flush()
        os._exit(status)  # what this process was forked from must not end with it


def _run_pytest(checkout: Path, name: str, report: Path) -> int:
    import pytest
    from absl import flags

    flags.FLAGS.mark_as_parsed()  # as absltest.main does, which these tests count on
    # pytest imports a test's packages from where the test is, unless they are imported already.
    for package in _packages(name):
        with contextlib.suppress(ImportError):
            importlib.import_module(package)
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--import-mode=importlib"]
    options += [f"--rootdir={checkout}", "-c", os.devnull, "-o", "xfail_strict=False"]
    options += ["--runxfail", f"--junitxml={report}", str(checkout / "tfx" / name)]
    return int(pytest.main(options))


def _report(checkout: Path, name: str) -> Path:
    return checkout / "reports" / f"{os.getpid()}-{name.replace('/', '.')}.xml"


def _log(checkout: Path, name: str) -> Path:
    return _report(checkout, name).with_suffix(".log")


def _read_result(checkout: Path, name: str, *, stopped: bool) -> FileResult:
    report, log = _report(checkout, name), _log(checkout, name)
    result = FileResult(name)
    if report.exists():
        for case in ElementTree.parse(report).iter("testcase"):  # noqa: S314, written by pytest
            _add_case(result, case)
        report.unlink()
    else:
        ending = log.read_text(errors="replace")[-400:]
        why = f"stopped after {SECONDS_PER_FILE} seconds" if stopped else ending
        result.outcomes["failed"] += 1
        result.failures.append(f"(the file) {why}")
    log.unlink()
    return result


def preload() -> None:
    """Imports what most tests import, once for all of them; nothing of it is used here."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    for module in ("tfx.v1", "tensorflow", "apache_beam", "tensorflow_transform", "pytest"):
        with contextlib.suppress(ImportError):
            importlib.import_module(module)


def _packages(name: str) -> list[str]:
    """The packages that a test file is in, the outermost first."""
    folders = ["tfx", *name.split("/")[:-1]]
    return [".".join(folders[: end + 1]) for end in range(len(folders))]


def _add_case(result: FileResult, case: ElementTree.Element) -> None:
    problem = case.find("failure")
    if problem is None:
        problem = case.find("error")
    if problem is not None:
        result.outcomes["failed"] += 1
        reason = (problem.get("message") or "").strip().replace("\n", " ")
        lines = [line for line in (problem.text or "").splitlines() if line.startswith("E  ")]
        if "collection failure" in reason and lines:
            reason = lines[-1][1:].strip()
        result.failures.append(f"{case.get('name')}: {reason[:200]}")
    elif case.find("skipped") is not None:
        result.outcomes["skipped"] += 1
    else:
        result.outcomes["passed"] += 1


def print_results(version: str, results: list[FileResult], *, quiet: bool) -> None:
    """The failed tests by file, then a line for each folder."""
    folders: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for result in results:
        folders[result.name.rpartition("/")[0]].update(result.outcomes)
        if result.failures:
            print(f"{version} {result.name}: {_share(result.outcomes)}")
            for failure in () if quiet else result.failures:
                print(f"    {failure}")
    for folder, outcomes in sorted(folders.items()):
        print(f"{version} {folder:50} {_share(outcomes)}")
    print(f"{version} total: {_share(sum(folders.values(), Counter()))}")


def _share(outcomes: Counter[str]) -> str:
    run = outcomes["passed"] + outcomes["failed"]
    share = 100 * outcomes["passed"] / run if run else 100
    return f"{outcomes['passed']} of {run} passed ({share:.0f} %), {outcomes['skipped']} skipped"


if __name__ == "__main__":
    sys.exit(main())
