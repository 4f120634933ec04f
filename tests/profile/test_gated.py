#!/usr/bin/python3
"""Vectors that are kept only shortly before samples (profile.vector_window): the same cycles, the same samples, and a sample says `partial` just where it must.

    tests/profile/test_gated.py CONFIG PLAIN PROGRAM.elf...

CONFIG is PLAIN with the key. Both run each program, sampled by the harness, in lockstep. Cycles are the same; samples are the same in every field, but for the vectors
of partial ones, which have no event that PLAIN's have not. Who is partial is worked out from the trace of every cycle: where the sampled instruction, or the one that
is blamed for an empty ROB, was dispatched before the cycle in which the gate opens, which follows from the trigger's cycle. Drained ones never are.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "python"))
import tipoff  # noqa: E402

PERIOD = 1499
BEHIND = 4  # cycles from the count that is 2^window before the overflow to the first cycle that is kept: two to count, one to know it, one to open


def run(config, program, folder, *more):
    samples, statistics = f"{folder}/{config}.tips", f"{folder}/{config}.json"
    done = subprocess.run(
        [
            ROOT / "build/bin/tipoff",
            "run",
            "--config",
            config,
            "--quiet",
            "--period",
            str(PERIOD),
            "--jitter=none",
            "--samples",
            samples,
            "--stats",
            statistics,
            *more,
            program,
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise SystemExit(f"test_gated.py: {config}: {program}: exit status {done.returncode}: {done.stderr.strip().splitlines()[-1:]}")
    return tipoff.Samples(samples), json.loads(pathlib.Path(statistics).read_text())["cycles"], done.stdout


def blamed(trace, entries, cycles):
    """{cycle: cycle of the dispatch of its oldest instruction, and of the last that left before}, for those cycles."""
    dispatched, found, head, left = {}, {}, 0, None
    half = 1 << (entries - 1).bit_length()
    for now in tipoff.Trace(trace):
        for cycle in range(now.cycle, now.cycle + now.count):
            if cycle in cycles:
                found[cycle] = (None if now.rob_empty else dispatched[head], left)
        tail = now.dispatch_rob // half * entries + now.dispatch_rob % half
        for lane in range(sum(now.commit)):
            left, head = dispatched[head], (head + 1) % (2 * entries)
        if now.exception:
            left = dispatched[head]
        for lane in range(sum(now.dispatch_valid)):
            dispatched[(tail + lane) % (2 * entries)] = now.cycle
    return found


def strip(sample):
    """All of a sample but its vectors and whether they are whole."""
    return sample._replace(partial=False, lanes=[(lane.address, lane.stack) for lane in sample.lanes])


def compared(config, plain, program, folder):
    """What a program shows: samples, partial ones, and what is wrong."""
    keys = json.loads((ROOT / f"build/{config}/gen/config.json").read_text())
    (ours, cycles, said), (theirs, plain_cycles, plain_said) = run(config, program, folder, "--trace", f"{folder}/trace"), run(plain, program, folder)
    wrong = []
    if (cycles, said) != (plain_cycles, plain_said):
        wrong.append(f"{cycles} cycles, {plain_cycles} without the key, or another console")
    if len(ours.samples) != len(theirs.samples):
        wrong.append(f"{len(ours.samples)} samples, {len(theirs.samples)} without the key")
    who = blamed(f"{folder}/trace", keys["core.rob_entries"], {sample.cycle for sample in ours.samples})
    for got, expected in zip(ours.samples, theirs.samples):
        events = [(set(a.events), set(b.events)) for a, b in zip(got.lanes, expected.lanes)]
        if strip(got) != strip(expected):
            wrong.append(f"cycle {got.cycle}: another sample")
        elif not all(a <= b if got.partial else a == b for a, b in events):
            wrong.append(f"cycle {got.cycle}: {'partial' if got.partial else 'whole'}, with {events}")
        oldest, last = who[got.cycle]
        came = {"Flushed": last, "Drained": None}.get(got.state, oldest)
        stale = came is not None and came < got.cycle + BEHIND - 2 ** keys["profile.vector_window"]
        if got.partial != stale:
            wrong.append(f"cycle {got.cycle}: {got.state}, dispatched in {came}: partial {got.partial}, expected {stale}")
    partial = [sample for sample in ours.samples if sample.partial]
    shown = subprocess.run([ROOT / "build/bin/tipoff", "report", "--stacks", f"{folder}/{config}.tips"], capture_output=True, text=True, check=True).stdout
    line = f"  {len(partial):,} of them may lack events"
    if (line in shown) != bool(partial) or ("lack events" in shown) != bool(partial):
        wrong.append(f"tipoff report --stacks does not say '{line}' of {len(partial)} partial samples")
    lacking = sum(any(a.events != b.events for a, b in zip(got.lanes, expected.lanes)) for got, expected in zip(ours.samples, theirs.samples))
    states = ", ".join(
        f"{sum(sample.state == state for sample in partial)} {state}"
        for state in ("Computing", "Stalled", "Flushed")
        if any(sample.state == state for sample in partial)
    )
    print(
        f"{pathlib.Path(program).stem}: {cycles:,} cycles, {len(ours.samples)} samples, {len(partial)} partial{f' ({states})' if states else ''}, {lacking} of them lack an event"
    )
    return wrong


def main():
    config, plain, *programs = sys.argv[1:]
    failed = 0
    for program in programs:
        with tempfile.TemporaryDirectory() as folder:
            wrong = compared(config, plain, program, folder)
        failed += bool(wrong)
        for line in wrong[:5]:
            print(f"  {line}")
    print(f"{len(programs) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
