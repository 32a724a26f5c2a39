"""Penguins with spans, Transform and its cache, an Evaluator and a condition before the push."""

import os
import sys
from typing import Optional

import absl
from absl import flags

import tensorflow_model_analysis as tfma
from tfx import v1 as tfx
from tfx.utils import proto_utils

flags.DEFINE_enum("runner", "DirectRunner", ["DirectRunner", "FlinkRunner"], "The Beam runner.")
flags.DEFINE_string("place", None, "Where data, artifacts and the pushed model are.")

_examplegen_input_config = tfx.proto.Input(
    splits=[tfx.proto.Input.Split(name="input", pattern="day{SPAN}/*")]
)
_resolver_range_config = tfx.proto.RangeConfig(rolling_range=tfx.proto.RollingRange(num_spans=2))


@tfx.dsl.components.component
def RangeConfigGenerator(  # noqa: N802
    span: tfx.dsl.components.Parameter[int],
    range_config: tfx.dsl.components.OutputArtifact[tfx.types.standard_artifacts.String],
):
    static_range = tfx.proto.StaticRange(start_span_number=span, end_span_number=span)
    range_config.value = proto_utils.proto_to_json(tfx.proto.RangeConfig(static_range=static_range))


def create_pipeline(
    pipeline_name: str,
    pipeline_root: str,
    data_root: str,
    module_file: str,
    accuracy_threshold: float,
    serving_model_dir: str,
    metadata_path: str,
    resolver_range_config: Optional[tfx.proto.RangeConfig],  # noqa: UP045
    beam_pipeline_args: list[str],
) -> tfx.dsl.Pipeline:
    range_config_generator = RangeConfigGenerator(span=2)
    example_gen = tfx.components.CsvExampleGen(
        input_base=os.path.join(data_root, "labelled"),
        input_config=_examplegen_input_config,
        range_config=range_config_generator.outputs["range_config"].future()[0].value,
    )
    statistics_gen = tfx.components.StatisticsGen(examples=example_gen.outputs["examples"])
    schema_gen = tfx.components.SchemaGen(
        statistics=statistics_gen.outputs["statistics"], infer_feature_shape=True
    )
    examples_resolver = tfx.dsl.Resolver(
        strategy_class=tfx.dsl.experimental.SpanRangeStrategy,
        config={"range_config": resolver_range_config},
        examples=tfx.dsl.Channel(
            type=tfx.types.standard_artifacts.Examples, producer_component_id=example_gen.id
        ),
    ).with_id("span_resolver")
    examples_resolver.add_upstream_node(example_gen)
    transform_cache_resolver = tfx.dsl.Resolver(
        strategy_class=tfx.dsl.experimental.LatestArtifactStrategy,
        cache=tfx.dsl.Channel(type=tfx.types.standard_artifacts.TransformCache),
    ).with_id("transform_cache_resolver")
    transform = tfx.components.Transform(
        examples=examples_resolver.outputs["examples"],
        schema=schema_gen.outputs["schema"],
        module_file=module_file,
        analyzer_cache=transform_cache_resolver.outputs["cache"],
    )
    trainer = tfx.components.Trainer(
        module_file=module_file,
        examples=transform.outputs["transformed_examples"],
        transform_graph=transform.outputs["transform_graph"],
        schema=schema_gen.outputs["schema"],
        hyperparameters=None,
        train_args=tfx.proto.TrainArgs(num_steps=40),
        eval_args=tfx.proto.EvalArgs(num_steps=2),
    )
    model_resolver = tfx.dsl.Resolver(
        strategy_class=tfx.dsl.experimental.LatestBlessedModelStrategy,
        model=tfx.dsl.Channel(type=tfx.types.standard_artifacts.Model),
        model_blessing=tfx.dsl.Channel(type=tfx.types.standard_artifacts.ModelBlessing),
    ).with_id("latest_blessed_model_resolver")
    threshold = tfma.MetricThreshold(
        value_threshold=tfma.GenericValueThreshold(lower_bound={"value": accuracy_threshold}),
        change_threshold=tfma.GenericChangeThreshold(
            direction=tfma.MetricDirection.HIGHER_IS_BETTER, absolute={"value": -1e-10}
        ),
    )
    accuracy = tfma.MetricConfig(class_name="SparseCategoricalAccuracy", threshold=threshold)
    eval_config = tfma.EvalConfig(
        model_specs=[
            tfma.ModelSpec(
                signature_name="serving_default",
                label_key="species_xf",
                preprocessing_function_names=["transform_features"],
            )
        ],
        slicing_specs=[tfma.SlicingSpec()],
        metrics_specs=[tfma.MetricsSpec(metrics=[accuracy])],
    )
    evaluator = tfx.components.Evaluator(
        examples=example_gen.outputs["examples"],
        model=trainer.outputs["model"],
        baseline_model=model_resolver.outputs["model"],
        eval_config=eval_config,
    )
    with tfx.dsl.Cond(evaluator.outputs["blessing"].future()[0].custom_property("blessed") == 1):
        pusher = tfx.components.Pusher(
            model=trainer.outputs["model"],
            push_destination=tfx.proto.PushDestination(
                filesystem=tfx.proto.PushDestination.Filesystem(base_directory=serving_model_dir)
            ),
        )
    return tfx.dsl.Pipeline(
        pipeline_name=pipeline_name,
        pipeline_root=pipeline_root,
        components=[
            example_gen,
            statistics_gen,
            schema_gen,
            transform,
            trainer,
            model_resolver,
            evaluator,
            pusher,
            range_config_generator,
            examples_resolver,
            transform_cache_resolver,
        ],
        enable_cache=True,
        metadata_connection_config=tfx.orchestration.metadata.sqlite_metadata_connection_config(
            metadata_path
        ),
        beam_pipeline_args=beam_pipeline_args,
    )


if __name__ == "__main__":
    absl.logging.set_verbosity(absl.logging.INFO)
    absl.flags.FLAGS(sys.argv)
    place = flags.FLAGS.place
    tfx.orchestration.LocalDagRunner().run(
        create_pipeline(
            pipeline_name="penguin_local",
            pipeline_root=os.path.join(place, "pipelines"),
            data_root=os.path.join(place, "data"),
            module_file=os.path.join(os.path.dirname(__file__), "penguin_utils_keras.py"),
            accuracy_threshold=0.6,
            serving_model_dir=os.path.join(place, "serving_model"),
            metadata_path=os.path.join(place, "metadata", "metadata.db"),
            resolver_range_config=_resolver_range_config,
            beam_pipeline_args=["--direct_running_mode=multi_processing", "--direct_num_workers=0"],
        )
    )
