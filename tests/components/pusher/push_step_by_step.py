"""Pushes a model and does something before each step of it that touches the file system.

Called as `push_step_by_step.py ACTION SOURCE BASE` by test_pusher.py; prints what it saw as JSON.
Python's audit events tell the steps, so nothing in the executor is replaced.
"""

import json
import os
import signal
import sys

from trainwright.components.pusher.executor import push_directory


class Steps:
    """Calls an action with the number and the name of the step before each."""

    def __init__(self):
        self.count = 0
        self.action = None
        sys.addaudithook(self._hook)

    def _hook(self, event, arguments):
        if self.action is None or not event.startswith(("os.", "open", "shutil.")):
            return
        action, self.action = self.action, None
        action(self.count, event)
        self.count += 1
        self.action = action

    def push(self, source, base, action):
        self.count = 0
        self.action = action
        try:
            return push_directory(source, base)
        finally:
            self.action = None


def files(directory):
    return sorted(
        os.path.relpath(os.path.join(parent, name), directory)
        for parent, _, names in os.walk(directory)
        for name in names
    )


def broken_versions(source, base):
    names = os.listdir(base) if os.path.exists(base) else []
    paths = [os.path.join(base, name) for name in names if name.isdigit()]
    return [path for path in paths if files(path) != files(source)]


def watch(steps, source, base):
    """Looks at the directory before each step."""
    broken = []
    steps.push(source, base, lambda step, event: broken.extend(broken_versions(source, base)))
    return {"steps": steps.count, "broken": broken}


def kill(steps, source, base):
    """Lets a push be killed at its first step, another one at its second, and so on."""
    broken, step = [], 0
    while True:
        pid = os.fork()
        if pid == 0:
            steps.push(
                source, base, lambda at, event: at == step and os.kill(os.getpid(), signal.SIGKILL)
            )
            os._exit(0)
        _, status = os.waitpid(pid, 0)
        broken += broken_versions(source, base)
        if os.waitstatus_to_exitcode(status) == 0:
            return {"steps": step, "broken": broken}
        step += 1


def disturb(steps, source, base):
    """Lets another process push the same model before each step."""
    pushes = 0

    def push_too(step, event):
        nonlocal pushes
        if event == "os.rename":
            return  # it would take every version that is tried
        pushes += 1
        pid = os.fork()
        if pid == 0:
            push_directory(source, base)
            os._exit(0)
        os.waitpid(pid, 0)

    steps.push(source, base, push_too)
    return {"steps": pushes, "broken": broken_versions(source, base)}


if __name__ == "__main__":
    action, source, base = sys.argv[1:]
    print(json.dumps(globals()[action](Steps(), source, base)))
