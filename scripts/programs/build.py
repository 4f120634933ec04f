#!/usr/bin/env python3
"""Builds programs of Debian's source packages, static for RISC-V, and runs the same sources on this machine: their right results.

    scripts/programs/build.py [--list] [--only NAME]...

The packages' versions are pinned in programs.toml, and printed; with the packages in build/linux/programs/cache no network is needed.
What has not changed (package, row, inputs, compiler) is not built again. Under ten minutes the first time, for all.
"""
import argparse
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import inputs  # noqa: E402
from programs import FOLDER, INPUTS, ROOT, TABLE, WORK, load, sides  # noqa: E402

CROSS = "riscv64-linux-gnu-"
# -ffp-contract=off: a * b + c rounds twice on both machines. What autotools would make again is as Debian ships it.
CFLAGS = "-O2 -g1 -w -ffp-contract=off"
NATIVE = "-O0 -w -ffp-contract=off"  # another compiler, and no optimisation, so that a fault of either shows
AUTOTOOLS = "ACLOCAL=: AUTOCONF=: AUTOMAKE=: AUTOHEADER=: MAKEINFO=:"


def fail(text):
    sys.exit(f"scripts/programs/build.py: {text}")


def fetch(program):
    done = subprocess.run([ROOT / "scripts/linux/archive.sh", FOLDER / "cache", "source", program.package], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(1)
    return pathlib.Path(done.stdout.strip())


def compiler(prefix):
    return subprocess.run([f"{prefix}gcc", "-dumpfullversion", "-dumpmachine"], capture_output=True, text=True, check=True).stdout


def key(program, package):
    """Of everything that its files are made from."""
    kept = pathlib.Path(inputs.__file__).read_bytes() if "keep" in program.row else b""
    parts = [
        package.read_bytes(),
        program.build.encode(),
        program.binary.encode(),
        program.cflags.encode(),
        CFLAGS.encode(),
        compiler(CROSS).encode(),
        compiler("").encode(),
        kept,
    ]
    return hashlib.sha256(b"\0".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def compile_in(source, program, prefix):
    cflags = f"{CFLAGS} {program.cflags}".strip() if prefix else NATIVE
    settings = {
        "CC": f"{prefix}gcc",
        "AR": f"{prefix}ar",
        "RANLIB": f"{prefix}ranlib",
        "CFLAGS": cflags,
        "LDFLAGS": "-static",
        "CROSS": prefix,
        "INPUTS": str(INPUTS),
        "CONFIGURE": AUTOTOOLS,
        "MAKEFLAGS": f"-j{os.environ.get('JOBS', 2)}",
    }
    if prefix:  # config.sub of an old package does not know RISC-V: configure gets what it would have answered
        settings.update(
            CONFIGURE=f"--host={prefix[:-1]} {AUTOTOOLS}",
            ac_cv_host="riscv64-unknown-linux-gnu",
            ac_cv_func_malloc_0_nonnull="yes",
            ac_cv_func_realloc_0_nonnull="yes",
        )
    environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")} | settings
    log = program.folder / f"build-{'guest' if prefix else 'native'}.log"
    with open(log, "wb") as file:
        done = subprocess.run(["bash", "-euc", program.build], cwd=source, env=environment, stdin=subprocess.DEVNULL, stdout=file, stderr=file, check=False)
    if done.returncode != 0 or not (source / program.binary).exists():
        fail(f"{program.name}: does not build; the end of {log}:\n" + "".join(log.read_text(errors="replace").splitlines(keepends=True)[-15:]))


def unpack(package, to):
    shutil.rmtree(to, ignore_errors=True)
    done = subprocess.run(["dpkg-source", "--no-check", "-q", "-x", package, to], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        fail(f"{package}: {done.stderr}")


def build_for(program, package, prefix, result):
    source = program.folder / ("source" if prefix else "native-source")
    unpack(package, source)
    compile_in(source, program, prefix)
    shutil.copy2(source / program.binary, result)
    for orig in program.folder.glob("*.orig*"):
        orig.unlink()
    if prefix:
        return  # stays, for reports with source lines
    for name in program.row.get("keep", []):
        shutil.copy2(source / name, INPUTS / name)
    shutil.rmtree(source)


def expect(program):
    """What it prints here: natively, whatever the guest does."""
    status, output = program.run_native()
    if not output:
        fail(f"{program.name}: status {status} and no output on this machine: nothing to compare with")
    (program.folder / "expected").write_bytes(b"%d\n" % status + output)


def make_inputs():
    INPUTS.mkdir(parents=True, exist_ok=True)
    made = {name: inputs.make(name) for name in inputs.MAKERS} | {path.name: path.read_bytes() for path in WORK.iterdir()}
    for name, data in made.items():
        path = INPUTS / name
        if not path.exists() or path.read_bytes() != data:
            path.write_bytes(data)


def build(program):
    """Builds what is missing or out of date; returns the seconds that took."""
    began = time.monotonic()
    package = fetch(program)
    stamp = program.folder / "key"
    program.folder.mkdir(parents=True, exist_ok=True)
    if program.own_guest and not (program.guest.exists() and program.native.exists() and stamp.exists() and stamp.read_text() == key(program, package)):
        print(f"  PROGRAM {program.name}: builds {package.stem}", flush=True)
        stamp.unlink(missing_ok=True)
        if program.whole_row:
            build_for(program, package, "", program.native)
        build_for(program, package, CROSS, program.guest)
        stamp.write_text(key(program, package))
    expect(program)
    return package, time.monotonic() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="list the programs")
    parser.add_argument("--only", action="append", metavar="NAME", help="this one; any number of times")
    arguments = parser.parse_args()
    table = load()
    for name in arguments.only or []:
        if name not in table:
            fail(f"{TABLE}: no {name}; there are {', '.join(table)}")
    chosen = [program for name, program in table.items() if name in (arguments.only or table)]
    if arguments.list:
        for program in chosen:
            print(f"{program.name:15} {'built' if program.built() else '-':6} {program.package:42} {program.row['kind']}: {program.row['why']}")
        return
    make_inputs()
    print(f"  PROGRAMS {CROSS}gcc {compiler(CROSS).split()[0]}, gcc {compiler('').split()[0]}, {len(chosen)} programs in build/linux/programs", flush=True)
    for program in chosen:
        package, seconds = build(program)
        if "change" in program.row:
            for side in sides(program.name):
                seconds += build(side)[1]
        print(f"  PROGRAM {program.name}: {package.stem.split('_', 1)[1]}, {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
