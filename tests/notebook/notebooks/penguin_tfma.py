# %% [markdown] Features by Transform, a model that must be good enough, and TFMA on what was measured.

# %%
import os

import tensorflow_model_analysis as tfma

from tfx import v1 as tfx

PIPELINE_NAME = "penguin-tfma"
PIPELINE_ROOT = os.path.join("pipelines", PIPELINE_NAME)
METADATA_PATH = os.path.join("metadata", PIPELINE_NAME, "metadata.db")
SERVING_MODEL_DIR = os.path.join("serving_model", PIPELINE_NAME)
module_file = "penguin_utils.py"

# %%
%%writefile {module_file}
import tensorflow as tf
import tensorflow_transform as tft
from tensorflow import keras

from tfx import v1 as tfx
from tfx_bsl.public import tfxio

_FEATURE_KEYS = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]
_LABEL_KEY = "species"


def preprocessing_fn(inputs):
    outputs = {name: tft.scale_to_z_score(tf.cast(inputs[name], tf.float32)) for name in _FEATURE_KEYS}
    initializer = tf.lookup.KeyValueTensorInitializer(
        ["Adelie", "Chinstrap", "Gentoo"], tf.constant([0, 1, 2], tf.int64)
    )
    table = tf.lookup.StaticHashTable(initializer, default_value=-1)
    outputs[_LABEL_KEY] = table.lookup(inputs[_LABEL_KEY])
    return outputs


def _input_fn(file_pattern, data_accessor: tfx.components.DataAccessor, tf_transform_output):
    options = tfxio.TensorFlowDatasetOptions(batch_size=20, label_key=_LABEL_KEY)
    schema = tf_transform_output.transformed_metadata.schema
    return data_accessor.tf_dataset_factory(file_pattern, options, schema).repeat()


def _get_serve_fn(model, tf_transform_output):
    model.tft_layer = tf_transform_output.transform_features_layer()

    @tf.function(input_signature=[tf.TensorSpec(shape=[None], dtype=tf.string, name="examples")])
    def serve_tf_examples_fn(serialized):
        spec = {k: v for k, v in tf_transform_output.raw_feature_spec().items() if k != _LABEL_KEY}
        return model(model.tft_layer(tf.io.parse_example(serialized, spec)))

    return serve_tf_examples_fn


def _get_transform_fn(model, tf_transform_output):
    @tf.function(input_signature=[tf.TensorSpec(shape=[None], dtype=tf.string, name="examples")])
    def transform_features_fn(serialized):
        spec = tf_transform_output.raw_feature_spec()
        return model.tft_layer(tf.io.parse_example(serialized, spec))

    return transform_features_fn


def run_fn(fn_args: tfx.components.FnArgs):
    tf_transform_output = tft.TFTransformOutput(fn_args.transform_output)
    train = _input_fn(fn_args.train_files, fn_args.data_accessor, tf_transform_output)
    inputs = [keras.layers.Input(shape=(1,), name=key) for key in _FEATURE_KEYS]
    hidden = keras.layers.Dense(8, activation="relu")(keras.layers.concatenate(inputs))
    model = keras.Model(inputs=inputs, outputs=keras.layers.Dense(3)(hidden))
    model.compile(
        optimizer=keras.optimizers.Adam(1e-2),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=[keras.metrics.SparseCategoricalAccuracy()],
    )
    model.fit(train, steps_per_epoch=fn_args.train_steps)
    signatures = {
        "serving_default": _get_serve_fn(model, tf_transform_output),
        "transform_features": _get_transform_fn(model, tf_transform_output),
    }
    model.save(fn_args.serving_model_dir, save_format="tf", signatures=signatures)

# %%
def _create_pipeline() -> tfx.dsl.Pipeline:
    example_gen = tfx.components.CsvExampleGen(input_base="data")
    statistics_gen = tfx.components.StatisticsGen(examples=example_gen.outputs["examples"])
    schema_gen = tfx.components.SchemaGen(
        statistics=statistics_gen.outputs["statistics"], infer_feature_shape=True
    )
    transform = tfx.components.Transform(
        examples=example_gen.outputs["examples"],
        schema=schema_gen.outputs["schema"],
        module_file=module_file,
    )
    trainer = tfx.components.Trainer(
        module_file=module_file,
        examples=transform.outputs["transformed_examples"],
        transform_graph=transform.outputs["transform_graph"],
        train_args=tfx.proto.TrainArgs(num_steps=100),
        eval_args=tfx.proto.EvalArgs(num_steps=5),
    )
    model_resolver = tfx.dsl.Resolver(
        strategy_class=tfx.dsl.experimental.LatestBlessedModelStrategy,
        model=tfx.dsl.Channel(type=tfx.types.standard_artifacts.Model),
        model_blessing=tfx.dsl.Channel(type=tfx.types.standard_artifacts.ModelBlessing),
    ).with_id("latest_blessed_model_resolver")
    eval_config = tfma.EvalConfig(
        model_specs=[
            tfma.ModelSpec(
                label_key="species", preprocessing_function_names=["transform_features"]
            )
        ],
        slicing_specs=[tfma.SlicingSpec(), tfma.SlicingSpec(feature_keys=["island"])],
        metrics_specs=[
            tfma.MetricsSpec(
                per_slice_thresholds={
                    "sparse_categorical_accuracy": tfma.PerSliceMetricThresholds(
                        thresholds=[
                            tfma.PerSliceMetricThreshold(
                                slicing_specs=[tfma.SlicingSpec()],
                                threshold=tfma.MetricThreshold(
                                    value_threshold=tfma.GenericValueThreshold(
                                        lower_bound={"value": 0.6}
                                    ),
                                    change_threshold=tfma.GenericChangeThreshold(
                                        direction=tfma.MetricDirection.HIGHER_IS_BETTER,
                                        absolute={"value": -1e-10},
                                    ),
                                ),
                            )
                        ]
                    )
                }
            )
        ],
    )
    evaluator = tfx.components.Evaluator(
        examples=example_gen.outputs["examples"],
        model=trainer.outputs["model"],
        baseline_model=model_resolver.outputs["model"],
        eval_config=eval_config,
    )
    pusher = tfx.components.Pusher(
        model=trainer.outputs["model"],
        model_blessing=evaluator.outputs["blessing"],
        push_destination=tfx.proto.PushDestination(
            filesystem=tfx.proto.PushDestination.Filesystem(base_directory=SERVING_MODEL_DIR)
        ),
    )
    return tfx.dsl.Pipeline(
        pipeline_name=PIPELINE_NAME,
        pipeline_root=PIPELINE_ROOT,
        metadata_connection_config=tfx.orchestration.metadata.sqlite_metadata_connection_config(
            METADATA_PATH
        ),
        components=[
            example_gen,
            statistics_gen,
            schema_gen,
            transform,
            trainer,
            model_resolver,
            evaluator,
            pusher,
        ],
    )


tfx.orchestration.LocalDagRunner().run(_create_pipeline())

# %%
from tfx.orchestration.metadata import Metadata
from tfx.orchestration.portable.mlmd import execution_lib
from tfx.types import standard_component_specs


def get_latest_artifacts(metadata, pipeline_name, component_id):
    context = metadata.store.get_context_by_type_and_name(
        "node", f"{pipeline_name}.{component_id}"
    )
    executions = metadata.store.get_executions_by_context(context.id)
    latest = max(executions, key=lambda execution: execution.last_update_time_since_epoch)
    return execution_lib.get_output_artifacts(metadata, latest.id)


config = tfx.orchestration.metadata.sqlite_metadata_connection_config(METADATA_PATH)
with Metadata(config) as metadata_handler:
    outputs = get_latest_artifacts(metadata_handler, PIPELINE_NAME, "Evaluator")
    eval_artifact = outputs[standard_component_specs.EVALUATION_KEY][0]

# %%
eval_result = tfma.load_eval_result(eval_artifact.uri)
tfma.view.render_slicing_metrics(eval_result, slicing_column="island")

# %%
print(tfma.load_validation_result(eval_artifact.uri).validation_ok)
