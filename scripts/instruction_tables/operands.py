"""An instruction of tables/instructions.tsv as a line of assembler: its operands by format."""
import csv
import dataclasses

# Formats whose destination, and whose first, second and third source, are floating-point registers.
FLOAT_TARGET = {"FI", "FR", "FR4", "F1", "X1F"}
FLOAT_SOURCES = {"FS": "-f", "FR": "ff", "FR4": "fff", "F1": "f", "FRX": "ff", "F1X": "f"}
SOURCES = {
    "R": 2,
    "RR": 2,
    "I": 1,
    "S": 2,
    "B": 2,
    "U": 0,
    "J": 0,
    "P": 1,
    "SH5": 1,
    "SH6": 1,
    "FENCE": 0,
    "N": 0,
    "CSR": 1,
    "CSRI": 0,
    "LR": 1,
    "AMO": 2,
    "FI": 1,
    "FS": 2,
    "FR4": 3,
    "FR": 2,
    "F1": 1,
    "FRX": 2,
    "F1X": 1,
    "X1F": 1,
}
PREFETCHES = {"prefetch.i": 0, "prefetch.r": 1, "prefetch.w": 3}  # number in the field of rs2: GNU as of Debian 12 lacks Zicbop


@dataclasses.dataclass(frozen=True)
class Instruction:
    name: str
    format: str
    unit: str
    serial: bool

    @property
    def sources(self) -> int:
        return SOURCES[self.format]

    @property
    def has_target(self) -> bool:
        return self.format not in {"RR", "S", "B", "P", "FENCE", "N", "FS"}

    @property
    def float_target(self) -> bool:
        return self.format in FLOAT_TARGET

    def float_source(self, number: int) -> bool:
        return FLOAT_SOURCES.get(self.format, "")[number : number + 1] == "f"

    @property
    def loads(self) -> bool:
        return self.unit == "load" and self.has_target

    def text(self, target: str, sources: list[str]) -> str:
        """One line of assembler. A branch goes to the next instruction; an access is at offset 0."""
        first, second, third = (sources + [""] * 3)[:3]
        match self.format:
            case "R" | "FR" | "FRX":
                operands = f"{target}, {first}, {second}"
            case "FR4":
                operands = f"{target}, {first}, {second}, {third}"
            case "F1" | "F1X" | "X1F":
                operands = f"{target}, {first}"
            case "RR":
                operands = f"{first}, {second}"
            case "I" | "FI":
                operands = f"{target}, 0({first})" if self.unit in {"load", "jalr"} else f"{target}, {first}, 0"
            case "S" | "FS":
                operands = f"{second}, 0({first})"
            case "B":
                operands = f"{first}, {second}, .+4"
            case "U":
                operands = f"{target}, 0"
            case "J":
                operands = f"{target}, .+4"
            case "SH5" | "SH6":
                operands = f"{target}, {first}, 0"
            case "CSR":
                operands = f"{target}, mscratch, {first}"
            case "CSRI":
                operands = f"{target}, mscratch, 0"
            case "LR":
                operands = f"{target}, ({first})"
            case "AMO":
                operands = f"{target}, {second}, ({first})"
            case "P":
                return f".insn i 0x13, 6, x0, {first}, {PREFETCHES[self.name]}"
            case "FENCE" | "N":
                operands = ""
        return f"{self.name} {operands}".strip()


def read(path, has_float: bool) -> list[Instruction]:
    """The rows of tables/instructions.tsv that a core with (without) floating point executes."""
    with open(path, encoding="utf-8") as file:
        rows = csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t")
        return [Instruction(row["name"], row["format"], row["unit"], "serial" in row["flags"]) for row in rows if has_float or row["ext"] not in {"F", "D"}]
