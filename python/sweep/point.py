#!/usr/bin/env python3
"""Runs points of a sweep: what a process of the local pool, or a task of a Slurm array, does.

    point.py WORK.json ID...            these points
    point.py WORK.json --part I N       the I-th, I+N-th, ... point of the list

WORK.json says where the command is and what each point's arguments are (pool.py writes it). A point leaves points/ID.json, renamed into its place when all is
done: only the name means that. One that fails leaves points/ID.failed. Status: 0, all are done; 1, some failed; 128 and the number of a signal that ended it.
"""
import csv
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))  # python -I leaves it out
from plan import digest, signature  # noqa: E402

ONE_RUN_ONLY = {"wall_seconds", "khz", "checks", "call_stacks"}  # not a result, or not the same in each run


class Stopped(BaseException):
    pass


SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def on_signal(number, _frame):
    for other in SIGNALS:
        signal.signal(other, signal.SIG_IGN)  # it is ending
    raise Stopped(number)


def call(command, **more):
    """The process of a command once it has ended, with (stdout, stderr); it ends with this one."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", **more) as child:
        try:
            return child, child.communicate()
        except BaseException:
            child.terminate()
            child.wait()
            raise


def flat(statistics):
    """{name: number} of what is the same in each run."""
    results = {}
    for key, value in statistics.items():
        if key in ONE_RUN_ONLY:
            continue
        items = {f"{key}.{name}": number for name, number in value.items()} if isinstance(value, dict) else {key: value}
        results |= {name: number for name, number in items.items() if type(number) in (int, float)}
    return results


KINDS = {"time": "error", "events": "stacks"}
CHANCES = {("time", "TIP"): "chance", ("events", "TEA"): "chance_stacks"}


def output(command):
    child, (out, said) = call(command, stdout=subprocess.PIPE)
    if child.returncode != 0:
        raise RuntimeError(said.strip())
    return out


def errors(tipoff, samples, pools):
    """{error.PROFILER.GRANULARITY: part of the time} of the profilers against the Oracle, stacks.* likewise of cycle stacks; chance.GRANULARITY: what chance alone does to a profile of so
    many samples; pools: ways of pooling them, a profiler each; chance_deviation.GRANULARITY by how much that varies, chance_stacks.* and chance_stacks_deviation.* likewise of TEA's cycle stacks.
    """
    found = {}
    for row in csv.DictReader(output([tipoff, "compare", "--format", "csv", *(word for pool in pools for word in ("--pool", pool)), samples]).splitlines()):
        found[f"{KINDS[row['components']]}.{row['profiler']}.{row['granularity']}"] = float(row["error"])
        chance = CHANCES.get((row["components"], row["profiler"]))
        if chance:
            found[f"{chance}.{row['granularity']}"] = float(row["chance"])
            found[f"{chance}_deviation.{row['granularity']}"] = float(row["chance_deviation"])
    return found


def run(tipoff, arguments, folder):
    """(exit status, results, message): results None where the run failed, or was ended from outside."""
    stats, samples = folder / "stats.json", folder / "run.tips"
    outputs = ["--stats", str(stats)] + (["--samples", str(samples)] if "--period" in arguments else [])
    child, (_, said) = call([tipoff, "run", "--quiet", "--threads", "1", *outputs, *arguments], stdout=subprocess.DEVNULL)
    lines = said.strip().splitlines()
    message = lines[-1].removeprefix("tipoff: ") if lines else f"status {child.returncode}"
    try:
        statistics = json.loads(stats.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return child.returncode, None, message
    good = statistics["checks"]["passed"] and (statistics["exited"] or child.returncode == 124) and statistics["cycles"] > 0
    if not good:
        return child.returncode, None, message
    results = flat(statistics)
    if samples.exists():
        results |= errors(tipoff, str(samples), ["blocks", "counts"] if "edges" in statistics else ["blocks"])
    return child.returncode, results, ""


def write(path, content):
    """All or nothing."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        part.write_text(json.dumps(content) + "\n", encoding="utf-8")
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def changed(files):
    """The first of these files that is not what it was when the sweep began; None: all are."""
    return next((path for path, before, content in files if signature(path) != before and (digest(path) if os.path.isfile(path) else None) != content), None)


def do(work, point, folder):
    done, failed = folder / f"{point['id']}.json", folder / f"{point['id']}.failed"
    with tempfile.TemporaryDirectory(prefix=f".{point['id']}-", dir=folder) as scratch:
        try:
            status, results, message = run(work["tipoff"], point["arguments"], pathlib.Path(scratch))
        except RuntimeError as error:
            status, results, message = 2, None, str(error)
    other = changed(point["files"])  # after the run: what it read is what the point's id stands for
    if other:
        results, message = None, f"{other}: has changed since the sweep began: run the sweep again"
    if results is None:
        write(failed, {"status": status, "message": message})
        return False
    write(done, {"parameters": point["parameters"], "results": {"status": status, **results}})
    failed.unlink(missing_ok=True)
    return True


def main():
    path = pathlib.Path(sys.argv[1])
    work = json.loads(path.read_text(encoding="utf-8"))
    if sys.argv[2] == "--part":
        chosen = work["points"][int(sys.argv[3]) :: int(sys.argv[4])]
    else:
        chosen = [point for point in work["points"] if point["id"] in sys.argv[2:]]
    for number in SIGNALS:
        signal.signal(number, on_signal)
    try:
        return 0 if all([do(work, point, path.parent / "points") for point in chosen]) else 1
    except Stopped as stopped:
        return 128 + stopped.args[0]
    except OSError as error:
        print(f"tipoff: {error.filename}: cannot write: {error.strerror}: free some space and run again", file=sys.stderr)
        return 4


if __name__ == "__main__":
    sys.exit(main())
