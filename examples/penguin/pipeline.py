"""The penguin pipeline: from a CSV file to a model that is pushed if it is good enough.

`trainwright run examples/penguin/pipeline.py` trains, then compares with what was blessed.
"""

from pathlib import Path

from trainwright import Pipeline, Resolver, eval_config, sqlite_metadata_connection_config
from trainwright.components import CsvExampleGen, Evaluator, ImportSchemaGen, Pusher, Trainer

HERE = Path(__file__).parent

# Good enough is a model that is right about most penguins, and about no fewer than the last one.
GOOD_ENOUGH = eval_config(
    label="species",
    slices=["sex"],
    metrics=["MultiClassConfusionMatrixPlot"],
    at_least={"sparse_categorical_accuracy": 0.6},
    no_worse_than_baseline=True,
)


def create_pipeline(
    output: str = str(HERE / "output"), train_steps: int = 100, eval_steps: int = 5
) -> Pipeline:
    """Declares the nodes; nothing runs here."""
    files = {"splits": [{"name": "all", "pattern": "*.csv"}]}  # there is a README, too
    example_gen = CsvExampleGen(input_base=str(HERE / "data"), input_config=files)
    schema_gen = ImportSchemaGen(schema_file=str(HERE / "schema" / "schema.pbtxt"))
    trainer = Trainer(
        module_file=str(HERE / "penguin_trainer.py"),
        examples=example_gen.outputs.examples,
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
    blessing, place = evaluator.outputs.blessing, f"{output}/serving_model"
    pusher = Pusher(trainer.outputs.model, blessing, push_destination=place)
    store = sqlite_metadata_connection_config(f"{output}/metadata.db")
    return Pipeline("penguin", f"{output}/artifacts", store, [pusher], enable_cache=True)
