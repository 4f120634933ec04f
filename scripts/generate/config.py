"""tables/config_keys.tsv and tables/config/NAME.toml: the keys of a configuration, and their values."""
import json
import math
import pathlib
import tomllib
from typing import NamedTuple

from generate.csrs import held_asid
from generate.digests import tables_digest
from generate.reading import number, one_of, read_table, refuse_duplicates, TableError
from generate.records import SPACE_BITS
from generate.text import BANNER, c_header, clog2, md_table


class Config(NamedTuple):
    name: str
    keys: dict  # "section.key": value


def check_keys(path):
    rows = read_table(path)
    refuse_duplicates(path, rows, "key")
    for row in rows:
        row["min_n"], row["max_n"] = number(path, row, "min"), number(path, row, "max")
        one_of(path, row, "pow2", ("yes", "no"))
    return rows


def names(tables):
    return sorted(p.stem for p in (tables.folder / "config").glob("*.toml"))


def read(tables, name):
    """The configuration of that name, or of a file NAME.toml elsewhere (a foreign core's), validated."""
    path = pathlib.Path(name) if name.endswith(".toml") else tables.folder / "config" / f"{name}.toml"
    if not path.exists():
        raise TableError(f"{path}: no such configuration; there are: {', '.join(names(tables))}")
    keys = flatten(path)
    known = {row["key"]: row for row in tables.keys}
    for key, value in keys.items():
        if key not in known:
            raise TableError(f"{path}: unknown key {key}; the keys are in tables/config_keys.tsv")
        refuse_value(path, known[key], value)
    missing = [key for key in known if key not in keys]
    if missing:
        raise TableError(f"{path}: missing key {missing[0]} (legal range {known[missing[0]]['min']} to {known[missing[0]]['max']})")
    refuse_combinations(path, keys)
    return Config(path.stem, keys)


def flatten(path):
    """The values of a TOML file by section.key."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise TableError(f"{path}: byte {error.start} is not UTF-8; save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise TableError(f"{path}: not TOML: {error}") from error
    keys = {}
    for section, body in data.items():
        if not isinstance(body, dict):
            raise TableError(f"{path}: key {section} stands outside a section; put it under [core], [fetch], ...")
        keys.update({f"{section}.{key}": value for key, value in body.items()})
    return keys


def refuse_value(path, row, value):
    """A value that its key does not allow."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TableError(f"{path}: {row['key']} = {value!r}: a whole number is needed")
    if not row["min_n"] <= value <= row["max_n"]:
        raise TableError(f"{path}: {row['key']} = {value}: the legal range is {row['min_n']} to {row['max_n']}")
    if row["pow2"] == "yes" and value & (value - 1):
        raise TableError(f"{path}: {row['key']} = {value}: a power of two from {row['min_n']} to {row['max_n']} is needed")


def refuse_combinations(path, keys):
    """Values that are legal each, but not together."""
    width = keys["core.width"]
    if keys["core.rob_entries"] % width:
        raise TableError(f"{path}: core.rob_entries = {keys['core.rob_entries']}: a multiple of core.width = {width} is needed")
    if keys["core.int_pregs"] < 32 + width:
        raise TableError(f"{path}: core.int_pregs = {keys['core.int_pregs']}: at least {32 + width} are needed")
    if keys["core.fp"] and keys["core.fp_pregs"] < 32 + width:
        raise TableError(f"{path}: core.fp_pregs = {keys['core.fp_pregs']}: at least {32 + width} are needed")
    if keys["profile.counter"] >= 3 + keys["profile.counters"]:
        raise TableError(
            f"{path}: profile.counter = {keys['profile.counter']}: with profile.counters = {keys['profile.counters']} there are counters 3 to {2 + keys['profile.counters']}"
        )
    if keys["profile.tea"] and not keys["profile.vectors"]:
        raise TableError(f"{path}: profile.tea = 1: profile.vectors = 1 is needed: there is no vector to wait for")
    if keys["profile.vector_window"] and not keys["profile.vectors"]:
        raise TableError(f"{path}: profile.vector_window = {keys['profile.vector_window']}: profile.vectors = 1 is needed: there is no vector to keep")
    if keys["profile.tags"] and not keys["profile.vectors"]:
        raise TableError(f"{path}: profile.tags = {keys['profile.tags']}: profile.vectors = 1 is needed: a sampled instruction reports its events")
    if keys["profile.tags"] and not keys["profile.window"]:
        raise TableError(f"{path}: profile.tags = {keys['profile.tags']}: profile.window = 1 is needed: software reads the records through siselect")
    if 0 < keys["profile.ctr_depth"] < 16:
        raise TableError(f"{path}: profile.ctr_depth = {keys['profile.ctr_depth']}: 0 or a power of two from 16 to 256 is needed")
    if keys["profile.ctr_depth"] and not keys["profile.window"]:
        raise TableError(f"{path}: profile.ctr_depth = {keys['profile.ctr_depth']}: profile.window = 1 is needed: software reads the records through siselect")
    if keys["harts.coherent"] and keys["bus.axi"]:
        raise TableError(f"{path}: harts.coherent = 1: bus.axi = 0 is needed: the tile sends messages to a hub, and no lines")
    if keys["harts.coherent"] and keys["l1d.mshrs"] > 28:
        raise TableError(f"{path}: l1d.mshrs = {keys['l1d.mshrs']}: at most 28 with harts.coherent = 1: the hub knows 32 requests of a hart, 4 of instructions")
    if keys["fetch.buffer"] < keys["fetch.width"]:
        raise TableError(f"{path}: fetch.buffer = {keys['fetch.buffer']}: at least fetch.width = {keys['fetch.width']} is needed")


def derived(tables, config):
    """What follows from the keys: name, value and text."""
    keys, width = config.keys, config.keys["core.width"]
    return {
        "LaneBits": (clog2(width), "index of a lane"),
        "RobIdxBits": (clog2(keys["core.rob_entries"]) + 1, "ROB index with its wrap bit on top"),
        "PregBits": (clog2(keys["core.int_pregs"] + keys["core.fp"] * keys["core.fp_pregs"]), "physical register number"),
        "FtqBits": (clog2(keys["fetch.ftq"]), "fetch target queue index"),
        "BranchBits": (clog2(keys["core.branches"]), "snapshot number"),
        "LqBits": (clog2(keys["lsu.load_queue"]) + 1, "load queue index with wrap bit"),
        "SqBits": (clog2(keys["lsu.store_queue"]) + 1, "store queue index with wrap bit"),
        "MshrBits": (clog2(keys["l1d.mshrs"]), "MSHR number"),
        "Regions": (len(tables.regions), "regions of the physical address space that a tile knows"),
        "SpaceBits": (SPACE_BITS, "number of an address space: satp.PPN"),
        "AsidBits": (held_asid(tables.csrs).bit_length(), "bits of satp.ASID that are held"),
        "Units": (math.lcm(*range(1, width + 1)), "accounting units in a cycle: lcm(1..CoreWidth)"),
    }


def sv(tables, config):
    lines = [f"// {BANNER}", f"package config_pkg;  // tables/config/{config.name}.toml"]
    for row in tables.keys:
        if row["sv"] != "-":
            lines.append(f"  localparam int unsigned {row['sv']} = {config.keys[row['key']]};  // {row['text']}")
    for key, (value, text) in derived(tables, config).items():
        lines.append(f"  localparam int unsigned {key} = {value};  // {text}")
    return "\n".join(lines + ["endpackage", ""])


def c(_tables, config, _model):
    return c_header("CONFIG", [f"#define CONFIG_{key.upper().replace('.', '_')} {value}" for key, value in config.keys.items()])


def c_keys(tables):
    body = [
        "// Keys of a configuration. model: they shape the core, so that a change is another model; the others only the C side reads.",
        "struct config_key { const char *name; uint32_t min, max; bool power_of_two, model; const char *text; };",
        f"#define CONFIG_KEY_COUNT {len(tables.keys)}",
        "#define CONFIG_KEY_ROWS \\",
    ]
    body += [
        "    "
        + ", \\\n    ".join(
            f'{{"{r["key"]}", {r["min_n"]}, {r["max_n"]}, {str(r["pow2"] == "yes").lower()}, {str(r["sv"] != "-").lower()}, {json.dumps(r["text"])}}}'
            for r in tables.keys
        )
    ]
    return c_header("CONFIG_KEYS", body)


def doc_keys(tables):
    return md_table(tables.keys, ("key", "min", "max", "pow2", "text"))


def as_json(tables, config, model):
    """What the C side reads beside a model (csrc/config)."""
    return json.dumps({"name": config.name, "digest.tables": tables_digest(tables), "digest.model": model, **config.keys}, indent=1) + "\n"
