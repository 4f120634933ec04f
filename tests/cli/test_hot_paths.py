#!/usr/bin/python3
"""Hot paths and the own callers of foreign code, against the run's call stacks one by one (--format folded).

    tests/cli/test_hot_paths.py [--only TEXT]

Needs build/bin/tipoff, tipoff-cc, build/workloads/queens.small.elf and the model of small2.
"""
import json
import subprocess
import sys

from cli import ROOT, RUN, check, main, test, tipoff

PART = 20  # csrc/report/hot_paths.h: HOT_PATH_PART
# Own code calls the library, which calls own code: memset by snprintf and malloc; compare by qsort.
SOURCE = """#include <stdio.h>
#include <stdlib.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
    static int list[64];
    char text[64];
    for (int i = 0; i < 64; i++) list[i] = (i * 37) % 64;
    qsort(list, 64, sizeof *list, compare);
    for (int i = 0; i < 8; i++) snprintf(text, sizeof text, "%d", list[i]);
    return text[0] != '7';
}
"""


def profile(folder, program):
    path = folder / "a.tips"
    status, _, err = tipoff(*RUN, "--quiet", "--period", 31, "--samples", path, program)
    check(status == 0, err)
    report = json.loads(tipoff("report", "--format", "json", path)[1])
    stacks = []
    for line in tipoff("report", "--format", "folded", "--max-stack", 0, path)[1].splitlines():
        names, time = line.rsplit(" ", 1)
        steps = []
        for name in names.split(";"):
            if not steps or steps[-1] != name:
                steps.append(name)
        stacks.append((steps, int(time)))
    text = tipoff("report", path)[1]
    return report, stacks, text


def below(stacks, steps):
    return sum(time for names, time in stacks if names[: len(steps)] == steps)


def whole_paths(report):
    """Each path from the outermost function on."""
    above = []
    for path in report["hot_paths"]:
        del above[path["depth"] :]
        above.append(path["path"].split(" > "))
        yield [name for names in above for name in names], path


def check_paths(report, stacks):
    total = sum(time for _, time in stacks)
    seen = set()
    for steps, path in whole_paths(report):
        expected = below(stacks, steps) / total
        check(abs(path["weight"] / report["weight"] - expected) < 2e-3, f"{steps}: {path}, stacks say {expected}")
        own = sum(time for names, time in stacks if names == steps) / total
        check(abs(path["own"] / report["weight"] - own) < 2e-3, f"{steps}: {path}, itself {own}")
        seen |= {tuple(steps[:length]) for length in range(1, len(steps) + 1)}
    for names, _ in stacks:
        for length in range(1, len(names) + 1):
            if below(stacks, names[:length]) > total / PART * 1.01:
                check(tuple(names[:length]) in seen, f"no path to {names[:length]}")


@test
def paths_of_a_recursion(folder):
    report, stacks, text = profile(folder, ROOT / "build/workloads/queens.small.elf")
    check_paths(report, stacks)
    check("main > place\n" in text, text[:3000])


@test
def foreign_code_by_its_caller(folder):
    source, program = folder / "foreign.c", folder / "foreign.elf"
    source.write_text(SOURCE)
    subprocess.run([ROOT / "build/bin/tipoff-cc", "-g", "-O1", "-fno-inline", source, "-o", program], check=True)
    report, stacks, text = profile(folder, program)
    check_paths(report, stacks)
    own = {"main", "compare"}
    expected = {}
    for names, time in stacks:
        last = max((i for i, name in enumerate(names) if name in own), default=None)
        if last is None or last + 1 == len(names):
            continue
        call = (names[last], names[last + 1])
        expected[call] = expected.get(call, 0) + time
    total = sum(time for _, time in stacks)
    got = {(call["caller"], call["callee"]): call["weight"] / report["weight"] for call in report["own_callers"]}
    for call in (("main", "qsort"), ("main", "snprintf")):
        check(abs(got[call] - expected[call] / total) < 2e-3, f"{call}: {got[call]}, stacks say {expected[call] / total}")
    check(not own & {callee for _, callee in got}, f"own code among the foreign: {got}")
    check("main (foreign.c:4) > snprintf" in text, text[:3000])


if __name__ == "__main__":
    sys.exit(main())
