"""EvaluationRequest: what an Evaluator is to do, read from the artifacts and properties it gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trainwright._suggest import did_you_mean
from trainwright.components.evaluator.models import find_model
from trainwright.data.example_reading.example_files import ExampleFiles, list_files
from trainwright.dsl.base_executor import ArtifactDict
from trainwright.dsl.io.io_utils import get_only_uri_in_dir
from trainwright.evaluation.config.config_completion import complete_eval_config
from trainwright.evaluation.config.config_reading import read_eval_config
from trainwright.evaluation.models.evaluated_model import ModelSource
from trainwright.proto import evaluator_pb2, proto_json
from trainwright.proto.tfma import config_pb2
from trainwright.types import json_utils, splits
from trainwright.types import standard_component_specs as keys
from trainwright.types.artifact import Artifact
from trainwright.types.artifact_utils import get_single_instance


@dataclass(frozen=True, kw_only=True)
class EvaluationRequest:
    """What to evaluate.

    Args:
        config: The complete eval config.
        examples: The files, in order.
        models: Where the models are, by the name of their spec.
        model: The candidate; None if predictions are a feature.
        baseline: What it is compared with.
        data_location: Where the examples are, for the record.
        schema_path: The schema of the examples, if there is one.
    """

    config: config_pb2.EvalConfig
    examples: ExampleFiles
    models: Mapping[str, ModelSource]
    model: Artifact | None
    baseline: Artifact | None
    data_location: str
    schema_path: str | None = None


def read_request(input_dict: ArtifactDict, exec_properties: Mapping[str, Any]) -> EvaluationRequest:
    """Reads what the executor was given.

    Raises:
        ValueError: what is wrong with the config, the examples or the models.
    """
    examples = input_dict[keys.EXAMPLES_KEY]
    model = _only(input_dict, keys.MODEL_KEY, "candidate")
    baseline = _only(input_dict, keys.BASELINE_MODEL_KEY, "baseline")
    config = complete_eval_config(
        read_config(exec_properties),
        has_baseline=baseline is not None,
        has_model=model is not None,
    )
    names = json_utils.loads(exec_properties.get(keys.EXAMPLE_SPLITS_KEY) or "null")
    chosen = names or [splits.DEFAULT_EVAL_SPLIT]
    directories = [uri for name in chosen for uri in _split_uris(examples, name)]
    files = _find_files(examples, directories)
    schema_path = _schema_path(input_dict)
    models = {}
    for spec in config.model_specs:
        artifact = baseline if spec.is_baseline else model
        if artifact is not None:
            models[spec.name] = find_model(artifact, spec, exec_properties, schema_path, files)
    return EvaluationRequest(
        config=config,
        examples=files,
        models=models,
        model=model,
        baseline=baseline,
        data_location=",".join(directories),
        schema_path=schema_path,
    )


def read_config(exec_properties: Mapping[str, Any]) -> config_pb2.EvalConfig:
    """The config as the user gave it, or as the deprecated properties say it."""
    encoded = exec_properties.get(keys.EVAL_CONFIG_KEY)
    if encoded:
        config = read_eval_config(encoded)
    else:
        config = _config_of_slicing(exec_properties.get(keys.FEATURE_SLICING_SPEC_KEY))
    thresholds = json_utils.loads(
        exec_properties.get(keys.FAIRNESS_INDICATOR_THRESHOLDS_KEY) or "null"
    )
    if thresholds:
        config.metrics_specs.add(
            metrics=[
                config_pb2.MetricConfig(
                    class_name="FairnessIndicators",
                    config=json_utils.dumps({"thresholds": list(thresholds)}),
                )
            ]
        )
    return config


def _config_of_slicing(encoded: str | None) -> config_pb2.EvalConfig:
    """A config from the columns that the oldest pipelines name; it counts examples."""
    config = config_pb2.EvalConfig(
        slicing_specs=[config_pb2.SlicingSpec()],
        metrics_specs=[
            config_pb2.MetricsSpec(metrics=[config_pb2.MetricConfig(class_name="ExampleCount")])
        ],
    )
    if encoded:
        slicing = proto_json.json_to_proto(encoded, evaluator_pb2.FeatureSlicingSpec())
        for spec in slicing.specs:
            config.slicing_specs.add(feature_keys=spec.column_for_slicing)
    return config


def _only(input_dict: ArtifactDict, key: str, what: str) -> Artifact | None:
    artifacts = input_dict.get(key) or []
    if len(artifacts) > 1:
        raise ValueError(f"There can be only one {what} model, there are {len(artifacts)}.")
    return get_single_instance(artifacts) if artifacts else None


def _split_uris(examples: Sequence[Artifact], name: str) -> list[str]:
    there = set.intersection(
        *(set(splits.decode_split_names(artifact.split_names)) for artifact in examples)
    )
    if name not in there:
        raise ValueError(
            f"There is no split {name!r} to evaluate on{did_you_mean(name, there)} Say which in "
            "example_splits of the Evaluator; by default it is 'eval'."
        )
    return splits.get_split_uris(examples, name)


def _schema_path(input_dict: ArtifactDict) -> str | None:
    schemas = input_dict.get(keys.SCHEMA_KEY)
    return get_only_uri_in_dir(get_single_instance(schemas).uri) if schemas else None


def _find_files(examples: Sequence[Artifact], directories: Sequence[str]) -> ExampleFiles:
    files = [path for directory in directories for path in list_files(directory)]
    if not files:
        raise ValueError(f"There are no examples to evaluate on in {', '.join(directories)}.")
    return ExampleFiles.of_artifacts(examples, files)
