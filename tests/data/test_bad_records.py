"""Bad records are counted, and one more than allowed is refused."""

import pytest

from trainwright.data.example_writing.bad_records import (
    BadRecord,
    BadRecords,
    TooManyBadRecordsError,
)


def bad(position, path="data"):
    return BadRecord(path, position, f"{path}: the record at byte {position} is bad.")


def test_by_default_the_first_is_refused_with_the_way_out():
    with pytest.raises(TooManyBadRecordsError) as raised:
        BadRecords(0).add([bad(7)])
    assert str(raised.value) == (
        "data: the record at byte 7 is bad. To skip a few bad records, and have them counted, set "
        "max_bad_records."
    )


def test_what_is_allowed_is_counted_and_logged(caplog):
    records = BadRecords(2)
    records.add([bad(1)])
    records.add([bad(2)])
    assert [record.position for record in records.found] == [1, 2]
    assert [record.getMessage() for record in caplog.records] == [
        "Skipped: data: the record at byte 1 is bad.",
        "Skipped: data: the record at byte 2 is bad.",
    ]


def test_one_more_is_refused_with_the_count_and_the_first_places():
    records = BadRecords(6, noun="rows", argument="max_bad_rows")
    records.add([bad(position) for position in (60, 50, 40, 30, 20, 10)])
    with pytest.raises(TooManyBadRecordsError) as raised:
        records.add([bad(5, "another")])
    lines = str(raised.value).splitlines()
    assert lines[0] == "7 bad rows so far, and max_bad_rows allows 6. The first of them:"
    assert lines[1] == "- another: the record at byte 5 is bad."
    assert [line.split()[6] for line in lines[2:]] == ["10", "20", "30", "40"]


@pytest.mark.parametrize("limit", [-1, 1.5, True, "3"])
def test_a_limit_is_a_number(limit):
    with pytest.raises(ValueError, match="expected how many bad records to skip, 0 or more"):
        BadRecords(limit)
