#!/usr/bin/env python3
"""The stories of docs/results/gus-evaluation.md: which resource limits a kernel, and whether the core agrees when it is relieved.

    tests/kernels/test_stories.py [--only TEXT]

Needs `make kernels`, build/bin/tipoff, llvm-mca, and the models of small2, tea4 and wide8. Figures are those of the page, with room to either side.
"""
import json
import sys

import kernels

sys.path[:0] = [str(kernels.ROOT / "tests/cli"), str(kernels.ROOT / "scripts/gus")]
import static  # noqa: E402
from cli import check, main, test, tipoff  # noqa: E402
from evaluate import core_cycles  # noqa: E402

STRENGTH = 15  # %, by which resources are made faster
_cores = {}


def program(name):
    return kernels.BUILD / f"{name}.elf"


def core(name, config):
    if (name, config) not in _cores:
        _cores[name, config] = core_cycles(program(name), config)
    return _cores[name, config]


def gains(name, config):
    """Gains in % of resources alone, by name, and the largest of any set."""
    status, out, err = tipoff(
        "gus", "--config", config, "--from", "kernel_begin", "--to", "kernel_end", "--sensitivity", "--jobs", 2, "--format", "json", program(name)
    )
    check(status == 0, f"gus {name}: {err}")
    variants = [v for v in json.loads(out)["variants"] if v["percent"] == STRENGTH]
    alone = {v["resources"][0]: 100 * v["gain"] for v in variants if len(v["resources"]) == 1}
    return alone, max(100 * v["gain"] for v in variants)


def three(before, after, config):
    """How many times faster `after` is, by the core, by Gus and by llvm-mca."""
    reports = [static.region(program(name), config) for name in (before, after)]
    model = static.NEAREST[config]
    return (
        core(before, config) / core(after, config),
        reports[0]["cycles"] / reports[1]["cycles"],
        static.lifted(reports[0], model) / static.lifted(reports[1], model),
    )


@test
def address_ports_limit_jacobi(_folder):
    alone, _ = gains("jacobi-2d.O1", "wide8")
    first, second = sorted(alone, key=alone.get, reverse=True)[:2]
    check(first == "mem_ports" and alone[first] > 3 and alone[first] > 2 * alone[second], f"the memory ports, before all others: {alone}")
    alone, _ = gains("jacobi-2d.O2", "wide8")
    check(alone["mem_ports"] < 1, f"not when neighbours stay in registers: {alone}")
    check(max(alone, key=alone.get) == "fp_ports", f"then the ports of floating point: {alone}")
    gain = core("jacobi-2d.O1", "wide8") / core("jacobi-2d.O2", "wide8")
    check(gain > 1.08, f"the core is faster, too: {gain:.2f} times")


@test
def recurrence_through_memory(_folder):
    for before, after, config, least_core, least_gus in (
        ("trisolv.O1", "trisolv-interchanged.O1", "tea4", 1.5, 1.4),
        ("adi.O1", "adi-interchanged.O1", "small2", 1.3, 1.1),
    ):
        by_core, by_gus, by_mca = three(before, after, config)
        said = f"{before} on {config}: {by_core:.2f} times by the core, {by_gus:.2f} by Gus, {by_mca:.2f} by llvm-mca"
        check(by_core > least_core, said)
        check(by_gus > least_gus, said)
        check(by_mca < 1.1, said)


@test
def a_divider_stays_the_bottleneck(_folder):
    by_core, by_gus, _ = three("adi.O1", "adi-interchanged.O1", "tea4")
    check(by_core < 1.05 and by_gus < 1.05, f"adi on tea4: {by_core:.2f} times by the core, {by_gus:.2f} by Gus")
    alone, _ = gains("adi-interchanged.O1", "tea4")
    check(alone["fp_divider"] > 10, f"the divider: {alone}")


@test
def balanced_kernels(_folder):
    for name in ("gemm.O2", "heat-3d.O2", "jacobi-2d.O2"):
        alone, together = gains(name, "tea4")
        check(max(alone.values()) < 4 and together > 12, f"{name}: one resource gains at most {max(alone.values()):.1f} %, a set {together:.1f} %: {alone}")


if __name__ == "__main__":
    sys.exit(main())
