"""`tfx.components.util.udf_utils`: functions out of users' modules, and modules as wheels.

Pipelines here load a module file where it lies, with its neighbours; nothing is packaged. A wheel
can be made for what runs elsewhere.
"""

from __future__ import annotations

import base64
import hashlib
import os
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any

from trainwright.compat.utils.import_utils import import_func_from_module
from trainwright.components.user_module import get_user_function
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.io import io_utils

_WHEELS_DIRECTORY = "_wheels"
_GENERATED_SETUP = "_tfx_generated_setup.py"
# Of all files in a wheel, so that equal modules make equal bytes.
_TIME_IN_WHEEL = (1980, 1, 1, 0, 0, 0)


def get_fn(exec_properties: Mapping[str, Any], fn_name: str) -> Callable[..., Any]:
    """The function that properties name: by `module_path`, in `module_file`, or by a dotted path.

    Raises:
        AttributeError: if the module has no such function.
        ValueError: if the properties name none.
    """
    module_path = exec_properties.get("module_path")
    if module_path:
        return import_func_from_module(module_path, fn_name)
    return get_user_function(exec_properties, fn_name)


def try_get_fn(exec_properties: Mapping[str, Any], fn_name: str) -> Callable[..., Any] | None:
    """Like `get_fn`; None where there is no such function."""
    try:
        return get_fn(exec_properties, fn_name)
    except (ValueError, AttributeError):
        return None


def should_package_user_modules() -> bool:
    """Whether TFX would package user modules here; its environment variable can forbid it."""
    return not os.environ.get("UNSUPPORTED_DO_NOT_PACKAGE_USER_MODULES")


class UserModuleFilePipDependency:
    """A component's module file, which `resolve` makes into a wheel.

    Args:
        component: The component.
        module_file_key: The property with the path of the module file.
        module_path_key: The property that then names the module in the wheel.
    """

    def __init__(self, component: BaseComponent, module_file_key: str, module_path_key: str):
        self.component = component
        self.module_file_key = module_file_key
        self.module_path_key = module_path_key

    def resolve(self, pipeline_root: str) -> str | None:
        """Makes the wheel below the pipeline root, and lets the component's properties name it.

        Returns the wheel's path; None if there is no module file, or it comes with the run.

        Raises:
            ValueError: if the module file does not exist.
        """
        properties = self.component.spec.exec_properties
        module_file = properties.get(self.module_file_key)
        if not isinstance(module_file, str) or not module_file or not pipeline_root:
            return None
        if not os.path.exists(io_utils.ensure_local(module_file)):
            raise ValueError(
                f"Specified module file {module_file!r} for component {self.component} does not "
                "exist."
            )
        wheel, module_path = package_user_module_file(self.component.id, module_file, pipeline_root)
        properties[self.module_path_key] = module_path
        properties[self.module_file_key] = None
        return wheel


def add_user_module_dependency(
    component: BaseComponent, module_file_key: str, module_path_key: str
) -> None:
    """Notes that a component has a module file, as components written for TFX do.

    The runners here load the file where it lies, so that the executor finds it by `get_fn`.
    """
    dependencies = component.__dict__.setdefault("_pip_dependencies", [])
    dependencies.append(UserModuleFilePipDependency(component, module_file_key, module_path_key))


def package_user_module_file(
    instance_name: str, module_path: str, pipeline_root: str
) -> tuple[str, str]:
    """Makes a wheel of a module file and of those beside it, under `pipeline_root`/_wheels.

    The version of the wheel is a digest of the files.

    Returns:
        The path of the wheel, and the name by which `get_fn` finds the module: `MODULE@WHEEL`.

    Raises:
        ValueError: if the path is not a Python file that exists.
    """
    module_path = os.path.abspath(io_utils.ensure_local(module_path))
    if not module_path.endswith(".py"):
        raise ValueError(f'Module path {module_path!r} is not a ".py" file.')
    if not os.path.exists(module_path):
        raise ValueError(f"Module path {module_path!r} does not exist.")
    directory, file_name = os.path.split(module_path)
    # Editors leave links to nowhere beside a file that is open, such as `.#trainer.py`.
    sources = sorted(
        name
        for name in os.listdir(directory)
        if name.endswith(".py") and os.path.isfile(os.path.join(directory, name))
    )
    version = f"0.0+{get_version_hash(directory, sources)}"
    package = f"tfx-user-code-{instance_name}"
    wheels = os.path.join(pipeline_root, _WHEELS_DIRECTORY)
    os.makedirs(wheels, exist_ok=True)
    normalized = package.replace("-", "_").replace(".", "_")
    wheel = os.path.join(wheels, f"{normalized}-{version}-py3-none-any.whl")
    _write_wheel(wheel, directory, sources, f"{normalized}-{version}.dist-info", package, version)
    return wheel, f"{file_name.removesuffix('.py')}@{wheel}"


def decode_user_module_key(user_module_key: str | None) -> tuple[str | None, list[str]]:
    """The module that a `module_path` names, and the wheels that bring it.

    >>> decode_user_module_key("trainer@/root/_wheels/code.whl")
    ('trainer', ['/root/_wheels/code.whl'])
    """
    if user_module_key and "@" in user_module_key:
        module, _, wheel = user_module_key.partition("@")
        return module, [wheel]
    return user_module_key, []


class TempPipInstallContext:
    """Installs packages into a directory that this process, and those it starts, import from.

    Args:
        pip_dependencies: Paths of wheels, or what else pip installs.

    Example:
        ```python
        with TempPipInstallContext(["/root/_wheels/code.whl"]):
            import trainer
        ```
    """

    def __init__(self, pip_dependencies: list[str]) -> None:
        if not isinstance(pip_dependencies, list):
            raise ValueError(f"Expected list of dependencies, got {pip_dependencies!r} instead.")
        self.pip_dependencies = pip_dependencies
        self.temp_directory: str | None = None
        self._sys_path: list[str] | None = None
        self._python_path: str | None = None

    def __enter__(self) -> TempPipInstallContext:
        if self.pip_dependencies:
            self.temp_directory = tempfile.mkdtemp()
            for dependency in self.pip_dependencies:
                install_to_temp_directory(dependency, self.temp_directory)
            self._sys_path, self._python_path = sys.path, os.environ.get("PYTHONPATH")
            sys.path = [*sys.path, self.temp_directory]
            known = [self._python_path] if self._python_path else []
            os.environ["PYTHONPATH"] = os.pathsep.join([*known, self.temp_directory])
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._sys_path is None:
            return
        sys.path = self._sys_path
        if self._python_path is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = self._python_path


def install_to_temp_directory(pip_dependency: str, temp_dir: str | None = None) -> str:
    """Installs what pip can install into a directory, a new one by default, and returns it."""
    directory = temp_dir or tempfile.mkdtemp()
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--target", directory, pip_dependency], check=True
    )
    return directory


def get_version_hash(user_module_dir: str, source_files: Sequence[str]) -> str:
    """TFX's digest of modules: of the names and contents of the files, each with its length."""
    digest = hashlib.sha256()
    for name in sorted(source_files):
        with open(os.path.join(user_module_dir, name), "rb") as file:
            content = file.read()
        for part in (name.encode(), content):
            digest.update(struct.pack(">Q", len(part)) + part)
    return digest.hexdigest()


def _write_wheel(
    wheel: str, directory: str, sources: Sequence[str], info: str, package: str, version: str
) -> None:
    """A wheel is an archive of the files and of what pip must know of them."""
    content = {}
    for name in sources:
        if name not in (_GENERATED_SETUP, "__init__.py"):
            with open(os.path.join(directory, name), "rb") as file:
                content[name] = file.read()
    modules = [name.removesuffix(".py") for name in content]
    content[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n".encode()
    )
    content[f"{info}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: trainwright\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    content[f"{info}/top_level.txt"] = "".join(f"{name}\n" for name in modules).encode()
    record = "".join(f"{name},{_digest(data)},{len(data)}\n" for name, data in content.items())
    content[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    unfinished = f"{wheel}.{os.getpid()}.tmp"
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content.items():
            archive.writestr(zipfile.ZipInfo(name, _TIME_IN_WHEEL), data, zipfile.ZIP_DEFLATED)
    os.replace(unfinished, wheel)


def _digest(data: bytes) -> str:
    encoded = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
    return f"sha256={encoded.rstrip(b'=').decode()}"
