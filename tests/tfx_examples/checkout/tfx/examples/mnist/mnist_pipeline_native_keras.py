"""Digits from TFRecord files, with node ids of the pipeline's own."""

import tensorflow_model_analysis as tfma
from tfx.components import (
    Evaluator,
    ExampleValidator,
    ImportExampleGen,
    Pusher,
    SchemaGen,
    StatisticsGen,
    Trainer,
    Transform,
)
from tfx.orchestration import metadata, pipeline
from tfx.proto import pusher_pb2, trainer_pb2


def create_pipeline(
    pipeline_name: str,
    pipeline_root: str,
    data_root: str,
    module_file: str,
    serving_model_dir: str,
    metadata_path: str,
    beam_pipeline_args: list[str],
    accuracy_threshold: float = 0.6,
) -> pipeline.Pipeline:
    example_gen = ImportExampleGen(input_base=data_root)
    statistics_gen = StatisticsGen(examples=example_gen.outputs["examples"])
    schema_gen = SchemaGen(
        statistics=statistics_gen.outputs["statistics"], infer_feature_shape=True
    )
    example_validator = ExampleValidator(
        statistics=statistics_gen.outputs["statistics"], schema=schema_gen.outputs["schema"]
    )
    transform = Transform(
        examples=example_gen.outputs["examples"],
        schema=schema_gen.outputs["schema"],
        module_file=module_file,
    )
    trainer = Trainer(
        module_file=module_file,
        examples=transform.outputs["transformed_examples"],
        transform_graph=transform.outputs["transform_graph"],
        schema=schema_gen.outputs["schema"],
        train_args=trainer_pb2.TrainArgs(num_steps=40),
        eval_args=trainer_pb2.EvalArgs(num_steps=2),
    ).with_id("Trainer.mnist")
    # Of the same features, for phones.
    trainer_lite = Trainer(
        module_file=module_file.replace("_keras.py", "_keras_lite.py"),
        examples=transform.outputs["transformed_examples"],
        transform_graph=transform.outputs["transform_graph"],
        schema=schema_gen.outputs["schema"],
        train_args=trainer_pb2.TrainArgs(num_steps=40),
        eval_args=trainer_pb2.EvalArgs(num_steps=2),
    ).with_id("Trainer.mnist_lite")
    threshold = tfma.MetricThreshold(
        value_threshold=tfma.GenericValueThreshold(lower_bound={"value": accuracy_threshold})
    )
    accuracy = tfma.MetricConfig(class_name="SparseCategoricalAccuracy", threshold=threshold)
    eval_config = tfma.EvalConfig(
        model_specs=[tfma.ModelSpec(label_key="image_class")],
        slicing_specs=[tfma.SlicingSpec()],
        metrics_specs=[tfma.MetricsSpec(metrics=[accuracy])],
    )
    eval_config_lite = tfma.EvalConfig()
    eval_config_lite.CopyFrom(eval_config)
    eval_config_lite.model_specs[0].model_type = "tf_lite"
    evaluator = Evaluator(
        examples=example_gen.outputs["examples"],
        model=trainer.outputs["model"],
        eval_config=eval_config,
    ).with_id("Evaluator.mnist")
    evaluator_lite = Evaluator(
        examples=example_gen.outputs["examples"],
        model=trainer_lite.outputs["model"],
        eval_config=eval_config_lite,
    ).with_id("Evaluator.mnist_lite")
    pusher = Pusher(
        model=trainer.outputs["model"],
        model_blessing=evaluator.outputs["blessing"],
        push_destination=pusher_pb2.PushDestination(
            filesystem=pusher_pb2.PushDestination.Filesystem(base_directory=serving_model_dir)
        ),
    ).with_id("Pusher.mnist")
    pusher_lite = Pusher(
        model=trainer_lite.outputs["model"],
        model_blessing=evaluator_lite.outputs["blessing"],
        push_destination=pusher_pb2.PushDestination(
            filesystem=pusher_pb2.PushDestination.Filesystem(
                base_directory=serving_model_dir + "_lite"
            )
        ),
    ).with_id("Pusher.mnist_lite")
    return pipeline.Pipeline(
        pipeline_name=pipeline_name,
        pipeline_root=pipeline_root,
        components=[
            example_gen,
            statistics_gen,
            schema_gen,
            example_validator,
            transform,
            trainer,
            evaluator,
            pusher,
            trainer_lite,
            evaluator_lite,
            pusher_lite,
        ],
        enable_cache=True,
        metadata_connection_config=metadata.sqlite_metadata_connection_config(metadata_path),
        beam_pipeline_args=beam_pipeline_args,
    )
