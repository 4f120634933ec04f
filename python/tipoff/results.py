"""Results of several runs or harts as those of one, by the merge rules of tables/results.tsv."""
import sys

from .container import Error
from .result_names import RESULTS


def _most(kind):
    """The greatest value of a type that has sums."""
    return sys.float_info.max if kind == "f64" else (1 << int(kind.strip("u+") if kind != "cycle" else 64)) - 1


_KINDS = {name: (kind, {field: rule for field, _, rule in fields.values()}) for name, kind, fields in RESULTS.values()}
_MOST = {(name, field): _most(kind) for name, _, fields in RESULTS.values() for field, kind, rule in fields.values() if rule == "sum"}
_RULES = {"sum": lambda a, b: a + b, "max": max, "min": min, "last": lambda _, b: b}


def _row(name, own, other, rules):
    """False: fields without a rule differ."""
    for field, value in other.items():
        rule = rules[field]
        if field not in own:
            own[field] = value
        elif rule in _RULES:
            own[field] = _RULES[rule](own[field], value)
            if rule == "sum" and abs(own[field]) > _MOST[name, field]:
                raise Error(f"result {name}, field {field}: the sum is too large: merge fewer")
        elif own[field] != value:
            return False
    return True


def _rows(name, own, others, rules):
    keys = [field for field, rule in rules.items() if rule == "key"]
    known = {tuple(row.get(key) for key in keys): row for row in own}
    for other in others:
        key = tuple(other.get(key) for key in keys)
        if key not in known:
            known[key] = dict(other)
            own.append(known[key])
        elif not _row(name, known[key], other, rules):
            return False
    return True


def merge(*runs):
    """One dict of results made of several (Samples.results): rows with the same keys become one, field by field; rows of lists follow on each other. A
    result whose fields have no rule and differ is left out. Nobody looks whether they ran one program."""
    merged, apart = {}, set()
    for results in runs:
        for name, rows in results.items():
            if name not in _KINDS:
                raise Error(f"{name}: no result: docs/reference/results.md lists them")
            kind, rules = _KINDS[name]
            own = merged.setdefault(name, [])
            if kind == "list":
                own += [dict(row) for row in rows]
            elif not _rows(name, own, rows, rules):
                apart.add(name)
    return {name: rows for name, rows in merged.items() if name not in apart}
