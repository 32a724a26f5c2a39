"""Addresses of objects: what is refused, and why."""

from __future__ import annotations

import doctest

import pytest

from trainwright.storage import uris


def test_examples_of_the_docstrings():
    assert doctest.testmod(uris).failed == 0


@pytest.mark.parametrize(
    "uri",
    [
        "s3://bucket",
        "s3://bucket/",
        "s3a://bucket/a/b.csv",
        "gs://my_bucket.example.com/a b/ü%20.csv",
        "az://container/a",
        "abfss://container@account.dfs.core.windows.net/a",
        "memory://bucket/Split-train/data_tfrecord-00000-of-00001.gz",
    ],
)
def test_addresses_that_stores_have(uri):
    uris.check_uri(uri, "source")


@pytest.mark.parametrize(
    ("uri", "message"),
    [
        (
            "hdfs://host/a",
            r"a remote path \(hdfs\) of a kind that is not supported: .* s3://, gs://",
        ),
        ("data/a", r"\(no scheme\)"),
        ("s3:///a", "has no bucket"),
        ("s3://bucket/a//b", "has an empty step"),
        ("s3://bucket/../b", r"has the step '\.\.'"),
        ("s3://bucket/./b", r"has the step '\.'"),
        ("s3://bucket/a?x=1", r"has a '\?' or '#'"),
        ("s3://bucket/a#1", r"has a '\?' or '#'"),
        ("s3://bucket/a\0", "has a NUL character"),
        ("s3://bucket/a\nb", "has the control character"),
        ("s3://bucket/\udc80", "not valid Unicode"),
        ("s3://buc ket/a", "has the bucket 'buc ket'"),
        ("s3://key:secret@bucket/a", "has credentials in it"),
    ],
)
def test_what_no_store_has_is_refused(uri, message):
    with pytest.raises(ValueError, match=message) as info:
        uris.check_uri(uri, "source of Importer")
    assert str(info.value).startswith("source of Importer '")
    assert "secret" not in str(info.value)
    assert "x=1" not in str(info.value)


def test_an_address_that_lies_elsewhere_is_not_relative():
    with pytest.raises(ValueError, match="does not lie below"):
        uris.relative("s3://bucket/data2/a", "s3://bucket/data")
