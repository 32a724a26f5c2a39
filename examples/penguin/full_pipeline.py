"""The penguin pipeline in full: statistics, a schema from them, transformed features, evaluation.

    pip install 'trainwright[transform]'
    trainwright run examples/penguin/full_pipeline.py

`pipeline.py` beside it does without tf.Transform.
"""

from pathlib import Path

from trainwright import Pipeline, Resolver, eval_config, sqlite_metadata_connection_config
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

HERE = Path(__file__).parent


def create_pipeline(
    output: str = str(HERE / "full_output"), train_steps: int = 100, eval_steps: int = 5
) -> Pipeline:
    """Declares the nodes; nothing runs here."""
    example_gen = CsvExampleGen(input_base=str(HERE / "data"), input_config=PENGUIN_FILES)
    statistics_gen = StatisticsGen(examples=example_gen.outputs.examples)
    schema_gen = SchemaGen(statistics=statistics_gen.outputs.statistics)
    example_validator = ExampleValidator(
        statistics=statistics_gen.outputs.statistics, schema=schema_gen.outputs.schema
    )
    module_file = str(HERE / "penguin_transform_trainer.py")
    transform = Transform(
        examples=example_gen.outputs.examples,
        schema=schema_gen.outputs.schema,
        module_file=module_file,
    )
    trainer = Trainer(
        module_file=module_file,
        examples=transform.outputs.transformed_examples,
        transform_graph=transform.outputs.transform_graph,
        schema=schema_gen.outputs.schema,
        train_args={"num_steps": train_steps},
        eval_args={"num_steps": eval_steps},
    )
    evaluator = Evaluator(
        examples=example_gen.outputs.examples,
        model=trainer.outputs.model,
        baseline_model=Resolver.latest_blessed_model().outputs.model,
        eval_config=GOOD_ENOUGH,
    )
    pusher = Pusher(
        model=trainer.outputs.model,
        model_blessing=evaluator.outputs.blessing,
        push_destination=f"{output}/serving_model",
    )
    return Pipeline(
        pipeline_name="penguin-full",
        pipeline_root=f"{output}/artifacts",
        metadata_connection_config=sqlite_metadata_connection_config(f"{output}/metadata.db"),
        components=[example_validator, pusher],
        enable_cache=True,
    )


# The label that the model was trained with is made by Transform, so the model makes it here too.
GOOD_ENOUGH = eval_config(
    label="species_xf",
    slices=["sex"],
    at_least={"sparse_categorical_accuracy": 0.6},
    no_worse_than_baseline=True,
)

# The directory also holds a README.
PENGUIN_FILES = {"splits": [{"name": "all", "pattern": "*.csv"}]}
