"""Writes scikit-learn's handwritten digits as tf.Examples: a PNG image and what it shows.

    python examples/digits/make_data.py examples/digits/data

They are 1 797 images of 8 by 8 pixels, which come with scikit-learn itself: nothing is downloaded.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import tensorflow as tf


def write_digits(directory: Path, count: int | None = None) -> None:
    """Writes `digits.tfrecord.gz` into a directory; all of them, or the first `count`."""
    from sklearn.datasets import load_digits

    digits = load_digits()
    directory.mkdir(parents=True, exist_ok=True)
    path = str(directory / "digits.tfrecord.gz")
    with tf.io.TFRecordWriter(path, tf.io.TFRecordOptions("GZIP")) as writer:
        for pixels, digit in list(zip(digits.images, digits.target, strict=True))[:count]:
            # scikit-learn counts from 0 to 16; an image from 0 to 255.
            image = (pixels[..., None] * 15.9375).astype("uint8")
            example = tf.train.Example()
            example.features.feature["image"].bytes_list.value.append(
                tf.io.encode_png(image).numpy()
            )
            example.features.feature["digit"].int64_list.value.append(int(digit))
            writer.write(example.SerializeToString())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    write_digits(parser.parse_args().directory)
