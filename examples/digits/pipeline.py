"""The digits pipeline: an image model for servers, and for devices, with proof that they agree.

    pip install 'trainwright[transform,export]' scikit-learn
    trainwright run examples/digits/pipeline.py
    trainwright run examples/digits/pipeline.py --set tfjs=true

One Trainer saves a model for servers, which the Rewriter turns into LiteRT and ONNX models and
compares with it; another writes a LiteRT model in its own module file. Each is evaluated, and
pushed if it is good.
"""

from pathlib import Path

from make_data import write_digits

from trainwright import Pipeline, sqlite_metadata_connection_config
from trainwright.components import (
    Evaluator,
    ImportExampleGen,
    Pusher,
    Rewriter,
    SchemaGen,
    StatisticsGen,
    Trainer,
    Transform,
)

HERE = Path(__file__).parent


def create_pipeline(
    output: str = str(HERE / "output"),
    digits: int = 1797,
    train_steps: int = 300,
    tfjs: bool = False,
) -> Pipeline:
    """Declares the nodes; nothing runs here but the making of the data.

    With `tfjs` there is a model for browsers too; what converts and runs it is installed once.
    """
    data = Path(output) / "data"
    if not data.exists():
        write_digits(data, digits)
    example_gen = ImportExampleGen(input_base=str(data))
    statistics_gen = StatisticsGen(examples=example_gen.outputs["examples"])
    schema_gen = SchemaGen(statistics=statistics_gen.outputs["statistics"])
    transform = Transform(
        examples=example_gen.outputs["examples"],
        schema=schema_gen.outputs["schema"],
        module_file=str(HERE / "digits_preprocessing.py"),
    )

    def make_trainer(name: str, **custom_config: object) -> Trainer:
        return Trainer(
            module_file=str(HERE / "digits_trainer.py"),
            examples=transform.outputs["transformed_examples"],
            transform_graph=transform.outputs["transform_graph"],
            schema=schema_gen.outputs["schema"],
            train_args={"num_steps": train_steps},
            custom_config=custom_config,
        ).with_id(name)

    trainer = make_trainer("Trainer")
    # A module file may write the LiteRT model itself.
    litert_trainer = make_trainer("LiteRtTrainer", litert=True)
    # Or a node does it, whatever wrote the SavedModel.
    rewriter = Rewriter(
        model=trainer.outputs["model"],
        examples=transform.outputs["transformed_examples"],
        targets=[
            "onnx",
            "litert",
            {"to": "litert", "quantize": "full_integer"},
            *([{"to": "tfjs", "make_environment": True}] if tfjs else []),
        ],
        signature_name="pixels",
    )
    models = {
        "Server": (trainer.outputs["model"], "pixels"),
        "Device": (litert_trainer.outputs["model"], ""),
        "Onnx": (rewriter.outputs["onnx"], ""),
        "Quantized": (rewriter.outputs["litert_full_integer"], ""),
    }
    judged = []
    for name, (model, signature_name) in models.items():
        evaluator = Evaluator(
            examples=transform.outputs["transformed_examples"],
            model=model,
            eval_config=make_eval_config(signature_name),
        ).with_id(f"{name}Evaluator")
        pusher = Pusher(
            model=model,
            model_blessing=evaluator.outputs["blessing"],
            push_destination={"filesystem": {"base_directory": f"{output}/{name.lower()}_model"}},
        ).with_id(f"{name}Pusher")
        judged += [evaluator, pusher]
    return Pipeline(
        pipeline_name="digits",
        pipeline_root=f"{output}/artifacts",
        metadata_connection_config=sqlite_metadata_connection_config(f"{output}/metadata.db"),
        components=[
            example_gen,
            statistics_gen,
            schema_gen,
            transform,
            trainer,
            litert_trainer,
            rewriter,
            *judged,
        ],
        enable_cache=True,
    )


def make_eval_config(signature_name: str) -> dict:
    return {
        "model_specs": [{"label_key": "digit_xf", "signature_name": signature_name}],
        "slicing_specs": [{}, {"feature_keys": ["digit_xf"]}],
        "metrics_specs": [
            {
                "metrics": [
                    {
                        "class_name": "SparseCategoricalAccuracy",
                        "per_slice_thresholds": [
                            {
                                "slicing_specs": [{}],
                                "threshold": {"value_threshold": {"lower_bound": {"value": 0.8}}},
                            }
                        ],
                    }
                ]
            }
        ],
    }
