"""Runs `sums.py` twice with its root in an object store; inside of the cluster's namespaces."""

from __future__ import annotations

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE)]

from object_store import ObjectStore  # noqa: E402
from sums import create_pipeline  # noqa: E402

from trainwright import RayDagRunner  # noqa: E402

if __name__ == "__main__":
    address, directory = sys.argv[1:]
    with ObjectStore() as store:
        os.environ.update(store.environment)
        store.create_bucket("bucket")
        runner = RayDagRunner(address, default_store=f"sqlite:///{directory}/metadata.db")
        for _ in range(2):
            pipeline = create_pipeline("s3://bucket/root")
            for node in pipeline.components:
                # The machines of a real cluster have credentials of their own.
                node.with_environment(**store.environment)
            runner.run(pipeline)
