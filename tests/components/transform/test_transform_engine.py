"""A Transform on an engine of another package: the same files, whoever made them."""

from __future__ import annotations

import pytest

pytest.importorskip("tensorflow_transform", reason="pip install 'trainwright[transform]'")

from raw_example_files import write_examples  # noqa: E402

from trainwright.transform import vocabulary_counts  # noqa: E402

SOURCE = """
    def preprocessing_fn(inputs):
        words = tf.strings.join([inputs["word"], tf.strings.as_string(inputs["count"] % 13)])
        return {
            "word": tft.compute_and_apply_vocabulary(words, vocab_filename="words"),
            "x": tft.scale_to_z_score(inputs["x"]),
        }
"""

# What TensorFlow writes anew each time, with random names and numbers in it.
NEVER_THE_SAME = ("fingerprint.pb", "saved_model.pb", "variables.index")


def contents(transformed):
    """The files of all artifacts but the transformed examples, in which features have no order."""
    found = {}
    for key in set(transformed.artifacts) - {"transformed_examples"}:
        for path in transformed[key].rglob("*"):
            if path.is_file() and path.name not in NEVER_THE_SAME:
                found[f"{key}/{path.relative_to(transformed[key])}"] = path.read_bytes()
    return found


def test_an_engine_without_a_common_filesystem_gives_the_same(
    transform, elsewhere, tmp_path, monkeypatch
):
    """Vocabularies are spilled where nobody else sees it, and travel inside accumulators."""
    monkeypatch.setattr(vocabulary_counts, "_MOST_IN_MEMORY", 5)
    monkeypatch.setenv("ELSEWHERE_TOKENS_IN_MEMORY", "5")
    given = [write_examples(tmp_path / "raw", train=[range(90), range(90, 150)], eval=[[1, 2]])]
    notes = tmp_path / "notes.txt"

    local = transform(SOURCE, given=given, engine="local")
    far = transform(SOURCE, given=given, engine=f"elsewhere://{notes}")

    expected, found = contents(local), contents(far)
    assert found.keys() == expected.keys()
    assert [name for name in found if found[name] != expected[name]] == []
    assert far.rows("train") == local.rows("train")
    assert far.rows("eval") == local.rows("eval")
    assert len(expected["transform_graph/transform_fn/assets/words"].splitlines()) == 39
    passes = {line.split()[0].partition(":")[2] for line in notes.read_text().splitlines()}
    assert passes == {"PhasePass", "StatisticsPass"}
