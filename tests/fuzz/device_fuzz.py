#!/usr/bin/env python3
"""Writes a random program of accesses to devices (assembly) to stdout: the same seed gives the same program.

UART, interrupt controller and CLINT are one implementation for the ISS and for the machine around a core, so lockstep
cannot find a fault in them. QEMU's virt machine has the same devices at the same addresses, made by others: each loaded
value is compared there (tests/isa/qemu_compare). What QEMU does otherwise than the data sheets is left out
here: its interrupt controller withdraws a request with its line, and has it pending while it is claimed, so no line is
high where the controller is looked at (tests/unit/machine/test_plic.c has a model of the gateways).
"""
import argparse
import random

UART, PLIC, CLINT = 0x10000000, 0x0C000000, 0x02000000
THR, IER, IIR_FCR, LCR, MCR, LSR, MSR, SCR = range(8)
LOOP = 0x10  # of MCR
REGISTERS = [f"x{n}" for n in (8, 9, *range(10, 29))]
WORDS = [0, 1, 2, 3, 5, 7, 0x80, 0xFF, 0x7FFFFFFF, 0xFFFFFFFF, 0xAAAAAAAA, 0x55555555]


class Program:
    def __init__(self, seed, length):
        self.random = random.Random(seed)
        self.length, self.lines, self.divisor = length, [], 0

    def emit(self, text):
        self.lines.append("    " + text)

    def load(self, name, address):
        self.emit(f"li x29, 0x{address:x}")
        self.emit(f"{name} {self.random.choice(REGISTERS)}, 0(x29)")

    def store(self, name, address, value):
        self.emit(f"li x29, 0x{address:x}")
        self.emit(f"li x30, 0x{value:x}")
        self.emit(f"{name} x30, 0(x29)")

    def uart(self):
        """Not read: a receiver without a byte, which shows its last one in QEMU; nor is one overrun."""
        r = self.random
        if r.random() < 0.15:
            return self.loop()
        register = r.randrange(8)
        if r.random() < 0.5:
            return self.load("lbu", UART + (LCR if register == THR and not self.divisor else register))
        value = r.randrange(256)
        if register == LCR:
            self.divisor = value >> 7
        if register == MCR:
            value &= ~LOOP
        return self.store("sb", UART + register, value)

    def loop(self):
        """A byte from the transmitter to the receiver, and the modem's outputs to its inputs."""
        r = self.random
        self.store("sb", UART + LCR, 3)
        self.store("sb", UART + IIR_FCR, 0)
        self.store("sb", UART + MCR, LOOP | r.randrange(16))
        self.store("sb", UART + IER, r.randrange(16))
        for _ in range(r.randrange(1, 4)):
            self.store("sb", UART + THR, r.randrange(256))
            for register in [*r.choices([IIR_FCR, MSR, LSR, IER], k=3), THR, LSR, IIR_FCR]:
                self.load("lbu", UART + register)
        self.store("sb", UART + MCR, r.randrange(16))
        self.divisor = 0

    def plic(self):
        r = self.random
        enable, threshold = 0x2000 + 0x80 * r.randrange(2), 0x200000 + 0x1000 * r.randrange(2)
        address = PLIC + r.choice([4 * r.randrange(1, 32), 0x1000, enable, threshold, threshold + 4])
        if r.random() < 0.5:
            return self.load(r.choice(["lw", "lwu"]), address)
        source_0 = address & 0xFFFFF000 == PLIC + 0x2000  # QEMU can enable the source that does not exist
        return self.store("sw", address, r.choice([*WORDS, r.getrandbits(32)]) & ~int(source_0))

    def clint(self):
        """A timer that is due, or never."""
        r = self.random
        register, name = r.choice([(0, "w"), (0x4000, "d"), (0x4000, "d"), (0x4000, "w"), (0x4004, "w")])
        if r.random() < 0.5:
            return self.load("l" + name, CLINT + register)
        when = r.choice([0, (1 << 63) - 1 - r.getrandbits(16)])
        values = {0: r.choice([0, 1, 2, 0xFFFFFFFF]), 0x4000: when if name == "d" else when & 0xFFFFFFFF, 0x4004: when >> 32}
        return self.store("s" + name, CLINT + register, values[register])

    def text(self):
        self.store("sd", CLINT + 0x4000, (1 << 63) - 1)  # after reset it holds what the machine likes
        for register, value in [(LCR, 0x80), (THR, 1), (IER, 0), (LCR, 3)]:
            self.store("sb", UART + register, value)  # the divisor: as reset left it
        self.store("sb", UART + MCR, 0)  # 8 after reset in QEMU, 0 in the data sheet
        for n in range(self.length):
            if n == self.length // 3:  # from here on the UART asks, and nobody looks at its request
                for context in range(2):
                    self.store("sw", PLIC + 0x2000 + 0x80 * context, 0)
            self.random.choice([self.clint, self.plic if n < self.length // 3 else self.uart])()
            if self.random.random() < 0.3:
                self.emit(f"csrr {self.random.choice(REGISTERS)}, mip")
        head = ["# Random accesses to devices, written by tests/fuzz/device_fuzz.py.", ".option norelax", ".globl _start", ".text", "_start:"]
        tail = [
            "    la x29, tohost",
            "    li x30, 1",
            "    sd x30, 0(x29)",
            "1:  j 1b",
            '.section .tohost, "aw"',
            ".align 6",
            ".globl tohost",
            "tohost: .dword 0",
        ]
        return "\n".join([*head, *self.lines, *tail, ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--length", type=int, default=400)
    options = parser.parse_args()
    print(Program(options.seed, options.length).text(), end="")


if __name__ == "__main__":
    main()
