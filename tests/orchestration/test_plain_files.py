"""Files opened where user code can write are plain files, or nothing, and never waited for."""

import os
import socket

import pytest

from trainwright.history.errors import NotInHistoryError
from trainwright.history.logs import read_log
from trainwright.orchestration.launching.worker_pool import WorkerPool
from trainwright.orchestration.publishing.plain_files import NotAPlainFileError, open_plain


def make_socket(path):
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(path))


OTHERS = {
    "a named pipe": os.mkfifo,
    "a directory": os.mkdir,
    "a socket": make_socket,
    "a link": lambda path: os.symlink("/dev/zero", path),
}
APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND


@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.parametrize("flags", [os.O_RDONLY, APPEND])
def test_anything_but_a_file_is_refused_at_once(tmp_path, kind, flags):
    OTHERS[kind](tmp_path / "log")
    with pytest.raises(NotAPlainFileError, match=f"expected a plain file, found {kind}; remove"):
        open_plain(str(tmp_path / "log"), flags)


def test_a_file_is_opened_as_usual(tmp_path):
    path = str(tmp_path / "log")
    with pytest.raises(FileNotFoundError):
        open_plain(path, os.O_RDONLY)
    for line in (b"one\n", b"two\n"):
        descriptor = open_plain(path, APPEND)
        assert os.get_blocking(descriptor)
        assert not os.get_inheritable(descriptor)
        os.write(descriptor, line)
        os.close(descriptor)
    assert b"".join(read_log(path)) == b"one\ntwo\n"


def test_a_pipe_in_place_of_a_log_holds_neither_its_reader_nor_the_start_of_a_node(tmp_path):
    path = str(tmp_path / "executor.log")
    os.mkfifo(path)
    with pytest.raises(NotInHistoryError, match=r"executor\.log cannot be read: expected a plain"):
        read_log(path)
    pool = WorkerPool()
    try:
        with pytest.raises(NotAPlainFileError):
            pool.start({}, b"", log_path=path, preload=(), environment={})
    finally:
        pool.close()
