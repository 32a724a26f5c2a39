"""Statistics of much data: estimates keep their bounds, beside all values at once in NumPy."""

from __future__ import annotations

import resource
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest

from trainwright.data.example_codec import encode_examples
from trainwright.data.tfrecord import open_gzip_writer
from trainwright.engine.local_engine import LocalEngine
from trainwright.statistics import StatsOptions, generate_statistics

SHARDS = 5
ROWS = 40_000


@pytest.fixture(scope="module")
def numbers():
    source = np.random.default_rng(3)
    return np.exp(source.normal(size=SHARDS * ROWS)).astype(np.float32)


@pytest.fixture(scope="module")
def files(numbers, tmp_path_factory):
    directory = tmp_path_factory.mktemp("examples")
    paths = []
    for number, part in enumerate(np.split(numbers, SHARDS)):
        path = directory / f"{number}.gz"
        with open_gzip_writer(path) as write:
            batch = pa.RecordBatch.from_arrays([pa.array(part)], ["x"])
            write(encode_examples(batch).to_pylist())
        paths.append(path)
    return paths


@pytest.mark.parametrize("epsilon", [0.01, 0.001])
def test_quantiles_of_many_merged_shards_keep_their_bound(files, numbers, epsilon):
    options = StatsOptions(epsilon=epsilon)
    statistics = generate_statistics(files, options, engine=LocalEngine(2, inline_bytes=-1))
    found = statistics.datasets[0].features[0].num_stats
    ordered = np.sort(numbers.astype(np.float64))

    def rank(value):
        return np.searchsorted(ordered, value) / len(ordered)

    assert abs(rank(found.median) - 0.5) <= epsilon
    quantiles = found.histograms[1].buckets
    assert len(quantiles) == 10
    for number, bucket in enumerate(quantiles[:-1], start=1):
        assert abs(rank(bucket.high_value) - number / 10) <= epsilon
    # A bucket of the standard histogram has two edges, each wrong by epsilon.
    edges = [bucket.low_value for bucket in found.histograms[0].buckets] + [found.max]
    exact, _ = np.histogram(ordered, np.array(edges))
    for bucket, count in zip(found.histograms[0].buckets, exact, strict=True):
        assert abs(bucket.sample_count - count) <= 2 * epsilon * len(ordered) + 1


def test_what_is_exact_stays_exact(files, numbers):
    found = generate_statistics(files).datasets[0].features[0].num_stats
    doubles = numbers.astype(np.float64)
    assert found.common_stats.tot_num_values == len(numbers)
    assert (found.min, found.max) == (doubles.min(), doubles.max())
    assert found.mean == pytest.approx(doubles.mean(), rel=1e-12)
    assert found.std_dev == pytest.approx(doubles.std(), rel=1e-12)


def test_neither_beam_nor_tensorflow_is_imported(files):
    code = (
        "import sys; from trainwright.statistics import generate_statistics\n"
        f"generate_statistics([{str(files[0])!r}])\n"
        "print([m for m in ('tensorflow', 'apache_beam', 'pandas') if m in sys.modules])"
    )
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert finished.stdout.strip() == "[]", finished.stderr


@pytest.mark.soak
def test_ten_million_different_strings_under_two_gigabytes(tmp_path):
    """In a process of its own: the peak of this one counts all tests before."""
    finished = subprocess.run(
        [sys.executable, __file__, str(tmp_path)], capture_output=True, text=True
    )
    assert finished.returncode == 0, finished.stderr
    unique, megabytes = map(int, finished.stdout.split())
    assert abs(unique - 10_000_000) < 3 * 10_000_000 / 128
    assert megabytes < 2000


def main(directory: str) -> None:
    """Writes ten files of a million strings and prints the number of them and the peak memory."""
    paths = []
    for number in range(10):
        paths.append(f"{directory}/{number}.gz")
        with open_gzip_writer(paths[-1]) as write:
            for start in range(0, 1_000_000, 50_000):
                first = number * 1_000_000 + start
                words = [b"user-%012d" % index for index in range(first, first + 50_000)]
                batch = pa.RecordBatch.from_arrays([pa.array(words, pa.binary())], ["user"])
                write(encode_examples(batch).to_pylist())
    [dataset] = generate_statistics(paths, engine=LocalEngine(2)).datasets
    assert dataset.num_examples == 10_000_000
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    workers = 2 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(dataset.features[0].string_stats.unique, (own + workers) // 1024)


if __name__ == "__main__":
    main(sys.argv[1])
