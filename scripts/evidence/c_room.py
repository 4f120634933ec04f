"""The faults of the C side: a share of the mutants of each library, all in one command and one set of unit tests, chosen when they start."""
import hashlib
import json
import pathlib
import random
import re

import c_mutate
import second_tree as trees
from fault import Fault

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOM = ROOT / "build/evidence/c"
LIBRARIES = ["iss", "oracle", "report", "samples", "workers"]
EACH = 84  # faults of a library
MODEL = None  # the faults are in what runs every model
TITLE = "C: operators, constants, conditions and statements of " + ", ".join(LIBRARIES)
OWN = "csrc/base/" + "mutant.c"  # in the tree alone
LLVM = re.search(r"^(llvm-\d+)-dev\t", (ROOT / "scripts/deps.tsv").read_text(encoding="utf-8"), re.M)[1]  # as csrc/csrc.mk has it
FLAGS = f"-std=gnu17 -D_GNU_SOURCE -I. -Icsrc -Ibuild/gen -I/usr/lib/{LLVM}/include".split()
COMPILER = "#!/bin/sh\nexec clang \"$@\" -w -include '%s/mutant.h'\n"
ERROR = re.compile(r"^(csrc/[\w/.]+):(\d+):\d+: error:", re.M)


def everything(library):
    """All mutants of a library: those of its .c files and of the headers that only it has."""
    folder = f"csrc/{library}/"

    def wanted(path):
        full = (ROOT / path).resolve()
        name = str(full.relative_to(ROOT)) if full.is_relative_to(ROOT) else ""
        return name if name.startswith(folder) else None

    found = {}
    for path in sorted((ROOT / folder).glob("*.c")):
        found.update(c_mutate.Unit(path, [absolute(flag) for flag in FLAGS], wanted).found)
    return c_mutate.identify(found.values())


def absolute(flag):
    return f"-I{ROOT / flag[2:]}" if flag.startswith("-I") and not flag.startswith("-I/") else flag


def digest():
    """Of what the draw depends on."""
    paths = [*ROOT.glob("csrc/*/*.[ch]"), ROOT / "scripts/evidence/c_mutate.py"]
    return hashlib.sha256(b"\0".join([repr((LIBRARIES, EACH)).encode(), *(path.read_bytes() for path in sorted(paths))])).hexdigest()[:16]


def order(mutant):
    """The draw: by the id alone, so that others' mutants have no say in whether one is drawn."""
    return random.Random(mutant.id).random()


def draw(refused):
    """The mutants, numbered from 1: of each library those EACH that come first, without the ids that do not compile."""
    drawn = []
    for library in LIBRARIES:
        drawn += sorted((m for m in everything(library) if m.id not in refused), key=order)[:EACH]
    for number, mutant in enumerate(drawn, 1):
        mutant.number = number
    return drawn


def switched_files(mutants):
    by_file = {}
    for mutant in mutants:
        by_file.setdefault(mutant.path, []).append(mutant)
    return {path: c_mutate.switched((ROOT / path).read_bytes(), own) for path, own in by_file.items()}


def refused_by(output, mutants):
    """Ids of the mutants on the lines that the compiler refuses."""
    lines = {(path, int(line)) for path, line in ERROR.findall(output)}
    return {m.id for m in mutants if any(path == m.path and m.line <= line <= m.line + m.original.count("\n") for path, line in lines)}


def build(jobs):
    """The tree with all mutants built: its path, and its faults."""
    room, now = ROOM / "tree", digest()
    kept = ROOM / "drawn.json"
    old = json.loads(kept.read_text()) if kept.exists() else {}
    refused = set(old.get("refused", ()))
    if old.get("of") != now:
        while True:
            mutants = draw(refused)
            more = refused_by(compile_tree(room, mutants, jobs), mutants)
            if not more:
                break
            refused |= more
            print(f"  {len(more)} mutants do not compile: others take their place", flush=True)
        faults = [named(mutant) for mutant in mutants]
        kept.write_text(json.dumps({"of": now, "refused": sorted(refused), "faults": [fault._asdict() for fault in faults]}, indent=0))
        return room, faults
    faults = [Fault(**fault) for fault in old["faults"]]
    trees.copy_files(room, {}, keep={OWN, *(fault.path for fault in faults)})  # tests may be others
    trees.link_build(room)
    return room, faults


def named(mutant):
    original = " ".join(mutant.original.split())[:100]
    library = mutant.path.split("/")[1]
    return Fault(mutant.number, mutant.id, library, mutant.path, mutant.function, mutant.what, original, mutant.code, *mutant.place[1:])


def compile_tree(room, mutants, jobs):
    """What the compiler says of what it refuses; empty when all is built."""
    replaced = switched_files(mutants) | {OWN: c_mutate.DEFINITIONS.encode()}
    room.mkdir(parents=True, exist_ok=True)
    trees.copy_files(room, replaced)
    trees.link_build(room)
    trees.put(room.parent / "mutant.h", c_mutate.SWITCH.encode())
    trees.put(room.parent / "cc", (COMPILER % room.parent).encode())
    (room.parent / "cc").chmod(0o755)
    units = sorted(str(p.relative_to(ROOT / "tests/unit").with_suffix("")) for p in ROOT.glob("tests/unit/*/test_*.c"))
    targets = ["build/bin/tipoff", "build/tests/isa/qemu_compare", *(f"build/tests/unit/{unit}" for unit in units)]
    for each in (targets[:1], targets[1:]):
        status, output = trees.make(room, f"-j{jobs}", f"CC={room.parent}/cc", *each)
        if status and ERROR.search(output):
            return output
        if status:
            raise SystemExit(f"evidence: the C side does not build with its mutants ({room}):\n{output[-3000:]}")
    return ""
