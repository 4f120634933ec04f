#!/usr/bin/env python3
"""Says which members of a Verilated model go on while the core is idle: FREE(kind, member), by harness/free_registers.tsv."""
import fnmatch
import re
import sys

MEMBER = re.compile(r"(?:VlWide<[^>]*>|VlUnpacked<.*>|CData|SData|IData|QData)(?:/\*[^*]*\*/)? (\w+);$")


def table(path):
    rows = [line.rstrip("\n").split("\t") for line in open(path, encoding="utf-8") if not line.startswith("#")]
    return [(pattern, kind) for pattern, kind, _ in rows[1:]]


def kind_of(member, rows):
    """That of the first row which the name matches, as RTL spells it. Next values go on as their registers do."""
    register = member.removeprefix("__Vdly__")
    if register != member:
        kind = kind_of(register, rows)
        return kind if kind != "rest" else "follows"
    name = member.replace("__DOT____Vlvbound", ".__Vlvbound").replace("__DOT__", ".")
    return next((kind for pattern, kind in rows if fnmatch.fnmatchcase(name, pattern)), "rest")


def members(path):
    with open(path, encoding="utf-8") as header:
        for line in header:
            match = MEMBER.match(line.strip())
            if match:
                yield match.group(1)


def main():
    rows = table(sys.argv[1])
    for member in members(sys.argv[2]):
        kind = kind_of(member, rows)
        if kind != "rest":
            print(f"FREE({kind}, {member})")


if __name__ == "__main__":
    main()
