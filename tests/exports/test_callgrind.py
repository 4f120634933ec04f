#!/usr/bin/env python3
"""`tipoff report --format callgrind`, read by callgrind_annotate and by a reader here: inclusive and exclusive times are those of
`report --children`, costs of states those of the CSV."""
import collections
import re
import subprocess
import sys

from exports import ROOT, by, check, exported, functions, main, near, plain, refused, sampled, test


def read(path):
    """(events, summary, {function: own costs}, {(caller, callee): costs}) by valgrind's cl-format."""
    names, own, calls = {}, {}, {}
    events, summary, function, callee, calling = [], [], None, None, False

    def name(text):
        number, _, called = re.fullmatch(r"\((\d+)\)( (.*))?", text).groups()
        check((called is None) == (number in names), f"({number}) is named once, at first")
        return names.setdefault(number, called)

    for line in path.read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition("=")
        if line.startswith("events:"):
            events = line.split()[1:]
        elif line.startswith("summary:"):
            summary = [int(word) for word in line.split()[1:]]
        elif key == "fn":
            function = name(value)
        elif key == "cfn":
            callee = name(value)
        elif key == "calls":
            calling = True
        elif re.match(r"0x[0-9a-f]+ \d+ ", line):
            costs = [int(word) for word in line.split()[2:]]
            check(len(costs) == len(events), line)
            sums, key = (calls, (function, callee)) if calling else (own, function)
            sums[key] = [a + b for a, b in zip(sums.get(key, [0] * len(events)), costs)]
            calling = False
    return events, summary, own, calls


def compare(path, file, *options):
    events, summary, own, calls = read(file)
    check(events[:5] == ["Cycles", "Computing", "Stalled", "Flushed", "Drained"] and "ST_L1" in events, f"{events}")
    check(summary == [sum(column) for column in zip(*own.values())], "summary")
    for state, time in by(path, "state", *options).items():
        near(summary[events.index(state)], time, 5, state)
    check(summary[0] == sum(summary[1:5]), "states are all cycles")
    inclusive = collections.Counter({name: costs[0] for name, costs in own.items()})
    for (caller, _), costs in calls.items():
        inclusive[caller] += costs[0]
    expected = functions(path, *options)
    check(len(expected) > 10 and {plain(name) for name in inclusive} <= set(expected), f"{set(inclusive)} {set(expected)}")
    for name, (below, mine) in expected.items():
        near(own.get(name, [0])[0], mine, 1, f"exclusive {name}")
        near(inclusive[name], below, 5 + below / 1000, f"inclusive {name}")
    return calls


@test
def test_samples(folder):
    path = sampled(folder)
    calls = compare(path, exported("callgrind", path))
    check(("_start", "main") in calls and ("main", "lz_find") in calls, f"{list(calls)}")


@test
def test_oracle(folder):
    path = sampled(folder)
    compare(path, exported("callgrind", path, "--profiler", "Oracle"), "--profiler", "Oracle")


@test
def test_annotate(folder):
    """Code of another file that was inlined has a line of its own there, which it adds to that of the function's file."""
    path = sampled(folder)
    file = exported("callgrind", path)
    for inclusive in (True, False):
        done = subprocess.run(
            ["callgrind_annotate", f"--inclusive={'yes' if inclusive else 'no'}", "--threshold=100", "--auto=no", "--show=Cycles", file],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        check(done.returncode == 0 and not done.stderr, f"{done.stderr}")
        found = collections.Counter()
        for time, source, name in re.findall(r"^ *([\d,]+) \([ \d.]+%\)  (\S+?):(.+?)(?: \[compress.small.elf\])?$", done.stdout, re.MULTILINE):
            if not inclusive or not source.endswith(".h"):
                found[name] += int(time.replace(",", ""))
        for name, times in functions(path).items():
            near(found[name], times[0 if inclusive else 1], 5, f"{name}, {inclusive}")
        total = int(re.search(r"([\d,]+) \(100.0%\)  PROGRAM TOTALS", done.stdout)[1].replace(",", ""))
        near(total, sum(by(path, "state").values()), 0, "total")


@test
def test_without_stacks(folder):
    path = sampled(folder, "--no-call-graph")
    _, summary, own, calls = read(exported("callgrind", path))
    check(not calls and len(own) > 10, "no calls")
    near(summary[0], sum(by(path, "state").values()), 0, "total")


@test
def test_refused(folder):
    refused(["report", "--format", "callgrind", "--callers", "main", sampled(folder)], "--callers")


if __name__ == "__main__":
    sys.exit(main())
