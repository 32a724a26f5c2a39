"""The penguin pipeline: from measurements in a CSV file to a model that knows the species."""

from typing import Optional

import tensorflow_model_analysis as tfma
from ml_metadata.proto import metadata_store_pb2
from models import features
from tfx import v1 as tfx


def create_pipeline(
    pipeline_name: str,
    pipeline_root: str,
    data_path: str,
    preprocessing_fn: str,
    run_fn: str,
    train_args: tfx.proto.TrainArgs,
    eval_args: tfx.proto.EvalArgs,
    eval_accuracy_threshold: float,
    serving_model_dir: str,
    schema_path: Optional[str] = None,
    metadata_connection_config: Optional[metadata_store_pb2.ConnectionConfig] = None,
    enable_cache: bool = True,
) -> tfx.dsl.Pipeline:
    """Declares the nodes; nothing runs here.

    With a `schema_path`, the schema is that file's, and the data is validated against it.
    Otherwise it is inferred from the data.
    """
    example_gen = tfx.components.CsvExampleGen(input_base=data_path)
    statistics_gen = tfx.components.StatisticsGen(examples=example_gen.outputs["examples"])
    components = [example_gen, statistics_gen]

    if schema_path is None:
        schema_gen = tfx.components.SchemaGen(statistics=statistics_gen.outputs["statistics"])
        components.append(schema_gen)
    else:
        schema_gen = tfx.components.ImportSchemaGen(schema_file=schema_path)
        example_validator = tfx.components.ExampleValidator(
            statistics=statistics_gen.outputs["statistics"], schema=schema_gen.outputs["schema"]
        )
        components += [schema_gen, example_validator]

    transform = tfx.components.Transform(
        examples=example_gen.outputs["examples"],
        schema=schema_gen.outputs["schema"],
        preprocessing_fn=preprocessing_fn,
    )
    trainer = tfx.components.Trainer(
        run_fn=run_fn,
        examples=transform.outputs["transformed_examples"],
        transform_graph=transform.outputs["transform_graph"],
        schema=schema_gen.outputs["schema"],
        train_args=train_args,
        eval_args=eval_args,
    )
    # The model that was blessed last, to compare the new one with; none in the first run.
    model_resolver = tfx.dsl.Resolver(
        strategy_class=tfx.dsl.experimental.LatestBlessedModelStrategy,
        model=tfx.dsl.Channel(type=tfx.types.standard_artifacts.Model),
        model_blessing=tfx.dsl.Channel(type=tfx.types.standard_artifacts.ModelBlessing),
    ).with_id("latest_blessed_model_resolver")
    evaluator = tfx.components.Evaluator(
        examples=example_gen.outputs["examples"],
        model=trainer.outputs["model"],
        baseline_model=model_resolver.outputs["model"],
        eval_config=_eval_config(eval_accuracy_threshold),
    )
    pusher = tfx.components.Pusher(
        model=trainer.outputs["model"],
        model_blessing=evaluator.outputs["blessing"],
        push_destination=tfx.proto.PushDestination(
            filesystem=tfx.proto.PushDestination.Filesystem(base_directory=serving_model_dir)
        ),
    )
    components += [transform, trainer, model_resolver, evaluator, pusher]

    return tfx.dsl.Pipeline(
        pipeline_name=pipeline_name,
        pipeline_root=pipeline_root,
        components=components,
        enable_cache=enable_cache,
        metadata_connection_config=metadata_connection_config,
    )


def _eval_config(accuracy_threshold: float) -> tfma.EvalConfig:
    """A model is blessed if it is right often enough, and no less often than the last one."""
    threshold = tfma.MetricThreshold(
        value_threshold=tfma.GenericValueThreshold(lower_bound={"value": accuracy_threshold}),
        change_threshold=tfma.GenericChangeThreshold(
            direction=tfma.MetricDirection.HIGHER_IS_BETTER, absolute={"value": -1e-10}
        ),
    )
    return tfma.EvalConfig(
        model_specs=[
            tfma.ModelSpec(
                signature_name="serving_default",
                # The number of a species is made by Transform, which is part of the saved model.
                label_key=features.transformed_name(features.LABEL_KEY),
                preprocessing_function_names=["transform_features"],
            )
        ],
        slicing_specs=[tfma.SlicingSpec(), tfma.SlicingSpec(feature_keys=["sex"])],
        metrics_specs=[
            tfma.MetricsSpec(
                metrics=[
                    tfma.MetricConfig(class_name="ExampleCount"),
                    tfma.MetricConfig(
                        class_name="SparseCategoricalAccuracy",
                        per_slice_thresholds=[
                            tfma.PerSliceMetricThreshold(
                                slicing_specs=[tfma.SlicingSpec()], threshold=threshold
                            )
                        ],
                    ),
                ]
            )
        ],
    )
