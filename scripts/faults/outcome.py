"""What became of a run with a fault, beside the same run without one."""
import csv
import pathlib
import re

BY_CORE = {"state_cycles", "topdown", "memory"}  # of the statistics: these the C side counts, of signals that the shadow ROB and memory are held to
LIMIT = 0.001  # share of the time that may be booked elsewhere


def profile(path):
    try:
        lines = pathlib.Path(path).read_text(encoding="utf-8").split("\n", 1)[1]
    except (OSError, IndexError):
        return None
    shares = {(row["pc"], row["state"], row["psv"], row.get("mode"), row.get("space")): int(row["weight"]) for row in csv.DictReader(lines.splitlines())}
    total = sum(shares.values())
    return {key: weight / total for key, weight in shares.items()} if total else None


def distance(a, b):
    return sum(abs(a.get(key, 0) - b.get(key, 0)) for key in a.keys() | b.keys()) / 2


def stopper(text):
    """(check, cycle): from the line that ends a stopped run."""
    assertion = re.search(r"Assertion failed in \S*?\.?(\w+): '?(\w+)?|%Error: \S+\.sv:\d+: Assertion failed in ([\w.]+)", text)
    line = next((line for line in reversed(text.splitlines()) if line.startswith("tipoff: ")), "")
    cycle = re.search(r"cycle (\d+)", line)
    if "model failed" in line:
        name = re.search(r"Assertion failed in TOP\.[\w.]*?(\w+)(?:: |\s*$)", text, re.M)
        return "assertion" + (f" {name[1]}" if name else ""), cycle and int(cycle[1])
    name = re.match(r"tipoff: ([\w -]+?):", line)
    return name[1] if name else (line[8:60] or ("assertion" if assertion else "?")), cycle and int(cycle[1])


def verdict(good, bad):
    if bad["stopped"]:
        name, cycle = stopper(bad["text"])
        return "stopped", f"{name} ({cycle:,})" if cycle is not None else name
    if bad["status"] == 124 and good["status"] != 124:
        return "hangs", ""
    if (bad["cycles"], bad["instructions"]) != (good["cycles"], good["instructions"]):
        return "slower", f"{bad['cycles'] or 0:,} of {good['cycles']:,} cycles"
    if bad["status"] != good["status"]:
        return "stopped", f"the program's own check (status {bad['status']})"
    other = sorted(name for name in good["numbers"].keys() | bad["numbers"].keys() if good["numbers"].get(name) != bad["numbers"].get(name))
    if BY_CORE & set(other):
        return "slower", f"the same cycles, but other {', '.join(sorted(BY_CORE & set(other)))}"
    if other:
        return "WRONG", ", ".join(other)
    apart = distance(good["profile"], bad["profile"]) if bad["profile"] and good["profile"] else 1.0
    return ("equal", "") if apart <= LIMIT else ("WRONG", f"{100 * apart:.1f} %")
