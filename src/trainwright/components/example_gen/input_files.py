"""The files that an ExampleGen reads, and the fingerprint that tells when they change."""

from __future__ import annotations

import glob
import os
from collections.abc import Mapping, Sequence

from trainwright.proto import example_gen_pb2

_SPAN_WORDS = ("{SPAN", "{VERSION", "{YYYY}", "{MM}", "{DD}")


def find_input_files(input_base: str, config: example_gen_pb2.Input) -> dict[str, list[str]]:
    """The files of each input split, sorted; a split without files is refused.

    Hidden files (`.DS_Store`) and directories do not count.
    """
    if not os.path.isdir(input_base):
        kind = "is a file" if os.path.exists(input_base) else "does not exist"
        raise ValueError(
            f"input_base must be a directory with the data files; {input_base!r} {kind}. "
            f"Relative paths count from {os.getcwd()}."
        )
    files = {}
    for split in config.splits:
        if any(word in split.pattern for word in _SPAN_WORDS):
            raise ValueError(
                f"The pattern {split.pattern!r} of input split {split.name!r} has a span, version "
                "or date in it, which this version does not resolve. Name the directory itself."
            )
        pattern = os.path.join(glob.escape(input_base), split.pattern)
        matches = [
            path
            for path in sorted(glob.glob(pattern, recursive=True))
            if os.path.isfile(path) and not os.path.basename(path).startswith(".")
        ]
        if not matches:
            raise ValueError(
                f"No file matches {os.path.join(input_base, split.pattern)!r} for input split "
                f"{split.name!r}. "
                f"{input_base!r} holds {sorted(os.listdir(input_base))[:10] or 'nothing'}."
            )
        files[split.name] = matches
    return files


def fingerprint(files: Mapping[str, Sequence[str]]) -> str:
    """Sizes and times of the files in TFX's notation, for people who look at the store."""
    return "\n".join(_split_fingerprint(name, paths) for name, paths in files.items())


def _split_fingerprint(name: str, paths: Sequence[str]) -> str:
    stats = [os.stat(path) for path in paths]
    total_bytes = sum(stat.st_size for stat in stats)
    times = [int(stat.st_mtime) for stat in stats]
    xor = 0
    for time in times:
        xor ^= time
    return (
        f"split:{name},num_files:{len(paths)},total_bytes:{total_bytes},"
        f"xor_checksum:{xor},sum_checksum:{sum(times)}"
    )
