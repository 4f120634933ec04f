#!/usr/bin/env python3
"""`tipoff report --format pprof`, decoded here from profile.proto's field numbers: what pprof's CheckValid wants, and sums that are those of
the CSV. With Go's pprof: check_pprof.py."""
import collections
import gzip
import sys

from exports import by, check, exported, functions, main, near, plain, refused, sampled, sums_of, table, test, tipoff


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def fields(data):
    """{field: [number or bytes]} of a message."""
    found, at = collections.defaultdict(list), 0
    while at < len(data):
        tag, at = varint(data, at)
        value, at = varint(data, at)
        if tag & 7 == 2:
            value, at = data[at : at + value], at + value
        else:
            check(tag & 7 == 0, f"wire type {tag & 7}")
        found[tag >> 3].append(value)
    return found


def packed(values):
    numbers = []
    for data in values:
        at = 0
        while at < len(data):
            number, at = varint(data, at)
            numbers.append(number)
    return numbers


def one(message, field):
    check(len(message[field]) < 2, f"field {field} once")
    return message[field][0] if message[field] else 0


class Profile:
    """profile.proto, field by field; stacks are root first, with inlined functions."""

    def __init__(self, path):
        top = fields(gzip.decompress(path.read_bytes()))
        self.strings = [text.decode() for text in top[6]]
        check(self.strings[0] == "", "string 0 is empty")
        text = self.strings.__getitem__
        types = [fields(data) for data in top[1]]
        self.types = [(text(one(t, 1)), text(one(t, 2))) for t in types]
        self.default, self.period = text(one(top, 14)), one(top, 12)
        self.cycles = self.types.index(("cycles", "count"))
        self.functions = self.numbered(top[5], lambda m: (text(one(m, 2)), text(one(m, 3)), text(one(m, 4))))
        self.mappings = self.numbered(top[3], lambda m: (one(m, 2), one(m, 3), text(one(m, 5)), text(one(m, 6)), [one(m, field) for field in (7, 8, 9, 10)]))
        self.locations = self.numbered(top[4], lambda m: (one(m, 2), one(m, 3), [(one(line, 1), one(line, 2)) for line in map(fields, m[4])]))
        self.samples = []
        for data in top[2]:
            sample = fields(data)
            labels = {}
            for label in map(fields, sample[3]):
                key = text(one(label, 1))
                check(key not in labels and key and one(label, 2), f"label {key}")
                labels[key] = text(one(label, 2))
            values = packed(sample[2])
            check(len(values) == len(self.types), "a value for each type")
            self.samples.append((packed(sample[1]), values, labels))
        for mapping, _, lines in self.locations.values():
            check(not mapping or mapping in self.mappings, f"mapping {mapping}")
            check(lines and all(function in self.functions for function, _ in lines), "functions of lines")

    @staticmethod
    def numbered(messages, convert):
        found = {}
        for message in map(fields, messages):
            number = one(message, 1)
            check(number and number not in found, f"id {number}")
            found[number] = convert(message)
        return found

    def stacks(self, inlines):
        for sample, values, _ in self.samples:
            names = []
            for location in sample:  # leaf first, lines innermost first
                lines = self.locations[location][2]
                names += [self.functions[function][0] for function, _ in (lines if inlines else lines[-1:])]
            yield names[::-1], values[self.cycles]

    def by_label(self, key):
        sums = collections.Counter()
        for _, values, labels in self.samples:
            sums[labels.get(key)] += values[self.cycles]
        return sums


def compare_functions(profile, path, *options):
    """Exclusive time is rounded once a function; the inclusive, once for each piece of it, which are fewer than its samples."""
    inclusive, exclusive = sums_of(profile.stacks(False))
    expected = functions(path, *options)
    check(len(expected) > 10, f"functions: {expected}")
    check(set(inclusive) <= set(expected), f"{set(inclusive) - set(expected)}")
    for name, (below, own) in expected.items():
        near(exclusive[name], own, 1, f"exclusive {name}")
        near(inclusive[name], below, 1 + len(profile.samples) / 100, f"inclusive {name}")


def compare_types(profile, path, *options):
    """After the cycles a type for each state and event that has time, with the cycles of the rows that have it."""
    _, rows = table(path, *options)
    expected = collections.Counter()
    for row in rows:
        for name in {row["state"], *row["events"].split("+")} - {"Base", ""}:
            expected[name] += float(row["cycles"])
    types = [name for name, _ in profile.types[profile.cycles + 1 :]]
    check(set(types) == set(expected) and len(set(types)) == len(types), f"{types} {expected}")
    check(all(unit == "count" for _, unit in profile.types), f"{profile.types}")
    for number, name in enumerate(types, profile.cycles + 1):
        near(sum(values[number] for _, values, _ in profile.samples), expected[name], 1 + len(profile.samples) / 100, f"type {name}")


def compare_labels(profile, path, *options):
    for key in ("state", "mode"):
        expected = by(path, key, *options)
        found = profile.by_label(key)
        check(set(found) == set(expected), f"{key}: {found} {expected}")
        for name, time in expected.items():
            near(found[name], time, 1 + len(profile.samples) / 100, name)
    compare_types(profile, path, *options)
    _, rows = table(path, "--stacks", *options)
    events = collections.Counter()
    for row in rows:
        if row["granularity"] == "function":
            events[row["events"]] += float(row["cycles"])
    found = profile.by_label("events")
    check("ST_L1+ST_LLC" in events and set(found) <= set(events), f"{found} {events}")
    for name, time in events.items():
        near(found[name], time, 1 + len(profile.samples) / 100, name)


@test
def test_samples(folder):
    path = sampled(folder)
    profile = Profile(exported("pprof", path))
    check(profile.types[:2] == [("samples", "count"), ("cycles", "count")] and profile.default == "cycles" and profile.period == 97, f"{profile.types}")
    _, out, _ = tipoff("samples", path)
    check(sum(values[0] for _, values, _ in profile.samples) == len(out.splitlines()) - 1, "each sample counts once")
    _, rows = table(path)
    check(sum(values[1] for _, values, _ in profile.samples) == sum(float(row["cycles"]) for row in rows), "all cycles")
    compare_functions(profile, path)
    compare_labels(profile, path)
    (mapping,) = profile.mappings.values()
    check(mapping[2] == "compress.small.elf" and len(mapping[3]) == 40 and mapping[4] == [1, 1, 1, 1], f"{mapping}")
    inlined = {plain(name) for names, _ in profile.stacks(True) for name in names} - set(functions(path))
    check("random_next" in inlined, f"inlined: {inlined}")


@test
def test_addresses(folder):
    path = sampled(folder)
    profile, sums = Profile(exported("pprof", path)), collections.Counter()
    for sample, values, _ in profile.samples:
        sums[hex(profile.locations[sample[0]][1])] += values[profile.cycles]
    expected = by(path, "unit")
    check(set(sums) <= set(expected), "addresses")
    for address, time in expected.items():
        near(sums[address], time, 1, address)


@test
def test_oracle(folder):
    path = sampled(folder)
    profile = Profile(exported("pprof", path, "--profiler", "Oracle"))
    check(profile.types[0] == ("cycles", "count") and profile.period == 1, f"{profile.types}")
    compare_functions(profile, path, "--profiler", "Oracle")
    compare_labels(profile, path, "--profiler", "Oracle")


@test
def test_without_stacks(folder):
    path = sampled(folder, "--no-call-graph")
    profile = Profile(exported("pprof", path))
    check(all(len(sample) == 1 for sample, _, _ in profile.samples), "an address each")
    compare_labels(profile, path)


@test
def test_refused(folder):
    path = sampled(folder)
    refused(["report", "--format", "pprof", "--stacks", path], "--stacks")


if __name__ == "__main__":
    sys.exit(main())
