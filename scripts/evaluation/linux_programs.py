"""Regions of real programs under Linux (docs/results/programs.md) for the evaluation: those that `make linux-programs` has built. The ISS runs to the middle of each, once; a core goes on from there.

A point is one region at one period, kept in FOLDER under a digest of all that it follows from, and not run again.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "scripts/programs"), str(ROOT / "python/sweep")]
import iss  # noqa: E402
import point  # noqa: E402
import programs  # noqa: E402

TIPOFF = ROOT / "build/bin/tipoff"


def built(only):
    """Programs that can be run; none where Linux, or they, are not built."""
    if not (ROOT / "build/linux/kernel/vmlinux").exists():
        return []
    return [program for name, program in programs.load().items() if program.built() and any(part in name for part in only.split(","))]


def digest(*parts):
    found = hashlib.sha256()
    for part in parts:
        found.update(part.read_bytes() if isinstance(part, pathlib.Path) else repr(part).encode())
    return found.hexdigest()[:16]


def middle(program, folder):
    """The machine in the middle of the program."""
    machine = folder / f"{program.name}-{digest(program.guest, ROOT / 'build/linux/kernel/vmlinux', program.linux()[1:])}.machine"
    if not machine.exists():
        first, part = machine.with_suffix(".first"), machine.with_suffix(".part")
        status, output, instructions, _ = iss.on_iss(program, first)
        if (status, output) != program.expected():
            raise SystemExit(f"scripts/evaluation: {program.name}: wrong result on the ISS: status {status}")
        iss.advance(first, instructions // 2, part)
        first.unlink()
        part.rename(machine)
    return machine


def measured(program, config, options, folder):
    """A row as a sweep has it."""
    machine = middle(program, folder)
    kept = folder / f"{program.name}-{config}-{digest(TIPOFF, ROOT / f'build/{config}/model.so', machine, config, options)}.json"
    if not kept.exists():
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            status, results, message = point.run(str(TIPOFF), ["--config", config, *map(str, options), "--restore", str(machine)], pathlib.Path(scratch))
        if results is None:
            raise SystemExit(f"scripts/evaluation: {program.name}: status {status}: {message}")
        point.write(kept, results)
    return {"program": f"linux:{program.name}", "config": config, **json.loads(kept.read_text(encoding="utf-8"))}


def rows(config, part, options, only, folder, jobs):
    """Of each program and period. part: periods, cycles."""
    folder.mkdir(parents=True, exist_ok=True)

    def one(program):
        return [
            {"period": float(period), **measured(program, config, ["--period", period, *options, "--max-cycles", part["cycles"]], folder)}
            for period in part["periods"]
        ]

    with concurrent.futures.ThreadPoolExecutor(jobs or os.cpu_count()) as pool:
        return [row for found in pool.map(one, built(only)) for row in found]
