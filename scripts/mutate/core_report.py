"""What core.py prints of its verdicts, and what it records in docs/results/mutants.md."""
import collections
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts/mutate"), str(ROOT / "scripts")]
import page_head  # noqa: E402
from core_draw import FOLDERS  # noqa: E402
from places import place  # noqa: E402

ROOM = ROOT / "build/mutate-core"
GOAL = 90.0  # percent of the mutants killed
KINDS = {"equal": "equal by proof", "speed": "change speed alone", "silent": "no difference", "unreached": "not reached", "alive": "not killed by unit tests"}
RANDOM = ("seed", "vm", "fp", "fpvm", "pmu", "pmuvm", "float")


# What programs say, by number: (verdict, program, what was seen, cycles); what unit tests kill: (test, what was seen); which are proved equal.
Verdicts = collections.namedtuple("Verdicts", "programs benches equal")


def kind_of(program):
    """Kind of a random program, which its seed follows; what others are: ISA tests and workloads."""
    kind, dash, seed = program.rpartition("-")
    return f"random {kind}" if dash and seed.isdigit() and kind in RANDOM else "ISA tests and workloads"


def listed(by):
    return ", ".join(f"{name} {n}" for name, n in by.most_common())


def report(found, everything, chosen, verdicts, effort, seconds):
    """The share killed of those not proved equal, and the text: of each mutant that lives a line, then the sums. effort: None where no program was run."""
    lines, counts, by_bench, by_program, seen = (
        [],
        {folder: collections.Counter() for folder in FOLDERS},
        collections.Counter(),
        collections.Counter(),
        collections.Counter(),
    )
    for module, mutant in chosen:
        verdict, program, what, _ = verdicts.programs[mutant.number]
        count = counts[module.path.split("/")[1]]
        if verdict == "killed":
            by_program[kind_of(program)] += 1
            seen[what] += 1
            count["programs"] += 1
        if mutant.number in verdicts.benches:
            by_bench[verdicts.benches[mutant.number][0]] += 1
            seen[f"unit test: {verdicts.benches[mutant.number][1]}"] += 1
            count["benches"] += 1
        if verdict == "killed" or mutant.number in verdicts.benches:
            count["killed"] += 1
            continue
        verdict = "equal" if mutant.number in verdicts.equal else verdict if effort else "alive"
        count[verdict] += 1
        where, original, text, how = place(module, mutant)
        lines.append(f"{verdict:<9} {mutant.number:>5}  {where}  {how}: {original[:90]}  =>  {text[:90]}")
    lines.append("")
    total = sum(counts.values(), collections.Counter())
    for name, count in [*((f"rtl/{folder}", counts[folder]) for folder in FOLDERS), ("all", total)]:
        number = sum(count[what] for what in ("killed", *KINDS))
        if number:
            rest = ",".join(f" {count[what]:>4} {text}" for what, text in KINDS.items() if count[what])
            lines.append(
                f"  {name:<12} {number:>5} mutants {count['killed']:>5} killed ({100 * count['killed'] / number:5.1f} %): {count['benches']:>5} by unit tests, {count['programs']:>5} by programs;{rest}"
            )
    lines.append(f"  unit tests: {listed(by_bench)}")
    lines.append(f"  programs: {listed(by_program)}")
    lines.append(f"  seen by: {listed(seen)}")
    made, able = sum(len(module.mutants) for module in found), max(len(chosen) - total["equal"], 1)
    share = 100 * total["killed"] / able  # what is no fault cannot be killed
    ran = "no program was run" if effort is None else f"what unit tests do not kill ran programs of {effort:,} cycles, or all"
    lines.append(
        f"{len(chosen)} mutants run of {made} made of all {everything}; {total['killed']} killed ({100 * total['killed'] / len(chosen):.1f} %), {total['equal']} equal to the original by proof, of the rest {share:.1f} % killed; {ran}; {seconds:.0f} s"
    )
    text = "\n".join(lines) + "\n"
    print(text, end="")
    (ROOM / "result.txt").write_text(text)
    return share, text


def record(text, options):
    which = (f"--sample {options.sample} --seed {options.seed}" if options.sample else "all that are made") + (
        ", --benches" if options.benches else f", --effort {options.effort}"
    )
    page_head.write(
        ROOT / "docs/results/mutants.md",
        f"# Mutants of the core\n\nRun: {which}. The header of the command says how it is done. Goal: {GOAL:.0f} % killed. What was not\n"
        "killed, with its number for `--only`, then the sums:\n\n```\n" + text + "```\n",
        "scripts/mutate/core.py --record",
    )
