"""The changes of tables/sensitivity.tsv, made to a configuration: which keys get which values, and what has to be built for it."""
import csv
import re
import tomllib
from typing import NamedTuple

STEP = re.compile(r"([a-z0-9_]+\.[a-z0-9_]+)([=+*/])(\d+)")


class Error(Exception):
    """One line: what, fault, remedy."""


class Change(NamedTuple):
    name: str
    resource: str  # what it makes faster: rows of one resource are different steps of it
    text: str
    keys: dict     # {key: new value} of those that change
    model: str     # folder in build/sensitivity that its model is in; "": the configuration's own
    model_keys: dict
    run_keys: dict  # for --set


def table(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"))


def configuration(path):
    """{key: value} of a configuration's file."""
    try:
        with open(path, "rb") as file:
            return {f"{section}.{key}": value for section, body in tomllib.load(file).items() for key, value in body.items()}
    except FileNotFoundError as error:
        raise Error(f"{path}: no such configuration: name one of `tipoff config`") from error


def stepped(value, operator, number):
    return {"=": number, "+": value + number, "*": value * number, "/": value // number}[operator]


def new_values(row, keys, limits):
    """{key: value} of the row's changes; empty: a key is at its limit, or it is what the configuration has already."""
    found = {}
    for word in row["changes"].split():
        match = STEP.fullmatch(word)
        if not match or match[1] not in keys:
            raise Error(f"tables/sensitivity.tsv: {row['name']}: {word}: write KEY=VALUE, KEY+N, KEY*N or KEY/N with a key of tables/config_keys.tsv")
        value = stepped(keys[match[1]], match[2], int(match[3]))
        if not int(limits[match[1]]["min"]) <= value <= int(limits[match[1]]["max"]) or value == keys[match[1]]:
            return {}
        found[match[1]] = value
    width, rob = found.get("core.width", keys["core.width"]), found.get("core.rob_entries", keys["core.rob_entries"])
    if rob % width:
        found["core.rob_entries"] = rob + width - rob % width
    return found


def all_of(root, config):
    """Those that this configuration can take, in the order of the table."""
    keys = configuration(root / f"tables/config/{config}.toml")
    limits = {row["key"]: row for row in table(root / "tables/config_keys.tsv")}
    made = []
    for row in table(root / "tables/sensitivity.tsv"):
        found = new_values(row, keys, limits)
        if not found:
            continue
        if any(key.startswith("l2.") for key in found) and not keys["l2.kib"]:
            continue
        shapes = {key: value for key, value in found.items() if limits[key]["sv"] != "-"}
        run = {key: value for key, value in found.items() if limits[key]["sv"] == "-"}
        if any(key.startswith("ideal.") for key in run):
            shapes["ideal.sockets"] = 1
            model = f"{config}.ideal"
        else:
            model = ".".join([config, *(f"{key.replace('.', '_')}-{value}" for key, value in shapes.items())]) if shapes else ""
        made.append(Change(row["name"], row["resource"], row["text"], found, model, shapes, run))
    return made


def together(changes, config):
    """One change of several, for those that take the same model: all ideal parts at once, say."""
    first = changes[0]
    if any(change.model != first.model for change in changes):
        raise Error(f"{'+'.join(change.name for change in changes)}: these take different models: put ideal parts together, or changes of the run")
    keys, run = {}, {}
    for change in changes:
        keys |= change.keys
        run |= change.run_keys
    return Change("+".join(change.name for change in changes), "together", "together", keys, first.model, first.model_keys, run)
