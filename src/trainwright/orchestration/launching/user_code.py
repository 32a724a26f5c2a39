"""User code on its way to a worker: by name if it can be imported, by value if it cannot.

A function in an imported module goes by its name. One in the pipeline script, a notebook cell or
another function goes by value, through cloudpickle. If something it refers to cannot be pickled
(an open file, a lock), the script that it comes from is loaded in the worker under another name,
and its runs are left out there.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import os
import pickle
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_executor import ArtifactDict
from trainwright.dsl.containers.container_spec import ContainerSpec
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.dsl.function_executor import FunctionExecutor
from trainwright.dsl.type_names import SCRIPT_MODULE
from trainwright.orchestration import script_runs
from trainwright.orchestration.execution.container_executor import ContainerCode
from trainwright.orchestration.launching.containers import platform_options
from trainwright.orchestration.planning import first_party

# What a generated executor class has of the function's signature.
_SIGNATURE_PARTS = (
    "_ARG_FORMATS",
    "_ARG_DEFAULTS",
    "_RETURNED_VALUES",
    "_RETURN_JSON_COMPAT_TYPEHINT",
    "_NULLABLE",
)


@dataclass
class FunctionCode:
    """The function of an `@component`, what its executor is based on, and what that knows of it."""

    function: Callable[..., Any]
    base: type[FunctionExecutor]
    signature: dict[str, Any]

    @classmethod
    def of(cls, executor_class: type[FunctionExecutor]) -> FunctionCode:
        parts = dict(vars(executor_class))
        signature = {name: parts[name] for name in _SIGNATURE_PARTS}
        [base] = executor_class.__bases__
        return cls(executor_class._FUNCTION, base, signature)

    def make_executor_class(self) -> type[FunctionExecutor]:
        name = f"{self.function.__name__}_Executor"
        parts = {**self.signature, "_FUNCTION": staticmethod(self.function)}
        return type(name, (self.base,), {**parts, "__module__": self.function.__module__})


@dataclass
class NamedCode:
    """An executor class or component that the worker imports."""

    module: str
    qualname: str


@dataclass
class ScriptCode:
    """An executor class or component in a script that the worker loads under another name."""

    path: str
    qualname: str


@dataclass
class ExecutorRequest:
    """What a worker needs to call `Do`."""

    executor: Any
    input_dict: ArtifactDict
    output_dict: ArtifactDict
    exec_properties: dict[str, Any]


def dump_request(
    component: BaseComponent,
    input_dict: ArtifactDict,
    output_dict: ArtifactDict,
    exec_properties: dict[str, Any],
) -> bytes:
    """Packs a request; raises ValueError if the component's code cannot be sent."""
    code, owner = _executor_code(component)
    request = ExecutorRequest(code, input_dict, output_dict, exec_properties)
    try:
        return _pickle(request)
    except Exception as error:  # cloudpickle passes on whatever the objects raise
        script = _script_code(owner)
        if script is None or isinstance(code, NamedCode):
            raise ValueError(_cannot_send(component, error)) from error
        request.executor = script
        try:
            return _pickle(request)
        except Exception as second_error:
            raise ValueError(_cannot_send(component, second_error)) from second_error


def load_request(payload: bytes) -> ExecutorRequest:
    """Unpacks a request in the worker; the payload came over the runner's own socket."""
    request: ExecutorRequest = pickle.loads(payload)  # noqa: S301
    code = request.executor
    if isinstance(code, FunctionCode):
        request.executor = code.make_executor_class()
    elif isinstance(code, NamedCode):
        request.executor = _executor_of(_getattr(importlib.import_module(code.module), code))
    elif isinstance(code, ScriptCode):
        request.executor = _executor_of(_getattr(load_script(code.path), code))
    return request


def load_script(path: str, name: str = SCRIPT_MODULE) -> ModuleType:
    """Executes a Python file as a module whose pipeline runs are left out."""
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"Cannot load {path!r} as a Python file; its name should end in .py.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    with script_runs.left_out():
        spec.loader.exec_module(module)
    return module


def module_of(component: BaseComponent) -> str:
    """The module that a worker imports for a component; empty if its code goes by value."""
    code, _ = _executor_code(component)
    return code.module if isinstance(code, NamedCode) else ""


def is_importable(name: str) -> bool:
    """Whether another process with the same sys.path would import the same module by this name."""
    module = sys.modules.get(name)
    origin = getattr(module, "__file__", None)
    if name in sys.builtin_module_names or name.partition(".")[0] in sys.stdlib_module_names:
        return True
    if name in ("__main__", SCRIPT_MODULE) or not origin:
        return False
    if not first_party.is_first_party(origin):
        return True  # an installed library
    top, parent = name.partition(".")[0], name.rpartition(".")[0]
    if parent and _find_spec(top, None) is None:
        return False  # packages that pytest makes up for test files by their place
    search_path = getattr(sys.modules.get(parent), "__path__", None) if parent else None
    spec = _find_spec(name, search_path)
    if spec is None or not spec.origin:
        return False
    return bool(os.path.abspath(spec.origin) == os.path.abspath(origin))


def _find_spec(name: str, search_path: Any) -> ModuleSpec | None:
    """Where the module would be found by a process that has not imported it yet."""
    for finder in sys.meta_path:
        find_spec = getattr(finder, "find_spec", None)
        spec: ModuleSpec | None = find_spec(name, search_path) if find_spec else None
        if spec is not None:
            return spec
    return None


def _executor_code(component: BaseComponent) -> tuple[Any, type]:
    """The executor in the form in which it is sent, and the class that owns it."""
    spec = component.executor_spec
    if isinstance(spec, ContainerSpec):
        return _container_code(component, spec), type(component)
    if not isinstance(spec, ExecutorClassSpec):
        raise ValueError(f"Node {component.id!r}: cannot run an executor given as {spec!r}.")
    owner: type = spec.executor_class
    by_value: Any = owner
    if issubclass(owner, FunctionExecutor):
        # The component stands in the place of the function; nothing else leads to the executor.
        by_value, owner = FunctionCode.of(owner), type(component)
    named = NamedCode(owner.__module__, owner.__qualname__)
    with contextlib.suppress(AttributeError):
        if is_importable(owner.__module__) and _getattr(sys.modules[named.module], named) is owner:
            return named, owner
    return by_value, owner


def _container_code(component: BaseComponent, spec: ContainerSpec) -> ContainerCode:
    command, args = spec.parsed_command(type(component.spec))
    options = platform_options(component.platform_config)
    return ContainerCode(spec.image, command, args, dict(component.environment), options)


def _script_code(owner: type) -> ScriptCode | None:
    path = getattr(sys.modules.get(owner.__module__), "__file__", None)
    if path is None or "<locals>" in owner.__qualname__:
        return None
    return ScriptCode(os.path.abspath(path), owner.__qualname__)


def _pickle(request: ExecutorRequest) -> bytes:
    import cloudpickle

    with _modules_by_value(_modules_of(request)):
        return bytes(cloudpickle.dumps(request))


def _modules_of(request: ExecutorRequest) -> set[str]:
    """The modules whose objects the request holds."""
    names = {
        type(artifact).__module__
        for artifacts in (*request.input_dict.values(), *request.output_dict.values())
        for artifact in artifacts
    }
    names.update(v.__module__ for v in request.exec_properties.values() if callable(v))
    if isinstance(request.executor, FunctionCode):
        names.add(request.executor.function.__module__)
    elif isinstance(request.executor, type):
        names.update(base.__module__ for base in request.executor.__mro__)
    return names


@contextlib.contextmanager
def _modules_by_value(names: set[str]) -> Iterator[None]:
    """Makes cloudpickle send what a worker could not import by value."""
    import cloudpickle

    modules = [
        sys.modules[name]
        for name in names
        if name in sys.modules and name != "__main__" and not is_importable(name)
    ]
    for module in modules:
        cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        for module in modules:
            cloudpickle.unregister_pickle_by_value(module)


def _getattr(module: ModuleType, code: NamedCode | ScriptCode) -> Any:
    found: Any = module
    for part in code.qualname.split("."):
        found = getattr(found, part)
    return found


def _executor_of(found: Any) -> Any:
    """An executor class itself, or that of a component class."""
    spec = getattr(found, "EXECUTOR_SPEC", None)
    return spec.executor_class if isinstance(spec, ExecutorClassSpec) else found


def _cannot_send(component: BaseComponent, error: BaseException) -> str:
    return (
        f"Node {component.id!r} cannot be sent to its own process: {error}. Define its function or "
        "executor at the top level of a module, and do not let it refer to objects that cannot be "
        "copied, such as open files, locks or models."
    )
