"""Abandoned uploads: the parts of files whose upload was killed, which no listing shows.

They cost storage until they are removed. S3 lists them, and boto3, where it is installed, can ask
it to; elsewhere they are left to the bucket's own rules for incomplete uploads.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from trainwright._imports import is_installed
from trainwright.storage.stores import memory_directory
from trainwright.storage.uris import is_supported, split

# What obstore names the files of `memory://` objects that are not whole yet.
_STAGED = re.compile(r".*#\d+")


def abort_uploads(uri: str) -> int:
    """Removes what uploads below an address have left; call it when nobody writes there.

    Returns:
        How many there were.
    """
    address = split(uri)
    if address.scheme == "memory":
        return _remove_staged(os.path.join(memory_directory(address.bucket), address.key))
    if address.scheme in ("s3", "s3a") and is_installed("boto3"):
        return _abort_on_s3(address.bucket, address.key)
    return 0


def why_uploads_stay(uris: Iterable[str]) -> str | None:
    """Why `abort_uploads` finds nothing below some of these addresses; None if it can look."""
    if is_installed("boto3"):
        return None
    found = (split(uri) for uri in uris if is_supported(uri))
    buckets = sorted({address.root for address in found if address.scheme in ("s3", "s3a")})
    if not buckets:
        return None
    return (
        f"Uploads to {', '.join(buckets)} that were broken off may have left parts that no listing "
        "shows and that cost storage: without boto3 they are not found. Install it with: "
        "pip install boto3"
    )


def _remove_staged(directory: str) -> int:
    count = 0
    for folder, _, names in os.walk(directory, topdown=False):
        for name in names:
            if _STAGED.fullmatch(name):
                os.unlink(os.path.join(folder, name))
                count += 1
        try:
            os.rmdir(folder)
        except OSError:
            continue  # it has objects
    return count


def _abort_on_s3(bucket: str, key: str) -> int:
    import boto3
    import botocore.exceptions

    try:
        client = boto3.client("s3")
        pages = client.get_paginator("list_multipart_uploads").paginate(
            Bucket=bucket, Prefix=f"{key}/" if key else ""
        )
        uploads = [upload for page in pages for upload in page.get("Uploads", [])]
        for upload in uploads:
            client.abort_multipart_upload(
                Bucket=bucket, Key=upload["Key"], UploadId=upload["UploadId"]
            )
    except (botocore.exceptions.BotoCoreError, botocore.exceptions.ClientError):
        # Not every store lists them, and not everyone may: the objects themselves are gone.
        return 0
    return len(uploads)
