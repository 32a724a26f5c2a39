"""From taxi trips to a model that says who will tip well.

pip install 'trainwright[transform]'
trainwright run pipeline.py
trainwright run pipeline.py --set train_steps=500
"""

from pathlib import Path

from trainwright import Channel, Pipeline, Resolver, sqlite_metadata_connection_config
from trainwright.components import (
    CsvExampleGen,
    Evaluator,
    ExampleValidator,
    Pusher,
    SchemaGen,
    StatisticsGen,
    Trainer,
    Transform,
)
from trainwright.dsl.strategies import LatestBlessedModelStrategy
from trainwright.evaluation import (
    EvalConfig,
    GenericChangeThreshold,
    GenericValueThreshold,
    MetricConfig,
    MetricDirection,
    MetricsSpec,
    MetricThreshold,
    ModelSpec,
    PerSliceMetricThreshold,
    SlicingSpec,
)
from trainwright.types.standard_artifacts import Model, ModelBlessing

HERE = Path(__file__).parent


def create_pipeline(
    output: str = str(HERE / "output"), train_steps: int = 300, eval_steps: int = 15
) -> Pipeline:
    """Declares the nodes; nothing runs here. `--set NAME=VALUE` sets the arguments."""
    example_gen = CsvExampleGen(input_base=str(HERE / "data"))
    statistics_gen = StatisticsGen(examples=example_gen.outputs["examples"])
    schema_gen = SchemaGen(statistics=statistics_gen.outputs["statistics"])
    example_validator = ExampleValidator(
        statistics=statistics_gen.outputs["statistics"], schema=schema_gen.outputs["schema"]
    )
    transform = Transform(
        examples=example_gen.outputs["examples"],
        schema=schema_gen.outputs["schema"],
        module_file=str(HERE / "preprocessing.py"),
    )
    trainer = Trainer(
        module_file=str(HERE / "trainer.py"),
        examples=transform.outputs["transformed_examples"],
        transform_graph=transform.outputs["transform_graph"],
        schema=schema_gen.outputs["schema"],
        train_args={"num_steps": train_steps},
        eval_args={"num_steps": eval_steps},
    )
    # The model that was blessed last, to compare the new one with; none in the first run.
    resolver = Resolver(
        strategy_class=LatestBlessedModelStrategy,
        model=Channel(type=Model),
        model_blessing=Channel(type=ModelBlessing),
    ).with_id("LatestBlessedModel")
    evaluator = Evaluator(
        examples=example_gen.outputs["examples"],
        model=trainer.outputs["model"],
        baseline_model=resolver.outputs["model"],
        eval_config=EVAL_CONFIG,
    )
    pusher = Pusher(
        model=trainer.outputs["model"],
        model_blessing=evaluator.outputs["blessing"],
        push_destination={"filesystem": {"base_directory": f"{output}/serving_model"}},
    )
    return Pipeline(
        pipeline_name="{{PIPELINE_NAME}}",
        pipeline_root=f"{output}/artifacts",
        metadata_connection_config=sqlite_metadata_connection_config(f"{output}/metadata.db"),
        components=[
            example_gen,
            statistics_gen,
            schema_gen,
            example_validator,
            transform,
            trainer,
            resolver,
            evaluator,
            pusher,
        ],
        enable_cache=True,
    )


# A model is pushed if it is right about most trips, and about no fewer than the last one.
THRESHOLD = MetricThreshold(
    value_threshold=GenericValueThreshold(lower_bound=0.6),
    change_threshold=GenericChangeThreshold(
        direction=MetricDirection.HIGHER_IS_BETTER, absolute=-1e-10
    ),
)

EVAL_CONFIG = EvalConfig(
    # The label is not in the trips: it is what Transform made of fare and tip.
    model_specs=[
        ModelSpec(
            signature_name="serving_default",
            label_key="tips_xf",
            preprocessing_function_names=["transform_features"],
        )
    ],
    slicing_specs=[SlicingSpec(), SlicingSpec(feature_keys=["payment_type"])],
    metrics_specs=[
        MetricsSpec(
            metrics=[
                MetricConfig(class_name="ExampleCount"),
                MetricConfig(
                    class_name="BinaryAccuracy",
                    per_slice_thresholds=[
                        PerSliceMetricThreshold(slicing_specs=[SlicingSpec()], threshold=THRESHOLD)
                    ],
                ),
            ]
        )
    ],
)
