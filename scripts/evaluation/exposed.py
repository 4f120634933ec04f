"""What each program's time waits for, exactly: runs of the core with all checks, and of each instruction the Oracle's cycles by state and events, its executions, and how many met each event.

A program that was run before, with the same model and program, is not run again: another command counts the same. FORMAT changes with what is kept.
"""
import hashlib
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIPOFF = ROOT / "build/bin/tipoff"
FORMAT = 1
PERIOD = 197  # few samples: the Oracle's profile and the counts cover every cycle


def output(*words):
    done = subprocess.run([*map(str, words)], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"scripts/evaluation: {' '.join(map(str, words))}: status {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout


def report(samples, *options):
    return json.loads(output(TIPOFF, "report", "--format", "json", "--profiler", "Oracle", "--top", 0, *options, samples))


def instruction(unit, U, words):
    """WORDS: the instruction at each place, for those that are waited for."""
    return {
        "instruction": unit.get("instruction", ""),
        "executions": unit.get("executions") or 0,
        "met": unit.get("met") or {},
        "stack": [[part["state"], part["psv"], part["weight"] / U] for part in unit["stack"]],
        "waits": [[words.get(wait["unit"], "?").split()[0], wait["cycles"]] for wait in unit.get("waits_for") or []],
    }


def measure(elf, config, samples):
    output(TIPOFF, "run", "--config", config, "--quiet", "--period", PERIOD, "--jitter=5", "--worker", "stall-causes", "--samples", samples, elf)
    whole = report(samples)
    stalls = report(samples, "--stacks", "--by", "process")["base_stalls"]
    words = {unit["unit"]: unit.get("instruction") or "?" for unit in whole["units"]}
    return {
        "program": elf.name.split(".")[0],
        "cycles": whole["cycles"],
        "events": whole["events"],
        "stalls": stalls,
        "instructions": [instruction(unit, whole["U"], words) for unit in whole["units"]],
    }


def key(elf, config):
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (elf, ROOT / "build" / config / "model.so")]
    return " ".join([str(FORMAT), str(PERIOD), *digests])


def programs(names, config, folder):
    """What is found of each workload, in order."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        elf, kept = ROOT / "build/workloads" / f"{name}.elf", folder / f"{name}.{config}.json"
        wanted = key(elf, config)
        found = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
        if found.get("key") != wanted:
            samples = folder / f"{name}.{config}.tips"
            found = {"key": wanted, **measure(elf, config, samples)}
            samples.unlink()
            kept.write_text(json.dumps(found), encoding="utf-8")
        yield found
