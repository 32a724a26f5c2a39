"""Transform: turns raw features into those that a model is trained and served with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from trainwright.components.custom_config import encode_custom_config
from trainwright.components.older_arguments import takes_older_arguments
from trainwright.components.transform.driver import TransformDriver
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.proto import transform_pb2
from trainwright.types import standard_component_specs
from trainwright.types.channel import BaseChannel, Channel
from trainwright.types.runtime_parameter import RuntimeParameter
from trainwright.types.standard_component_specs import TransformSpec

SplitsConfigLike = transform_pb2.SplitsConfig | Mapping[str, Any] | str | RuntimeParameter
FunctionLike = str | Callable[..., Any] | RuntimeParameter

_STATISTICS_OUTPUTS = (
    standard_component_specs.PRE_TRANSFORM_SCHEMA_KEY,
    standard_component_specs.PRE_TRANSFORM_STATS_KEY,
    standard_component_specs.POST_TRANSFORM_SCHEMA_KEY,
    standard_component_specs.POST_TRANSFORM_STATS_KEY,
    standard_component_specs.POST_TRANSFORM_ANOMALIES_KEY,
)


class Transform(BaseComponent):
    """Applies a `preprocessing_fn` written with tf.Transform.

    The function is called with a dict of tensors and returns one. What its analyzers ask for (a
    mean, a vocabulary) is computed from the splits to analyze; the function with these values in
    it is the output `transform_graph`, for training and serving alike. It is applied to the splits
    to transform: the output `transformed_examples`.

    Args:
        examples: The raw examples, tf.Example, tf.SequenceExample or Parquet; of one or several
            artifacts.
        schema: What is in them.
        module_file: The path of a .py file with `preprocessing_fn(inputs)`, or
            `preprocessing_fn(inputs, custom_config)`, and perhaps `stats_options_updater_fn`.
        preprocessing_fn: Instead of a module file: a dotted path
            (`"my_package.features.preprocessing_fn"`) or the function itself.
        splits_config: `SplitsConfig`, a dict or JSON: `{"analyze": ["train"], "transform":
            ["train", "eval"]}`. By default the split "train" is analyzed and all are transformed.
        analyzer_cache: What an earlier Transform has gathered: its output
            `updated_analyzer_cache`. Data that it has been through is not analyzed again.
        materialize: Whether to write the transformed examples.
        disable_analyzer_cache: Whether to leave out the output `updated_analyzer_cache`.
        force_tf_compat_v1: Whether the function is traced as one of TensorFlow 1.
        custom_config: A dict for the functions that have an argument of this name.
        disable_statistics: Whether to leave out statistics, schemas and anomalies.
        stats_options_updater_fn: With `preprocessing_fn` and likewise: takes a `StatsType` and
            `StatsOptions` and returns the options to use.

    Example:
        ```py
        transform = Transform(
            examples=example_gen.outputs["examples"],
            schema=schema_gen.outputs["schema"],
            module_file="penguin_features.py",
        )
        ```
    """

    STORED_TYPE_NAME: ClassVar[str] = "tfx.components.transform.component.Transform"

    SPEC_CLASS = TransformSpec
    EXECUTOR_SPEC = ExecutorClassSpec("trainwright.components.transform.executor:Executor")
    DRIVER_CLASS = TransformDriver

    @takes_older_arguments(
        renamed={"input_data": "examples"},
        outputs={
            "transform_graph": "transform_graph",
            "transform_output": "transform_graph",
            "transformed_examples": "transformed_examples",
            "updated_analyzer_cache": "updated_analyzer_cache",
        },
    )
    def __init__(
        self,
        examples: BaseChannel,
        schema: BaseChannel,
        module_file: str | RuntimeParameter | None = None,
        preprocessing_fn: FunctionLike | None = None,
        splits_config: SplitsConfigLike | None = None,
        analyzer_cache: BaseChannel | None = None,
        materialize: bool = True,
        disable_analyzer_cache: bool = False,
        force_tf_compat_v1: bool = False,
        custom_config: Mapping[str, Any] | RuntimeParameter | None = None,
        disable_statistics: bool = False,
        stats_options_updater_fn: FunctionLike | None = None,
    ) -> None:
        _check_functions(module_file, preprocessing_fn, stats_options_updater_fn)
        if disable_analyzer_cache and analyzer_cache is not None:
            raise ValueError(
                "`analyzer_cache` is set when disable_analyzer_cache is True. Leave one of them "
                "out: the cache is read and written, or neither."
            )
        outputs = [standard_component_specs.TRANSFORM_GRAPH_KEY]
        if materialize:
            outputs.append(standard_component_specs.TRANSFORMED_EXAMPLES_KEY)
        if not disable_analyzer_cache:
            outputs.append(standard_component_specs.UPDATED_ANALYZER_CACHE_KEY)
        if not disable_statistics:
            outputs.extend(_STATISTICS_OUTPUTS)
        spec = TransformSpec(
            examples=examples,
            schema=schema,
            analyzer_cache=analyzer_cache,
            module_file=module_file,
            preprocessing_fn=preprocessing_fn,
            stats_options_updater_fn=stats_options_updater_fn,
            force_tf_compat_v1=int(force_tf_compat_v1),
            disable_statistics=int(disable_statistics),
            custom_config=encode_custom_config(custom_config),
            splits_config=splits_config,
            **{key: Channel(type=TransformSpec.OUTPUTS[key].type) for key in outputs},
        )
        super().__init__(spec=spec)


def _check_functions(module_file: Any, preprocessing_fn: Any, updater: Any) -> None:
    if bool(module_file) == bool(preprocessing_fn):
        raise ValueError(
            "Exactly one of 'module_file' or 'preprocessing_fn' must be supplied; got "
            f"module_file={module_file!r}, preprocessing_fn={preprocessing_fn!r}."
        )
    if module_file and updater:
        raise ValueError(
            "'stats_options_updater_fn' cannot be specified together with 'module_file': define "
            "a function of this name in the module file."
        )
    functions = {"preprocessing_fn": preprocessing_fn, "stats_options_updater_fn": updater}
    for name, given in functions.items():
        if given is not None and not (
            isinstance(given, (str, RuntimeParameter)) or callable(given)
        ):
            raise TypeError(
                f"Expected a dotted path or a function for parameter {name!r} but got {given!r}."
            )
