"""Statistics of a run, `tipoff run --stats FILE`: JSON, as a dict; and the same of a sample file, from its results."""
import itertools
import json
import sys

from .container import Error
from .result_names import STATISTICS

MODES = {"U": 0, "S": 1, "M": 3}
EXACT = 10**15  # integers in JSON are written as such up to here


def statistics(path):
    """The dict. docs/guide/profiling.md, "Files for other programs", has what is in it."""
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except OSError as error:
        raise Error(f"{path}: cannot open: {error.strerror}: name a file that exists") from None
    except (ValueError, RecursionError):  # also of a path that is none
        found = None
    if not isinstance(found, dict):
        raise Error(f"{path}: not JSON: name a file that tipoff run --stats has written")
    return found


def of_results(header, results, states):
    """As --stats: csrc/profile/result_statistics.c makes it there, from the same table."""
    found = {name: header.get(name) for name in ("config", "settings", "program")}
    names = {"state": states, "event": header["events"]}
    for result, shape, key, rows_key, fields in STATISTICS:
        if result not in results:
            continue
        rows = results[result]
        if shape == "members":
            place = found if key == "." else _inner(found, key, {})
            for row in rows:
                _members(place, row, fields)
        elif shape == "names":
            place = _inner(found, key, {})
            (first, _, kind), *rest = fields
            for row in rows:
                name = names[kind][row[first]] if kind in names else row[first]
                place[name] = _members({}, row, rest) if len(rest) > 1 else _value(row[rest[0][0]], rest[0][2])
        else:
            place = _inner(found, key, [])
            if shape == "groups":
                place += _groups(rows, rows_key, fields)
            elif shape == "objects":
                place += [_members({}, row, fields) for row in rows]
            else:
                place += [[row[name] for name, _, _ in fields] for row in rows]
    return found


def _inner(found, key, made):
    *outer, last = key.split(".")
    for name in outer:
        found = found.setdefault(name, {})
    return found.setdefault(last, made)


def _value(value, kind):
    if kind == "flag":
        return bool(value)
    if kind != "f64":
        return value
    if value.is_integer() and abs(value) < EXACT:
        return int(value)
    short = float(f"{value:.15g}")  # as cJSON prints it, where that is as good as the same
    return short if abs(short - value) <= max(abs(short), abs(value)) * sys.float_info.epsilon else value


def _members(place, row, fields):
    for name, member, kind in fields:
        if kind == "place":
            address, mode, space = row[name]
            place |= {"pc": f"0x{(1 << 64) - 1 if address is None else address:x}", "mode": MODES.get(mode, 2), "space": space}
        elif name in row:  # a field that came with a later version may be missing
            outer, _, inner = member.rpartition(".")
            (_inner(place, outer, {}) if outer else place)[inner] = _value(row[name], kind)
    return place


def _groups(rows, rows_key, fields):
    """Rows as text, by the contexts of their places; that of nowhere is the other's."""
    places = [name for name, _, kind in fields if kind == "place"]
    labels = [("mode", "space")] if len(places) == 1 else [("from_mode", "from_space"), ("to_mode", "to_space")]

    def contexts(row):
        known = [row[name] for name in places]
        return [(known[1 - i] if len(known) == 2 and place[0] is None else place)[1:] for i, place in enumerate(known)]

    groups = []
    for context, members in itertools.groupby(rows, contexts):
        group = {}
        for (mode, space), (own_mode, own_space) in zip(labels, context):
            group |= {mode: MODES.get(own_mode, 2), space: own_space}
        groups.append(group | {rows_key: [" ".join(_word(row[name], kind, name in places) for name, _, kind in fields) for row in members]})
    return groups


def _word(value, kind, place):
    if place:
        return "-" if value[0] is None else f"{value[0]:x}"
    return f"{value:x}" if kind == "psv" else str(value)
