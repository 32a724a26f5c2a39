"""Makes a CSV file of invented taxi trips, with the columns of the Chicago taxi data.

    python examples/taxi/make_data.py examples/taxi/data/trips.csv --rows 15000

Trips are longer where their ends are far apart, fares follow distance and time, and passengers who
pay by card tip more: enough for a model to find. Some values are missing, as in the real data.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import numpy as np

COMPANIES = (
    "Blue Diamond",
    "Chicago Elite Cab Corp.",
    "Choice Taxi Association",
    "Dispatch Taxi Affiliation",
    "KOAM Taxi Association",
    "Northwest Management LLC",
    "Taxi Affiliation Services",
    "Top Cab Affiliation",
)
PAYMENT_TYPES = ("Cash", "Credit Card", "Dispute", "No Charge", "Unknown")
COLUMNS = (
    "pickup_community_area",
    "fare",
    "trip_start_month",
    "trip_start_hour",
    "trip_start_day",
    "trip_start_timestamp",
    "pickup_latitude",
    "pickup_longitude",
    "dropoff_latitude",
    "dropoff_longitude",
    "trip_miles",
    "pickup_census_tract",
    "dropoff_census_tract",
    "payment_type",
    "company",
    "trip_seconds",
    "dropoff_community_area",
    "tips",
)
_MILES_PER_DEGREE = (69.0, 51.0)
_FIRST_TRIP = 1_357_000_000


def make_trips(rows: int, seed: int = 2013) -> dict[str, list[object]]:
    """The columns of `rows` trips; the same for the same seed."""
    source = np.random.default_rng(seed)
    areas = source.integers(1, 78, size=(2, rows))
    # The areas lie on a grid of 7 by 11, and a trip ends more often near where it began.
    is_near = source.random(rows) < 0.5
    areas[1] = np.where(is_near, areas[0], areas[1])
    latitude, longitude = _place(areas, source)
    miles = (
        np.hypot(
            (latitude[0] - latitude[1]) * _MILES_PER_DEGREE[0],
            (longitude[0] - longitude[1]) * _MILES_PER_DEGREE[1],
        )
        * source.uniform(0.7, 1.1, rows)
    ).round(2)
    seconds = (miles * source.uniform(120, 320, rows) + source.gamma(2, 60, rows)).astype(int)
    fare = (3.25 + 2.25 * miles + seconds / 36 * 0.2 + source.gamma(1, 0.5, rows)).round(2)
    payment = source.choice(len(PAYMENT_TYPES), rows, p=[0.55, 0.42, 0.005, 0.015, 0.01])
    generosity = source.normal(0.22, 0.06, rows).clip(0) * (source.random(rows) < 0.93)
    tips = np.where(payment == 1, (fare * generosity).round(2), 0.0)
    start = _FIRST_TRIP + source.integers(0, 4 * 365 * 86_400, rows)
    days = start.astype("datetime64[s]")
    return {
        "pickup_community_area": areas[0].tolist(),
        "fare": fare.tolist(),
        "trip_start_month": (days.astype("datetime64[M]").astype(int) % 12 + 1).tolist(),
        "trip_start_hour": (start // 3600 % 24).tolist(),
        # 1 January 1970 was a Thursday; weeks begin on Sunday, day 1.
        "trip_start_day": ((start // 86_400 + 4) % 7 + 1).tolist(),
        "trip_start_timestamp": start.tolist(),
        "pickup_latitude": latitude[0].round(6).tolist(),
        "pickup_longitude": longitude[0].round(6).tolist(),
        "dropoff_latitude": _with_gaps(latitude[1].round(6), source, 0.03),
        "dropoff_longitude": _with_gaps(longitude[1].round(6), source, 0.03),
        "trip_miles": miles.tolist(),
        "pickup_census_tract": [""] * rows,
        "dropoff_census_tract": _with_gaps(17_031_000_000 + areas[1] * 1000 + 201, source, 0.28),
        "payment_type": [PAYMENT_TYPES[choice] for choice in payment],
        "company": _with_gaps(np.array(COMPANIES)[source.integers(0, 8, rows)], source, 0.35),
        "trip_seconds": _with_gaps(seconds, source, 0.001),
        "dropoff_community_area": _with_gaps(areas[1], source, 0.03),
        "tips": tips.tolist(),
    }


def _place(areas: np.ndarray, source: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    latitude = 41.65 + (areas - 1) // 7 * 0.035 + source.normal(0, 0.008, areas.shape)
    longitude = -87.85 + (areas - 1) % 7 * 0.045 + source.normal(0, 0.01, areas.shape)
    return latitude, longitude


def _with_gaps(values: np.ndarray, source: np.random.Generator, part: float) -> list[object]:
    is_missing = source.random(len(values)) < part
    return ["" if gap else value for value, gap in zip(values.tolist(), is_missing, strict=True)]


def write_trips(path: str | Path, rows: int, seed: int = 2013) -> None:
    """Writes the trips as a CSV file with a header."""
    trips = make_trips(rows, seed)
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows(zip(*(trips[column] for column in COLUMNS), strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes a CSV file of invented taxi trips.")
    parser.add_argument("path", help="the file to write")
    parser.add_argument("--rows", type=int, default=15_000)
    parser.add_argument("--seed", type=int, default=2013)
    arguments = parser.parse_args()
    write_trips(arguments.path, arguments.rows, arguments.seed)


if __name__ == "__main__":
    main()
