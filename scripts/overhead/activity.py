"""How often each bit of a module's registers and inputs changes in a VCD file, how long it is one, and what it is in each cycle."""
import itertools
import re


class Variable:
    def __init__(self, width):
        self.width, self.value, self.since = width, None, 0
        self.changes, self.ones = [0] * width, [0] * width  # least significant bit first; ones in ticks
        self.cycles = []  # its value at the end of each cycle, least significant bit first

    def becomes(self, text, now):
        text = text.rjust(self.width, text[0] if text[0] in "xz" else "0")[::-1]
        self.hold(now)
        if self.value is not None:
            for index, (old, new) in enumerate(zip(self.value, text)):
                self.changes[index] += old != new
        self.value = text

    def hold(self, now):
        if self.value is not None and now > self.since:
            for index, bit in enumerate(self.value):
                if bit == "1":
                    self.ones[index] += now - self.since
        self.since = now


def read(path, scopes, clock=None):
    """({scope: {name: Variable}}, ticks): below each scope (its path ends so), in the file's order; a field is array_q[3].field.

    clock: name of a variable of the scopes; then each variable's value before each of its rising edges is kept.
    """
    found, codes, where = {scope: {} for scope in scopes}, {}, []
    now = first = None
    changes, clocks = [], set()

    def happen():
        if any(code in clocks and value == "1" and codes[code].value == "0" for code, value in changes):
            for variable in codes.values():
                variable.cycles.append(variable.value)
        for code, value in changes:
            codes[code].becomes(value, now or 0)
        changes.clear()

    with open(path, encoding="ascii") as file:
        for line in file:
            if line.startswith("$scope"):
                where.append(line.split()[2])
            elif line.startswith("$upscope"):
                where.pop()
            elif line.startswith("$var"):
                words = line.split()
                here = ".".join(where)
                for scope in scopes:
                    at = here.find(scope)
                    if at >= 0 and here[at + len(scope) : at + len(scope) + 1] in ("", "."):
                        name = ".".join(filter(None, [here[at + len(scope) + 1 :], words[4]]))
                        variable = codes.setdefault(words[3], Variable(int(words[2])))
                        found[scope].setdefault(name, variable)
                        if name == clock:
                            clocks.add(words[3])
            elif line[0] == "#":
                happen()
                now = int(line[1:])
                first = now if first is None else first
            elif line[0] == "b":
                value, code = line[1:].split()
                if code in codes:
                    changes.append((code, value))
            elif line[0] in "01xz" and line[1:].strip() in codes:
                changes.append((line[1:].strip(), line[0]))
    happen()
    for variable in codes.values():
        variable.hold(now)
    return found, now - first


def constant(variable):
    """The same variable, always 0."""
    fresh = Variable(variable.width)
    fresh.cycles = ["0" * variable.width] * len(variable.cycles)
    return fresh


def keys(variables, name):
    """Names of the variables of a register or port, that of bit 0 first: one, or a struct's fields, the last field first. Empty where it is not in the file.

    Of an array that is a port or a register the last element has bit 0 (it is unpacked); of one within a struct the first.
    """
    found = [key for key in variables if key == name or key.startswith(f"{name}.")]
    found = (found or [key for key in variables if re.match(re.escape(name) + r"\[\d+\]", key)])[::-1]
    ordered = []
    for array, group in itertools.groupby(found, lambda key: re.sub(r"\[\d+\].*", "[", key[len(name) + 1 :])):
        group = list(group)
        if array.endswith("[") and array != "[" and not array[0].isdigit():
            group.sort(key=lambda key: int(re.search(r"\[(\d+)\]", key[len(name) + 1 :])[1]))
        ordered += group
    return ordered


def fields(variables, name):
    return [variables[key] for key in keys(variables, name)]


def names(variables, name):
    """The variable of each bit of a register or port, from bit 0 on."""
    return [key for key in keys(variables, name) for _ in range(variables[key].width)]


def bits(variables, name):
    """[(changes, ones)] of a register or port from bit 0 on."""
    return [pair for variable in fields(variables, name) for pair in zip(variable.changes, variable.ones)]


def by_cycle(variables, name):
    """The bits of a register or port in each cycle, from bit 0 on: a text of 0, 1, x each."""
    return ["".join(values) for values in zip(*(variable.cycles for variable in fields(variables, name)))]


def busy(variables, name):
    """(cycles at whose end a register's clock has to run, as one of its bits changes; cycles)."""
    words = by_cycle(variables, name)
    return sum(old != new for old, new in zip(words, words[1:])), max(1, len(words) - 1)
