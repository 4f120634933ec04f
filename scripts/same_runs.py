#!/usr/bin/env python3
"""Whether two builds run programs alike: digests of statistics, samples, checkpoints and instructions.

    scripts/same_runs.py OLD [NEW] [--config NAME] [--size SIZE] [--only TEXT]

OLD, NEW (default: this tree): folders of tipoff with build/bin/tipoff and build/NAME/model.so. Each program of NEW's build/workloads runs on
both: on the core with samples, and on the ISS, with a checkpoint half way and a trace. A row each, in five columns of digests, where they are
equal; status 1 where one is not. What a run takes of the host's time is left out. Needs `make build` in both folders.
"""
import argparse
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
HOST_TIME = {"wall_seconds", "khz"}
COLUMNS = "output", "statistics", "samples", "checkpoint", "instructions"


def digest(*parts):
    together = hashlib.sha256()
    for part in parts:
        together.update(part)
    return together.hexdigest()[:12]


def run(tree, *words, folder):
    words = [tree / "build/bin/tipoff", *words]
    return subprocess.run(list(map(str, words)), stdin=subprocess.DEVNULL, capture_output=True, check=False, cwd=folder)


def digests(tree, reader, config, program, folder):
    """Of COLUMNS. The samples are listed by `reader`'s command: their file has the host's time in it. The checkpoint is restored and written again by
    it: of all that a machine is, but not of what older builds left in the place where writes to x0 go."""
    files = {name: folder / name for name in ("statistics", "samples", "checkpoint", "trace", "again")}
    core = run(
        tree, "run", "--config", config, "--quiet", "--period", 97, "--stats", files["statistics"], "--samples", files["samples"], program, folder=folder
    )
    statistics = json.loads(files["statistics"].read_text())
    listed = run(reader, "samples", files["samples"], folder=folder)
    iss = run(tree, "iss", "--quiet", "--trace", files["trace"], program, folder=folder)
    trace = files["trace"].read_bytes()
    half = trace.count(b"\n") // 2
    saved = run(tree, "iss", "--quiet", "--checkpoint", files["checkpoint"], "--at", half, program, folder=folder)
    again = run(reader, "iss", "--quiet", "--restore", files["checkpoint"], "--checkpoint", files["again"], "--at", half, folder=folder)
    for done in (saved, listed, again):
        if done.returncode:
            sys.exit(f"same_runs.py: {tree}: {program.name}: {done.stderr.decode()}")
    kept = json.dumps({key: value for key, value in statistics.items() if key not in HOST_TIME}, sort_keys=True)
    ends = [part for done in (core, iss) for part in (done.stdout, str(done.returncode).encode())]
    return digest(*ends), digest(kept.encode()), digest(listed.stdout), digest(files["again"].read_bytes()), digest(trace)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", type=pathlib.Path, metavar="OLD")
    parser.add_argument("new", type=pathlib.Path, metavar="NEW", nargs="?", default=ROOT)
    parser.add_argument("--config", default="small2", metavar="NAME")
    parser.add_argument("--size", default="small", choices=("small", "medium", "large"))
    parser.add_argument("--only", default="", metavar="TEXT", help="programs with TEXT in their names")
    options = parser.parse_args()
    old, new = options.old.resolve(), options.new.resolve()
    programs = [path for path in sorted((new / "build/workloads").glob(f"*.{options.size}.elf")) if options.only in path.name]
    for needed in (tree / "build" / file for tree in (old, new) for file in ("bin/tipoff", f"{options.config}/model.so")):
        if not needed.exists():
            parser.error(f"{needed} is missing: make it")
    if not programs:
        parser.error(f"{new}/build/workloads has no such program: make build")
    differing = 0
    print(f"{'program':<24}" + "".join(f"{column:<14}" for column in COLUMNS), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for program in programs:
            one, two = (digests(tree, new, options.config, program, pathlib.Path(folder)) for tree in (old, new))
            cells = [a if a == b else "DIFFERS" for a, b in zip(one, two)]
            differing += one != two
            print(f"{program.name.removesuffix('.elf'):<24}" + "".join(f"{cell:<14}" for cell in cells), flush=True)
    print(f"{len(programs)} programs on {options.config}, {differing} of them differ")
    return differing > 0


if __name__ == "__main__":
    sys.exit(main())
