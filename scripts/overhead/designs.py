"""What is measured: the sources of a unit or of a core, with the packages of its configuration."""
import atexit
import os
import pathlib
import re
import shutil
import subprocess
import sys

import library
import state

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "formal"))
from prove import packages  # noqa: E402

ROOT = library.ROOT
HERE = pathlib.Path(__file__).resolve().parent
RIVALS = ROOT / "rtl/profile/rivals"
# What a core has: keys of its configuration, and the parameter of the wrapper.
VARIANTS = {"none": ("tea=0 vectors=0 counters=1", 0), "TIP": ("tea=0 vectors=0 counters=1", 1), "TIP and TEA": ("tea=1 vectors=1 counters=1", 1)}


def generated_room():
    """A folder of this run's own, for as long as it lasts."""
    room = library.ROOM / "gen" / str(os.getpid())
    if not room.exists():
        room.mkdir(parents=True)
        atexit.register(shutil.rmtree, room, ignore_errors=True)
    return room


def generated(width, keys):
    """The packages that the units need, of a configuration of that width; others of its keys as in 'tea=1 counters=1'."""
    values = dict(word.split("=") for word in keys.split())
    folder = generated_room() / f"w{width}-{keys.replace(' ', '-').replace('=', '')}"
    made = packages(width, folder, tea=values.pop("tea"), others=tuple(values.items()))
    return [path for path in made if not path.endswith("memory_map_pkg.sv")]


def units_files():
    return [str(ROOT / line) for line in (ROOT / "rtl/profile.f").read_text().splitlines() if line and not line.startswith("//")]


# The configurations of other names that have all that samples, by their lanes.
LIKE = {"full": {1: "narrow1", 8: "wide8"}}


def design_in_core(unit, width):
    """The same of a unit that reads the core's packages: 'like=full' among its keys takes those of narrow1, full2, full4 or wide8 instead of small2's made that wide."""
    values = dict(word.split("=") for word in unit["keys"].split())
    like = values.pop("like")
    made = core_packages(LIKE[like].get(width, f"{like}{width}"), " ".join(f"{key}={value}" for key, value in values.items()))
    files = [
        *made,
        str(pathlib.Path(made[0]).parent / "instruction_sample_pkg.sv"),
        str(ROOT / "rtl/prim/assert.svh"),
        *listed("rtl/core.f"),
        *listed("rtl/profile.f"),
    ]
    return {"top": unit["top"], "files": list(dict.fromkeys(files))}, state.constants(made)


def design_of(unit, width):
    """What flow.measure takes, of a row of units.tsv at a width; and the constants of its packages."""
    if "like=" in unit["keys"]:
        return design_in_core(unit, width)
    made = generated(width, unit["keys"])
    files = [*made, str(ROOT / "rtl/pkg/ring_pkg.sv"), str(ROOT / "rtl/pkg/core_pkg.sv"), str(ROOT / "rtl/prim/assert.svh"), *units_files()]
    wrapper = HERE / f"rtl/{unit['top']}.sv"
    if wrapper.exists():
        files.append(str(wrapper))
    if (RIVALS / f"{unit['top']}.sv").exists():
        files += [str(RIVALS / "rival_pkg.sv"), *(str(path) for path in sorted(RIVALS.glob("*.sv")) if not path.stem.endswith("_pkg"))]
    return {"top": unit["top"], "files": files}, state.constants(made)


def core_packages(config, keys):
    """Those of a configuration with other values of these keys."""
    folder = generated_room() / f"{config}-{keys.replace(' ', '-').replace('=', '')}"
    tables = folder / "tables"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "tables", tables)
    path = tables / f"config/{config}.toml"
    text = path.read_text()
    for key, value in (word.split("=") for word in keys.split()):
        text = re.sub(rf"^{key} = \d+", f"{key} = {value}", text, flags=re.MULTILINE)
    path.write_text(text)
    subprocess.run([sys.executable, ROOT / "scripts/gen.py", "--tables", tables, "config", config, folder / "gen"], check=True)
    return [str(folder / f"gen/{name}_pkg.sv") for name in ("config", "events", "csrs", "memory_map", "instructions", "records")]


def listed(name):
    return [str(ROOT / line) for line in (ROOT / name).read_text().splitlines() if line and not line.startswith("//")]


def core_design(design, variant):
    """What flow_cores.measure takes, of a row of cores.tsv."""
    keys, units = VARIANTS[variant]
    files = [
        *core_packages(design["config"], keys),
        str(ROOT / "rtl/prim/assert.svh"),
        *listed("rtl/core.f"),
        *listed("rtl/profile.f"),
    ]
    what = {"top": design["top"], "files": files}
    wrapper = HERE / f"rtl/{design['top']}.sv"
    if wrapper.exists():
        what["files"].append(str(wrapper))
        what["parameters"] = f"Units={units}"
    return what
