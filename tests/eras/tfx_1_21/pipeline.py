"""Penguins as a pipeline of TFX 1.21: `tfx.v1` alone, and Keras 3 behind tf.keras, too."""

import os

os.environ["TF_USE_LEGACY_KERAS"] = "0"

import tensorflow_model_analysis as tfma
from tfx import v1 as tfx

PIPELINE_NAME = "penguin-keras-3"
HOME = os.environ["HOME"]
PROJECT = os.path.join(HOME, "penguin")
SERVING_MODEL_DIR = os.path.join(PROJECT, "serving_model", PIPELINE_NAME)
PIPELINE_ROOT = os.path.join(HOME, "tfx", "pipelines", PIPELINE_NAME)
METADATA_PATH = os.path.join(HOME, "tfx", "metadata", PIPELINE_NAME, "metadata.db")


def _create_eval_config() -> tfma.EvalConfig:
    accuracy_threshold = tfma.MetricThreshold(
        value_threshold=tfma.GenericValueThreshold(lower_bound={"value": 0.6}),
        change_threshold=tfma.GenericChangeThreshold(
            direction=tfma.MetricDirection.HIGHER_IS_BETTER, absolute={"value": -1e-10}
        ),
    )
    return tfma.EvalConfig(
        model_specs=[
            tfma.ModelSpec(
                signature_name="serving_default",
                label_key="species_xf",
                preprocessing_function_names=["transform_features"],
            )
        ],
        slicing_specs=[tfma.SlicingSpec(), tfma.SlicingSpec(feature_keys=["island"])],
        metrics_specs=[
            tfma.MetricsSpec(
                per_slice_thresholds={
                    "sparse_categorical_accuracy": tfma.PerSliceMetricThresholds(
                        thresholds=[
                            tfma.PerSliceMetricThreshold(
                                slicing_specs=[tfma.SlicingSpec()], threshold=accuracy_threshold
                            )
                        ]
                    )
                }
            )
        ],
    )


def _create_pipeline() -> tfx.dsl.Pipeline:
    module_file = os.path.join(PROJECT, "penguin_module.py")
    example_gen = tfx.components.CsvExampleGen(input_base=os.path.join(PROJECT, "data"))
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
        eval_args=tfx.proto.EvalArgs(num_steps=2),
    )
    model_resolver = tfx.dsl.Resolver(
        strategy_class=tfx.dsl.experimental.LatestBlessedModelStrategy,
        model=tfx.dsl.Channel(type=tfx.types.standard_artifacts.Model),
        model_blessing=tfx.dsl.Channel(type=tfx.types.standard_artifacts.ModelBlessing),
    ).with_id("latest_blessed_model_resolver")
    evaluator = tfx.components.Evaluator(
        examples=example_gen.outputs["examples"],
        model=trainer.outputs["model"],
        baseline_model=model_resolver.outputs["model"],
        eval_config=_create_eval_config(),
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


if __name__ == "__main__":
    tfx.orchestration.LocalDagRunner().run(_create_pipeline())
