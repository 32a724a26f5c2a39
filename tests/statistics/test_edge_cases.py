"""Data at the edges: right, or a clear word, and never fewer rows than were read."""

from __future__ import annotations

import gzip
import math
import sys

import pytest
from example_files import make_example, write_examples, write_records

from trainwright.data.example_reading import arrow_decoding
from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.engine.engine import ShardError
from trainwright.engine.local_engine import LocalEngine
from trainwright.proto import example_gen_pb2
from trainwright.statistics.feature_stats import FeatureTypeError
from trainwright.statistics.generate import generate_statistics
from trainwright.statistics.stats_options import StatsOptions


def generate(*files, **options):
    """The statistics of the whole, and of its features by name."""
    engine = LocalEngine(2, inline_bytes=-1) if len(files) > 1 else None
    [dataset] = generate_statistics(files, StatsOptions(**options), engine=engine).datasets
    return dataset, {feature.path.step[0]: feature for feature in dataset.features}


def test_no_files_and_files_without_records(tmp_path):
    for files in ([], [write_examples(tmp_path / "empty.gz", [])]):
        dataset, features = generate(*files)
        assert dataset.num_examples == 0
        assert not features


def test_examples_without_any_feature_are_counted(tmp_path):
    dataset, features = generate(write_records(tmp_path / "a.gz", [b""] * 5))
    assert dataset.num_examples == 5
    assert not features


def test_a_column_that_is_missing_everywhere(tmp_path):
    _, features = generate(write_examples(tmp_path / "a.gz", [{"empty": None}] * 3))
    assert features["empty"].string_stats.common_stats.num_missing == 3
    assert features["empty"].string_stats.common_stats.num_non_missing == 0


def test_a_column_that_appears_late(tmp_path):
    first = write_examples(tmp_path / "a.gz", [{"late": None}, {}])
    second = write_examples(tmp_path / "b.gz", [{"late": [5]}])
    _, features = generate(first, second)
    common = features["late"].num_stats.common_stats
    assert (common.num_missing, common.num_non_missing, common.tot_num_values) == (2, 1, 1)


def test_limits_of_integers(tmp_path):
    limits = [-(2**63), 2**63 - 1]
    _, features = generate(write_examples(tmp_path / "a.gz", [{"x": limits}] * 4))
    numbers = features["x"].num_stats
    assert (numbers.min, numbers.max) == (-(2.0**63), 2.0**63)
    counts = [bucket.sample_count for bucket in numbers.histograms[0].buckets]
    assert math.isclose(sum(counts), 8)


def test_nan_and_infinities(tmp_path):
    values = [1.0, math.nan, math.inf, -math.inf, 3.0]
    _, features = generate(write_examples(tmp_path / "a.gz", [{"x": [v]} for v in values]))
    numbers = features["x"].num_stats
    assert [histogram.num_nan for histogram in numbers.histograms] == [1, 1]
    assert (numbers.min, numbers.max) == (-math.inf, math.inf)
    standard = numbers.histograms[0].buckets
    assert (standard[0].high_value, standard[0].sample_count) == (-math.inf, 1)
    assert (standard[-1].low_value, standard[-1].sample_count) == (math.inf, 1)
    assert (standard[1].low_value, standard[-2].high_value) == (1, 3)


def test_text_that_is_none(tmp_path):
    values = [b"\xff\xfe", b"\x80", "東京".encode(), b"", b"a\0b"]
    _, features = generate(write_examples(tmp_path / "a.gz", [{"x": [v]} for v in values]))
    text = features["x"].string_stats
    assert (text.unique, text.invalid_utf8_count) == (5, 2)
    found = sorted(value.value for value in text.top_values)
    assert found == ["", "__BYTES_VALUE__", "__BYTES_VALUE__", "a\0b", "東京"]


def test_a_type_that_changes_between_files(tmp_path):
    first = write_examples(tmp_path / "a.gz", [{"x": [1]}])
    second = write_examples(tmp_path / "b.gz", [{"x": [b"one"]}])
    with pytest.raises(FeatureTypeError) as raised:
        generate(first, second)
    assert f"Feature 'x' is INT and STRING in {first} and {second}" in str(raised.value)


def test_a_type_that_changes_within_a_file(tmp_path):
    path = write_examples(tmp_path / "a.gz", [{"x": [1]}, {"x": [1.5]}])
    with pytest.raises(ShardError) as raised:
        generate(path)
    message = str(raised.value)
    assert str(path) in message
    assert 'for feature "x"' in message
    assert "Records 0 to 1" in message


def test_a_record_that_is_no_example(tmp_path):
    good = make_example({"x": [1]})
    path = write_records(tmp_path / "a.gz", [good, good, b"\xff\xff\xff", good])
    with pytest.raises(ShardError, match=r"Record 2 of .*a\.gz, counted from 0, cannot be decoded"):
        generate(path)


def test_a_damaged_file_is_named_with_the_place(tmp_path):
    path = write_examples(tmp_path / "a.gz", [{"x": [number]} for number in range(100)])
    plain = bytearray(gzip.decompress(path.read_bytes()))
    plain[-6] ^= 1
    path.write_bytes(gzip.compress(bytes(plain)))
    with pytest.raises(ShardError, match=r"a\.gz has a damaged record at byte \d+"):
        generate(path)


@pytest.mark.parametrize("rows", [{"x": [1]}, {"x": [1], "w": [1, 2]}, {"x": [1], "w": [b"a"]}])
def test_examples_without_a_weight_are_refused(tmp_path, rows):
    path = write_examples(tmp_path / "a.gz", [{"x": [1], "w": [1]}, rows])
    with pytest.raises(ShardError, match="(weight_feature is 'w')|(for feature \"w\")"):
        generate(path, weight_feature="w")


def test_a_sample_is_the_same_each_time(tmp_path):
    path = write_examples(tmp_path / "a.gz", [{"x": [number]} for number in range(2000)])
    first, _ = generate(path, sample_rate=0.25)
    second, _ = generate(path, sample_rate=0.25)
    assert first == second
    assert 400 < first.num_examples < 600


def test_without_tfx_bsl_the_error_says_what_to_install(tmp_path, monkeypatch):
    path = write_examples(tmp_path / "a.gz", [{"x": [1]}])
    monkeypatch.setitem(sys.modules, "tfx_bsl.coders.example_coder", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'trainwright\[transform\]'"):
        generate(path)


def test_other_payload_formats_are_refused(tmp_path):
    with pytest.raises(ValueError, match="are in FORMAT_PROTO, and no DataView is bound"):
        generate_statistics(ExampleFiles(payload_format=example_gen_pb2.FORMAT_PROTO))


class ForgetfulDecoder:
    """Loses the last record of each batch."""

    def __init__(self, decoder):
        self._decoder = decoder

    def DecodeBatch(self, records):
        return self._decoder.DecodeBatch(records[:-1])


def test_rows_that_a_decoder_loses_are_noticed(tmp_path, monkeypatch):
    decoder = ForgetfulDecoder(arrow_decoding.make_decoder(ExampleFiles()))
    monkeypatch.setattr(arrow_decoding, "make_decoder", lambda examples: decoder)
    path = write_examples(tmp_path / "a.gz", [{"x": [1]}] * 30)
    with pytest.raises(ShardError, match="30 records gave 29 rows"):
        generate(path)


def test_features_that_are_lists_of_different_lengths(tmp_path):
    rows = [{"x": [1, 2, 3]}, {"x": []}, {"x": [4]}, {}]
    _, features = generate(write_examples(tmp_path / "a.gz", rows))
    common = features["x"].num_stats.common_stats
    assert (common.num_non_missing, common.num_missing, common.tot_num_values) == (3, 1, 4)
    assert (common.min_num_values, common.max_num_values) == (0, 3)


def test_progress_counts_examples(tmp_path):
    path = write_examples(tmp_path / "a.gz", [{"x": [1]}] * 30)
    reported = []
    generate_statistics([path, path], report_progress=reported.append)
    assert reported[-1] == 60
