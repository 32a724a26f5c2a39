"""EvaluatedModel: the interface of a model that a pass asks, and how a process loads it."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy.typing as npt

from trainwright.evaluation.batches.features import FeatureColumn
from trainwright.evaluation.config.config_completion import includes_default_metrics
from trainwright.evaluation.models.compiled_model import CompiledModel, read_compiled_model
from trainwright.types import model_paths

if TYPE_CHECKING:
    import tensorflow as tf

    from trainwright.proto.tfma import config_pb2

# An EvalSavedModel is not a Keras model, and its metrics are inside of its graph.
EVAL_SAVED_MODEL = "trainwright.evaluation.models.eval_saved_model:EvalSavedModel"
SAVED_MODEL = "trainwright.evaluation.models.saved_model:ServedModel"
LITERT_MODEL = "trainwright.evaluation.models.litert_model:LiteRtModel"
ONNX_MODEL = "trainwright.evaluation.models.onnx_model:OnnxModel"
TFJS_MODEL = "trainwright.evaluation.models.tfjs_model:TfjsModel"

# Types of a model spec whose models may be Keras models, or were converted from some and have the
# file beside them that says what those were compiled with.
_KERAS_TYPES = (
    "",
    model_paths.TF_KERAS,
    model_paths.TF_LITE,
    model_paths.TF_JS,
    model_paths.ONNX,
)


class EvaluatedModel(Protocol):
    """A model that says something about a batch of examples."""

    def features_needed(self, names: Iterable[str]) -> set[str]:
        """Which of the examples' features it must be given as columns."""

    def preprocess(
        self, serialized: tf.Tensor, columns: Mapping[str, FeatureColumn]
    ) -> dict[str, FeatureColumn]:
        """Features that the model makes, among which labels and slices may be."""

    def predict(
        self, serialized: tf.Tensor, columns: Mapping[str, FeatureColumn]
    ) -> dict[str, npt.NDArray[Any]]:
        """Its outputs by name."""


@dataclass(frozen=True)
class ModelSource:
    """Where a model comes from: its files, and the name of what loads them.

    Args:
        path: The directory or file of the model.
        factory: `"module:name"` of what is called with path, model spec and arguments.
        arguments: More keyword arguments, as JSON.
    """

    path: str
    factory: str = SAVED_MODEL
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def load(self, spec: config_pb2.ModelSpec) -> EvaluatedModel:
        module, _, name = self.factory.partition(":")
        make = getattr(importlib.import_module(module), name)
        model: EvaluatedModel = make(self.path, spec, **self.arguments)
        return model

    def to_json(self) -> dict[str, Any]:
        return {"path": self.path, "factory": self.factory, "arguments": dict(self.arguments)}


def read_compiled_models(
    config: config_pb2.EvalConfig, models: Mapping[str, ModelSource]
) -> dict[str, CompiledModel]:
    """What the Keras models were compiled with, by name; nothing if the config leaves it out."""
    if not includes_default_metrics(config):
        return {}
    compiled = {
        spec.name: read_compiled_model(models[spec.name].path)
        for spec in config.model_specs
        if spec.name in models
        and spec.model_type in _KERAS_TYPES
        and models[spec.name].factory != EVAL_SAVED_MODEL
    }
    return {name: model for name, model in compiled.items() if model is not None}
