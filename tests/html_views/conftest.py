"""Pages read as a browser reads them: is all of it closed, escaped and in one file."""

import math
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tensorflow_metadata.proto.v0 import statistics_pb2

GOLDEN = Path(__file__).resolve().parents[1] / "schemas" / "golden"

VOID = {"meta", "input", "br", "wbr"}
# What a browser runs or loads; a page has one script of its own and nothing of the others.
LOADING = {"link", "img", "iframe", "object", "embed", "base", "form", "audio", "video"}


class Page(HTMLParser):
    """The elements and the text of a page; fails if it is not well-formed or not alone."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.source = text
        self.open, self.elements, self.rows, self.words = [], [], [], []
        self.feed(text)
        self.close()
        assert not self.open, f"not closed: {self.open}"
        assert text.startswith("<!DOCTYPE html>")
        assert not re.findall(r"https?://", text)
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]", text)
        assert [tag for tag, _ in self.elements].count("script") == 1
        assert not LOADING & {tag for tag, _ in self.elements}
        self._check_attributes()

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        assert len(names) == len(set(names)), (tag, names)
        self.elements.append((tag, dict(attributes)))
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        # Only SVG has elements that close themselves.
        assert "svg" in self.open, tag
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open, tag
        assert self.open.pop() == tag, (tag, self.open)

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("script", "style"):
            self.words.append(data)
            if {"td", "th"} & set(self.open) and "svg" not in self.open:
                self.rows[-1][-1] += data

    def _check_attributes(self):
        ids = [attributes["id"] for _, attributes in self.elements if "id" in attributes]
        assert len(ids) == len(set(ids))
        for tag, attributes in self.elements:
            assert not [name for name in attributes if name.startswith("on")], (tag, attributes)
            if "href" in attributes:
                assert attributes["href"].removeprefix("#") in ids
            if tag == "th":
                assert attributes["scope"] in ("col", "row", "colgroup", "rowgroup")
            if tag == "svg":
                assert attributes["role"] == "img"

    @property
    def text(self):
        return " ".join("".join(self.words).split())

    @property
    def hints(self):
        """What is said when the mouse rests on something."""
        return [attributes["title"] for _, attributes in self.elements if "title" in attributes]

    @property
    def tidy_rows(self):
        """The cells of all rows, each with single spaces."""
        return [[" ".join(cell.split()) for cell in row] for row in self.rows]

    def row(self, *beginning):
        """The cells of the first row that begins with these."""
        for row in self.tidy_rows:
            starts = zip(row, beginning, strict=False)
            if len(row) >= len(beginning) and all(cell.startswith(b) for cell, b in starts):
                return row
        raise AssertionError(f"no row {beginning} in {self.rows}")


@pytest.fixture
def read_page():
    return Page


@pytest.fixture
def golden():
    return GOLDEN


class Statistics:
    """Builds the statistics of a split."""

    def __init__(self, num_examples=1000, name=""):
        self.proto = statistics_pb2.DatasetFeatureStatisticsList()
        self.dataset = self.proto.datasets.add(num_examples=num_examples, name=name)

    def _feature(self, name, kind, stats, missing):
        feature = self.dataset.features.add(type=kind)
        feature.path.step.append(name)
        own = getattr(feature, stats)
        common = own.common_stats
        common.num_missing = missing
        common.num_non_missing = self.dataset.num_examples - missing
        common.tot_num_values = common.num_non_missing
        common.min_num_values = common.max_num_values = 1
        common.avg_num_values = 1
        return own

    def numbers(self, name, *, missing=0, buckets=((0, 10, 1000),), nan=0, **fields):
        """Adds a feature of numbers, with a histogram of (low, high, count)."""
        own = self._feature(name, 1, "num_stats", missing)
        defaults = {"mean": 5, "std_dev": 2, "min": 0, "median": 5, "max": 10}
        for field, value in {**defaults, **fields}.items():
            setattr(own, field, value)
        for kind in (0, 1):
            histogram = own.histograms.add(type=kind, num_nan=nan)
            for low, high, count in buckets:
                histogram.buckets.add(low_value=low, high_value=high, sample_count=count)
        return self

    def texts(self, name, counts, *, missing=0, unique=None):
        """Adds a feature of strings, with how often each occurs."""
        own = self._feature(name, 2, "string_stats", missing)
        own.unique = len(counts) if unique is None else unique
        for value, count in counts.items():
            own.top_values.add(value=value, frequency=count)
        own.avg_length = math.fsum(len(value) for value in counts) / max(len(counts), 1)
        return self

    def other(self, name, stats, kind):
        self._feature(name, kind, stats, 0)
        return self


@pytest.fixture
def statistics():
    return Statistics
