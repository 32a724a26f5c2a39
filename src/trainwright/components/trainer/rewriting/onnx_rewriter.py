"""OnnxRewriter: a SavedModel as a file of ONNX, for onnxruntime and what else reads it."""

from __future__ import annotations

import contextlib
import logging
import os
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from trainwright._extras import install_advice
from trainwright.components.trainer.rewriting.quantization import (
    RepresentativeDataset,
    check_quantization,
    check_representative_dataset,
)
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

_UNSUPPORTED = re.compile(r"Tensorflow op \[.*: (\w+)\] is not supported")

_logger = logging.getLogger(__name__)


class OnnxRewriter(BaseRewriter):
    """Converts a SavedModel to ONNX with tf2onnx (extra `export`).

    Inputs and outputs have the names of the signature. Lookup tables become part of the model, and
    inputs may be strings; serialized tf.Examples cannot be parsed.

    Args:
        name: What messages call the rewriter.
        filename: The file to write, below the path of the rewritten model.
        signature_key: The signature to convert; else `serving_default`, or the only one.
        quantize: `none`; `float16` or `dynamic_range` (weights of 8 bits); or `full_integer`, for
            which activations are measured with a representative dataset. Inputs and outputs keep
            their types.
        representative_dataset: A function that gives dicts of arrays by the name of the input.
        opset: The version of ONNX's operations; that of tf2onnx if None.

    Example: `OnnxRewriter("onnx", signature_key="features", quantize="float16")`
    """

    def __init__(
        self,
        name: str,
        filename: str = "model.onnx",
        signature_key: str | None = None,
        quantize: str = "none",
        representative_dataset: RepresentativeDataset | None = None,
        opset: int | None = None,
    ) -> None:
        check_quantization(quantize, representative_dataset)
        if os.path.basename(filename) != filename or not filename:
            raise ValueError(f"filename is {filename!r}; expected a name without directories.")
        self._name = name
        self._filename = filename
        self._signature_key = signature_key
        self._quantize = quantize
        self._representative_dataset = representative_dataset
        self._opset = opset

    @property
    def name(self) -> str:
        return self._name

    def _pre_rewrite_validate(self, original_model: ModelDescription) -> None:
        if original_model.model_type is not ModelType.SAVED_MODEL:
            raise ValueError("OnnxRewriter can only convert SavedModels.")
        _import_converter()
        check_saved_model(os.fsdecode(original_model.path))

    def _rewrite(self, original_model: ModelDescription, rewritten_model: ModelDescription) -> None:
        if rewritten_model.model_type not in (ModelType.ONNX_MODEL, ModelType.ANY_MODEL):
            raise ValueError("OnnxRewriter can only convert to the ONNX format.")
        source, destination = map(os.fsdecode, (original_model.path, rewritten_model.path))
        refuse_same_directory(source, destination)
        signatures = read_signatures(source)
        signature = choose_signature(signatures, self._signature_key, source)
        if self._representative_dataset is not None:
            check_representative_dataset(
                self._representative_dataset, {signature.key: signature}, signature.key, source
            )
        with staged_model(destination, self._filename) as staging:
            path = os.path.join(staging, self._filename)
            model = _convert(source, signature, self._opset)
            if self._quantize == "none":
                _save(model, path)
            else:
                _save_quantized(model, path, self._quantize, self._batches(signature))

    def _batches(self, signature: Signature) -> Iterator[Mapping[str, Any]]:
        """The representative dataset by the names of inputs, in whatever form it was given."""
        if self._representative_dataset is None:
            return
        for batch in self._representative_dataset():
            if isinstance(batch, tuple) and len(batch) == 2 and isinstance(batch[0], str):
                yield batch[1]
            elif isinstance(batch, Mapping):
                yield batch
            else:
                yield dict(zip(signature.inputs, batch, strict=True))

    def _post_rewrite_validate(self, rewritten_model: ModelDescription) -> None:
        import onnx
        import onnxruntime

        path = os.path.join(os.fsdecode(rewritten_model.path), self._filename)
        try:
            onnx.checker.check_model(path)
            session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        except Exception as error:
            with contextlib.suppress(OSError):
                os.remove(path)
            raise ValueError(f"{path} is not sound ONNX: {error} It was removed.") from error
        _logger.info(
            "%s takes %s and gives %s.",
            path,
            ", ".join(one.name for one in session.get_inputs()),
            ", ".join(one.name for one in session.get_outputs()),
        )


def _import_converter() -> tuple[Any, Any]:
    try:
        import onnxruntime  # noqa: F401 (for the check afterwards)
        from tf2onnx import convert, tf_loader
    except ImportError as error:
        raise ValueError(
            f"Converting to ONNX needs {error.name}, which is not installed: "
            f"{install_advice('tf2onnx')}"
        ) from error
    return convert, tf_loader


def _convert(source: str, signature: Signature, opset: int | None) -> Any:
    """The model as ONNX's message.

    Raises:
        ValueError: if an operation has no counterpart.
    """
    import onnx
    import tensorflow as tf
    from tensorflow.python.eager import context

    convert, tf_loader = _import_converter()
    with _collect_errors() as errors, context.eager_mode(), tf.device("/cpu:0"):
        try:
            # As the command `python -m tf2onnx.convert` does it: what else tf2onnx offers leaves
            # out either the names of the signature or the contents of tables.
            graph, inputs, outputs, tables, names = tf_loader.from_saved_model(
                source,
                None,
                None,
                "serve",
                [signature.key],
                return_initialized_tables=True,
                return_tensors_to_rename=True,
            )
            model, _ = convert._convert_common(
                graph,
                name=os.path.basename(source),
                input_names=inputs,
                output_names=outputs,
                tensors_to_rename=names,
                initialized_tables=tables,
                opset=opset,
            )
        except Exception as error:
            # tf2onnx stumbles over the attributes of a program before it looks at its name.
            in_the_way = errors.unsupported or signature.operations & {"XlaCallModule"}
            if in_the_way:
                raise ValueError(_refuse(in_the_way, source, signature)) from error
            raise ValueError(
                f"The signature {signature} of {source} could not be converted to ONNX: "
                f"{'; '.join([*errors.failed, f'{type(error).__name__}: {error}'])}"
            ) from error
    unknown = _unknown_operations(model.graph)
    if unknown:
        raise ValueError(_refuse(unknown, source, signature))
    # Behind tables TensorFlow knows no shapes, without which an output is not sound ONNX.
    return onnx.shape_inference.infer_shapes(model)


def _refuse(operations: Collection[str], source: str, signature: Signature) -> str:
    return refuse_operations(source, keys=[signature.key], operations=operations, runtime="ONNX")


class _LoggedErrors(logging.Handler):
    """What tf2onnx only logs: operations that it does not know, and nodes that it failed on."""

    def __init__(self) -> None:
        super().__init__()
        self.unsupported: set[str] = set()
        self.failed: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno < logging.ERROR:
            return
        first = record.getMessage().partition("\n")[0]
        unsupported = _UNSUPPORTED.match(first)
        if unsupported:
            self.unsupported.add(unsupported.group(1))
        elif first.startswith("Failed"):
            self.failed.append(first)


@contextlib.contextmanager
def _collect_errors() -> Iterator[_LoggedErrors]:
    """Takes what tf2onnx logs: it becomes an exception, or is of no interest."""
    logger, errors = logging.getLogger("tf2onnx"), _LoggedErrors()
    before = logger.propagate, logger.handlers
    logger.propagate, logger.handlers = False, [errors]
    try:
        yield errors
    finally:
        logger.propagate, logger.handlers = before


def _unknown_operations(graph: Any) -> set[str]:
    """The operations that ONNX does not have: tf2onnx leaves them in the graph as they were."""
    import onnx

    found = set()
    for node in graph.node:
        if not onnx.defs.has(node.op_type, node.domain):
            found.add(node.op_type)
        for attribute in node.attribute:
            for inner in (attribute.g, *attribute.graphs):
                found |= _unknown_operations(inner)
    return found


def _save(model: Any, path: str) -> None:
    import onnx

    onnx.save(model, path)


def _save_quantized(
    model: Any, path: str, quantize: str, batches: Iterator[Mapping[str, Any]]
) -> None:
    """Quantizes with onnxruntime."""
    if quantize == "float16":
        from onnxruntime.transformers.float16 import convert_float_to_float16
        from onnxruntime.transformers.onnx_model import OnnxModel

        halved = OnnxModel(convert_float_to_float16(model, keep_io_types=True))
        halved.topological_sort()  # the casts of the inputs were put last
        _save(halved.model, path)
        return
    from onnxruntime import quantization

    with _without_advice():
        if quantize == "dynamic_range":
            # Unsigned: older versions of onnxruntime have no convolution of signed ones.
            quantization.quantize_dynamic(model, path, weight_type=quantization.QuantType.QUInt8)
        else:

            class Reader(quantization.CalibrationDataReader):  # type: ignore[misc]
                def get_next(self) -> Any:
                    return next(batches, None)

            quantization.quantize_static(model, path, Reader())


@contextlib.contextmanager
def _without_advice() -> Iterator[None]:
    """onnxruntime warns, of every model, that it could be prepared by a script first."""
    root = logging.getLogger()

    def is_other(record: logging.LogRecord) -> bool:
        return "pre-processing before quantization" not in record.getMessage()

    root.addFilter(is_other)
    try:
        yield
    finally:
        root.removeFilter(is_other)
