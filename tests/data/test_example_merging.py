"""Features added to serialized examples: many at once are what each alone would be."""

from __future__ import annotations

import pytest
from google.protobuf.message import DecodeError

from trainwright.data.example_merging import FeatureAddition, FeatureExistsError
from trainwright.data.example_messages import example_class


def example(**features: bytes) -> bytes:
    made = example_class()()
    for name, value in features.items():
        made.features.feature[name].bytes_list.value.append(value)
    return made.SerializeToString(deterministic=True)


RECORDS = [
    b"",
    b"\x0a\x00",
    example(a=b"x"),
    *(example(a=b"y" * size) for size in (100, 110, 111, 112, 113, 114, 200, 16_370, 17_000)),
    example(a=b"x") + example(b=b"z"),  # in two pieces, which protobuf merges
]


@pytest.mark.parametrize("more", [b"", example(s=b"1"), example(s=b"2" * 120)])
def test_many_at_once_are_what_protobuf_merges(more):
    added = list(FeatureAddition(["s"]).add_all(RECORDS, [more] * len(RECORDS)))
    for record, one in zip(RECORDS, added, strict=True):
        expected = example_class().FromString(record + more).features
        assert example_class().FromString(one).features == expected


def test_what_cannot_be_added_to_is_met_in_its_turn():
    made = FeatureAddition(["s"]).add_all([RECORDS[2], example(s=b"0")], [example(s=b"1")] * 2)
    next(made)
    with pytest.raises(FeatureExistsError, match="'s'"):
        next(made)
    with pytest.raises(DecodeError):
        list(FeatureAddition(["s"]).add_all([b"\xff\xff"], [example(s=b"1")]))
