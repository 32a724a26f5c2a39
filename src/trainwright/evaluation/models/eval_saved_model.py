"""EvalSavedModel: a model exported for evaluation, which returns labels and features too."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from trainwright.evaluation.batches.features import FeatureColumn
from trainwright.evaluation.models.saved_model import EVAL_SIGNATURE

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
    function it could not be loaded. It is run in a session, as it was made for. The Estimator's own
    metrics are in it, each as an operation that adds a batch to variables and one that reads them.

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
            outputs = {name: info.name for name, info in signature.outputs.items()}
            self._values = {name: outputs[_value_of(name)] for name in _metric_names(outputs)}
            self._updates = [outputs[_update_of(name)] for name in self._values]
            self._variables = graph.get_collection(tf.compat.v1.GraphKeys.METRIC_VARIABLES)
            self._initializers = [variable.initializer for variable in self._variables]

    @classmethod
    def find(cls, path: str) -> TfmaGraph | None:
        """The graph, if the SavedModel is one of TFMA's; functions have one input instead.

        A process loads a graph once, whoever asks.
        """
        return _load_graph(path)

    def run(self, serialized: tf.Tensor) -> dict[str, Any]:
        """What the graph makes of a batch, by the names of the signature."""
        import tensorflow as tf

        found = self._session.run(self._fetches, {self._input: serialized.numpy()})
        return {
            name: tf.SparseTensor(*value) if isinstance(value, tuple) else tf.constant(value)
            for name, value in found.items()
        }

    @property
    def metric_width(self) -> int:
        """How many numbers the variables of the metrics have, all of them together."""
        return sum(self._variable_sizes)

    @property
    def _variable_sizes(self) -> list[int]:
        return [int(np.prod(variable.shape.as_list())) for variable in self._variables]

    def add_up(self, records: Sequence[bytes]) -> npt.NDArray[np.float64]:
        """What these examples add to the variables of the metrics, one after the other."""
        self._session.run(self._initializers)
        self._session.run(self._updates, {self._input: records})
        values = self._session.run(self._variables)
        return np.concatenate([np.ravel(value) for value in values]).astype(np.float64)

    def metric_values(self, sums: npt.NDArray[np.float64]) -> dict[str, float]:
        """What the metrics are if their variables have these values; those that are one number."""
        parts = np.split(sums, np.cumsum(self._variable_sizes)[:-1])
        # An initializer assigns its second input, which may be fed.
        self._session.run(
            self._initializers,
            {
                initializer.inputs[1]: part.reshape(variable.shape.as_list())
                for variable, initializer, part in zip(
                    self._variables, self._initializers, parts, strict=True
                )
            },
        )
        found = self._session.run(self._values)
        return {name: float(value) for name, value in found.items() if np.ndim(value) == 0}


def read_metric_names(path: str) -> list[str]:
    """The metrics inside of an EvalSavedModel's graph; none of models that have no such graph."""
    signature, _ = _find_signature(path)
    return _metric_names(signature.outputs) if signature is not None else []


def read_label_names(path: str) -> list[str]:
    """The labels inside of an EvalSavedModel's graph: none, "" for the only one, or their names.

    A model that has no such graph is taken to have one.
    """
    signature, _ = _find_signature(path)
    if signature is None:
        return [""]
    found = [name.partition("/") for name in (*signature.inputs, *signature.outputs)]
    return sorted({name.replace(LABEL, "") for prefix, _, name in found if prefix == _LABELS})


@functools.lru_cache(maxsize=4)
def _load_graph(path: str) -> TfmaGraph | None:
    signature, tags = _find_signature(path)
    return None if signature is None else TfmaGraph(path, signature, tags)


def _find_signature(path: str) -> tuple[Any, list[str]]:
    """The signature of a graph that TFMA exported, and the graph's tags; None if there is none."""
    from tensorflow.core.protobuf import saved_model_pb2

    saved_model = saved_model_pb2.SavedModel()
    with open(os.path.join(path, "saved_model.pb"), "rb") as file:
        saved_model.ParseFromString(file.read())
    for graph in saved_model.meta_graphs:
        signature = graph.signature_def.get(EVAL_SIGNATURE)
        prefixes = {name.partition("/")[0] for name in signature.inputs} if signature else set()
        if _INPUTS in prefixes and prefixes & {_FEATURES, _LABELS}:
            return signature, list(graph.meta_info_def.tags)
    return None, []


def _metric_names(outputs: Iterable[str]) -> list[str]:
    names = set(outputs)
    prefix, suffix = _value_of("|").split("|")
    found = (name.removeprefix(prefix).removesuffix(suffix) for name in names)
    return sorted(name for name in found if {_value_of(name), _update_of(name)} <= names)


def _value_of(metric: str) -> str:
    return f"metrics/{metric}/value"


def _update_of(metric: str) -> str:
    return f"metrics/{metric}/update_op"


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
