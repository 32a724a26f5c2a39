"""Modules of TFX that are not here, and names that modules lack: asking for one says so."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType

from tfx._names import missing_names, not_here_yet, not_known

_PACKAGE = "tfx."

MISSING_MODULES = frozenset(
    {
        "tfx.components.bulk_inferrer",
        "tfx.components.distribution_validator",
        "tfx.components.example_diff",
        "tfx.components.example_gen.custom_executors.avro_executor",
        "tfx.components.example_gen.input_processor",
        "tfx.components.example_gen.write_split",
        "tfx.components.experimental",
        "tfx.components.infra_validator",
        "tfx.components.trainer.rewriting",
        "tfx.components.transform.labels",
        "tfx.components.tuner",
        "tfx.components.util",
        "tfx.dsl.component.experimental.container_component",
        "tfx.dsl.component.experimental.placeholders",
        "tfx.dsl.placeholder.artifact_placeholder",
        "tfx.dsl.placeholder.placeholder_base",
        "tfx.dsl.placeholder.proto_placeholder",
        "tfx.dsl.placeholder.runtime_placeholders",
        "tfx.experimental",
        "tfx.extensions",
        "tfx.orchestration.airflow",
        "tfx.orchestration.beam",
        "tfx.orchestration.experimental",
        "tfx.orchestration.kubeflow",
        "tfx.orchestration.portable",
        "tfx.scripts",
        "tfx.tools",
        "tfx.utils.test_case_utils",
        "tfx.v1.extensions",
        "tfx.v1.orchestration.experimental",
    }
)


class MissingModuleFinder(MetaPathFinder):
    """Asked last, when no module was found."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> None:
        if fullname in MISSING_MODULES:
            raise ModuleNotFoundError(not_here_yet(fullname), name=fullname)
        if fullname.startswith(_PACKAGE):
            raise ModuleNotFoundError(not_known(fullname), name=fullname)


class PlainModuleFinder(MetaPathFinder):
    """Finds the modules of this package where Python would, for a loader that adds to them."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith(_PACKAGE):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and type(spec.loader) is SourceFileLoader:
            spec.loader = _RefusingLoader(spec.loader.name, spec.loader.path)
        return spec


class _RefusingLoader(SourceFileLoader):
    """Lets a module that has no word of its own for names which it lacks say it like the others."""

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        vars(module).setdefault("__getattr__", missing_names(module.__name__))


def install() -> None:
    """Adds the finders, once: one before Python's own, one behind all others."""
    if not any(isinstance(finder, MissingModuleFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, PlainModuleFinder())
        sys.meta_path.append(MissingModuleFinder())
