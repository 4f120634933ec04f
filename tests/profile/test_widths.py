#!/usr/bin/env python3
"""The profiling units in a width of 1 to 8 lanes, with samples as TIP and as TEA takes them.

    tests/profile/test_widths.py WIDTH

For profile.tea = 0 and 1: lints the units, exactly those of rtl/profile.f, with all warnings on, builds the tests of profile_top, tip_csrs and ctr
(tests/unit/rtl) with a configuration of that commit width, and runs them: each golden vector of the width, each event and
every combination in every lane, random runs read through the CSRs, each CSR bit by bit. `make test` and `make test-long` run it for the
widths that tests/unit/rtl has no configuration of. `make build/lib/verilated-bench.a` comes before.
"""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/formal"))
import prove  # noqa: E402  (its generator of configurations)

TESTS = ("profile_top", "tip_csrs")


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
    )
    return run(place / "run").strip().splitlines()[-1]


def main():
    width = int(sys.argv[1])
    for tea in (0, 1):
        folder = ROOT / f"build/tests/widths/w{width}-tea{tea}"
        packages = prove.packages(width, folder, tea=tea)
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
        if tea:
            records = prove.packages(width, folder / "records", others=(("window", 1), ("ctr_depth", 64)))
            print(f"{width} lanes, 64 control transfer records: {test('ctr', folder / 'records', records)}", flush=True)
        for name in TESTS[: 1 + tea]:  # the CSRs are the same in both
            print(f"{width} lanes, profile.tea = {tea}: {name}: {test(name, folder, packages)}", flush=True)


if __name__ == "__main__":
    main()
