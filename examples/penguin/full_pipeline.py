"""The penguin pipeline in full: statistics, a schema from them, transformed features, evaluation.

    pip install 'trainwright[transform]'
    trainwright run examples/penguin/full_pipeline.py

Each option adds a part; `everything` adds them all, with `pip install 'trainwright[tfx]'`:

    trainwright run examples/penguin/full_pipeline.py --set everything=true

`pipeline.py` beside it does without tf.Transform.
"""

from pathlib import Path

from trainwright import Pipeline, Resolver, eval_config, sqlite_metadata_connection_config
from trainwright.components import (
    BulkInferrer,
    CsvExampleGen,
    Evaluator,
    ExampleDiff,
    ExampleValidator,
    ImportSchemaGen,
    InfraValidator,
    Pusher,
    SchemaGen,
    StatisticsGen,
    Trainer,
    Transform,
    Tuner,
)

HERE = Path(__file__).parent


def create_pipeline(
    output: str = str(HERE / "full_output"),
    train_steps: int = 100,
    eval_steps: int = 5,
    user_schema: bool = False,
    tune: bool = False,
    validate_serving: bool = False,
    infer: bool = False,
    find_skew: bool = False,
    everything: bool = False,
) -> Pipeline:
    """Declares the nodes; nothing runs here.

    Args:
        output: Where artifacts, metadata and the pushed model go.
        train_steps: The length of a training, a trial of the tuner's included.
        eval_steps: The batches that an evaluation during training looks at.
        user_schema: Take the schema that is committed beside this file, not one from statistics.
        tune: Look for the learning rate and the layers first.
        validate_serving: Push only what a model server has loaded and answered with.
        infer: Predict the species of penguins that the field has sent.
        find_skew: Compare what the field has sent with the same penguins in the training data.
        everything: All of these.
    """
    if everything:
        user_schema = tune = validate_serving = infer = find_skew = True
    example_gen = CsvExampleGen(input_base=str(HERE / "data"), input_config=PENGUIN_FILES)
    statistics_gen = StatisticsGen(examples=example_gen.outputs.examples)
    if user_schema:
        schema = ImportSchemaGen(schema_file=str(HERE / "schema/schema.pbtxt")).outputs.schema
    else:
        schema = SchemaGen(statistics=statistics_gen.outputs.statistics).outputs.schema
    example_validator = ExampleValidator(
        statistics=statistics_gen.outputs.statistics, schema=schema
    )
    module_file = str(HERE / "penguin_transform_trainer.py")
    transform = Transform(
        examples=example_gen.outputs.examples, schema=schema, module_file=module_file
    )
    how_to_train = {
        "module_file": module_file,
        "examples": transform.outputs.transformed_examples,
        "transform_graph": transform.outputs.transform_graph,
        "schema": schema,
        "train_args": {"num_steps": train_steps},
        "eval_args": {"num_steps": eval_steps},
    }
    hyperparameters = None
    if tune:
        hyperparameters = Tuner(**how_to_train).outputs.best_hyperparameters
    trainer = Trainer(**how_to_train, hyperparameters=hyperparameters)
    evaluator = Evaluator(
        examples=example_gen.outputs.examples,
        model=trainer.outputs.model,
        baseline_model=Resolver.latest_blessed_model().outputs.model,
        eval_config=GOOD_ENOUGH,
    )
    infra_blessing = None
    if validate_serving:
        infra_blessing = InfraValidator(
            model=trainer.outputs.model,
            examples=example_gen.outputs.examples,
            serving_spec=SERVER,
            request_spec={"tensorflow_serving": {}, "num_examples": 3},
        ).outputs.blessing
    pusher = Pusher(
        model=trainer.outputs.model,
        model_blessing=evaluator.outputs.blessing,
        infra_blessing=infra_blessing,
        push_destination=f"{output}/serving_model",
    )
    last = [example_validator, pusher]
    if infer or find_skew:
        field_examples = CsvExampleGen(
            input_base=str(HERE / "field_data"),
            input_config=PENGUIN_FILES,
            output_config={"split_config": {"splits": [{"name": "field", "hash_buckets": 1}]}},
        ).with_id("FieldExampleGen")
    if infer:
        model, blessing = trainer.outputs.model, evaluator.outputs.blessing
        last.append(predict(field_examples.outputs.examples, model, blessing))
    if find_skew:
        last.append(compare(field_examples.outputs.examples, example_gen.outputs.examples))
    return Pipeline(
        pipeline_name="penguin-full",
        pipeline_root=f"{output}/artifacts",
        metadata_connection_config=sqlite_metadata_connection_config(f"{output}/metadata.db"),
        components=last,
        enable_cache=True,
    )


def predict(examples, model, model_blessing) -> BulkInferrer:
    """The examples with what the model makes of them as a column."""
    outputs = [{"output_key": "logits", "output_column": "species_logits"}]
    return BulkInferrer(
        examples=examples,
        model=model,
        model_blessing=model_blessing,
        output_example_spec={
            "output_columns_spec": [{"predict_output": {"output_columns": outputs}}]
        },
    )


def compare(examples, baseline) -> ExampleDiff:
    """Which penguin it is, some measurements tell; what differs apart from them is skew."""
    return ExampleDiff(
        examples_test=examples,
        examples_base=baseline,
        config={
            "paired_example_skew": {
                "identifier_features": ["bill_length_mm", "bill_depth_mm", "body_mass_g"],
                "float_round_ndigits": 1,
                "ignore_features": ["species"],
                "skew_sample_size": 10,
            }
        },
    )


# The label that the model was trained with is made by Transform, so the model makes it here too.
GOOD_ENOUGH = eval_config(
    label="species_xf",
    slices=["sex"],
    at_least={"sparse_categorical_accuracy": 0.6},
    no_worse_than_baseline=True,
)

# The directories also hold a README.
PENGUIN_FILES = {"splits": [{"name": "all", "pattern": "*.csv"}]}

# The server that is on this machine: tensorflow_model_server, or Trainwright's own.
SERVER = {"tensorflow_serving": {"tags": ["latest"]}, "local_docker": {}}
