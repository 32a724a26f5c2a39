"""From measurements of penguins to a model that knows their species.

trainwright run pipeline.py
trainwright run pipeline.py --set train_steps=500
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
    """Declares the nodes; nothing runs here. `--set NAME=VALUE` sets the arguments."""
    example_gen = CsvExampleGen(input_base=str(HERE / "data"))
    schema_gen = ImportSchemaGen(schema_file=str(HERE / "schema" / "schema.pbtxt"))
    trainer = Trainer(
        module_file=str(HERE / "trainer.py"),
        examples=example_gen.outputs["examples"],
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
        components=[example_gen, schema_gen, trainer, resolver, evaluator, pusher],
        enable_cache=True,
    )


# A model is pushed if it is right about most penguins, and about no fewer than the last one.
EVAL_CONFIG = EvalConfig(
    # The model itself knows which number a species has: see `save` in trainer.py.
    model_specs=[
        ModelSpec(label_key="species_number", preprocessing_function_names=["number_species"])
    ],
    slicing_specs=[SlicingSpec()],
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
