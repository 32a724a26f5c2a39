"""The penguin pipeline in full: statistics, a schema from them, transformed features, evaluation.

    pip install 'trainwright[transform]'
    trainwright run examples/penguin/full_pipeline.py

`pipeline.py` beside it does without tf.Transform.
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
    SlicingSpec,
)
from trainwright.types.standard_artifacts import Model, ModelBlessing

HERE = Path(__file__).parent


def create_pipeline(
    output: str = str(HERE / "full_output"), train_steps: int = 100, eval_steps: int = 5
) -> Pipeline:
    """Declares the nodes; nothing runs here."""
    example_gen = CsvExampleGen(input_base=str(HERE / "data"), input_config=PENGUIN_FILES)
    statistics_gen = StatisticsGen(examples=example_gen.outputs["examples"])
    schema_gen = SchemaGen(statistics=statistics_gen.outputs["statistics"])
    example_validator = ExampleValidator(
        statistics=statistics_gen.outputs["statistics"], schema=schema_gen.outputs["schema"]
    )
    module_file = str(HERE / "penguin_transform_trainer.py")
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
        pipeline_name="penguin-full",
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


# The label that the model was trained with is made by Transform, so the model makes it here too.
EVAL_CONFIG = EvalConfig(
    model_specs=[
        ModelSpec(label_key="species_xf", preprocessing_function_names=["transform_features"])
    ],
    slicing_specs=[SlicingSpec(), SlicingSpec(feature_keys=["sex"])],
    metrics_specs=[
        MetricsSpec(
            metrics=[
                MetricConfig(class_name="ExampleCount"),
                MetricConfig(
                    class_name="SparseCategoricalAccuracy",
                    threshold=MetricThreshold(
                        value_threshold=GenericValueThreshold(lower_bound=0.6),
                        change_threshold=GenericChangeThreshold(
                            direction=MetricDirection.HIGHER_IS_BETTER, absolute=-1e-10
                        ),
                    ),
                ),
            ]
        )
    ],
)

# The directory also holds a README.
PENGUIN_FILES = {"splits": [{"name": "all", "pattern": "*.csv"}]}
