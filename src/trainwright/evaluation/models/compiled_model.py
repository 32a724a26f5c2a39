"""CompiledModel: the metrics and losses that a Keras model was compiled with, read from its files.

Nothing of Keras or TensorFlow is imported: what is named here is made where it is computed.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from google.protobuf import empty_pb2
from google.protobuf.message import DecodeError
from google.protobuf.unknown_fields import UnknownFieldSet

from trainwright.evaluation.metric_keys import SubKey
from trainwright.evaluation.metrics.keras.keras_objects import SerializedKerasObject
from trainwright.types import model_paths

_logger = logging.getLogger(__name__)

# Beside the SavedModel of a model that Keras 2 saved: a SavedMetadata message.
KERAS_2_FILE = "keras_metadata.pb"

LOSS = "loss"

# Fields of SavedMetadata, and of its nodes.
_NODES, _NODE_PATH, _NODE_METADATA = 1, 3, 5
_ROOT = b"root"


@dataclass(frozen=True, kw_only=True)
class CompiledPart:
    """A metric or a loss of one output.

    Args:
        name: What it is called, without the name of the output.
        output_name: Of which output; "" for the only one.
        described: What Keras makes it of.
        is_weighted: Whether it is one of the `weighted_metrics`.
        loss_weight: What a loss counts in the sum of several.
    """

    name: str
    output_name: str
    described: SerializedKerasObject
    is_weighted: bool = False
    loss_weight: float = 1.0

    @property
    def sub_key(self) -> SubKey | None:
        """The classes that the metric's own arguments choose."""
        written = json.loads(self.described.config)
        arguments = written.get("config", {}) if isinstance(written, dict) else {}
        for name in ("class_id", "top_k"):
            if arguments.get(name) is not None:
                return SubKey(**{name: arguments[name]})
        return None


@dataclass(frozen=True)
class CompiledModel:
    """What `model.compile` was given, as far as an evaluation computes it."""

    metrics: tuple[CompiledPart, ...]
    losses: tuple[CompiledPart, ...]

    @property
    def has_several_outputs(self) -> bool:
        return any(part.output_name for part in (*self.metrics, *self.losses))


def read_compiled_model(path: str) -> CompiledModel | None:
    """What the model in a directory was compiled with.

    `model.save` of Keras 2 writes it beside a SavedModel; a Trainer does of others. None if its
    files do not tell, as of a model that is not of Keras, or was saved elsewhere.
    """
    readers = ((KERAS_2_FILE, _read_keras_2), (model_paths.COMPILE_CONFIG, _read_compile_config))
    for name, read in readers:
        file = os.path.join(path, name)
        if not os.path.exists(file):
            continue
        with open(file, "rb") as opened:
            content = opened.read()
        try:
            return read(content)
        except (AttributeError, DecodeError, LookupError, TypeError, ValueError) as error:
            _logger.warning(
                "The metrics that the model at %s was compiled with are not computed: %s cannot "
                "be read: %r",
                path,
                name,
                error,
            )
    return None


def _read_compile_config(content: bytes) -> CompiledModel:
    written = json.loads(content)
    library = written.get("library", "keras")  # models saved before it was written are of Keras 3
    return _from_config(library, written["compile_config"], written["output_names"])


def _read_keras_2(content: bytes) -> CompiledModel:
    metadata = _root_metadata(content)
    return _from_config("tf_keras", metadata.get("training_config") or {}, _output_names(metadata))


def _root_metadata(saved_metadata: bytes) -> dict[str, Any]:
    """What Keras 2 has written about the model itself, and not about its layers."""
    for node in _fields(saved_metadata, _NODES):
        if _ROOT in _fields(node, _NODE_PATH):
            metadata: dict[str, Any] = json.loads(_fields(node, _NODE_METADATA)[0])
            return metadata
    return {}


def _fields(message: bytes, number: int) -> list[bytes]:
    """The values of a field of a message whose type would have to be imported from Keras 2."""
    fields = UnknownFieldSet(empty_pb2.Empty.FromString(message))
    found = (fields[index] for index in range(len(fields)))
    return [field.data for field in found if field.field_number == number]


def _output_names(metadata: Mapping[str, Any]) -> list[str]:
    """The layers that a functional model's outputs come from; none of other models."""
    layers = (metadata.get("config") or {}).get("output_layers") or []
    if isinstance(layers, dict):
        layers = [layers[key] for key in sorted(layers)]
    elif layers and isinstance(layers[0], str):
        layers = [layers]
    return [str(layer[0]) for layer in layers]


def _from_config(
    library: str, config: Mapping[str, Any], output_names: Sequence[str]
) -> CompiledModel:
    """From what `model.compile` was given, as either Keras writes it."""
    outputs = output_names if len(output_names) > 1 else [""]
    metrics: dict[tuple[str, str], CompiledPart] = {}
    for is_weighted, key in ((False, "metrics"), (True, "weighted_metrics")):
        by_output = _by_output(config.get(key), outputs)
        for output, one in ((name, one) for name in outputs for one in _flatten(by_output[name])):
            name = _name_of(one).removeprefix(f"{output}_" if output else "")
            if (output, name) in metrics:
                name = f"weighted_{name}"  # as Keras tells the two apart
            metrics[output, name] = CompiledPart(
                name=name,
                output_name=output,
                described=SerializedKerasObject.read(f"{library}.metrics", one),
                is_weighted=is_weighted,
            )
    return CompiledModel(tuple(metrics.values()), tuple(_losses(library, config, outputs)))


def _name_of(written: Any) -> str:
    if not isinstance(written, dict):
        return str(written)
    arguments = written["config"]
    if not isinstance(arguments, dict):
        return str(arguments)
    # A lambda has no name, only a class: `__lambda__`.
    return str(arguments.get("name") or written["class_name"].strip("_"))


def _losses(
    library: str, config: Mapping[str, Any], outputs: Sequence[str]
) -> Iterator[CompiledPart]:
    losses = _by_output(config.get("loss"), outputs)
    weights = _by_output(config.get("loss_weights"), outputs)
    for output in outputs:
        for loss in _flatten(losses[output]):
            weight = next(_flatten(weights[output]), None)
            yield CompiledPart(
                name=LOSS,
                output_name=output,
                described=SerializedKerasObject.read(f"{library}.losses", loss),
                loss_weight=1.0 if weight is None else float(weight),
            )


def _by_output(written: Any, outputs: Sequence[str]) -> dict[str, Any]:
    """What belongs to each output: given by name, in order, or once for all."""
    if len(outputs) == 1:
        return {outputs[0]: written}
    if isinstance(written, dict) and not _is_object(written):
        return {name: written.get(name) for name in outputs}
    if isinstance(written, list):
        return dict(zip(outputs, [*written, *[None] * len(outputs)], strict=False))
    return dict.fromkeys(outputs, written)


def _flatten(written: Any) -> Iterator[Any]:
    """What is in lists and dicts, however deep."""
    if written is None:
        return
    if not isinstance(written, (list, dict)) or _is_object(written):
        yield written
        return
    values: Iterable[Any] = written.values() if isinstance(written, dict) else written
    for value in values:
        yield from _flatten(value)


def _is_object(written: Any) -> bool:
    return isinstance(written, dict) and {"class_name", "config"} <= set(written)
