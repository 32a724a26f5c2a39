"""Names of packages that are imported when used."""

from __future__ import annotations

import importlib
import traceback

import pytest

from trainwright._suggest import did_you_mean


@pytest.mark.parametrize(
    ("package", "name", "guess"),
    [("trainwright", "Pipelin", "Pipeline"), ("trainwright.components", "Trainr", "Trainer")],
)
def test_an_unknown_name_is_answered_with_the_nearest(package, name, guess):
    module = importlib.import_module(package)
    assert not hasattr(module, name)
    message = f"^module '{package}' has no attribute '{name}'; did you mean '{guess}'"
    with pytest.raises(AttributeError, match=message) as raised:
        getattr(module, name)
    printed = "".join(traceback.format_exception_only(raised.value))
    assert printed.lower().count("did you mean") == 1, "Python added a guess of its own"
    with pytest.raises(ImportError, match=message):
        exec(f"from {package} import {name}")


def test_packages_are_attributes(run_script):
    source = """
    import trainwright
    print(trainwright.components.CsvExampleGen.__name__, trainwright.proto.TrainArgs.__name__)
    from trainwright.components import trainer
    print(trainer.__name__)
    """
    assert run_script(source).stdout == (
        "CsvExampleGen TrainArgs\ntrainwright.components.trainer\n"
    )


def test_a_long_list_of_names_does_not_hide_the_guess():
    known = [f"name{number}" for number in range(30)]
    assert did_you_mean("nam7", known) == "; did you mean 'name7'?"
    assert "'name29'" in did_you_mean("quite different", known)
