"""A vocabulary of ten million different strings, in little memory."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

_STRINGS = 10_000_000
_FILES = 10


@pytest.mark.soak
def test_ten_million_different_strings_under_two_gigabytes(tmp_path):
    """In a process of its own: the peak of this one counts all tests before."""
    pytest.importorskip("tensorflow_transform", reason="pip install 'trainwright[transform]'")
    finished = subprocess.run(
        [sys.executable, __file__, str(tmp_path)], capture_output=True, text=True
    )
    assert finished.returncode == 0, finished.stderr
    lines, megabytes, seconds = map(int, finished.stdout.split())
    print(f"{lines} lines, {megabytes} MB, {seconds} s")
    assert lines == _STRINGS
    assert megabytes < 2000


def main(directory: str) -> None:
    """Prints the lines of the vocabulary, the peak memory of all processes, and the seconds."""
    paths = write_files(Path(directory))
    import tensorflow_transform as tft
    from google.protobuf import text_format
    from tensorflow_metadata.proto.v0 import schema_pb2

    from trainwright.data.example_reading.example_files import ExampleFiles
    from trainwright.engine.local_engine import LocalEngine
    from trainwright.transform.analysis import analyze
    from trainwright.transform.analyzer_cache import Dataset

    schema = text_format.Parse(
        'feature { name: "user" type: BYTES presence { min_fraction: 1 } shape {} }',
        schema_pb2.Schema(),
    )
    peak = PeakMemory()
    peak.start()
    start = time.monotonic()
    with LocalEngine(2) as engine:
        analyze(
            lambda inputs: {"user": tft.compute_and_apply_vocabulary(inputs["user"])},
            ExampleFiles(schema=schema),
            [Dataset("train", paths)],
            f"{directory}/output",
            engine=engine,
            temporary_directory=directory,
        )
    seconds = time.monotonic() - start
    [vocabulary] = Path(directory, "output", "transform_fn", "assets").iterdir()
    with open(vocabulary, "rb") as file:
        lines = sum(1 for _ in file)
    print(lines, peak.kilobytes // 1024, round(seconds))


def write_files(directory: Path) -> list[str]:
    import pyarrow as pa

    from trainwright.data.example_codec import encode_examples
    from trainwright.data.tfrecord import open_gzip_writer

    paths = []
    per_file = _STRINGS // _FILES
    for number in range(_FILES):
        paths.append(str(directory / f"{number}.gz"))
        with open_gzip_writer(paths[-1]) as write:
            for start in range(0, per_file, 50_000):
                # Every file has strings from the whole range.
                first = (number + start * _FILES, (start + 50_000) * _FILES)
                words = [b"user-%012d" % index for index in range(*first, _FILES)]
                batch = pa.RecordBatch.from_arrays([pa.array(words, pa.binary())], ["user"])
                write(encode_examples(batch).to_pylist())
    return paths


class PeakMemory(threading.Thread):
    """The most memory that this process and its children had together, looked at often."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.kilobytes = 0

    def run(self) -> None:
        while True:
            self.kilobytes = max(self.kilobytes, sum(map(_resident, _family(os.getpid()))))
            time.sleep(0.1)


def _family(process: int) -> list[int]:
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return []
    return [process, *(one for child in children for one in _family(int(child)))]


def _resident(process: int) -> int:
    """Its own memory and its share of what it has in common with others."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


if __name__ == "__main__":
    main(sys.argv[1])
