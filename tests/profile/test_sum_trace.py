#!/usr/bin/env python3
"""sum_trace.py itself: the worked examples of docs/guide/profiling.md, whose sums are known, and faults that it has to see."""
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
IDLE = (0, 0, 0, 0, 0, 0)
NOBODY = ((0, 0),)


def head(pc, psv=0):
    return (1, 0, pc, 0, 0, psv)


def commit(pc, mispredict=0, flush=0, psv=0):
    return (1, 1, pc, mispredict, flush, psv)


def trace_text(cycles, width=2):
    """cycles: (lanes, dispatched pc or None, oldest, exception pc or None)."""
    lines = [
        "cycle,rob_empty,oldest,exception,exception_pc,"
        + ",".join(f"valid{i},commit{i},pc{i},mispredict{i},flush{i},psv{i}" for i in range(width))
        + ","
        + ",".join(f"dispatch_valid{i},dispatch_pc{i}" for i in range(width))
    ]
    for number, (lanes, dispatched, oldest, exception) in enumerate(cycles):
        lanes = list(lanes) + [IDLE] * (width - len(lanes))
        fields = [number, int(not any(lane[0] for lane in lanes)), oldest, int(exception is not None), hex(exception or 0)]
        for valid, commits, pc, mispredict, flush, psv in lanes:
            fields += [valid, commits, hex(pc), mispredict, flush, psv]
        fields += [int(dispatched is not None), hex(dispatched or 0)] + [0, "0x0"] * (width - 1)
        lines.append(",".join(map(str, fields)))
    return "\n".join(lines) + "\n"


def cycle(*lanes, dispatched=None, oldest=0, exception=None):
    return lanes, dispatched, oldest, exception


def profile_text(rows, cycles, units=2):
    return f"# U={units} cycles={cycles}\npc,state,psv,weight\n" + "".join(
        f"{pc if isinstance(pc, str) else hex(pc)},{state},{psv},{weight}\n" for pc, state, psv, weight in rows
    )


I1, B, L, I3, I5 = 0x100, 0x104, 0x108, 0x10C, 0x110
# Weights in half cycles. The first cycle of each stands for the examples' cycle 1.
STALL = [cycle(commit(I1))] + 40 * [cycle(head(L), head(I3))] + [cycle(commit(L, psv=320), commit(I3))]
STALL_ROWS = [(I1, "Computing", 0, 2), (L, "Stalled", 320, 80), (L, "Computing", 320, 1), (I3, "Computing", 0, 1)]
FLUSH = [cycle(commit(I1), commit(B, mispredict=1, psv=8))] + 3 * [cycle()] + [cycle(dispatched=I5), cycle(head(I5)), cycle(commit(I5))]
FLUSH_ROWS = [(I1, "Computing", 0, 1), (B, "Computing", 8, 1), (B, "Flushed", 8, 8), (I5, "Stalled", 0, 2), (I5, "Computing", 0, 2)]
DRAIN = [cycle(commit(I1), commit(B))] + 39 * [cycle()] + [cycle(dispatched=I3), cycle(head(I3)), cycle(commit(I3, psv=1))]
DRAIN_ROWS = [(I1, "Computing", 0, 1), (B, "Computing", 0, 1), (I3, "Drained", 1, 80), (I3, "Stalled", 1, 2), (I3, "Computing", 1, 2)]
# An exception: Stalled on it when it raises, Flushed on it until the handler arrives. Lane 1 is the oldest.
TRAP = [cycle(head(I3), head(L), oldest=1), cycle(head(I3), head(L, 16), oldest=1, exception=L), cycle(), cycle(dispatched=I5), cycle(commit(I5))]
TRAP_ROWS = [(L, "Stalled", 16, 4), (L, "Flushed", 16, 4), (I5, "Computing", 0, 2)]
# A younger one commits after the branch: what follows is Drained, and at the end of the run nobody's.
END = [cycle(commit(B, mispredict=1)), cycle(), cycle(dispatched=I1), cycle(commit(I1)), cycle(), cycle()]
END_ROWS = [(B, "Computing", 0, 2), (B, "Flushed", 0, 4), (I1, "Computing", 0, 2), ("end of run", "Drained", 0, 4)]
# Age order wraps: lane 1 is older than lane 0, which is the youngest and flushes.
WRAP = [cycle(commit(B, flush=1), commit(I1), oldest=1), cycle()]
WRAP_ROWS = [(B, "Computing", 0, 1), (I1, "Computing", 0, 1), (B, "Flushed", 0, 2)]


def run(folder, trace, profile):
    (folder / "t.csv").write_text(trace, encoding="ascii")
    (folder / "p.csv").write_text(profile, encoding="ascii")
    done = subprocess.run([sys.executable, HERE / "sum_trace.py", folder / "t.csv", folder / "p.csv"], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def moved(rows):
    """A profile that still adds up, with one unit given to another instruction."""
    (pc, state, psv, weight), *rest = rows
    return [(pc, state, psv, weight - 1), (pc + 0x1000, state, psv, 1), *rest]


def main():
    examples = {
        "stall": (STALL, STALL_ROWS),
        "flush": (FLUSH, FLUSH_ROWS),
        "drain": (DRAIN, DRAIN_ROWS),
        "trap": (TRAP, TRAP_ROWS),
        "end": (END, END_ROWS),
        "wrap": (WRAP, WRAP_ROWS),
    }
    stall, rows = trace_text(STALL), profile_text(STALL_ROWS, len(STALL))
    cases = [(name, trace_text(cycles), profile_text(expected, len(cycles)), 0, "agree") for name, (cycles, expected) in examples.items()]
    cases += [
        (f"{name}, a unit moved", trace_text(cycles), profile_text(moved(expected), len(cycles)), 1, f"{hex(expected[0][0] + 0x1000)},{expected[0][1]}")
        for name, (cycles, expected) in examples.items()
    ]
    cases += [
        ("cycles lost", trace_text(STALL[:-1]), rows, 1, "the trace has 41 cycles, the profile 42"),
        (
            "wrong U",
            stall,
            profile_text([(pc, state, psv, 2 * weight) for pc, state, psv, weight in STALL_ROWS], len(STALL), 4),
            1,
            "U is 4, not lcm(1..2) = 2",
        ),
        ("state differs", stall, rows.replace("Stalled", "Drained"), 1, "0x108,Stalled,320: 80 by the trace, 0 in the profile"),
        ("a row twice", stall, rows + "0x100,Computing,0,2\n", 2, "two rows"),
        ("a cycle missing", stall.replace("\n7,", "\n8,", 1), rows, 2, "cycle 7 is missing"),
        ("not a trace", rows, rows, 2, "not a trace"),
        ("not a profile", stall, stall, 2, "not a profile"),
    ]
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        for what, trace, profile, status, text in cases:
            got, output = run(pathlib.Path(name), trace, profile)
            if got == status and text in output:
                continue
            failed += 1
            print(f"FAIL {what}: status {got}, not {status}; '{text}' expected in:\n{output}")
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
