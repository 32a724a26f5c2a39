"""The files that an ExampleGen reads, and the fingerprint that tells when they change."""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trainwright._paths import MissingInputError, absence_error, kind_of
from trainwright.components.example_gen.span_patterns import (
    ChosenSpan,
    SpanPattern,
    choose_span,
    matching_files,
)
from trainwright.components.example_gen.span_range import SpanRange
from trainwright.proto import example_gen_pb2
from trainwright.storage.objects import exists, list_names, stat, stat_all
from trainwright.storage.uris import is_supported


@dataclass(frozen=True, kw_only=True)
class InputFiles:
    """What an input config stands for now.

    Args:
        files: The files of each input split, sorted.
        config: The config with spans and versions filled in.
        span: The span, 0 if the patterns have none.
        version: The version, None if the patterns have none.
    """

    files: Mapping[str, list[str]]
    config: example_gen_pb2.Input
    span: int = 0
    version: int | None = None


def find_input_files(
    input_base: str, config: example_gen_pb2.Input, spans: SpanRange | None = None
) -> InputFiles:
    """Finds the files of each input split, which may be none where the pattern has no span.

    Hidden files (`.DS_Store`) and directories do not count.

    Raises:
        MissingInputError: if there is no span to choose.
        ValueError: if the patterns do not fit each other or what is in the directory.
    """
    check_patterns(config, spans)
    chosen = _choose_spans(input_base, config, spans or SpanRange())
    filled = example_gen_pb2.Input(
        splits=[
            example_gen_pb2.Input.Split(
                name=split.name,
                pattern=chosen[split.name].pattern if split.name in chosen else split.pattern,
            )
            for split in config.splits
        ]
    )
    files = {split.name: matching_files(input_base, split.pattern) for split in filled.splits}
    if not chosen:
        return InputFiles(files=files, config=filled)
    first = next(iter(chosen.values()))
    return InputFiles(files=files, config=filled, span=first.span, version=first.version)


def check_input_base(input_base: str) -> None:
    """Refuses what is not a directory that can be read.

    Raises:
        MissingInputError: if it is not there.
        ValueError: if it cannot be read.
    """
    if is_supported(input_base):
        if not exists(input_base):
            raise MissingInputError(
                f"input_base must be a directory with the data files; there is no object below "
                f"{input_base!r}."
            )
        if stat(input_base) is not None:
            raise ValueError(
                f"input_base must be a directory with the data files; {input_base!r} is an object."
            )
        return
    if not os.path.isdir(input_base):
        kind = kind_of(input_base)
        raise absence_error(
            input_base,
            f"input_base must be a directory with the data files; {input_base!r} "
            f"{'does not exist' if kind == 'nothing' else f'is {kind}'}. "
            f"Relative paths count from {os.getcwd()}.",
        )
    try:
        os.scandir(input_base).close()
    except OSError as error:  # a glob would find nothing and not say why
        raise ValueError(
            f"The directory input_base {input_base!r} cannot be read: {error.strerror}."
        ) from error


def check_each_split_has_files(
    input_base: str, config: example_gen_pb2.Input, files: Mapping[str, Sequence[str]]
) -> None:
    """Refuses input splits without files.

    Args:
        input_base: The directory of the files.
        config: The input splits, with spans and versions filled in.
        files: The files of each split.

    Raises:
        MissingInputError: if there are none for a split.
    """
    for split in config.splits:
        if not files[split.name]:
            raise MissingInputError(
                f"No file matches {os.path.join(input_base, split.pattern)!r} for input split "
                f"{split.name!r}. {input_base!r} holds {_names_in(input_base)[:10] or 'nothing'}."
            )


def _names_in(input_base: str) -> list[str]:
    if is_supported(input_base):
        return sorted(itertools.chain(*list_names(input_base)))
    return sorted(os.listdir(input_base))


def check_patterns(config: example_gen_pb2.Input, spans: SpanRange | None = None) -> None:
    """Refuses patterns whose spans and versions do not fit together.

    Raises:
        ValueError: if a pattern is wrong, the splits have different placeholders, or a range is
            given for patterns without spans.
    """
    patterns = {split.name: SpanPattern.parse(split.pattern) for split in config.splits}
    kinds = {
        (pattern.has_span, pattern.has_date, pattern.has_version) for pattern in patterns.values()
    }
    if len(kinds) > 1:
        raise ValueError(
            "Spec setup should the same for all splits: "
            f"{[pattern.text for pattern in patterns.values()]}. The patterns of all input splits "
            "must have the same placeholders for span, date and version."
        )
    if spans is not None and not any(pattern.chooses_span for pattern in patterns.values()):
        raise ValueError(
            "Span or Date spec should be specified in split pattern if RangeConfig is specified. "
            f"range_config asks for {spans}: put {{SPAN}}, or {{YYYY}}, {{MM}} and {{DD}}, where "
            f"it stands in the paths, got {[pattern.text for pattern in patterns.values()]}."
        )


def fingerprint(files: Mapping[str, Sequence[str]]) -> str:
    """Sizes and times of the files in TFX's notation, for people who look at the store."""
    return "\n".join(_split_fingerprint(name, paths) for name, paths in files.items())


def _choose_spans(
    input_base: str, config: example_gen_pb2.Input, spans: SpanRange
) -> dict[str, ChosenSpan]:
    """The span of each split whose pattern has one; all must be the same."""
    chosen: dict[str, ChosenSpan] = {}
    for split in config.splits:
        pattern = SpanPattern.parse(split.pattern)
        if pattern.chooses_span:
            chosen[split.name] = choose_span(input_base, split.name, pattern, spans)
    for what in ("span", "version"):
        found = {name: getattr(choice, what) for name, choice in chosen.items()}
        if len(set(found.values())) > 1:
            raise MissingInputError(
                f"Latest {what} should be the same for each split, got {found}. Add the missing "
                "files, or name the span with range_config."
            )
    return chosen


def _split_fingerprint(name: str, paths: Sequence[str]) -> str:
    sizes_and_times = _sizes_and_times(paths)
    times = [time for _, time in sizes_and_times]
    xor = 0
    for time in times:
        xor ^= time
    return (
        f"split:{name},num_files:{len(paths)},total_bytes:{sum(s for s, _ in sizes_and_times)},"
        f"xor_checksum:{xor},sum_checksum:{sum(times)}"
    )


def _sizes_and_times(paths: Sequence[str]) -> list[tuple[int, int]]:
    """Bytes and seconds of each file."""
    if any(map(is_supported, paths)):
        found = stat_all(paths).values()
        return [(facts.size, facts.modified_ns // 1_000_000_000) for facts in found]
    found_here = [os.stat(path) for path in paths]
    return [(status.st_size, int(status.st_mtime)) for status in found_here]
