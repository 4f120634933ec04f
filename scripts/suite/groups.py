"""The groups of tests/suite.toml and their tests: names, commands, what belongs to `make test`, and what make has to build for them."""
import dataclasses
import difflib
import fnmatch
import glob
import itertools
import pathlib
import re
import string
import tomllib

import stale

ROOT = pathlib.Path(__file__).resolve().parents[2]
SUITE, ALL = "suite", "all"
KEYS = {"name", "command", "timeout", "glob", "except", "variants", "seeds", "batch", "for", "short", "optional", "needs", "inputs"}
EMPTY = " (empty)"
CLOSE = 0.6  # of two names, to be offered one for the other
DEFAULT_NEEDS = "need-small"  # what a script that runs the command may run it on
# What a command names of build/ and does not write itself.
BUILT = re.compile(r"build/(?:bin/tipoff[\w-]*|tests/unit[\w-]*/[\w./-]+|[\w./*-]+\.(?:elf|so)|tests/isa/qemu_compare)")


class SuiteError(Exception):
    """The file of the suite is not as it has to be: one line."""


@dataclasses.dataclass(frozen=True)
class Test:
    """One test. inputs, needs: as its group says, with what differs from test to test put in."""

    name: str
    command: str
    timeout: int
    group: str
    inputs: tuple
    needs: tuple


class Anything(string.Formatter):
    """Puts in what an item has, and "*" for what it does not have."""

    def get_value(self, key, args, kwargs):
        return kwargs.get(key, "*")


FORMATTER = Anything()


def load(path):
    """The file of a suite, its groups without a key that nobody reads."""
    try:
        suite = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as reason:
        raise SuiteError(f"{path}: {reason}") from None
    for group in suite.get("group", []):
        missing, unknown = {"name", "command"} - set(group), set(group) - KEYS
        if missing:
            raise SuiteError(f"{path}: group {group.get('name', '')}: has no {sorted(missing)[0]}")
        if unknown:
            raise SuiteError(f"{path}: group {group['name']}: there is no key {sorted(unknown)[0]}: {', '.join(sorted(KEYS))}")
    return suite


def braces(text):
    """As bash does: one word each of a{1..3}b{x,y}."""
    found = re.search(r"\{(\d+)\.\.(\d+)\}|\{([^{}]*,[^{}]*)\}", text)
    if not found:
        return [text]
    parts = map(str, range(int(found[1]), int(found[2]) + 1)) if found[1] else found[3].split(",")
    return [word for part in parts for word in braces(text[: found.start()] + part + text[found.end() :])]


def from_files(group, root):
    """An item for each file of the group's glob, or for `batch` of them; variants: the words after the first of a file of theirs are further ones."""
    paths = [
        path
        for path in sorted(glob.glob(group["glob"], root_dir=root))
        if not path.endswith((".d", ".log")) and not any(fnmatch.fnmatch(path, pattern) for pattern in group.get("except", []))
    ]
    items = [
        {"path": path, "stem": pathlib.Path(path).stem, "test": pathlib.Path(path).parent.name, "folder": pathlib.Path(path).parent.name} for path in paths
    ]
    if "variants" in group:
        for item in list(items):
            file = root / group["variants"].format(**item)
            words = file.read_text(encoding="utf-8").split()[1:] if file.is_file() else []
            items += [dict(item, test=f"{item['test']}.{word}") for word in words]
    size = group.get("batch", 1)
    if size > 1:
        chunks = [items[n : n + size] for n in range(0, len(items), size)]
        items = [{"path": " ".join(one["path"] for one in chunk), "stem": f"{chunk[0]['stem']}-{chunk[-1]['stem']}"} for chunk in chunks]
    return items


def items_of(group, root=ROOT):
    items = [{}]
    if "glob" in group:
        items = from_files(group, root)
    elif "seeds" in group:
        first, last = group["seeds"]
        step = group.get("batch", 1)
        items = [{"first": n, "last": min(n + step - 1, last)} for n in range(first, last + 1, step)]
    return axes(group, items)


def axes(group, items):
    """Every item with every combination of the group's lists."""
    for axis, values in group.get("for", {}).items():
        items = [dict(item, **{axis: value}) for item in items for value in values]
    return items


def texts(group, key, item):
    """The list of a key, with what the item has put in."""
    return tuple(FORMATTER.vformat(text, (), item) for text in group.get(key, ()))


def expand(group, root=ROOT):
    """Every test of a group."""

    items = items_of(group, root)
    if not items and "optional" not in group:
        command = f"echo 'no test found for this group: {group['glob']} is made by make test'; false"
        yield Test(group["name"] + EMPTY, command, 10, group["name"], texts(group, "inputs", {}), tuple(needs_of_none(group)))
    for item in items:
        name = group["name"].format(**item)
        if name == group["name"] and item:
            name += "/" + "-".join(str(item[key]) for key in item if key not in ("path", "test", "folder"))
        command = group["command"].format(**item)
        yield Test(
            name, command, group.get("timeout", 600), group["name"], texts(group, "inputs", item), tuple(needs_of(group, command, texts(group, "needs", item)))
        )


def needs_of_none(group, only=""):
    """What a group without tests yet needs, for those of its axes that the text names, else for those that `make test` runs."""
    items = axes(group, [{}])
    named = [(item, FORMATTER.vformat(group["name"], (), item)) for item in items]
    asked = [item for item, name in named if only and could_have({"name": name}, only)]
    patterns = taken(group.get("short", ["*"]))
    short = [item for item, name in named if any(fnmatch.fnmatch(name, pattern) or fnmatch.fnmatch(pattern, name) for pattern in patterns)]
    for item in asked or ([] if only else short) or items:
        needs = needs_of(group, FORMATTER.vformat(group["command"], (), item), texts(group, "needs", item))
        yield from (need for need in needs if "*" not in need)


def needs_of(group, command, said):
    """What make builds for a test: what its command names of build/, and what its group says; where that says nothing, what the command of the project needs to run."""
    words = [word for text in command.split() for word in braces(text)]
    found = [match for word in words for match in BUILT.findall(word) if "*" not in match]
    if "needs" in group:
        found += [word for text in said for word in braces(text)]
    elif stale.DRIVER.search(command):
        found += ["build/bin/tipoff", DEFAULT_NEEDS] + [f"build/{config}/model.so" for config in stale.configurations(command)]
    elif "--config" in command:
        found += [f"build/{config}/model.so" for config in stale.configurations(command)]
    return found


def tests_of(groups, root=ROOT):
    return [test for group in groups for test in expand(group, root)]


def taken(patterns):
    """Those of the patterns of `short` that say what runs; those with a ! say what does not, of all where there are no others."""
    return [pattern for pattern in patterns if not pattern.startswith("!")] or ["*"] * bool(patterns)


def is_short(patterns, name):
    left = [pattern[1:] for pattern in patterns if pattern.startswith("!")]
    return any(fnmatch.fnmatch(name, pattern) for pattern in taken(patterns)) and not any(fnmatch.fnmatch(name, pattern) for pattern in left)


def in_part(patterns, name, part):
    """Whether a test belongs to what runs: the suite, or all. patterns: its group's `short`, or None. A group without tests is the suite's where any of its are."""
    return part == ALL or patterns is None or name.endswith(EMPTY) and patterns != [] or is_short(patterns, name)


def holds(part, word, first, last):
    """Whether a part of a name, with * for what is not known, can hold a word of what is looked for: its first may begin, and its last may end, within the part."""
    if part == "*":
        return not (first and last)  # anything could be meant, were it alone
    if "*" in part:
        return any(fnmatch.fnmatch(one, part) for one in (word, f"{word}x", f"x{word}", f"x{word}x"))
    return word in part if first and last else part.endswith(word) if first else part.startswith(word) if last else part == word


def could_have(group, only):
    """Whether a test of this group could have `only` in its name: those that are not built have none yet."""
    words = only.split("/")
    for item in axes(group, [{}]):
        parts = FORMATTER.vformat(group["name"], (), item).split("/")
        for at in range(len(parts) - len(words) + 1):
            if all(holds(parts[at + n], word, n == 0, n == len(words) - 1) for n, word in enumerate(words)):
                return True
    return False


def wanted(groups, only="", part=SUITE, root=ROOT):
    """The tests of a part with `only` in their name. A group that has none yet counts where a name of it could hold the text."""
    return [
        test
        for group in groups
        for test in expand(group, root)
        if in_part(group.get("short"), test.name, part) and (only in test.name or test.name.endswith(EMPTY) and could_have(group, only))
    ]


def idle_patterns(groups):
    """Patterns of `short` that no test matches: what they were to keep in the suite has another name."""
    found = []
    for group in groups:
        names = [test.name for test in expand(group)]
        if not any(name.endswith(EMPTY) for name in names):
            found += [f"{group['name']}: {pattern}" for pattern in group.get("short", []) if not fnmatch.filter(names, pattern.removeprefix("!"))]
    return found


def left_out(groups, only, part=ALL):
    """(name, how it is built) of the optional groups that are not built."""
    return [
        (group["name"], group["optional"])
        for group in groups
        if "optional" in group and only in group["name"] and in_part(group.get("short"), "", part) and not items_of(group)
    ]


def duplicates(tests):
    """Names that occur twice: a log, a time and a result are one test's. Groups that have no test yet may be called alike."""
    names = sorted(test.name for test in tests if not test.name.endswith(EMPTY))
    return [name for name, times in ((name, len(list(same))) for name, same in itertools.groupby(names)) if times > 1]


def close_names(groups, only, count=6):
    """Names of tests and groups that may have been meant."""
    names = sorted({test.name for test in tests_of(groups)} | {group["name"].split("{")[0].rstrip("/") for group in groups})
    close = difflib.get_close_matches(only, names, count, CLOSE)
    words = [name for name in names if any(difflib.get_close_matches(word, name.split("/"), 1, 0.7) for word in only.split("/") if word)]
    return list(dict.fromkeys(close + words))[:count]


def to_build(groups, tests, only):
    """The tests, with the needs of groups whose tests follow from what is built, where one of that name may come of building: none exists, or it is new."""
    there = [test for test in tests if not only or not test.name.endswith(EMPTY)]
    coming = [group for group in groups if group.get("glob", "").startswith("build/") and could_have(group, only)] if only and not there else []
    return there + [Test(group["name"] + EMPTY, "false", 10, group["name"], (), tuple(needs_of_none(group, only))) for group in coming]


def goals(tests):
    """What make has to build for these tests: (goals, goals with SAN=1), each in the order of the suite; models first, which keep one processor for half a
    minute each: what is small fills the rest."""
    found = sorted(dict.fromkeys(need for test in tests for need in test.needs), key=lambda need: not need.endswith(".so"))
    sanitized = [need for need in found if re.match(r"build/(bin/tipoff|tests/unit)-san\b", need)]
    return [need for need in found if need not in sanitized], sanitized
