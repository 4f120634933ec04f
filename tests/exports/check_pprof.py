#!/usr/bin/env python3
"""Go's pprof reads `tipoff report --format pprof`: its tables are those of the CSV.

    tests/exports/check_pprof.py PPROF
"""
import re
import subprocess
import sys

from exports import by, check, exported, functions, main, near, sampled, test

PPROF = sys.argv.pop(1)


def pprof(path, *options):
    done = subprocess.run([PPROF, *options, str(path)], capture_output=True, text=True, timeout=100, check=False)
    check(done.returncode == 0, f"{options}: {done.stderr}")
    return done.stdout


@test
def test_top(folder):
    path = sampled(folder)
    file = exported("pprof", path)
    out = pprof(file, "-top", "-noinlines", "-nodefraction=0", "-nodecount=0")
    found = {
        words[5]: (float(words[0]), float(words[3])) for words in (line.split(None, 5) for line in out.splitlines()) if len(words) == 6 and words[0].isdigit()
    }
    expected = functions(path)
    check(set(found) == set(expected), f"{set(found) ^ set(expected)}: {out}")
    for name, (inclusive, exclusive) in expected.items():
        near(found[name][0], exclusive, 1, f"flat {name}")
        near(found[name][1], inclusive, 4, f"cum {name}")


@test
def test_tags(folder):
    path = sampled(folder)
    out = pprof(exported("pprof", path), "-tags")
    for state, time in by(path, "state").items():
        shown = re.search(rf"([\d.]+) \([ \d.]+%\): {state}$", out, re.MULTILINE)
        check(shown, f"{state}: {out}")
        near(float(shown[1]), time, 4, state)
    check("ST_L1+ST_LLC" in out, out)


@test
def test_raw_and_traces(folder):
    file = exported("pprof", sampled(folder))
    raw, traces = pprof(file, "-raw"), pprof(file, "-traces")
    check("samples/count cycles/count[dflt]" in raw and re.search(r"compress.small.elf [0-9a-f]{40} \[FN\]\[FL\]\[LN\]\[IN\]", raw), raw[-300:])
    check(re.search(r"write_text \(inline\)\n\s+main\n\s+_start", traces) and "state:" in traces, traces[:500])


if __name__ == "__main__":
    sys.exit(main())
