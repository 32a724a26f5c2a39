"""The tree by which accumulators are merged."""

import json

import pytest

from trainwright.engine import merging
from trainwright.engine.local_engine import LocalEngine
from trainwright.engine.merging import FAN_IN, Levels, MergeTree, group_sizes
from trainwright.engine.passes import AccumulatingPass, PassSpec, Shard


class Nest(AccumulatingPass):
    """Accumulators show how they came about; an empty one leaves no trace."""

    def create(self):
        return []

    def add(self, accumulator, shard, report):
        return [shard.config["number"]]

    def merge(self, accumulator, other):
        return [*accumulator, other]

    def extract(self, accumulator):
        return accumulator

    def serialize(self, accumulator):
        return json.dumps(accumulator).encode()

    def deserialize(self, data):
        return json.loads(data)


def nested(count):
    """The definition: groups of neighbours, level by level, until few are left."""
    items = [[number] for number in range(count)]
    while len(items) > FAN_IN:
        items = [items[start : start + FAN_IN] for start in range(0, len(items), FAN_IN)]
    return items


COUNTS = [0, 1, 2, FAN_IN, FAN_IN + 1, 3 * FAN_IN, FAN_IN**2, FAN_IN**2 + 1, FAN_IN**2 + FAN_IN + 1]


@pytest.mark.parametrize("count", COUNTS)
def test_the_tree_has_the_shape_of_its_definition(count):
    shards = [Shard(name=str(n), config={"number": n}) for n in range(count)]
    result = LocalEngine(1).accumulate(PassSpec(f"{__name__}:Nest"), shards)
    assert result == nested(count)


@pytest.mark.parametrize("count", COUNTS)
def test_groups_that_are_merged_elsewhere_are_the_same(count):
    levels, built = Levels(), Nest()

    def add(data, level=0):
        group = levels.add(data, level)
        if group is not None:
            add(built.merge_serialized(group), level + 1)

    for number in range(count):
        add(json.dumps([number]).encode())
    level = 0
    while (group := levels.close(level)) is not None:
        add(built.merge_serialized(group), level + 1)
        level += 1
    tree = MergeTree(built)
    for data in levels.top:
        tree.add(data)
    assert tree.finish() == nested(count)
    sizes = group_sizes(count)
    assert len(levels.top) == (sizes[-1] if sizes else count)


def test_few_accumulators_are_held(monkeypatch):
    monkeypatch.setattr(merging, "FAN_IN", 4)
    tree = MergeTree(Nest())
    for number in range(1000):
        tree.add(json.dumps([number]).encode())
        assert len(tree._levels) <= 5
