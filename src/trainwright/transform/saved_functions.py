"""SavedFunctions: what a preprocessing function, or a phase of it, computes, in files.

There are two flavours. Today's traces the function anew with the constants that are known, unless
a part of the first trace will do; the other, for functions written for TensorFlow 1, replaces
tensors of one traced graph.
"""

from __future__ import annotations

import abc
import contextlib
import itertools
import logging
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import tensorflow as tf
from tensorflow_transform import (
    annotators,
    graph_context,
    graph_tools,
    impl_helper,
    schema_inference,
    tf2_utils,
)
from tensorflow_transform.saved import saved_transform_io, saved_transform_io_v2
from tensorflow_transform.tf_metadata import dataset_metadata

from trainwright.transform.graph_function import TracedFunction
from trainwright.transform.phases import Phase
from trainwright.transform.subgraph import write_subgraph

PreprocessingFn = Callable[[dict[str, Any]], dict[str, Any]]


class SavedFunctions(abc.ABC):
    """A traced preprocessing function and the SavedModels that are made from it.

    Args:
        preprocessing_fn: The user's function.
        type_specs: What its inputs are.
        directory: Where the SavedModels go, and the files that tracing needs.
    """

    USES_TF_COMPAT_V1: bool

    def __init__(
        self,
        preprocessing_fn: PreprocessingFn,
        type_specs: Mapping[str, tf.TypeSpec],
        directory: str,
    ) -> None:
        self._preprocessing_fn = preprocessing_fn
        self._type_specs = dict(type_specs)
        self._directory = directory
        self._numbers = itertools.count()
        self.graph, self.inputs, self.outputs = impl_helper.trace_preprocessing_function(
            preprocessing_fn, self._type_specs, self.USES_TF_COMPAT_V1, directory
        )
        _check_outputs(self.outputs, self.graph)
        # The files that the user has given names to, by these names.
        self.asset_map: dict[str, str] = annotators.get_asset_annotations(self.graph)
        annotators.clear_asset_annotations(self.graph)

    def _new_directory(self) -> str:
        return os.path.join(self._directory, f"function-{next(self._numbers)}")

    @abc.abstractmethod
    def save_phase(self, phase: Phase, constants: Mapping[str, tf.Tensor]) -> str:
        """Saves what computes a phase's outputs; returns the directory."""

    @abc.abstractmethod
    def save(
        self, directory: str, constants: Mapping[str, tf.Tensor], assets: set[str]
    ) -> tuple[Any, TracedFunction | None]:
        """Saves the whole function.

        Returns:
            The metadata of its outputs; and the function itself, if this process can go on with it.
        """


class TracedFunctions(SavedFunctions):
    """Functions of TensorFlow 2: traced again with what is known by then."""

    USES_TF_COMPAT_V1 = False

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        # Taken before the phases are looked for, which empties what it is made from.
        self._fingerprint = graph_tools.get_analyzers_fingerprint(self.graph, self.inputs)

    def save_phase(self, phase: Phase, constants: Mapping[str, tf.Tensor]) -> str:
        directory = self._new_directory()
        if not write_subgraph(directory, self.graph, self.inputs, phase.outputs, constants):
            names = {key: tensor.name for key, tensor in phase.outputs.items()}
            self._trace(directory, constants, names)
        return directory

    def save(
        self, directory: str, constants: Mapping[str, tf.Tensor], assets: set[str]
    ) -> tuple[Any, TracedFunction | None]:
        # What trace_and_write_v2_saved_model does, step by step: it would let go of the function,
        # and leave the metadata within the model, where they do not belong.
        module = tf.Module()
        context = graph_context.TFGraphContext(module, self._directory, dict(constants))
        traced = impl_helper.get_traced_transform_fn(
            self._preprocessing_fn, self._type_specs, context, output_keys_to_name_map={}
        )
        function = saved_transform_io_v2.write_v2_saved_model(
            module, traced, "transform_fn", directory
        )
        inputs = tf2_utils.get_structured_inputs_from_func_graph(function.graph)
        with _without_needless_warning():
            impl_helper._validate_analyzers_fingerprint(self._fingerprint, function.graph, inputs)
        metadata = impl_helper._trace_and_get_metadata(
            function, inputs, self._preprocessing_fn, self._directory, dict(constants)
        )
        return metadata, TracedFunction(function, module)

    def _trace(
        self, directory: str, constants: Mapping[str, tf.Tensor], names: dict[str, str]
    ) -> None:
        with _without_needless_warning():
            impl_helper.trace_and_write_v2_saved_model(
                saved_model_dir=directory,
                preprocessing_fn=self._preprocessing_fn,
                input_signature=self._type_specs,
                base_temp_dir=self._directory,
                baseline_analyzers_fingerprint=self._fingerprint,
                tensor_replacement_map=dict(constants),
                output_keys_to_name_map=names,
                save_options=None,
            )


class CompatV1Functions(SavedFunctions):
    """Functions written for TensorFlow 1: one graph, in which tensors become constants."""

    USES_TF_COMPAT_V1 = True

    def save_phase(self, phase: Phase, constants: Mapping[str, tf.Tensor]) -> str:
        unbound = self._save_unbound(phase.outputs, phase.table_initializers)
        bound = self._new_directory()
        self._bind(unbound, bound, constants, set())
        return bound

    def save(
        self, directory: str, constants: Mapping[str, tf.Tensor], assets: set[str]
    ) -> tuple[Any, TracedFunction | None]:
        tables = self.graph.get_collection(tf.compat.v1.GraphKeys.TABLE_INITIALIZERS)
        unbound = self._save_unbound(self.outputs, tables)
        self._bind(unbound, directory, constants, assets)
        return _infer_metadata(directory), None

    def _save_unbound(self, outputs: Mapping[str, Any], table_initializers: list[Any]) -> str:
        directory = self._new_directory()
        with self.graph.as_default(), tf.compat.v1.Session(graph=self.graph) as session:
            tables = tf.compat.v1.get_collection_ref(tf.compat.v1.GraphKeys.TABLE_INITIALIZERS)
            everything = list(tables)
            tables[:] = table_initializers
            session.run(tf.compat.v1.global_variables_initializer())
            saved_transform_io.write_saved_transform_from_session(
                session, self.inputs, dict(outputs), directory
            )
            tables[:] = everything
        return directory

    def _bind(
        self, unbound: str, bound: str, constants: Mapping[str, tf.Tensor], assets: set[str]
    ) -> None:
        with tf.compat.v1.Graph().as_default() as graph:
            replacements = {}
            for name, constant in constants.items():
                replacements[name] = tf.constant(constant.numpy(), constant.dtype)
                if name in assets:
                    graph.add_to_collection(
                        tf.compat.v1.GraphKeys.ASSET_FILEPATHS, replacements[name]
                    )
            with tf.compat.v1.Session(graph=graph) as session:
                inputs, outputs = saved_transform_io.partially_apply_saved_transform_internal(
                    unbound, {}, replacements
                )
                session.run(tf.compat.v1.global_variables_initializer())
                saved_transform_io.write_saved_transform_from_session(
                    session, inputs, outputs, bound
                )


@contextlib.contextmanager
def _without_needless_warning() -> Iterator[None]:
    """tf.Transform warns of every analyzer that depends on another one's result."""

    def is_needed(record: logging.LogRecord) -> bool:
        return "cache key varies on repeated tracing" not in str(record.msg)

    logger = logging.getLogger("absl")
    logger.addFilter(is_needed)
    try:
        yield
    finally:
        logger.removeFilter(is_needed)


def _infer_metadata(directory: str) -> Any:
    with (
        tf.compat.v1.Graph().as_default() as graph,
        tf.compat.v1.Session(graph=graph) as session,
    ):
        _, outputs = saved_transform_io.partially_apply_saved_transform_internal(directory, {})
        session.run(tf.compat.v1.global_variables_initializer())
        session.run(tf.compat.v1.tables_initializer())
        schema = schema_inference.infer_feature_schema(outputs, graph, session)
    return dataset_metadata.DatasetMetadata(schema=schema)


def _check_outputs(outputs: Any, graph: tf.Graph) -> None:
    if not isinstance(outputs, dict):
        raise ValueError(
            f"preprocessing_fn returned {outputs!r}. Expected a dict of tensors by the name of the "
            "transformed feature."
        )
    if not outputs:
        raise ValueError("preprocessing_fn returned an empty dict. Expected at least one tensor.")
    trainable = graph.get_collection(tf.compat.v1.GraphKeys.TRAINABLE_VARIABLES)
    if trainable:
        raise ValueError(
            f"preprocessing_fn made trainable variables: {trainable}. What is trained belongs in "
            "the model."
        )
