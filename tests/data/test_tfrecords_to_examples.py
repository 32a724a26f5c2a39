"""From TFRecord files to splits: TFX's splits, the records as they came, damage counted."""

import bisect
import gzip
import hashlib
import os
from pathlib import Path

import pytest
import tensorflow as tf

from trainwright.data.example_writing.bad_records import RecordError, TooManyBadRecordsError
from trainwright.data.example_writing.splits import HashSplits
from trainwright.data.example_writing.tfrecords_to_examples import (
    convert_tfrecords_to_examples,
    write_serialized_examples,
)
from trainwright.data.tfrecord import read_records
from trainwright.data.tfrecord_frames import frame
from trainwright.proto import example_gen_pb2

TRAIN_EVAL = HashSplits(buckets=(("train", 2), ("eval", 1)))
EXAMPLE = example_gen_pb2.FORMAT_TF_EXAMPLE
SEQUENCE_EXAMPLE = example_gen_pb2.FORMAT_TF_SEQUENCE_EXAMPLE
PROTO = example_gen_pb2.FORMAT_PROTO


def example(number):
    message = tf.train.Example()
    # The features come in an order that is not the deterministic one.
    for name in ("z", "id", "name", "a") if number % 2 else ("a", "name", "id", "z"):
        message.features.feature[name].SetInParent()
    message.features.feature["id"].int64_list.value.append(number)
    message.features.feature["name"].bytes_list.value.append(b"name %d" % (number % 5))
    message.features.feature["z"].float_list.value.append(number / 3)
    return message


def sequence_example(number):
    message = tf.train.SequenceExample()
    message.context.feature["id"].int64_list.value.append(number)
    tokens = message.feature_lists.feature_list["tokens"]
    for token in range(number % 4):
        tokens.feature.add().int64_list.value.append(token)
    return message


def write(path, records, compress=None):
    data = frame(records)
    is_gzip = str(path).endswith(".gz") if compress is None else compress
    path.write_bytes(gzip.compress(data) if is_gzip else data)
    return path


def shards(output_dir, split):
    return sorted((Path(output_dir) / f"Split-{split}").iterdir())


def records(output_dir, split):
    return [record for shard in shards(output_dir, split) for record in read_records(shard)]


def written_files(output_dir):
    return {
        str(path.relative_to(output_dir)): path.read_bytes()
        for path in sorted(Path(output_dir).rglob("*.gz"))
    }


def tfx_split(key, counts=(2, 1), names=("train", "eval")):
    """The rule of TFX's ExampleGen."""
    ends = [sum(counts[: position + 1]) for position in range(len(counts))]
    return names[bisect.bisect(ends, int(hashlib.sha256(key).hexdigest(), 16) % ends[-1])]


@pytest.mark.parametrize("name", ["records.gz", "records.tfrecord"])
@pytest.mark.parametrize(
    ("make", "payload_format"), [(example, EXAMPLE), (sequence_example, SEQUENCE_EXAMPLE)]
)
def test_messages_go_to_tfx_s_splits_as_they_came(tmp_path, name, make, payload_format):
    messages = [make(number) for number in range(300)]
    path = write(tmp_path / name, [message.SerializeToString() for message in messages])
    result = convert_tfrecords_to_examples(
        {"all": [path]}, tmp_path / "out", payload_format=payload_format, output_splits=TRAIN_EVAL
    )
    for split in ("train", "eval"):
        expected = [
            message.SerializeToString()
            for message in messages
            if tfx_split(message.SerializeToString(deterministic=True)) == split
        ]
        assert records(tmp_path / "out", split) == expected
        assert result.rows[split] == len(expected) > 50
    assert result.shards == {"train": 1, "eval": 1}
    assert result.bad_records == 0


def test_other_messages_are_hashed_as_they_are(tmp_path):
    given = [b"record %d" % number for number in range(200)]
    convert_tfrecords_to_examples(
        {"all": [write(tmp_path / "records", given)]},
        tmp_path / "out",
        payload_format=PROTO,
        output_splits=TRAIN_EVAL,
    )
    for split in ("train", "eval"):
        expected = [record for record in given if tfx_split(record) == split]
        assert records(tmp_path / "out", split) == expected


@pytest.mark.parametrize(
    ("make", "payload_format"), [(example, EXAMPLE), (sequence_example, SEQUENCE_EXAMPLE)]
)
def test_records_are_partitioned_by_a_feature(tmp_path, make, payload_format):
    messages = [make(number) for number in range(100)]
    path = write(tmp_path / "records", [message.SerializeToString() for message in messages])
    convert_tfrecords_to_examples(
        {"all": [path]},
        tmp_path / "out",
        payload_format=payload_format,
        output_splits=HashSplits(buckets=(("train", 2), ("eval", 1)), partition_feature="id"),
    )
    for split in ("train", "eval"):
        expected = []
        for message in messages:
            features = message.features if make is example else message.context
            key = features.feature["id"].SerializeToString(deterministic=True)
            if tfx_split(key) == split:
                expected.append(message.SerializeToString())
        assert records(tmp_path / "out", split) == expected


@pytest.mark.parametrize(
    ("feature", "complaint"),
    [
        ("nmae", "has no feature 'nmae' to partition by; did you mean 'name'?"),
        ("a", "has no value in the partition feature 'a'"),
        ("z", "has floats in the partition feature 'z': only bytes and int64"),
    ],
)
@pytest.mark.parametrize("processes", [1, 2])
def test_a_partition_feature_that_cannot_be_used(tmp_path, feature, complaint, processes):
    path = write(tmp_path / "records", [example(1).SerializeToString()])
    with pytest.raises(RecordError) as raised:
        convert_tfrecords_to_examples(
            {"all": [path]},
            tmp_path / "out",
            output_splits=HashSplits(buckets=(("a", 1), ("b", 1)), partition_feature=feature),
            processes=processes,
            inline_bytes=0,
        )
    assert str(raised.value).startswith(f"{path}: the record at byte 0 {complaint}")


def test_several_input_splits_are_kept_and_not_decoded(tmp_path):
    good = [example(number).SerializeToString() for number in range(3)]
    # Only the first record of a file is looked at.
    train = write(tmp_path / "train", [*good, b"anything"])
    evaluation = write(tmp_path / "eval.gz", good[:1])
    result = convert_tfrecords_to_examples(
        {"train": [train], "eval": [evaluation]}, tmp_path / "out"
    )
    assert records(tmp_path / "out", "train") == [*good, b"anything"]
    assert records(tmp_path / "out", "eval") == good[:1]
    assert result.rows == {"train": 4, "eval": 1}


@pytest.mark.parametrize("output_splits", [TRAIN_EVAL, None], ids=["hashed", "kept"])
def test_output_does_not_depend_on_the_number_of_processes(tmp_path, output_splits):
    paths = []
    for file in range(3):
        given = [example(number).SerializeToString() for number in range(file * 800, 2000)]
        paths.append(write(tmp_path / f"{file}{'.gz' if file else ''}", given))
    outputs = []
    for processes in (1, 2, 3):
        directory = tmp_path / str(processes)
        result = convert_tfrecords_to_examples(
            {"all": paths},
            directory,
            output_splits=output_splits,
            processes=processes,
            block_bytes=20_000,
            inline_bytes=0,
        )
        assert sum(result.rows.values()) == 2000 + 1200 + 400
        assert all(count > 2 for count in result.shards.values())
        outputs.append(written_files(directory))
    assert outputs[0] == outputs[1] == outputs[2]


def test_records_keep_the_order_of_files(tmp_path):
    paths = []
    for file in range(40):
        paths.append(write(tmp_path / f"{file:02d}", [example(file).SerializeToString()]))
    result = convert_tfrecords_to_examples({"all": paths}, tmp_path / "out")
    assert result.shards == {"all": 1}
    found = map(tf.train.Example.FromString, records(tmp_path / "out", "all"))
    assert [m.features.feature["id"].int64_list.value[0] for m in found] == list(range(40))


# What is wrong with the input is said with the file and the byte.


def test_an_empty_file_is_refused_before_anything_is_written(tmp_path):
    good = write(tmp_path / "good", [example(1).SerializeToString()])
    empty = tmp_path / "_SUCCESS"
    empty.touch()
    with pytest.raises(RecordError, match=r"_SUCCESS is empty at byte 0: .* name the others"):
        convert_tfrecords_to_examples({"all": [good, empty]}, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_gzip_file_without_records_is_no_mistake_beside_others(tmp_path):
    # Other programs write a shard for each worker, and this one for each split.
    nothing = write(tmp_path / "nothing.gz", [])
    good = write(tmp_path / "good.gz", [example(1).SerializeToString()])
    result = convert_tfrecords_to_examples(
        {"train": [good, nothing], "eval": [nothing]}, tmp_path / "out"
    )
    assert result.rows == {"train": 1, "eval": 0}
    assert records(tmp_path / "out", "eval") == []
    [remark] = result.remarks
    assert remark == f"2 files have no records, though compressed: for example {nothing}."


def test_gzip_files_of_nothing_are_no_data(tmp_path):
    paths = [write(tmp_path / "a.gz", []), write(tmp_path / "b.gz", [])]
    with pytest.raises(RecordError, match=r"a\.gz, .*b\.gz: there are no records"):
        convert_tfrecords_to_examples({"train": paths[:1], "eval": paths[1:]}, tmp_path / "out")


@pytest.mark.parametrize("output_splits", [TRAIN_EVAL, None], ids=["hashed", "kept"])
def test_a_sequence_example_is_no_example(tmp_path, output_splits):
    path = write(tmp_path / "records", [sequence_example(3).SerializeToString()])
    with pytest.raises(RecordError) as raised:
        convert_tfrecords_to_examples(
            {"all": [path]}, tmp_path / "out", output_splits=output_splits, max_bad_records=5
        )
    assert str(raised.value) == (
        f"{path}: the record at byte 0 is a tf.SequenceExample, not a tf.Example: it has feature "
        "lists. Set payload_format to FORMAT_TF_SEQUENCE_EXAMPLE."
    )


@pytest.mark.parametrize("record", [b"id,name", b"\x1a\x03abc", b"\xff"])
@pytest.mark.parametrize("output_splits", [TRAIN_EVAL, None], ids=["hashed", "kept"])
def test_other_records_are_no_examples(tmp_path, record, output_splits):
    path = write(tmp_path / "records", [record])
    with pytest.raises(RecordError, match="byte 0 is not a tf.Example, though its checksum is"):
        convert_tfrecords_to_examples(
            {"all": [path]}, tmp_path / "out", output_splits=output_splits
        )


def test_an_example_may_be_empty(tmp_path):
    path = write(tmp_path / "records", [b"", b""])
    assert convert_tfrecords_to_examples({"all": [path]}, tmp_path / "out").rows == {"all": 2}


def test_a_text_file_is_no_tfrecord_file(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("id,name\n1,one\n")
    with pytest.raises(TooManyBadRecordsError, match=r"data\.csv has a damaged record at byte 0"):
        convert_tfrecords_to_examples({"all": [path]}, tmp_path / "out")


# Tolerance.


@pytest.fixture
def damaged(tmp_path):
    """Files with ten records each: damaged data, a damaged length, the end cut off, garbage."""
    good = [example(number).SerializeToString() for number in range(10)]
    starts = [len(frame(good[:number])) for number in range(11)]
    data = frame(good)

    def flip(position):
        changed = bytearray(data)
        changed[position] ^= 1
        return bytes(changed)

    files = {
        "data": flip(starts[3] + 14),
        "length": flip(starts[6]),
        "cut": data[: starts[9] + 5],
        "good": data,
        "message": frame([*good[:4], b"\xff", *good[4:]]),
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path, starts, good


def convert(directory, names, **options):
    options.setdefault("output_splits", TRAIN_EVAL)
    return convert_tfrecords_to_examples(
        {"all": [directory / name for name in names]}, directory / "out", **options
    )


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize(
    ("name", "number", "reason"),
    [
        ("data", 3, "the checksum of its data is wrong"),
        ("length", 6, "the checksum of its length is wrong"),
        ("cut", 9, "ends in the middle of a record"),
        ("message", 4, "is not a tf.Example"),
    ],
)
def test_by_default_the_first_bad_record_is_refused(damaged, name, number, reason, processes):
    directory, starts, _ = damaged
    with pytest.raises(TooManyBadRecordsError) as raised:
        convert(directory, ["good", name], processes=processes, inline_bytes=0)
    message = str(raised.value)
    assert f"{directory}/{name}" in message
    assert f"byte {starts[number]}" in message
    assert reason in message
    assert "set max_bad_records" in message


def test_damaged_data_are_skipped_alone(damaged, caplog):
    directory, starts, good = damaged
    result = convert(directory, ["data", "good"], max_bad_records=1, output_splits=None)
    assert result.bad_records == 1
    assert records(directory / "out", "all") == [*good[:3], *good[4:], *good]
    assert f"{directory}/data has a damaged record at byte {starts[3]}" in caplog.text


def test_a_damaged_length_loses_the_rest_of_the_file(damaged, caplog):
    directory, starts, good = damaged
    result = convert(directory, ["length", "good"], max_bad_records=1, output_splits=None)
    assert result.bad_records == 1
    assert records(directory / "out", "all") == [*good[:6], *good]
    lost = starts[10] - starts[6]
    assert f"The rest of the file from byte {starts[6]} on, {lost} bytes, is lost." in caplog.text


@pytest.mark.parametrize("compress", [False, True])
def test_a_file_that_is_cut_off_loses_its_last_record(damaged, caplog, compress):
    directory, starts, good = damaged
    path = directory / "cut"
    if compress:
        path.write_bytes(gzip.compress(path.read_bytes()))
    result = convert(directory, ["cut"], max_bad_records=1, output_splits=None)
    assert result.bad_records == 1
    assert records(directory / "out", "all") == good[:9]
    assert f"The rest of the file from byte {starts[9]} on, 5 bytes, is lost." in caplog.text


def test_a_record_that_cannot_be_parsed_is_skipped(damaged):
    directory, starts, good = damaged
    result = convert(directory, ["message"], max_bad_records=1)
    assert result.bad_records == 1
    found = records(directory / "out", "train") + records(directory / "out", "eval")
    assert sorted(found) == sorted(good)


@pytest.mark.parametrize("processes", [1, 2])
def test_one_bad_record_too_many(damaged, processes):
    directory, starts, _ = damaged
    names = ["data", "length", "cut", "message"]
    options = {"processes": processes, "inline_bytes": 0, "block_bytes": 300}
    with pytest.raises(TooManyBadRecordsError) as raised:
        convert(directory, names, max_bad_records=3, **options)
    message = str(raised.value)
    assert message.startswith("4 bad records so far, and max_bad_records allows 3.")
    assert all(f"- {directory}/{name}" in message for name in names)
    for split in ("train", "eval"):
        for path in (directory / "out" / f"Split-{split}").iterdir():
            os.remove(path)
    assert convert(directory, names, max_bad_records=4, **options).bad_records == 4


def test_records_that_code_makes_are_hashed_as_they_are(tmp_path):
    given = [example(number).SerializeToString(deterministic=True) for number in range(10_000)]
    result = write_serialized_examples(
        {"all": iter(given)}, tmp_path / "out", output_splits=TRAIN_EVAL, block_bytes=200_000
    )
    assert result.shards["train"] > 1
    for split in ("train", "eval"):
        expected = [record for record in given if tfx_split(record) == split]
        assert records(tmp_path / "out", split) == expected


def test_surrogates_in_a_file_name(tmp_path):
    path = os.fsencode(tmp_path) + b"/caf\xe9"
    with open(path, "wb") as file:
        file.write(frame([example(1).SerializeToString()]))
    result = convert_tfrecords_to_examples(
        {"all": [os.fsdecode(path)]}, tmp_path / "out", processes=2, inline_bytes=0
    )
    assert result.rows == {"all": 1}
