"""Resolver functions that are ready to use: the newest artifacts, ranges of spans, windows.

trainer = Trainer(examples=latest_created(example_gen.outputs["examples"]), ...)
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from trainwright.compat.input_resolution.ops import lineage, lists, spans
from trainwright.dsl.input_resolution.resolver_function import resolver_function
from trainwright.types.channel import BaseChannel

_log = logging.getLogger(__name__)
_WINDOW = "window"


@resolver_function
def latest_created(artifacts: Any, n: int = 1) -> Any:
    """The `n` artifacts that were made last."""
    return lists.LatestCreateTime(artifacts, n=n)


@resolver_function
def latest_version(artifacts: Any, n: int = 1) -> Any:
    """The `n` artifacts with the newest versions."""
    return spans.LatestVersion(artifacts, n=n)


@resolver_function
def static_range(
    artifacts: Any,
    *,
    start_span_number: int = -1,
    end_span_number: int = -1,
    keep_all_versions: bool = False,
    exclude_span_numbers: Sequence[int] = (),
    min_spans: int | None = None,
) -> Any:
    """The artifacts with a span from `start_span_number` to `end_span_number`.

    Args:
        artifacts: What to choose from. They have a span and a version.
        start_span_number: The first span; below 0 the oldest that there is.
        end_span_number: The last span; below 0 the newest that there is.
        keep_all_versions: Keep all versions of a span, not only the newest.
        exclude_span_numbers: Spans to leave out of the range.
        min_spans: With fewer spans the node is skipped. By default all spans of a range with both
            ends are needed, and none of an open one.
    """
    chosen: Any = spans.StaticSpanRange(
        artifacts,
        start_span=start_span_number,
        end_span=end_span_number,
        keep_all_versions=keep_all_versions,
    )
    if exclude_span_numbers:
        chosen = spans.ExcludeSpans(chosen, denylist=exclude_span_numbers)
    if min_spans is None:
        min_spans = -1
        if start_span_number >= 0 and end_span_number >= 0:
            in_range = range(start_span_number, end_span_number + 1)
            min_spans = len(in_range) - sum(span in in_range for span in exclude_span_numbers)
        _log.info("static_range: min_spans is not set; %d spans are needed.", max(min_spans, 0))
    return spans.SkipIfLessThanNSpans(chosen, n=min_spans)


@resolver_function
def rolling_range(
    artifacts: Any,
    *,
    start_span_number: int = 0,
    num_spans: int = 1,
    skip_num_recent_spans: int = 0,
    keep_all_versions: bool = False,
    exclude_span_numbers: Sequence[int] = (),
    min_spans: int | None = None,
    version_sort_keys: Sequence[str] = (),
) -> Any:
    """The artifacts of the newest spans.

    Args:
        artifacts: What to choose from. They have a span and a version.
        start_span_number: Older spans do not count.
        num_spans: How many spans; all if it is not positive.
        skip_num_recent_spans: Leave out this many of the newest spans first.
        keep_all_versions: Keep all versions of a span, not only the newest.
        exclude_span_numbers: Spans to leave out at the end, so that there may be fewer.
        min_spans: With fewer spans the node is skipped; `num_spans` by default.
        version_sort_keys: Attributes that tell which version of a span is the newest.
    """
    chosen: Any = spans.LatestSpan(
        artifacts,
        min_span=start_span_number,
        n=num_spans,
        skip_last_n=skip_num_recent_spans,
        keep_all_versions=keep_all_versions,
        version_sort_keys=version_sort_keys,
    )
    if exclude_span_numbers:
        chosen = spans.ExcludeSpans(chosen, denylist=exclude_span_numbers)
    if min_spans is None:
        _log.info("rolling_range: min_spans is not set; %d spans are needed.", num_spans)
        min_spans = num_spans
    return spans.SkipIfLessThanNSpans(chosen, n=min_spans)


@resolver_function
def all_spans(artifacts: Any) -> Any:
    """The newest version of each span, sorted by span."""
    return spans.AllSpans(artifacts)


@resolver_function
def shuffle(artifacts: Any) -> Any:
    """The artifacts in random order."""
    return lists.Shuffle(artifacts)


@resolver_function
def latest_pipeline_run_outputs(pipeline: Any, output_keys: Sequence[str] = ()) -> Any:
    """The outputs of another pipeline's last complete run: all, or those of some keys."""
    for key in output_keys:
        if key not in pipeline.outputs:
            raise ValueError(
                f"Output key {key} does not exist in pipeline {pipeline.id}. Available: "
                f"{list(pipeline.outputs)}"
            )
    return lineage.LatestPipelineRunOutputs(
        pipeline_name=pipeline.pipeline_name, output_keys=output_keys
    )


@latest_pipeline_run_outputs.output_type_inferrer
def _types_of_outputs(pipeline: Any, output_keys: Sequence[str] = ()) -> Mapping[str, Any]:
    return {key: pipeline.outputs[key].type for key in output_keys or pipeline.outputs}


@resolver_function(unwrap_dict_key=_WINDOW)
def sequential_rolling_range(
    artifacts: Any,
    *,
    start_span_number: int | None = None,
    num_spans: int = 1,
    skip_num_recent_spans: int = 0,
    keep_all_versions: bool = False,
    exclude_span_numbers: Sequence[int] = (),
) -> Any:
    """Windows over spans that follow each other, for `ForEach`.

    Args:
        artifacts: What to choose from. They have a span and a version.
        start_span_number: The first span; by default the oldest that there is. The windows end
            where a span is missing.
        num_spans: How many artifacts a window has.
        skip_num_recent_spans: Leave out this many numbers before the newest span.
        keep_all_versions: Keep all versions of a span, not only the newest.
        exclude_span_numbers: Spans that count as missing.
    """
    chosen = spans.ConsecutiveSpans(
        artifacts,
        first_span=-1 if start_span_number is None else start_span_number,
        skip_last_n=skip_num_recent_spans,
        keep_all_versions=keep_all_versions,
        denylist=exclude_span_numbers,
    )
    return lists.SlidingWindow(chosen, window_size=num_spans)


@resolver_function
def paired_spans(
    artifacts: Any, *, match_version: bool = True, keep_all_versions: bool = False
) -> Any:
    """Artifacts of several channels that have the same span, for `ForEach`.

    Args:
        artifacts: A dict of channels.
        match_version: They have the same version, too.
        keep_all_versions: Pair all versions of a span, not only the newest.
    """
    if keep_all_versions and not match_version:
        raise ValueError("keep_all_versions = True requires match_version = True.")
    # The default is left out of compiled pipelines, which older orchestrators read.
    other = {} if match_version else {"match_version": False}
    return spans.PairedSpans(artifacts, keep_all_versions=keep_all_versions, **other)


@resolver_function
def filter_property_equal(artifacts: Any, *, key: str, value: Any) -> Any:
    """The artifacts whose property `key` has this value."""
    return lists.EqualPropertyValues(
        artifacts, property_key=key, property_value=value, is_custom_property=False
    )


@resolver_function
def filter_custom_property_equal(artifacts: Any, *, key: str, value: Any) -> Any:
    """The artifacts whose custom property `key` has this value."""
    return lists.EqualPropertyValues(
        artifacts, property_key=key, property_value=value, is_custom_property=True
    )


@resolver_function
def _slice(artifacts: Any, **bounds: int | None) -> Any:
    # None cannot be written into a compiled pipeline.
    given = {name: bound for name, bound in bounds.items() if bound is not None}
    return lists.Slice(artifacts, **given)


def pick(channel: BaseChannel, i: int, /) -> Any:
    """The artifact at a place, counted from the end if `i` is negative; an error if it lacks."""
    return _slice(channel, start=i, stop=(i + 1) or None, min_count=1)


def slice(
    channel: BaseChannel,
    /,
    start: int | None = None,
    stop: int | None = None,
    min_count: int | None = None,
) -> Any:
    """The artifacts `channel[start:stop]`; an error if they are fewer than `min_count`."""
    if start is None and stop is None:
        return channel
    return _slice(channel, start=start, stop=stop, min_count=min_count)


@resolver_function(unwrap_dict_key=_WINDOW)
def sliding_window(channel: Any, window_size: int) -> Any:
    """Each `window_size` artifacts that follow each other, for `ForEach`."""
    return lists.SlidingWindow(channel, window_size=window_size)


@sequential_rolling_range.output_type_inferrer
@sliding_window.output_type_inferrer
def _type_of_window(channel: BaseChannel, *args: Any, **kwargs: Any) -> Mapping[str, Any]:
    return {_WINDOW: channel.type}
