#!/usr/bin/env python3
"""Mutation testing of the whole core: does a program in lockstep see each small fault of its modules?

    scripts/mutate/core.py [--sample N] [--seed S] [--effort CYCLES] [--jobs N] [--record]
    scripts/mutate/core.py --only K             reruns mutant K alone and shows what it changes
    scripts/mutate/core.py --list               the mutants, nothing is run

Of all places that can be changed (scripts/mutate/mutants.py) in fetch, decode, rename, dispatch, issue, execute, lsu, mmu,
csr and commit, MADE are drawn, the same each time, from each module as many as its share; the profiling units are
mutate.py's. One small2 model is built with all of them, chosen by a number when it starts, and a second one that notes
which of them make a difference where they stand: a mutant that does so in no program is not reached, or is none. Of the
programs (ISA tests and random ones of every kind, those that test its folder first) a mutant runs those where it makes one,
in lockstep, with the cross-check and the assertions, until one fails or hangs, or --effort is spent. One that changes
cycles alone has changed speed, not results (predictors, caches' replacement, queues' order); one that does not even do that
cannot be seen, or not by these programs.
Verdicts are kept in build/mutate-core/verdicts.tsv with what they were said of: a run that was ended goes on where it was,
and one with more effort goes on with the survivors. The result goes to result.txt beside it.
--sample draws so many of the MADE; --record writes the result to docs/mutants.md. Status 1 if the share killed is below the goal.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import re
import signal
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts/mutate"), str(ROOT / "scripts/formal")]
from core_model import build  # noqa: E402
from mutants import Module  # noqa: E402
from mutate import fields_of_records, place, run, show  # noqa: E402

ROOM = ROOT / "build/mutate-core"
FOLDERS = ["fetch", "decode", "rename", "dispatch", "issue", "execute", "lsu", "mmu", "csr", "commit"]
MADE, DRAW = 2450, 5  # mutants in the model, and the seed that draws them
GOAL = 90.0      # percent of the mutants killed
GUARD = ["prlimit", "--cpu=120:130"]  # of processor time, not of the clock: a busy machine must not kill mutants. Runs end by their cycles
EFFORT = 10 ** 7
CYCLES = 3  # times as many as without a mutant, then a run has hung
RANDOM = [(kind, seed) for seed in range(1, 9) for kind in ("seed", "vm", "fp", "fpvm", "pmu", "pmuvm", "float")]
SHORT = ["vm_order", "plic", "clint", "interrupts", "lcofi_s", "counters", "csr_values", "trap_state", "user_mode", "compressed", "fetch", "fence_i", "illegal", "wfi", "fp_state", "lr_d", "sc_w",
         "fmv_x_w", "jalr", "prefetch_w", "lb", "sh"]
VM = ["vm_traps", "vm_straddle", "vm_delegate", "vm_svade", "vm_sc", "vm_sfence", "vm_mprv", "vm_interrupts", "vm_access", "vm_translate", "vm_fault", "vm_sum_mxr", "pmp"]
INTEGER = ["div", "divw", "rem", "remuw", "mulh", "mulhsu", "mulw", "sra", "sraw"]
FP = ["fclass_s", "fcvt_wu_s", "fcvt_l_d", "fcvt_d_s", "fcvt_s_d", "fsqrt_d", "fsqrt_s", "fmin_s", "fsgnjx_s", "feq_d", "fmadd_d", "fmadd_s", "fmax_d", "fdiv_s", "fdiv_d"]
AMO = ["amomin_w", "amomaxu_d"]
ISA = SHORT + VM + INTEGER + FP + AMO
WORKLOADS = ["crc", "sort"]  # of size small
# What tests a folder, before the rest; the longest, 40 % of all cycles, are for those folders alone.
FIRST = {"fetch": ["vm_straddle", "vm_sfence", "vm_fault", *WORKLOADS], "decode": [*FP[:5], *INTEGER[:5]], "rename": WORKLOADS, "dispatch": WORKLOADS, "issue": [*INTEGER[:5], "fsqrt_d", *AMO, "fmadd_d", "fdiv_s"],
         "execute": [*INTEGER, *FP], "lsu": [*AMO, "vm_sc", "vm_svade", "vm_straddle", "vm_access", "vm_fault"], "mmu": VM, "csr": VM, "commit": ["vm_traps", "vm_delegate", "vm_interrupts", *AMO]}
LONGEST = ["pmp", "fdiv_d", "fdiv_s", "vm_sum_mxr", "vm_fault", "vm_access", "vm_interrupts", "vm_mprv"]


def all_modules():
    paths = sorted(p for folder in FOLDERS for p in (ROOT / "rtl" / folder).glob("*.sv") if not p.name.endswith("_pkg.sv"))
    return [Module(str(p.relative_to(ROOT)), p.read_text(), fields_of_records(), whole=False) for p in paths]


class Choices:
    """Which mutants can be one side of a choice in a module's copy without changing what the other side means."""

    def __init__(self, module):
        self.module = module
        self.arrays = set(re.findall(r"\b(\w+) \[[^\]]+\]\s*[,;)]", module.text))
        signed = {name for names in re.findall(r"\bsigned \[[^\]]*\]\s*([\w, ]+)", module.text) for name in names.replace(" ", "").split(",")}
        self.signed = re.compile("|".join([r"\$signed", ">>>", r"'sd", *(rf"\b{name}\b" for name in sorted(signed))]))

    def allows(self, mutant):
        """Not with an assignment pattern or a whole array, nor how often something is repeated: Verilator refuses them; nor in a
        statement with signed numbers, which a choice would make unsigned."""
        module = self.module
        original = module.text[mutant.start:mutant.end]
        return ("'{" not in mutant.text + original and module.text[mutant.end] != "{" and not self.signed.search(module.statement_of(mutant))
                and not self.arrays & set(re.findall(r"\b(\w+)\b(?!\s*\[)", original)))


def draw():
    """The modules, each with its share of MADE mutants, numbered; and how many there are in all."""
    found, dice = all_modules(), random.Random(DRAW)
    everything, number = sum(len(module.mutants) for module in found), 1
    for module in found:
        choices = Choices(module)
        module.mutants = [m for m in module.mutants if choices.allows(m)]
        share = max(min(8, len(module.mutants)), round(MADE * len(module.mutants) / everything))
        module.mutants = sorted(dice.sample(module.mutants, share), key=lambda m: (m.start, m.end, m.text))
        number = module.number_from(number)
    return found, everything


def programs():
    """Arguments behind the model, by name."""
    sampled = ["--period", "31", "--jitter"]
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
        done = run([*GUARD, "build/bin/tipoff", "run", "--config", "small2", "--model", str(model), "--quiet", "--stats", stats.name, *arguments],
                   env=dict(os.environ, MUTANT=str(number), **environment), errors="replace")
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
    """(verdict, program, what was seen, cycles of the programs so far) of a mutant that has run programs of so many cycles as `before` says."""
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
        text, status, _ = executed(noting, arguments, MUTANT_NOTES=str(path))
        if status:
            raise SystemExit(f"core.py: with notes taken, {name} fails:\n{text}")
        found[name] = [int(line) for line in path.read_text().split()]
    return found


def report(found, everything, chosen, verdicts, effort, seconds):
    lines, count, by, seen = [], {"killed": 0, "speed": 0, "silent": 0, "unreached": 0}, {}, {}
    for module, mutant in chosen:
        verdict, name, what, _ = verdicts[mutant.number]
        count[verdict] += 1
        if verdict == "killed":
            kind = name.rstrip("0123456789").rstrip("-") if name[-1].isdigit() else "ISA tests" if name in ISA else "workloads"
            by[kind] = by.get(kind, 0) + 1
            seen[what] = seen.get(what, 0) + 1
        else:
            where, original, text, how = place(module, mutant)
            lines.append(f"{verdict:<9} {mutant.number:>5}  {where}  {how}: {original[:90]}  =>  {text[:90]}")
    lines.append("")
    for folder in FOLDERS:
        mine = [verdicts[mutant.number][0] for module, mutant in chosen if module.path.split("/")[1] == folder]
        if mine:
            lines.append(f"  rtl/{folder:<9} {len(mine):>5} mutants {mine.count('killed'):>5} killed {mine.count('speed'):>5} change speed alone {mine.count('silent'):>5} no difference {mine.count('unreached'):>5} not reached")
    for title, table in (("killed by", by), ("seen by", seen)):
        lines.append(f"  {title} " + ", ".join(f"{name} {n}" for name, n in sorted(table.items(), key=lambda item: -item[1])))
    total, made = len(chosen), sum(len(module.mutants) for module in found)
    share = 100 * count["killed"] / total
    lines.append(f"{total} mutants run of {made} made of {everything} that there are; {count['killed']} killed ({share:.1f} %), {count['speed']} change speed alone, {count['silent']} no difference, "
                 f"{count['unreached']} not reached; "
                 f"of those that change results {100 * count['killed'] / max(total - count['speed'], 1):.1f} % at least; survivors ran programs of "
                 f"{effort:,} cycles, or all; {seconds:.0f} s")
    text = "\n".join(lines) + "\n"
    print(text, end="")
    (ROOM / "result.txt").write_text(text)
    return share, text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", type=int, metavar="K", help="rerun mutant K and show its change")
    parser.add_argument("--sample", type=int, metavar="N", help="N of the mutants instead of all")
    parser.add_argument("--seed", type=int, default=1, help="of that sample (default 1)")
    parser.add_argument("--effort", type=int, default=EFFORT, metavar="CYCLES", help="a mutant that survives programs of so many cycles has survived; with more, those that have go on (default %(default)s: all)")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--record", action="store_true", help="write docs/mutants.md")
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
    todo = [(module, mutant.number) for module, mutant in chosen if (old := verdicts[mutant.number])[0] != "killed" and old[3] < options.effort]
    last = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, book.open("a") as file:
        for (_, number), verdict in zip(todo, pool.map(lambda which: judge(bench, *which, verdicts[which[1]]), todo)):
            verdicts[number] = verdict
            file.write("\t".join([digest, str(number), *map(str, verdict)]) + "\n")
            file.flush()
            if time.monotonic() - last > 30:
                last = time.monotonic()
                tried = [verdicts[mutant.number] for _, mutant in chosen]
                print(f"  {sum(verdict != UNTRIED for verdict in tried)} of {len(chosen)}, {sum(verdict[0] == 'killed' for verdict in tried)} killed", flush=True)
    share, text = report(found, everything, chosen, verdicts, options.effort, time.monotonic() - started)
    if options.record:
        commit = run(["git", "rev-parse", "--short", "HEAD"]).stdout.strip()
        which = (f"--sample {options.sample} --seed {options.seed}" if options.sample else "all that are made") + f", --effort {options.effort}"
        (ROOT / "docs/mutants.md").write_text(f"# Mutants of the core\n\nWritten by `scripts/mutate/core.py --record` at {commit} ({which}). Its header says how it is done. Goal: {GOAL:.0f} % killed. What was not\n"
                                              "killed, with its number for `--only`, then the sums:\n\n```\n" + text + "```\n")
    return 1 if share < GOAL and options.only is None else 0


if __name__ == "__main__":
    sys.exit(main())
