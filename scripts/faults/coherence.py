#!/usr/bin/env python3
"""Faults in what keeps harts coherent: does the unit test see each, and does lockstep of several harts stop it, by which axiom?

    scripts/faults/coherence.py [--only ROW]... [--benches] [--record]

Each row of tests/faults/coherence.tsv is a fault in hub, L1, load queue, AMO unit or tile port, a line of text, with the rule that it
breaks. All are built into one small2c model with its hub, and into the unit tests, once (build/faults/coherence); a file chooses one.
Of each fault
    - the unit test that the row names must fail;
    - programs of 2 to 4 harts run in lockstep until one is stopped: random ones (tests/fuzz/harts_fuzz.py), those of tests/harts, litmus
      tests. Where an assertion stops it, they run again without any assertion, until the checker does. What it names must be among the
      row's axioms, several by " / " ("lockstep": registers differ; "hangs": it comes to no end). "-": no program need be stopped, for the
      fault delays what is right, these programs do not meet it, or this core does not have what it is in; three programs run.
What was said of a fault is kept in build/faults/coherence: a run that was ended goes on where it was.
Prints a line a fault; --record writes docs/results/coherence-faults.md. --benches: the unit tests alone. Status 1 if something that must
find a fault does not.
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts/faults"), str(ROOT / "scripts")]
import coherence_build  # noqa: E402
import faults  # noqa: E402
import page_head  # noqa: E402
import planting  # noqa: E402

ROOM, TREE = coherence_build.ROOM, coherence_build.TREE
BOOK = ROOM / "said.json"
PAGE = ROOT / "docs/results/coherence-faults.md"
FEW = 3  # programs of a fault that need stop none
LATE, LEAST = 3, 30000  # times the cycles without a fault, and cycles beside, then a run hangs
HANG = 300  # seconds: of the clock, for what counts no cycles
AXIOMS = ["the load value axiom", "the atomicity axiom", "the progress axiom", "one writer or many readers", "the value of a line", "the stream of events"]
WRONG = {1: "a counter of AMOs is wrong", 2: "a counter of LR and SC is wrong", 3: "a counter under a lock is wrong"}

# What a program said: kind (passes, assertion, axiom, lockstep, hangs, program), and what.
Said = collections.namedtuple("Said", "kind what program cycle")
SIMULATOR = "of the simulator"
NOTHING = Said("passes", "", "", None)


def short(axiom):
    return re.sub(r"^the | axiom$| of preserved program order$", "", axiom)


def what_it_said(name, status, text):
    """Of a run that did not end well."""
    cycle = re.search(r"cycle (\d+)", next((line for line in reversed(text.splitlines()) if line.startswith("tipoff: ")), ""))
    cycle = int(cycle[1]) if cycle else None
    asserted = re.search(r"Assertion failed in ([\w.\[\]]+?)(?:\.unnamedblk\d+)?: ", text)
    if asserted:
        return Said("assertion", asserted[1].split(".")[-1], name, cycle)
    if "%Error" in text or status < 0:
        return Said("assertion", SIMULATOR, name, cycle)
    for axiom in AXIOMS + [f"rule {n} of preserved program order" for n in range(1, 14)]:
        if axiom in text:
            return Said("axiom", short(axiom), name, cycle)
    for worker in ("lockstep", "watchdog", "devices", "memory-order"):
        if re.search(rf"^tipoff: (hart \d+: )?{worker}:", text, re.M | re.I):
            return Said("lockstep" if worker != "watchdog" else "hangs", worker, name, cycle)
    if status == 124:
        return Said("hangs", "cycles run out", name, cycle)
    return Said("program", WRONG.get(status, f"status {status}: {text.strip()[-100:]}"), name, cycle)


class Campaign:
    def __init__(self, table, benches_alone):
        self.table = table
        coherence_build.plant(table)
        self.benches = coherence_build.build_benches(table)
        for name in self.benches:
            if (said := self.bench(name, 0)) != "passes":
                raise SystemExit(f"coherence.py: the unit test {name} fails without a fault: {said}")
        self.alone, self.state, self.programs, self.limits = benches_alone, coherence_build.state(), {}, {}
        self.book = json.loads(BOOK.read_text(encoding="utf-8")) if BOOK.exists() else {}
        if self.alone:
            return
        coherence_build.build_models()
        self.programs = coherence_build.programs()
        self.litmus = coherence_build.litmus_tests()
        for name in self.programs:
            status, text = self.run(0, False, [*self.programs[name], "--stats", "of.json"])
            if status:
                raise SystemExit(f"coherence.py: {name} fails without a fault:\n{text}")
            self.limits[name] = LATE * self.cycles() + LEAST

    def folder(self, number, unasserted=False):
        folder = ROOM / "run"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "fault").write_text(f"{number}\n", encoding="utf-8")
        (folder / "unasserted").unlink(missing_ok=True)
        if unasserted:
            (folder / "unasserted").touch()
        return folder

    def cycles(self):
        return int(re.search(r'"cycles":\s*(\d+)', (ROOM / "run/of.hart0.json").read_text(encoding="utf-8"))[1])

    def bench(self, name, number):
        """What a unit test says of a fault."""
        command = faults.bound([self.benches[name].program])
        try:
            done = subprocess.run(
                command, cwd=self.folder(number), env=dict(os.environ, MUTANT="0"), capture_output=True, text=True, errors="replace", timeout=HANG, check=False
            )
        except subprocess.TimeoutExpired:
            return "hangs"
        if done.returncode == 0:
            return "passes"
        said = what_it_said(name, done.returncode, done.stdout + done.stderr)
        return f"assertion {said.what}" if said.kind == "assertion" and said.what != SIMULATOR else "its check"

    def run(self, number, unasserted, words):
        command = faults.bound([TREE / "build/bin/tipoff", *words])
        try:
            done = subprocess.run(command, cwd=self.folder(number, unasserted), capture_output=True, text=True, errors="replace", timeout=HANG, check=False)
        except subprocess.TimeoutExpired:
            return 124, ""
        return done.returncode, done.stdout[-20000:] + done.stderr[-20000:]

    def lockstep(self, row, unasserted):
        """What stops the first program that is stopped; without assertions, the first that the checker stops, unless FEW have hung or failed before."""
        number, few, others = row["number"], row["axiom"] == "-", []
        for name, words in list(self.programs.items())[: FEW if few else None]:
            status, text = self.run(number, unasserted, [*words, "--max-cycles", self.limits[name]])
            said = what_it_said(name, status, text) if status else None
            if said and (not unasserted or said.kind in ("axiom", "lockstep")):
                return said
            others += [said] if said else []
            if len(others) == FEW:
                break
        if others or few:
            return others[0] if others else NOTHING
        status, text = self.run(number, unasserted, self.litmus)
        return what_it_said("litmus", status, text) if status else NOTHING

    def kept(self, row, what, find):
        """What find() said of this fault before, in this state of the tree; else what it says now."""
        key = hashlib.sha256("\0".join((self.state, what, *(row[name] for name in ("file", "original", "faulty", "bench")))).encode()).hexdigest()
        if key not in self.book:
            self.book[key] = find()
            BOOK.write_text(json.dumps(self.book), encoding="utf-8")
        return self.book[key]

    def judge(self, row):
        """(unit test's word, with assertions, without, what is missing)"""
        number = row["number"]
        bench = self.kept(row, "bench", lambda: self.bench(row["bench"], number))
        missing = [f"{row['bench']} passes"] if bench == "passes" else []
        if self.alone:
            return bench, None, None, missing
        live = Said(*self.kept(row, "live", lambda: self.lockstep(row, False)))
        without = Said(*self.kept(row, "without", lambda: self.lockstep(row, True))) if live.kind == "assertion" else live
        if row["axiom"] != "-":
            named = without.what if without.kind == "axiom" else without.kind
            if named not in row["axiom"].split(" / "):
                missing.append(f"'{row['axiom']}' is not named, but: {without.kind} {without.what}")
        return bench, live, without, missing


def words(said):
    if said is None or said.kind == "passes":
        return "-"
    what = {"assertion": f"assertion {said.what}", "axiom": said.what}.get(said.kind, f"{said.kind}: {said.what}" if said.kind != "lockstep" else said.what)
    return f"{what} ({said.program}{f', cycle {said.cycle:,}' if said.cycle is not None else ''})"


def summary(results):
    """Sentences: how many, by what."""
    live = collections.Counter(live.kind for _, _, live, _, _ in results if live)
    axioms = collections.Counter(without.what for _, _, _, without, _ in results if without and without.kind in ("axiom", "lockstep"))
    lines = [f"{len(results)} faults: the unit test finds {sum(bench != 'passes' for _, bench, *_ in results)}."]
    if any(live for _, _, live, _, _ in results):
        passes = live.pop("passes", 0)
        lines[0] += f" Programs in lockstep stop {sum(live.values())}: {', '.join(f'{kind} {n}' for kind, n in live.most_common())};" f" {passes} stop none."
        lines.append(f"Without assertions, by what the checker names: {', '.join(f'{name} {n}' for name, n in axioms.most_common())}.")
    return lines


def page(results):
    text = "# Faults in what keeps harts coherent\n\n" + "\n".join(summary(results)) + "\n\n"
    text += "What a row must find, and how they run, says the head of the command. `with assertions`: what stops the first program in\n"
    text += "lockstep that is stopped, and when; `without`: the same where no assertion ends a run.\n\n"
    text += "| fault | where | rule | unit test | with assertions | without |\n|---|---|---|---|---|---|\n"
    for row, bench, live, without, missing in results:
        lost = f" **{'; '.join(missing)}**" if missing else ""
        text += f"| {row['number']} {row['text']}{lost} | {pathlib.Path(row['file']).stem} | {row['rule']} | {row['bench']}: {bench} | {words(live)} | "
        text += f"{words(without)} |\n"
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", type=int, action="append", metavar="ROW", help="this row alone")
    parser.add_argument("--benches", action="store_true", help="the unit tests alone")
    parser.add_argument("--record", action="store_true", help=f"write {PAGE.relative_to(ROOT)}")
    arguments = parser.parse_args()
    table, started = planting.rows(coherence_build.TABLE), time.monotonic()
    campaign = Campaign(table, arguments.benches)
    results = []
    for row in table:
        if arguments.only and row["number"] not in arguments.only:
            continue
        results.append((row, *campaign.judge(row)))
        _, bench, live, without, missing = results[-1]
        print(f"{'FAIL' if missing else 'PASS'}  {row['number']:2} {row['text']}: {row['bench']}: {bench}; {words(live)}; {words(without)}", flush=True)
        for what in missing:
            print(f"      {what}; rerun: scripts/faults/coherence.py --only {row['number']}", flush=True)
    print("\n".join(summary(results)))
    print(f"{time.monotonic() - started:.0f} s")
    if arguments.record:
        page_head.write(PAGE, page(results), "scripts/faults/coherence.py --record")
    return 1 if any(missing for *_, missing in results) else 0


if __name__ == "__main__":
    sys.exit(main())
