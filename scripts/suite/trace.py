"""Tests under strace: the files of the tree that they read, beside those that their groups name."""
import os
import pathlib
import re
import subprocess
import tempfile

from .groups import ROOT, SuiteError

OPENED = re.compile(r"\bopen(?:at)?\(.*\) += \d+<([^>]*)>")  # -y: with the whole name
WROTE = re.compile(r"O_WRONLY|O_CREAT|O_DIRECTORY")
MAKES = re.compile(r".*\.mk|tests/unit/rtl/\w+/config")  # what make reads of the tree before it does anything
MISSING = 60  # files a group that are printed


def opened(lines, files, root=ROOT):
    """The files of the tree that a trace opens to read."""
    found = set()
    for line in lines:
        call = OPENED.search(line)
        if call and not WROTE.search(line):
            found.add(os.path.relpath(call[1], root))
    return found & files


def read_by(test, files, root=ROOT):
    """(status, the files of the tree that a test opens to read). What the kernel runs, an interpreter opens, or it is built."""
    found = set()
    with tempfile.TemporaryDirectory() as folder:
        words = ["strace", "-ff", "-qq", "-y", "-s", "4096", "-e", "trace=openat,open", "-e", "signal=none", "-o", f"{folder}/t", "bash", "-c", test.command]
        try:
            # Leaks are looked for by a tracer, and there can be only one.
            environment = os.environ | {"ASAN_OPTIONS": "detect_leaks=0"}
            done = subprocess.run(words, cwd=root, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        except OSError as reason:
            raise SuiteError(f"strace: {reason}: apt-get install strace") from None
        for path in pathlib.Path(folder).iterdir():  # one for each process
            with path.open(encoding="utf-8", errors="replace") as lines:
                found |= opened(lines, files, root)
    return done.returncode, found


def compare(tests, inputs, everything):
    """Prints, for each group, what its tests read and it does not name; status 1 where there is anything. What no test of everything names
    runs all, whoever reads it; what make reads before it does anything is no reading of the test's."""
    known = frozenset().union(*(inputs.of(test)[0] for test in everything))
    missing = {}
    for test in tests:
        named, always = inputs.of(test)
        status, read = read_by(test, inputs.files)
        beyond = set() if always else {path for path in read & known if path not in named and not MAKES.fullmatch(path)}
        print(
            f"{'PASS' if status == 0 else f'status {status}'}  {test.name}  reads {len(read)}, names {len(named)}{' and always runs' if always else ''}, beyond: {len(beyond)}",
            flush=True,
        )
        missing.setdefault(test.group, set()).update(beyond)
    for group, files in missing.items():
        if files:
            print(f"{group} does not name:\n  " + "\n  ".join(sorted(files)[:MISSING]))
    return 1 if any(missing.values()) else 0
