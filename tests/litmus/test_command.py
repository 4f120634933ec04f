#!/usr/bin/env python3
"""tipoff litmus: its formats, bad input, outputs.

    tests/litmus/test_command.py [--only TEXT]

Needs build/bin/tipoff.
"""
import csv
import io
import json
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli import ROOT, TIPOFF, check, main, refused, test, tipoff  # noqa: E402
import axioms  # noqa: E402

PAGE = (ROOT / "docs/reference/litmus.md").read_text(encoding="utf-8")


def indented(after):
    """The block of code in the page that begins so."""
    start = PAGE.index("    " + after)
    return "".join(line[4:] + "\n" for line in PAGE[start:].split("\n\n")[0].split("\n"))


def example(folder, name="mp.litmus"):
    path = folder / name
    path.write_text(indented("RISCV MP+ww+addr"))
    return path


@test
def page(folder):
    """The example of the page is answered as the page says."""
    status, out, err = tipoff("litmus", "--allowed", example(folder))
    check((status, err) == (0, "") and out == indented("Test MP+ww+addr") + "\n", f"{status} {out} {err}")


@test
def formats(folder):
    one, two = example(folder), example(folder, 'a,"b.litmus')
    two.write_text(two.read_text().replace("fence w,w  ", "nop        "))
    status, out, err = tipoff("litmus", "--allowed", "--format", "csv", one, two)
    rows = list(csv.DictReader(io.StringIO(out)))
    check((status, err) == (0, "") and len(rows) == 7, f"{status} {out} {err}")
    check(rows[0] == {"file": str(one), "test": "MP+ww+addr", "state": "1:x5=0; 1:x8=0;", "allowed": "1", "seen": "", "witness": "0"}, f"{rows[0]}")
    check([row["file"] for row in rows if row["witness"] == "1"] == [str(two)], f"{rows}")
    status, out, err = tipoff("litmus", "--allowed", "--format", "json", one, two)
    first, second = json.loads(out)
    check((first["threads"], first["kind"], first["holds"], first["observation"]) == (2, "Allowed", False, "Never"), f"{first}")
    check(first["condition"] == "exists (1:x5=1 /\\ 1:x8=0)" and second["observation"] == "Sometimes", f"{second}")
    path = folder / "out.json"
    check(tipoff("litmus", "--allowed", "--format", "json", "--output", path, one, two) == (0, "", "") and path.read_text() == out, "--output")


@test
def runs(folder):
    """On the ISS: what sequential consistency allows, and all of it, with every iteration counted."""
    path = folder / "sb.litmus"
    path.write_text(
        "RISCV SB\n{0:x5=1;0:x6=x;0:x7=y;1:x5=1;1:x6=y;1:x7=x;}\nP0|P1;sw x5,0(x6)|sw.rl x5,0(x6);lw x8,0(x7)|lw x8,0(x7);exists (0:x8=0 /\\ 1:x8=0)\n"
    )
    status, text, err = tipoff("litmus", "--iterations", 3000, path)
    check((status, err) == (0, ""), f"{status} {err}")
    lines = text.splitlines()
    check(lines[:2] == ["Test SB Allowed", "Histogram (3 states)"], text)
    check(sum(int(line.split(":>")[0]) for line in lines[2:5]) == 3000, text)
    check("Unseen 0:x8=0; 1:x8=0;" in lines and "Allowed 4, seen 3 of them; forbidden 0" in lines, text)
    check(any(line.startswith("Lowered 1 ") for line in lines), text)
    check(tipoff("litmus", "--iterations", 3000, "--on", "iss", "--seed", 1, path) == (0, text, ""), "the same seed, the same run")
    status, out, err = tipoff("litmus", "--format", "json", "--harts", 3, "--seed", 2, path)
    (result,) = json.loads(out)
    check((status, err, result["forbidden"], result["lowered"], result["observation"]) == (0, "", 0, 1, "Never"), f"{status} {err} {result}")
    check(sum(state["seen"] for state in result["states"]) == 1000 and all(state["allowed"] for state in result["states"]), f"{result}")
    refused(["litmus", "--harts", 2, example_of_three(folder)], "has 3 threads: give --harts 3, or more")
    refused(["litmus", "--allowed", "--seed", 2, path], "leave it out", lines=0)
    refused(["litmus", "--on", "qemu", path], "use one of iss, rtl", lines=0)
    refused(["litmus", "--config", "small2", path], "add --on rtl", lines=0)
    refused(["litmus", "--on", "rtl", "--harts", 9, path], "9 harts: cores run up to 8")
    refused(["litmus", "--on", "rtl", "--config", "mega9", path], "sb.litmus: ", "no such configuration")


def example_of_three(folder):
    path = folder / "three.litmus"
    path.write_text("RISCV three\n{}\nP0|P1|P2;nop|nop|nop;exists (x=0)\n")
    return path


@test
def random_tests(folder):
    """Random tests end in nothing that is not allowed."""
    paths = []
    for seed in range(1, 101):
        paths.append(folder / f"{seed}.litmus")
        paths[-1].write_text(axioms.litmus(axioms.random_test(seed), f"random{seed}"))
    status, out, err = tipoff("litmus", "--iterations", 200, "--format", "csv", *paths)
    rows = list(csv.DictReader(io.StringIO(out)))
    check((status, err) == (0, ""), f"{status} {err}")
    check(sum(int(row["seen"]) for row in rows) == 200 * len(paths), "all iterations are counted")


@test
def stops(folder):
    """A signal ends a long test with what was seen, and its status; so does a full disk, with 4."""
    path = example(folder)
    with subprocess.Popen([TIPOFF, "litmus", "--iterations", "1000000000", "--format", "csv", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    check((process.returncode, err) == (128 + signal.SIGINT, b""), f"{process.returncode} {err}")
    seen = sum(int(row["seen"]) for row in csv.DictReader(io.StringIO(out.decode())))
    check(seen % 1000 == 0 and seen < 1000000000, f"{seen} iterations")
    refused(["litmus", "--allowed", "--output", "/dev/full", path], "/dev/full: cannot write", status=4)


@test
def bad_input(folder):
    good, bad, none = example(folder), folder / "bad.litmus", folder / "none.litmus"
    bad.write_text("RISCV a\n{}\nP0;jalr x5,x6,0;\nexists x=0\n")
    refused(["litmus"], "name a litmus test", lines=0)
    refused(["litmus", "--allowed", "--format", "xml", good], "use one of text, csv, json", lines=0)
    refused(["litmus", "--allowed", none], "none.litmus: cannot open", "name a .litmus file of RISC-V")
    refused(["litmus", "--allowed", folder], "is a folder")
    refused(["litmus", "--allowed", bad], "bad.litmus:3:4: 'jalr' is not read")
    refused(["litmus", "--allowed", "--output", good, good], "--output")
    refused(["litmus", "--allowed", "--output", folder / "no/folder", good], "cannot create", status=4)
    path = folder / "kept.txt"
    path.write_text("kept")
    refused(["litmus", "--allowed", "--output", path, bad], "is not read")
    check(path.read_text() == "kept", "the old file stays where no test is read")
    status, out, err = tipoff("litmus", "--allowed", "--format", "json", bad, good, none)
    check(status == 2 and len(json.loads(out)) == 1 and err.count("\n") == 2, f"the others are done: {status} {out} {err}")


if __name__ == "__main__":
    sys.exit(main())
