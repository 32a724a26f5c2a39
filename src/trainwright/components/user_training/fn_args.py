"""FnArgs: everything that `run_fn(fn_args)` and `tuner_fn(fn_args)` are told."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from trainwright.components.custom_config import decode_custom_config
from trainwright.components.user_training.base_model import find_base_model
from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.dsl.base_executor import ArtifactDict
from trainwright.dsl.io.io_utils import get_only_uri_in_dir
from trainwright.proto import proto_json, trainer_pb2
from trainwright.types import splits
from trainwright.types.artifact import Artifact
from trainwright.types.payload_format import (
    DEFAULT_PAYLOAD_FORMAT,
    resolve_payload_format_and_data_view_uri,
)

if TYPE_CHECKING:
    import pyarrow as pa
    import tensorflow as tf
    from tensorflow_metadata.proto.v0 import schema_pb2


class DataAccessor(NamedTuple):
    """Ways to read the examples without knowing their format.

    Args:
        tf_dataset_factory: `(file_patterns, TensorFlowDatasetOptions, schema)` gives a
            `tf.data.Dataset` of batches; a DataView needs no schema.
        record_batch_factory: `(file_patterns, RecordBatchesOptions, schema)` gives an iterator of
            Arrow record batches.
        data_view_decode_fn: The decoder of the DataView that is bound to the examples, from a
            tensor of records to a dict of tensors; None if there is none.

    Example:
        ```python
        dataset = fn_args.data_accessor.tf_dataset_factory(
            fn_args.train_files, TensorFlowDatasetOptions(batch_size=20, label_key="y"), schema
        )
        ```
    """

    tf_dataset_factory: Callable[[list[str], Any, schema_pb2.Schema | None], tf.data.Dataset]
    record_batch_factory: Callable[
        [list[str], Any, schema_pb2.Schema | None], Iterator[pa.RecordBatch]
    ]
    data_view_decode_fn: Callable[[Any], dict[str, Any]] | None = None


@dataclass
class FnArgs:
    """The argument of `run_fn` and `tuner_fn`. Paths and patterns are absolute.

    Args:
        working_dir: In a Tuner, where trials are kept; the next attempt at the same work finds it
            again, under another path. None in a Trainer.
        train_files: File patterns of the training examples, one per split and artifact.
        eval_files: Likewise for evaluation.
        train_steps: How many steps to train; None if not limited.
        eval_steps: How many steps to evaluate; None if not limited.
        schema_path: The schema file.
        schema_file: Deprecated name of `schema_path`.
        transform_graph_path: What `tft.TFTransformOutput` takes.
        transform_output: Deprecated name of `transform_graph_path`.
        data_accessor: Ways to read the examples.
        serving_model_dir: Where the model must be saved; it does not exist yet.
        eval_model_dir: Where a model made for evaluation may be saved.
        model_run_dir: For logs and checkpoints; it exists and is kept when training fails.
        base_model: The path of the model to start from.
        base_models: The paths of all models in the base_model channel.
        hyperparameters: What Tuner found.
        custom_config: The Trainer's custom_config.
        num_examples: The number of examples by split, if the Trainer has statistics.
    """

    working_dir: str | None = None
    train_files: list[str] | None = None
    eval_files: list[str] | None = None
    train_steps: int | None = None
    eval_steps: int | None = None
    schema_path: str | None = None
    schema_file: str | None = None
    transform_graph_path: str | None = None
    transform_output: str | None = None
    data_accessor: DataAccessor | None = None
    serving_model_dir: str | None = None
    eval_model_dir: str | None = None
    model_run_dir: str | None = None
    base_model: str | None = None
    hyperparameters: dict[str, Any] | None = None
    custom_config: dict[str, Any] | None = None
    base_models: list[str] | None = None
    num_examples: dict[str, int] | None = None


def make_common_fn_args(
    input_dict: ArtifactDict,
    exec_properties: Mapping[str, Any],
    working_dir: str | None = None,
) -> FnArgs:
    """The part that does not depend on what is made: data, steps, schema, graph, base model."""
    train_args = _parse(exec_properties.get("train_args"), trainer_pb2.TrainArgs())
    eval_args = _parse(exec_properties.get("eval_args"), trainer_pb2.EvalArgs())
    examples = input_dict["examples"]
    base_models = [find_base_model(model) for model in input_dict.get("base_model") or []]
    transform_graph = input_dict.get("transform_graph")
    schema = input_dict.get("schema")
    return FnArgs(
        working_dir=working_dir,
        train_files=_file_patterns(examples, train_args.splits or [splits.DEFAULT_TRAIN_SPLIT]),
        eval_files=_file_patterns(examples, eval_args.splits or [splits.DEFAULT_EVAL_SPLIT]),
        # Zero is what an unset number is in a proto: it means no limit.
        train_steps=train_args.num_steps or None,
        eval_steps=eval_args.num_steps or None,
        schema_path=get_only_uri_in_dir(schema[0].uri) if schema else None,
        transform_graph_path=transform_graph[0].uri if transform_graph else None,
        data_accessor=make_data_accessor(examples),
        base_model=base_models[0] if base_models else None,
        base_models=base_models or None,
        custom_config=decode_custom_config(exec_properties.get("custom_config")),
    )


def make_data_accessor(examples: Sequence[Artifact]) -> DataAccessor:
    """The accessor for these artifacts; nothing is imported before it is used.

    Only where a DataView is bound to them, TensorFlow is, to load its decoder.
    """
    payload_format, data_view = DEFAULT_PAYLOAD_FORMAT, None
    if examples:
        payload_format, data_view = resolve_payload_format_and_data_view_uri(examples)
    decode = None
    if data_view is not None:
        from trainwright.data.example_reading.data_views import load_data_view

        decode = load_data_view(data_view).decode
    # What cannot be decoded is refused by the factories: a module file may read records itself.
    how: dict[str, Any] = {"payload_format": payload_format, "data_view": data_view}
    return DataAccessor(
        functools.partial(_make_tf_dataset, **how),
        functools.partial(_make_record_batches, **how),
        decode,
    )


def _make_tf_dataset(file_patterns: list[str], options: Any, schema: Any = None, **how: Any) -> Any:
    return ExampleFiles.matching(file_patterns, schema=schema, **how).tf_dataset(options)


def _make_record_batches(
    file_patterns: list[str], options: Any, schema: Any = None, **how: Any
) -> Any:
    return ExampleFiles.matching(file_patterns, schema=schema, **how).record_batches(options)


def _parse(value: Any, message: Any) -> Any:
    return proto_json.json_to_proto(value, message) if isinstance(value, str) else value or message


def _file_patterns(examples: Sequence[Artifact], split_names: Sequence[str]) -> list[str]:
    return [
        os.path.join(uri, "*")
        for split in split_names
        for uri in splits.get_split_uris(examples, split)
    ]


def read_hyperparameters(uri: str) -> dict[str, Any]:
    """Hyperparameters from a JSON file, or from the directory that holds just that.

    Raises ValueError, which names the file, if it does not hold a JSON object.
    """
    path = uri if os.path.isfile(uri) else get_only_uri_in_dir(uri)
    try:
        with open(path, encoding="utf-8") as file:
            hyperparameters = json.load(file)
        if not isinstance(hyperparameters, dict):
            raise ValueError(f"it holds a {type(hyperparameters).__name__}")
    except ValueError as error:
        raise ValueError(
            f"{path} does not hold hyperparameters: {error}. Expected the JSON of "
            "keras_tuner.HyperParameters.get_config(), as a Tuner writes it."
        ) from error
    return hyperparameters
