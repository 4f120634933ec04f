#!/usr/bin/env python3
"""Mutation testing of the whole core: does a unit test, or a program in lockstep, see each small fault of its modules?

    scripts/mutate/core.py [--sample N] [--seed S] [--benches] [--effort CYCLES] [--prove] [--jobs N] [--record]
    scripts/mutate/core.py --only K             reruns mutant K alone and shows what it changes
    scripts/mutate/core.py --list               the mutants, nothing is run

Of all places that can be changed (scripts/mutate/mutants.py) in fetch, decode, rename, dispatch, issue, execute, lsu, mmu,
csr and commit, more than 2,000 are drawn, the same each time, from each module its share (core_draw.py); the profiling units are
mutate.py's. First come the unit tests of the modules (core_benches.py); --benches leaves it at that.
Then programs: one small2 model is built with all mutants, chosen by a number when it starts, and a second one that notes
which of them make a difference where they stand: a mutant that does so in no program is not reached, or is none. Of the
programs (ISA tests and random ones of every kind, those that test its folder first) a mutant that lives runs those where it
makes one, in lockstep, with the cross-check and the assertions, until one fails or hangs, or --effort is spent. One that changes
cycles alone has changed speed, not results (predictors, caches' replacement, queues' order); one that does not even do that
cannot be seen, or not by these programs. With --prove the proofs of core_equal.py find those that are the original in
other words; they are no faults, and the share killed is that of the rest.
Verdicts are kept in build/mutate-core with what they were said of: a run that was ended goes on where it was,
and one with more effort goes on with the survivors. The result goes to result.txt beside them.
--sample draws that many of the mutants; --record writes the result to docs/results/mutants.md. Status 1 if the share killed is below the goal.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import signal
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts/mutate"), str(ROOT / "scripts/formal")]
import core_benches  # noqa: E402
import core_equal  # noqa: E402
from core_draw import draw  # noqa: E402
from core_model import build  # noqa: E402
from core_report import GOAL, Verdicts, record, report  # noqa: E402
from benches import run  # noqa: E402
from places import place, show  # noqa: E402

ROOM = ROOT / "build/mutate-core"
GUARD = ["prlimit", "--cpu=120:130"]  # of processor time, not of the clock: a busy machine must not kill mutants. Runs end by their cycles
EFFORT = 10**7
CYCLES = 3  # times as many as without a mutant, then a run has hung
RANDOM = [(kind, seed) for seed in range(1, 9) for kind in ("seed", "vm", "fp", "fpvm", "pmu", "pmuvm", "float")]
SHORT = [
    "vm_order",
    "plic",
    "clint",
    "interrupts",
    "lcofi_s",
    "counters",
    "csr_values",
    "trap_state",
    "user_mode",
    "compressed",
    "fetch",
    "fence_i",
    "illegal",
    "wfi",
    "fp_state",
    "lr_d",
    "sc_w",
    "fmv_x_w",
    "jalr",
    "prefetch_w",
    "lb",
    "sh",
]
VM = [
    "vm_traps",
    "vm_straddle",
    "vm_delegate",
    "vm_svade",
    "vm_sc",
    "vm_sfence",
    "vm_asid",
    "vm_mprv",
    "vm_interrupts",
    "vm_access",
    "vm_translate",
    "vm_fault",
    "vm_sum_mxr",
    "pmp",
]
INTEGER = ["div", "divw", "rem", "remuw", "mulh", "mulhsu", "mulw", "sra", "sraw"]
FP = [
    "fclass_s",
    "fcvt_wu_s",
    "fcvt_l_d",
    "fcvt_d_s",
    "fcvt_s_d",
    "fsqrt_d",
    "fsqrt_s",
    "fmin_s",
    "fsgnjx_s",
    "feq_d",
    "fmadd_d",
    "fmadd_s",
    "fmax_d",
    "fdiv_s",
    "fdiv_d",
]
AMO = ["amomin_w", "amomaxu_d"]
ISA = SHORT + VM + INTEGER + FP + AMO
WORKLOADS = ["crc", "sort"]  # of size small
# What tests a folder, before the rest; the longest, 40 % of all cycles, are for those folders alone.
FIRST = {
    "fetch": ["vm_straddle", "vm_sfence", "vm_fault", *WORKLOADS],
    "decode": [*FP[:5], *INTEGER[:5]],
    "rename": WORKLOADS,
    "dispatch": WORKLOADS,
    "issue": [*INTEGER[:5], "fsqrt_d", *AMO, "fmadd_d", "fdiv_s"],
    "execute": [*INTEGER, *FP],
    "lsu": [*AMO, "vm_sc", "vm_svade", "vm_straddle", "vm_access", "vm_fault"],
    "mmu": VM,
    "csr": VM,
    "commit": ["vm_traps", "vm_delegate", "vm_interrupts", *AMO],
}
LONGEST = ["pmp", "fdiv_d", "fdiv_s", "vm_sum_mxr", "vm_fault", "vm_access", "vm_interrupts", "vm_mprv"]


def programs():
    """Arguments after the model, by name."""
    sampled = ["--period", "31", "--jitter=2"]
    found = {f"{kind}-{seed}": ["--seed", str(seed), "--input", "tests/fuzz/fuzz.py", *sampled, f"build/tests/fuzz/{kind}-{seed}.elf"] for kind, seed in RANDOM}
    found |= {name: [f"build/tests/isa/{name}.elf"] for name in ISA}
    return found | {name: [*sampled, f"build/workloads/{name}.small.elf"] for name in WORKLOADS}


def order(folder):
    """Names of the programs in the order in which a mutant of that folder runs them: short and varied first."""
    seeds = [f"{kind}-{seed}" for kind, seed in RANDOM]
    names = [*SHORT, *seeds[:6], *FIRST[folder], *seeds[6:], *(name for name in [*ISA, *WORKLOADS] if name not in LONGEST)]
    return list(dict.fromkeys(names))


def executed(model, arguments, number=0, **environment):
    """Runs a program with a mutant, 0 for none: what the command says, its status, and the cycles that it took (None: it had no end)."""
    with tempfile.NamedTemporaryFile(dir=ROOM, suffix=".json") as stats:
        done = run(
            [*GUARD, "build/bin/tipoff", "run", "--config", "small2", "--model", str(model), "--quiet", "--stats", stats.name, *arguments],
            env=dict(os.environ, MUTANT=str(number), **environment),
            errors="replace",
        )
        text = pathlib.Path(stats.name).read_text()
    return done.stdout, done.returncode, json.loads(text)["cycles"] if text else None


def what_was_seen(name, text, status):
    if status < 0 and -status in (signal.SIGTERM, signal.SIGSTOP, signal.SIGINT):
        raise SystemExit(f"core.py: {name} was ended from outside: run again")
    for what in ("lockstep", "cross-check", "the sample unit"):
        if what + ":" in text:
            return what
    if "Assertion" in text or "assertion" in text or "%Error" in text:
        return "assertion"
    return "cycles ran out" if status == 124 else "processor time ran out" if status == -signal.SIGXCPU else f"status {status}"


# Programs by name, cycles of each without a mutant, the numbers of those that each would have met, and at how many cycles of programs to stop.
Bench = collections.namedtuple("Bench", "model programs right reached effort")
UNTRIED = ("unreached", "", "makes no difference where it stands", 0)


def read_verdicts(path, digest):
    """The last of each mutant, of this digest of model and programs."""
    found = {}
    for line in path.read_text().splitlines():
        stamp, number, *verdict, spent = line.split("\t")
        if stamp == digest:
            found[int(number)] = (*verdict, int(spent))
    return found


def judge(bench, module, number, before):
    """(verdict, program, what was seen, cycles of the programs so far) of a mutant that has run programs of the cycles in `before`."""
    verdict, spent = before[:3], 0
    for name in order(module.path.split("/")[1]):
        if spent >= bench.effort:
            break
        spent += bench.right[name]
        if spent <= before[3] or number not in bench.reached[name]:
            continue
        text, status, cycles = executed(bench.model, ["--max-cycles", str(CYCLES * bench.right[name]), *bench.programs[name]], number)
        if status:
            return "killed", name, what_was_seen(name, text, status), spent
        if cycles != bench.right[name]:
            verdict = ("speed", name, "only cycles differ")
        elif verdict[0] == "unreached":
            verdict = ("silent", name, "no difference")
    return *verdict, max(spent, before[3])


def kept(path, digest, make):
    """What make() returned when it was last called for this digest of model and programs, from that file."""
    if path.exists() and (old := json.loads(path.read_text()))["of"] == digest:
        return old["programs"]
    found = make()
    path.write_text(json.dumps({"of": digest, "programs": found}))
    return found


def without_mutants(model, everything):
    """Cycles of each program."""
    right = {}
    for name, arguments in everything.items():
        text, status, right[name] = executed(model, arguments)
        if status:
            raise SystemExit(f"core.py: without a mutant, {name} fails:\n{text}")
    return right


def reached_by(noting, everything):
    """The numbers of the mutants that make a difference where they stand, by program."""
    found, path = {}, ROOM / "notes.txt"
    for name, arguments in everything.items():
        path.unlink(missing_ok=True)
        text, status, _ = executed(noting, arguments, MUTANT_NOTES=str(path))
        if status:
            raise SystemExit(f"core.py: with notes taken, {name} fails:\n{text}")
        found[name] = [int(line) for line in path.read_text().split()]
    return found


def run_programs(found, chosen, benches, options):
    """Verdicts of the programs: of what no unit test kills, and what they have said before of the rest."""
    model, digest = build(found, ROOM, noting=False)
    noting, notes_digest = build(found, ROOM / "noting", noting=True)
    every_program = programs()
    if run(["make", "-s", "-j2", "build/bin/tipoff", *(arguments[-1] for arguments in every_program.values())]).returncode:
        raise SystemExit("core.py: the programs do not build: make build, and see")
    texts = hashlib.sha256(b"".join((ROOT / arguments[-1]).read_bytes() for arguments in every_program.values())).hexdigest()[:16]
    digest, notes_digest = f"{digest}-{texts}", f"{notes_digest}-{texts}"
    right = kept(ROOM / "cycles.json", digest, lambda: without_mutants(model, every_program))
    reached = kept(ROOM / "notes.json", notes_digest, lambda: reached_by(noting, every_program))
    bench = Bench(model, every_program, right, {name: set(numbers) for name, numbers in reached.items()}, options.effort)
    verdicts, book = {mutant.number: UNTRIED for _, mutant in chosen}, ROOM / "verdicts.tsv"
    if book.exists() and options.only is None:
        verdicts |= read_verdicts(book, digest)
    todo = [
        (module, mutant.number)
        for module, mutant in chosen
        if mutant.number not in benches and (old := verdicts[mutant.number])[0] != "killed" and old[3] < options.effort
    ]
    last = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, book.open("a") as file:
        for done, ((_, number), verdict) in enumerate(zip(todo, pool.map(lambda which: judge(bench, *which, verdicts[which[1]]), todo)), 1):
            verdicts[number] = verdict
            file.write("\t".join([digest, str(number), *map(str, verdict)]) + "\n")
            file.flush()
            if time.monotonic() - last > 30:
                last = time.monotonic()
                print(f"  programs: {done} of {len(todo)}, {sum(verdicts[which][0] == 'killed' for _, which in todo)} killed", flush=True)
    return verdicts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", type=int, metavar="K", help="rerun mutant K and show its change")
    parser.add_argument("--sample", type=int, metavar="N", help="N of the mutants instead of all")
    parser.add_argument("--seed", type=int, default=1, help="of that sample (default 1)")
    parser.add_argument(
        "--effort",
        type=int,
        default=EFFORT,
        metavar="CYCLES",
        help="a mutant that survives programs of CYCLES cycles has survived; with more, those that have go on (default %(default)s: all)",
    )
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--benches", action="store_true", help="the unit tests alone, no programs")
    parser.add_argument("--prove", action="store_true", help="put what lives to the proofs of equality with the original that have not been tried")
    parser.add_argument("--record", action="store_true", help="write docs/results/mutants.md")
    parser.add_argument("--list", action="store_true", help="print the mutants, run nothing")
    options = parser.parse_args()
    started = time.monotonic()
    found, everything = draw()
    chosen = [(module, mutant) for module in found for mutant in module.mutants if options.only in (None, mutant.number)]
    if not chosen:
        raise SystemExit("core.py: no such mutant: --list prints them")
    if options.sample and options.sample < len(chosen):
        print(f"sample of {options.sample} of {len(chosen)} mutants, seed {options.seed}")
        chosen = random.Random(options.seed).sample(chosen, options.sample)
    if options.list:
        for module, mutant in chosen:
            print(f"{mutant.number:>5}  {'  '.join(place(module, mutant))}")
        return 0
    if options.only is not None:
        show(*chosen[0])
    ROOM.mkdir(parents=True, exist_ok=True)
    benches = core_benches.judge(found, chosen, options.jobs, again=options.only is not None)
    verdicts = {mutant.number: UNTRIED for _, mutant in chosen} if options.benches else run_programs(found, chosen, benches, options)
    alive = [(module, mutant) for module, mutant in chosen if mutant.number not in benches and verdicts[mutant.number][0] not in ("killed", "speed")]
    equal = core_equal.judge(alive, options.prove)
    share, text = report(found, everything, chosen, Verdicts(verdicts, benches, equal), None if options.benches else options.effort, time.monotonic() - started)
    if options.record:
        core_equal.record(found)
        record(text, options)
    return 1 if share < GOAL and options.only is None else 0


if __name__ == "__main__":
    sys.exit(main())
