"""Object stores: what lies at `s3://`, `gs://`, `az://` and `memory://` addresses.

Files of a POSIX path stay with `os` and `shutil`; only remote addresses come here. `objects` has
single objects and listings, `transfer` whole directories, `local_copies` this host's cache.
"""
