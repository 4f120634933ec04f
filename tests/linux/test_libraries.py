#!/usr/bin/env python3
"""What a report says of the libraries of a dynamically linked program: which function an address belongs to, and that nothing is left without a name.

    tests/linux/test_libraries.py CONFIG

Needs what test_core.py needs. tests/linux/libraries.c as a program with its loader, libc and three libraries: one with symbols, one stripped, one that the program
opens by itself. The program prints where functions are: at these addresses, and no others, they must begin in the report, which found out by
another way. Calls into libraries have the names of their PLT; code in the child, which the vDSO serves, too, those of the program's libraries.
"""
import collections
import csv
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIPOFF = str(ROOT / "build/bin/tipoff")
SYSTEM = "/usr/riscv64-linux-gnu/lib"
LOADER = "ld-linux-riscv64-lp64d.so.1"
OWNER = {"crunch": "libhot.so", "mix": "libcold.so", "opened": "libopen.so", "qsort_r": "libc.so.6", "memcpy": "libc.so.6", "_dl_allocate_tls_init": LOADER}
DIVISIONS = {"crunch": 4000, "opened": 1000}  # of libraries.c, the child's among them


def run(*arguments, status=0):
    done = subprocess.run([*map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=1800, check=False)
    if done.returncode != status:
        sys.exit(f"{' '.join(map(str, arguments))}: status {done.returncode}: {done.stderr}")
    return done


def build(folder):
    gcc = ["riscv64-linux-gnu-gcc", "-O2", "-g", f"-L{folder}"]
    source = ROOT / "tests/linux/libraries.c"
    for name, flags in (("hot", ["-DPART_HOT"]), ("cold", ["-DPART_COLD", "-s", "-lhot"]), ("open", ["-DPART_OPEN"])):
        run(*gcc, "-shared", "-fPIC", f"-Wl,-soname,lib{name}.so", "-o", folder / f"lib{name}.so", source, *flags)
    run(*gcc, "-o", folder / "program", source, "-lcold", "-lhot")
    handed = {f"{SYSTEM}/{name}": f"/lib/{name}" for name in (LOADER, "libc.so.6")} | {
        folder / f"lib{name}.so": f"/lib/lib{name}.so" for name in ("hot", "cold", "open")
    }
    return folder / "program", [f"--file={host}:{guest}" for host, guest in handed.items()]


def profile(samples, granularity):
    text = run(TIPOFF, "report", "--profiler", "Oracle", "--format", "csv", "--granularity", granularity, samples).stdout
    return [row for row in csv.DictReader(text.splitlines()) if row["mode"] == "user"]


def starts(rows, name, image):
    """Where the report has this function's first instruction."""
    return {int(row["unit"], 0) for row in rows if (row["name"], row["image"]) == (name, image)}


def check(config, folder, program, files, before, faults):
    samples = folder / "x.tips"
    if before:  # the libraries are named in a checkpoint, too
        run(TIPOFF, "linux", "--checkpoint", folder / "x.machine", *files, "--", program)
        command = ["run", "--restore", folder / "x.machine"]
    else:
        command = ["linux", *files]
    done = run(TIPOFF, *command, "--config", config, "--quiet", "--period", 499, "--samples", samples, *([] if before else ["--", program]))
    addresses = {name: int(address, 0) for name, address in (line.split() for line in done.stdout.splitlines())}
    instructions, functions = profile(samples, "instruction"), profile(samples, "function")
    for name, image in OWNER.items():
        if starts(instructions, name, image) != {addresses[name]}:
            faults.append(f"{name} [{image}] is at {addresses[name]:#x}, in the report at {[hex(a) for a in starts(instructions, name, image)]}")
    known = {(row["name"], row["image"]) for row in functions}
    calls = [("twice@plt", "program"), ("crunch@plt", "libcold.so"), ("clock_gettime@plt", "program")]
    for wanted in (("twice", "libcold.so"), ("main", "program"), ("__vdso_clock_gettime", "vdso"), *calls):
        if wanted not in known:
            faults.append(f"no function {wanted[0]} of {wanted[1]}")
    spaces = collections.Counter()
    for row in functions:
        spaces[row["space"]] += float(row["cycles"]) * (row["image"] == "libhot.so")
    processes = [space for space, weight in spaces.items() if weight]
    if len(processes) != 2:
        faults.append(f"libhot.so runs in {processes}: the program and its child are two")
    divided = collections.Counter()
    for row in instructions:
        if row["space"] in processes and not row["image"]:
            faults.append(f"nobody's: {row}")
        if row["instruction"].startswith("divu"):
            divided[row["name"].split("+")[0]] += float(row["cycles"])
    if not divided["opened"] or abs(divided["crunch"] / divided["opened"] / (DIVISIONS["crunch"] / DIVISIONS["opened"]) - 1) > 0.05:
        faults.append(f"divisions: {divided}")
    images = collections.Counter()
    for row in functions:
        images[row["image"]] += float(row["cycles"])
    text = run(TIPOFF, "report", samples)
    if text.stderr or "[libhot.so]" not in text.stdout:
        faults.append(f"the report: {text.stderr} {text.stdout[:2000]}")
    listing = run(TIPOFF, "report", "--profiler", "Oracle", "--annotate", "crunch", samples).stdout
    if not listing.lstrip().startswith("crunch [libhot.so]") or "divu" not in listing:
        faults.append(f"the listing of crunch: {listing[:300]}")
    return "user mode: " + ", ".join(f"{image} {100 * weight / images.total():.1f} %" for image, weight in images.most_common())


def main():
    config, faults = sys.argv[1], []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program, files = build(folder)
        for before in (False, True):
            print(check(config, folder, program, files, before, faults), flush=True)
    for fault in faults:
        print(f"FAILED: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
