"""The differences between two schemas are told in words, and none are told twice."""

import pytest
from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright.schemas.differences import diff_schemas

BASE = """
feature { name: "age" type: INT presence { min_fraction: 1 } shape { dim { size: 1 } } }
feature { name: "sex" type: BYTES domain: "sex" value_count { min: 1 max: 1 } }
feature { name: "trip" type: STRUCT struct_domain { feature { name: "miles" type: FLOAT } } }
string_domain { name: "sex" value: "female" value: "male" }
"""


def told(old, new):
    schemas = (text_format.Parse(text, schema_pb2.Schema()) for text in (old, new))
    return [f"{found.kind} {found.name}: {found.text}" for found in diff_schemas(*schemas)]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("type: INT", "type: FLOAT", "changed feature age: type: FLOAT, was INT"),
        (
            "presence { min_fraction: 1 }",
            "presence { min_fraction: 0.9 }",
            "changed feature age: presence: at least 90 %, was required",
        ),
        (
            "shape { dim { size: 1 } }",
            "value_count { min: 1 }",
            "changed feature age: number of values: 1 or more, was shape [1]",
        ),
        (
            "presence { min_fraction: 1 }",
            'presence { min_fraction: 1 } not_in_environment: "SERVING"',
            "changed feature age: presence: required, not in SERVING, was required",
        ),
        (
            'value: "male"',
            'value: "unknown"',
            "changed domain sex: values added: 'unknown'; values removed: 'male'",
        ),
        (
            'name: "miles" type: FLOAT',
            'name: "miles" type: FLOAT float_domain { min: 0 }',
            "changed feature trip.miles: domain: float from 0, was none",
        ),
        (
            'name: "age" type: INT',
            'name: "age" type: INT drift_comparator { infinity_norm { threshold: 0.1 } }',
            "changed feature age: drift_comparator: drift_comparator { infinity_norm { threshold: "
            "0.1 } }, was not set",
        ),
        (
            'feature { name: "age"',
            'default_environment: "SERVING" feature { name: "age"',
            'added default_environment: default_environment: "SERVING"',
        ),
        (
            'feature { name: "sex"',
            'feature { name: "new" type: INT } feature { name: "sex"',
            "added feature new: INT, optional, values: any number",
        ),
    ],
)
def test_each_difference_is_one_line(before, after, expected):
    changed = BASE.replace(before, after, 1)
    assert changed != BASE
    assert told(BASE, changed) == [expected]
    assert len(told(changed, BASE)) == 1


def test_the_order_says_nothing():
    lines = BASE.strip().splitlines()
    shuffled = "\n".join(reversed(lines)).replace('value: "female" value: "male"', "") + (
        'string_domain { name: "other" value: "x" }'
    )
    reordered = "\n".join(reversed(lines)).replace(
        'value: "female" value: "male"', 'value: "male" value: "female"'
    )
    assert told(BASE, BASE) == []
    assert told(BASE, reordered) == []
    assert len(told(BASE, shuffled)) == 2


def test_a_removed_struct_takes_what_is_inside_along():
    without = "\n".join(line for line in BASE.splitlines() if "trip" not in line)
    assert told(BASE, without) == [
        "removed feature trip: STRUCT, optional, values: any number, 1 features inside",
        "removed feature trip.miles: FLOAT, optional, values: any number",
    ]
