"""The taxi pipeline: from trips to a model that says who will tip well.

    trainwright run examples/taxi/pipeline.py

It makes its data with `make_data.py` when there is none. The model is evaluated for all trips, by
the hour and by how it was paid, and must not be worse than the last blessed one.
"""

from pathlib import Path

from make_data import write_trips

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
    output: str = str(HERE / "output"),
    rows: int = 15_000,
    train_steps: int = 500,
    eval_steps: int = 100,
) -> Pipeline:
    """Declares the nodes; nothing runs here but the making of the data."""
    data = Path(output) / "data"
    if not data.exists():
        write_trips(data / "trips.csv", rows)
    example_gen = CsvExampleGen(input_base=str(data))
    statistics_gen = StatisticsGen(examples=example_gen.outputs["examples"])
    schema_gen = SchemaGen(statistics=statistics_gen.outputs["statistics"])
    example_validator = ExampleValidator(
        statistics=statistics_gen.outputs["statistics"], schema=schema_gen.outputs["schema"]
    )
    transform = Transform(
        examples=example_gen.outputs["examples"],
        schema=schema_gen.outputs["schema"],
        module_file=str(HERE / "taxi_preprocessing.py"),
    )
    trainer = Trainer(
        module_file=str(HERE / "taxi_trainer.py"),
        examples=transform.outputs["transformed_examples"],
        transform_graph=transform.outputs["transform_graph"],
        schema=schema_gen.outputs["schema"],
        train_args={"num_steps": train_steps},
        eval_args={"num_steps": eval_steps},
    )
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
        pipeline_name="taxi",
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


# Who pays cash tips nobody on record, so that by payment type a model has little to tell apart:
# thresholds are for all trips and for each hour.
DECIDING_SLICES = [SlicingSpec(), SlicingSpec(feature_keys=["trip_start_hour"])]

EVAL_CONFIG = EvalConfig(
    # The label is not in the trips: it is what Transform made of fare and tip.
    model_specs=[
        ModelSpec(
            signature_name="serving_default",
            label_key="tips_xf",
            preprocessing_function_names=["transform_features"],
        )
    ],
    slicing_specs=[
        *DECIDING_SLICES,
        SlicingSpec(feature_keys=["payment_type"]),
        SlicingSpec(feature_keys=["trip_start_day"], feature_values={"payment_type": "Cash"}),
    ],
    metrics_specs=[
        MetricsSpec(
            metrics=[
                MetricConfig(class_name="ExampleCount"),
                MetricConfig(class_name="Calibration"),
                MetricConfig(class_name="CalibrationPlot"),
                MetricConfig(class_name="ConfusionMatrixPlot"),
                MetricConfig(
                    class_name="BinaryAccuracy",
                    per_slice_thresholds=[
                        PerSliceMetricThreshold(
                            slicing_specs=DECIDING_SLICES,
                            threshold=MetricThreshold(
                                value_threshold=GenericValueThreshold(lower_bound=0.5)
                            ),
                        )
                    ],
                ),
                MetricConfig(
                    class_name="AUC",
                    per_slice_thresholds=[
                        PerSliceMetricThreshold(
                            slicing_specs=[SlicingSpec()],
                            threshold=MetricThreshold(
                                value_threshold=GenericValueThreshold(lower_bound=0.7),
                                change_threshold=GenericChangeThreshold(
                                    direction=MetricDirection.HIGHER_IS_BETTER, absolute=-1e-10
                                ),
                            ),
                        )
                    ],
                ),
            ]
        )
    ],
)
