"""A pipeline as TFX users write it: a script, only `tfx.v1`, no main guard."""

import os
import sys

from tfx import v1 as tfx

DATA_ROOT, OUTPUT = sys.argv[1:]
HERE = os.path.dirname(os.path.abspath(__file__))


def create_pipeline() -> tfx.dsl.Pipeline:
    example_gen = tfx.components.CsvExampleGen(
        input_base=DATA_ROOT,
        input_config=tfx.proto.Input(
            splits=[tfx.proto.Input.Split(name="penguins", pattern="*.csv")]
        ),
    )
    trainer = tfx.components.Trainer(
        module_file=os.path.join(HERE, "penguin_module.py"),
        examples=example_gen.outputs["examples"],
        train_args=tfx.proto.TrainArgs(num_steps=5),
        eval_args=tfx.proto.EvalArgs(num_steps=2),
    )
    pusher = tfx.components.Pusher(
        model=trainer.outputs["model"],
        push_destination=tfx.proto.PushDestination(
            filesystem=tfx.proto.PushDestination.Filesystem(
                base_directory=os.path.join(OUTPUT, "serving_model")
            )
        ),
    )
    return tfx.dsl.Pipeline(
        pipeline_name="penguin-tutorial",
        pipeline_root=os.path.join(OUTPUT, "pipelines"),
        metadata_connection_config=tfx.orchestration.metadata.sqlite_metadata_connection_config(
            os.path.join(OUTPUT, "metadata.db")
        ),
        components=[example_gen, trainer, pusher],
    )


tfx.orchestration.LocalDagRunner().run(create_pipeline())
print("the pipeline ran")
