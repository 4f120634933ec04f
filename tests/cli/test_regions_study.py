#!/usr/bin/python3
"""`tipoff regions study`: errors of a run of two phases that are worked out by hand; joined slices; the table that worker `slices` writes; what is refused.

    tests/cli/test_regions_study.py [--only TEXT]

Needs build/bin/tipoff, build/small2/model.so and build/workloads/interp.tiny.elf.
"""
import csv
import gzip
import io
import sys

from cli import RUN, TINY, check, main, refused, test, tipoff

# Two phases: A executes block 1 in 1.0 and 1.1 cycles an instruction, in turn, B block 2 in 3.0; the last slice is half as long.
A, B, LENGTH = 180, 120, 100
SLICES = [(1, LENGTH, 100 + 10 * (number % 2)) for number in range(A)] + [(2, LENGTH, 300)] * (B - 1) + [(2, LENGTH // 2, 150)]
INSTRUCTIONS = sum(length for _, length, _ in SLICES)
CPI = sum(cycles for *_, cycles in SLICES) / INSTRUCTIONS


def files(folder, slices, name="run"):
    vectors, table = folder / f"{name}.bb", folder / f"{name}.csv"
    vectors.write_text("".join(f"T:{block}:{length} \n" for block, length, _ in slices), encoding="utf-8")
    rows = "".join(f"{number},{length},{cycles}\n" for number, (_, length, cycles) in enumerate(slices))
    table.write_text("slice,instructions,cycles\n" + rows, encoding="utf-8")
    return vectors, table


def study(what, pair, *options):
    status, out, err = tipoff("regions", "study", what, "--vectors", pair[0], "--reference", pair[1], "--format", "csv", *options)
    check(status == 0 and err == "", f"study {what} {options}: status {status}: {err}")
    return [{name: value if name == "study" else float(value) for name, value in row.items()} for row in csv.DictReader(io.StringIO(out))]


def near(got, expected, what):
    check(abs(got - expected) < 1e-6, f"{what}: {got}, expected {expected}")


@test
def two_phases(folder):
    pair = files(folder, SLICES)
    rows = study("maxk", pair)
    check([row["value"] for row in rows] == list(range(1, 51)), "maxk from 1 to 50")
    # One region: the centre is nearer to A, whose first slice takes 1.0. Two: B's is exact, and A's is 1.0 instead of the mean, 1.05.
    check(rows[0]["regions"] == 1 and rows[0]["instructions"] == LENGTH, f"{rows[0]}")
    near(rows[0]["error"], 1 - 1.0 / CPI, "one region")
    two = (A * 1.0 + B * 3.0) / (A + B)
    counted = (A * LENGTH * 1.0 + (B - 0.5) * LENGTH * 3.0) / INSTRUCTIONS
    for row in rows[1:]:
        check(row["regions"] == 2 and row["slices"] == A + B and row["instructions"] == 2 * LENGTH, f"{row}")
        near(row["share"], 2 * LENGTH / INSTRUCTIONS, "share")
        near(row["cpi"], two, "CPI")
        near(row["reference_cpi"], CPI, "the run's CPI")
        near(row["error"], abs(two / CPI - 1), "two regions")
        near(row["error_counted"], 1 - counted / CPI, "two regions, by instructions")


@test
def other_settings(folder):
    pair = files(folder, SLICES)
    two = abs((A * 1.0 + B * 3.0) / (A + B) / CPI - 1)
    rows = study("coverage", pair)
    check(len(rows) == 20 and [row["slices"] for row in rows] == [15 * (number + 1) for number in range(20)], "shares of 300 slices")
    for row in rows:  # B begins after 60 %
        near(row["error"], 1 - 1.0 / CPI if row["value"] <= 0.6 + 1e-9 else abs((A * 1.0 + (row["slices"] - A) * 3.0) / row["slices"] / CPI - 1), f"{row}")
    rows = study("dims", pair)
    check([row["value"] for row in rows] == list(range(1, 51)), "dims from 1 to 50")
    check(all(abs(row["error"] - two) < 1e-6 for row in rows), "two points apart are so in any number of dimensions")
    rows = study("bic", pair)
    check(len(rows) == 21 and rows[0]["regions"] == 1 and rows[18]["regions"] == 2, "the threshold 0 takes any k, and the smallest one")


@test
def neighbours_are_joined(folder):
    joined = [(block, a + b, c + d) for (block, a, c), (_, b, d) in zip(SLICES[::2], SLICES[1::2])]
    rows, other = study("maxk", files(folder, SLICES), "--join", 2), study("maxk", files(folder, joined, "joined"))
    check(rows == other, "the same as of slices of twice the length")
    near(rows[9]["error"], (B / 2 * 3.0 + A / 2 * 1.05) / (A / 2 + B / 2) / CPI - 1, "A's slices are alike then")
    sizes = study("size", files(folder, SLICES))
    check([(row["value"], row["slices"]) for row in sizes] == [(100, 300), (200, 150), (300, 100)], f"at least 100 slices: {sizes}")
    check(sizes[1]["error"] == rows[29]["error"], "size joins")


@test
def blocks_in_any_order(folder):
    """Slices that execute the same are one point to the last bit, whatever the order of a line: k-means ends, and no cluster is split."""
    table = folder / "run.csv"
    table.write_text("instructions,cycles\n" + "700,700\n" * 100 + "700,1400\n" * 100, encoding="utf-8")
    found = []
    for name, turned in (("ordered", False), ("turned", True)):
        vectors = folder / f"{name}.bb"
        with open(vectors, "w", encoding="utf-8") as file:
            for number in range(200):
                blocks = [(1, 100), (2, 170), (3, 430)] if number < 100 else [(2, 310), (3, 170), (4, 220)]
                file.write("T" + " ".join(f":{block}:{count}" for block, count in (blocks[::-1] if turned and number % 3 else blocks)) + "\n")
        found.append(study("maxk", (vectors, table), "--join", 2))
    check(found[0] == found[1] and all(row["regions"] == 2 for row in found[0][1:]), "two points")


@test
def clusters_say_where(folder):
    first, second = study("clusters", files(folder, SLICES))
    check((first["slices"], second["slices"]) in ((A, B), (B, A)), "two clusters")
    a, b = (first, second) if first["slices"] == A else (second, first)
    for row, expected in ((a, (A / 300, 1.0, 1.05, 1.0, 1.1, A / 300 * (1.0 - 1.05) / CPI)), (b, (B / 300, 3.0, 3.0, 3.0, 3.0, 0))):
        for name, value in zip(("share", "cpi", "mean", "low", "high", "error"), expected):
            near(row[name], value, name)


@test
def text_has_the_numbers(folder):
    pair = files(folder, SLICES)
    status, out, err = tipoff("regions", "study", "maxk", "--vectors", pair[0], "--reference", pair[1])
    check(status == 0 and err == "", err)
    lines = out.splitlines()
    check(lines[0] == f"300 slices, {INSTRUCTIONS} instructions, CPI {CPI:.4f}", lines[0])
    check(lines[3].split() == ["1", "300", "1", "100", "0.3", "%", "1.0000", f"{100 * (1 - 1 / CPI):.2f}", "%", f"{100 * (1 - 1 / CPI):.2f}", "%"], lines[3])


@test
def a_run_of_the_core(folder):
    vectors, begins, table = folder / "tiny.bb", folder / "begins.csv", folder / "slices.csv"
    for form, file in (("simpoint", vectors), ("csv", begins)):
        status, _, err = tipoff("bbv", "--interval", 200, "--format", form, "-o", file, TINY)
        check(status == 0, err)
    status, _, err = tipoff(*RUN, "--quiet", "--worker", f"slices:file={table},at={begins}", TINY)
    check(status == 0, err)
    packed = folder / "slices.csv.gz"
    packed.write_bytes(gzip.compress(table.read_bytes()))
    rows = study("size", (vectors, table))
    check(rows == study("size", (vectors, packed)), "plain or with gzip")
    near(rows[0]["reference_cpi"], 37483 / 22151, "the run's CPI")
    check(rows[0]["regions"] > 2 and rows[0]["error"] < 0.2, f"{rows}")


@test
def bad_input(folder):
    vectors, table = files(folder, SLICES)

    def no(*texts, what=("maxk",), pair=(vectors, table), lines=1):
        refused(["regions", "study", *what, "--vectors", pair[0], "--reference", pair[1]], *texts, lines=lines)

    no("maxk, dims, bic, coverage, size", what=(), lines=0)
    no("maxk", what=("k",), lines=0)
    refused(["regions", "study", "maxk"], "--vectors and --reference", lines=0)
    no("No such file", pair=(folder / "none.bb", table))
    no("No such file", "worker slices", pair=(vectors, folder / "none.csv"))
    other = folder / "other.csv"
    for text, said in [
        ("", "line 1: it is empty"),
        ("slice,cycles\n", "line 1: no columns"),
        ("instructions,cycles\n100,1e5\n", "line 2: no numbers"),
        ("instructions,cycles\n100,-5\n", "line 2: no numbers"),
        ("instructions,cycles\n100\n", "line 2: no numbers"),
        ("instructions,cycles\n99,100\n", "line 2: 99 instructions, and the vector has 100"),
        ("instructions,cycles\n100,100\n", "line 3: fewer slices"),
        (table.read_text() + "300,100,1\n", "line 302: more slices"),
        ("instructions,cycles\n" + "".join(f"{length},0\n" for _, length, _ in SLICES), "no cycles"),
    ]:
        other.write_text(text, encoding="utf-8")
        no(str(other), said, pair=(vectors, other))
    before = table.read_text()
    refused(["regions", "study", "maxk", "--vectors", vectors, "--reference", table, "-o", table], str(table))
    check(table.read_text() == before, "no output has destroyed an input")


if __name__ == "__main__":
    sys.exit(main())
