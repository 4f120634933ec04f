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
    keys: dict  # {key: new value} of those that change
    model: str  # folder in build/sensitivity that its model is in; "": the configuration's own
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


def value_set(word, keys, limits):
    """(key, value) of --set KEY=VALUE."""
    key, equals, text = word.partition("=")
    if key not in keys or key.startswith("ideal."):
        raise Error(f"--set {word}: write KEY=VALUE with a key of tables/config_keys.tsv; ideal parts are changes: --only names them")
    least, most = int(limits[key]["min"]), int(limits[key]["max"])
    if not equals or not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
        raise Error(f"--set {word}: give {key} a number from {least} to {most}")
    return key, int(text)


def split(keys, limits):
    """Those that shape a model, and those of a run."""
    shapes = {key: value for key, value in keys.items() if limits[key]["sv"] != "-"}
    return shapes, {key: value for key, value in keys.items() if key not in shapes}


def model_name(config, shapes):
    return ".".join([config, *(f"{key.replace('.', '_')}-{value}" for key, value in shapes.items())]) if shapes else ""


def all_of(root, config, sets=()):
    """The core itself, a change without a name: the configuration with `sets` (KEY=VALUE); and the changes that it can take, in the order of the table."""
    keys = configuration(root / f"tables/config/{config}.toml")
    limits = {row["key"]: row for row in table(root / "tables/config_keys.tsv")}
    own = dict(value_set(word, keys, limits) for word in sets)
    keys |= own
    own_shapes, own_run = split(own, limits)
    base = Change("", "", "as it is", {}, model_name(config, own_shapes), own_shapes, own_run)
    made = []
    for row in table(root / "tables/sensitivity.tsv"):
        found = new_values(row, keys, limits)
        if not found:
            continue
        if any(key.startswith("l2.") for key in found) and not keys["l2.kib"]:
            continue
        shapes, run = split(found, limits)
        shapes, run = own_shapes | shapes, own_run | run
        model = model_name(config, shapes)
        if any(key.startswith("ideal.") for key in run):
            model = f"{base.model or config}.ideal"
            shapes["ideal.sockets"] = 1
        made.append(Change(row["name"], row["resource"], row["text"], found, model, shapes, run))
    return base, made


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
