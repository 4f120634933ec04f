"""The faults of the RTL: a share of the mutants of the core's and the units' modules, and those of the fault campaign, all in one model of small2,
chosen when it starts."""
import functools
import hashlib
import pathlib
import random
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts/mutate"), str(ROOT / "scripts/formal"), str(ROOT / "scripts/faults")]
import core_draw  # noqa: E402
import core_model  # noqa: E402
import planting  # noqa: E402
import places  # noqa: E402
import second_tree as trees  # noqa: E402
import units  # noqa: E402
from fault import Fault  # noqa: E402
from benches import SELECTOR  # noqa: E402

ROOM = ROOT / "build/evidence/rtl"
TABLE = ROOT / "tests/faults/faults.tsv"
CORE, UNITS = 220, 70  # mutants of the core and of rtl/profile; of the fault campaign all rows
MODEL = "small2"  # has the faults; other configurations' models have none
TITLE = f"RTL: mutants of the core and the units, and the fault campaign, on {MODEL}"


IMPORT = '  import "DPI-C" function int mutant(input int number);\n'
CHOOSER = r"""#include <cstdlib>
#include <set>
extern "C" int mutant(int number) {
    static const std::set<long> chosen = [] {
        std::set<long> numbers;
        char *text = getenv("MUTANT");
        while (text && *text) {
            numbers.insert(strtol(text, &text, 10));
            if (*text) text++;  // the comma
        }
        return numbers;
    }();
    return chosen.count(number);
}
"""


def digest():
    """Of what the draw depends on."""
    paths = [*ROOT.glob("rtl/*/*.sv"), *ROOT.glob("sim/*.sv"), *ROOT.glob("scripts/mutate/*.py"), TABLE]
    return hashlib.sha256(b"\0".join([repr((CORE, UNITS)).encode(), *(path.read_bytes() for path in sorted(paths))])).hexdigest()[:16]


def code(text):
    return hashlib.sha256(" ".join(re.sub(r"//[^\n]*", "", text).split()).encode()).hexdigest()[:8]


def identify(*said):
    return hashlib.sha256("\0".join(said).encode()).hexdigest()[:10]


def order(fault_id):
    return random.Random(fault_id).random()


class Module:
    """One file with the mutants that were drawn and the rows of the fault campaign, as core_model takes modules."""

    def __init__(self, module, rows):
        self.module, self.path, self.rows = module, module.path, rows

    def schemata(self, selector, noting=False):
        text = self.module.schemata(selector, noting)
        for original in dict.fromkeys(row["original"] for row in self.rows):
            placed = planting.place(original, [row for row in self.rows if row["original"] == original])
            if text.count(original) != 1 or placed is None:
                raise SystemExit(f"evidence: {self.path}: '{original}' of {TABLE.name} stands {text.count(original)} times: rewrite the row")
            text = text.replace(original, placed.replace("fault_sel", "mutant_sel"))
        return chosen_by_set(text)


def chosen_by_set(text):
    """`mutant_sel == K` becomes the bit of K in a set, for any number of faults at a time."""
    bits = {}

    def bit(match):
        name = f"mutant_set[{bits.setdefault(match[2], len(bits))}]"
        return name if match[1] == "==" else f"!{name}"

    text = re.sub(r"mutant_sel (==|!=) (\d+)", bit, text)
    asked = "".join(f"    mutant_set[{at}] = mutant({number}) != 0;\n" for number, at in bits.items())
    return text.replace(SELECTOR, f"{IMPORT}  bit [{len(bits) - 1}:0] mutant_set;\n  initial begin\n{asked}  end\n")


@functools.lru_cache(maxsize=1)
def draw():
    """The modules and their faults, numbered from 1."""
    core, _ = core_draw.draw()
    modules = core + [module for module in units.modules() if module.path.startswith("rtl/profile/")]
    rows = planting.rows(TABLE)
    drawn = {}
    for kind, count in (("rtl", CORE), ("profile", UNITS)):
        pool = []
        for module in modules:
            if module.path.startswith("rtl/profile/") == (kind == "profile"):
                taken = [(at, at + len(row["original"])) for row in rows if row["file"] == module.path for at in [module.text.find(row["original"])]]
                pool += [
                    (identify(*map(str, places.key(module, m)), m.what), module, m)
                    for m in module.mutants
                    if not any(m.start < end and start < m.end for start, end in taken)
                ]
        drawn |= {one[0]: (kind, *one[1:]) for one in sorted(pool, key=lambda one: order(one[0]))[:count]}
    found, number = [], 1
    for fault_id, (kind, module, mutant) in drawn.items():
        mutant.number, original = number, places.normal(module.text[mutant.start : mutant.end])[:100]
        room = "units" if kind == "profile" else "core"
        stem = pathlib.Path(module.path).stem
        found.append(Fault(number, fault_id, room, module.path, stem, mutant.what, original, code(module.text), mutant.start, mutant.end))
        number += 1
    chosen = {id(mutant) for _, _, mutant in drawn.values()}
    texts = {module.path: module.text for module in modules}
    for row in rows:
        row["number"] = number
        text = texts[row["file"]]
        found.append(
            Fault(
                number,
                identify(row["file"], row["original"], row["faulty"]),
                "campaign",
                row["file"],
                pathlib.Path(row["file"]).stem,
                row["text"],
                row["original"][:100],
                code(text),
                text.find(row["original"]),
                text.find(row["original"]) + len(row["original"]),
            )
        )
        number += 1
    for module in modules:
        module.mutants = [mutant for mutant in module.mutants if id(mutant) in chosen]
    changed = [module for module in modules if module.mutants or any(row["file"] == module.path for row in rows)]
    return [Module(module, [row for row in rows if row["file"] == module.path]) for module in changed], found


def build(jobs):
    """The tree with the model and the unit tests that hold all: its path, and its faults."""
    room = ROOM / "tree"
    modules, found = draw()
    ROOM.mkdir(parents=True, exist_ok=True)
    model, _ = core_model.build(modules, ROOM, noting=False, chooser=CHOOSER)
    room.mkdir(parents=True, exist_ok=True)
    trees.copy_files(room, {})
    trees.link_build(room, own=(MODEL,))
    (room / "build/bin").mkdir(parents=True, exist_ok=True)
    if trees.newer(ROOT / "build/bin/tipoff", room / "build/bin/tipoff"):
        shutil.copy2(ROOT / "build/bin/tipoff", room / "build/bin/tipoff")  # not a link: it looks for its models beside the file that it really is
    trees.link(room / f"build/{MODEL}/model.so", model)
    return room, found
