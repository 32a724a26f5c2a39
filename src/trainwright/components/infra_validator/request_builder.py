"""Requests made of examples, in TensorFlow Serving's messages."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from trainwright._imports import require
from trainwright._suggest import did_you_mean
from trainwright.data.example_messages import example_class
from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.evaluation.models.feeding import feature_of
from trainwright.proto import example_gen_pb2, infra_validator_pb2
from trainwright.serving.signatures import (
    CLASSIFY_METHOD,
    DEFAULT_SIGNATURE,
    PREDICT_METHOD,
    REGRESS_METHOD,
    Signature,
    TensorSpec,
    signatures_of,
)
from trainwright.types import model_paths, splits
from trainwright.types.artifact import Artifact

if TYPE_CHECKING:
    from trainwright.components.infra_validator.types import Request

_DEFAULT_TAGS = frozenset(["serve"])
_TF_EXAMPLE = example_gen_pb2.FORMAT_TF_EXAMPLE


def build_requests(
    model_name: str,
    model: Artifact,
    examples: Artifact,
    request_spec: infra_validator_pb2.RequestSpec,
) -> list[Request]:
    """Requests for each signature and example, as the spec says.

    A signature that takes serialized examples gets the records as they are, whatever their format.
    One that takes tensors gets the features of the examples that have their names.

    Args:
        model_name: What the server calls the model.
        model: Its signatures say what is asked.
        examples: What it is asked about.
        request_spec: The signatures, the split, and how many examples.

    Raises:
        ValueError: if there is no such signature or split, or the examples do not fit.
    """
    spec = request_spec.tensorflow_serving
    path = model_paths.serving_model_path(model.uri)
    signatures = read_signatures(path, spec.tag_set, spec.signature_names)
    records, is_tf_example = _read_records(
        examples, request_spec.split_name, request_spec.num_examples or 1
    )
    return [
        _build(model_name, signature, record, is_tf_example)
        for signature in signatures
        for record in records
    ]


def read_signatures(
    path: str, tag_set: Iterable[str], signature_names: Iterable[str]
) -> list[Signature]:
    """Signatures of a SavedModel by name, without loading it; by default the default one.

    Raises:
        ValueError: if there is no graph with these tags, or no such signature in it.
    """
    from tensorflow.core.protobuf import saved_model_pb2

    file = os.path.join(path, "saved_model.pb")
    if not os.path.isfile(file):
        raise ValueError(
            f"There is no SavedModel at {path}, which a model server needs. Save one with "
            "model.export or tf.saved_model.save."
        )
    with open(file, "rb") as opened:
        model = saved_model_pb2.SavedModel.FromString(opened.read())
    tags = frozenset(tag_set) or _DEFAULT_TAGS
    graphs = [graph for graph in model.meta_graphs if tags == set(graph.meta_info_def.tags)]
    if not graphs:
        found = [sorted(graph.meta_info_def.tags) for graph in model.meta_graphs]
        raise ValueError(
            f"The model at {path} has no graph with the tags {sorted(tags)}; its tags are {found}. "
            "Name them as request_spec.tensorflow_serving.tag_set."
        )
    known = signatures_of(graphs[0])
    wanted = list(signature_names) or [DEFAULT_SIGNATURE]
    for name in wanted:
        if name not in known:
            raise ValueError(
                f"The model at {path} has no signature {name!r}{did_you_mean(name, known)} Name "
                "one as request_spec.tensorflow_serving.signature_names."
            )
    return [known[name] for name in wanted]


def _read_records(examples: Artifact, split_name: str, number: int) -> tuple[list[bytes], bool]:
    """The first records of a split, by default the first one, and whether they are tf.Examples."""
    available = splits.decode_split_names(examples.split_names)
    name = split_name or next(iter(available), "")
    if name not in available:
        guess = did_you_mean(name, available)
        raise ValueError(
            f"request_spec.split_name is {name!r}: the examples have no such split{guess}"
        )
    files = ExampleFiles.of_splits([examples], [name])
    records = list(itertools.islice(files.records(), number))
    if not records:
        raise ValueError(
            f"There are no examples in the split {name!r} to make requests of. Name another as "
            "request_spec.split_name."
        )
    return records, files.record_format == _TF_EXAMPLE


def _build(model_name: str, signature: Signature, record: bytes, is_tf_example: bool) -> Request:
    if signature.method == PREDICT_METHOD:
        return _predict_request(model_name, signature, record, is_tf_example)
    kinds = {
        CLASSIFY_METHOD: ("classification_pb2", "ClassificationRequest"),
        REGRESS_METHOD: ("regression_pb2", "RegressionRequest"),
    }
    if signature.method not in kinds:
        raise ValueError(
            f"The signature {signature.name!r} is for {signature.method!r}: a model server answers "
            f"{PREDICT_METHOD}, {CLASSIFY_METHOD} and {REGRESS_METHOD}."
        )
    if not is_tf_example:
        raise ValueError(
            f"The signature {signature.name!r} is asked about tf.Examples, and the records have "
            "another format. Name a signature for predictions."
        )
    module, name = kinds[signature.method]
    request = getattr(require(f"tensorflow_serving.apis.{module}", "serve"), name)()
    _fill_model_spec(request, model_name, signature)
    request.input.example_list.examples.add().ParseFromString(record)
    built: Request = request
    return built


def _fill_model_spec(request: Any, model_name: str, signature: Signature) -> None:
    request.model_spec.name = model_name
    request.model_spec.signature_name = signature.name


def _predict_request(
    model_name: str, signature: Signature, record: bytes, is_tf_example: bool
) -> Request:
    import tensorflow as tf

    request = require("tensorflow_serving.apis.predict_pb2", "serve").PredictRequest()
    _fill_model_spec(request, model_name, signature)
    features = _features(record) if is_tf_example else {}
    serialized = signature.serialized_input
    if serialized is not None and feature_of(serialized.name, features) is None:
        arrays = {serialized.name: np.array([record], object)}
    elif not is_tf_example:
        raise ValueError(
            f"The signature {signature.name!r} takes tensors, which cannot be made of records of "
            "another format than tf.Example. Name a signature that takes serialized records."
        )
    else:
        arrays = {
            name: _array(spec, signature, features) for name, spec in signature.inputs.items()
        }
    for name, array in arrays.items():
        dtype = tf.string if array.dtype == object else array.dtype
        request.inputs[name].CopyFrom(tf.make_tensor_proto(array, dtype=dtype))
    built: Request = request
    return built


def _features(record: bytes) -> dict[str, Sequence[Any]]:
    """The values of the features of an example, by name."""
    found: dict[str, Sequence[Any]] = {}
    for name, feature in example_class().FromString(record).features.feature.items():
        kind = feature.WhichOneof("kind")
        found[name] = list(getattr(feature, kind).value) if kind else []
    return found


def _array(spec: TensorSpec, signature: Signature, features: Mapping[str, Sequence[Any]]) -> Any:
    """An input for one example: its feature of that name, in the shape that is taken."""
    feature = feature_of(spec.name, features)
    if feature is None:
        raise ValueError(
            f"The signature {signature.name!r} takes {spec.name!r}, which the examples do not "
            f"have{did_you_mean(spec.name, features)} Wire the examples that the model takes, "
            "perhaps those of Transform, or name a signature that takes serialized examples."
        )
    values = features[feature]
    shape = [1, *(-1 if size is None else size for size in (spec.shape or (None, None))[1:])]
    if shape.count(-1) > 1:
        shape = [1, len(values)]
    try:
        return np.array(values, spec.dtype).reshape(shape)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"The signature {signature.name!r} takes {spec.kind} as {spec.name!r}, and the feature "
            f"has {len(values)} values that do not fit: {error}."
        ) from error
