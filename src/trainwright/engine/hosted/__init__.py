"""Common parts of the Ray and Beam engines: worker processes that they host, and their files."""
