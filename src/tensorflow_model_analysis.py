"""What pipelines take from TFMA, without TFMA: `import tensorflow_model_analysis as tfma`.

The messages of an `EvalConfig`, the constants that go into one, and readers of results. Anything
else is TFMA's own. Where TFMA is installed, it is what this name imports, and not this file.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from types import ModuleType
from typing import Any, NoReturn

from trainwright._tfma_names import CONFIG_NAMES, load_instead_of

# Whose names and files these are.
__version__ = VERSION_STRING = "0.52.0"

ANALYSIS_KEY = "analysis"
ATTRIBUTIONS_KEY = "attributions"
BASELINE_KEY = "baseline"
CANDIDATE_KEY = "candidate"
DATA_CENTRIC_MODE = "data_centric_mode"
METRICS_KEY = "metrics"
MODEL_CENTRIC_MODE = "model_centric_mode"
PLOTS_KEY = "plots"
TFMA_EVAL = "tfma_eval"
TF_ESTIMATOR = "tf_estimator"
TF_GENERIC = "tf_generic"
TF_JS = "tf_js"
TF_KERAS = "tf_keras"
TF_LITE = "tf_lite"
VALIDATIONS_KEY = "validations"

_MESSAGES = "trainwright.proto.tfma"
_PROTO_MODULES = ("config_pb2", "metrics_for_slice_pb2", "validation_result_pb2")
_SOURCES = {
    **dict.fromkeys(CONFIG_NAMES, f"{_MESSAGES}.config_pb2"),
    "AttributionsForSlice": f"{_MESSAGES}.metrics_for_slice_pb2",
    "MetricsForSlice": f"{_MESSAGES}.metrics_for_slice_pb2",
    "PlotsForSlice": f"{_MESSAGES}.metrics_for_slice_pb2",
    "ValidationResult": f"{_MESSAGES}.validation_result_pb2",
    "EvalResult": "trainwright.evaluation.eval_result",
    "load_eval_result": "trainwright.evaluation.eval_result",
    **dict.fromkeys(
        (
            "EvalSharedModel",
            "MaybeMultipleEvalSharedModels",
            "ModelLoader",
            "default_eval_shared_model",
            "default_extractors",
        ),
        "trainwright.evaluation.shared_model",
    ),
    "load_attributions": "trainwright.evaluation.tfma_reading",
    "load_metrics": "trainwright.evaluation.tfma_reading",
    "load_plots": "trainwright.evaluation.tfma_reading",
    "load_validation_result": "trainwright.evaluation.tfma_reading",
}

_CONSTANTS = [name for name in [*globals()] if name.endswith(("_KEY", "_MODE")) or name[:2] == "TF"]
__all__ = sorted([*_SOURCES, *_CONSTANTS, "VERSION_STRING", "extractors", "proto"])


def __getattr__(name: str) -> Any:
    if name not in _SOURCES:
        raise AttributeError(_is_of_tfma(name), name=name, obj=sys.modules[__name__])
    value = getattr(importlib.import_module(_SOURCES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _is_of_tfma(name: str) -> str:
    return (
        f"{__name__}.{name} is part of TensorFlow Model Analysis, which is not installed: "
        "`pip install tensorflow-model-analysis` brings it. Without it there are "
        "the classes of an EvalConfig, default_eval_shared_model, load_eval_result and "
        "load_validation_result."
    )


class _RestOfTfma(MetaPathFinder):
    """Asked when no module was found: says of a module of TFMA whose it is."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> None:
        package, _, name = fullname.partition(".")
        if package == __name__ and name and isinstance(path, list):
            _raise_not_found(name)


def _raise_not_found(name: str) -> NoReturn:
    # The name of the package: of a name of its own, `from ... import` would hide the message.
    raise ModuleNotFoundError(_is_of_tfma(name), name=__name__)


def _make_proto_package() -> ModuleType:
    """`tensorflow_model_analysis.proto`: the messages, under TFMA's names for their modules."""
    package = ModuleType(f"{__name__}.proto", "Messages of TFMA.")
    package.__path__ = list(importlib.import_module(_MESSAGES).__path__)

    def getattribute(name: str) -> Any:
        if name in _PROTO_MODULES:
            return importlib.import_module(f"{package.__name__}.{name}")
        raise AttributeError(_is_of_tfma(f"proto.{name}"), name=name, obj=package)

    package.__getattr__ = getattribute  # type: ignore[method-assign]
    return package


def _make_extractors_module() -> ModuleType:
    """`tensorflow_model_analysis.extractors`: the class of an extractor, for annotations."""
    module = ModuleType(f"{__name__}.extractors", "Steps of TFMA.")

    def getattribute(name: str) -> Any:
        if name == "Extractor":
            return importlib.import_module("trainwright.evaluation.shared_model").Extractor
        raise AttributeError(_is_of_tfma(f"extractors.{name}"), name=name, obj=module)

    module.__getattr__ = getattribute  # type: ignore[method-assign]
    return module


if not load_instead_of(__file__):
    __path__: list[str] = []  # a package to the import system: it has submodules
    proto = sys.modules[f"{__name__}.proto"] = _make_proto_package()
    extractors = sys.modules[f"{__name__}.extractors"] = _make_extractors_module()
    sys.meta_path.append(_RestOfTfma())
