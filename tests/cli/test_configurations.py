#!/usr/bin/env python3
"""Configurations that are not built: `tipoff config` lists them with the command that builds each, a run says the same command.

    tests/cli/test_configurations.py [--only TEXT]

Needs build/bin/tipoff, build/workloads/interp.tiny.elf, the model of small2.
"""
import shutil
import sys

from cli import ROOT, RUN, TINY, check, copy_of_build, main, refused, test, tipoff


def copy_with_tables(folder):
    """A build of small2 in a tree with tables of three configurations, and files beside them that are none. Returns its command."""
    command = copy_of_build(folder)
    (folder / "tables/config").mkdir(parents=True)
    for name in ("alpha.toml", "small2.toml", "zeta-9.toml", "alpha.toml~", ".alpha.toml", "readme.md", ".toml"):
        (folder / "tables/config" / name).write_text("")
    (folder / "build/tests").mkdir()
    return command


@test
def listed(folder):
    status, out, err = tipoff("config", command=copy_with_tables(folder))
    check((status, err) == (0, ""), f"status {status}: {err}")
    check(
        out.splitlines()
        == [
            "name         width    MHz  model",
            "alpha            -      -  not built: make build/alpha/model.so",
            "small2           2   3200  built",
            "zeta-9           -      -  not built: make build/zeta-9/model.so",
        ],
        out,
    )


@test
def generated_but_not_built(folder):
    """`make gen` is no model."""
    command = copy_with_tables(folder)
    (folder / "build/small2/model.so").unlink()
    line = "small2           2   3200  not built: make build/small2/model.so"
    check(line in tipoff("config", command=command)[1].splitlines(), "its keys are known, its model is not built")
    check(tipoff("config", "small2", command=command)[0] == 0, "its keys can be printed")
    refused([*RUN, TINY], "make build/small2/model.so", command=command)


@test
def asked_for(folder):
    """Not built: the command that builds it. Unknown: all names. The same words from each command, and nothing is written."""
    command = copy_with_tables(folder)
    for arguments in (
        ["run", "--config", "alpha", "--samples", folder / "s", "--period", 97, TINY],
        ["config", "alpha"],
        ["linux", "--config", "alpha", "--", TINY],
    ):
        refused(arguments, "alpha: this configuration is not built: make build/alpha/model.so\n", command=command)
    for arguments in (["run", "--config", "alph", "--samples", folder / "s", "--period", 97, TINY], ["config", "alph"]):
        refused(arguments, "alph: no such configuration: use one of alpha, small2, zeta-9\n", command=command)
    check(not (folder / "s").exists(), "nothing is written")


@test
def without_tables(folder):
    """An installed tipoff: what is there is all there is."""
    command = copy_of_build(folder)
    check(tipoff("config", command=command)[1].splitlines()[1:] == ["small2           2   3200  built"], "small2 alone")
    refused(["config", "alpha"], "alpha: no such configuration: use one of small2\n", command=command)
    shutil.rmtree(folder / "build/small2")
    refused(["config"], "no configuration here: run make build", command=command)
    refused([*RUN, TINY], "small2: no such configuration, and no other one is built: build one (make build/tea4/model.so)", command=command)


@test
def of_the_tree(_):
    """Each file of tables/config is in the list."""
    out = tipoff("config")[1]
    rows = {line.split()[0]: line for line in out.splitlines()[1:]}
    names = {path.stem for path in (ROOT / "tables/config").glob("*.toml")}
    check(names <= set(rows), f"{names - set(rows)} are missing: {out}")


if __name__ == "__main__":
    sys.exit(main())
