#!/usr/bin/env python3
"""Linux on the ISS: it boots to init, which ends the run by the test finisher; a kernel that panics ends it with status 5.

    tests/linux/test_iss.py [--only TEXT]

Needs build/bin/tipoff and build/linux/linux.elf (make linux).
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli import ROOT, check, main, test, tipoff  # noqa: E402

LINUX = ROOT / "build/linux/linux.elf"


@test
def boots(folder):
    """Firmware and init print on stdout, the kernel on stderr; status 0."""
    status, out, err = tipoff("iss", "--max-insns", 200_000_000, LINUX)
    check(status == 0, f"status {status}: {err}")
    check("OpenSBI v" in out and out.endswith("tipoff: Linux is up; the tray is empty, so that there is nothing to run\n"), out)
    check("Run /init as init process" in err and "2 ports" in err and err.endswith("exit status 0\n"), err)
    check("16 firmware and 31 hardware counters" in err, f"the PMU driver has not found its counters: {err}")


@test
def a_panic(folder):
    """Without an init the kernel panics, and asks for a reset: status 5, and its last lines are there."""
    program = folder / "panic.elf"
    kernel = LINUX.read_bytes()
    check(b"/init\0" in kernel, "the kernel names its init")
    program.write_bytes(kernel.replace(b"/init\0", b"/none\0"))
    status, _, err = tipoff("iss", "--quiet", "--max-insns", 200_000_000, program)
    lines = err.splitlines()
    check(status == 5, f"status {status}: {err}")
    check("Kernel panic - not syncing: No working init found" in lines[-2] and "asked for a reset" in lines[-1], err)


if __name__ == "__main__":
    sys.exit(main())
