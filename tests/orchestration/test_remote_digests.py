"""The digests of source files in object stores, of which cache keys are made."""

from __future__ import annotations

import dataclasses
import hashlib
import uuid

import pytest

from trainwright.orchestration.planning import file_digests
from trainwright.orchestration.planning.file_digests import FileDigests
from trainwright.storage import objects


@pytest.fixture
def uri(tmp_path, monkeypatch):
    monkeypatch.setenv("TRAINWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    bucket = f"memory://test-{uuid.uuid4().hex[:12]}"
    yield f"{bucket}/data/a.csv"
    objects.remove_tree(bucket)


def test_a_digest_changes_with_the_object_and_not_otherwise(uri):
    objects.write(uri, b"x")
    first = FileDigests().digest(uri)
    assert FileDigests().digest(uri) == first
    objects.write(uri, b"y")
    assert FileDigests().digest(uri) != first


def test_what_is_not_there_has_no_digest_and_is_asked_for_again(uri):
    digests = FileDigests()
    assert digests.remote_facts([uri, "/local"]) == []
    objects.write(uri, b"x")
    assert [facts.uri for facts in digests.remote_facts([uri])] == [uri]
    assert digests.digest(uri) is not None


def test_an_object_without_a_tag_is_read(uri, monkeypatch):
    objects.write(uri, b"content")
    ask = file_digests.stat_all

    def without_tags(uris):
        return {one: dataclasses.replace(facts, etag=None) for one, facts in ask(uris).items()}

    monkeypatch.setattr(file_digests, "stat_all", without_tags)
    assert FileDigests().digest(uri) == hashlib.sha256(b"content").hexdigest()


def test_many_files_of_a_directory_are_asked_for_together(uri):
    base = uri.rpartition("/")[0]
    names = [f"{base}/{number}" for number in range(6)]
    for name in names:
        objects.write(name, name.encode())
    found = objects.stat_all([*names, f"{base}/none", f"{base}/sub/none"])
    assert list(found) == names
    assert found[names[3]] == objects.stat(names[3])
