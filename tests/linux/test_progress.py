#!/usr/bin/env python3
"""What a build of minutes says meanwhile (scripts/linux/progress.sh): lines with the objects that are done, the command's own status, and nothing left running.

    tests/linux/test_progress.py
"""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli import ROOT, check, main, test  # noqa: E402

SCRIPT = ". {root}/scripts/linux/progress.sh; PROGRESS_SECONDS=0.1; status=0; compiles '  STEP' {folder}/objects {objects} {folder}/log {command} || status=$?; jobs -r; exit $status"


def run(folder, command, objects=5):
    """Status and output; the command may wait for the output to have a line."""
    (folder / "objects/deep").mkdir(parents=True, exist_ok=True)
    for name in ("a.o", "deep/b.o", "deep/c.c"):
        (folder / "objects" / name).touch()
    with (folder / "out").open("w") as out:
        text = SCRIPT.format(root=ROOT, folder=folder, objects=objects, command=command)
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", text], stdout=out, stderr=subprocess.STDOUT, timeout=60, check=False)
    return done.returncode, (folder / "out").read_text()


@test
def lines(folder):
    """One each time, of all objects below the folder; the command's output goes to the log."""
    status, out = run(folder, f"bash -c 'echo compiled; until grep -q objects {folder}/out; do sleep 0.05; done; exit 3'")
    check(status == 3 and out.splitlines()[0] == "  STEP: 2 objects of some 5, 0 min", f"{status} {out}")
    check((folder / "log").read_text() == "compiled\n", "the log")
    status, out = run(folder, f"bash -c 'until grep -q objects {folder}/out; do sleep 0.05; done'", 0)
    check(status == 0 and out.splitlines()[0] == "  STEP: 2 objects, 0 min", f"{status} {out}")


@test
def short(folder):
    """What is over before the first line says nothing, and leaves nothing that runs."""
    check(run(folder, "true") == (0, ""), "a short command")


if __name__ == "__main__":
    sys.exit(main())
