#!/usr/bin/env python3
"""`tipoff report --format speedscope`: the fields that its file-format-schema.json wants, and sums that are those of the CSV."""
import collections
import json
import sys

from exports import by, check, exported, functions, main, near, refused, sampled, sums_of, test, tipoff

FRAME = {"name": str, "file": str, "line": int, "col": int}
PROFILE = {"type": str, "name": str, "unit": str, "startValue": (int, float), "endValue": (int, float), "samples": list, "weights": list}
UNITS = ("none", "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes")


def read(path, *options):
    """As the schema of speedscope 1.25 has it; returns (names root first, weight) in the file's order."""
    document = json.loads(path.read_text(encoding="utf-8"))
    check(document["$schema"] == "https://www.speedscope.app/file-format-schema.json", "$schema")
    check(set(document) <= {"$schema", "shared", "profiles", "name", "activeProfileIndex", "exporter"}, f"keys {set(document)}")
    frames = document["shared"]["frames"]
    for frame in frames:
        check("name" in frame and all(key in FRAME and isinstance(value, FRAME[key]) for key, value in frame.items()), f"frame {frame}")
    stacks = [read_profile(profile, frames) for profile in document["profiles"]]
    check(document["activeProfileIndex"] == 0, "all time is shown first")
    names = [profile["name"] for profile in document["profiles"]]
    check(all(name.startswith(f"{names[0]}, ") for name in names[1:]), f"{names}")
    states = {name.rsplit(", ", 1)[1]: sum(weight for _, weight in of) for name, of in zip(names[1:], stacks[1:])}
    check(states == by(path.with_suffix(".tips"), "state", *options), f"{states}")
    added = collections.Counter()
    for names, weight in (one for of in stacks[1:] for one in of):
        added[tuple(names)] += weight
    whole = collections.Counter()
    for names, weight in stacks[0]:
        whole[tuple(names)] += weight
    check(added == whole, "states add up, stack by stack")
    return stacks[0]


def read_profile(profile, frames):
    check(set(profile) == set(PROFILE) and all(isinstance(profile[key], of) for key, of in PROFILE.items()), "keys of the profile")
    check(profile["type"] == "sampled" and profile["unit"] in UNITS, "type and unit")
    check(len(profile["samples"]) == len(profile["weights"]), "a weight for each sample")
    check(all(stack and all(0 <= frame < len(frames) for frame in stack) for stack in profile["samples"]), "frames by number")
    near(profile["endValue"] - profile["startValue"], sum(profile["weights"]), 1e-6, "endValue")
    return [([frames[frame]["name"] for frame in stack], weight) for stack, weight in zip(profile["samples"], profile["weights"])]


def compare(path, stacks, *options):
    """Inlined functions stand in the stacks as well, so that only inclusive times are those of the table."""
    inclusive, _ = sums_of(stacks)
    expected = functions(path, *options)
    check(len(expected) > 10, f"functions: {expected}")
    for name, (time, _) in expected.items():
        near(inclusive[name], time, 1e-6, name)


@test
def test_samples(folder):
    path = sampled(folder)
    stacks = read(exported("speedscope", path))
    compare(path, stacks)
    check(stacks[0][0][-1] == "[boot ROM]", f"in the order of time: {stacks[0]}")
    firsts = list(dict.fromkeys(name for names, _ in stacks for name in names))
    check(firsts.index("lz_find") < firsts.index("huffman_unpack"), f"packed before unpacked: {firsts}")


@test
def test_oracle(folder):
    path = sampled(folder)
    compare(path, read(exported("speedscope", path, "--profiler", "Oracle"), "--profiler", "Oracle"), "--profiler", "Oracle")


@test
def test_without_stacks(folder):
    """Another profiler's rows have no callers: a frame each."""
    path = sampled(folder)
    stacks = read(exported("speedscope", path, "--profiler", "NCI"), "--profiler", "NCI")
    _, out, _ = tipoff("report", "--format", "csv", "--by", "function", "--profiler", "NCI", path)
    check("NCI,function,main," in out and collections.Counter(names[0] for names, _ in stacks)["main"] > 0, "main")
    check(not any("_start" in names and "main" in names for names, _ in stacks), "no callers")


@test
def test_refused(folder):
    path = sampled(folder)
    refused(["report", "--format", "speedscope", "--output", path, path], "--output")
    refused(["report", "--format", "speedscope", "--children", path], "--children")
    refused(["report", "--format", "gecko", "--max-stack", 5, path], "--max-stack: needs --format folded, perf-script, pprof or speedscope", lines=0)


if __name__ == "__main__":
    sys.exit(main())
