#!/usr/bin/env python3
"""Configurations that are not built: `tipoff config` lists them with the command that builds each, a run says the same command.

    tests/cli/test_configurations.py [--only TEXT]

Needs build/bin/tipoff, build/workloads/interp.tiny.elf, the model of small2.
"""
import csv
import io
import shutil
import sys
import tomllib

from cli import ROOT, RUN, TINY, TIPOFF, check, copy_of_build, main, refused, test, tipoff


def copy_with_tables(folder):
    """A build of small2 in a tree with tables of three configurations, and files beside them that are none. Returns its command."""
    command = copy_of_build(folder)
    (folder / "tables/config").mkdir(parents=True)
    for name in ("alpha.toml", "small2.toml", "zeta-9.toml", "alpha.toml~", ".alpha.toml", "readme.md", ".toml"):
        (folder / "tables/config" / name).write_text("")
    (folder / "tables/config" / "alpha.toml").write_text("# One.\n[core]\nwidth = 3  # lanes\nrob_entries = 48\n\n[clock]\nmhz = 1600\n")
    (folder / "build/tests").mkdir()
    return command


@test
def listed(folder):
    status, out, err = tipoff("config", command=copy_with_tables(folder))
    check((status, err) == (0, ""), f"status {status}: {err}")
    check(
        out.splitlines()
        == [
            "  name    width    MHz  model",
            "  alpha       3  1,600  not built: make build/alpha/model.so",
            "  small2      2  3,200  built",
            "  zeta-9      -      -  not built: make build/zeta-9/model.so",
        ],
        out,
    )


@test
def generated_but_not_built(folder):
    """`make gen` is no model."""
    command = copy_with_tables(folder)
    (folder / "build/small2/model.so").unlink()
    line = "  small2      2  3,200  not built: make build/small2/model.so"
    check(line in tipoff("config", command=command)[1].splitlines(), "its keys are known, its model is not built")
    check(tipoff("config", "small2", command=command)[0] == 0, "its keys can be printed")
    refused([*RUN, TINY], "make build/small2/model.so", command=command)


@test
def asked_for(folder):
    """Not built: the command that builds it. Unknown: all names. The same words from each command, and nothing is written."""
    command = copy_with_tables(folder)
    for arguments in (
        ["run", "--config", "alpha", "--samples", folder / "s", "--period", 97, TINY],
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
    check(tipoff("config", command=command)[1].splitlines()[1:] == ["  small2      2  3,200  built"], "small2 alone")
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
    for name in sorted(names):
        config = tomllib.loads((ROOT / f"tables/config/{name}.toml").read_text(encoding="utf-8"))
        words = [f"{config['core']['width']}", f"{config['clock']['mhz']:,}"]
        check(rows[name].split()[1:3] == words, f"{rows[name]}: {words} in its table, built or not")


def rows_of(*arguments, command=TIPOFF):
    status, out, err = tipoff("config", *arguments, "--format", "csv", command=command)
    check((status, err) == (0, ""), f"config {arguments}: status {status}: {err}")
    return list(csv.DictReader(io.StringIO(out)))


@test
def keys(_):
    """--keys: every key of the table with its text, range and default, and the value of the configuration's own file."""
    with open(ROOT / "tables/config_keys.tsv", encoding="utf-8") as table:
        facts = list(csv.DictReader((line for line in table if not line.startswith("#")), delimiter="\t"))
    values = {name: tomllib.loads((ROOT / f"tables/config/{name}.toml").read_text(encoding="utf-8")) for name in ("rob16", "tea4")}
    found = rows_of("rob16", "--keys")
    check([row["key"] for row in found] == [fact["key"] for fact in facts], "all keys, in the order of the table")
    for row, fact in zip(found, facts):
        section, key = fact["key"].split(".")
        expected = [str(values[name][section][key]) for name in ("rob16", "tea4")] + [fact["min"], fact["max"], fact["text"]]
        check([row[name] for name in ("value", "default", "min", "max", "text")] == expected, f"{row}: {expected} expected")
        check((row["pow2"] == "2^n") == (fact["pow2"] == "yes"), f"{row}")
    check([row["value"] for row in rows_of("--keys")] == [row["default"] for row in found], "without a name: the default's")
    refused(["config", "--keys", "small2", "tea4"], "of one configuration", lines=0)


@test
def difference(folder):
    """Two configurations: the keys that differ, each with both values; of a file that is not built, too."""
    one, other = (tomllib.loads((ROOT / f"tables/config/{name}.toml").read_text(encoding="utf-8")) for name in ("small2", "rob16"))
    expected = {
        f"{section}.{key}": (str(value), str(other[section][key])) for section in one for key, value in one[section].items() if other[section][key] != value
    }
    check({row["key"]: (row["small2"], row["rob16"]) for row in rows_of("small2", "rob16")} == expected, f"{expected} expected")
    check(rows_of("small2", "small2") == [], "nothing")
    rows = {row["key"]: row for row in rows_of("alpha", "small2", command=copy_with_tables(folder))}
    check((rows["core.width"]["alpha"], rows["core.width"]["small2"]) == ("3", "2"), f"{rows['core.width']}")
    check(rows["llc.kib"]["alpha"] == "", "a key that a table lacks")


if __name__ == "__main__":
    sys.exit(main())
