"""Operators choose among artifacts as TFX's do."""

import pytest

from tfx.dsl.input_resolution.ops import ops
from tfx.orchestration.portable.input_resolution import exceptions
from trainwright.types.artifact import Artifact, Property, PropertyType


class Spanned(Artifact):
    TYPE_NAME = "Spanned"
    PROPERTIES = {
        "span": Property(type=PropertyType.INT),
        "version": Property(type=PropertyType.INT),
    }


def spanned(*places):
    artifacts = []
    for number, (span, version) in enumerate(places, start=1):
        artifact = Spanned()
        artifact.id, artifact.span, artifact.version = number, span, version
        artifacts.append(artifact)
    return artifacts


def places(artifacts):
    return [(artifact.span, artifact.version) for artifact in artifacts]


def run(op_type, *args, **properties):
    return op_type.create(**properties).apply(*args)


SOME = [(3, 0), (1, 0), (2, 1), (2, 0), (6, 0)]


@pytest.mark.parametrize(
    ("op_type", "properties", "expected"),
    [
        (ops.AllSpans, {}, [(1, 0), (2, 1), (3, 0), (6, 0)]),
        (ops.AllSpans, {"keep_all_versions": True}, [(1, 0), (2, 0), (2, 1), (3, 0), (6, 0)]),
        (ops.LatestSpan, {"n": 2}, [(3, 0), (6, 0)]),
        (ops.LatestSpan, {"n": 9, "min_span": 2, "skip_last_n": 1}, [(2, 1), (3, 0)]),
        (ops.LatestSpan, {"n": 0}, [(1, 0), (2, 1), (3, 0), (6, 0)]),
        (ops.LatestSpan, {"n": 1, "skip_last_n": 2, "version_sort_keys": ["id"]}, [(2, 0)]),
        (ops.ConsecutiveSpans, {}, [(1, 0), (2, 1), (3, 0)]),
        (ops.ConsecutiveSpans, {"first_span": 2, "skip_last_n": 4}, [(2, 1)]),
        (ops.ConsecutiveSpans, {"denylist": [1, 3]}, [(2, 1)]),
        (ops.ConsecutiveSpans, {"first_span": 4}, []),
        (ops.ExcludeSpans, {"denylist": [2, 6]}, [(3, 0), (1, 0)]),
        (ops.StaticSpanRange, {"start_span": 2, "end_span": 3}, [(2, 1), (3, 0)]),
        (ops.StaticSpanRange, {"end_span": 1}, [(1, 0)]),
        (ops.LatestVersion, {"n": 2}, [(3, 0), (6, 0)]),
        (ops.Slice, {"start": -2}, [(2, 0), (6, 0)]),
        (ops.LatestCreateTime, {"n": 2}, [(2, 0), (6, 0)]),
        (ops.EqualPropertyValues, {"property_key": "span", "property_value": 6,
                                   "is_custom_property": False}, [(6, 0)]),
    ],
)  # fmt: skip
def test_what_is_chosen(op_type, properties, expected):
    assert places(run(op_type, spanned(*SOME), **properties)) == expected


@pytest.mark.parametrize(
    "op_type", [ops.AllSpans, ops.LatestSpan, ops.ConsecutiveSpans, ops.StaticSpanRange]
)
def test_artifacts_without_spans_are_passed_over(op_type):
    class Plain(Artifact):
        TYPE_NAME = "Plain"

    assert run(op_type, [Plain()]) == []


def test_a_slice_that_is_too_short_is_an_error():
    with pytest.raises(exceptions.InsufficientInputError, match="less than min_count = 9") as info:
        run(ops.Slice, spanned(*SOME), min_count=9)
    assert info.value.grpc_code_value == 9


def test_windows_slide():
    windows = run(ops.SlidingWindow, spanned((1, 0), (2, 0), (3, 0)), window_size=2)
    assert [places(window["window"]) for window in windows] == [
        [(1, 0), (2, 0)],
        [(2, 0), (3, 0)],
    ]
    assert run(ops.SlidingWindow, spanned((1, 0)), window_size=2) == []


def test_spans_are_paired():
    left, right = spanned((1, 0), (1, 1), (2, 0)), spanned((1, 1), (2, 5))
    paired = run(ops.PairedSpans, {"x": left, "y": right})
    assert [{key: places(found) for key, found in one.items()} for one in paired] == [
        {"x": [(1, 1)], "y": [(1, 1)]}
    ]
    assert len(run(ops.PairedSpans, {"x": left, "y": right}, match_version=False)) == 2


def test_an_artifact_after_the_other():
    one, two = spanned((1, 0), (2, 0))
    assert run(ops.Unnest, {"x": [one, two], "y": [one]}, key="x") == [
        {"x": [one], "y": [one]},
        {"x": [two], "y": [one]},
    ]
    with pytest.raises(exceptions.FailedPreconditionError, match="does not contain the key z"):
        run(ops.Unnest, {"x": []}, key="z")


def test_a_node_is_skipped_for_lack_of_inputs():
    with pytest.raises(exceptions.SkipSignal):
        run(ops.SkipIfEmpty, [])
    with pytest.raises(exceptions.SkipSignal, match="There are 1 spans, and 2 are needed"):
        run(ops.SkipIfLessThanNSpans, spanned((1, 0), (1, 1)), n=2)


def test_operators_are_found_by_name():
    assert ops.get_by_name("tfx.LatestSpan") is ops.LatestSpan
    path = f"{ops.LatestSpan.__module__}.LatestSpan"
    assert ops.get_by_class_path(path) is ops.LatestSpan
    with pytest.raises(ValueError, match="is not compatible"):
        ops.get_by_class_path("builtins.str")
