#!/usr/bin/env python3
"""scripts/same_runs.py: two builds that are alike but for the host's time; and for each of its columns one that is not.

    tests/cli/test_same_runs.py [--only TEXT]

The builds are a script that writes what a run leaves.
"""
import os
import subprocess

from cli import ROOT, check, main, test

BUILD = """#!/usr/bin/env python3
import json, sys, time
change, words = "{change}", sys.argv[1:]
def put(option, text):
    if option in words:
        open(words[words.index(option) + 1], "w").write(text)
put("--stats", json.dumps({{"cycles": 8 if change == "statistics" else 7, "wall_seconds": time.time(), "khz": time.time()}}))
put("--samples", f"{{time.time()}}\\n{{change == 'samples'}}")
put("--trace", "one\\ntwo\\n" + ("three\\n" if change == "instructions" else "four\\n"))
restored = open(words[words.index("--restore") + 1]).read() if "--restore" in words else ""
put("--checkpoint", restored or str(change == "checkpoint"))
if words[0] == "samples":
    print(open(words[1]).read().split("\\n")[1])
sys.exit(3 if change == "output" and words[0] == "run" else 0)
"""


def build(folder, change):
    tree = folder / (change or "alike")
    for name in "bin", "small2", "workloads":
        (tree / "build" / name).mkdir(parents=True)
    for name in "small2/model.so", "workloads/one.small.elf":
        (tree / "build" / name).touch()
    (tree / "build/bin/tipoff").write_text(BUILD.format(change=change))
    os.chmod(tree / "build/bin/tipoff", 0o755)
    return tree


def compare(*words):
    done = subprocess.run([ROOT / "scripts/same_runs.py", *words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@test
def columns(folder):
    new = build(folder, "new")
    status, out, err = compare(build(folder, ""), new)
    check(status == 0 and out.endswith("1 programs on small2, 0 of them differ\n") and "DIFFERS" not in out, f"alike: status {status}: {out}{err}")
    head = out.splitlines()[0].split()[1:]
    check(head == ["output", "statistics", "samples", "checkpoint", "instructions"], f"columns {head}")
    for number, change in enumerate(head):
        status, out, err = compare(build(folder, change), new)
        row = out.splitlines()[1].split()[1:]
        check(status == 1 and [i for i, cell in enumerate(row) if cell == "DIFFERS"] == [number], f"{change}: status {status}: {out}{err}")


@test
def bad_input(folder):
    new = build(folder, "new")
    for words, text in ([folder / "nowhere", new], "nowhere/build/bin/tipoff is missing"), ([new, new, "--only", "x"], "has no such program"):
        status, out, err = compare(*words)
        check(status == 2 and out == "" and text in err, f"{words}: status {status}: {out}{err}")


if __name__ == "__main__":
    raise SystemExit(main())
