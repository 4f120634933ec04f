"""Draws the mutants of the core that core.py judges: of all in its folders, from each module its share."""
import pathlib
import random
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts/mutate")]
from mutants import Module  # noqa: E402
from units import fields_of_records  # noqa: E402

FOLDERS = ["fetch", "decode", "rename", "dispatch", "issue", "execute", "lsu", "mmu", "csr", "commit"]
RATE, DRAW = 2450 / 21079, 5  # share of a module's mutants that is made, and the seed that draws them
LATER = ["fp_round", "fetch_buffer", "icache_miss", "mmu", "tlb"]


def all_modules():
    paths = sorted(p for folder in FOLDERS for p in (ROOT / "rtl" / folder).glob("*.sv") if not p.name.endswith("_pkg.sv"))
    return [Module(str(p.relative_to(ROOT)), p.read_text(), fields_of_records(), whole=False) for p in paths]


class Choices:
    """Which mutants can be one side of a choice in a module's copy without changing what the other side means."""

    def __init__(self, module):
        self.module = module
        self.arrays = set(re.findall(r"\b(\w+) \[[^\]]+\]\s*[,;)]", module.text))
        signed = {name for names in re.findall(r"\bsigned \[[^\]]*\]\s*([\w, ]+)", module.text) for name in names.replace(" ", "").split(",") if name}
        self.signed = re.compile("|".join([r"\$signed", ">>>", r"'sd", *(rf"\b{name}\b" for name in sorted(signed))]))

    def allows(self, mutant):
        """Not with an assignment pattern or a whole array, nor how often something is repeated: Verilator refuses them; nor in a
        statement with signed numbers, which a choice would make unsigned; nor what is wider than a part of a concatenation."""
        module = self.module
        original = module.text[mutant.start : mutant.end]
        in_concatenation = module.text[: mutant.start].rstrip()[-1] in "{," and module.text[mutant.end :].lstrip()[0] in ",}"
        return (
            not (in_concatenation and mutant.what in ("| dropped", "& dropped", "^ dropped"))
            and "'{" not in mutant.text + original
            and module.text[mutant.end] != "{"
            and not self.signed.search(module.statement_of(mutant))
            and not self.arrays & set(re.findall(r"\b(\w+)\b(?!\s*\[)", original))
        )


def draw():
    """The modules, each with its share of mutants, numbered; and how many there are in all. Those of LATER come after the
    rest and by themselves, so that the others' draw and numbers are what they were."""
    found, number = all_modules(), 1
    first, later = ([module for module in found if (pathlib.Path(module.path).stem in LATER) == late] for late in (False, True))
    everything = sum(len(module.mutants) for module in found)
    for modules, dice in ((first, random.Random(DRAW)), (later, random.Random(DRAW))):
        for module in modules:
            choices = Choices(module)
            module.mutants = [m for m in module.mutants if choices.allows(m)]
            share = max(min(8, len(module.mutants)), round(RATE * len(module.mutants)))
            module.mutants = sorted(dice.sample(module.mutants, share), key=lambda m: (m.start, m.end, m.text))
            number = module.number_from(number)
    return first + later, everything
