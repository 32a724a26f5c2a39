"""Preprocessing functions that together call every public analyzer and mapper of tf.Transform.

An analyzer's value becomes a feature of each row, so that comparing rows compares everything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import tensorflow as tf
import tensorflow_transform as tft
from tensorflow_metadata.proto.v0 import schema_pb2
from transform_data import SCHEMA, SEQUENCE_SCHEMA

Tensors = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """A preprocessing function and what comparing its results needs.

    Args:
        function: The preprocessing function.
        schema: That of its inputs.
        tolerances: By feature, where numbers may differ by more than rounding.
        shards: In how many files the rows are. One is also one batch.
        rounded_files: Files of numbers, which may differ by rounding.
        needs_beam: Whether one of its analyzers is a Beam transform.
    """

    function: Callable[[Tensors], Tensors]
    schema: schema_pb2.Schema = field(default_factory=lambda: SCHEMA)
    tolerances: dict[str, float] = field(default_factory=dict)
    needs_beam: bool = False
    shards: int = 3
    rounded_files: tuple[str, ...] = ()


def each_row(value: Any, inputs: Tensors, shape: list[int] | None = None) -> tf.Tensor:
    """A constant as a feature: the same in each row."""
    value = tf.convert_to_tensor(value)
    if value.dtype in (tf.float64, tf.float16):
        value = tf.cast(value, tf.float32)
    elif value.dtype.is_integer:
        value = tf.cast(value, tf.int64)
    rows = tf.shape(inputs["id"])[0]
    flat = tf.reshape(value, [1, -1])
    tiled = tf.tile(flat, [rows, 1])
    size = value.shape.num_elements() or (shape[0] if shape else None)
    tiled.set_shape([None, size])
    return tiled


def first_few(value: tf.Tensor, count: int, padding: Any) -> tf.Tensor:
    """The first entries of a vector whose length only the data tells."""
    return tf.concat([value, tf.fill([count], tf.constant(padding, value.dtype))], 0)[:count]


def moments(inputs: Tensors) -> Tensors:
    """min, max, sum, mean, var and size of dense, sparse and ragged inputs."""
    outputs: Tensors = {"id": inputs["id"]}
    for name in ("x", "n", "vector", "odd", "sparse_x", "sparse_n", "ragged_x", "absent_x"):
        for analyzer in (tft.min, tft.max, tft.sum, tft.mean, tft.var, tft.size):
            outputs[f"{name}_{analyzer.__name__}"] = each_row(analyzer(inputs[name]), inputs)
    for analyzer in (tft.min, tft.max, tft.mean, tft.var, tft.size, tft.sum):
        value = analyzer(inputs["vector"], reduce_instance_dims=False)
        outputs[f"vector_each_{analyzer.__name__}"] = each_row(value, inputs, [3])
    for name in ("n", "extreme"):
        for analyzer in (tft.min, tft.max, tft.sum):
            outputs[f"{name}_as_int_{analyzer.__name__}"] = each_row(analyzer(inputs[name]), inputs)
    outputs["mean_double"] = each_row(tft.mean(inputs["n"], output_dtype=tf.float64), inputs)
    outputs["infinite_max"] = each_row(tft.max(inputs["infinite"]), inputs)
    outputs["infinite_min"] = each_row(tft.min(inputs["infinite"]), inputs)
    outputs["infinite_mean"] = each_row(tft.mean(inputs["infinite"]), inputs)
    outputs["covariance"] = each_row(tft.covariance(inputs["vector"], tf.float32), inputs)
    outputs["pca"] = tf.abs(each_row(tft.pca(inputs["vector"], 2, tf.float32), inputs))
    return outputs


def scaling(inputs: Tensors) -> Tensors:
    """The mappers that scale, each with its own options, and quantiles and buckets."""
    outputs: Tensors = {"id": inputs["id"]}
    for name in ("x", "n", "odd", "vector", "sparse_x", "ragged_x", "absent_x"):
        outputs[f"{name}_z"] = tft.scale_to_z_score(inputs[name])
        outputs[f"{name}_01"] = tft.scale_to_0_1(inputs[name])
        outputs[f"{name}_min_max"] = tft.scale_by_min_max(inputs[name], -1.0, 3.0)
    outputs["vector_z_elementwise"] = tft.scale_to_z_score(inputs["vector"], elementwise=True)
    outputs["vector_01_elementwise"] = tft.scale_to_0_1(inputs["vector"], elementwise=True)
    outputs["vector_min_max_elementwise"] = tft.scale_by_min_max(
        inputs["vector"], 0.0, 2.0, elementwise=True
    )
    for name in ("x", "n", "odd", "infinite", "vector", "sparse_x", "ragged_x", "absent_x"):
        outputs[f"{name}_buckets"] = tft.bucketize(inputs[name], 4, epsilon=0.001)
    outputs["x_weighted_buckets"] = tft.bucketize(
        inputs["x"], 5, epsilon=0.001, weights=inputs["weight"]
    )
    outputs["vector_buckets_elementwise"] = tft.bucketize(
        inputs["vector"], 3, epsilon=0.001, elementwise=True
    )
    boundaries = tft.quantiles(inputs["x"], 6, 0.001)
    outputs["quantiles"] = each_row(boundaries, inputs, [5])
    outputs["quantiles_weighted"] = each_row(
        tft.quantiles(inputs["y"], 4, 0.001, weights=inputs["weight"]), inputs, [3]
    )
    outputs["quantiles_each"] = each_row(
        tft.quantiles(inputs["vector"], 3, 0.001, reduce_instance_dims=False), inputs, [6]
    )
    outputs["applied_buckets"] = tft.apply_buckets(inputs["y"], boundaries)
    outputs["interpolated"] = tft.apply_buckets_with_interpolation(inputs["y"], boundaries)
    outputs["number_of_buckets"] = each_row(
        tft.get_num_buckets_for_transformed_feature(outputs["x_buckets"]), inputs, [1]
    )
    counts, edges = tft.histogram(inputs["x"], boundaries=5)
    outputs["histogram_counts"] = each_row(counts, inputs, [5])
    outputs["histogram_edges"] = each_row(edges, inputs, [5])
    counts, _ = tft.histogram(inputs["x"], boundaries=[0.0, 2.0, 4.0])
    outputs["histogram_given"] = each_row(counts, inputs)
    counts, names = tft.histogram(inputs["word"], categorical=True)
    outputs["histogram_words"] = each_row(first_few(counts, 5, 0), inputs, [5])
    outputs["histogram_names"] = each_row(first_few(names, 5, b""), inputs, [5])
    outputs["density"] = tft.estimated_probability_density(inputs["x"], boundaries=6)
    outputs["density_of_words"] = tft.estimated_probability_density(
        inputs["word"], categorical=True
    )
    return outputs


def gaussian(inputs: Tensors) -> Tensors:
    """L-moments are estimated within batches, so that they depend on what is a batch."""
    outputs: Tensors = {"id": inputs["id"]}
    for name in ("y", "vector", "sparse_x"):
        outputs[f"{name}_tukey_location"] = each_row(tft.tukey_location(inputs[name]), inputs)
        outputs[f"{name}_tukey_scale"] = each_row(tft.tukey_scale(inputs[name]), inputs)
        left, right = tft.tukey_h_params(inputs[name])
        outputs[f"{name}_tukey_h"] = each_row(tf.stack([left, right]), inputs)
    for name in ("y", "vector", "sparse_x"):
        outputs[f"{name}_gaussian"] = tft.scale_to_gaussian(inputs[name])
    outputs["vector_gaussian_elementwise"] = tft.scale_to_gaussian(
        inputs["vector"], elementwise=True
    )
    return outputs


def per_key(inputs: Tensors) -> Tensors:
    """What is computed for each key apart, in constants and in files."""
    outputs: Tensors = {"id": inputs["id"]}
    keys, counts = tft.count_per_key(inputs["key"])
    outputs["keys"] = each_row(keys, inputs, [4])
    outputs["counts"] = each_row(counts, inputs, [4])
    for name in ("x", "n"):
        for mapper in (
            tft.scale_to_z_score_per_key,
            tft.scale_to_0_1_per_key,
            tft.scale_by_min_max_per_key,
        ):
            label = f"{name}_{mapper.__name__}"
            outputs[label] = mapper(inputs[name], inputs["key"])
            outputs[f"{label}_unicode"] = mapper(inputs[name], inputs["unicode"])
            # A key in such a file is what stands before the first space.
            outputs[f"{label}_file"] = mapper(
                inputs[name], inputs["key"], key_vocabulary_filename=f"{label}_file"
            )
    outputs["vector_z"] = tft.scale_to_z_score_per_key(inputs["vector"], inputs["key"])
    outputs["vector_01"] = tft.scale_to_0_1_per_key(inputs["vector"], inputs["key"])
    outputs["vector_01_elementwise"] = tft.scale_to_0_1_per_key(
        inputs["vector"], inputs["key"], elementwise=True
    )
    outputs["vector_z_elementwise"] = tft.scale_to_z_score_per_key(
        inputs["vector"], inputs["key"], elementwise=True
    )
    outputs["odd_z"] = tft.scale_to_z_score_per_key(inputs["odd"], inputs["key"])
    outputs["x_unnamed_file"] = tft.scale_to_0_1_per_key(
        inputs["x"], inputs["key"], key_vocabulary_filename=""
    )
    outputs["x_buckets"] = tft.bucketize_per_key(inputs["x"], inputs["key"], 4, epsilon=0.001)
    outputs["x_weighted_buckets"] = tft.bucketize_per_key(
        inputs["x"], inputs["key"], 3, epsilon=0.001, weights=inputs["weight"]
    )
    outputs["binary_key"] = tft.scale_to_z_score_per_key(inputs["x"], inputs["binary"])
    return outputs


def _first_letter(token: bytes) -> bytes:
    return token[5:6]


def vocabularies(inputs: Tensors) -> Tensors:
    """Vocabularies by frequency and by weight, with every option."""
    outputs: Tensors = {"id": inputs["id"]}
    word = inputs["word"]
    options: dict[str, dict[str, Any]] = {
        "plain": {},
        "top": {"top_k": 5, "num_oov_buckets": 2},
        "threshold": {"frequency_threshold": 4, "default_value": -7},
        "both": {"top_k": 3, "frequency_threshold": 3},
        "weights": {"weights": inputs["weight"]},
        "weights_top": {"weights": inputs["weight"], "top_k": 6, "frequency_threshold": 5},
        "coverage": {
            "top_k": 2,
            "coverage_top_k": 1,
            "coverage_frequency_threshold": 2,
            "key_fn": _first_letter,
        },
        "coverage_top": {
            "frequency_threshold": 10,
            "coverage_top_k": 2,
            "key_fn": _first_letter,
        },
        "shuffled": {"fingerprint_shuffle": True},
        "shuffled_top": {"fingerprint_shuffle": True, "top_k": 6},
        "frequency": {"store_frequency": True, "top_k": 6},
        "frequency_weights": {"store_frequency": True, "weights": inputs["weight"]},
        "gzip": {"file_format": "tfrecord_gzip"},
        "gzip_frequency": {"file_format": "tfrecord_gzip", "store_frequency": True},
        "reserved": {"reserved_tokens": ["word 3", "unseen", "<pad>"]},
        "reserved_tensor": {"reserved_tokens": tf.constant(["word 2"]), "top_k": 4},
    }
    for name, chosen in options.items():
        outputs[name] = tft.compute_and_apply_vocabulary(word, vocab_filename=name, **chosen)
    for name in ("unicode", "binary", "tokens", "ragged_tokens", "n", "sparse_n", "absent_word"):
        outputs[f"of_{name}"] = tft.compute_and_apply_vocabulary(
            inputs[name], num_oov_buckets=1, vocab_filename=f"of_{name}"
        )
    outputs["of_binary_gzip"] = tft.compute_and_apply_vocabulary(
        inputs["binary"], file_format="tfrecord_gzip", vocab_filename="of_binary_gzip"
    )
    outputs["of_integers_frequency"] = tft.compute_and_apply_vocabulary(
        inputs["n"], store_frequency=True, top_k=5, vocab_filename="of_integers_frequency"
    )
    outputs["nothing_left"] = tft.compute_and_apply_vocabulary(
        word, frequency_threshold=10**6, vocab_filename="nothing_left"
    )
    outputs["top_zero_left"] = tft.compute_and_apply_vocabulary(
        word, frequency_threshold=10**6, top_k=3, vocab_filename="top_zero_left"
    )
    outputs["unnamed"] = tft.compute_and_apply_vocabulary(word)
    path = tft.vocabulary(inputs["tokens"], top_k=7, vocab_filename="alone")
    outputs["applied"] = tft.apply_vocabulary(inputs["ragged_tokens"], path, num_oov_buckets=3)
    outputs["size"] = each_row(tft.experimental.get_vocabulary_size_by_name("plain"), inputs, [1])
    tft.experimental.approximate_vocabulary(
        word, 30, vocab_filename="approximate", store_frequency=True
    )
    # With fewer than there are tokens, the result is an estimate that depends on the batches.
    outputs["approximate_applied"] = tft.experimental.compute_and_apply_approximate_vocabulary(
        inputs["tokens"], top_k=12, vocab_filename="approximate_applied", num_oov_buckets=1
    )
    outputs["approximate_integers"] = tft.experimental.compute_and_apply_approximate_vocabulary(
        inputs["n"], top_k=200, vocab_filename="approximate_integers"
    )
    # On Beam all but the last of a function lose their reserved tokens.
    outputs["approximate_weights"] = tft.experimental.compute_and_apply_approximate_vocabulary(
        word,
        top_k=50,
        weights=inputs["weight"],
        reserved_tokens=["<pad>"],
        file_format="tfrecord_gzip",
        vocab_filename="approximate_weights",
    )
    return outputs


def informative_vocabularies(inputs: Tensors) -> Tensors:
    """Vocabularies by what a token tells about a label."""
    outputs: Tensors = {"id": inputs["id"]}
    label = inputs["label"]
    unique_tokens = tft.deduplicate_tensor_per_row(inputs["tokens"])
    options: dict[str, dict[str, Any]] = {
        "plain": {},
        "regularized": {"min_diff_from_avg": 1.5},
        "recommended": {"min_diff_from_avg": None},
        "adjusted": {"use_adjusted_mutual_info": True},
        "adjusted_frequency": {"use_adjusted_mutual_info": True, "store_frequency": True},
        "frequency": {"store_frequency": True},
        "regularized_frequency": {"store_frequency": True, "min_diff_from_avg": 2.0},
        "top": {"top_k": 4},
        "threshold": {"frequency_threshold": 8},
        "weights": {"weights": inputs["weight"]},
        "weights_adjusted": {"weights": inputs["weight"], "use_adjusted_mutual_info": True},
    }
    for name, chosen in options.items():
        outputs[name] = tft.compute_and_apply_vocabulary(
            inputs["word"], labels=label, vocab_filename=name, **chosen
        )
    outputs["of_tokens"] = tft.compute_and_apply_vocabulary(
        unique_tokens, labels=label, vocab_filename="of_tokens"
    )
    outputs["of_integers"] = tft.compute_and_apply_vocabulary(
        inputs["n"] // 20, labels=label, vocab_filename="of_integers", frequency_threshold=2
    )
    outputs["of_absent"] = tft.compute_and_apply_vocabulary(
        inputs["absent_word"], labels=label, vocab_filename="of_absent"
    )
    return outputs


def text(inputs: Tensors) -> Tensors:
    """Tokens to numbers: n-grams, bags, hashes, counts and TF-IDF; and what only reshapes."""
    outputs: Tensors = {"id": inputs["id"]}
    words = tf.compat.v1.strings.split(inputs["text"])
    tokens = inputs["tokens"]
    outputs["ngrams"] = tft.ngrams(words, (1, 2), " ")
    outputs["bag"] = tft.bag_of_words(words, (1, 2), " ")
    outputs["word_count"] = tft.word_count(words)
    outputs["ragged_word_count"] = tft.word_count(inputs["ragged_tokens"])
    outputs["hashed"] = tft.hash_strings(inputs["word"], 10)
    outputs["hashed_with_key"] = tft.hash_strings(tokens, 10, key=[123, 456])
    indices = tft.compute_and_apply_vocabulary(tokens, vocab_filename="tokens")
    size = 13
    outputs["tfidf_index"], outputs["tfidf_weight"] = tft.tfidf(indices, size)
    outputs["tfidf_plain_index"], outputs["tfidf_plain_weight"] = tft.tfidf(
        indices, size, smooth=False
    )
    outputs["document_frequency"] = tft.experimental.document_frequency(indices, size)
    outputs["idf"] = tft.experimental.idf(indices, size)
    outputs["idf_plain"] = tft.experimental.idf(indices, size, smooth=False, add_baseline=False)
    outputs["dense"] = tft.sparse_tensor_to_dense_with_shape(inputs["sparse_x"], [None, 5], -1.0)
    outputs["left"] = tft.sparse_tensor_left_align(inputs["sparse_x"])
    outputs["without_repetitions"] = tft.deduplicate_tensor_per_row(tokens)
    ragged = inputs["ragged_x"]
    segments = tft.segment_indices(tf.cast(ragged.value_rowids(), tf.int32))
    outputs["segments"] = ragged.with_values(tf.cast(segments, tf.int64))
    outputs["unicode"] = inputs["unicode"]
    outputs["binary"] = inputs["binary"]
    outputs["odd"] = inputs["odd"]
    outputs["infinite"] = inputs["infinite"]
    outputs["extreme"] = inputs["extreme"]
    outputs["ragged_x"] = inputs["ragged_x"]
    outputs["absent_x"] = inputs["absent_x"]
    outputs["absent_word"] = inputs["absent_word"]
    return outputs


def phases(inputs: Tensors) -> Tensors:
    """Analyzers that wait for others, and those within functions of TensorFlow."""
    outputs: Tensors = {"id": inputs["id"]}
    x = inputs["x"]
    outputs["two"] = tft.scale_to_0_1(tft.scale_to_z_score(x))
    outputs["buckets_of_scaled"] = tft.bucketize(tft.scale_to_z_score(x), 4, epsilon=0.001)
    word = tft.compute_and_apply_vocabulary(inputs["word"], vocab_filename="word")
    outputs["scaled_word"] = tft.scale_to_z_score(tf.cast(word, tf.float32))
    outputs["vocabulary_of_buckets"] = tft.compute_and_apply_vocabulary(
        tft.bucketize(x, 3, epsilon=0.001), vocab_filename="buckets"
    )
    tft.annotate_asset("the words", "word")
    return outputs


def sequences(inputs: Tensors) -> Tensors:
    """tf.SequenceExamples: ragged tensors of two dimensions beside the context."""
    outputs: Tensors = {"id": inputs["id"]}
    outputs["country"] = tft.compute_and_apply_vocabulary(
        inputs["country"], vocab_filename="country"
    )
    outputs["item"] = tft.compute_and_apply_vocabulary(inputs["item"], vocab_filename="item")
    outputs["price_z"] = tft.scale_to_z_score(inputs["price"])
    outputs["price"] = inputs["price"]
    outputs["price_buckets"] = tft.bucketize(inputs["price"], 3, epsilon=0.001)
    outputs["spent"] = tft.scale_to_0_1(
        tf.reduce_sum(tf.reduce_sum(inputs["price"], axis=2), axis=1)
    )
    return outputs


def beam_analyzers(inputs: Tensors) -> Tensors:
    """Analyzers of the user's that are Beam transforms, and objects of the user's."""
    import beam_analyzers as analyzers

    outputs: Tensors = {"id": inputs["id"]}
    keys, means = tft.experimental.ptransform_analyzer(
        inputs=[inputs["key"], inputs["x"]],
        ptransform=analyzers.MeanPerKey(),
        output_dtypes=[tf.string, tf.float32],
        output_shapes=[[4], [4]],
    )
    outputs["keys"] = each_row(keys, inputs, [4])
    outputs["means"] = each_row(means, inputs, [4])
    (total,) = tft.experimental.ptransform_analyzer(
        inputs=[inputs["n"]],
        ptransform=analyzers.cacheable_sum(),
        output_dtypes=[tf.int64],
        output_shapes=[[]],
    )
    outputs["total"] = each_row(total, inputs, [1])
    # A phase later, with a constant of Beam's in its input.
    outputs["scaled"] = tft.scale_to_0_1(inputs["x"] * tf.cast(total, tf.float32))
    (later,) = tft.experimental.ptransform_analyzer(
        inputs=[inputs["n"] - tft.min(inputs["n"])],
        ptransform=analyzers.cacheable_sum(),
        output_dtypes=[tf.int64],
        output_shapes=[[]],
    )
    outputs["later"] = each_row(later, inputs, [1])
    (path,) = tft.experimental.ptransform_analyzer(
        inputs=[inputs["key"]],
        ptransform=analyzers.WriteKeys(),
        output_dtypes=[tf.string],
        output_shapes=[[]],
        output_asset_default_values=[b"unknown"],
    )
    outputs["from_file"] = tft.apply_vocabulary(inputs["key"], path)
    return outputs


def objects(inputs: Tensors) -> Tensors:
    """Layers, Python functions and annotations, which belong to the function and not to data."""
    outputs: Tensors = {"id": inputs["id"]}

    def table() -> tf.lookup.StaticHashTable:
        initializer = tf.lookup.KeyValueTensorInitializer([b"key1"], [tf.constant(5, tf.int64)])
        return tf.lookup.StaticHashTable(initializer, -1)

    outputs["looked_up"] = tft.make_and_track_object(table, name="table").lookup(inputs["key"])
    sparse = inputs["sparse_x"]
    fixed = tf.SparseTensor(sparse.indices, sparse.values, [sparse.dense_shape[0], 4])
    tft.experimental.annotate_sparse_output_shape(fixed, [4])
    outputs["with_shape"] = fixed
    pairs = tf.SparseTensor(sparse.indices, sparse.values, [sparse.dense_shape[0], 4])
    tft.experimental.annotate_sparse_output_shape(pairs, [4])
    tft.experimental.annotate_true_sparse_output(pairs)
    outputs["pairs"] = pairs
    return outputs


def sample(inputs: Tensors) -> Tensors:
    """A little of everything, for tests that have no time."""
    outputs: Tensors = {"id": inputs["id"]}
    for name in ("x", "odd", "sparse_x", "ragged_x", "absent_x"):
        outputs[f"{name}_z"] = tft.scale_to_z_score(inputs[name])
    outputs["n_01"] = tft.scale_to_0_1(inputs["n"])
    outputs["vector_z"] = tft.scale_to_z_score(inputs["vector"], elementwise=True)
    outputs["x_buckets"] = tft.bucketize(inputs["x"], 4, epsilon=0.001)
    outputs["covariance"] = each_row(tft.covariance(inputs["vector"], tf.float32), inputs)
    outputs["per_key"] = tft.scale_to_z_score_per_key(inputs["x"], inputs["key"])
    outputs["per_key_file"] = tft.scale_to_0_1_per_key(
        inputs["x"], inputs["key"], key_vocabulary_filename="per_key"
    )
    outputs["per_key_buckets"] = tft.bucketize_per_key(inputs["x"], inputs["key"], 3)
    for name in ("unicode", "binary", "tokens", "n", "absent_word"):
        outputs[f"of_{name}"] = tft.compute_and_apply_vocabulary(
            inputs[name], num_oov_buckets=1, vocab_filename=f"of_{name}"
        )
    outputs["weighted"] = tft.compute_and_apply_vocabulary(
        inputs["word"],
        weights=inputs["weight"],
        reserved_tokens=["<pad>"],
        store_frequency=True,
        vocab_filename="weighted",
    )
    outputs["informative"] = tft.compute_and_apply_vocabulary(
        inputs["word"],
        labels=inputs["label"],
        use_adjusted_mutual_info=True,
        top_k=9,
        file_format="tfrecord_gzip",
        vocab_filename="informative",
    )
    outputs["two_phases"] = tft.scale_to_0_1(tft.scale_to_z_score(inputs["x"]))
    return outputs


def handful(inputs: Tensors) -> Tensors:
    """A few analyzers, one of each kind of accumulator."""
    return {
        "id": inputs["id"],
        "x": tft.scale_to_0_1(tft.scale_to_z_score(inputs["x"])),
        "y": tft.bucketize(inputs["y"], 7, epsilon=0.01),
        "key": tft.scale_to_z_score_per_key(inputs["x"], inputs["key"]),
        "word": tft.compute_and_apply_vocabulary(inputs["word"], vocab_filename="word"),
        "weighted": tft.compute_and_apply_vocabulary(
            inputs["word"], weights=inputs["weight"], vocab_filename="weighted", top_k=9
        ),
        "informative": tft.compute_and_apply_vocabulary(
            inputs["word"], labels=inputs["label"], vocab_filename="informative"
        ),
        "approximate": tft.experimental.compute_and_apply_approximate_vocabulary(
            inputs["word"], top_k=5, vocab_filename="approximate"
        ),
    }


CASES: dict[str, Case] = {
    "moments": Case(moments, tolerances={"pca": 1e-4}),
    "scaling": Case(scaling),
    "gaussian": Case(gaussian, shards=1),
    "per_key": Case(
        per_key,
        rounded_files=("x_scale_to_z_score_per_key_file", "n_scale_to_z_score_per_key_file"),
    ),
    "vocabularies": Case(vocabularies),
    "informative_vocabularies": Case(informative_vocabularies),
    "text": Case(text),
    "phases": Case(phases),
    "sequences": Case(sequences, schema=SEQUENCE_SCHEMA),
    "beam_analyzers": Case(beam_analyzers, needs_beam=True),
    "objects": Case(objects),
    "sample": Case(sample),
}
