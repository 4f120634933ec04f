#!/usr/bin/env python3
"""`tipoff report --format perf-script`, read as stackcollapse-perf.pl reads it: sums weighed by the period are those of the CSV."""
import re
import sys

from exports import check, exported, functions, main, near, refused, sampled, sums_of, table, test

EVENT = re.compile(r"(\S+) (\d+)/(\d+) \[(\d{3})\] (\d+\.\d{9}): (\d+) cycles:")
FRAME = re.compile(r"\t *([0-9a-f]+) (.+) \((\S+)\)")


def read(path):
    """(seconds, names root first without inlined ones, period, whether something is inlined) of each event."""
    for text in path.read_text(encoding="utf-8").split("\n\n")[:-1]:
        head, *lines = text.split("\n")
        event, frames = EVENT.fullmatch(head), [FRAME.fullmatch(line) for line in lines]
        check(event and frames and all(frames), text)
        called = [re.fullmatch(r"(.+)\+0x[0-9a-f]+", frame[2]) for frame in frames if frame[3] != "inlined"]
        check(all(called), text)
        yield float(event[5]), [match[1] for match in reversed(called)], int(event[6]), len(called) < len(frames)


@test
def test_samples(folder):
    path = sampled(folder)
    events = list(read(exported("perf-script", path)))
    _, rows = table(path)
    check(sum(period for _, _, period, _ in events) == sum(float(row["cycles"]) for row in rows), "all cycles")
    times = [time for time, _, _, _ in events]
    check(times == sorted(times) and times[-1] > 10e-6, "in the order of time")
    check(any(inlined for _, _, _, inlined in events), "inlined functions")
    inclusive, exclusive = sums_of((names, period) for _, names, period, _ in events)
    expected = functions(path)
    check(set(inclusive) == set(expected), f"{set(inclusive) ^ set(expected)}")
    for name, (below, own) in expected.items():
        near(exclusive[name], own, 1 + below / 100, f"exclusive {name}")
        near(inclusive[name], below, 1 + below / 100, f"inclusive {name}")


@test
def test_refused(folder):
    refused(["report", "--format", "perf-script", "--profiler", "Oracle", sampled(folder)], "perf-script", "Oracle", "--profiler")


if __name__ == "__main__":
    sys.exit(main())
