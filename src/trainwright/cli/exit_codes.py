"""The exit codes of all commands."""

from __future__ import annotations

# All is well.
OK = 0
# The command did its work, but what it looked at has failed: a run, a node, the installation.
FAILED = 1
# The question or its input is wrong: an unknown run, no store, a bad option, a broken file.
USAGE_ERROR = 2
# Ctrl-C.
STOPPED = 130
# Whoever read the output has gone, as for every program in a pipe (128 + SIGPIPE).
READER_GONE = 141

EXPLANATION = """\b
Exit codes, the same for every command:
  0    all is well
  1    what was looked at has failed: a run, a node, the installation
  2    the question or its input is wrong: an unknown run, no store, a bad option
  130  stopped, for example by Ctrl-C"""
