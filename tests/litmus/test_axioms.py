#!/usr/bin/env python3
"""`tipoff litmus --allowed` against tests/litmus/axioms.py, which tries all orders, on random tests of up to 6 memory operations.

    tests/litmus/test_axioms.py [--only TEXT]

Needs build/bin/tipoff.
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli import check, main, test, tipoff  # noqa: E402
import axioms  # noqa: E402

SEEDS = range(1, 301)


def states_of(result):
    found = set()
    for state in result["states"]:
        parse = (part.strip().split("=") for part in state["state"].split(";") if part.strip())
        found.add(frozenset((name, int(value)) for name, value in parse))
    return found


@test
def random_tests(folder):
    paths = []
    for seed in SEEDS:
        paths.append(folder / f"{seed}.litmus")
        paths[-1].write_text(axioms.litmus(axioms.random_test(seed), f"random{seed}"))
    status, out, err = tipoff("litmus", "--allowed", "--format", "json", *paths)
    check(status == 0, f"status {status}: {err}")
    results = {int(pathlib.Path(result["file"]).stem): result for result in json.loads(out)}
    check(sorted(results) == list(SEEDS), "one result a test")
    several = 0
    for seed in SEEDS:
        expected, got = axioms.allowed(axioms.random_test(seed)), states_of(results[seed])
        several += len(expected) > 2
        text = (folder / f"{seed}.litmus").read_text()
        check(got == expected, f"seed {seed}: missing {list(expected - got)[:2]}, too many {list(got - expected)[:2]}\n{text}")
    check(several > len(SEEDS) // 3, f"only {several} tests have several states")


if __name__ == "__main__":
    sys.exit(main())
