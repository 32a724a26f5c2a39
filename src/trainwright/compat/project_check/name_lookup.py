"""Looks up what a dotted name of TFX stands for here, by asking the modules themselves."""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.util
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from trainwright import _estimator_repairs as estimator_repairs
from trainwright._extras import install_advice
from trainwright._stand_ins import is_real

# The names that this project gives, as long as the packages themselves are not installed.
OURS = ("tfx", "ml_metadata", "tensorflow_data_validation", "tensorflow_model_analysis")
# What takes seconds to import, and says nothing about a name.
_HEAVY = frozenset(
    ("tensorflow", "keras", "tf_keras", "apache_beam", "pandas", "ray", "tfx_bsl")
) | {"tensorflow_transform", "keras_tuner", "kfp"}
_ESTIMATORS = ("tensorflow.estimator", "tensorflow.compat.v1.estimator", "tensorflow_estimator")


@dataclass(frozen=True, kw_only=True)
class Lookup:
    """What was found.

    Args:
        problem: Why the name is not here, and what to do; empty if it is.
        is_missing_package: Whether the whole package is not installed.
        found: What the name stands for, if that was loaded.
    """

    problem: str = ""
    is_missing_package: bool = False
    found: Any = None


@functools.cache
def look_up(name: str) -> Lookup:
    """Looks a dotted name up; nothing heavy is imported for it.

    Example: `look_up("tfx.v1.components.Trainer").found`
    """
    for estimators in _ESTIMATORS:
        if name == estimators or name.startswith(f"{estimators}."):
            return _look_up_estimator(name.removeprefix(estimators).lstrip("."))
    package = name.partition(".")[0]
    if package not in OURS or _is_installed_package(package):
        return _look_up_package(package)
    if _is_of_a_checkout(name):
        return Lookup(
            problem="It comes with TFX's sources: have a checkout of TFX on sys.path, or copy it."
        )
    with _heavy_imports_refused(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _walk(name.split("."))


def _look_up_estimator(name: str) -> Lookup:
    if not estimator_repairs.is_installed():
        return _look_up_package(estimator_repairs.PACKAGE)
    return Lookup(problem=estimator_repairs.why_gone(name))


def _look_up_package(package: str) -> Lookup:
    if package in sys.stdlib_module_names or package in sys.modules:
        return Lookup()
    with contextlib.suppress(ImportError, ValueError):
        if importlib.util.find_spec(package) is not None:
            return Lookup()
    advice = install_advice(package) or "install it as your project does; no extra here brings it."
    return Lookup(problem=f"It is not installed: {advice}", is_missing_package=True)


def _is_installed_package(package: str) -> bool:
    """Whether the package itself is installed, which is not ours to speak of."""
    spec = importlib.util.find_spec(package)
    return package != "tfx" and spec is not None and is_real(package, spec.origin)


def _is_of_a_checkout(name: str) -> bool:
    # By its name: nothing here imports `tfx`.
    found: bool = importlib.import_module("tfx._missing_modules").is_of_a_checkout(name)
    return found


def _walk(parts: Sequence[str]) -> Lookup:
    """Goes from attribute to attribute as far as modules and classes can say what they have."""
    found: Any = importlib.import_module(parts[0])
    for index, part in enumerate(parts[1:], start=1):
        if not isinstance(found, ModuleType):
            # Of what an object has only the running program can tell.
            return Lookup() if not isinstance(found, type) else _walk_class(found, parts[index:])
        try:
            found = _load(found, ".".join(parts[:index]), part)
        except _HeavyImportError:
            return Lookup()
        except (ImportError, AttributeError) as error:
            return Lookup(problem=str(error))
    return Lookup(found=found)


def _walk_class(found: Any, parts: Sequence[str]) -> Lookup:
    for part in parts:
        if not hasattr(found, part):
            return Lookup()
        found = getattr(found, part)
    return Lookup(found=found)


def _load(module: ModuleType, name: str, part: str) -> Any:
    """An attribute of a module, or a module below it; raises what the module itself says."""
    if part in dir(module):
        return getattr(module, part)
    try:
        return importlib.import_module(f"{name}.{part}")
    except _HeavyImportError:
        raise
    except ImportError as error:
        # Of a name that is not a module the parent has more to say: it knows similar ones.
        try:
            return getattr(module, part)
        except AttributeError as refusal:
            raise (refusal if len(str(refusal)) > len(str(error)) else error) from None


class _HeavyImportError(ImportError):
    """A module that takes long is wanted: so the name that wants it is there."""


class _HeavyImports(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] in _HEAVY:
            raise _HeavyImportError(fullname)
        return None


@contextlib.contextmanager
def _heavy_imports_refused() -> Iterator[None]:
    finder = _HeavyImports()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
