#!/usr/bin/env python3
"""Programs of tipoff-cc on core models as the harts of one machine: they print, read and lock as on the ISS; each hart's files, and what they are together.

    tests/harts/test_bare.py [--only TEXT]

Needs build/bin/tipoff and the model small2c.
"""
import json
import pathlib
import subprocess
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / "cli"), str(pathlib.Path(__file__).resolve().parent)]
from cli import ROOT, check, main, refused, test, tipoff  # noqa: E402
from programs import built  # noqa: E402

HERE = ROOT / "tests/harts"


def check_sum(stats, harts, summary):
    """run.json is the sum of the harts' files; cycles are the run's, and the memory is one."""
    said = json.loads(stats.read_text())
    parts = [json.loads(stats.with_name(f"run.hart{i}.json").read_text()) for i in range(harts)]
    instructions = sum(one["instructions"] for one in parts)
    check(f"{harts} harts: {said['cycles']:,} cycles, {instructions:,} instructions, IPC {said['ipc']:.3f}\n" in summary, f"{said['ipc']}: {summary}")
    check((said["harts"], said["instructions"]) == (harts, instructions), f"{said}")
    check(said["hart_cycles"] == sum(one["cycles"] for one in parts) == sum(said["state_cycles"].values()), f"{said['hart_cycles']}")
    check(said["by_hart"] == [{"hart": i, **{key: one[key] for key in ("cycles", "instructions", "ipc")}} for i, one in enumerate(parts)], f"{said['by_hart']}")
    check(said["events"]["FL_MB"] == sum(one["events"]["FL_MB"] for one in parts) and said["memory"] == parts[0]["memory"], f"{said['memory']}")
    check(said["counts"]["CYCLES"] == sum(one["counts"]["CYCLES"] for one in parts), f"{said['counts']}")
    check(set(parts[0]) | {"harts", "hart_cycles", "by_hart"} == set(said), f"{set(parts[0]) ^ set(said)}")


@test
def sweeps(folder):
    """A sweep over harts: a row each, of all together."""
    subprocess.run([ROOT / "build/bin/tipoff-cc", "-DROUNDS=1", HERE / "printing.c", "-o", folder / "printing.elf"], check=True)
    (folder / "harts.toml").write_text('program = "printing.elf"\nconfig = "small2c"\nharts = [1, 2]\n')
    status, _, err = tipoff("sweep", folder / "harts.toml", "--jobs", 1)
    check(status == 0, f"status {status}: {err}")
    rows = (folder / "harts.sweep/table.csv").read_text().splitlines()
    check(len(rows) == 3 and ",hart_cycles" in rows[0], f"{rows}")


@test
def host_calls(folder):
    """Programs of tipoff-cc: harts print, read a file and the console, take a lock and meet at a barrier, as on the ISS, in lockstep."""
    (folder / "words").write_text("zero   \none    \ntwo    \nthree  \n")
    (folder / "in").write_text("some text\n")
    cc, program, stats = ROOT / "build/bin/tipoff-cc", folder / "printing.elf", folder / "run.json"
    for harts, rounds in ((2, 2), (4, 1)):
        subprocess.run([cc, "-Wall", "-Wextra", "-Werror", f"-DROUNDS={rounds}", HERE / "printing.c", "-o", program], check=True)
        sums = [10 * harts * (harts + 1) // 2 * (i + 1) for i in range(rounds)]
        words = ["zero", "one", "two", "three"][:harts]
        lines = [f"{i}: hart {hart} of {harts}: {sums[i]} {word:7}\n" for i in range(rounds) for hart, word in enumerate(words)]
        want = "".join(["input some text\n\n", *lines])
        for command, limit in ((["iss"], "--max-insns"), (["run", "--config", "small2c", "--count", "cycles", "--stats", stats], "--max-cycles")):
            status, out, err = tipoff(*command, "--harts", harts, limit, 10000000, "--input", "in", program, cwd=folder)
            check((status, out) == (9, want), f"{command}, {harts} harts: status {status}: {out!r}, {want!r} expected: {err}")
        check(err.count("memory-order, devices: all agree") == harts, f"lockstep: {err}")
        check_sum(stats, harts, err)
    run = ["run", "--quiet", "--config", "small2c", "--max-cycles", 1000000, "--no-cosim"]
    odd = built(folder, "-march=rv64ima_zicsr", HERE / "odd_call.S", name="odd.elf")
    refused([*run, "--harts", 2, odd], f"{odd}: system call 99 of the host (HTIF) is not served")


@test
def files_by_hart(folder):
    """Each hart's trace, pipeline view and worker files are what one hart alone has, by name and form; the report of a broken output is one line."""
    program = built(folder, "-DHARTS=2", HERE / "wake.S")
    run = ["run", "--quiet", "--config", "small2c", "--max-cycles", 10000, "--harts"]
    outputs = ["--trace", folder / "run.csv", "--trace-format", "csv", "--kanata", folder / "run.log", "--worker", f"autocounter:file={folder}/life.tsv"]
    for harts, ending in ((2, (".hart0", ".hart1")), (1, ("",))):
        check(tipoff(*run, harts, *outputs, built(folder, f"-DHARTS={harts}", HERE / "wake.S"))[0] == 7, f"{harts} harts")
        for end in ending:
            heads = [(folder / f"{name}{end}.{kind}").read_text().split("\n", 1)[0] for name, kind in (("run", "csv"), ("run", "log"), ("life", "tsv"))]
            check(heads[0].startswith("cycle,rob_empty,") and heads[1] == "Kanata\t0004" and heads[2], f"{harts} harts: {heads}")
    check((folder / "run.hart0.csv").read_text() != (folder / "run.hart1.csv").read_text(), "each hart has a trace of its own")
    for option in ("--trace", "--kanata", "--stats"):
        status, out, err = tipoff(*run, 2, option, "/dev/full", program)
        check(status == 4 and err.count("\n") == 1 and "/dev/full" in err, f"{option}: status {status}: {err}")
    check(tipoff(*run, 2, "--trace", "/dev/null", "--stats", "/dev/null", program)[0] == 7, "/dev/null is everybody's")


@test
def inputs_are_kept(folder):
    """An output that is an input by the name of one hart alone."""
    text = pathlib.Path(built(folder, "-DHARTS=2", HERE / "wake.S")).read_bytes()
    for option, name in (("--stats", "x.hart1.json"), ("--trace", "x.hart0.csv")):
        program = folder / name
        program.write_bytes(text)
        typed = folder / f"x{program.suffix}"
        refused(["run", "--config", "small2c", "--harts", 2, "--no-cosim", option, typed, program], f"{program}")
        check(program.read_bytes() == text, f"{option}: the program is as it was")


if __name__ == "__main__":
    sys.exit(main())
