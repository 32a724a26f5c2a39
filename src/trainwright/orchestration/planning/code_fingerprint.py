"""A fingerprint of user code: of a function or class and of what it uses in its own module."""

from __future__ import annotations

import hashlib
import inspect
import sys
from types import CodeType, FunctionType, ModuleType
from typing import Any

_CONSTANTS = (bool, int, float, complex, str, bytes, type(None), tuple, list, dict, set, frozenset)


def code_fingerprint(code: Any) -> str:
    """A digest that changes when the code does.

    Functions, classes and constants of the same module count as far as the code refers to them;
    other modules do not, because the worker records the first-party files that it loads.
    """
    parts: dict[str, str] = {}
    _collect(code, code.__module__, parts)
    text = "\n".join(f"{name}\n{part}" for name, part in sorted(parts.items()))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _collect(code: Any, module: str, parts: dict[str, str]) -> None:
    name = f"{code.__module__ if code.__module__ != module else ''}.{code.__qualname__}"
    if name in parts:
        return
    parts[name] = _source(code)
    functions = [code] if isinstance(code, FunctionType) else _methods(code)
    for function in functions:
        # A decorated name in the module is a component class; its function is what runs.
        scope = inspect.getclosurevars(function)
        for used_name, used in {**scope.globals, **scope.nonlocals}.items():
            _collect_used(used_name, used, module, parts)


def _collect_used(name: str, used: Any, module: str, parts: dict[str, str]) -> None:
    if isinstance(used, ModuleType):
        return
    if isinstance(used, _CONSTANTS):
        # The order of a set changes from run to run.
        stable = sorted(map(repr, used)) if isinstance(used, (set, frozenset)) else used
        parts[f"={name}"] = repr(stable)
    elif isinstance(used, (FunctionType, type)) and used.__module__ == module:
        _collect(used, module, parts)


def _methods(cls: type) -> list[FunctionType]:
    members = (getattr(value, "__func__", value) for value in vars(cls).values())
    return [member for member in members if isinstance(member, FunctionType)]


def _source(code: Any) -> str:
    try:
        return inspect.getsource(code)
    except (OSError, TypeError):
        functions = [code] if isinstance(code, FunctionType) else _methods(code)
        return "\n".join(_bytecode(function.__code__) for function in functions)


def _bytecode(code: CodeType) -> str:
    """What stands for the source where there is none, as in code that was compiled from text."""
    constants = [
        _bytecode(constant) if isinstance(constant, CodeType) else repr(constant)
        for constant in code.co_consts
    ]
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return f"{version} {code.co_code.hex()} {code.co_names} {constants}"
