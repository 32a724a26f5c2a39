"""ServedModel: a SavedModel and the functions in it that an evaluation calls."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from trainwright._suggest import did_you_mean
from trainwright.evaluation.batches.features import FeatureColumn
from trainwright.evaluation.models.compiled_model import KERAS_2_FILE
from trainwright.evaluation.models.feeding import (
    feature_of,
    find_column,
    takes_serialized,
    to_rows,
)

if TYPE_CHECKING:
    import tensorflow as tf

    from trainwright.proto.tfma import config_pb2

# Tried in this order where a model spec names no signature; Estimators have both.
DEFAULT_SIGNATURES = ("predict", "serving_default")

# Called where a model has them and the model spec names no preprocessing functions.
DEFAULT_PREPROCESSING = ("transformed_features", "transformed_labels")

EVAL_SIGNATURE = "eval"

_PARSING_ADVICE = "Evaluate with a signature that parses serialized tf.Examples."


@dataclass(frozen=True)
class ModelFunction:
    """A function of a SavedModel, with what it is fed.

    Args:
        name: Of the signature or attribute.
        call: Takes tensors by name.
        inputs: The tensor specs of its arguments, by name.
        path: The model's, for errors.
    """

    name: str
    call: Callable[..., Any]
    inputs: Mapping[str, Any]
    path: str

    @classmethod
    def from_signature(cls, name: str, signature: Any, path: str) -> ModelFunction:
        """From a signature of a SavedModel that was loaded."""
        _, inputs = signature.structured_input_signature
        return cls(name, signature, inputs, path)

    def takes_serialized(self, features: Iterable[str]) -> bool:
        """Whether it parses tf.Examples itself: its one argument is a string and no feature."""
        return takes_serialized(
            {name: spec.dtype.name for name, spec in self.inputs.items()}, features
        )

    def features_needed(self, names: Iterable[str]) -> set[str]:
        """Which of these features it is fed; an input that none of them is for counts as one."""
        known = list(names)
        return {feature_of(name, known) or name for name in self.inputs}

    def arguments(self, columns: Mapping[str, FeatureColumn]) -> dict[str, Any]:
        """The tensors of a batch that it is fed, where it takes features by name."""
        return {name: self._feed(name, spec, columns) for name, spec in self.inputs.items()}

    def _feed(self, name: str, spec: Any, columns: Mapping[str, FeatureColumn]) -> Any:
        import tensorflow as tf

        asked = f"The function {self.name!r} of the model at {self.path}"
        column = find_column(name, columns, asked)
        ragged = tf.RaggedTensor.from_row_splits(column.values, column.row_splits, validate=False)
        if isinstance(spec, tf.RaggedTensorSpec):
            return tf.cast(ragged, spec.dtype) if ragged.dtype != spec.dtype else ragged
        if isinstance(spec, tf.SparseTensorSpec):
            return tf.cast(ragged, spec.dtype).to_sparse()
        shape = None if spec.shape.rank is None else spec.shape.as_list()
        tensor = tf.constant(to_rows(name, column, shape, asked, _PARSING_ADVICE))
        return tf.cast(tensor, spec.dtype) if tensor.dtype != spec.dtype else tensor


class ServedModel:
    """A model as it would be served, asked batch by batch.

    Args:
        path: The directory of the SavedModel.
        spec: Its signature and preprocessing functions are used.
        model: The SavedModel, if it was loaded before.

    Example:
        ```py
        model = ServedModel("Trainer/model/6/Format-Serving", ModelSpec(label_key="tips"))
        logits = model.predict(serialized, columns)["logits"]
        ```
    """

    def __init__(self, path: str, spec: config_pb2.ModelSpec, model: Any = None) -> None:
        import tensorflow as tf

        self.path = path
        # The tags of a SavedModel are those of its only graph, except for an EvalSavedModel's.
        self._model: Any = tf.saved_model.load(path) if model is None else model
        self._main = self._find(_choose_signature(spec, list(self._model.signatures), path))
        self._preprocessing = self._find_preprocessing(spec)
        self._itself = None if spec.signature_name else self._find_itself()

    def _find(self, name: str) -> ModelFunction:
        signatures = self._model.signatures
        if name in signatures:
            return ModelFunction.from_signature(name, signatures[name], self.path)
        attribute = getattr(self._model, name, None)
        if not callable(attribute):
            raise ValueError(
                f"The model at {self.path} has no function {name!r}"
                f"{did_you_mean(name, [*signatures])}"
            )
        return _from_attribute(name, attribute, self.path)

    def _find_preprocessing(self, spec: config_pb2.ModelSpec) -> list[ModelFunction]:
        named: Sequence[str] = spec.preprocessing_function_names
        if named:
            return [self._find(name) for name in named]
        there = (name for name in DEFAULT_PREPROCESSING if hasattr(self._model, name))
        signed = (name for name in DEFAULT_PREPROCESSING if name in self._model.signatures)
        return [self._find(name) for name in dict.fromkeys((*signed, *there))]

    def _find_itself(self) -> ModelFunction | None:
        """A model of Keras 2, which is asked directly where the examples have all its inputs.

        So are they evaluated that take transformed features, and have a signature for others.
        """
        if not os.path.exists(os.path.join(self.path, KERAS_2_FILE)):
            return None
        function = getattr(self._model, "__call__", None)  # noqa: B004  a tf.function
        concrete = getattr(function, "concrete_functions", None)
        if not concrete:
            return None
        (inputs, *_), _ = concrete[0].structured_input_signature
        if not isinstance(inputs, Mapping):
            return None
        return ModelFunction(
            "predictions", lambda **given: self._model(given), dict(inputs), self.path
        )

    def _choose(self, columns: Mapping[str, FeatureColumn]) -> ModelFunction:
        if self._itself and all(feature_of(name, columns) for name in self._itself.inputs):
            return self._itself
        return self._main

    def features_needed(self, names: Iterable[str]) -> set[str]:
        """Which features of the examples its functions are fed by name."""
        known = list(names)
        needed: set[str] = set()
        if self._itself:
            needed |= self._itself.features_needed(known)
        for function in (self._main, *self._preprocessing):
            if not function.takes_serialized(known):
                needed |= function.features_needed(known)
        return needed

    def predict(
        self, serialized: tf.Tensor, columns: Mapping[str, FeatureColumn]
    ) -> dict[str, npt.NDArray[Any]]:
        """The outputs of the signature by name, for a batch."""
        outputs = self._call(self._choose(columns), serialized, columns)
        return {name: _to_array(value) for name, value in outputs.items()}

    def preprocess(
        self, serialized: tf.Tensor, columns: Mapping[str, FeatureColumn]
    ) -> dict[str, FeatureColumn]:
        """What the preprocessing functions make of a batch, by name."""
        made: dict[str, FeatureColumn] = {}
        for function in self._preprocessing:
            outputs = self._call(function, serialized, columns)
            made.update((name, FeatureColumn.from_tensor(value)) for name, value in outputs.items())
        return made

    def _call(
        self, function: ModelFunction, serialized: tf.Tensor, columns: Mapping[str, FeatureColumn]
    ) -> dict[str, Any]:
        if function.takes_serialized(columns):
            (name,) = function.inputs
            outputs = function.call(**{name: serialized})
        else:
            outputs = function.call(**function.arguments(columns))
        return dict(outputs) if isinstance(outputs, Mapping) else {function.name: outputs}


def _choose_signature(spec: config_pb2.ModelSpec, names: Sequence[str], path: str) -> str:
    if spec.signature_name:
        return str(spec.signature_name)
    for name in DEFAULT_SIGNATURES:
        if name in names:
            return name
    listed = ", ".join(sorted(names)) or "none"
    raise ValueError(
        f"The model at {path} has no signature serving_default. Its signatures: {listed}. Name one "
        "of them as signature_name of the model spec, or save the model with that signature."
    )


def _from_attribute(name: str, attribute: Any, path: str) -> ModelFunction:
    """From a tf.function or layer that the model holds, which takes one argument."""
    import tensorflow as tf

    function = attribute
    concrete = getattr(function, "concrete_functions", None)
    if not concrete:
        function = getattr(attribute, "__call__", None)  # noqa: B004  a layer's own tf.function
        concrete = getattr(function, "concrete_functions", None)
    if not concrete:
        raise ValueError(
            f"{name!r} of the model at {path} cannot be called: expected a tf.function with an "
            "input signature. Save it as one of the model's signatures."
        )
    (argument, *_), _ = concrete[0].structured_input_signature
    if isinstance(argument, Mapping):
        return ModelFunction(name, lambda **features: attribute(features), dict(argument), path)
    assert isinstance(argument, tf.TensorSpec)
    return ModelFunction(
        name, lambda **inputs: attribute(*inputs.values()), {argument.name or name: argument}, path
    )


def _to_array(value: Any) -> npt.NDArray[Any]:
    import tensorflow as tf

    if isinstance(value, tf.SparseTensor):
        value = tf.sparse.to_dense(value)
    elif isinstance(value, tf.RaggedTensor):
        value = value.to_tensor()
    return np.asarray(value)
