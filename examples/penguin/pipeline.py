"""The penguin pipeline: from a CSV file to a model that is pushed if it is good enough.

Run it with `trainwright run examples/penguin/pipeline.py`. The first run trains; the second
compares the model with itself, because there is a blessed one now; the third has nothing to do.
"""

from pathlib import Path

from trainwright import Channel, Pipeline, Resolver, sqlite_metadata_connection_config
from trainwright.components import CsvExampleGen, Evaluator, ImportSchemaGen, Pusher, Trainer
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
    output: str = str(HERE / "output"), train_steps: int = 100, eval_steps: int = 5
) -> Pipeline:
    """Declares the nodes; nothing runs here."""
    example_gen = CsvExampleGen(input_base=str(HERE / "data"), input_config=PENGUIN_FILES)
    schema_gen = ImportSchemaGen(schema_file=str(HERE / "schema" / "schema.pbtxt"))
    trainer = Trainer(
        module_file=str(HERE / "penguin_trainer.py"),
        examples=example_gen.outputs["examples"],
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
        pipeline_name="penguin",
        pipeline_root=f"{output}/artifacts",
        metadata_connection_config=sqlite_metadata_connection_config(f"{output}/metadata.db"),
        components=[example_gen, schema_gen, trainer, resolver, evaluator, pusher],
        enable_cache=True,
    )


# Good enough is a model that is right about most penguins, and about no fewer than the last one.
EVAL_CONFIG = EvalConfig(
    # The model itself knows which number a species has: see `save` in penguin_trainer.py.
    model_specs=[
        ModelSpec(label_key="species_number", preprocessing_function_names=["number_species"])
    ],
    slicing_specs=[SlicingSpec(), SlicingSpec(feature_keys=["sex"])],
    metrics_specs=[
        MetricsSpec(
            metrics=[
                MetricConfig(class_name="ExampleCount"),
                MetricConfig(class_name="MultiClassConfusionMatrixPlot"),
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
