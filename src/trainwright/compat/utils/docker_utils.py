"""Container images in the local docker and in Google's registry."""

from __future__ import annotations

import subprocess

from trainwright._imports import require


def delete_image(name: str, remote: bool = True) -> None:
    """Removes all images of a name, and with `remote` those in the registry, through gcloud.

    Needs the package docker and a docker daemon.
    """
    client = require("docker", package="docker").from_env()
    try:
        # Newest first: a child must go before its parent.
        images = sorted(client.images.list(name), key=lambda image: image.attrs["Created"])
        for image in reversed(images):
            client.images.remove(image.id, force=True)
            if remote:
                digest = image.attrs["RepoDigests"][0]
                command = ["gcloud", "container", "images", "delete", digest]
                subprocess.check_output([*command, "--quiet", "--force-delete-tags"])
    finally:
        client.close()
