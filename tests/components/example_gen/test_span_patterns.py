"""Spans, versions and dates in patterns: the latest is chosen, what contradicts itself refused."""

import pytest

from trainwright._paths import MissingInputError
from trainwright.components.example_gen.input_files import check_patterns, find_input_files
from trainwright.components.example_gen.span_patterns import (
    SpanPattern,
    date_to_span_number,
    span_number_to_date,
)
from trainwright.components.example_gen.span_range import SpanRange, make_range_config
from trainwright.components.example_gen.split_config import make_input_config
from trainwright.proto import range_config_pb2


@pytest.fixture
def touch(tmp_path):
    def touch_files(*names):
        for name in names:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text("a\n1\n")
        return str(tmp_path)

    return touch_files


def config(*patterns):
    return make_input_config(
        {"splits": [{"name": f"s{n}", "pattern": p} for n, p in enumerate(patterns, start=1)]}
    )


def choose(base, *patterns, spans=None):
    """Span, version and the filled patterns."""
    found = find_input_files(base, config(*patterns), spans)
    filled = [split.pattern for split in found.config.splits]
    return found.span, found.version, *filled


def refusal(base, *patterns, spans=None):
    with pytest.raises(ValueError) as raised:
        find_input_files(base, config(*patterns), spans)
    return str(raised.value)


def test_without_placeholders_the_span_is_0_and_there_is_no_version(touch):
    assert choose(touch("split1/data"), "split1/*") == (0, None, "split1/*")


def test_the_latest_span_is_chosen(touch):
    base = touch("span1/data", "span2/data", "span10/data")
    assert choose(base, "span{SPAN}/*") == (10, None, "span10/*")


def test_the_latest_version_of_the_latest_span_is_chosen(touch):
    base = touch("span1/ver2/data", "span2/ver1/data", "span2/ver0/data")
    assert choose(base, "span{SPAN}/ver{VERSION}/*") == (2, 1, "span2/ver1/*")


def test_zeros_in_front_stay_in_the_pattern(touch):
    base = touch("span01/ver009/data", "span01/ver010/data")
    assert choose(base, "span{SPAN}/ver{VERSION}/*") == (1, 10, "span01/ver010/*")
    assert choose(base, "span{SPAN:2}/ver{VERSION:3}/*") == (1, 10, "span01/ver010/*")


def test_widths_make_separators_needless(touch):
    assert choose(touch("1234/data"), "{SPAN:2}{VERSION:2}/*") == (12, 34, "1234/*")


def test_a_date_is_the_span_of_its_day(touch):
    base = touch("19700102/ver1/data", "19700103/ver1/data")
    assert choose(base, "{YYYY}{MM}{DD}/ver{VERSION}/*") == (2, 1, "19700103/ver1/*")
    assert choose(touch("2024/02/29/data"), "{YYYY}/{MM}/{DD}/*")[0] == 19782


def test_dates_and_spans_are_each_other():
    assert date_to_span_number(1970, 1, 1) == 0
    assert date_to_span_number(2024, 2, 29) == 19782
    assert span_number_to_date(19782) == (2024, 2, 29)
    assert date_to_span_number(1969, 12, 31) == -1


def test_placeholders_may_be_in_file_names(touch):
    base = touch("data-7.csv", "data-8.csv", "data-8.csv.tmp")
    assert choose(base, "data-{SPAN}.csv") == (8, None, "data-8.csv")


def test_wildcards_around_placeholders(touch):
    base = touch("a/x-3-old/1.csv", "b/y-12-new/1.csv", "b/y-12-new/deep/2.csv")
    assert choose(base, "?/[xy]-{SPAN}-*/**/*.csv")[:2] == (12, None)
    assert choose(base, "[!a]/*-{SPAN}-new/*.csv") == (12, None, "[!a]/*-12-new/*.csv")


def test_only_the_files_of_the_span_are_read(touch, tmp_path):
    base = touch("span1/a", "span2/a", "span2/b", "span2/.hidden")
    found = find_input_files(base, config("span{SPAN}/*"))
    assert found.files == {"s1": [f"{base}/span2/a", f"{base}/span2/b"]}


def test_all_splits_have_the_same_span_and_version(touch):
    patterns = ("span{SPAN:2}/ver{VERSION:2}/one/*", "span{SPAN:2}/ver{VERSION:2}/two/*")
    base = touch("span01/ver01/one/data", "span01/ver01/two/data", "span02/ver01/one/data")
    message = refusal(base, *patterns)
    assert message.startswith("Latest span should be the same for each split, got {'s1': 2, 's2'")
    touch("span02/ver01/two/data", "span02/ver02/one/data")
    message = refusal(base, *patterns)
    assert message.startswith("Latest version should be the same for each split, got")
    touch("span02/ver02/two/data")
    assert choose(base, *patterns) == (2, 2, "span02/ver02/one/*", "span02/ver02/two/*")


def test_spans_that_may_still_come_are_missing_and_names_without_numbers_are_wrong(touch):
    base = touch("one/span1/data", "one/span2/data", "two/span1/data", "three/spanX/data")
    with pytest.raises(MissingInputError, match="no file of"):
        find_input_files(base, config("four/span{SPAN}/*"))
    with pytest.raises(MissingInputError, match="Latest span should be the same"):
        find_input_files(base, config("one/span{SPAN}/*", "two/span{SPAN}/*"))
    with pytest.raises(ValueError, match="has no number") as caught:
        find_input_files(base, config("three/span{SPAN}/*"))
    assert not isinstance(caught.value, MissingInputError)


def test_a_range_names_the_span(touch):
    base = touch("span01/data", "span02/data", "span03/data")
    assert choose(base, "span{SPAN:2}/*", spans=SpanRange(only=2)) == (2, None, "span02/*")
    assert choose(base, "span{SPAN}/*", spans=SpanRange(only=2)) == (2, None, "span02/*")
    assert choose(base, "span{SPAN}/*", spans=SpanRange(lowest=2)) == (3, None, "span03/*")


def test_a_range_names_the_day(touch):
    base = touch("19700102/data", "19700105/data")
    assert choose(base, "{YYYY}{MM}{DD}/*", spans=SpanRange(only=1)) == (1, None, "19700102/*")


@pytest.mark.parametrize(
    ("spans", "said"), [(SpanRange(only=3), "span 3"), (SpanRange(lowest=3), "span 3 or later")]
)
def test_a_span_that_is_not_there(touch, spans, said):
    base = touch("span01/data", "span02/data")
    message = refusal(base, "span{SPAN:2}/*", spans=spans)
    assert message.startswith("Cannot find matching for split s1")
    assert f"no file of {said} matches" in message
    assert message.endswith("Spans found: 1, 2.")


def test_nothing_matches(touch):
    message = refusal(touch("span01/wrong/data"), "span{SPAN}/version{VERSION}/*")
    assert "no file of any span matches" in message
    assert "for split s1" in message
    assert "Spans found: none" in message


@pytest.mark.parametrize(
    ("file", "pattern"),
    [
        ("spanx/data", "span{SPAN}/*"),
        ("span1/versionx/data", "span{SPAN}/version{VERSION}/*"),
        ("span1/data", "span{SPAN:2}/*"),
        ("span1/ver1/data", "span{SPAN}/ver{VERSION:2}/*"),
        ("yyyymmdd/data", "{YYYY}{MM}{DD}/*"),
    ],
)
def test_a_name_without_a_number_is_an_error_rather_than_skipped(touch, file, pattern):
    base = touch("span99/ver99/data", file) if "{VERSION" in pattern else touch(file)
    message = refusal(base, pattern)
    assert f"{base}/{file}" in message
    assert "has no number where the pattern" in message
    assert pattern in message


def test_a_date_that_no_calendar_has(touch):
    base = touch("20201301/data")
    message = refusal(base, "{YYYY}{MM}{DD}/*")
    assert (
        f"Retrieved date is invalid for file: {base}/20201301/data. It has 2020-13-01 in it"
        in message
    )


def test_a_span_that_is_there_twice(touch):
    message = refusal(touch("span1/data", "span01/data"), "span{SPAN}/*")
    assert "Span 1 of split 's1' is there twice" in message


@pytest.mark.parametrize(
    ("pattern", "complaint"),
    [
        ("{SPAN}/{SPAN}/*", "Only one {SPAN} is allowed in"),
        ("{SPAN}/{SPAN:2}/*", "Only one {SPAN} is allowed in"),
        ("{SPAN}/{VERSION}/{VERSION}/*", "Only one {VERSION} is allowed in"),
        (
            "{YYYY}-{MM}-{DD}-{MM}/*",
            "Exactly one of each date spec ({YYYY}, {MM}, {DD}) is required",
        ),
        ("{YYYY}-{MM}/*", "Exactly one of each date spec ({YYYY}, {MM}, {DD}) is required"),
        (
            "{YYYY}-{MM}-{DD}/{SPAN}/*",
            "Either span spec or date specs must be specified exclusively",
        ),
        ("{VERSION}/*", "Version spec provided, but Span or Date spec is not present"),
        ("{SPAN:x}/*", "Expected something like {SPAN:3}, got the width 'x'"),
        ("{SPAN:0}/*", "Expected something like {SPAN:3}, got the width '0'"),
        ("{SPAN:-1}/*", "Expected something like {SPAN:3}, got the width '-1'"),
        ("{SPAN}/{VERSION:x}/*", "Expected something like {VERSION:3}, got the width 'x'"),
    ],
)
def test_a_pattern_that_contradicts_itself(pattern, complaint):
    with pytest.raises(ValueError) as raised:
        SpanPattern.parse(pattern)
    assert complaint in str(raised.value)
    assert pattern in str(raised.value)


def test_splits_with_different_placeholders():
    with pytest.raises(ValueError, match="must have the same placeholders"):
        check_patterns(config("{SPAN}/*", "{SPAN}/{VERSION}/*"))


def test_a_range_without_a_span_to_choose():
    with pytest.raises(
        ValueError, match="Span or Date spec should be specified .* range_config asks for any span"
    ):
        check_patterns(config("*"), SpanRange())


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"static_range": {"start_span_number": 3, "end_span_number": 3}}, "span 3"),
        ('{"rolling_range": {"num_spans": 1}}', "any span"),
        ({"rolling_range": {"num_spans": 1, "start_span_number": 5}}, "span 5 or later"),
        (
            range_config_pb2.RangeConfig(
                static_range=range_config_pb2.StaticRange(start_span_number=1, end_span_number=1)
            ),
            "span 1",
        ),
    ],
)
def test_range_configs(given, expected):
    from trainwright.components.example_gen.span_range import make_span_range

    assert str(make_span_range(make_range_config(given))) == expected


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        (
            {"static_range": {"start_span_number": 1, "end_span_number": 2}},
            "must be equal, because an ExampleGen takes one span. Got 1 and 2",
        ),
        ({"rolling_range": {"num_spans": 2}}, "Its num_spans must be 1, got 2"),
        ({"rolling_range": {}}, "Its num_spans must be 1, got 0"),
        ({}, "Only static_range and rolling_range are supported"),
        ({"static": {}}, "no field 'static'"),
    ],
)
def test_a_range_of_several_spans_is_refused(given, complaint):
    with pytest.raises(ValueError) as raised:
        make_range_config(given)
    assert complaint in str(raised.value)
