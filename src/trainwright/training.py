"""Data, callbacks and saving for module files, so that `run_fn` is about the model.

    from trainwright import training

    def run_fn(fn_args):
        data = training.TrainingData(fn_args, label="species")
        model = make_model(data.features, len(data.classes))
        data.fit(model)
        data.save(model)

Each part works alone: `data.train` and `data.evaluation` are plain datasets, `callbacks(fn_args)` a
list, and `data.save` takes models of Keras 2 and 3. TensorFlow is imported when it is used.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from trainwright._checks import check_strings
from trainwright._suggest import did_you_mean

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import schema_pb2

# Called by Evaluators of its own accord: what the model was trained to predict.
LABEL_SIGNATURE = "transformed_labels"
FEATURES_SIGNATURE = "transform_features"


class TrainingData:
    """The examples of `fn_args`, batched and labelled, and what a saved model needs of them.

    With a transform graph the examples are the transformed ones, as they are. Raw examples are
    read by the schema: numbers become float32 and strings stay, both of shape [batch, 1] where the
    schema has one value for each example; a value that is missing is 0 or "". A label that is a
    string becomes its place among `classes`.

    Args:
        fn_args: The argument of `run_fn`.
        label: The name of the label, after Transform if there is one.
        features: The features that the model takes; all but the label if None.
        batch_size: How many examples a step takes.
        shuffle_seed: Makes the order of training examples the same in every run.

    Example: `TrainingData(fn_args, label="species", features=["bill_length_mm"]).train`
    """

    def __init__(
        self,
        fn_args: Any,
        *,
        label: str,
        features: Sequence[str] | None = None,
        batch_size: int = 32,
        shuffle_seed: int | None = None,
    ) -> None:
        self.fn_args = fn_args
        self.label = label
        self.batch_size = batch_size
        self._seed = shuffle_seed
        known = [feature.name for feature in self.schema.feature]
        source = "what Transform made" if self.is_transformed else "the schema"
        if label not in known:
            raise ValueError(f"label {label!r} is not in {source}{did_you_mean(label, known)}")
        for name in check_strings("features", features or (), "names"):
            if name not in known or name == label:
                why = "the label" if name == label else f"not in {source}"
                others = [one for one in known if one != label]
                raise ValueError(f"feature {name!r} is {why}{did_you_mean(name, others)}")
        # The names of the model's inputs.
        self.features = list(features or [name for name in known if name != label])

    @property
    def is_transformed(self) -> bool:
        """Whether the examples are those that Transform made."""
        return self.fn_args.transform_graph_path is not None

    @functools.cached_property
    def schema(self) -> schema_pb2.Schema:
        """What is in the examples: the transformed schema, or that of the Trainer."""
        if self.is_transformed:
            return self._transform.transformed_metadata.schema
        if self.fn_args.schema_path is None:
            raise ValueError(
                "Raw examples are read by a schema, and the Trainer has none. Pass it one: "
                "Trainer(schema=schema_gen.outputs.schema, ...)."
            )
        from google.protobuf import text_format
        from tensorflow_metadata.proto.v0 import schema_pb2

        with open(self.fn_args.schema_path, encoding="utf-8") as file:
            return text_format.Parse(file.read(), schema_pb2.Schema())

    @functools.cached_property
    def classes(self) -> list[str]:
        """The values of a label that is a string, in the order of their numbers; else empty.

        Raises ValueError if the schema does not list them.
        """
        from tensorflow_metadata.proto.v0 import schema_pb2

        feature = next(one for one in self.schema.feature if one.name == self.label)
        if feature.type != schema_pb2.BYTES:
            return []
        domains = {domain.name: domain for domain in self.schema.string_domain}
        inline = feature.WhichOneof("domain_info") == "string_domain"
        domain = feature.string_domain if inline else domains.get(feature.domain)
        if domain is None or not domain.value:
            raise ValueError(
                f"The label {self.label!r} is a string, and the schema does not list its values. "
                "Give it a string_domain in the schema, or number it in preprocessing_fn: "
                "tft.compute_and_apply_vocabulary."
            )
        return list(domain.value)

    @functools.cached_property
    def train(self) -> Any:
        """The training examples: for ever if the Trainer has `train_steps`, else once."""
        return self._dataset(
            self.fn_args.train_files, epochs=None if self.fn_args.train_steps else 1, shuffle=True
        )

    @functools.cached_property
    def evaluation(self) -> Any:
        """The evaluation examples, once."""
        return self._dataset(self.fn_args.eval_files, epochs=1, shuffle=False)

    def fit(self, model: Any, *, epochs: int = 1, **arguments: Any) -> Any:
        """`model.fit` with the datasets, the steps of `fn_args` and its callbacks.

        `train_steps` are spread over the epochs. Other arguments are those of Keras.
        """
        steps = self.fn_args.train_steps
        arguments = {
            "steps_per_epoch": max(steps // epochs, 1) if steps else None,
            "validation_data": self.evaluation,
            "validation_steps": self.fn_args.eval_steps,
            "callbacks": callbacks(self.fn_args),
            "verbose": 2,
            **arguments,
        }
        return model.fit(self.train, epochs=epochs, **arguments)

    def save(
        self,
        model: Any,
        *,
        output: str = "outputs",
        raw_label: str | None = None,
        directory: str | None = None,
    ) -> None:
        """Saves the model for servers and Evaluators, which have raw tf.Examples.

        Signatures: `serving_default` needs no label and returns the model's output; if that is a
        dict, by its keys, else as `output`. `transformed_labels` makes the label as the model was
        trained with it, under its name. With Transform, `transform_features` makes all features.

        Args:
            model: A Keras model that takes a dict of the features.
            output: The name of a single output.
            raw_label: With Transform, the raw feature that servers need not send; found if it is
                called as the label, without an ending such as `_xf`.
            directory: Where to; `fn_args.serving_model_dir` if None.
        """
        import tensorflow as tf

        held = tf.Module()  # which SavedModels track in models of both Kerases
        to_features, to_label = self._make_parsers(held, raw_label or self._find_raw_label())
        model.trainwright_serving = held
        serialized = [tf.TensorSpec([None], tf.string, name="examples")]

        def serve(examples: Any) -> Any:
            made = model(to_features(examples))
            return made if isinstance(made, dict) else {output: made}

        signatures = {
            "serving_default": tf.function(serve, input_signature=serialized),
            LABEL_SIGNATURE: tf.function(to_label, input_signature=serialized),
        }
        if self.is_transformed:
            signatures[FEATURES_SIGNATURE] = tf.function(
                lambda examples: held.transform(tf.io.parse_example(examples, self._raw_spec)),
                input_signature=serialized,
            )
        directory = directory or self.fn_args.serving_model_dir
        tf.saved_model.save(model, directory, signatures=signatures)

    @functools.cached_property
    def _transform(self) -> Any:
        import tensorflow_transform as tft

        return tft.TFTransformOutput(self.fn_args.transform_graph_path)

    @functools.cached_property
    def _raw_spec(self) -> dict[str, Any]:
        from trainwright.data.feature_spec import schema_to_feature_spec

        if self.is_transformed:
            spec: dict[str, Any] = self._transform.raw_feature_spec()
            return spec
        return schema_to_feature_spec(self.schema)

    def _dataset(self, files: Sequence[str], *, epochs: int | None, shuffle: bool) -> Any:
        from trainwright.data.dataset_options import TensorFlowDatasetOptions

        options = TensorFlowDatasetOptions(
            batch_size=self.batch_size,
            label_key=self.label,
            num_epochs=epochs,
            shuffle=shuffle,
            shuffle_seed=self._seed,
        )
        accessor = self.fn_args.data_accessor
        dataset = accessor.tf_dataset_factory(list(files), options, self.schema)
        number = self._label_numbering()
        as_input: Callable[[Any], Any] = _dense if self.is_transformed else _to_input
        return dataset.map(
            lambda features, label: (
                {name: as_input(features[name]) for name in self.features},
                number(label),
            )
        )

    def _label_numbering(self, held: Any = None) -> Callable[[Any], Any]:
        """The function from a parsed label to what the model is trained with."""
        import tensorflow as tf

        if self.is_transformed or not self.classes:
            return _dense
        values = list(range(len(self.classes)))
        numbers = tf.lookup.KeyValueTensorInitializer(
            self.classes, values, key_dtype=tf.string, value_dtype=tf.int64
        )
        table = tf.lookup.StaticHashTable(numbers, default_value=-1)
        if held is not None:
            held.label_numbers = table
        return lambda label: table.lookup(_dense(label))

    def _make_parsers(
        self, held: Any, raw_label: str | None
    ) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
        """Functions from serialized raw examples to the features, and to the label."""
        import tensorflow as tf

        spec = self._raw_spec
        if self.is_transformed:
            held.transform = self._transform.transform_features_layer()
            # Servers do not know the label.
            unlabelled = {name: one for name, one in spec.items() if name != raw_label}

            def to_features(examples: Any) -> dict[str, Any]:
                made = held.transform(tf.io.parse_example(examples, unlabelled))
                return {name: made[name] for name in self.features}

            def to_label(examples: Any) -> dict[str, Any]:
                made = held.transform(tf.io.parse_example(examples, spec))
                return {self.label: _dense(made[self.label])}

            return to_features, to_label
        number = self._label_numbering(held)
        used = {name: spec[name] for name in self.features}

        def to_raw_features(examples: Any) -> dict[str, Any]:
            parsed = tf.io.parse_example(examples, used)
            return {name: _to_input(parsed[name]) for name in self.features}

        def to_raw_label(examples: Any) -> dict[str, Any]:
            parsed = tf.io.parse_example(examples, {self.label: spec[self.label]})
            return {self.label: number(parsed[self.label])}

        return to_raw_features, to_raw_label

    def _find_raw_label(self) -> str | None:
        """The raw feature that becomes the label: of its name, without an ending such as `_xf`."""
        names = [
            one for one in self._raw_spec if self.label == one or self.label.startswith(f"{one}_")
        ]
        return max(names, key=len, default=None)


def callbacks(fn_args: Any, *, checkpoints: bool = False) -> list[Any]:
    """Keras callbacks that write to `fn_args.model_run_dir`, which is kept if training fails.

    Args:
        fn_args: The argument of `run_fn`.
        checkpoints: Whether the weights are written after every epoch, too.

    Example: `model.fit(data.train, callbacks=callbacks(fn_args))`
    """
    import tensorflow as tf

    found = [tf.keras.callbacks.TensorBoard(fn_args.model_run_dir)]
    if checkpoints:
        path = os.path.join(fn_args.model_run_dir, "checkpoints", "epoch-{epoch:04d}.weights.h5")
        found.append(tf.keras.callbacks.ModelCheckpoint(path, save_weights_only=True))
    return found


def _dense(tensor: Any) -> Any:
    """The tensor without sparseness; what is missing is 0 or an empty string."""
    import tensorflow as tf

    if not isinstance(tensor, tf.SparseTensor):
        return tensor
    # Of an optional feature each example has one value at most: anything else is not a column.
    one_column = tf.SparseTensor(tensor.indices, tensor.values, [tensor.dense_shape[0], 1])
    return tf.sparse.to_dense(one_column, "" if tensor.dtype == tf.string else 0)


def _to_input(tensor: Any) -> Any:
    """A raw feature as a model takes it: dense, numbers as float32, of shape [batch, 1]."""
    import tensorflow as tf

    dense = _dense(tensor)
    if isinstance(dense, tf.Tensor) and dense.dtype != tf.string:
        dense = tf.cast(dense, tf.float32)
    if isinstance(dense, tf.Tensor) and dense.shape.rank == 1:
        dense = tf.expand_dims(dense, 1)
    return dense
