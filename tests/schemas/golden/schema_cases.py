"""Small statistics and schemas, in text form; what TFDV makes of them is in `expected/`.

`make_golden.py` writes the expectations, with TFDV; the tests read both.
"""

from __future__ import annotations

from dataclasses import dataclass

COMMON = (
    "common_stats { num_non_missing: 10 min_num_values: 1 max_num_values: 1 tot_num_values: 10 }"
)


def numbers(
    kind: str = "INT", name: str = "f", more: str = "min: 0 max: 9", common: str = COMMON
) -> str:
    return f'features {{ path {{ step: "{name}" }} type: {kind} num_stats {{ {common} {more} }} }}'


def strings(counts: dict[str, float], name: str = "f", more: str = "", common: str = COMMON) -> str:
    buckets = " ".join(
        f'buckets {{ label: "{label}" sample_count: {count} }}' for label, count in counts.items()
    )
    return (
        f'features {{ path {{ step: "{name}" }} type: STRING string_stats {{ {common} '
        f"unique: {len(counts)} rank_histogram {{ {buckets} }} {more} }} }}"
    )


def binary(name: str = "f", more: str = "", custom: str = "") -> str:
    return (
        f'features {{ path {{ step: "{name}" }} type: BYTES bytes_stats {{ {COMMON} {more} }} '
        f"{custom} }}"
    )


def valency(fewest: int, most: int, missing: int = 0) -> str:
    return (
        f"common_stats {{ num_non_missing: {10 - missing} num_missing: {missing} "
        f"min_num_values: {fewest} max_num_values: {most} tot_num_values: 10 }}"
    )


def nested(*levels: tuple[int, int, int]) -> str:
    """Common statistics of a nested feature: fewest, most and missing values on each level."""
    stats = " ".join(
        f"presence_and_valency_stats {{ num_non_missing: 10 min_num_values: {fewest} "
        f"max_num_values: {most} num_missing: {missing} }}"
        for fewest, most, missing in levels
    )
    fewest, most, missing = levels[0]
    return valency(fewest, most, missing)[:-1] + stats + "}"


def custom(name: str, *statistics: str) -> str:
    listed = " ".join(f"custom_stats {{ {statistic} }}" for statistic in statistics)
    return f'features {{ path {{ step: "{name}" }} {listed} }}'


def histogram(kind: str, *buckets: tuple[float, float, float], nan: int = 0) -> str:
    listed = " ".join(
        f"buckets {{ low_value: {low} high_value: {high} sample_count: {count} }}"
        for low, high, count in buckets
    )
    return f"histograms {{ type: {kind} num_nan: {nan} {listed} }}"


@dataclass(frozen=True, kw_only=True)
class ValidationCase:
    """Statistics held against a schema; statistics without num_examples are of ten examples."""

    statistics: str
    schema: str
    environment: str | None = None
    previous: str | None = None
    serving: str | None = None


@dataclass(frozen=True, kw_only=True)
class InferenceCase:
    """Statistics of one split, and of another with which the schema is updated."""

    statistics: str
    update: str | None = None


def feature(text: str, name: str = "f") -> str:
    return f'feature {{ name: "{name}" {text} }}'


AB = {"a": 9, "b": 1}
BA = {"a": 3, "b": 17}
LOW = histogram("STANDARD", (0, 5, 9), (5, 10, 1))
HIGH = histogram("STANDARD", (0, 4, 1), (4, 12, 19))

VALIDATION = {
    "fits": ValidationCase(statistics=numbers(), schema=feature("type: INT")),
    "no_examples": ValidationCase(
        statistics="num_examples: 0 " + numbers(), schema=feature("type: INT")
    ),
    "new_column": ValidationCase(statistics=numbers(), schema=feature("type: INT", "g")),
    "missing_column": ValidationCase(
        statistics=numbers(),
        schema=feature("type: INT") + feature("type: INT presence { min_fraction: 1 }", "g"),
    ),
    "optional_column_missing": ValidationCase(
        statistics=numbers(), schema=feature("type: INT") + feature("type: INT", "g")
    ),
    "deprecated_column": ValidationCase(
        statistics=numbers(), schema=feature("type: BYTES lifecycle_stage: DEPRECATED")
    ),
    "odd_names": ValidationCase(
        statistics=numbers(name="a.b")
        + numbers(name="it's")
        + numbers(name="(x)")
        + numbers(name=""),
        schema=feature("type: INT", "g"),
    ),
    "wrong_type": ValidationCase(statistics=numbers("FLOAT"), schema=feature("type: INT")),
    "wrong_type_string": ValidationCase(statistics=strings(AB), schema=feature("type: FLOAT")),
    "not_present": ValidationCase(
        statistics=numbers(common=valency(0, 0, 10)),
        schema=feature("type: INT presence { min_count: 1 }"),
    ),
    "low_count": ValidationCase(
        statistics=numbers(common=valency(1, 1, 4)),
        schema=feature("type: INT presence { min_count: 8 }"),
    ),
    "low_fraction": ValidationCase(
        statistics=numbers(common=valency(1, 1, 4)),
        schema=feature("type: INT presence { min_fraction: 0.9 }"),
    ),
    "lost_in_rounding": ValidationCase(
        statistics="num_examples: 10000000000000000000 "
        + numbers(
            common="common_stats { num_non_missing: 9999999999999999999 num_missing: 1 "
            "min_num_values: 1 max_num_values: 1 }"
        ),
        schema=feature("type: INT presence { min_fraction: 1 }"),
    ),
    "few_values": ValidationCase(
        statistics=numbers(common=valency(1, 3)), schema=feature("type: INT value_count { min: 2 }")
    ),
    "many_values": ValidationCase(
        statistics=numbers(common=valency(1, 3)),
        schema=feature("type: INT value_count { min: 1 max: 1 }"),
    ),
    "nested_values": ValidationCase(
        statistics=numbers(common=nested((1, 1, 0), (0, 4, 0))),
        schema=feature(
            "type: INT value_counts { value_count { min: 2 } value_count { min: 1 max: 3 } }"
        ),
    ),
    "too_nested": ValidationCase(
        statistics=numbers(common=nested((1, 1, 0), (0, 4, 0))),
        schema=feature("type: INT value_count { min: 1 }"),
    ),
    "not_nested_enough": ValidationCase(
        statistics=numbers(),
        schema=feature("type: INT value_counts { value_count { min: 1 } value_count { min: 1 } }"),
    ),
    "shape_with_missing": ValidationCase(
        statistics=numbers(common=valency(1, 1, 2)),
        schema=feature("type: INT shape { dim { size: 1 } }"),
    ),
    "shape_that_varies": ValidationCase(
        statistics=numbers(common=valency(1, 2)), schema=feature("type: INT shape {}")
    ),
    "shape_of_another_size": ValidationCase(
        statistics=numbers(common=valency(6, 6)),
        schema=feature("type: INT shape { dim { size: 2 } dim { size: 2 } }"),
    ),
    "shape_reshaped": ValidationCase(
        statistics=numbers(common=valency(6, 6)),
        schema=feature("type: INT shape { dim { size: 2 } dim { size: 3 } }"),
    ),
    "out_of_domain": ValidationCase(
        statistics=strings({"a": 4, "b": 3, "é\\n": 2, '\\"q\\"': 1}),
        schema=feature('type: BYTES domain: "d"')
        + 'string_domain { name: "d" value: "a" value: "z" }',
    ),
    "out_of_own_domain": ValidationCase(
        statistics="num_examples: 1000 "
        + strings({"a": 999, "b": 1}, common=COMMON.replace("10", "1000")),
        schema=feature('type: BYTES string_domain { value: "a" }'),
    ),
    "mass_inside": ValidationCase(
        statistics=strings(AB),
        schema=feature(
            'type: BYTES string_domain { value: "a" } '
            "distribution_constraints { min_domain_mass: 0.9 }"
        ),
    ),
    "mass_outside": ValidationCase(
        statistics=strings(AB),
        schema=feature(
            'type: BYTES string_domain { value: "a" } '
            "distribution_constraints { min_domain_mass: 0.95 }"
        ),
    ),
    "invalid_utf8": ValidationCase(
        statistics=strings({"__BYTES_VALUE__": 10}, more="invalid_utf8_count: 3"),
        schema=feature('type: BYTES string_domain { value: "a" }'),
    ),
    "bool_small": ValidationCase(
        statistics=numbers(more="min: -1 max: 1"), schema=feature("type: INT bool_domain {}")
    ),
    "bool_big": ValidationCase(
        statistics=numbers(more="min: 0 max: 1234567"), schema=feature("type: INT bool_domain {}")
    ),
    "bool_float": ValidationCase(
        statistics=numbers("FLOAT", more="min: 0 max: 0.5"),
        schema=feature("type: FLOAT bool_domain {}"),
    ),
    "bool_nan": ValidationCase(
        statistics=numbers(
            "FLOAT", more="min: 0 max: 1 " + histogram("STANDARD", (0, 1, 9), nan=1)
        ),
        schema=feature("type: FLOAT bool_domain {}"),
    ),
    "bool_between": ValidationCase(
        statistics=numbers("FLOAT", more="min: 0 max: 1 " + histogram("QUANTILES", (0.2, 0.8, 9))),
        schema=feature("type: FLOAT bool_domain {}"),
    ),
    "bool_word": ValidationCase(
        statistics=strings({"yes": 5, "no": 5}),
        schema=feature('type: BYTES bool_domain { true_value: "yes" false_value: "nope" }'),
    ),
    "bool_without_words": ValidationCase(
        statistics=strings({"yes": 5}), schema=feature("type: BYTES bool_domain {}")
    ),
    "int_range": ValidationCase(
        statistics=numbers(more="min: -5 max: 100"),
        schema=feature("type: INT int_domain { min: 0 max: 10 }"),
    ),
    "int_beyond_64_bits": ValidationCase(
        statistics=numbers(more="min: -1e19 max: 3"),
        schema=feature("type: INT int_domain { min: 0 max: 10 }"),
    ),
    "int_smallest": ValidationCase(
        statistics=numbers(more="min: -9223372036854775808 max: 3"),
        schema=feature("type: INT int_domain { min: 0 max: 10 }"),
    ),
    "int_categorical": ValidationCase(
        statistics=strings({"3": 5, "7": 5}).replace("type: STRING", "type: INT"),
        schema=feature("type: INT int_domain { min: 4 max: 6 is_categorical: true }"),
    ),
    "int_text": ValidationCase(
        statistics=strings({"-7": 5, " 12": 5}),
        schema=feature("type: BYTES int_domain { min: 0 max: 10 }"),
    ),
    "not_int_text": ValidationCase(
        statistics=strings({"7": 5, "seven": 5}), schema=feature("type: BYTES int_domain {}")
    ),
    "float_range": ValidationCase(
        statistics=numbers("FLOAT", more="min: -1.23456789 max: 1e10"),
        schema=feature("type: FLOAT float_domain { min: 0 max: 123456789 }"),
    ),
    "float_nan": ValidationCase(
        statistics=numbers(
            "FLOAT", more="min: 0 max: 1 " + histogram("STANDARD", (0, 1, 9), nan=1)
        ),
        schema=feature("type: FLOAT float_domain { disallow_nan: true }"),
    ),
    "float_infinite": ValidationCase(
        statistics=numbers("FLOAT", more="min: 0 max: inf"),
        schema=feature("type: FLOAT float_domain { disallow_inf: true }"),
    ),
    "not_float_text": ValidationCase(
        statistics=strings({"7.5": 5, "1_0": 5}), schema=feature("type: BYTES float_domain {}")
    ),
    "float_text": ValidationCase(
        statistics=strings({"7.5": 5, "-1e3": 5}),
        schema=feature("type: BYTES float_domain { min: 0 max: 5 }"),
    ),
    "too_unique": ValidationCase(
        statistics=strings({"a": 4, "b": 3, "c": 3}),
        schema=feature("type: BYTES unique_constraints { min: 1 max: 2 }"),
    ),
    "not_unique_enough": ValidationCase(
        statistics=strings(AB), schema=feature("type: BYTES unique_constraints { min: 3 max: 5 }")
    ),
    "unique_not_counted": ValidationCase(
        statistics=numbers(), schema=feature("type: INT unique_constraints { min: 3 max: 5 }")
    ),
    "image_size": ValidationCase(
        statistics=binary(more="max_num_bytes_int: 100"),
        schema=feature("type: BYTES image_domain { max_image_byte_size: 50 }"),
    ),
    "image_formats": ValidationCase(
        statistics=binary(
            custom='custom_stats { name: "image_format_histogram" rank_histogram { '
            'buckets { label: "jpeg" sample_count: 6 } buckets { label: "UNKNOWN" sample_count: 4 }'
            "} }"
        ),
        schema=feature("type: BYTES image_domain { minimum_supported_image_fraction: 0.8 }"),
    ),
    "language_not_counted": ValidationCase(
        statistics=strings(AB),
        schema=feature("type: BYTES natural_language_domain { coverage { min_coverage: 0.5 } }"),
    ),
    "language": ValidationCase(
        statistics=strings(AB)[:-1] + 'custom_stats { name: "nl_statistics" any { '
        "[type.googleapis.com/tensorflow.metadata.v0.NaturalLanguageStatistics] { "
        "feature_coverage: 0.25 avg_token_length: 1.5 "
        'token_statistics { string_token: "the" fraction_of_sequences: 0.333333333 '
        "per_sequence_min_frequency: 1 per_sequence_max_frequency: 9 } "
        "token_statistics { int_token: 7 fraction_of_sequences: 0.9 } } } } }",
        schema=feature(
            "type: BYTES natural_language_domain { "
            "coverage { min_coverage: 0.5 min_avg_token_length: 2 } "
            'token_constraints { string_value: "the" min_fraction_of_sequences: 0.5 '
            "min_per_sequence: 2 max_per_sequence: 3 } "
            "token_constraints { int_value: 7 max_fraction_of_sequences: 0.1 } }"
        ),
    ),
    "language_of_unknown_token": ValidationCase(
        statistics=strings(AB)[:-1] + 'custom_stats { name: "nl_statistics" any { '
        "[type.googleapis.com/tensorflow.metadata.v0.NaturalLanguageStatistics] {} } } }",
        schema=feature(
            "type: BYTES natural_language_domain { "
            'token_constraints { string_value: "the" min_per_sequence: 2 } }'
        ),
    ),
    "proposed_domain": ValidationCase(
        statistics=strings(AB)[:-1] + 'custom_stats { name: "domain_info" str: "mid_domain {}" } }',
        schema=feature("type: BYTES"),
    ),
    "bytes_with_domain": ValidationCase(
        statistics=binary(),
        schema=feature(
            'type: BYTES presence { min_fraction: 0.3 } string_domain { value: "a" }', "f"
        ),
    ),
    "derived": ValidationCase(
        statistics=strings(AB)[:-1] + 'validation_derived_source { deriver_name: "d" } }',
        schema=feature("type: BYTES"),
    ),
    "derived_lifecycle": ValidationCase(
        statistics=strings(AB)[:-1] + 'validation_derived_source { deriver_name: "d" } }',
        schema=feature('type: BYTES validation_derived_source { deriver_name: "d" }'),
    ),
    "not_in_environment": ValidationCase(
        statistics=numbers(),
        schema='default_environment: "TRAINING" default_environment: "SERVING"'
        + feature('type: INT not_in_environment: "SERVING"'),
        environment="SERVING",
    ),
    "missing_in_environment": ValidationCase(
        statistics=numbers(name="g"),
        schema='default_environment: "TRAINING" default_environment: "SERVING"'
        + feature('type: INT presence { min_count: 1 } not_in_environment: "SERVING"')
        + feature('type: INT in_environment: "SERVING"', "g"),
        environment="SERVING",
    ),
    "drift_of_strings": ValidationCase(
        statistics=strings(AB),
        schema=feature(
            "type: BYTES drift_comparator { infinity_norm { threshold: 0.1 } "
            "jensen_shannon_divergence { threshold: 0.01 } "
            "normalized_abs_difference { threshold: 0.02 } }"
        ),
        previous=strings(BA),
    ),
    "skew_of_strings": ValidationCase(
        statistics=strings(AB),
        schema=feature("type: BYTES skew_comparator { infinity_norm { threshold: 0.01 } }"),
        serving=strings({"a": 5, "c": 5}),
    ),
    "no_drift": ValidationCase(
        statistics=strings(AB),
        schema=feature("type: BYTES drift_comparator { infinity_norm { threshold: 0.9 } }"),
        previous=strings(BA),
    ),
    "drift_of_numbers": ValidationCase(
        statistics=numbers("FLOAT", more="min: 0 max: 10 " + LOW),
        schema=feature(
            "type: FLOAT drift_comparator { jensen_shannon_divergence { threshold: 0.01 } }"
        ),
        previous=numbers("FLOAT", more="min: 0 max: 12 " + HIGH),
    ),
    "skew_of_quantiles": ValidationCase(
        statistics=numbers("FLOAT", more=histogram("QUANTILES", (0, 1, 5), (1, 1, 5), (1, 9, 5))),
        schema=feature(
            "type: FLOAT skew_comparator { jensen_shannon_divergence { threshold: 0.01 "
            "source { type: QUANTILES } } }"
        ),
        serving=numbers(
            "FLOAT", more=histogram("QUANTILES", (0, 4, 5), (4, 9, 5), (9, float("inf"), 5))
        ),
    ),
    "control_missing": ValidationCase(
        statistics=strings(AB),
        schema=feature(
            "type: BYTES drift_comparator { infinity_norm { threshold: 0.1 } } "
            "skew_comparator { infinity_norm { threshold: 0.1 } }"
        ),
        previous=numbers(name="g"),
        serving=numbers(name="g"),
    ),
    "few_examples": ValidationCase(
        statistics=numbers(),
        schema=feature("type: INT") + "dataset_constraints { min_examples_count: 11 }",
    ),
    "many_examples": ValidationCase(
        statistics="num_examples: 1234567 " + numbers(),
        schema=feature("type: INT")
        + "dataset_constraints { min_examples_count: 1 max_examples_count: 9 }",
    ),
    "more_examples_than_before": ValidationCase(
        statistics=numbers(),
        schema=feature("type: INT") + "dataset_constraints { num_examples_drift_comparator { "
        "min_fraction_threshold: 0.9 max_fraction_threshold: 1.1 } }",
        previous="num_examples: 3",
    ),
    "fewer_examples_than_before": ValidationCase(
        statistics=numbers(),
        schema=feature("type: INT") + "dataset_constraints { num_examples_drift_comparator { "
        "min_fraction_threshold: 0.9 max_fraction_threshold: 1.1 } }",
        previous="num_examples: 30",
    ),
    "sparse_feature": ValidationCase(
        statistics=numbers(name="v")
        + custom(
            "s",
            'name: "missing_value" num: 3',
            'name: "missing_index" rank_histogram { buckets { label: "i" sample_count: 2 } }',
            'name: "max_length_diff" rank_histogram { buckets { label: "i" sample_count: 1 } }',
            'name: "min_length_diff" rank_histogram { buckets { label: "i" sample_count: -1 } }',
        ),
        schema=feature("type: INT", "v")
        + 'sparse_feature { name: "s" value_feature { name: "v" } index_feature { name: "i" } }',
    ),
    "sparse_name_taken": ValidationCase(
        statistics=numbers(),
        schema=feature("type: INT") + 'sparse_feature { name: "f" value_feature { name: "v" } }',
    ),
    "weighted_feature": ValidationCase(
        statistics=numbers(name="v")
        + custom(
            "w",
            'name: "missing_value" num: 3',
            'name: "missing_weight" num: 2',
            'name: "min_weight_length_diff" num: -1',
            'name: "max_weight_length_diff" num: 4',
        ),
        schema=feature("type: INT", "v")
        + 'weighted_feature { name: "w" feature { step: "v" } weight_feature { step: "x" } }',
    ),
    "weighted_name_taken": ValidationCase(
        statistics=numbers(),
        schema=feature("type: INT") + 'weighted_feature { name: "f" feature { step: "v" } }',
    ),
    "without_type": ValidationCase(statistics=numbers(), schema=feature("")),
    "type_from_domain": ValidationCase(
        statistics=strings(AB), schema=feature('string_domain { value: "a" value: "b" }')
    ),
    "impossible_numbers": ValidationCase(
        statistics=numbers(),
        schema=feature("type: INT presence { min_fraction: 2 } value_count { min: -1 max: -2 }"),
    ),
    "impossible_levels": ValidationCase(
        statistics=numbers(common=nested((1, 1, 0), (1, 1, 0))),
        schema=feature(
            "type: INT presence { min_fraction: -1 } "
            "value_counts { value_count { min: -1 } value_count { min: 2 max: 1 } }"
        ),
    ),
    "impossible_shape": ValidationCase(
        statistics=numbers(), schema=feature("type: INT shape { dim { size: 0 } }")
    ),
    "domain_of_another_type": ValidationCase(
        statistics=numbers(), schema=feature('type: INT string_domain { value: "a" }')
    ),
    "domain_not_there": ValidationCase(
        statistics=strings(AB), schema=feature('type: BYTES domain: "d"')
    ),
    "distribution_of_numbers": ValidationCase(
        statistics=numbers(),
        schema=feature("type: INT int_domain {} distribution_constraints { min_domain_mass: 1 }"),
    ),
    "struct_with_news_inside": ValidationCase(
        statistics='features { path { step: "t" } type: STRUCT struct_stats { '
        + COMMON
        + ' } } features { path { step: "t" step: "old" } type: FLOAT num_stats { '
        + COMMON
        + ' } } features { path { step: "t" step: "new" } type: INT num_stats { '
        + COMMON
        + " } }",
        schema=feature(
            'type: STRUCT struct_domain { feature { name: "old" type: INT } '
            'feature { name: "gone" type: INT presence { min_count: 1 } } }',
            "t",
        ),
    ),
}

STRUCT = (
    'features { path { step: "t" } type: STRUCT struct_stats { '
    + COMMON
    + ' } } features { path { step: "t" step: "x.y" } type: STRING string_stats { '
    + COMMON
    + ' rank_histogram { buckets { label: "u" sample_count: 3 } } } } '
    'features { path { step: "t" step: "n" } type: INT num_stats { ' + valency(1, 3) + " max: 7 } }"
)
BY_WEIGHT = (
    'num_examples: 10 weighted_num_examples: 5.5 features { path { step: "f" } type: STRING '
    "string_stats { common_stats { num_non_missing: 10 min_num_values: 1 max_num_values: 1 "
    "weighted_common_stats { num_non_missing: 0.5 num_missing: 5 } } "
    'rank_histogram { buckets { label: "a" sample_count: 3 } } weighted_string_stats { '
    'rank_histogram { buckets { label: "b" sample_count: 3 } } } } }'
)

INFERENCE = {
    "nothing": InferenceCase(statistics="num_examples: 0"),
    "numbers": InferenceCase(
        statistics=numbers(name="i")
        + numbers("FLOAT", "x", common=valency(2, 2))
        + numbers(name="missing", common=valency(1, 1, 3))
        + numbers(name="varies", common=valency(1, 4))
        + numbers(name="sometimes_empty", common=valency(0, 4))
        + numbers(name="never", common=valency(0, 0, 10)),
        update=numbers(name="i", common=valency(1, 2, 1)) + numbers(name="later"),
    ),
    "bools": InferenceCase(
        statistics=numbers(name="bits", more="min: 0 max: 1")
        + numbers(name="ones", more="min: 1 max: 1")
        + numbers(name="zeros", more="min: 0 max: 0")
        + numbers("FLOAT", name="floats", more="min: 0 max: 1")
        + strings({"true": 3, "false": 7}, "words")
        + strings({"": 3, "0": 7}, "empty")
        + strings({"CLEAR": 7}, "clear")
        + strings({"true": 7, "TRUE": 3}, "both_true")
        + strings({"true": 7, "maybe": 3}, "maybe")
        + strings({"0": 7, "1": 3}, "digits"),
        update=numbers(name="bits", more="min: 0 max: 2")
        + numbers(name="ones", more="min: 0 max: 1")
        + strings({"true": 3, "unknown": 7}, "words"),
    ),
    "strings": InferenceCase(
        statistics=strings({"b": 5, "a": 3, "Z": 1, "é": 1, "漢": 1}, "letters")
        + strings({"-1": 5, " 2": 5}, "integers")
        + strings({"1.5": 5, "2": 5}, "floats")
        + strings({}, "uncounted")
        + strings({f"v{number}": 1 for number in range(101)}, "many")
        + strings({f"v{number}": 1 for number in range(100)}, "almost_many")
        + strings({"__BYTES_VALUE__": 9, "a": 1}, "binary", more="invalid_utf8_count: 9")
        + binary("bytes"),
        update=strings({"c": 5, "a": 3}, "letters")
        + strings({"x": 1}, "integers")
        + strings({"z": 1}, "almost_many")
        + strings({"__BYTES_VALUE__": 1}, "floats", more="invalid_utf8_count: 1"),
    ),
    "nested": InferenceCase(
        statistics=numbers(name="square", common=nested((2, 2, 0), (3, 3, 0)))
        + numbers(name="ragged", common=nested((2, 2, 0), (0, 3, 0)))
        + numbers(name="holes", common=nested((2, 2, 0), (3, 3, 1))),
        update=numbers(name="square", common=nested((2, 2, 0), (3, 4, 0)))
        + numbers(name="ragged")
        + numbers(name="holes", common=nested((1, 2, 0), (3, 5, 1))),
    ),
    "structs": InferenceCase(
        statistics=STRUCT,
        update=STRUCT.replace('"u"', '"w"')
        + 'features { path { step: "t" step: "z" } type: INT num_stats { '
        + COMMON
        + " } }",
    ),
    "weights": InferenceCase(statistics=BY_WEIGHT),
    "same_domain_name": InferenceCase(
        statistics=strings(AB), update=strings(AB) + strings(AB, "g") + numbers("FLOAT", "h")
    ),
    "type_changes": InferenceCase(
        statistics=numbers(), update=strings({"u": 5, "v": 5}) + numbers(name="g")
    ),
    "column_disappears": InferenceCase(
        statistics=numbers() + numbers(name="g"), update=numbers(name="g")
    ),
    "column_is_empty_later": InferenceCase(
        statistics=numbers() + numbers(name="g"),
        update=numbers(common=valency(0, 0, 10)) + numbers(name="g"),
    ),
    "names_instead_of_paths": InferenceCase(
        statistics='features { name: "t" type: STRUCT struct_stats { '
        + COMMON
        + ' } } features { name: "t.x" type: INT num_stats { '
        + COMMON
        + ' } } features { name: "other.y" type: INT num_stats { '
        + COMMON
        + " } }",
    ),
    "composite": InferenceCase(
        statistics=numbers() + custom("s", 'name: "missing_value" num: 3'),
    ),
}


def with_examples(statistics: str) -> str:
    return statistics if "num_examples:" in statistics else f"num_examples: 10 {statistics}"
