"""The penguin pipeline: from a CSV file to a pushed model.

Run it with `trainwright run examples/penguin/pipeline.py`.
"""

from pathlib import Path

from trainwright import Pipeline, sqlite_metadata_connection_config
from trainwright.components import CsvExampleGen, ImportSchemaGen, Pusher, Trainer

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
    pusher = Pusher(
        model=trainer.outputs["model"],
        push_destination={"filesystem": {"base_directory": f"{output}/serving_model"}},
    )
    return Pipeline(
        pipeline_name="penguin",
        pipeline_root=f"{output}/artifacts",
        metadata_connection_config=sqlite_metadata_connection_config(f"{output}/metadata.db"),
        components=[example_gen, schema_gen, trainer, pusher],
        enable_cache=True,
    )


# The directory also holds a README.
PENGUIN_FILES = {"splits": [{"name": "all", "pattern": "*.csv"}]}
