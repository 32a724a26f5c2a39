"""CustomModel: a model that the user's own module loads and asks.

Two functions of the module may say how. `custom_eval_shared_model(eval_saved_model_path,
model_name, eval_config)` returns the model, or what TFMA calls an EvalSharedModel, whose loader
makes it. `custom_extractors(eval_shared_model, eval_config, tensor_adapter_config)` returns
functions, each of which takes what is known of a batch, a dict with `input` and `features`, and
returns it with `predictions`, and `labels` or more `features` if it likes; or it returns TFMA's
extractors, which Beam runs. Without extractors the model's `predict`, or the model itself, is
called with the features, and a SavedModel, LiteRT or ONNX model as it is served.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from trainwright._imports import is_installed
from trainwright.components.evaluator.beam_extractors import (
    BeamExtractors,
    is_beam_extractor,
    make_tensor_adapter_config,
)
from trainwright.components.evaluator.extracts import (
    EXAMPLE_WEIGHTS,
    FEATURES,
    INPUT,
    LABELS,
    PREDICTIONS,
    TRANSFORMED_FEATURES,
    Extracts,
    of_model,
    to_column,
)
from trainwright.components.user_module import load_user_module
from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.evaluation.batches.features import FeatureColumn, squeeze_rows
from trainwright.evaluation.models.eval_saved_model import LABEL
from trainwright.evaluation.models.evaluated_model import SAVED_MODEL, EvaluatedModel
from trainwright.evaluation.models.model_formats import served_model_source
from trainwright.evaluation.models.saved_model import ServedModel
from trainwright.evaluation.models.shared_model import EvalSharedModel, has_default_loader
from trainwright.proto.tfma import config_pb2
from trainwright.schemas.schema_file import read_schema

if TYPE_CHECKING:
    import tensorflow as tf

Extractor = Callable[[Extracts], Extracts]


def load_custom_model(
    path: str,
    spec: config_pb2.ModelSpec,
    user_module: Mapping[str, Any],
    schema_path: str | None = None,
    examples: Mapping[str, Any] | None = None,
) -> EvaluatedModel:
    """Calls the functions of the user's module.

    Args:
        path: The model's directory.
        spec: Of the model.
        user_module: `module_file` or `module_path`, and which content of the file is meant.
        schema_path: The schema of the examples, which TFMA's extractors parse them with.
        examples: How the examples are decoded: `ExampleFiles` as JSON; tf.Examples by default.
    """
    module = load_user_module(user_module)
    # To the user's functions, each model is the only one.
    config = config_pb2.EvalConfig(model_specs=[spec])
    config.model_specs[0].is_baseline = False
    make_model = getattr(module, "custom_eval_shared_model", None)
    shared = _make_shared_model(make_model, path, spec.name, config) if make_model else path
    make_extractors = getattr(module, "custom_extractors", None)
    if make_extractors:
        files = ExampleFiles.from_json(examples) if examples else ExampleFiles()
        files = files.with_schema(read_schema(schema_path) if schema_path else None)
        knows_tensors = files.schema is not None or files.data_view is not None
        has_adapter = knows_tensors and is_installed("tfx_bsl")
        extractors = make_extractors(
            eval_shared_model=shared,
            eval_config=config,
            tensor_adapter_config=make_tensor_adapter_config(files) if has_adapter else None,
        )
        if extractors:  # none is the default: the model is asked as it is served
            return CustomModel(spec, _chain(extractors, files))
        if not make_model:
            return served_model_source(path, spec).load(spec)
    if isinstance(shared, EvalSharedModel) and has_default_loader(shared):
        source = served_model_source(shared.model_path or path, spec)
        if source.factory != SAVED_MODEL:
            return source.load(spec)
    model = _load(shared)
    if hasattr(model, "signatures"):
        return ServedModel(path, spec, model)
    return CustomModel(spec, lambda extracts: _add_predictions(model, extracts))


class CustomModel:
    """A model of any kind, between the user's functions and the pass.

    Args:
        spec: Of the model.
        extract: Takes the extracts of a batch, its input and features, and returns those with
            predictions.
    """

    def __init__(self, spec: config_pb2.ModelSpec, extract: Extractor) -> None:
        self._spec = spec
        self._extract = extract
        self._last: tuple[tf.Tensor, Extracts, Extracts] | None = None

    def features_needed(self, names: Iterable[str]) -> set[str]:
        return set(names)

    def preprocess(
        self, serialized: tf.Tensor, columns: Mapping[str, FeatureColumn]
    ) -> dict[str, FeatureColumn]:
        """The features, labels and weights that extractors made."""
        given, extracts = self._ask(serialized, columns)
        transformed = of_model(extracts.get(TRANSFORMED_FEATURES), self._spec.name) or {}
        made = {
            name: to_column(value)
            for name, value in {**extracts.get(FEATURES, {}), **transformed}.items()
            if value is not given.get(name)
        }
        spec = self._spec
        labels = of_model(extracts.get(LABELS), spec.name)
        if labels is not None and not spec.label_key and not spec.label_keys:
            # Metrics find it under this name.
            spec.label_key = LABEL
        made.update(_named(labels, spec.label_key, spec.label_keys))
        weights = of_model(extracts.get(EXAMPLE_WEIGHTS), spec.name)
        made.update(_named(weights, spec.example_weight_key, spec.example_weight_keys))
        return made

    def predict(
        self, serialized: tf.Tensor, columns: Mapping[str, FeatureColumn]
    ) -> dict[str, npt.NDArray[Any]]:
        _, extracts = self._ask(serialized, columns)
        predictions = of_model(extracts.get(PREDICTIONS), self._spec.name)
        if predictions is None:
            raise ValueError(
                "No function that custom_extractors returned has added 'predictions' to what it "
                "was given: expected an array with a row for each example."
            )
        if not isinstance(predictions, Mapping):
            predictions = {PREDICTIONS: predictions}
        return {name: np.asarray(value) for name, value in predictions.items()}

    def _ask(
        self, serialized: tf.Tensor, columns: Mapping[str, FeatureColumn]
    ) -> tuple[Extracts, Extracts]:
        """The features that were given and the extracts that came of them, once for a batch."""
        if self._last is None or self._last[0] is not serialized:
            features = {name: _given(column) for name, column in columns.items()}
            extracts = self._extract({INPUT: serialized.numpy(), FEATURES: dict(features)})
            self._last = (serialized, features, extracts)
        return self._last[1:]


def _make_shared_model(
    make_model: Callable[..., Any], path: str, name: str, config: config_pb2.EvalConfig
) -> Any:
    arguments: dict[str, Any] = {
        "eval_saved_model_path": path,
        "model_name": name,
        "eval_config": config,
    }
    if "add_metrics_callbacks" in inspect.signature(make_model).parameters:
        arguments["add_metrics_callbacks"] = None  # TFX gives it, too
    return make_model(**arguments)


def _chain(extractors: Sequence[Any], examples: ExampleFiles) -> Extractor:
    """All extractors as one function: one after the other, or by Beam."""
    if extractors and all(map(is_beam_extractor, extractors)):
        beam_extractors = BeamExtractors(extractors, examples)
        return lambda extracts: beam_extractors.extract(list(extracts[INPUT]))
    functions = [_check_extractor(extractor) for extractor in extractors]

    def extract(extracts: Extracts) -> Extracts:
        for function in functions:
            returned = function(extracts)
            if not isinstance(returned, Mapping):
                raise ValueError(
                    f"The extractor {getattr(function, '__name__', function)!r} returned "
                    f"{returned!r}: expected the extracts that it was given, with what it added."
                )
            extracts = dict(returned)
        return extracts

    return extract


def _given(column: FeatureColumn) -> Any:
    """A feature as a user's function gets it.

    An array; where an example has no value it is NaN, or an empty string. If examples have
    different numbers of values, and more than one, a list of arrays.
    """
    dense = column.to_dense()
    if dense is not None:
        return squeeze_rows(dense)
    if column.lengths.max(initial=0) > 1:
        return np.split(column.values, column.row_splits[1:-1])
    is_text = column.values.dtype == object
    filled = np.full(len(column.lengths), b"" if is_text else np.nan, object if is_text else None)
    filled[column.lengths == 1] = column.values
    return filled


def _named(value: Any, key: str, keys: Mapping[str, str]) -> dict[str, FeatureColumn]:
    """Labels or weights under the names that the model spec has for them."""
    if value is None:
        return {}
    if isinstance(value, Mapping):
        several = {keys[output]: one for output, one in value.items() if output in keys}
        return {name: to_column(one) for name, one in several.items() if one is not None}
    return {key: to_column(value)} if key else {}


def _load(shared: Any) -> Any:
    """The model behind what `custom_eval_shared_model` returned."""
    loader = getattr(shared, "model_loader", None)
    if loader is None:
        return shared
    construct = getattr(loader, "construct_fn", None) or loader.load
    return construct()


def _add_predictions(model: Any, extracts: Extracts) -> Extracts:
    ask = getattr(model, "predict", None) or model
    if not callable(ask):
        raise ValueError(
            f"custom_eval_shared_model returned {model!r}: expected a model with predict(features) "
            "or a function of the features. Return extractors from custom_extractors for a model "
            "that is asked in another way."
        )
    return {**extracts, PREDICTIONS: ask(extracts[FEATURES])}


def _check_extractor(extractor: Any) -> Extractor:
    if callable(extractor):
        return extractor  # type: ignore[no-any-return]
    raise ValueError(
        f"custom_extractors returned {extractor!r}: expected functions that take and return a dict "
        "with 'input', 'features' and 'predictions', or TFMA's extractors, and not both."
    )
