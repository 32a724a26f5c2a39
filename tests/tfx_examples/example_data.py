"""Small data for the example pipelines: every class is easy to tell from the others."""

from __future__ import annotations

import csv
import random
from pathlib import Path

from trainwright.data.example_messages import example_class
from trainwright.data.tfrecord import open_gzip_writer

MEASUREMENTS = ("culmen_length_mm", "culmen_depth_mm", "flipper_length_mm", "body_mass_g")
# About what the measurements of each species are, between 0 and 1.
SPECIES = ((0.25, 0.7, 0.3, 0.3), (0.65, 0.7, 0.4, 0.3), (0.55, 0.2, 0.8, 0.7))


def write_penguins(path: Path, rows: int = 150) -> None:
    noise = random.Random(1)
    _write_csv(
        path,
        ("species", *MEASUREMENTS),
        [(row % 3, *(noise.gauss(mean, 0.04) for mean in SPECIES[row % 3])) for row in range(rows)],
    )


def write_trips(path: Path, rows: int = 150) -> None:
    """Trips whose passengers tip if they pay by card; some have no company."""
    noise = random.Random(2)
    table = []
    for row in range(rows):
        card = row % 2
        fare = noise.uniform(4, 30)
        company = noise.choice(("Blue", "Yellow", ""))
        tips = fare * (0.3 if card else 0.0)
        hour = noise.randrange(24)
        latitude = noise.uniform(41.8, 42)
        table.append((fare, tips, "Credit Card" if card else "Cash", company, hour, latitude))
    names = ("fare", "tips", "payment_type", "company", "trip_start_hour", "pickup_latitude")
    _write_csv(path, names, table)


def write_reviews(path: Path, rows: int = 120) -> None:
    words = (("dull", "poor", "bad", "the", "a"), ("great", "fine", "good", "the", "a"))
    choice = random.Random(3)
    reviews = [
        (" ".join(choice.choice(words[row % 2]) for _ in range(8)), row % 2) for row in range(rows)
    ]
    _write_csv(path, ("text", "label"), reviews)


def write_digits(path: Path, rows: int = 120, pixels: int = 16) -> None:
    """Images as numbers from -0.5 to 0.5: a digit is where the bright pixels are."""
    noise = random.Random(4)
    with open_gzip_writer(path) as write:
        for row in range(rows):
            digit = row % 4
            image = [
                noise.uniform(0.2, 0.5) if pixel // 4 == digit else noise.uniform(-0.5, -0.2)
                for pixel in range(pixels)
            ]
            example = example_class()()
            example.features.feature["image_floats"].float_list.value.extend(image)
            example.features.feature["image_class"].int64_list.value.append(digit)
            write([example.SerializeToString()])


def _write_csv(path: Path, names, rows) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([names, *rows])
