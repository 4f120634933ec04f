"""Indirect access to registers in the ISA tests (Smcsrind, Sscsrind): the select registers, registers that no unit has, who may do what.

Expected values are written out by hand after the specification and what tables/csrs.tsv states where that leaves the choice.
"""
from isa_pmp import S_MODE, U_MODE
from isa_priv import trapped
from isa_vm import supervisor_check

SISELECT, MISELECT, SIREGS, MIREGS = 0x150, 0x350, (0x151, 0x152, 0x153, 0x155, 0x156, 0x157), (0x351, 0x352, 0x353, 0x355, 0x356, 0x357)
NOBODY = 0x7FF  # no unit has that number


def window(p):
    # Cores without have none of them.
    p.lines += ["la s3, 1f", f"csrr a0, {SISELECT}", "li s3, 0", "j 2f", "1:"]
    for register in (SISELECT, *SIREGS, MISELECT, *MIREGS):
        p.expect_trap(2, "insn", [], f"csrrs a1, {register}, x0")
    p.lines += ["j pass", "2:"]
    # Two select registers of 12 bits, each its own.
    for own, other in ((SISELECT, MISELECT), (MISELECT, SISELECT)):
        p.check("a0", 0, [f"csrw {own}, x0", f"csrr a0, {own}"])
        p.check("a0", 0xFFF, ["li a1, -1", f"csrw {other}, x0", f"csrrw a0, {own}, a1", "bnez a0, fail", f"csrr a0, {own}"])
        p.check("a0", 0, [f"csrr a0, {other}"])
        p.check("a0", 0xF0F, ["li a1, 0xf0", f"csrc {own}, a1", f"csrr a0, {own}"])
        p.check("a0", 0xF3F, [f"csrsi {own}, 16", "li a1, 0x20", f"csrs {own}, a1", f"csrr a0, {own}"])
    # Where nobody is: 0, and stays 0.
    for select, registers in ((SISELECT, SIREGS), (MISELECT, MIREGS)):
        p.lines += [f"li a1, {NOBODY}", f"csrw {select}, a1", "li a2, -1"]
        for register in registers:
            p.check("a0", 0, [f"csrrw a0, {register}, a2", "bnez a0, fail", f"csrr a0, {register}"])
        p.check("a0", NOBODY, [f"csrr a0, {select}"])
    # Neighbouring numbers without a CSR.
    for beside in (0x154, 0x158, 0x354, 0x358, 0x250, 0x251):
        p.expect_trap(2, "insn", [], f"csrrs a1, {beside}, x0")
    # S-mode has its own, and not M-mode's; U-mode has none.
    supervisor_check(p, "a0", 0x123, ["li a1, 0x123", f"csrw {SISELECT}, a1", f"csrr a0, {SISELECT}"])
    supervisor_check(p, "a0", 0, [f"li a1, {NOBODY}", f"csrw {SISELECT}, a1", f"csrr a0, {SIREGS[0]}"])
    for register in (MISELECT, *MIREGS):
        trapped(p, S_MODE, 2, "insn", [], f"csrrs a1, {register}, x0")
    for register in (SISELECT, *SIREGS, MISELECT):
        trapped(p, U_MODE, 2, "insn", [], f"csrrs a1, {register}, x0")


PROGRAMS = {"window": window}
