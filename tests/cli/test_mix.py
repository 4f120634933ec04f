#!/usr/bin/python3
"""`tipoff mix`: exact counts of a program whose executions are known by hand, pivots, taxonomies, both collections of a run, and what is refused.

    tests/cli/test_mix.py [--only TEXT]

Needs build/bin/tipoff, build/small2/model.so, build/full2/model.so, build/workloads/{interp,vm_procs}.small.elf.
"""
import csv
import io
import itertools
import json
import sys

from cli import ROOT, RUN, SMALL, assembled, check, main, refused, test, tipoff

sys.path.insert(0, str(ROOT / "python"))
from tipoff import Samples  # noqa: E402

KEYS = ("mnemonic", "class", "extension", "operands", "bytes", "size", "function", "module", "mode", "line", "block", "address")
FULL = ["full2" if word == "small2" else word for word in RUN]  # with records of its own
PROCS = ROOT / "build/workloads/vm_procs.small.elf"


def mix(*arguments):
    status, out, err = tipoff("mix", "--format", "json", *arguments)
    check(status == 0 and err == "", f"mix {arguments}: status {status}: {err}")
    return json.loads(out)


def counts(data, key="mnemonic", method="exact"):
    return {row[key]: row[method] for row in data["rows"]}


def collected(folder, program=SMALL, keys="ebs=101,lbr=11", name="c.tips", run=RUN):
    path = folder / name
    status, _, err = tipoff(*run, "--quiet", "--period", 9973, "--samples", path, "--worker", f"collections:{keys}", program)
    check(status == 0, f"the run failed: {err}")
    return path


@test
def by_hand(folder):
    program = assembled(folder, "mix.S")
    data = counts(mix("--exact", program))
    # [boot ROM]: auipc, addi (or another), csrrs, ld, jalr are not counted here: --filter leaves the program's own
    own = counts(mix("--exact", "--filter", "module=program.elf", "--filter", "function=[!\\[]*", program))
    expected = {
        "auipc": 3,
        "addi": 3 + 1 + 10 + 30 + 10 + 1 + 10,
        "csrrw": 1 + 10,
        "csrrs": 10,
        "jal": 30,
        "bne": 40,
        "ecall": 10,
        "sd": 1,
        "div": 30,
        "sb": 30,
        "jalr": 30,
        "mret": 10,
    }
    waits = own.pop("jal") - 30  # the jump to itself, until the host has seen the store
    check(0 <= waits <= 10, f"{waits} rounds of the last loop")
    expected.pop("jal")
    check(own == expected, f"{own}, not {expected}")
    check(all(data[name] >= count for name, count in own.items()), "the whole has no less than a part")
    classes = counts(mix("--exact", "--by", "class", "--filter", "function=[!\\[]*", program), "class")
    check((classes["divide"], classes["return"], classes["call"], classes["branch"], classes["system"]) == (30, 30, 30, 40, 20), str(classes))
    sizes = counts(mix("--exact", "--by", "bytes", "--filter", "class=store", program), "bytes")
    check(sizes == {"1": 30, "8": 1}, str(sizes))


@test
def keys_are_partitions(_folder):
    total = mix("--exact", SMALL)["totals"]["exact"]
    status, _, err = tipoff("iss", SMALL)
    check(status == 0 and f" {total:,.0f} instructions" in err, f"{total}: {err}")
    for key in KEYS:
        data = mix("--exact", "--by", key, SMALL)
        check(sum(counts(data, key).values()) == total, f"--by {key} sums up to the instructions")
    across = mix("--exact", "--by", "function", "--columns", "class", SMALL)
    check(sum(sum(row["executions"].values()) for row in across["rows"]) == total, "--columns sums up, too")
    by_two = mix("--exact", "--by", "function,class", SMALL)
    check(
        {(r["function"], r["class"]): r["exact"] for r in by_two["rows"]}
        == {(r["function"], c): n for r in across["rows"] for c, n in r["executions"].items() if n},
        "rows of two keys are the cells",
    )


@test
def of_every_mode(folder):
    """A kernel with processes, address by address, against the simulator's trace."""
    counted = {(r["mode"], int(r["address"], 16)): r["exact"] for r in mix("--exact", "--by", "mode,address", PROCS)["rows"]}
    expected = {}
    check(tipoff("iss", "--quiet", "--trace", folder / "trace", PROCS)[0] == 0, "the trace")
    for line in (folder / "trace").read_text().splitlines():
        words = line.split()
        if words[2] in ("interrupt", "exception") and not (words[2] == "exception" and 8 <= int(words[3].removeprefix("cause=")) <= 11):
            continue
        key = words[0], int(words[1], 16)
        expected[key] = expected.get(key, 0) + 1
    check(len({mode for mode, _ in expected}) == 3, "all three modes run")
    check(counted == expected, f"{len(set(counted.items()) ^ set(expected.items()))} addresses differ")


@test
def from_a_checkpoint(folder):
    machine = folder / "m.machine"
    check(tipoff("iss", "--quiet", "--checkpoint", machine, "--at", 50000, SMALL)[0] == 0, "the checkpoint")
    whole, first, rest = counts(mix("--exact", SMALL)), {}, counts(mix("--exact", "--restore", machine))
    status, out, _ = tipoff("mix", "--exact", "--max-insns", 50000, "--format", "json", SMALL)
    check(status == 124, "a part of the run")
    first = counts(json.loads(out))
    check(whole == {name: first.get(name, 0) + rest.get(name, 0) for name in whole}, "what came before and after it is the whole")
    refused(["mix", "--exact", "--restore", machine, SMALL], "names its program", lines=0)
    refused(["mix", "--exact", "--restore", folder / "none.machine"], "none.machine")


@test
def formats_agree(_folder):
    data = mix("--exact", SMALL)
    rows = list(csv.DictReader(io.StringIO(tipoff("mix", "--exact", "--format", "csv", SMALL)[1])))
    check([(r["mnemonic"], int(r["exact"])) for r in rows] == [(r["mnemonic"], r["exact"]) for r in data["rows"]], "CSV and JSON list the same")
    text = tipoff("mix", "--exact", "--top", 3, SMALL)[1]
    check(all(f"{r['exact']:,.0f}  {r['mnemonic']}" in text for r in data["rows"][:3]) and f"{len(data['rows']) - 3} more rows" in text, text)


@test
def output_file(folder):
    path = folder / "mix.csv"
    status, out, err = tipoff("mix", "--exact", "--format", "csv", "--output", path, SMALL)
    check(
        (status, out, err) == (0, "", "") and path.read_text() == tipoff("mix", "--exact", "--format", "csv", SMALL)[1], "--output has what stdout would have"
    )
    refused(["mix", "--exact", "--output", SMALL, SMALL], "--output")
    refused(["mix", "--exact", "--output", folder / "no/folder", SMALL], "cannot create", status=4)


@test
def taxonomy(folder):
    table = folder / "taxonomy"
    table.write_text("# mine\ndiv*  long latency\nrem* long latency  # too\nclass=atomic synchronisation\nfence* synchronisation\nbytes=[1248] memory\n")
    data = counts(mix("--exact", "--by", "taxonomy", "--taxonomy", table, SMALL), "taxonomy")
    plain = counts(mix("--exact", SMALL))
    check(data["long latency"] == sum(n for name, n in plain.items() if name.startswith(("div", "rem"))), "long latency")
    sizes = counts(mix("--exact", "--by", "bytes", SMALL), "bytes")
    check(data["memory"] == sum(n for size, n in sizes.items() if size != "0"), "memory")
    check(sum(data.values()) == sum(plain.values()) and "other" in data, "the rest is other")
    table.write_text("div*\n")
    refused(["mix", "--exact", "--taxonomy", folder, SMALL], str(folder), "is a folder")
    refused(["mix", "--exact", "--taxonomy", table, SMALL], "taxonomy:1", "write a pattern")
    table.write_text("height=3 tall\n")
    refused(["mix", "--exact", "--taxonomy", table, SMALL], "taxonomy:1")
    for path, classes in (("latency", {"long latency: division"}), ("synchronisation", set())):
        shipped = counts(mix("--exact", "--by", "taxonomy", "--taxonomy", ROOT / f"tables/taxonomies/{path}", SMALL), "taxonomy")
        check(sum(shipped.values()) == sum(plain.values()) and classes <= set(shipped), f"{path}: {shipped}")


@test
def of_a_run(folder):
    path = collected(folder)
    check(counts(mix("--exact", path)) == counts(mix("--exact", SMALL)), "the run's exact counts are the simulator's: the program has no choice")
    data = mix("--compare", path)
    check(data["streams"] > 1000 and data["streams_broken"] == data["streams_outside"] == 0, f"{data['streams_broken']} broken of {data['streams']}")
    exact, period = data["totals"]["exact"], 101
    samples = data["totals"]["EBS"] / period
    check(abs(samples - exact // period) < 1 + 1e-6 * samples, f"{samples} samples of {exact} instructions")
    # Bounds far outside chance: 1,500 samples, and stacks that hold more transfers than there are
    check(data["errors"]["LBR"] < 0.01 and data["errors"]["EBS"] < 0.06 and data["errors"]["HBBP"] < 0.02, str(data["errors"]))
    skid = mix("--compare", "--skid", path)["errors"]["EBS"]
    check(skid > 1.5 * data["errors"]["EBS"], f"the address after the interrupt is further off: {skid} against {data['errors']['EBS']}")
    hybrid = mix("--rule", "paper", "--compare", path)
    check(hybrid["rule"] == "paper", "the rule is named")
    blocks = list(csv.DictReader(io.StringIO(tipoff("mix", "--blocks", path)[1])))
    check(abs(sum(float(b["length"]) * float(b["exact"]) for b in blocks) - exact) < 1, "blocks sum up to the instructions")
    check(all(float(b["first"]) <= float(b["all"]) for b in blocks), "entry 0 is one of all")


@test
def modes_and_spaces(folder):
    """A kernel and its processes: records without mode and address space are booked to the right ones."""
    path = collected(folder, PROCS, "ebs=53,lbr=7")
    data = mix("--compare", "--by", "mode", path)
    check({row["mode"] for row in data["rows"]} >= {"S", "U"}, "code of both modes")
    check(data["streams_broken"] <= data["streams"] * 0.001, f"{data['streams_broken']} broken of {data['streams']}")
    check(data["errors"]["LBR"] < 0.02, str(data["errors"]))


def stacks_of(path):
    """The stacks of transfers of a file, as lists of (source, target, type)."""
    results = Samples(path).results
    transfers = iter([(t["source"], t["target"], t["data"] & 15) for t in results["transfer"]])
    return [list(itertools.islice(transfers, stack["transfers"])) for stack in results["transfer_stack"]]


@test
def records_of_the_core(folder):
    """The core's own records are the model's, stack by stack; of several transfers in one cycle the younger ones may be in a stack, too."""
    for program, traps in ((SMALL, False), (PROCS, True)):
        keys = "ebs=101,lbr=13,depth=16"
        model, unit = (collected(folder, program, f"{keys},source={source}", f"{source}.tips", FULL) for source in ("model", "unit"))
        expected, found = stacks_of(model), stacks_of(unit)
        check(len(expected) == len(found) > 400, f"{len(found)} stacks of the unit, {len(expected)} of the model")
        equal = sum(a == b for a, b in zip(expected, found))
        check(all(a == b or a[1:] == b[:-1] for a, b in zip(expected, found)), "a stack is the model's, or one transfer later")
        check(equal > 0.9 * len(found), f"{equal} of {len(found)} stacks are equal")
        kinds = {kind for stack in found for _, _, kind in stack}
        check(kinds >= ({1, 3, 5} if traps else {5, 10, 11}), f"kinds of transfers: {kinds}")
        check(mix("--compare", unit)["streams_broken"] == 0, "no broken stream")
        check("the core's records" in mix(unit)["source"] and "modelled" in mix(model)["source"], "the file says whose they are")
    refused([*FULL, "--period", 9973, "--samples", folder / "x.tips", "--worker", "collections:depth=20,source=unit", SMALL], "not support depth=20")
    refused([*FULL, "--period", 9973, "--samples", folder / "x.tips", "--worker", "collections:depth=64,source=unit", SMALL], "has 32 records", "not 64")


@test
def no_lockstep_no_truth(folder):
    path = folder / "n.tips"
    status, _, err = tipoff(*RUN, "--quiet", "--no-cosim", "--period", 9973, "--samples", path, "--worker", "collections:ebs=101,lbr=11", SMALL)
    check(status == 0, err)
    check(mix(path)["totals"]["HBBP"] > 0, "estimates need no truth")
    refused(["mix", "--compare", path], "no exact counts")
    refused(["mix", "--exact", path], "no exact counts")


@test
def wrong(folder):
    refused(["mix"], "name a sample file", lines=0)
    refused(["mix", SMALL], "is a program", "--exact")
    refused(["mix", "--exact", folder / "none.elf"], "none.elf")
    refused(["mix", folder / "none.tips"], "none.tips")
    refused(["mix", "--exact", "--by", "height", SMALL], "no such key 'height'", lines=0)
    refused(["mix", "--exact", "--by", "line,line,line,line,line", SMALL], "at most 4", lines=0)
    refused(["mix", "--exact", "--filter", "mode", SMALL], "KEY=PATTERN", lines=0)
    refused(["mix", "--exact", "--format", "xml", SMALL], "use one of text, csv, json", lines=0)
    refused(["mix", "--exact", "--compare", SMALL], "leave it out", lines=0)
    plain = folder / "plain.tips"
    check(tipoff(*RUN, "--quiet", "--period", 9973, "--samples", plain, SMALL)[0] == 0, "a run without collections")
    refused(["mix", plain], "--worker collections")
    few = collected(folder, keys="ebs=9973,lbr=1009", name="few.tips")
    refused(["mix", few], "too few", "shorter periods")
    good = collected(folder)
    refused(["mix", "--rule", "none", good], "no rule 'none'")
    refused(["mix", "--rules", folder / "none.tsv", good], "none.tsv")
    refused(["mix", "--program", ROOT / "build/workloads/vm_procs.small.elf", good], "not the program that ran", "--program")
    refused(["mix", "--method", "some", good], "--method some: use one of hbbp, ebs, lbr, all", lines=0)
    damaged = folder / "damaged.tips"
    data = bytearray(good.read_bytes())
    data[len(data) // 2] ^= 0xFF
    damaged.write_bytes(data)
    refused(["mix", damaged], "warning: ", "damaged.tips: bad block", "and 0 stacks are too few", lines=2)
    cut = folder / "cut.tips"
    cut.write_bytes(good.read_bytes()[:-20])  # the end mark: all samples are complete
    status, out, err = tipoff("mix", cut)
    check(status == 0 and "cut.tips: truncated" in err and err.count("\n") == 1, f"a file that is cut: status {status}: {err}")
    check(out == tipoff("mix", good)[1], "the samples of a file that is cut are the whole's")
    refused([*RUN, "--worker", "collections:ebs=1000", SMALL], "not a prime", "ebs=1009")
    refused([*RUN, "--worker", "collections:lbr=100", SMALL], "not a prime", "lbr=101")


@test
def ends_early(_folder):
    status, out, err = tipoff("mix", "--exact", "--max-insns", 1000, "--format", "json", SMALL)
    check(status == 124 and err == "" and json.loads(out)["totals"]["exact"] == 1000, f"status {status}: {err}")


if __name__ == "__main__":
    sys.exit(main())
