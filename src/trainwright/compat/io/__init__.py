"""Filesystems that TFX programs register beside the local one."""
