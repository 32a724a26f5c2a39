"""A pipeline that evaluates, as TFX tutorials write it: tfma before tfx, their names alone."""

import os
import sys

import tensorflow_model_analysis as tfma
from tfx import v1 as tfx

DATA_ROOT, OUTPUT = sys.argv[1:]
HERE = os.path.dirname(os.path.abspath(__file__))


def create_pipeline() -> tfx.dsl.Pipeline:
    example_gen = tfx.components.CsvExampleGen(input_base=DATA_ROOT)
    statistics_gen = tfx.components.StatisticsGen(examples=example_gen.outputs["examples"])
    schema_gen = tfx.components.SchemaGen(
        statistics=statistics_gen.outputs["statistics"], infer_feature_shape=True
    )
    trainer = tfx.components.Trainer(
        module_file=os.path.join(HERE, "evaluated_module.py"),
        examples=example_gen.outputs["examples"],
        schema=schema_gen.outputs["schema"],
        train_args=tfx.proto.TrainArgs(num_steps=100),
        eval_args=tfx.proto.EvalArgs(num_steps=5),
    )
    model_resolver = tfx.dsl.Resolver(
        strategy_class=tfx.dsl.experimental.LatestBlessedModelStrategy,
        model=tfx.dsl.Channel(type=tfx.types.standard_artifacts.Model),
        model_blessing=tfx.dsl.Channel(type=tfx.types.standard_artifacts.ModelBlessing),
    ).with_id("latest_blessed_model_resolver")
    eval_config = tfma.EvalConfig(
        model_specs=[tfma.ModelSpec(label_key="species")],
        slicing_specs=[tfma.SlicingSpec(), tfma.SlicingSpec(feature_keys=["species"])],
        metrics_specs=[
            tfma.MetricsSpec(
                per_slice_thresholds={
                    "sparse_categorical_accuracy": tfma.PerSliceMetricThresholds(
                        thresholds=[
                            tfma.PerSliceMetricThreshold(
                                slicing_specs=[tfma.SlicingSpec()],
                                threshold=tfma.MetricThreshold(
                                    value_threshold=tfma.GenericValueThreshold(
                                        lower_bound={"value": 0.5}
                                    ),
                                    change_threshold=tfma.GenericChangeThreshold(
                                        direction=tfma.MetricDirection.HIGHER_IS_BETTER,
                                        absolute={"value": -1e-10},
                                    ),
                                ),
                            )
                        ]
                    )
                },
            )
        ],
    )
    evaluator = tfx.components.Evaluator(
        examples=example_gen.outputs["examples"],
        model=trainer.outputs["model"],
        baseline_model=model_resolver.outputs["model"],
        eval_config=eval_config,
    )
    blessed = evaluator.outputs["blessing"].future()[0].custom_property("blessed") == 1
    with tfx.dsl.Cond(blessed):
        pusher = tfx.components.Pusher(
            model=trainer.outputs["model"],
            model_blessing=evaluator.outputs["blessing"],
            push_destination=tfx.proto.PushDestination(
                filesystem=tfx.proto.PushDestination.Filesystem(
                    base_directory=os.path.join(OUTPUT, "serving_model")
                )
            ),
        )
    return tfx.dsl.Pipeline(
        pipeline_name="penguin-tfma",
        pipeline_root=os.path.join(OUTPUT, "pipelines"),
        metadata_connection_config=tfx.orchestration.metadata.sqlite_metadata_connection_config(
            os.path.join(OUTPUT, "metadata.db")
        ),
        components=[
            example_gen,
            statistics_gen,
            schema_gen,
            trainer,
            model_resolver,
            evaluator,
            pusher,
        ],
    )


tfx.orchestration.LocalDagRunner().run(create_pipeline())
(evaluation,) = os.listdir(os.path.join(OUTPUT, "pipelines", "Evaluator", "evaluation"))
result = tfma.load_eval_result(
    os.path.join(OUTPUT, "pipelines", "Evaluator", "evaluation", evaluation)
)
print("slices:", len(result.slicing_metrics))
print("metrics:", ", ".join(sorted(result.get_metric_names())))
