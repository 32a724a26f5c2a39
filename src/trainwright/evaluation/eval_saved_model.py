"""EvalSavedModel: a model exported for evaluation, which returns labels and features too."""

from __future__ import annotations

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

_LABELS, _FEATURES, _PREDICTIONS = "labels", "features", "predictions"


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

        self._model: Any = tf.saved_model.load(path)
        self._label = spec.label_key or LABEL
        if EVAL_SIGNATURE not in self._model.signatures:
            raise ValueError(
                f"The model at {path} has no signature {EVAL_SIGNATURE!r}; it has "
                f"{', '.join(self._model.signatures) or 'none'}. An EvalSavedModel has one."
            )
        self._last: tuple[tf.Tensor, dict[str, Any]] | None = None

    def features_needed(self, names: Iterable[str]) -> set[str]:
        return set()

    def preprocess(
        self, serialized: tf.Tensor, columns: Mapping[str, FeatureColumn]
    ) -> dict[str, FeatureColumn]:
        """The features and labels that the model returns."""
        made: dict[str, FeatureColumn] = {}
        for name, value in self._outputs(serialized).items():
            prefix, _, rest = name.partition("/")
            if prefix == _FEATURES and rest:
                made[rest] = FeatureColumn.from_tensor(value)
            elif prefix == _LABELS:
                made[self._label if rest in ("", LABEL) else rest] = FeatureColumn.from_tensor(
                    value
                )
        return made

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
            signature = self._model.signatures[EVAL_SIGNATURE]
            (name,) = signature.structured_input_signature[1]
            self._last = (serialized, dict(signature(**{name: serialized})))
        return self._last[1]
