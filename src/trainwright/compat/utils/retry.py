"""A decorator that calls a function again after a failure."""

from __future__ import annotations

import functools
import logging
import time
from collections.abc import Callable
from typing import Any

_log = logging.getLogger(__name__)


def retry(
    max_retries: int = 3,
    delay_seconds: int = 1,
    expected_exception: type[Exception] = Exception,
    ignore_eventual_failure: bool = False,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorates a function that may succeed when it is called again.

    Args:
        max_retries: How often it is called again after the first failure.
        delay_seconds: How long to wait before each further call.
        expected_exception: What counts as such a failure; others are raised at once.
        ignore_eventual_failure: Return None after the last failure, instead of raising it.

    Example:
        @retry(max_retries=5, expected_exception=ConnectionError)
        def ask_the_server(): ...
    """

    def decorate(func: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(func)
        def call(*args: Any, **kwargs: Any) -> Any:
            for attempt in range(max_retries + 1):
                if attempt:
                    if delay_seconds > 0:
                        time.sleep(delay_seconds)
                    _log.info("Calling %s again (%d of %d).", func.__name__, attempt, max_retries)
                try:
                    return func(*args, **kwargs)
                except expected_exception as error:
                    _log.info("%s failed: %s", func.__name__, error)
                    if attempt == max_retries and not ignore_eventual_failure:
                        raise
            return None

        return call

    return decorate
