"""The unit tests of rtl/ as what kills mutants of the core, for core.py.

Each test that is made from a module with mutants is built with the copies that hold them, at each of its configurations
(what one port of a kind cannot show, tea4's several do), and run with each of the modules' mutants until one fails, the
quickest first. A run may take LONGER times the processor time that it takes without a mutant, and then has hung.
What a test said is kept in build/mutate-core/benches.tsv with the digest of the test and of the modules as they are without
mutants, and of a mutant by its place: it holds when another module changes, and when mutants are drawn or numbered again.
"""
import concurrent.futures
import hashlib
import os
import pathlib
import resource
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts/mutate")]
from benches import NUMBER, SELECTOR, Bench, run  # noqa: E402
from places import key  # noqa: E402

ROOM = ROOT / "build/mutate-core/benches"
BOOK = ROOM.parent / "benches.tsv"
LONGER, LEAST = 10, 5  # times the processor time of a run without a mutant, and seconds beside
KEPT = ["rtl/prim/assert.svh", "scripts/mutate/core_benches.py"]  # what every verdict depends on, beside the test's sources


class CoreBench(Bench):
    """A unit test of the core at one configuration, with a guard of processor time."""

    def __init__(self, name, config):
        super().__init__(name, ROOM, config)
        self.guard = self.stamp = None

    def ready(self, mutated):
        """Builds it, runs it without a mutant, and says what its verdicts depend on."""
        self.build(mutated)
        packages = [ROOT / f"build/{self.config}/gen/{p}_pkg.sv" for p in ("config", "events", "csrs", "memory_map", "instructions", "records")] + sorted(
            ROOT.glob("rtl/*/*_pkg.sv")
        )
        sources = [ROOT / s.replace("%GEN%", f"build/{self.config}/gen") for s in self.sources]
        own = [*sorted(self.folder.glob("*.sv")), *sorted(self.folder.glob("*.cpp")), *sorted(self.folder.glob("*.h")), *sorted(self.folder.parent.glob("*.h"))]
        self.stamp = hashlib.sha256(b"\0".join(p.read_bytes() for p in [*packages, *sources, *own, *(ROOT / k for k in KEPT)])).hexdigest()[:16]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        if run([str(self.program)], env=dict(os.environ, MUTANT="0")).returncode:
            raise SystemExit(f"core.py: the unit test {self.name} fails without a mutant")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        limit = LEAST + int(LONGER * self.seconds)
        self.guard = ["prlimit", f"--cpu={limit}:{limit + 1}", "--as=4294967296", "--core=0"]

    def says(self, number):
        """What the test says of that mutant: 'passes', or what shows that it does not."""
        done = subprocess.run(
            [*self.guard, str(self.program)],
            cwd=ROOT,
            env=dict(os.environ, MUTANT=str(number)),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        if -done.returncode in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            raise SystemExit(f"core.py: {self.name} was ended from outside: run again")
        if done.returncode == 0:
            return "passes"
        if -done.returncode in (signal.SIGXCPU, signal.SIGKILL):
            return "processor time ran out"
        return "assertion" if "ssertion" in done.stdout or "%Error" in done.stdout else "failed check"


def benches(found):
    """All unit tests that are made from modules of `found`, once a configuration."""
    names = sorted(p.parent.name for p in ROOT.glob("tests/unit/rtl/*/sources.f"))
    each = [CoreBench(name, config) for name in names for config in Bench(name).configs]
    return [bench for bench in each if any(bench.covers(module) for module in found)]


class Book:
    """What the tests said, on disk as it comes."""

    def __init__(self):
        rows = [line.split("\t") for line in BOOK.read_text().splitlines()] if BOOK.exists() else []
        self.said = {(row[0], *row[2:6]): row[6] for row in rows if len(row) == 7}
        self.file = BOOK.open("a")

    def of(self, bench, module, mutant, again):
        which = (bench.stamp, *key(module, mutant))
        if which not in self.said or again:
            self.said[which] = bench.says(mutant.number)
            self.file.write("\t".join([which[0], bench.name, *which[1:], self.said[which]]) + "\n")
            self.file.flush()
        return self.said[which]


def judge(found, chosen, jobs, again=False):
    """{number: (name of the unit test, what shows it)} of those among `chosen` that a test kills. again: whatever the record has."""
    copies = ROOM / "sources"
    copies.mkdir(parents=True, exist_ok=True)
    (ROOM / "mutant.cpp").write_text(NUMBER)
    mutated = {module.path: copies / pathlib.Path(module.path).name for module in found}
    for module in found:
        mutated[module.path].write_text(module.schemata(SELECTOR))
    ready = benches({module for module, _ in chosen})
    for bench in ready:
        started = time.monotonic()
        bench.ready(mutated)
        print(f"  unit test {bench.name:<18} {bench.config:<7} {time.monotonic() - started:5.1f} s to build, {bench.seconds:.2f} s to run", flush=True)
    ready.sort(key=lambda bench: bench.seconds)
    book, killed, last = Book(), {}, time.monotonic()

    def one(pair):
        for bench in ready:
            if bench.covers(pair[0]) and (what := book.of(bench, *pair, again)) != "passes":
                return bench.name, what
        return None

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for done, ((_, mutant), verdict) in enumerate(zip(chosen, pool.map(one, chosen)), 1):
            if verdict:
                killed[mutant.number] = verdict
            if time.monotonic() - last > 30:
                last = time.monotonic()
                print(f"  unit tests: {done} of {len(chosen)}, {len(killed)} killed", flush=True)
    return killed
