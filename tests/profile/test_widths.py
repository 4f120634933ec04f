#!/usr/bin/env python3
"""The profiling units in a width of 1 to 8 lanes, with samples as TIP and as TEA takes them.

    tests/profile/test_widths.py WIDTH [tip | tea | ctr]...     (without: all three)

tip and tea, profile.tea = 0 and 1: lints the units, exactly those of rtl/profile.f, with all warnings on, builds the tests of profile_top and, of tea,
tip_csrs (tests/unit/rtl) with a configuration of that commit width, and runs them: each golden vector of the width, each event and
every combination in every lane, random runs read through the CSRs, each CSR bit by bit. ctr: the test of the control transfer records, 64 of them.
`make test`, `make test-all` and `make test-long` run it for the widths that tests/unit/rtl has no configuration of. `make build/lib/verilated-bench.a` comes before.
"""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/formal"))
import prove  # noqa: E402  (its generator of configurations)

PARTS = {"tip": (0, ("profile_top",)), "tea": (1, ("profile_top", "tip_csrs")), "ctr": (1, ("ctr",))}  # profile.tea, tests; the CSRs are the same in both
PCH = ROOT / "build/lib/bench"  # where benches have been built before


def run(*command):
    done = subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def sources(packages):
    return [*packages, *prove.rtl_packages()]


def test(name, folder, packages):
    place = folder / name
    bench = ROOT / f"tests/unit/rtl/{name}"
    run(
        "verilator",
        "--cc",
        "--exe",
        "-O3",
        "--assert",
        "-Wall",
        "-Irtl/prim",
        "sim/lint.vlt",
        "-Wno-UNUSEDSIGNAL",
        "--prefix",
        "Vtop",
        "--Mdir",
        place,
        "--top-module",
        f"{name}_tb",
        "-CFLAGS",
        f"-I{ROOT}/tests/unit/rtl -I{ROOT}/csrc -I{ROOT}/build/gen -I{folder}/gen -std=gnu++17",
        *sources(packages),
        "-f",
        bench / "sources.f",
        bench / f"{name}_tb.sv",
        bench / f"test_{name}.cpp",
        "-o",
        place / "run",
    )
    run(
        "make",
        "-s",
        "-C",
        place,
        "-f",
        ROOT / "sim/bench.mk",
        "CXX=clang++",
        "LINK=clang++",
        "OPT_FAST=-O1",
        "OPT_SLOW=-O0",
        "VM_GLOBAL_FAST=",
        f"LOADLIBES={ROOT}/build/lib/verilated-bench.a",
        *([f"PCH={PCH}"] if (PCH / "fast.pch").is_file() else []),
    )
    return run(place / "run").strip().splitlines()[-1]


def lint(packages):
    run(
        "verilator",
        "--lint-only",
        "-Wall",
        "-Irtl/prim",
        "sim/lint.vlt",
        "-Wno-UNUSEDSIGNAL",
        "-Wno-UNUSEDPARAM",
        "--top-module",
        "profile_top",
        *packages,
        "rtl/pkg/core_pkg.sv",
        "-f",
        "rtl/profile.f",
    )


def main():
    width, *parts = sys.argv[1:]
    unknown = set(parts) - set(PARTS)
    if unknown:
        sys.exit(f"test_widths.py: no part {unknown.pop()}: {' '.join(PARTS)}")
    for part in parts or PARTS:
        tea, tests = PARTS[part]
        folder = ROOT / f"build/tests/widths/w{width}-{part}"
        packages = prove.packages(int(width), folder, tea=tea, others=(("window", 1), ("ctr_depth", 64)) if part == "ctr" else ())
        if part != "ctr":
            lint(packages)
        for name in tests:
            print(f"{width} lanes, {part}: {name}: {test(name, folder, packages)}", flush=True)


if __name__ == "__main__":
    main()
