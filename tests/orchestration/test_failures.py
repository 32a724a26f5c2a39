"""A worker always says why it failed, whatever the class of the exception does."""

import pytest

from trainwright.orchestration.execution.failures import describe_failure
from trainwright.orchestration.publishing.result_file import is_error


class HidesItsBases(type):
    @property
    def __mro__(cls):
        raise SystemExit(3)

    @property
    def __name__(cls):
        raise RuntimeError


class HidingError(Exception, metaclass=HidesItsBases):
    pass


def test_an_exception_that_cannot_be_looked_at_is_told_by_its_type():
    described = describe_failure(HidingError("hidden"))
    assert is_error(described)
    assert described["type"] == "HidingError"
    assert "cannot be described, for its class raised" in described["message"]


def test_what_is_left_out_is_logged_and_a_program_s_parts_are_whole_or_none(capsys):
    described = describe_failure(ValueError("begin" + "z" * 200_000 + "end"))
    assert described["message"].startswith("beginz")
    assert described["message"].endswith("zend")
    assert "134472 characters are left out here; the log has all of them" in described["message"]
    assert described["arguments"] == ""
    assert described["classes"].startswith("builtins:ValueError ")
    assert f"begin{'z' * 200_000}end" in capsys.readouterr().err


@pytest.mark.parametrize("length", [0, 65_536])
def test_a_shorter_message_is_told_whole(capsys, length):
    assert describe_failure(ValueError("z" * length))["message"] == "z" * length
    assert describe_failure(ValueError("short"))["arguments"]
