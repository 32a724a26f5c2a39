"""CustomModel: a model that the user's own module loads and asks.

Two functions of the module may say how. `custom_eval_shared_model(eval_saved_model_path,
model_name, eval_config)` returns the model, or what TFMA calls an EvalSharedModel, whose loader
makes it. `custom_extractors(eval_shared_model, eval_config, tensor_adapter_config)` returns
functions, each of which takes what is known of a batch, a dict with `input` and `features`, and
returns it with `predictions`, and `labels` or more `features` if it likes. Without extractors the
model's `predict`, or the model itself, is called with the features.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from trainwright.components.user_module import load_user_module
from trainwright.evaluation.features import FeatureColumn, squeeze_rows
from trainwright.proto.tfma import config_pb2

if TYPE_CHECKING:
    import tensorflow as tf

Extracts = dict[str, Any]

INPUT, FEATURES, LABELS, PREDICTIONS = "input", "features", "labels", "predictions"


class CustomModel:
    """A model of any kind, between the user's functions and the pass.

    Args:
        path: The model's directory.
        spec: Of the model.
        user_module: `module_file` or `module_path`.
    """

    def __init__(
        self, path: str, spec: config_pb2.ModelSpec, user_module: Mapping[str, str]
    ) -> None:
        module = load_user_module(user_module)
        config = config_pb2.EvalConfig(model_specs=[spec])
        make_model = getattr(module, "custom_eval_shared_model", None)
        shared = (
            make_model(eval_saved_model_path=path, model_name=spec.name, eval_config=config)
            if make_model
            else path
        )
        make_extractors = getattr(module, "custom_extractors", None)
        self._extractors: list[Callable[[Extracts], Extracts]] = []
        if make_extractors:
            made = make_extractors(
                eval_shared_model=shared, eval_config=config, tensor_adapter_config=None
            )
            self._extractors = [_check_extractor(extractor) for extractor in made]
        self._label_key = spec.label_key
        self._model = None if self._extractors else _load(shared)
        self._last: tuple[int, Extracts] | None = None

    def features_needed(self, names: Iterable[str]) -> set[str]:
        return set(names)

    def preprocess(
        self, serialized: tf.Tensor, columns: Mapping[str, FeatureColumn]
    ) -> dict[str, FeatureColumn]:
        """The features and labels that extractors made."""
        extracts = self._extract(serialized, columns)
        made = {
            name: FeatureColumn.from_tensor(value)
            for name, value in extracts[FEATURES].items()
            if value is not _given(columns, name)
        }
        if self._label_key and LABELS in extracts:
            made[self._label_key] = FeatureColumn.from_tensor(np.asarray(extracts[LABELS]))
        return made

    def predict(
        self, serialized: tf.Tensor, columns: Mapping[str, FeatureColumn]
    ) -> dict[str, npt.NDArray[Any]]:
        predictions = self._extract(serialized, columns).get(PREDICTIONS)
        if predictions is None:
            raise ValueError(
                "No function that custom_extractors returned has added 'predictions' to what it "
                "was given: expected an array with a row for each example."
            )
        if not isinstance(predictions, Mapping):
            predictions = {PREDICTIONS: predictions}
        return {name: np.asarray(value) for name, value in predictions.items()}

    def _extract(self, serialized: tf.Tensor, columns: Mapping[str, FeatureColumn]) -> Extracts:
        if self._last is None or self._last[0] != id(serialized):
            features = {name: _given(columns, name) for name in columns}
            extracts: Extracts = {INPUT: serialized.numpy(), FEATURES: dict(features)}
            for extractor in self._extractors:
                extracts = extractor(extracts)
            if not self._extractors:
                extracts[PREDICTIONS] = _ask(self._model, features)
            self._last = (id(serialized), extracts)
        return self._last[1]


def _given(columns: Mapping[str, FeatureColumn], name: str) -> Any:
    """A feature as a user's function gets it: an array, or a list of arrays of several lengths."""
    column = columns.get(name)
    if column is None:
        return None
    dense = column.to_dense()
    if dense is not None:
        return squeeze_rows(dense)
    return np.split(column.values, column.row_splits[1:-1])


def _load(shared: Any) -> Any:
    """The model behind what `custom_eval_shared_model` returned."""
    loader = getattr(shared, "model_loader", None)
    if loader is None:
        return shared
    construct = getattr(loader, "construct_fn", None) or loader.load
    return construct()


def _ask(model: Any, features: Mapping[str, Any]) -> Any:
    ask = getattr(model, "predict", None) or model
    if not callable(ask):
        raise ValueError(
            f"custom_eval_shared_model returned {model!r}: expected a model with predict(features) "
            "or a function of the features. Return extractors from custom_extractors for a model "
            "that is asked in another way."
        )
    return ask(features)


def _check_extractor(extractor: Any) -> Callable[[Extracts], Extracts]:
    if callable(extractor):
        return extractor  # type: ignore[no-any-return]
    raise ValueError(
        f"custom_extractors returned {extractor!r}: expected functions that take and return a dict "
        "with 'input', 'features' and 'predictions'."
    )
