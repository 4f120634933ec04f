"""From cycles of benches to the table's rows."""
import benches
from operands import Instruction

# What leads from a chain's end back to its begin.
NEEDED = {"add", "fmv.x.d", "fmv.d.x", "fmv.x.w", "fadd.d"}
# From x to f registers: measured only as part of a round trip, so one of its halves has to be named. Results for f registers all
# come after the same time: that of an addition.
ANCHOR = ("fmv.d.x", "fadd.d")
NOT_MEASURED = {
    "sctrclr": "only of cores with control transfer records",
}
NOISE = 0.3  # cycles of a repetition
NEAR = 0.3  # uses of a resource: less is none, that near to one is one
HEADER = """\
# Measured on {config} by `make instruction-tables` (scripts/instruction_tables): what each instruction costs there. Cycles.
# rs1 rs2 rs3  latency from that operand to whoever waits for the result; -: no such operand, or no result
# longest      latency with the operands that take longest, where they matter
# every        cycles from one to the next, when nothing hinders them
# uses         resources that it keeps others from, and for how many uses of theirs, if not one; serial: nothing runs beside it; ?: none found
# Of a pair (a row with a comma or a space) `every` is the time of all its instructions, a chain where there is one.
name\trs1\trs2\trs3\tlongest\tevery\tuses
"""


def number(value: float) -> str:
    """At most two places, no trailing zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


class Unstable(Exception):
    """A bench took less with one instruction more."""


class Table:
    def __init__(self, instructions: list[Instruction], config: dict, cycles: dict):
        self.config, self.cycles = config, cycles
        self.by_name = {i.name: i for i in instructions}
        self.blockers = benches.blockers(bool(config["core.fp"]))

    def part(self, name: str) -> float:
        """Latency of an instruction within another one's chain."""
        if name == ANCHOR[0]:
            name = ANCHOR[1]
        return self.latency(self.by_name[name], 0)

    def latency(self, instruction: Instruction, source: int) -> float | None:
        whole = self.cycles.get((instruction.name, "latency", source))
        if whole is None:
            return None
        return whole - sum(self.part(name) for name in benches.returns(instruction, source))

    def longest(self, instruction: Instruction) -> float | None:
        whole = self.cycles.get((instruction.name, "longest"))
        return None if whole is None else whole - 2 * self.part("add" if instruction.unit == "div" else "fadd.d")

    def times_used(self, instruction: Instruction, blocker: benches.Blocker) -> float:
        """How often an instruction uses what the blocker keeps busy; 0, too, where dispatching it takes as long as that."""
        repeated = benches.times_busy(instruction)
        alone = self.cycles[(blocker.resource, "alone", repeated)]
        instructions = blocker.copies * repeated
        if (instructions + 1) / self.config["core.width"] > alone:
            return 0
        more = self.cycles[(instruction.name, "uses", blocker.resource)] - alone
        if more < -NOISE:
            raise Unstable(f"{instruction.name} between {instructions} that keep {blocker.resource} busy: {more:.2f} cycles")
        times = more * instructions / alone
        return times if times > NEAR else 0

    def uses(self, instruction: Instruction) -> str:
        if instruction.serial:
            return "serial"
        found = []
        for blocker in self.blockers:
            if (instruction.name, "uses", blocker.resource) in self.cycles:
                times = self.times_used(instruction, blocker)
                found += [blocker.resource if abs(times - 1) < NEAR else f"{blocker.resource}:{number(times)}"] if times else []
        if not {f.split(":")[0] for f in found} & {"mem_ports", "fp_ports"}:  # an instruction goes to one queue
            found = self.integer(instruction) + found
        return ",".join(found) if found else "?"

    def integer(self, instruction: Instruction) -> list[str]:
        key = (instruction.name, "order")
        if key not in self.cycles:
            return []
        later = self.cycles[key] - self.cycles[("none", "order")]
        return ["int_ports"] if later >= benches.ORDER_COPIES / self.config["issue.int_ports"] / 2 else []

    def every(self, instruction: Instruction) -> float:
        return self.cycles[(instruction.name, "every")] - self.cycles.get((instruction.name, "around"), 0)

    def row(self, instruction: Instruction) -> list[str]:
        latencies = [self.latency(instruction, i) for i in range(3)]
        longest = self.longest(instruction)
        return [instruction.name, *("-" if v is None else number(v) for v in [*latencies, longest]), number(self.every(instruction)), self.uses(instruction)]


def table(config_name: str, instructions: list[Instruction], config: dict, cycles: dict) -> str:
    solved = Table(instructions, config, cycles)
    lines = [solved.row(i) for i in instructions if i.name not in NOT_MEASURED]
    lines += [[key[0], "-", "-", "-", "-", number(value), "-"] for key, value in cycles.items() if key[1] == "pair"]
    return HEADER.format(config=config_name) + "".join("\t".join(line) + "\n" for line in lines)
