# %% [markdown] Data validation in pipelines, with ML Metadata and TFDV, in the shape of TFX's tutorial.

# %%
import os
import shutil

from tfx import v1 as tfx

SCHEMA_PIPELINE_NAME = "penguin-tfdv-schema"
SCHEMA_PIPELINE_ROOT = os.path.join("pipelines", SCHEMA_PIPELINE_NAME)
SCHEMA_METADATA_PATH = os.path.join("metadata", SCHEMA_PIPELINE_NAME, "metadata.db")
PIPELINE_NAME = "penguin-tfdv"
PIPELINE_ROOT = os.path.join("pipelines", PIPELINE_NAME)
METADATA_PATH = os.path.join("metadata", PIPELINE_NAME, "metadata.db")
SCHEMA_PATH = "schema"

# %%
def _create_schema_pipeline(
    pipeline_name: str, pipeline_root: str, data_root: str, metadata_path: str
) -> tfx.dsl.Pipeline:
    example_gen = tfx.components.CsvExampleGen(input_base=data_root)
    statistics_gen = tfx.components.StatisticsGen(examples=example_gen.outputs["examples"])
    schema_gen = tfx.components.SchemaGen(
        statistics=statistics_gen.outputs["statistics"], infer_feature_shape=True
    )
    return tfx.dsl.Pipeline(
        pipeline_name=pipeline_name,
        pipeline_root=pipeline_root,
        metadata_connection_config=tfx.orchestration.metadata.sqlite_metadata_connection_config(
            metadata_path
        ),
        components=[example_gen, statistics_gen, schema_gen],
    )


tfx.orchestration.LocalDagRunner().run(
    _create_schema_pipeline(
        pipeline_name=SCHEMA_PIPELINE_NAME,
        pipeline_root=SCHEMA_PIPELINE_ROOT,
        data_root="data",
        metadata_path=SCHEMA_METADATA_PATH,
    )
)

# %%
from ml_metadata.proto import metadata_store_pb2
from tfx.orchestration.experimental.interactive import standard_visualizations, visualizations
from tfx.orchestration.metadata import Metadata
from tfx.orchestration.portable.mlmd import execution_lib
from tfx.types import standard_component_specs

standard_visualizations.register_standard_visualizations()


def get_latest_artifacts(metadata, pipeline_name, component_id):
    context = metadata.store.get_context_by_type_and_name(
        "node", f"{pipeline_name}.{component_id}"
    )
    executions = metadata.store.get_executions_by_context(context.id)
    latest = max(executions, key=lambda execution: execution.last_update_time_since_epoch)
    return execution_lib.get_output_artifacts(metadata, latest.id)


def visualize_artifacts(artifacts):
    for artifact in artifacts:
        visualization = visualizations.get_registry().get_visualization(artifact.type_name)
        if visualization:
            visualization.display(artifact)

# %%
config = tfx.orchestration.metadata.sqlite_metadata_connection_config(SCHEMA_METADATA_PATH)
with Metadata(config) as metadata_handler:
    stat_gen_output = get_latest_artifacts(
        metadata_handler, SCHEMA_PIPELINE_NAME, "StatisticsGen"
    )
    stats_artifacts = stat_gen_output[standard_component_specs.STATISTICS_KEY]
    schema_gen_output = get_latest_artifacts(metadata_handler, SCHEMA_PIPELINE_NAME, "SchemaGen")
    schema_artifacts = schema_gen_output[standard_component_specs.SCHEMA_KEY]
    print(isinstance(schema_artifacts[0].mlmd_artifact, metadata_store_pb2.Artifact))

# %%
visualize_artifacts(stats_artifacts)

# %%
visualize_artifacts(schema_artifacts)

# %%
import tensorflow_data_validation as tfdv

os.makedirs(SCHEMA_PATH)
schema = tfdv.load_schema_text(os.path.join(schema_artifacts[0].uri, "schema.pbtxt"))
tfdv.get_feature(schema, "year").int_domain.max = 2008
tfdv.write_schema_text(schema, os.path.join(SCHEMA_PATH, "schema.pbtxt"))
tfdv.display_schema(schema)

# %%
stats = tfdv.generate_statistics_from_csv(os.path.join("data", "penguins.csv"))
tfdv.visualize_statistics(stats)

# %%
anomalies = tfdv.validate_statistics(stats, schema)
tfdv.display_anomalies(anomalies)

# %%
def _create_pipeline(pipeline_name, pipeline_root, data_root, schema_path, metadata_path):
    example_gen = tfx.components.CsvExampleGen(input_base=data_root)
    statistics_gen = tfx.components.StatisticsGen(examples=example_gen.outputs["examples"])
    schema_importer = tfx.dsl.Importer(
        source_uri=schema_path, artifact_type=tfx.types.standard_artifacts.Schema
    ).with_id("schema_importer")
    example_validator = tfx.components.ExampleValidator(
        statistics=statistics_gen.outputs["statistics"],
        schema=schema_importer.outputs["result"],
    )
    return tfx.dsl.Pipeline(
        pipeline_name=pipeline_name,
        pipeline_root=pipeline_root,
        metadata_connection_config=tfx.orchestration.metadata.sqlite_metadata_connection_config(
            metadata_path
        ),
        components=[example_gen, statistics_gen, schema_importer, example_validator],
    )


tfx.orchestration.LocalDagRunner().run(
    _create_pipeline(PIPELINE_NAME, PIPELINE_ROOT, "data", SCHEMA_PATH, METADATA_PATH)
)

# %%
config = tfx.orchestration.metadata.sqlite_metadata_connection_config(METADATA_PATH)
with Metadata(config) as metadata_handler:
    ev_output = get_latest_artifacts(metadata_handler, PIPELINE_NAME, "ExampleValidator")
    anomalies_artifacts = ev_output[standard_component_specs.ANOMALIES_KEY]
visualize_artifacts(anomalies_artifacts)
