"""TFLiteRewriter: a SavedModel as one file for LiteRT, which was TensorFlow Lite."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import shutil
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from trainwright._imports import is_installed
from trainwright.components.trainer.rewriting.quantization import (
    RepresentativeDataset,
    check_representative_dataset,
)
from trainwright.components.trainer.rewriting.rewriter import (
    BaseRewriter,
    ModelDescription,
    ModelType,
)
from trainwright.components.trainer.rewriting.saved_model_signatures import (
    check_saved_model,
    choose_signature,
    read_signatures,
    refuse_operations,
)
from trainwright.components.trainer.rewriting.staging import refuse_same_directory, staged_model

if TYPE_CHECKING:
    import tensorflow as tf

# TFX's name: the directory of a SavedModel that holds requests to warm a server up with.
EXTRA_ASSETS_DIRECTORY = "assets.extra"

# How the converter lists what LiteRT cannot do by itself.
_UNSUPPORTED = re.compile(r"^(?:TF Select|Custom) ops: (.+)$", re.MULTILINE)

_logger = logging.getLogger(__name__)


class TFLiteRewriter(BaseRewriter):
    """Converts a SavedModel for LiteRT (TFLite): smaller, for phones and small devices.

    The converted signatures must take one tensor per feature: LiteRT cannot parse tf.Examples.

    Args:
        name: What messages call the rewriter.
        filename: The file to write, below the path of the rewritten model. The Evaluator looks
            for `tflite`.
        copy_assets: Whether `assets` of the SavedModel are copied.
        copy_assets_extra: Whether `assets.extra` are copied, as are warm-up requests
            (`assets.extra/tf_serving_warmup_requests`).
        quantization_optimizations: Of `tf.lite.Optimize`; `[tf.lite.Optimize.DEFAULT]` alone makes
            weights 8-bit integers (dynamic range).
        quantization_supported_types: With optimizations: `[tf.float16]` makes weights of 16 bits.
        quantization_enable_full_integer: Activations become integers as well, where LiteRT has
            such an operation. Needs `representative_dataset`; optimizations are the default ones if
            none are given.
        signature_key: The signature to convert.
        representative_dataset: A function that gives inputs to measure ranges with: dicts of arrays
            by name, or lists in the order of the inputs.
        all_signatures: Without a `signature_key`: whether all of them are converted into the file,
            as TFX does it, or only `serving_default`, or the only one that there is.
        **kwargs: For `_create_tflite_converter`. Its default sets those that are attributes of
            `tf.lite.TFLiteConverter`, such as `allow_custom_ops=True`.

    Example: `TFLiteRewriter("lite", quantization_optimizations=[tf.lite.Optimize.DEFAULT])`
    """

    def __init__(
        self,
        name: str,
        filename: str = "tflite",
        copy_assets: bool = True,
        copy_assets_extra: bool = True,
        quantization_optimizations: Sequence[tf.lite.Optimize] | None = None,
        quantization_supported_types: Sequence[tf.DType] | None = None,
        quantization_enable_full_integer: bool = False,
        signature_key: str | None = None,
        representative_dataset: RepresentativeDataset | None = None,
        *,
        all_signatures: bool = True,
        **kwargs: Any,
    ) -> None:
        if quantization_enable_full_integer and representative_dataset is None:
            raise ValueError(
                "If quantization_enable_full_integer is set to `True`, then "
                "`representative_dataset` must be defined."
            )
        self._name = name
        self._filename = os.fsdecode(filename)
        if os.path.basename(self._filename) != self._filename or not self._filename:
            raise ValueError(f"filename is {filename!r}; expected a name without directories.")
        self._copied = [
            *(["assets"] if copy_assets else []),
            *([EXTRA_ASSETS_DIRECTORY] if copy_assets_extra else []),
        ]
        self._optimizations = list(quantization_optimizations or [])
        self._supported_types = list(quantization_supported_types or [])
        self._full_integer = quantization_enable_full_integer
        self._signature_key = signature_key
        self._all_signatures = all_signatures
        self._representative_dataset = representative_dataset
        self._kwargs = kwargs
        # What a converter of the user's own writes is not for us to check.
        self._is_litert = True

    @property
    def name(self) -> str:
        return self._name

    def _pre_rewrite_validate(self, original_model: ModelDescription) -> None:
        if original_model.model_type is not ModelType.SAVED_MODEL:
            raise ValueError("TFLiteRewriter can only convert SavedModels.")
        check_saved_model(os.fsdecode(original_model.path))

    def _rewrite(self, original_model: ModelDescription, rewritten_model: ModelDescription) -> None:
        if rewritten_model.model_type not in (ModelType.TFLITE_MODEL, ModelType.ANY_MODEL):
            raise ValueError("TFLiteConverter can only convert to the TFLite format.")
        source, destination = map(os.fsdecode, (original_model.path, rewritten_model.path))
        refuse_same_directory(source, destination)
        for directory in self._copied:
            _refuse_links_to_elsewhere(source, directory)
        with staged_model(destination, self._filename) as staging:
            with open(os.path.join(staging, self._filename), "wb") as file:
                file.write(self._convert(source))
            for directory in self._copied:
                if os.path.isdir(os.path.join(source, directory)):
                    shutil.copytree(
                        os.path.join(source, directory), os.path.join(staging, directory)
                    )

    def _convert(self, source: str) -> bytes:
        from tensorflow import lite

        key = self._signature_key
        if key is None and not self._all_signatures:
            key = choose_signature(read_signatures(source), None, source).key
        optimizations = self._optimizations
        if self._full_integer and not optimizations:
            optimizations = [lite.Optimize.DEFAULT]
        try:
            with _eager(), _without_deprecations():
                converter = self._create_tflite_converter(
                    saved_model_path=source,
                    quantization_optimizations=optimizations,
                    quantization_supported_types=self._supported_types,
                    representative_dataset=self._representative_dataset,
                    signature_key=key,
                    **self._kwargs,
                )
                converted = converter.convert()
        except (ValueError, MemoryError):
            raise
        except Exception as error:
            raise ValueError(_explain(error, source, key)) from error
        content = converted.encode() if isinstance(converted, str) else bytes(converted)
        self._is_litert = type(converter).__module__.startswith("tensorflow.")
        if self._is_litert and _has_unfilled_tables(content):
            note = "Tables that tf.lookup.KeyValueTensorInitializer fills can be converted."
            raise ValueError(_refuse(["InitializeTableFromTextFileV2"], source, key, note))
        return content

    def _create_tflite_converter(
        self,
        saved_model_path: str,
        quantization_optimizations: Sequence[tf.lite.Optimize],
        quantization_supported_types: Sequence[tf.DType],
        representative_dataset: RepresentativeDataset | None = None,
        signature_key: str | None = None,
        **kwargs: Any,
    ) -> tf.lite.TFLiteConverter:
        """Makes the converter; a subclass may make another.

        Args:
            saved_model_path: What to convert.
            quantization_optimizations: As the rewriter was given them; empty for none.
            quantization_supported_types: Likewise.
            representative_dataset: Likewise.
            signature_key: Likewise.
            **kwargs: Whatever else the rewriter was given.

        Returns:
            An object whose `convert()` gives the bytes to write.
        """
        from tensorflow import lite

        if representative_dataset is not None:
            check_representative_dataset(
                representative_dataset,
                read_signatures(saved_model_path),
                signature_key,
                saved_model_path,
            )
        converter = lite.TFLiteConverter.from_saved_model(
            saved_model_path, signature_keys=[signature_key] if signature_key else None
        )
        converter.optimizations = quantization_optimizations
        converter.target_spec.supported_types = quantization_supported_types
        converter.representative_dataset = representative_dataset
        for name, value in kwargs.items():
            if hasattr(converter, name):
                setattr(converter, name, value)
            else:
                _logger.warning(
                    "%s was given %s, which tf.lite.TFLiteConverter does not have: it is left out. "
                    "Override _create_tflite_converter to use it.",
                    self.name,
                    name,
                )
        return converter

    def _post_rewrite_validate(self, rewritten_model: ModelDescription) -> None:
        path = os.path.join(os.fsdecode(rewritten_model.path), self._filename)
        if not self._is_litert or not is_installed("ai_edge_litert"):
            return
        from ai_edge_litert.interpreter import Interpreter

        try:
            signatures = Interpreter(model_path=path).get_signature_list()
        except Exception as error:
            with contextlib.suppress(OSError):
                os.remove(path)
            raise ValueError(f"LiteRT does not load {path}: {error}. It was removed.") from error
        for key, tensors in signatures.items():
            _logger.info(
                "%s has the signature %r: %s to %s.",
                path,
                key,
                ", ".join(tensors["inputs"]),
                ", ".join(tensors["outputs"]),
            )


def _refuse_links_to_elsewhere(source: str, directory: str) -> None:
    """A copy holds what its links point to: files of this machine must not get into a model."""
    inside = os.path.realpath(source)
    top = os.path.join(source, directory)
    found = [
        os.path.join(place, name) for place, dirs, files in os.walk(top) for name in dirs + files
    ]
    for path in filter(os.path.islink, [top, *found]):
        real = os.path.realpath(path)
        if not (os.path.isfile(real) and os.path.commonpath([inside, real]) == inside):
            raise ValueError(
                f"{path!r} is a link to {real!r}, which is not a file of the SavedModel. Save the "
                "model with the file itself, or convert it without copying: copy_assets=False, "
                "copy_assets_extra=False."
            )


def _explain(error: Exception, source: str, key: str | None) -> str:
    """What is to be done about an error of the converter."""
    text = str(error)
    operations = {
        name.strip() for listed in _UNSUPPORTED.findall(text) for name in listed.split(",")
    }
    if operations:
        return _refuse(sorted(operations), source, key)
    first = next((line.strip() for line in text.splitlines() if line.strip()), repr(error))
    return f"{source} could not be converted for LiteRT: {first}"


def _refuse(operations: list[str], source: str, key: str | None, note: str = "") -> str:
    keys = [key] if key else []
    return refuse_operations(source, keys=keys, operations=operations, runtime="LiteRT", note=note)


def _eager() -> Any:
    """Converts outside of the graph that an Estimator is being trained in."""
    from tensorflow.python.eager import context

    return context.eager_mode()


@contextlib.contextmanager
def _without_deprecations() -> Iterator[None]:
    """TensorFlow's own calibration makes an interpreter that TensorFlow warns of."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"\s*Warning: tf.lite.Interpreter is deprecated")
        yield


def _has_unfilled_tables(content: bytes) -> bool:
    """Whether the file looks up in a table that nothing fills.

    The converter leaves out, without a word, a table's filling from a vocabulary file.
    """
    from tensorflow.lite.python import schema_py_generated as schema

    model = schema.Model.GetRootAsModel(content, 0)
    names = schema.BuiltinOperator
    filled, used = set(), set()
    for subgraph in map(model.Subgraphs, range(model.SubgraphsLength())):
        table_of_tensor = {}
        # In the order of execution: the operator that makes a table comes before its uses.
        for operator in map(subgraph.Operators, range(subgraph.OperatorsLength())):
            kind = model.OperatorCodes(operator.OpcodeIndex()).BuiltinCode()
            if kind == names.HASHTABLE:
                stored, options = operator.BuiltinOptions(), schema.HashtableOptions()
                options.Init(stored.Bytes, stored.Pos)
                table_of_tensor[operator.Outputs(0)] = options.TableId()
            elif kind == names.HASHTABLE_IMPORT:
                filled.add(table_of_tensor.get(operator.Inputs(0)))
            elif kind == names.HASHTABLE_FIND:
                used.add(table_of_tensor.get(operator.Inputs(0)))
    return not used <= filled
