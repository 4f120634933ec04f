#!/usr/bin/env python3
"""The model with waveforms: built when --fst asks for it first, and as the model without them in all that it does.

    tests/cli/test_waves.py [--only TEXT]

Needs build/bin/tipoff, build/small2/model.so, build/small2/model-fst.so and the small workloads. Last line: 'N passed, M failed'.
"""
import json
import os
import shutil
import sys

from cli import MODEL, ROOT, RUN, SMALL, check, copy_of_build, main, measured, refused, test, tipoff

WAVES = ROOT / "build/small2/model-fst.so"
SAYS = "tipoff: building the model with waveforms: make build/small2/model-fst.so"
SHORT = ("--quiet", "--fst-to", 20, "--max-cycles", 40, SMALL)
MADE = "\t@echo . >> made\n\t@cp from.so build/small2/model-fst.so\n"


def tree(folder, rule):
    """A source tree whose Makefile has this rule for the model with waveforms, in the place of minutes of compiling. Its command."""
    command = copy_of_build(folder)
    (folder / "tables/config").mkdir(parents=True)
    (folder / "tables/config/small2.toml").touch()
    (folder / "Makefile").write_text(f"build/small2/model-fst.so: source\n{rule}")
    (folder / "source").touch()
    os.utime(folder / "source", (1, 1))
    shutil.copy(WAVES, folder / "from.so")
    return command


def run(folder, command, env=None):
    """A run with waveforms. Status, lines on stderr, how often make has built."""
    fst, made = folder / "w.fst", folder / "made"
    fst.unlink(missing_ok=True)
    status, _, err = tipoff(*RUN, "--fst", fst, *SHORT, command=command, env=env)
    check((status == 124) == (fst.exists() and fst.stat().st_size > 1000), f"status {status}, waveforms: {fst.exists()}: {err}")
    return status, err.splitlines(), len(made.read_text().splitlines()) if made.exists() else 0


@test
def built_when_missing(folder):
    """By make, once, with one line; also where make has started the run, whose job server is not its own."""
    command = tree(folder, MADE)
    status, said, made = run(folder, command, env={**os.environ, "MAKEFLAGS": " -n --jobserver-auth=98,99", "MAKELEVEL": "1"})
    check((status, len(said), made) == (124, 1, 1) and said[0].startswith(SAYS), f"status {status}, built {made} times: {said}")
    check(run(folder, command) == (124, [], 1), "it exists now")


@test
def of_older_sources(folder):
    """Older than the model without: make says whether it was built from the same sources. Then it is not asked again."""
    command = tree(folder, MADE)
    waves, plain = folder / "build/small2/model-fst.so", folder / "build/small2/model.so"
    shutil.copy(WAVES, waves)
    os.utime(waves, (1000, 1000))
    check(run(folder, command) == (124, [], 0), "make would not build it")
    check(waves.stat().st_mtime >= plain.stat().st_mtime, "its time shows it")
    os.utime(waves, (1000, 1000))
    os.utime(folder / "source", (2000, 2000))
    status, said, made = run(folder, command)
    check((status, len(said), made) == (124, 1, 1) and said[0].startswith(SAYS), f"status {status}, built {made} times: {said}")


@test
def cannot_be_built(folder):
    command = tree(folder, "\t@echo the compiler is gone; exit 1\n")
    status, said, _ = run(folder, command)
    log = folder / "build/small2/model-fst.log"
    check(
        status == 2 and len(said) == 2 and said[0].startswith(SAYS) and str(log) in said[1] and "make build/small2/model-fst.so" in said[1], f"{status}: {said}"
    )
    check("the compiler is gone" in log.read_text(), log.read_text())


@test
def outside_a_tree(folder):
    """Where the command is installed nothing can be built: it exists, or the message says what to type where."""
    command = copy_of_build(folder)
    at = folder / "build/small2/model-fst.so"
    refused([*RUN, "--fst", folder / "w.fst", *SHORT], f"{at}: no model with waveforms", "make build/small2/model-fst.so", command=command)
    shutil.copy(WAVES, at)
    os.utime(at, (1000, 1000))
    check(run(folder, command) == (124, [], 0), "it exists, whatever its time")
    digest = json.loads((ROOT / "build/small2/gen/config.json").read_text())["digest.model"].encode()
    at.write_bytes(at.read_bytes().replace(digest, b"0123456789abcdef"))
    refused([*RUN, "--fst", folder / "w.fst", *SHORT], f"{at}: built from other tables", "make build/small2/model-fst.so", command=command)
    at.write_text("no model")
    refused([*RUN, "--fst", folder / "w.fst", *SHORT], f"{at}: cannot load", "make build/small2/model-fst.so", command=command)


@test
def a_model_that_is_named(folder):
    """One without waveforms is no model for --fst; one with them is."""
    refused([*RUN, "--model", MODEL, "--fst", folder / "w.fst", *SHORT], f"{MODEL}: this model has no waveforms", "make build/small2/model-fst.so")
    status, _, err = tipoff(*RUN, "--model", WAVES, "--fst", folder / "w.fst", *SHORT)
    check((status, err) == (124, "") and (folder / "w.fst").stat().st_size > 1000, f"status {status}: {err}")


@test
def the_same_core(folder):
    """Cycles, profile and samples are those of the model without waveforms, whatever reset leaves open: Verilator draws that in another order."""
    for program in ("chase", "compress"):
        seen = []
        for model in (MODEL, WAVES):
            tips = folder / "s.tips"
            stats, rows, _ = measured(folder, "--quiet", "--model", model, "--period", 97, "--samples", tips, ROOT / f"build/workloads/{program}.small.elf")
            seen.append((stats["cycles"], stats["instructions"], rows, tipoff("samples", tips)[1]))
        check(seen[0] == seen[1] and len(seen[0][3]) > 1000, f"{program}: {seen[0][:2]} and {seen[1][:2]}")


if __name__ == "__main__":
    sys.exit(main())
