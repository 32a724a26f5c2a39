"""Names that pipelines take from `tensorflow_model_analysis`, whichever that is.

Without TFMA the name is our module, which has them. TFMA itself, in versions of late, lists the
messages of its config among its names and does not have them: they are added, whether it is
imported before us or after. TFMA is never imported from here.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

from trainwright._stand_ins import is_real, load_real_package

TFMA = "tensorflow_model_analysis"

CONFIG_NAMES = (
    "AggregationOptions",
    "BinarizationOptions",
    "ConfidenceIntervalOptions",
    "CrossSliceMetricThreshold",
    "CrossSliceMetricThresholds",
    "CrossSlicingSpec",
    "EvalConfig",
    "ExampleWeightOptions",
    "GenericChangeThreshold",
    "GenericValueThreshold",
    "MetricConfig",
    "MetricDirection",
    "MetricThreshold",
    "MetricsSpec",
    "ModelSpec",
    "Options",
    "PaddingOptions",
    "PerSliceMetricThreshold",
    "PerSliceMetricThresholds",
    "RepeatedInt32Value",
    "RepeatedStringValue",
    "SlicingSpec",
)


class TfmaFinder(MetaPathFinder):
    """Finds TFMA where Python would, and adds the names after it was loaded."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != TFMA:
            return None
        others = (finder for finder in sys.meta_path if finder is not self)
        found = (finder.find_spec(fullname, path, target) for finder in others)
        spec = next((spec for spec in found if spec is not None), None)
        if spec is not None and spec.loader is not None and _is_real(spec.origin):
            spec.loader = _NamesAfterLoading(spec.loader)
        return spec


class _NamesAfterLoading(Loader):
    """TFMA's own loader, and then the names. It steps aside for whoever asks the module later."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        module.__loader__ = self._loader
        self._loader.exec_module(module)
        add_config_names(module)


def add_config_names(module: ModuleType) -> None:
    """Sets what is missing of the names; those that are there stay."""
    messages = importlib.import_module("trainwright.proto.tfma.config_pb2")
    for name in CONFIG_NAMES:
        if not hasattr(module, name):
            setattr(module, name, getattr(messages, name))


def install() -> None:
    """Adds the names to TFMA if it is loaded, or sees to it that they are added then. Once."""
    loaded = sys.modules.get(TFMA)
    if loaded is not None:
        if _is_real(getattr(loaded, "__file__", None)):
            add_config_names(loaded)
    elif not any(isinstance(finder, TfmaFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, TfmaFinder())


def load_instead_of(file: str) -> bool:
    """Puts TFMA into the place of our module `file`, if it is on the path behind it."""
    module = load_real_package(TFMA, file)
    if module is not None:
        add_config_names(module)
    return module is not None


def _is_real(origin: str | None) -> bool:
    return is_real(TFMA, origin)
