"""run_model_analysis and analyze_raw_data: an evaluation without a pipeline."""

from __future__ import annotations

import glob
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright._suggest import did_you_mean
from trainwright.compat.tfma.eval_results import EvalResults
from trainwright.compat.tfma.slicer import SingleSliceSpec
from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.evaluation.config.config_completion import (
    BASELINE_NAME,
    CANDIDATE_NAME,
    complete_eval_config,
)
from trainwright.evaluation.config.config_reading import read_eval_config
from trainwright.evaluation.models import shared_model
from trainwright.evaluation.models.evaluated_model import ModelSource
from trainwright.evaluation.models.model_formats import served_model_source
from trainwright.evaluation.models.shared_model import (
    EvalSharedModel,
    MaybeMultipleEvalSharedModels,
)
from trainwright.evaluation.tfma_format.eval_result import EvalResult, load_eval_result
from trainwright.proto import example_gen_pb2
from trainwright.proto.tfma import config_pb2

MODEL_CENTRIC_MODE = "model_centric_mode"
DATA_CENTRIC_MODE = "data_centric_mode"


def run_model_analysis(
    eval_shared_model: MaybeMultipleEvalSharedModels | None = None,
    eval_config: Any | None = None,
    data_location: str = "",
    file_format: str = "tfrecords",
    output_path: str | None = None,
    extractors: Sequence[Any] | None = None,
    evaluators: Sequence[Any] | None = None,
    writers: Sequence[Any] | None = None,
    pipeline_options: Any | None = None,
    slice_spec: Sequence[SingleSliceSpec] | None = None,
    write_config: bool | None = True,
    compute_confidence_intervals: bool | None = False,
    min_slice_size: int = 1,
    random_seed_for_testing: int | None = None,
    schema: schema_pb2.Schema | None = None,
) -> EvalResult | EvalResults:
    """Evaluates models on examples, as an Evaluator does, and reads the result.

    Args:
        eval_shared_model: The model, or a candidate and a baseline, as `default_eval_shared_model`
            makes them. Without one, predictions are read from the examples.
        eval_config: What to compute; without it, the metrics that the model was compiled with, of
            all examples or of `slice_spec`.
        data_location: TFRecord files of tf.Examples: one, or a pattern.
        file_format: "tfrecords".
        output_path: Where the evaluation is written; by default a new temporary directory.
        extractors: Steps of Beam, in TFMA; refused, as are the next three.
        evaluators: Steps of Beam.
        writers: Steps of Beam.
        pipeline_options: Of Beam.
        slice_spec: Slices, where there is no eval_config.
        write_config: Whether the config is written beside the results.
        compute_confidence_intervals: Where there is no eval_config.
        min_slice_size: Where there is no eval_config.
        random_seed_for_testing: Unused: intervals are the same each time.
        schema: Of the examples.

    Returns:
        The result of the model; of several, a result for each.

    Example:
        ```py
        config = tfma.EvalConfig(model_specs=[tfma.ModelSpec(label_key="tips")])
        model = tfma.default_eval_shared_model("serving_model", eval_config=config)
        result = tfma.run_model_analysis(model, config, "examples/Split-eval/*")
        tfma.view.render_slicing_metrics(result)
        ```
    """
    _refuse_beam(extractors, evaluators, writers, pipeline_options)
    if file_format != "tfrecords":
        raise ValueError(
            f"unknown file_format: {file_format!r}. Expected 'tfrecords': CsvExampleGen turns CSV "
            "files into them, and analyze_raw_data takes a data frame."
        )
    models = _by_name(eval_shared_model)
    if eval_config is not None:
        given = read_eval_config(eval_config)
    else:
        given = _make_config(
            models.values(), slice_spec, compute_confidence_intervals, min_slice_size
        )
    if not write_config:
        given.options.disabled_outputs.values.append("eval_config")
    return _analyze(
        models,
        given,
        _find_files(data_location),
        data_location,
        output_path or tempfile.mkdtemp(prefix="evaluation-"),
        schema,
    )


def analyze_raw_data(
    data: Any,
    eval_config: Any | None = None,
    output_path: str | None = None,
    extractors: Sequence[Any] | None = None,
    evaluators: Sequence[Any] | None = None,
    writers: Sequence[Any] | None = None,
    add_metric_callbacks: Sequence[Any] | None = None,
) -> EvalResult:
    """Evaluates predictions that a pandas data frame has beside the labels.

    Args:
        data: A row for each example.
        eval_config: What to compute. Its `prediction_key` and `label_key` name columns, by default
            "prediction" and "label".
        output_path: Where the evaluation is written; by default a new temporary directory.
        extractors: Steps of Beam, in TFMA; refused, as are the next two.
        evaluators: Steps of Beam.
        writers: Steps of Beam.
        add_metric_callbacks: Refused: list metrics in the config.

    Raises:
        KeyError: if there is no such column.

    Example: `analyze_raw_data(frame, config).get_metrics_for_slice()`
    """
    _refuse_beam(extractors, evaluators, writers, None)
    if add_metric_callbacks:
        raise ValueError(
            "add_metric_callbacks add metrics to the graph of an Estimator. List metrics in the "
            "metrics_specs of eval_config instead; FairnessIndicators is one."
        )
    if eval_config is None:
        raise ValueError("eval_config is missing: expected a tfma.EvalConfig with metrics_specs.")
    given = read_eval_config(eval_config)
    if not given.model_specs:
        given.model_specs.add()
    if not hasattr(data, "columns"):
        raise TypeError(f"data is of type {type(data).__name__}: expected a pandas data frame.")
    columns = list(map(str, data.columns))
    for spec in given.model_specs:
        for field, default in (("prediction_key", "prediction"), ("label_key", "label")):
            if not getattr(spec, f"{field}s"):
                setattr(spec, field, getattr(spec, field) or default)
                _check_column(field, getattr(spec, field), columns)
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "examples.gz")
        _write_examples(data, path)
        found = _analyze(
            {},
            given,
            [path],
            "<a data frame>",
            output_path or tempfile.mkdtemp(prefix="evaluation-"),
            None,
        )
    assert isinstance(found, EvalResult)
    return found


def multiple_model_analysis(
    model_locations: Sequence[str], data_location: str, **kwargs: Any
) -> EvalResults:
    """Evaluates several models on the same examples, each by itself.

    Other arguments are those of `run_model_analysis`.
    """
    results = [_analyze_one(model, data_location, kwargs) for model in model_locations]
    return EvalResults(results, MODEL_CENTRIC_MODE)


def multiple_data_analysis(
    model_location: str, data_locations: Sequence[str], **kwargs: Any
) -> EvalResults:
    """Evaluates a model on several sets of examples, each by itself.

    Other arguments are those of `run_model_analysis`.
    """
    results = [_analyze_one(model_location, data, kwargs) for data in data_locations]
    return EvalResults(results, DATA_CENTRIC_MODE)


def _analyze_one(model_location: str, data_location: str, kwargs: Mapping[str, Any]) -> EvalResult:
    model = shared_model.default_eval_shared_model(model_location)
    found = run_model_analysis(model, data_location=data_location, **kwargs)
    assert isinstance(found, EvalResult)
    return found


def _analyze(
    models: Mapping[str, EvalSharedModel],
    given: config_pb2.EvalConfig,
    files: Sequence[str],
    data_location: str,
    output_path: str,
    schema: schema_pb2.Schema | None,
) -> EvalResult | EvalResults:
    # It loads TensorFlow, which a refusal above does not need.
    from trainwright.components.evaluator.evaluation_run import run_evaluation
    from trainwright.components.evaluator.request import EvaluationRequest

    has_baseline = len(models) > 1 and any(
        one.is_baseline or _is_baseline(name, given) for name, one in models.items()
    )
    config = complete_eval_config(given, has_baseline=has_baseline, has_model=bool(models))
    sources = {
        spec.name: _find_source(_model_of(spec, models), spec)
        for spec in config.model_specs
        if models
    }
    request = EvaluationRequest(
        config=config,
        examples=ExampleFiles(paths=files),
        models=sources,
        model=None,
        baseline=None,
        data_location=data_location,
    )
    run_evaluation(request, given, output_path, schema=schema, file_format="tfrecords")
    if len(config.model_specs) == 1:
        return load_eval_result(output_path)
    results = [load_eval_result(output_path, model_name=spec.name) for spec in config.model_specs]
    return EvalResults(results, MODEL_CENTRIC_MODE)


def _by_name(models: MaybeMultipleEvalSharedModels | None) -> dict[str, EvalSharedModel]:
    """The models by their names; a candidate and a baseline need not have any."""
    if models is None:
        return {}
    if isinstance(models, EvalSharedModel):
        return {models.model_name: models}
    if isinstance(models, Mapping):
        return {name: one._replace(model_name=name) for name, one in models.items()}
    given = [models] if isinstance(models, str) else list(models)
    for one in given:
        if not isinstance(one, EvalSharedModel):
            raise TypeError(
                f"eval_shared_model has {one!r}: expected what "
                "default_eval_shared_model(eval_saved_model_path=..., eval_config=...) makes."
            )
    if len(given) > 1:
        given = [
            one
            if one.model_name
            else one._replace(model_name=BASELINE_NAME if one.is_baseline else CANDIDATE_NAME)
            for one in given
        ]
    by_name = {one.model_name: one for one in given}
    if len(by_name) < len(given):
        raise ValueError(
            f"Several models are called {[one.model_name for one in given]}: give each its own "
            "model_name, as its model spec has it, for example 'candidate' and 'baseline'."
        )
    return by_name


def _is_baseline(name: str, config: config_pb2.EvalConfig) -> bool:
    named = [spec for spec in config.model_specs if spec.name == name]
    return any(spec.is_baseline for spec in named) if named else name == BASELINE_NAME


def _model_of(spec: config_pb2.ModelSpec, models: Mapping[str, EvalSharedModel]) -> EvalSharedModel:
    if len(models) == 1:
        return next(iter(models.values()))
    if spec.name not in models:
        raise ValueError(
            f"There is no model for the model spec {spec.name!r}"
            f"{did_you_mean(spec.name, models)} Give it as eval_shared_model, with that model_name."
        )
    return models[spec.name]


def _find_source(model: EvalSharedModel, spec: config_pb2.ModelSpec) -> ModelSource:
    from trainwright.components.evaluator.models import asks_for_eval_model, eval_model_source

    if not shared_model.has_default_loader(model) or not model.model_path:
        raise ValueError(
            "The model has a loader of its own and not the path of a SavedModel. An Evaluator "
            "takes such models: its module file loads them in custom_eval_shared_model."
        )
    if not os.path.exists(model.model_path):
        raise FileNotFoundError(
            f"There is no model at {model.model_path!r}: expected the directory of a SavedModel, "
            "or a LiteRT or ONNX model."
        )
    spec.model_type = spec.model_type or model.model_type
    if asks_for_eval_model(spec):
        return eval_model_source(model.model_path, spec)
    return served_model_source(model.model_path, spec)


def _make_config(
    models: Iterable[EvalSharedModel],
    slice_spec: Sequence[SingleSliceSpec] | None,
    with_intervals: bool | None,
    min_slice_size: int,
) -> config_pb2.EvalConfig:
    """A config of what was said without one, by arguments and by the models."""
    config = config_pb2.EvalConfig(slicing_specs=[one.to_proto() for one in slice_spec or ()])
    for model in models:
        spec = config.model_specs.add(name=model.model_name, is_baseline=model.is_baseline)
        if isinstance(model.example_weight_key, Mapping):
            spec.example_weight_keys.update(model.example_weight_key)
        elif model.example_weight_key:
            spec.example_weight_key = model.example_weight_key
        if not model.include_default_metrics:
            config.options.include_default_metrics.value = False
    if with_intervals:
        config.options.compute_confidence_intervals.value = True
    if min_slice_size > 1:
        config.options.min_slice_size.value = min_slice_size
    return config


def _find_files(data_location: str) -> list[str]:
    if not data_location:
        raise ValueError("data_location is missing: expected TFRecord files, or a pattern of them.")
    files = sorted(path for path in glob.glob(data_location) if os.path.isfile(path))
    if not files:
        raise FileNotFoundError(f"There are no files at {data_location!r}.")
    return files


def _write_examples(data: Any, path: str) -> None:
    from trainwright.components.example_gen.dict_examples import serialize_example
    from trainwright.data.tfrecord import open_gzip_writer

    names = list(map(str, data.columns))
    present = data.notna().to_numpy()
    rows = zip(data.itertuples(index=False, name=None), present, strict=True)
    with open_gzip_writer(path) as write:
        write(
            [
                serialize_example(
                    {
                        name: value
                        for name, value, is_there in zip(names, row, there, strict=True)
                        if is_there
                    },
                    example_gen_pb2.FORMAT_TF_EXAMPLE,
                    f"row {number}",
                )
                for number, (row, there) in enumerate(rows)
            ]
        )


def _check_column(field: str, name: str, columns: Sequence[str]) -> None:
    if name not in columns:
        raise KeyError(
            f"The {field} column was not found. Looked for {name!r}{did_you_mean(name, columns)}"
        )


def _refuse_beam(
    extractors: Any | None,
    evaluators: Any | None,
    writers: Any | None,
    pipeline_options: Any | None,
) -> None:
    given = {
        "extractors": extractors,
        "evaluators": evaluators,
        "writers": writers,
        "pipeline_options": pipeline_options,
    }
    for name, value in given.items():
        if value:
            raise ValueError(
                f"{name} are for Beam, and this machine evaluates without it. Leave them out; an "
                "Evaluator's module file may have custom_extractors."
            )
