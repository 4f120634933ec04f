#!/usr/bin/env python3
"""Run workloads on QEMU's virt machine, an independent implementation of the same instruction set.

    tests/workloads/qemu_check.py [--count] ELF...

A program passes if it writes 1 to tohost (status 0), prints its PASS line, and, where tests/workloads/expected.py
knows the result, prints that result. --count also prints the instructions executed until tohost is written.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import expected

QEMU = ["qemu-system-riscv64", "-machine", "virt", "-cpu", "rv64", "-m", "256M", "-bios", "none", "-display", "none", "-net", "none"]
HANG_GUARD = 300  # seconds


def symbol(elf, name):
    listing = subprocess.run(["riscv64-unknown-elf-nm", elf], capture_output=True, text=True, check=True).stdout
    return int(re.search(rf"^([0-9a-f]+) \w {name}$", listing, re.M).group(1), 16)


def run(elf, count):
    """(tohost, console text, instructions or None)"""
    tohost = symbol(elf, "tohost")
    with tempfile.TemporaryDirectory() as folder:
        console = pathlib.Path(folder) / "console"
        command = QEMU + ["-kernel", elf, "-serial", f"file:{console}", "-monitor", "stdio"]
        counter = None
        if count:
            fifo = os.path.join(folder, "trace")
            os.mkfifo(fifo)
            counter = subprocess.Popen(["grep", "-c", "^Trace", fifo], stdout=subprocess.PIPE, text=True)
            command += ["-singlestep", "-d", "exec,nochain", "-D", fifo]
        qemu = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            value, deadline = 0, time.monotonic() + HANG_GUARD
            while value == 0 and time.monotonic() < deadline:
                time.sleep(0.05)
                qemu.stdin.write(f"xp /1gx 0x{tohost:x}\n")
                qemu.stdin.flush()
                for line in qemu.stdout:
                    match = re.match(rf"0*{tohost:x}: 0x([0-9a-f]+)", line.strip())
                    if match:
                        value = int(match.group(1), 16)
                        break
                if qemu.poll() is not None:
                    break
            if qemu.poll() is None:
                qemu.stdin.write("quit\n")
                qemu.stdin.flush()
            qemu.communicate(timeout=30)
        finally:
            if qemu.poll() is None:
                qemu.kill()
                qemu.wait()
        instructions = int(counter.communicate()[0]) if counter else None
        return value, console.read_text(encoding="utf-8", errors="replace") if console.exists() else "", instructions


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", action="store_true")
    parser.add_argument("elf", nargs="+")
    arguments = parser.parse_args()
    passed = 0
    for elf in arguments.elf:
        name = pathlib.Path(elf).stem
        value, console, instructions = run(elf, arguments.count)
        faults = []
        if value != 1:
            faults.append(f"tohost 0x{value:x}, expected 0x1")
        match = re.search(rf"^{re.escape(name)}: result=0x([0-9a-f]+) PASS$", console, re.M)
        if not match:
            faults.append(f"no PASS line; the console shows {console!r}")
        elif (known := expected.result(name)) is not None and int(match.group(1), 16) != known:
            faults.append(f"result 0x{match.group(1)}, expected.py says 0x{known:x}")
        passed += not faults
        text = f"result=0x{match.group(1)}" if match else ""
        print(f"{'FAIL' if faults else 'PASS'}  {name}  {text}" + (f"  {instructions} instructions" if arguments.count else ""), flush=True)
        for fault in faults:
            print(f"      {fault}")
    print(f"{passed} passed, {len(arguments.elf) - passed} failed")
    return 0 if passed == len(arguments.elf) else 1


if __name__ == "__main__":
    sys.exit(main())
