"""EvalSavedModel: a model exported for evaluation, which returns labels and features too."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from trainwright.evaluation.features import FeatureColumn
from trainwright.evaluation.saved_model import EVAL_SIGNATURE

if TYPE_CHECKING:
    import tensorflow as tf

    from trainwright.proto.tfma import config_pb2

# What the label is called where the model spec does not name one.
LABEL = "__labels"

_INPUTS, _LABELS, _FEATURES, _PREDICTIONS = "inputs", "labels", "features", "predictions"


class EvalSavedModel:
    """A model with a signature `eval`, as Estimators export it.

    Its outputs are called `predictions/...`, `labels` or `labels/...`, and `features/...`; without
    such a prefix an output is a prediction.

    Args:
        path: The directory of the SavedModel.
        spec: Names the label where there are several.
    """

    def __init__(self, path: str, spec: config_pb2.ModelSpec) -> None:
        import tensorflow as tf

        self._label = spec.label_key or LABEL
        self._last: tuple[tf.Tensor, dict[str, Any]] | None = None
        self._graph = TfmaGraph.find(path)
        if self._graph is not None:
            return
        self._model: Any = tf.saved_model.load(path)
        if EVAL_SIGNATURE not in self._model.signatures:
            raise ValueError(
                f"The model at {path} has no signature {EVAL_SIGNATURE!r}; it has "
                f"{', '.join(self._model.signatures) or 'none'}. An EvalSavedModel has one."
            )

    def features_needed(self, names: Iterable[str]) -> set[str]:
        return set()

    def preprocess(
        self, serialized: tf.Tensor, columns: Mapping[str, FeatureColumn]
    ) -> dict[str, FeatureColumn]:
        """The features and labels that the model returns."""
        features: dict[str, FeatureColumn] = {}
        labels: dict[str, FeatureColumn] = {}
        for name, value in self._outputs(serialized).items():
            prefix, _, rest = name.partition("/")
            if prefix == _FEATURES and rest:
                features[rest] = FeatureColumn.from_tensor(value)
            elif prefix == _LABELS:
                label = self._label if rest in ("", LABEL) else rest
                labels[label] = FeatureColumn.from_tensor(value)
        # A feature may have the label's name and be something else: what it was made of.
        return {**features, **labels}

    def predict(
        self, serialized: tf.Tensor, columns: Mapping[str, FeatureColumn]
    ) -> dict[str, npt.NDArray[Any]]:
        return {
            name.removeprefix(f"{_PREDICTIONS}/"): np.asarray(value)
            for name, value in self._outputs(serialized).items()
            if name.partition("/")[0] not in (_FEATURES, _LABELS, "metrics", "loss")
        }

    def _outputs(self, serialized: tf.Tensor) -> dict[str, Any]:
        """One call for a batch, whose predictions and labels are asked for one after the other."""
        if self._last is None or self._last[0] is not serialized:
            if self._graph is not None:
                outputs = self._graph.run(serialized)
            else:
                signature = self._model.signatures[EVAL_SIGNATURE]
                (name,) = signature.structured_input_signature[1]
                outputs = dict(signature(**{name: serialized}))
            self._last = (serialized, outputs)
        return self._last[1]


class TfmaGraph:
    """The graph that TFMA exports from an Estimator.

    Its signature has features and labels among the inputs, because TFMA asks for them as well: as a
    function it could not be loaded. It is run in a session, as it was made for.

    Args:
        path: The directory of the SavedModel.
        signature: The signature `eval`.
        tags: Of the graph.
    """

    def __init__(self, path: str, signature: Any, tags: list[str]) -> None:
        import tensorflow as tf

        graph = tf.Graph()
        self._session = tf.compat.v1.Session(graph=graph)
        with graph.as_default():
            tf.compat.v1.saved_model.load(self._session, tags, path)
            self._input = next(
                graph.get_tensor_by_name(info.name)
                for name, info in signature.inputs.items()
                if name.partition("/")[0] == _INPUTS
            )
            wanted = {
                name: info
                for name, info in (*signature.inputs.items(), *signature.outputs.items())
                if name.partition("/")[0] in (_FEATURES, _LABELS, _PREDICTIONS)
            }
            self._fetches = {name: _tensor(graph, info) for name, info in wanted.items()}

    @classmethod
    def find(cls, path: str) -> TfmaGraph | None:
        """The graph, if the SavedModel is one of TFMA's; functions have one input instead."""
        from tensorflow.core.protobuf import saved_model_pb2

        saved_model = saved_model_pb2.SavedModel()
        with open(os.path.join(path, "saved_model.pb"), "rb") as file:
            saved_model.ParseFromString(file.read())
        for graph in saved_model.meta_graphs:
            signature = graph.signature_def.get(EVAL_SIGNATURE)
            prefixes = {name.partition("/")[0] for name in signature.inputs} if signature else set()
            if {_INPUTS, _LABELS} <= prefixes:
                return cls(path, signature, list(graph.meta_info_def.tags))
        return None

    def run(self, serialized: tf.Tensor) -> dict[str, Any]:
        """What the graph makes of a batch, by the names of the signature."""
        import tensorflow as tf

        found = self._session.run(self._fetches, {self._input: serialized.numpy()})
        return {
            name: tf.SparseTensor(*value) if isinstance(value, tuple) else tf.constant(value)
            for name, value in found.items()
        }


def _tensor(graph: Any, info: Any) -> Any:
    """The tensor that a signature names, dense or sparse."""
    import tensorflow as tf

    if info.WhichOneof("encoding") != "coo_sparse":
        return graph.get_tensor_by_name(info.name)
    sparse = info.coo_sparse
    return tf.SparseTensor(
        graph.get_tensor_by_name(sparse.indices_tensor_name),
        graph.get_tensor_by_name(sparse.values_tensor_name),
        graph.get_tensor_by_name(sparse.dense_shape_tensor_name),
    )
