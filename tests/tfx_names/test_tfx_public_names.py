"""Every public name of TFX's wheels and documents is there as TFX has it, or on the list of those
that are not, with a reason."""

from __future__ import annotations

import importlib
import re
from collections import defaultdict
from pathlib import Path

import pytest
from public_names import PublicName, problem, public_names, reason_missing

from tfx._missing_modules import is_of_a_checkout
from tfx._missing_names import MISSING_NAMES

README = Path(__file__).parents[2] / "README.md"
DOCUMENTED_NAMES = Path(__file__).with_name("documented_names.txt").read_text("utf-8").split()


def by_module() -> dict[str, list[PublicName]]:
    facts = defaultdict(list)
    for fact in public_names():
        if reason_missing(fact.full_name) is None:
            facts[fact.module].append(fact)
    return facts


@pytest.mark.parametrize(("module", "facts"), by_module().items(), ids=lambda item: str(item)[:80])
def test_the_public_names_of_a_module_are_there_as_in_tfx(module, facts):
    problems = {fact.full_name: problem(fact) for fact in facts}
    assert {name: found for name, found in problems.items() if found} == {}


@pytest.mark.parametrize("name", DOCUMENTED_NAMES)
def test_what_documents_and_examples_of_tfx_import_is_there(name):
    if is_of_a_checkout(name) or reason_missing(name) is not None:
        return
    module, found = "", None
    for part in name.split("."):
        found = getattr(found, part, None)
        module = f"{module}.{part}".removeprefix(".")
        found = importlib.import_module(module) if found is None else found
    assert found is not None


def test_no_reason_is_given_for_a_name_that_nobody_can_ask_for():
    known = {fact.full_name for fact in public_names()} | set(DOCUMENTED_NAMES)
    above = {name.rsplit(".", count)[0] for name in known for count in range(name.count("."))}
    assert set(MISSING_NAMES) <= known | above


def test_the_readme_states_the_share():
    facts = public_names()
    there = sum(reason_missing(fact.full_name) is None for fact in facts)
    assert re.search(rf"\b{there:,} of the {len(facts):,}\b".replace(",", " "), README.read_text())
