"""Writes what TFDV makes of the cases into this folder.

Run it with an environment that has tensorflow-data-validation 1.16.1 and not this project:

    cd tests/components/example_diff; PYTHONPATH=. python golden/make_golden.py

tests/statistics/tfdv_golden/make_tfdv_golden.py says how to make one; Python 3.11 does as well.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import apache_beam as beam
import tensorflow as tf
from google.protobuf import json_format
from skew_cases import CASES
from tensorflow_data_validation.skew import feature_skew_detector as detector

HERE = Path(__file__).parent


def main() -> None:
    for name, case in CASES.items():
        with tempfile.TemporaryDirectory() as directory:
            found = compare(case, directory)
        (HERE / f"{name}.json").write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
        print(name)


def compare(case, directory):
    options = case.options
    with beam.Pipeline() as pipeline:
        base = pipeline | "base" >> beam.Create([to_example(row) for row in case.base])
        test = pipeline | "test" >> beam.Create([to_example(row) for row in case.test])
        # As TFX's executor passes them on.
        results = (base, test) | detector.DetectFeatureSkewImpl(
            identifier_features=options["identifier_features"],
            features_to_ignore=options.get("ignore_features", []),
            sample_size=options["skew_sample_size"],
            float_round_ndigits=options.get("float_round_ndigits", 0),
            allow_duplicate_identifiers=options.get("allow_duplicate_identifiers", False),
            confusion_configs=[
                detector.ConfusionConfig(one["feature_name"])
                for one in options.get("confusion_config", [])
            ],
        )
        sinks = {
            detector.SKEW_RESULTS_KEY: detector.skew_results_sink,
            detector.SKEW_PAIRS_KEY: detector.skew_pair_sink,
            detector.MATCH_STATS_KEY: detector.match_stats_sink,
            detector.CONFUSION_KEY: detector.confusion_count_sink,
        }
        for key, values in results.items():
            _ = values | key >> sinks[key](f"{directory}/{key}")
    readers = {
        detector.SKEW_RESULTS_KEY: detector.skew_results_iterator,
        detector.SKEW_PAIRS_KEY: detector.skew_pair_iterator,
        detector.MATCH_STATS_KEY: detector.match_stats_iterator,
        detector.CONFUSION_KEY: detector.confusion_count_iterator,
    }
    found = {}
    for key in results:
        messages = list(readers[key](f"{directory}/{key}"))
        if key == detector.SKEW_PAIRS_KEY:
            # Which pairs are drawn is chance, and examples are serialized in any order.
            found["sampled"] = len(messages)
            is_all = len(messages) < options["skew_sample_size"]
            messages = [differences(one) for one in messages] if is_all else []
        else:
            messages = [
                json_format.MessageToDict(one, preserving_proto_field_name=True) for one in messages
            ]
        found[key] = sorted(messages, key=json.dumps)
    return found


def differences(pair):
    """What a pair differs in, by the identifier of its examples."""
    names = ("base_only", "test_only", "matched", "mismatched")
    return {
        "id": tf.train.Example.FromString(pair.base)
        .features.feature["id"]
        .bytes_list.value[0]
        .decode(),
        **{name: sorted(getattr(pair, f"{name}_features")) for name in names},
    }


def to_example(row):
    example = tf.train.Example()
    for name, values in row.items():
        feature = example.features.feature[name]
        if values is None:
            continue
        kind = "int64_list"
        if values and isinstance(values[0], bytes):
            kind = "bytes_list"
        elif values and isinstance(values[0], float):
            kind = "float_list"
        getattr(feature, kind).SetInParent()
        getattr(feature, kind).value.extend(values)
    return example


if __name__ == "__main__":
    main()
