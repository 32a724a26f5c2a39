"""ExampleBatch: a batch of examples, and what models say about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from trainwright._suggest import did_you_mean
from trainwright.evaluation.batches.features import FeatureColumn
from trainwright.evaluation.batches.model_batches import (
    MissingFeatureError,
    label_keys,
    make_model_batch,
)
from trainwright.evaluation.computation import Computation, ModelBatch
from trainwright.evaluation.models.evaluated_model import EvaluatedModel

if TYPE_CHECKING:
    import tensorflow as tf

    from trainwright.data.example_reading.untyped_features import UntypedFeatures
    from trainwright.proto.tfma import config_pb2


@dataclass
class ExampleBatch:
    """A batch of examples; each model is asked when it is needed, and once.

    Args:
        records: Serialized examples of any payload format.
        serialized: The same as a tensor.
        columns: Their features, those that were read.
        features: What knows the names of the others.
        model_specs: Of the evaluation.
        models: By the name of their spec; none where predictions are features.
        shard_name: Where the records come from.
        first_record: The number of the first of them there.
        nan_predictions: By model: how many examples it returned NaN for, and where the first is.
    """

    records: list[bytes]
    serialized: tf.Tensor
    columns: Mapping[str, FeatureColumn]
    features: UntypedFeatures
    model_specs: Sequence[config_pb2.ModelSpec]
    models: Mapping[str, EvaluatedModel]
    shard_name: str
    first_record: int
    nan_predictions: dict[str, tuple[int, str]] = field(default_factory=dict)
    _preprocessed: dict[str, dict[str, FeatureColumn]] = field(default_factory=dict)
    _outputs: dict[str, dict[str, npt.NDArray[Any]]] = field(default_factory=dict)
    _model_batches: dict[tuple[str, str], ModelBatch] = field(default_factory=dict)

    def columns_to_slice_by(self) -> dict[str, FeatureColumn]:
        """Features that models make come before the examples' own; the candidate's first."""
        columns = dict(self.columns)
        for spec in sorted(self.model_specs, key=lambda spec: not spec.is_baseline):
            columns.update(self._preprocess(spec.name))
        return columns

    def for_computation(self, computation: Computation) -> ModelBatch:
        """What a computation reads of this batch."""
        if computation.READS_RECORDS_ONLY:
            size = len(self.records)
            return ModelBatch(
                labels=None, predictions=None, weights=None, size=size, records=self.records
            )
        return self.of_model(computation.model_name, computation.output_name)

    def of_model(self, model_name: str, output_name: str) -> ModelBatch:
        """Labels, predictions and weights; the only model has no name in metrics."""
        key = (model_name, output_name)
        if key not in self._model_batches:
            self._model_batches[key] = self._make(self._spec_of(model_name), output_name)
        return self._model_batches[key]

    def _spec_of(self, model_name: str) -> config_pb2.ModelSpec:
        if not model_name or len(self.model_specs) == 1:
            return next(spec for spec in self.model_specs if not spec.is_baseline)
        return next(spec for spec in self.model_specs if spec.name == model_name)

    def _make(self, spec: config_pb2.ModelSpec, output_name: str) -> ModelBatch:
        columns = {**self.columns, **self._preprocess(spec.name)}
        missing = sorted(label_keys(spec) - set(columns))
        if missing:
            raise self._missing_feature(missing[0], spec)
        outputs = self._predict(spec, columns)
        batch = make_model_batch(spec, output_name, outputs, columns, len(self.records))
        batch.records = self.records
        self._look_for_nan(spec.name, batch)
        return batch

    def _preprocess(self, name: str) -> dict[str, FeatureColumn]:
        if name not in self._preprocessed:
            model = self.models.get(name)
            made = model.preprocess(self.serialized, self.columns) if model else {}
            self._preprocessed[name] = made
        return self._preprocessed[name]

    def _predict(
        self, spec: config_pb2.ModelSpec, columns: Mapping[str, FeatureColumn]
    ) -> dict[str, npt.NDArray[Any]]:
        if spec.name not in self._outputs:
            model = self.models.get(spec.name)
            self._outputs[spec.name] = (
                model.predict(self.serialized, self.columns)
                if model
                else _predictions_in(columns, spec)
            )
        return self._outputs[spec.name]

    def _missing_feature(self, name: str, spec: config_pb2.ModelSpec) -> MissingFeatureError:
        is_label = name in (spec.label_key, *spec.label_keys.values())
        known = {*self.features.names(self.records), *self._preprocess(spec.name)}
        return MissingFeatureError(
            f"The model spec names the {'label' if is_label else 'example weight'} {name!r}, which "
            f"the examples do not have{did_you_mean(name, known)} If only transformed examples "
            "have it, evaluate those, or name a function of the model that makes it in "
            "preprocessing_function_names."
        )

    def _look_for_nan(self, name: str, batch: ModelBatch) -> None:
        predictions = batch.predictions
        if predictions is None or predictions.dtype.kind != "f":
            return
        is_nan = np.isnan(predictions).reshape(len(predictions), -1).any(axis=1)
        if is_nan.any():
            first = self.first_record + int(np.argmax(is_nan))
            place = f"record {first} of {self.shard_name}, counted from 0"
            self.nan_predictions[name] = (int(is_nan.sum()), place)


def _predictions_in(
    columns: Mapping[str, FeatureColumn], spec: config_pb2.ModelSpec
) -> dict[str, npt.NDArray[Any]]:
    """Predictions that lie in the examples, where there is no model."""
    keys = {spec.prediction_key: spec.prediction_key} if spec.prediction_key else {}
    found: dict[str, npt.NDArray[Any]] = {}
    for output_name, key in {**keys, **spec.prediction_keys}.items():
        dense = columns[key].to_dense() if key in columns else None
        if dense is None:
            raise MissingFeatureError(
                f"There is no model, and not all examples have the prediction {key!r} that the "
                "model spec names as prediction_key, with the same number of values."
            )
        found[output_name] = dense
    return found
