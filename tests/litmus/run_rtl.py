#!/usr/bin/env python3
"""Litmus tests on RTL cores, in lockstep and with the memory's order checked: nothing that RVWMO forbids is seen, store buffering is.
With lsu.load_order = 1 MP, WRC and IRIW without order are seen, too; with 0 never.

    tests/litmus/run_rtl.py CONFIG [--iterations N] [--part K/N]

The tests: those from cycles of edges (scripts/litmus_cycles.py), and those of tests/litmus/harts, of 2 to 4 harts. --part 1/2: every second
one of them, from the first on; 2/2: the others. What is allowed and was not seen is printed. Needs build/bin/tipoff and CONFIG's model.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIPOFF = ROOT / "build/bin/tipoff"
# Tests that must be seen, and how often each runs for that: always; with lsu.load_order = 1.
STORES_WAIT, LOADS_PASS = {"SB+primed": 60}, {"MP+po+po": 2000, "WRC+late": 300, "IRIW+late": 300}


def litmus(config, iterations, files):
    command = [TIPOFF, "litmus", "--on", "rtl", "--config", config, "--iterations", str(iterations), "--format", "json", *files]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"FAIL: status {done.returncode}; rerun: {' '.join(map(str, command))}")
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config")
    parser.add_argument("--iterations", type=int, default=12)
    parser.add_argument("--part", default="1/1")
    a = parser.parse_args()
    part, parts = map(int, a.part.split("/"))
    passes = json.loads((ROOT / f"build/{a.config}/gen/config.json").read_text())["lsu.load_order"]
    asked = {**STORES_WAIT, **(LOADS_PASS if passes else {})} if part == 1 else {}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([ROOT / "scripts/litmus_cycles.py", folder], check=True)
        files = sorted(pathlib.Path(folder).glob("*.litmus")) + sorted((ROOT / "tests/litmus/harts").glob("*.litmus"))
        results = litmus(a.config, a.iterations, files[part - 1 :: parts])
        seen = {name: litmus(a.config, often, [file for file in files if file.stem == name])[0] for name, often in asked.items()}
    forbidden = [(result["test"], state) for result in results for state in result["states"] if state["seen"] and not state["allowed"]]
    unseen = sum(1 for result in results for state in result["states"] if state["allowed"] and not state["seen"])
    counts = {sum(state["seen"] for state in result["states"]) for result in results}
    print(f"{len(results)} tests, {a.iterations} iterations each; allowed states that were not seen: {unseen}")
    if forbidden or counts != {a.iterations}:
        raise SystemExit(f"FAIL: forbidden: {forbidden}; iterations: {counts}")
    for name, result in seen.items():
        if result["observation"] != "Sometimes":
            raise SystemExit(f"FAIL: {name} was never seen in {asked[name]} iterations: nothing waits or passes, or the test does not run side by side")
    if early := [result["test"] for result in results if result["test"] in LOADS_PASS and not passes and result["observation"] != "Never"]:
        raise SystemExit(f"FAIL: lsu.load_order = 0, and loads have passed each other: {early}")


if __name__ == "__main__":
    main()
