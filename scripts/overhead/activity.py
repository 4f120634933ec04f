"""How often each bit of a module's registers and inputs changes in a VCD file, and how long it is one."""
import re


class Variable:
    def __init__(self, width):
        self.width, self.value, self.since = width, None, 0
        self.changes, self.ones = [0] * width, [0] * width  # least significant bit first; ones in ticks

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


def read(path, scopes):
    """({scope: {name: [Variable]}}, ticks): below each scope (its path ends so), in the file's order; a field is array_q[3].field."""
    found, codes, where = {scope: {} for scope in scopes}, {}, []
    now = first = None
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
                    if at >= 0 and here[at + len(scope):at + len(scope) + 1] in ("", "."):
                        name = ".".join(filter(None, [here[at + len(scope) + 1:], words[4]]))
                        variable = codes.setdefault(words[3], Variable(int(words[2])))
                        found[scope].setdefault(name, variable)
            elif line[0] == "#":
                now = int(line[1:])
                first = now if first is None else first
            elif line[0] == "b":
                value, code = line[1:].split()
                if code in codes:
                    codes[code].becomes(value, now or 0)
            elif line[0] in "01xz" and line[1:].strip() in codes:
                codes[line[1:].strip()].becomes(line[0], now or 0)
    for variable in codes.values():
        variable.hold(now)
    return found, now - first


def bits(variables, name):
    """[(changes, ones)] of a register or port from bit 0 on: of one variable, or of a struct's fields, the last field first. Empty where it is not in the file."""
    fields = [variable for key, variable in variables.items() if key == name or key.startswith(f"{name}.")]
    if not fields:
        fields = [variable for key, variable in variables.items() if re.match(re.escape(name) + r"\[\d+\]", key)]
    return [pair for variable in reversed(fields) for pair in zip(variable.changes, variable.ones)]
