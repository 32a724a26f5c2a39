"""The page of an ExampleDiff: which features differ, how often, and in which examples."""

from __future__ import annotations

import pytest

from trainwright.data.example_messages import example_class
from trainwright.data.feature_skew_files import FeatureSkewFiles
from trainwright.html_views.artifact_files import find_types, has_page
from trainwright.html_views.artifact_page import to_html
from trainwright.html_views.skew_page import skew_page
from trainwright.proto.tfdv import feature_skew_results_pb2 as messages

HOSTILE = "<script>alert(1)</script>\x1b[31m\u202e"


def example(**features):
    made = example_class()()
    for name, values in features.items():
        kind = {float: "float_list", int: "int64_list", bytes: "bytes_list"}[type(values[0])]
        getattr(made.features.feature[name], kind).value.extend(values)
    return made.SerializeToString()


def skew(name, same, different=0, base_only=0, test_only=0):
    return messages.FeatureSkew(
        feature_name=name,
        match_count=same,
        mismatch_count=different,
        base_only=base_only,
        test_only=test_only,
        diff_count=different + base_only + test_only,
    )


def met(base, test, count):
    value = messages.ConfusionCount.Value
    return messages.ConfusionCount(
        feature_name=HOSTILE,
        base=value(bytes_value=base),
        test=value(bytes_value=test),
        count=count,
    )


@pytest.fixture
def found():
    return FeatureSkewFiles(
        features=[skew("kind", 8), skew("fare", 2, 5, 1), skew(HOSTILE, 7, test_only=1)],
        match=messages.MatchStats(
            base_with_id_count=10,
            test_with_id_count=9,
            matching_pairs_count=8,
            ids_missing_in_base_count=1,
            ids_missing_in_test_count=2,
            base_missing_id_count=3,
            duplicate_id_count=4,
        ),
        sample=[
            messages.SkewPair(
                base=example(fare=[21.21, 2.0], kind=[b"a"], id=[7]),
                test=example(fare=[21.22], kind=[HOSTILE.encode()], id=[7]),
                mismatched_features=["fare"],
                matched_features=["kind"],
            )
        ],
        confusion=[
            met(b"red", b"blue", 2),
            met(b"red", b"red", 5),
            met(b"a\xff", b"__MISSING_VALUE__", 1),
        ],
    )


def test_features_that_differ_most_come_first_with_their_counts(read_page, found):
    page = read_page(skew_page({"train_eval": found}))
    assert page.row("fare")[2:] == ["75.0%", "2", "5", "1", "0"]
    assert page.row("kind")[2:] == ["0%", "8", "0", "0", "0"]
    names = [row[0] for row in page.rows if len(row) == 7][1:]
    assert names[0] == "fare"
    assert names[-1] == "kind"
    assert "train_eval ✖ 2 features differ" in page.text
    assert "the same 25.0%, different 62.5%, only in the baseline 12.5%" in page.source


def test_it_says_how_examples_were_paired(read_page, found):
    page = read_page(skew_page({"train_eval": found}))
    assert "8 pairs of examples with the same identifier were compared" in page.text
    assert page.row("test") == ["test", "9", "0", "1"]
    assert page.row("baseline") == ["baseline", "13", "3", "2"]
    assert "4 identifiers of several examples" in page.text


def test_values_that_met_others_and_sampled_pairs_are_shown(read_page, found):
    page = read_page(skew_page({"train_eval": found}))
    assert ["red → blue", "2", "25.0%"] in page.rows
    assert ["a\\xff → missing", "1", "12.5%"] in page.rows
    assert ["fare", "21.21, 2", "21.22"] in page.rows
    assert ["id", "7", "7"] in page.rows


def test_nothing_of_the_data_becomes_markup(read_page, found):
    page = read_page(skew_page({HOSTILE: found}, title=HOSTILE, subtitle=HOSTILE))
    assert "<script>alert" not in page.source
    assert "alert(1)" in page.text


def test_no_pairs_and_no_difference_are_said(read_page):
    nothing = FeatureSkewFiles(features=[], match=messages.MatchStats(base_with_id_count=1))
    same = FeatureSkewFiles(
        features=[skew("x", 3)], match=messages.MatchStats(matching_pairs_count=3)
    )
    page = read_page(skew_page({"a_b": nothing, "c_d": same}))
    assert "a_b ▲ no pairs c_d ✓ no feature differs" in page.text


def test_the_artifact_has_the_page(read_page, tmp_path, found):
    found.write(str(tmp_path / "SplitPair-train_eval"))
    assert has_page("ExamplesDiff")
    assert find_types(str(tmp_path)) == ["ExamplesDiff"]
    page = read_page(to_html("ExamplesDiff", str(tmp_path)))
    assert page.row("fare")[3] == "2"
    (tmp_path / "SplitPair-train_eval" / "skew_stats-00000-of-00001").write_bytes(b"damaged")
    with pytest.raises(ValueError, match="skew_stats in .* is damaged"):
        to_html("ExamplesDiff", str(tmp_path))
