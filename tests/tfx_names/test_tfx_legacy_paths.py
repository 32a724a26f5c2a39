"""The paths that older TFX code imports from lead to the same objects."""

from __future__ import annotations

import importlib

import pytest

# tfx path -> where the same objects are, and which.
PATHS = {
    "tfx.components": (
        "trainwright.components",
        "CsvExampleGen ExampleValidator FileBasedExampleGen ImportExampleGen ImportSchemaGen "
        "Pusher SchemaGen StatisticsGen Trainer",
    ),
    "tfx.components.base.base_component": ("trainwright.dsl.base_component", "BaseComponent"),
    "tfx.components.base.base_driver": ("trainwright.dsl.base_driver", "BaseDriver"),
    "tfx.components.base.base_executor": ("trainwright.dsl.base_executor", "BaseExecutor"),
    "tfx.components.base.base_node": ("trainwright.dsl.base_node", "BaseNode"),
    "tfx.components.base.executor_spec": ("trainwright.dsl.executor_spec", "ExecutorClassSpec"),
    "tfx.components.example_gen.base_example_gen_executor": (
        "trainwright.components.example_gen.base_example_gen_executor",
        "BaseExampleGenExecutor",
    ),
    "tfx.components.example_gen.component": (
        "trainwright.components.example_gen.component",
        "FileBasedExampleGen",
    ),
    "tfx.components.example_gen.csv_example_gen.component": (
        "trainwright.components.example_gen.csv_example_gen.component",
        "CsvExampleGen",
    ),
    "tfx.components.example_gen.csv_example_gen.executor": (
        "trainwright.components.example_gen.csv_example_gen.executor",
        "Executor",
    ),
    "tfx.components.example_gen.custom_executors.parquet_executor": (
        "trainwright.components.example_gen.parquet_example_gen.executor",
        "Executor",
    ),
    "tfx.components.example_gen.driver": ("trainwright.components.example_gen.driver", ""),
    "tfx.components.example_gen.import_example_gen.component": (
        "trainwright.components.example_gen.import_example_gen.component",
        "ImportExampleGen",
    ),
    "tfx.components.example_gen.import_example_gen.executor": (
        "trainwright.components.example_gen.import_example_gen.executor",
        "Executor",
    ),
    "tfx.components.example_gen.utils": (
        "trainwright.components.example_gen.user_helpers",
        "DATE_SPECS SPAN_SPEC generate_output_split_names make_default_input_config "
        "make_default_output_config",
    ),
    "tfx.components.example_validator.component": (
        "trainwright.components.example_validator.component",
        "ExampleValidator",
    ),
    "tfx.components.example_validator.executor": (
        "trainwright.components.example_validator.executor",
        "Executor",
    ),
    "tfx.components.example_validator.labels": (
        "trainwright.components.example_validator.labels",
        "ENVIRONMENT SCHEMA_DIFF_PATH STATS",
    ),
    "tfx.components.evaluator.component": (
        "trainwright.components.evaluator.component",
        "Evaluator",
    ),
    "tfx.components.evaluator.constants": (
        "trainwright.components.evaluator.executor",
        """
        ARTIFACT_PROPERTY_BASELINE_MODEL_ID_KEY ARTIFACT_PROPERTY_BASELINE_MODEL_URI_KEY
        ARTIFACT_PROPERTY_BLESSED_KEY ARTIFACT_PROPERTY_CURRENT_MODEL_ID_KEY
        ARTIFACT_PROPERTY_CURRENT_MODEL_URI_KEY BLESSED_FILE_NAME BLESSED_VALUE EVALUATION_KEY
        NOT_BLESSED_FILE_NAME NOT_BLESSED_VALUE
        """,
    ),
    "tfx.components.evaluator.executor": ("trainwright.components.evaluator.executor", "Executor"),
    "tfx.components.model_validator.component": (
        "trainwright.components.evaluator.model_validator",
        "ModelValidator",
    ),
    "tfx.components.pusher.component": ("trainwright.components.pusher.component", "Pusher"),
    "tfx.components.pusher.executor": ("trainwright.components.pusher.executor", "Executor"),
    "tfx.components.schema_gen.component": (
        "trainwright.components.schema_gen.component",
        "SchemaGen",
    ),
    "tfx.components.schema_gen.executor": (
        "trainwright.components.schema_gen.executor",
        "Executor",
    ),
    "tfx.components.schema_gen.import_schema_gen.component": (
        "trainwright.components.schema_gen.import_schema_gen.component",
        "ImportSchemaGen",
    ),
    "tfx.components.schema_gen.import_schema_gen.executor": (
        "trainwright.components.schema_gen.import_schema_gen.executor",
        "Executor",
    ),
    "tfx.components.statistics_gen.component": (
        "trainwright.components.statistics_gen.component",
        "StatisticsGen",
    ),
    "tfx.components.statistics_gen.executor": (
        "trainwright.components.statistics_gen.executor",
        "Executor",
    ),
    "tfx.components.trainer.component": ("trainwright.components.trainer.component", "Trainer"),
    "tfx.components.trainer.executor": (
        "trainwright.components.trainer.executor",
        "GenericExecutor TrainerFnArgs",
    ),
    "tfx.components.trainer.fn_args_utils": (
        "trainwright.components.trainer.fn_args",
        "DataAccessor FnArgs",
    ),
    "tfx.components.transform.component": (
        "trainwright.components.transform.component",
        "Transform",
    ),
    "tfx.components.transform.executor": (
        "trainwright.components.transform.executor",
        "Executor",
    ),
    "tfx.components.transform.stats_options_util": (
        "trainwright.components.transform.stats_options_util",
        "StatsType",
    ),
    "tfx.dsl.component.experimental.annotations": (
        "trainwright.dsl.annotations",
        "InputArtifact OutputArtifact OutputDict Parameter",
    ),
    "tfx.dsl.component.experimental.decorators": (
        "trainwright.dsl.function_component",
        "BaseFunctionalComponent component",
    ),
    "tfx.dsl.components.base.base_component": ("trainwright.dsl.base_component", "BaseComponent"),
    "tfx.dsl.components.base.base_driver": ("trainwright.dsl.base_driver", "BaseDriver"),
    "tfx.dsl.components.base.base_executor": (
        "trainwright.dsl.base_executor",
        "BaseExecutor EmptyExecutor",
    ),
    "tfx.dsl.components.base.base_node": ("trainwright.dsl.base_node", "BaseNode"),
    "tfx.dsl.components.base.executor_spec": (
        "trainwright.dsl.executor_spec",
        "BeamExecutorSpec ExecutorClassSpec ExecutorSpec",
    ),
    "tfx.dsl.components.common.importer": ("trainwright.dsl.importer", "Importer"),
    "tfx.dsl.components.common.resolver": ("trainwright.dsl.resolver", "Resolver ResolverStrategy"),
    "tfx.dsl.experimental.conditionals.conditional": ("trainwright.dsl.conditional", "Cond"),
    "tfx.dsl.experimental.latest_artifacts_resolver": (
        "trainwright.dsl.strategies.deprecated_names",
        "LatestArtifactsResolver",
    ),
    "tfx.dsl.experimental.latest_blessed_model_resolver": (
        "trainwright.dsl.strategies.deprecated_names",
        "LatestBlessedModelResolver",
    ),
    "tfx.dsl.experimental.node_execution_options.utils": (
        "trainwright.dsl.node_options",
        "NodeExecutionOptions TriggerStrategy",
    ),
    "tfx.dsl.experimental.spans_resolver": (
        "trainwright.dsl.strategies.deprecated_names",
        "SpansResolver",
    ),
    "tfx.dsl.input_resolution.strategies.latest_artifact_strategy": (
        "trainwright.dsl.strategies.latest_artifact_strategy",
        "LatestArtifactStrategy",
    ),
    "tfx.dsl.input_resolution.strategies.latest_blessed_model_strategy": (
        "trainwright.dsl.strategies.latest_blessed_model_strategy",
        "LatestBlessedModelStrategy",
    ),
    "tfx.dsl.input_resolution.strategies.span_range_strategy": (
        "trainwright.dsl.strategies.span_range_strategy",
        "SpanRangeStrategy",
    ),
    "tfx.dsl.io.fileio": ("trainwright.dsl.io.fileio", "NotFoundError copy exists open walk"),
    "tfx.dsl.placeholder.placeholder": (
        "trainwright.types.placeholder",
        "Placeholder Predicate join logical_and logical_not logical_or",
    ),
    "tfx.orchestration.data_types": ("trainwright.types.runtime_parameter", "RuntimeParameter"),
    "tfx.orchestration.local.local_dag_runner": ("tfx.v1.orchestration", "LocalDagRunner"),
    "tfx.orchestration.metadata": (
        "trainwright.metadata.connection",
        "mysql_metadata_connection_config sqlite_metadata_connection_config",
    ),
    "tfx.orchestration.pipeline": ("trainwright.dsl.pipeline", "ExecutionMode Pipeline"),
    "tfx.types": (
        "trainwright.types",
        "Artifact BaseChannel Channel ComponentSpec Property ValueArtifact",
    ),
    "tfx.types.artifact": (
        "trainwright.types.artifact",
        "Artifact ArtifactState Property PropertyType",
    ),
    "tfx.types.artifact_utils": (
        "trainwright.types.splits",
        "decode_split_names encode_split_names get_split_uri get_split_uris",
    ),
    "tfx.types.channel": (
        "trainwright.types.channel",
        "BaseChannel Channel ChannelWrappedPlaceholder OutputChannel UnionChannel union",
    ),
    "tfx.types.channel_utils": ("trainwright.types.channel", "as_channel union"),
    "tfx.types.component_spec": (
        "trainwright.types.component_spec",
        "ChannelParameter ComponentSpec ExecutionParameter",
    ),
    "tfx.types.standard_artifacts": (
        "trainwright.types.standard_artifacts",
        "Examples Model ModelBlessing Schema String",
    ),
    "tfx.types.standard_component_specs": (
        "trainwright.types.standard_component_specs",
        "EXAMPLES_KEY MODEL_KEY PusherSpec StatisticsGenSpec TRAIN_ARGS_KEY TrainerSpec",
    ),
    "tfx.types.system_artifacts": (
        "trainwright.types.system_types",
        "Dataset Metrics Model Statistics SystemArtifact",
    ),
    "tfx.types.system_executions": (
        "trainwright.types.system_types",
        "Deploy Evaluate Process SystemExecution Train Transform",
    ),
    "tfx.types.value_artifact": ("trainwright.types.value_artifact", "ValueArtifact"),
    "tfx.utils.io_utils": (
        "trainwright.dsl.io.io_utils",
        "SchemaReader all_files_pattern copy_dir copy_file parse_pbtxt_file write_string_file",
    ),
    "tfx.utils.json_utils": (
        "trainwright.types.json_utils",
        "Jsonable JsonableType dumps loads",
    ),
    "tfx.utils.path_utils": (
        "trainwright.types.model_paths",
        "eval_model_dir eval_model_path serving_model_dir serving_model_path stamped_model_path",
    ),
    "tfx.utils.proto_utils": (
        "trainwright.proto.proto_json",
        "dict_to_proto json_to_proto proto_to_json",
    ),
}


@pytest.mark.parametrize("path", PATHS)
def test_a_path_leads_to_the_same_objects(path):
    source_name, names = PATHS[path]
    module, source = importlib.import_module(path), importlib.import_module(source_name)
    for name in names.split():
        assert getattr(module, name) is getattr(source, name)


def test_every_file_of_an_older_path_is_named_here():
    import pkgutil

    import tfx

    leaves = {
        module.name
        for module in pkgutil.walk_packages(tfx.__path__, "tfx.")
        if not module.ispkg and not module.name.startswith(("tfx.v1.", "tfx.proto."))
    }
    assert leaves - {
        "tfx._missing_modules",
        "tfx._names",
        "tfx._replacements",
        "tfx.version",
    } == set(PATHS) - {"tfx.components", "tfx.types"}


def test_the_two_paths_to_an_artifact_type_agree():
    from tfx.types import standard_artifacts as older
    from tfx.v1.types import standard_artifacts as newer

    names = {name for name in vars(newer) if not name.startswith("_")}
    assert names == {name for name in vars(older) if not name.startswith("_")}
    assert all(getattr(newer, name) is getattr(older, name) for name in names)


def test_a_custom_component_in_the_older_style():
    from tfx import types
    from tfx.dsl.components.base import base_component, base_executor, executor_spec
    from tfx.types import channel_utils, standard_artifacts
    from tfx.types.component_spec import ChannelParameter, ExecutionParameter

    class HelloSpec(types.ComponentSpec):
        PARAMETERS = {"name": ExecutionParameter(type=str)}
        INPUTS = {"examples": ChannelParameter(type=standard_artifacts.Examples)}
        OUTPUTS = {"copied": ChannelParameter(type=standard_artifacts.Examples)}

    class HelloExecutor(base_executor.BaseExecutor):
        def Do(self, input_dict, output_dict, exec_properties):
            return None

    class Hello(base_component.BaseComponent):
        SPEC_CLASS = HelloSpec
        EXECUTOR_SPEC = executor_spec.ExecutorClassSpec(HelloExecutor)

        def __init__(self, examples, name):
            copied = channel_utils.as_channel([standard_artifacts.Examples()])
            super().__init__(HelloSpec(examples=examples, name=name, copied=copied))

    hello = Hello(examples=types.Channel(type=standard_artifacts.Examples), name="Ada")
    assert hello.outputs["copied"].type is standard_artifacts.Examples
