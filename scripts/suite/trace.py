"""Tests under strace: the files of the tree that they read, beside those that their groups name."""
import os
import pathlib
import re
import subprocess
import tempfile

from .groups import ROOT, SuiteError

CALL = re.compile(r'\b(?:openat|open|execve)\((?:AT_FDCWD, |\d+<([^>]*)>, )?"([^"]*)"')
WROTE = re.compile(r"O_WRONLY|O_CREAT|O_DIRECTORY|= -1 ")
MISSING = 60  # files a group that are printed


def read_by(test, files, root=ROOT):
    """(status, the files of the tree that a test opens to read, or runs)"""
    found = set()
    with tempfile.TemporaryDirectory() as folder:
        # -ff: a file for each process; -y: relative names with the folder that they are relative to.
        command = [
            "strace",
            "-ff",
            "-qq",
            "-y",
            "-s",
            "4096",
            "-e",
            "trace=openat,open,execve,chdir",
            "-e",
            "signal=none",
            "-o",
            f"{folder}/t",
            "bash",
            "-c",
            test.command,
        ]
        try:
            done = subprocess.run(command, cwd=root, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        except OSError as reason:
            raise SuiteError(f"strace: {reason}: apt-get install strace") from None
        for path in pathlib.Path(folder).iterdir():
            with path.open(encoding="utf-8", errors="replace") as lines:
                for line in lines:
                    call = CALL.search(line)
                    if not call or WROTE.search(line):
                        continue
                    opened = re.search(r"= \d+<([^>]*)>", line)
                    name = opened[1] if opened else os.path.join(call[1] or str(root), call[2])
                    relative = os.path.relpath(name, root)
                    if relative in files:
                        found.add(relative)
    return done.returncode, found


def compare(tests, inputs):
    """Prints, for each group, what its tests read and it does not name; status 1 where there is anything."""
    missing = {}
    for test in tests:
        named, always = inputs.of(test)
        status, read = read_by(test, inputs.files)
        beyond = set() if always else read - named
        print(
            f"{'PASS' if status == 0 else f'status {status}'}  {test.name}  reads {len(read)}, names {len(named)}{' and always runs' if always else ''}, beyond: {len(beyond)}",
            flush=True,
        )
        missing.setdefault(test.group, set()).update(beyond)
    for group, files in missing.items():
        if files:
            print(f"{group} does not name:\n  " + "\n  ".join(sorted(files)[:MISSING]))
    return 1 if any(missing.values()) else 0
