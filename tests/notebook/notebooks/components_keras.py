# %% [markdown] TFX code in the shape of its tutorial "component by component", with Keras.

# %%
import os

import tensorflow as tf
import tensorflow_model_analysis as tfma

from tfx import v1 as tfx
from tfx.components import (
    CsvExampleGen,
    Evaluator,
    ExampleValidator,
    Pusher,
    SchemaGen,
    StatisticsGen,
    Trainer,
    Transform,
)
from tfx.orchestration.experimental.interactive.interactive_context import InteractiveContext
from tfx.proto import pusher_pb2, trainer_pb2

%load_ext tfx.orchestration.experimental.interactive.notebook_extensions.skip

# %%
context = InteractiveContext(pipeline_root="root")

# %%
example_gen = CsvExampleGen(input_base="data")
context.run(example_gen, enable_cache=True)

# %%
artifact = example_gen.outputs["examples"].get()[0]
print(artifact.split_names, artifact.uri)
train_uri = os.path.join(artifact.uri, "Split-train")
files = [os.path.join(train_uri, name) for name in os.listdir(train_uri)]
for record in tf.data.TFRecordDataset(files, compression_type="GZIP").take(1):
    example = tf.train.Example()
    example.ParseFromString(record.numpy())
    print(sorted(example.features.feature))

# %%
statistics_gen = StatisticsGen(examples=example_gen.outputs["examples"])
context.run(statistics_gen)

# %%
context.show(statistics_gen.outputs["statistics"])

# %%
schema_gen = SchemaGen(
    statistics=statistics_gen.outputs["statistics"], infer_feature_shape=False
)
context.run(schema_gen)
context.show(schema_gen.outputs["schema"])

# %%
example_validator = ExampleValidator(
    statistics=statistics_gen.outputs["statistics"], schema=schema_gen.outputs["schema"]
)
context.run(example_validator)
context.show(example_validator.outputs["anomalies"])

# %%
%%writefile penguin_transform.py
import tensorflow as tf
import tensorflow_transform as tft

MEASUREMENTS = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]


def preprocessing_fn(inputs):
    outputs = {}
    for name in MEASUREMENTS:
        dense = tf.squeeze(tf.sparse.to_dense(tf.cast(inputs[name], tf.float32)), axis=1)
        outputs[name] = tft.scale_to_z_score(dense)
    species = tf.squeeze(tf.sparse.to_dense(inputs["species"]), axis=1)
    outputs["species"] = tft.compute_and_apply_vocabulary(species)
    return outputs

# %%
transform = Transform(
    examples=example_gen.outputs["examples"],
    schema=schema_gen.outputs["schema"],
    module_file=os.path.abspath("penguin_transform.py"),
)
context.run(transform)

# %%
transform.outputs

# %%
%%writefile penguin_trainer.py
import tensorflow as tf
import tensorflow_transform as tft
from tfx_bsl.tfxio import dataset_options

from penguin_transform import MEASUREMENTS


def run_fn(fn_args):
    graph = tft.TFTransformOutput(fn_args.transform_output)
    options = dataset_options.TensorFlowDatasetOptions(batch_size=20, label_key="species")
    data = fn_args.data_accessor.tf_dataset_factory(
        fn_args.train_files, options, graph.transformed_metadata.schema
    )
    inputs = {name: tf.keras.Input((), name=name) for name in MEASUREMENTS}
    stacked = tf.stack(list(inputs.values()), axis=1)
    hidden = tf.keras.layers.Dense(8, activation="relu")(stacked)
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(3)(hidden))
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(tf.keras.optimizers.Adam(1e-2), loss, metrics=["accuracy"])
    board = tf.keras.callbacks.TensorBoard(fn_args.model_run_dir, update_freq="batch")
    model.fit(data, steps_per_epoch=fn_args.train_steps, callbacks=[board])
    model.tft_layer = graph.transform_features_layer()

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="examples")])
    def serve(examples):
        spec = graph.raw_feature_spec()
        spec.pop("species")
        return {"output_0": model(model.tft_layer(tf.io.parse_example(examples, spec)))}

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="examples")])
    def transform_features(examples):
        return model.tft_layer(tf.io.parse_example(examples, graph.raw_feature_spec()))

    model.save(
        fn_args.serving_model_dir,
        save_format="tf",
        signatures={"serving_default": serve, "transform_features": transform_features},
    )

# %%
trainer = Trainer(
    module_file=os.path.abspath("penguin_trainer.py"),
    examples=transform.outputs["transformed_examples"],
    transform_graph=transform.outputs["transform_graph"],
    schema=schema_gen.outputs["schema"],
    train_args=trainer_pb2.TrainArgs(num_steps=60),
    eval_args=trainer_pb2.EvalArgs(num_steps=5),
)
context.run(trainer, enable_cache=True)

# %%
print(sorted(os.listdir(trainer.outputs["model"].get()[0].uri)))
print(sorted(os.listdir(trainer.outputs["model_run"].get()[0].uri)))

# %%
eval_config = tfma.EvalConfig(
    model_specs=[
        tfma.ModelSpec(
            signature_name="serving_default",
            label_key="species",
            preprocessing_function_names=["transform_features"],
        )
    ],
    metrics_specs=[
        tfma.MetricsSpec(
            metrics=[
                tfma.MetricConfig(class_name="ExampleCount"),
                tfma.MetricConfig(
                    class_name="SparseCategoricalAccuracy",
                    threshold=tfma.MetricThreshold(
                        value_threshold=tfma.GenericValueThreshold(lower_bound={"value": 0.5})
                    ),
                ),
            ]
        )
    ],
    slicing_specs=[tfma.SlicingSpec(), tfma.SlicingSpec(feature_keys=["sex"])],
)
model_resolver = tfx.dsl.Resolver(
    strategy_class=tfx.dsl.experimental.LatestBlessedModelStrategy,
    model=tfx.dsl.Channel(type=tfx.types.standard_artifacts.Model),
    model_blessing=tfx.dsl.Channel(type=tfx.types.standard_artifacts.ModelBlessing),
).with_id("latest_blessed_model_resolver")
context.run(model_resolver)

# %%
evaluator = Evaluator(
    examples=example_gen.outputs["examples"],
    model=trainer.outputs["model"],
    baseline_model=model_resolver.outputs["model"],
    eval_config=eval_config,
)
context.run(evaluator)

# %%
context.show(evaluator.outputs["evaluation"])

# %%
eval_result = tfma.load_eval_result(evaluator.outputs["evaluation"].get()[0].uri)
print(len(eval_result.slicing_metrics))
blessing_uri = evaluator.outputs["blessing"].get()[0].uri
print(os.listdir(blessing_uri))

# %%
pusher = Pusher(
    model=trainer.outputs["model"],
    model_blessing=evaluator.outputs["blessing"],
    push_destination=pusher_pb2.PushDestination(
        filesystem=pusher_pb2.PushDestination.Filesystem(base_directory="serving")
    ),
)
context.run(pusher)

# %%
pushed = tf.saved_model.load(pusher.outputs["pushed_model"].get()[0].uri)
print(sorted(pushed.signatures))
