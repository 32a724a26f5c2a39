"""TFJSRewriter: a SavedModel as a graph model of TensorFlow.js, for browsers and Node."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from typing import Any

from trainwright.components.trainer.rewriting.quantization import check_quantization
from trainwright.components.trainer.rewriting.rewriter import (
    BaseRewriter,
    ModelDescription,
    ModelType,
)
from trainwright.components.trainer.rewriting.saved_model_signatures import (
    Signature,
    check_saved_model,
    choose_signature,
    read_signatures,
    refuse_operations,
)
from trainwright.components.trainer.rewriting.staging import refuse_same_directory, staged_model
from trainwright.components.trainer.rewriting.tfjs_environment import (
    clean_environment,
    find_tfjs_python,
)
from trainwright.types.model_paths import TFJS_FILE

# The flags of tensorflowjs' converter.
CONVERTER_SAVED_MODEL_INPUT_FLAG = "--input_format=tf_saved_model"
CONVERTER_SERVING_TAG_FLAG = "--saved_model_tags=serve"
CONVERTER_DEFAULT_SIGNATURE_FLAG = "--signature_name=serving_default"

_SIGNATURE_FLAG = CONVERTER_DEFAULT_SIGNATURE_FLAG.partition("=")[0]
_QUANTIZATION_FLAGS = {
    "none": (),
    "float16": ("--quantize_float16=*",),
    "dynamic_range": ("--quantize_uint8=*",),
}

# The converter's own command line cannot take paths with spaces.
_CONVERT = (
    "import sys; from tensorflowjs.converters.converter import convert; convert(sys.argv[1:])"
)
_UNSUPPORTED = re.compile(r"^ValueError: Unsupported Ops in the model[^\n]*\n(.+)", re.MULTILINE)

# Signatures are functions whose outputs TensorFlow calls so, in the order of their names.
_IDENTITY = re.compile(r"Identity(?:_(\d+))?:0")

_logger = logging.getLogger(__name__)


class TFJSRewriter(BaseRewriter):
    """Converts a SavedModel for TensorFlow.js, with tensorflowjs in an environment of its own.

    Args:
        name: What messages call the rewriter.
        signature_key: The signature to convert; else `serving_default`, or the only one.
        quantize: `none`, `float16`, or `dynamic_range` (weights are kept in 8 bits, and computed
            with as floats).
        python: The interpreter of an environment that has tensorflowjs. Without it
            `TRAINWRIGHT_TFJS_PYTHON`, or the environment that was made before.
        make_environment: Whether to make that environment if there is none, which takes minutes.

    Example: `TFJSRewriter("js", make_environment=True)`
    """

    def __init__(
        self,
        name: str,
        *,
        signature_key: str | None = None,
        quantize: str = "none",
        python: str | None = None,
        make_environment: bool = False,
    ) -> None:
        if quantize == "full_integer":
            raise ValueError(
                "TensorFlow.js computes with floats, so that quantize='full_integer' is not for "
                "it: give quantize='dynamic_range' for weights of 8 bits."
            )
        check_quantization(quantize, None)
        self._name = name
        self._signature_key = signature_key
        self._quantize = quantize
        self._python = python
        self._make_environment = make_environment

    @property
    def name(self) -> str:
        return self._name

    def _pre_rewrite_validate(self, original_model: ModelDescription) -> None:
        if original_model.model_type is not ModelType.SAVED_MODEL:
            raise ValueError("TFJSRewriter can only convert SavedModels.")
        check_saved_model(os.fsdecode(original_model.path))

    def _rewrite(self, original_model: ModelDescription, rewritten_model: ModelDescription) -> None:
        if rewritten_model.model_type not in (ModelType.TFJS_MODEL, ModelType.ANY_MODEL):
            raise ValueError("TFJSConverter can only convert to the TFJS format.")
        source, destination = map(os.fsdecode, (original_model.path, rewritten_model.path))
        refuse_same_directory(source, destination)
        signature = choose_signature(read_signatures(source), self._signature_key, source)
        python = find_tfjs_python(self._python, make_environment=self._make_environment)
        with staged_model(destination, TFJS_FILE) as staging, _frozen(source, signature) as frozen:
            self._convert(python, frozen, staging, source, signature)
            _finish(os.path.join(staging, TFJS_FILE), source, signature)

    def _convert(
        self, python: str, frozen: str, staging: str, source: str, signature: Signature
    ) -> None:
        flags = [
            CONVERTER_SAVED_MODEL_INPUT_FLAG,
            CONVERTER_SERVING_TAG_FLAG,
            f"{_SIGNATURE_FLAG}={signature.key}",
            *_QUANTIZATION_FLAGS[self._quantize],
        ]
        done = subprocess.run(
            [python, "-c", _CONVERT, *flags, frozen, staging],
            env=clean_environment(),
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode == 0:
            return
        unsupported = _UNSUPPORTED.search(done.stderr)
        if unsupported:
            operations = {name.strip() for name in unsupported.group(1).split(",")}
            raise ValueError(_refuse(operations, source, signature))
        raise ValueError(
            f"tensorflowjs could not convert {source} (exit status {done.returncode}):\n"
            f"{done.stderr[-2000:].strip()}"
        )

    def _post_rewrite_validate(self, rewritten_model: ModelDescription) -> None:
        directory = os.fsdecode(rewritten_model.path)
        path = os.path.join(directory, TFJS_FILE)
        try:
            model = _read(path)
            weights = [name for group in model["weightsManifest"] for name in group["paths"]]
            missing = [
                name for name in weights if not os.path.exists(os.path.join(directory, name))
            ]
        except (OSError, ValueError, KeyError, TypeError) as error:
            with contextlib.suppress(OSError):
                os.remove(path)
            raise ValueError(f"tensorflowjs wrote no sound model to {path}: {error!r}.") from error
        if missing:
            os.remove(path)
            raise ValueError(f"{path} names weights that are not there: {', '.join(missing)}.")
        _logger.info("%s has its weights in %s.", path, ", ".join(weights))


def _refuse(operations: set[str], source: str, signature: Signature, note: str = "") -> str:
    return refuse_operations(
        source,
        keys=[signature.key],
        operations=operations,
        runtime="TensorFlow.js",
        note=note,
    )


def _read(path: str) -> dict[str, Any]:
    with open(path, encoding="utf-8") as file:
        model: dict[str, Any] = json.load(file)
        return model


def _finish(path: str, source: str, signature: Signature) -> None:
    """Refuses what tensorflowjs converts and TensorFlow.js does not load, and mends names.

    tensorflowjs calls inputs and outputs of one type and shape by their tensors, `Identity_1:0`.
    """
    if not os.path.exists(path):
        return  # said by the validation
    model = _read(path)
    fillers = {node["op"] for node in model.get("modelInitializer", {}).get("node", ())}
    from_files = {name for name in fillers if name.startswith("InitializeTableFromTextFile")}
    if from_files:
        note = "Tables that tf.lookup.KeyValueTensorInitializer fills can be converted."
        raise ValueError(_refuse(from_files, source, signature, note))
    tensors = model.get("signature", {})
    for kind, rename in (("inputs", _input_name), ("outputs", _output_name)):
        if kind in tensors:
            tensors[kind] = {rename(name, signature): one for name, one in tensors[kind].items()}
    with open(path, "w", encoding="utf-8") as file:
        json.dump(model, file)


def _input_name(name: str, signature: Signature) -> str:
    plain = name.removesuffix(":0")
    return plain if plain in signature.inputs else name


def _output_name(name: str, signature: Signature) -> str:
    found = _IDENTITY.fullmatch(name)
    in_order = dict(enumerate(sorted(signature.outputs)))
    return in_order.get(int(found.group(1) or 0), name) if found else name


@contextlib.contextmanager
def _frozen(source: str, signature: Signature) -> Iterator[str]:
    """A SavedModel of the one signature with its variables as constants.

    tensorflowjs fails on models with tables that the signature does not use, as those have that
    were saved with a layer of tf.Transform. A signature that looks up in tables cannot be frozen:
    its model is given to tensorflowjs as it is.
    """
    if any("Table" in operation for operation in signature.operations):
        yield source
        return
    with tempfile.TemporaryDirectory() as directory:
        _freeze(source, signature, directory)
        yield directory


def _freeze(source: str, signature: Signature, directory: str) -> None:
    import tensorflow as tf
    from tensorflow.python.eager import context
    from tensorflow.python.framework.convert_to_constants import (
        convert_variables_to_constants_v2,
    )

    with context.eager_mode():
        loaded = tf.saved_model.load(source, tags="serve")
        served = loaded.signatures[signature.key]
        outputs = sorted(signature.outputs)
        specs = [
            tf.TensorSpec(tensor.shape, tensor.dtype, name=name)
            for name, tensor in signature.inputs.items()
        ]

        def in_order(*inputs: Any) -> Any:
            given = dict(zip(signature.inputs, inputs, strict=True))
            computed = served(**given)
            return [computed[name] for name in outputs]

        constant = convert_variables_to_constants_v2(
            tf.function(in_order, input_signature=specs).get_concrete_function()
        )

        def serve(*inputs: Any) -> Any:
            return dict(zip(outputs, constant(*inputs), strict=True))

        tf.saved_model.save(
            tf.Module(),
            directory,
            signatures={signature.key: tf.function(serve, input_signature=specs)},
            # Those of JAX's functions cannot be saved, and nothing is trained any more.
            options=tf.saved_model.SaveOptions(experimental_custom_gradients=False),
        )
