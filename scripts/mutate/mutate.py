#!/usr/bin/env python3
"""Mutation testing of the profiling units, the ROB's head logic and what keeps harts coherent: does a test or a proof see each small fault?

    scripts/mutate/mutate.py [--sample N] [--module NAME]... [--jobs N] [--no-proofs | --prove]
    scripts/mutate/mutate.py --only K           reruns mutant K alone and shows what it changes
    scripts/mutate/mutate.py --list             all mutants, nothing is run

Every place of a module that can be changed (scripts/mutate/mutants.py) is a mutant; the list is the same each time. The
unit tests of the modules are built once with copies of the sources that hold all mutants, and run once a mutant until
one fails, the quickest first. Verdicts are kept as they come (build/mutate/verdicts.tsv): a run that is interrupted is
taken up again where it stood. What survives goes to the proofs of scripts/formal: a counterexample kills it, a proof by induction shows it
equivalent. What was shown so is kept in tests/mutate/proved with the digest of all that the proof depends on, and is
run and proved again when that changes, or with --prove. What is left must stand in tests/mutate/equivalent with the reason why nothing can see it.
Result: build/mutate/result.txt and result.json. Status 1 if a survivor is unexplained, a row of the table is idle, or
the share killed is below the goal.
"""
import argparse
import concurrent.futures
import hashlib
import json
import pathlib
import random
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts/mutate"), str(ROOT / "scripts/formal")]
import equivalence  # noqa: E402
import units  # noqa: E402
from benches import ROOM, Bench, build, run  # noqa: E402
from places import key, place, show  # noqa: E402

VERDICTS = ROOM / "verdicts.tsv"
UNCOMPARED = {
    "profileme",
    "profileme_select",
    "profileme_tag",
    "branch_history",
    "ctr",
    "ctr_transfers",
    "sample_reload",
    "csr_window",
    "vector_gate",
    "wide_counter",
    "hub",
    "hub_requests",
    "hub_transactions",
    "tile_port",
    "insn_peek",
    "load_order",
    "load_queue",
    "amo_ctrl",
    "dcache_snoop",
    "dcache_hold",
    "dcache_victim",
    "writeback_buffer",
    "mshr_file",
    "round_robin",
}  # the solver is not asked about these: what survives needs a reason
BENCHES = [
    "oir_update",
    "sample_select",
    "tip_unit",
    "tea_unit",
    "sample_delivery",
    "tip_csrs",
    "tip_csrs_wide8",
    "pmu",
    "pmu_wide8",
    "pmu_slots",
    "rob",
    "rob_tea4",
    "profile_top",
    "profile_top_tip2",
    "profile_top_odd3",
    "profile_top_tea4",
    "profileme",
    "profileme_full4",
    "branch_history",
    "ctr",
    "vector_gate",
    "wide_counter",
    "sample_reload",
    "hub",
    "round_robin",
    "tile_port",
    "load_queue",
    "amo_ctrl",
    "dcache_snoop",
    "dcache_hold",
    "dcache_victim",
    "writeback_buffer",
    "mshr_file",
]
OTHERS = [
    ("vector_gate", "small2"),
    ("writeback_buffer", "small2c"),
    ("mshr_file", "small2c"),
    ("load_queue", "small2r"),
]  # benches at another configuration than the first of theirs, where a module is something else
GOAL = 95.0  # percent of the mutants killed
SEED = 4  # of the sample


def test(module, mutant, benches):
    """Name of what kills it among the tests, or None."""
    for bench in sorted(benches, key=lambda bench: bench.seconds):
        if bench.covers(module) and bench.kills(mutant.number):
            return bench.name
    return None


class Verdicts:
    """What the tests said of each mutant, on disk as it comes. Holds for the sources and tests that it was said with."""

    def __init__(self, found, benches):
        self.stamps = {module: hashlib.sha256("".join(bench.digest for bench in benches if bench.covers(module)).encode()).hexdigest()[:16] for module in found}
        lines = [line.split("\t") for line in VERDICTS.read_text().splitlines()] if VERDICTS.exists() else []
        self.said = {(row[0], int(row[1])): row[2] or None for row in lines if len(row) == 3 and row[0] in self.stamps.values()}
        self.file = VERDICTS.open("a")

    def of(self, module, mutant, benches):
        which = (self.stamps[module], mutant.number)
        if which not in self.said:
            self.said[which] = test(module, mutant, benches)
            self.file.write(f"{which[0]}\t{which[1]}\t{self.said[which] or ''}\n")
            self.file.flush()
        return self.said[which]


def report(found, chosen, verdicts, started):
    """Text and JSON; the number of faults in the result."""
    table = units.read_table()
    lines, rows, faults = [], [], 0
    count = {"killed": 0, "equivalent": 0, "listed": 0, "survived": 0}
    by = {}
    used = set()
    for module, mutant in chosen:
        verdict, who = verdicts[mutant.number]
        if verdict == "survived" and key(module, mutant) in table:
            verdict, who = "listed", table[key(module, mutant)]
            used.add(key(module, mutant))
        count[verdict] += 1
        if verdict == "killed":
            by[who] = by.get(who, 0) + 1
        where, original, text, what = place(module, mutant)
        rows.append({"number": mutant.number, "place": where, "original": original, "mutated": text, "what": what, "verdict": verdict, "by": who})
        if verdict != "killed":
            lines.append(f"{verdict:<10} {mutant.number:>5}  {where}  {what}: {original}  =>  {text}" + (f"   ({who})" if who else ""))
        if verdict == "survived":
            lines.append("           table row: " + "\t".join(key(module, mutant)) + "\t")
    faults += count["survived"]
    everything = len(chosen) == sum(len(module.mutants) for module in found)
    if everything:
        for idle in sorted(set(table) - used):
            lines.append(f"idle row in {units.TABLE.relative_to(ROOT)}: " + " | ".join(idle))
            faults += 1
    lines.append("")
    for module in found:
        mine = [verdicts[mutant.number][0] for m, mutant in chosen if m is module]
        if mine:
            lines.append(f"  {module.path:<32} {len(mine):>5} mutants {mine.count('killed'):>5} killed")
    lines.append("  killed by " + ", ".join(f"{name} {n}" for name, n in sorted(by.items(), key=lambda item: -item[1])))
    total = len(chosen)
    share, able = 100 * count["killed"] / total, total - count["equivalent"] - count["listed"]
    lines.append(
        f"{total} mutants, {count['killed']} killed ({share:.2f} %), {count['equivalent']} equivalent by proof, {count['listed']} equivalent by the table's reason, "
        f"{count['survived']} survived; of those that can be seen {100 * count['killed'] / max(able, 1):.2f} % killed; {time.monotonic() - started:.0f} s"
    )
    if everything and share < GOAL:
        lines.append(f"below the goal of {GOAL:.0f} %")
        faults += 1
    print("\n".join(lines))
    (ROOM / "result.txt").write_text("\n".join(lines) + "\n")
    (ROOM / "result.json").write_text(
        json.dumps(
            {
                "mutants": total,
                "killed": count["killed"],
                "equivalent": count["equivalent"],
                "listed": count["listed"],
                "survived": count["survived"],
                "share_killed": round(share, 2),
                "killed_by": by,
                "results": rows,
            },
            indent=1,
        )
        + "\n"
    )
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", type=int, metavar="K", help="rerun mutant K and show its change")
    parser.add_argument("--sample", type=int, metavar="N", help=f"N mutants drawn with seed {SEED} instead of all")
    parser.add_argument("--module", action="append", metavar="NAME", help="mutants of this module alone; may be repeated")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--no-proofs", action="store_true", help="tests alone: what survives is not put to the proofs")
    parser.add_argument("--prove", action="store_true", help="prove all survivors again")
    parser.add_argument("--list", action="store_true", help="print the mutants, run nothing")
    options = parser.parse_args()
    started = time.monotonic()
    if run(["make", "-s", "gen"]).returncode:
        raise SystemExit("mutate.py: make gen fails: mend that first")
    found = units.modules()
    chosen = [(module, mutant) for module in found for mutant in module.mutants if not options.module or pathlib.Path(module.path).stem in options.module]
    if options.only is not None:
        chosen = [(module, mutant) for module, mutant in chosen if mutant.number == options.only]
    if not chosen:
        raise SystemExit("mutate.py: no such mutant or module: --list prints them")
    if options.sample and options.sample < len(chosen):
        print(f"sample of {options.sample} of {len(chosen)} mutants, seed {SEED}")
        chosen = sorted(random.Random(SEED).sample(chosen, options.sample), key=lambda pair: pair[1].number)
    if options.list:
        for module, mutant in chosen:
            print(f"{mutant.number:>5}  {'  '.join(place(module, mutant))}")
        return 0
    if options.only is not None:
        show(*chosen[0])

    every = [*map(Bench, BENCHES), *(Bench(name, config=config) for name, config in OTHERS)]
    benches = [bench for bench in every if any(bench.covers(module) for module, _ in chosen)]
    build(found, benches)
    proved, last = units.read_proved(), time.monotonic()
    verdicts = {mutant.number: ("equivalent", proved[key(module, mutant)]) for module, mutant in chosen if key(module, mutant) in proved and not options.prove}
    tested = [(module, mutant) for module, mutant in chosen if mutant.number not in verdicts]
    said = Verdicts(found, benches)
    if options.only is not None:
        said.said.clear()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (module, mutant), who in zip(tested, pool.map(lambda pair: said.of(*pair, benches), tested)):
            verdicts[mutant.number] = ("killed", who) if who else ("survived", "")
            if time.monotonic() - last > 10:
                last = time.monotonic()
                print(f"  {len(verdicts)} of {len(chosen)}, {sum(v == 'survived' for v, _ in verdicts.values())} alive", flush=True)
    if not options.no_proofs:
        alive = [(module, mutant) for module, mutant in chosen if verdicts[mutant.number][0] == "survived"]
        for done, (module, mutant) in enumerate(alive, 1):
            if key(module, mutant) in units.read_table() or pathlib.Path(module.path).stem in UNCOMPARED:
                continue
            verdicts[mutant.number] = equivalence.judge(module, mutant)
            if verdicts[mutant.number][0] == "equivalent":
                proved[key(module, mutant)] = verdicts[mutant.number][1]
                units.write_proved(proved)
            print(
                f"  proof {done} of {len(alive)}: mutant {mutant.number}, {pathlib.Path(module.path).stem}: {' by '.join(filter(None, verdicts[mutant.number]))}",
                flush=True,
            )
    return 1 if report(found, chosen, verdicts, started) and options.only is None else 0


if __name__ == "__main__":
    sys.exit(main())
