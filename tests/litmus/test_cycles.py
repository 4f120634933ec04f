#!/usr/bin/env python3
"""Tests made from cycles of edges (scripts/litmus_cycles.py): the verdict by construction is the enumerator's, and the ISS ends in nothing forbidden.

    tests/litmus/test_cycles.py [--only TEXT]

Needs build/bin/tipoff.
"""
import collections
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli import ROOT, check, main, test, tipoff  # noqa: E402

sys.path.insert(0, str(ROOT / "scripts"))
import litmus_cycles  # noqa: E402

# Edges of a thread: RR 6 (po, addr, ctrl, two fences, aq), RW 8 (data and rl, too), WR 4 (po, two fences, rcsc), WW 4 (po, two fences, rl).
# SB, LB and 2+2W are the same when they are turned by half: n (n + 1) / 2.
EXPECTED = {"MP": 4 * 6, "SB": 10, "LB": 36, "S": 4 * 8, "R": 4 * 4, "2+2W": 10}
# One location, 3 edges: W between any pair, R between W and W. 4 edges: WW between any, WR from W, RW to W.
EXPECTED["Co"] = (6 + 8 + 4 + 4) + 4 + (6 + 8 + 4 + 4) + (4 + 4) + (8 + 4)


def written(folder):
    subprocess.run([ROOT / "scripts/litmus_cycles.py", folder], check=True)
    return sorted(folder.glob("*.litmus"))


@test
def counts(_):
    families = collections.Counter("Co" if name.startswith("Co") else name.rsplit("+", 2)[0] for name, *_ in litmus_cycles.cycles())
    check(families == EXPECTED, f"{families}")
    names = [name for name, *_ in litmus_cycles.cycles()]
    check(len(names) == len(set(names)) == 196, f"{len(names)} cycles")


@test
def verdicts(folder):
    verdict = {name: forbidden for name, _, forbidden in litmus_cycles.cycles()}
    status, out, err = tipoff("litmus", "--allowed", "--format", "json", *written(folder))
    check((status, err) == (0, ""), f"{status} {err}")
    got = {result["test"]: result["observation"] == "Never" for result in json.loads(out)}
    check(len(got) == len(verdict), f"{len(got)} results")
    wrong = [name for name, forbidden in verdict.items() if got[name] != forbidden]
    check(not wrong, f"the enumerator says the opposite of {wrong}")
    check(40 < sum(not forbidden for forbidden in verdict.values()) < 156, "both verdicts are met")


@test
def on_iss(folder):
    """No state that is not allowed; and no cycle at all, as the ISS is sequentially consistent."""
    status, out, err = tipoff("litmus", "--iterations", 100, "--format", "json", *written(folder))
    check((status, err) == (0, ""), f"{status} {err}")
    for result in json.loads(out):
        check(result["observation"] == "Never", f"{result['test']}: the ISS has shown the cycle")
        check(sum(state["seen"] for state in result["states"]) == 100, f"{result}")


if __name__ == "__main__":
    sys.exit(main())
