"""The handlers of random programs with virtual memory (vm_fuzz.py): M-mode's, and S-mode's with the way into U-mode."""
from handlers import ECALL_TO_MACHINE, EXTERNAL, LEAVE, LENGTH, MSIP, SCRATCH
from vm_tables import FRAME, TEXT

ECALL_TO_SUPERVISOR = 0x56
TVM, TW, TSR, MPRV, SUM, MXR = 1 << 20, 1 << 21, 1 << 22, 1 << 17, 1 << 18, 1 << 19
VECTORS = "    .balign 64\n    .option push\n    .option norvc\n{0}:\n" + "    j {0}_any\n" * 16 + "    .option pop\n{0}_any:"
M_HANDLER = f"""
# x29 to x31 are saved in the frame.
{VECTORS.format('trap')}
    csrrw x31, mscratch, x31
    sd x30, 0(x31)
    sd x29, 8(x31)
    csrr x30, mcause
    bltz x30, interrupt
    csrr x30, mepc
    la x29, forward
    bne x30, x29, 1f
    csrr x30, sepc              # S-mode's handler passes an ecall on
    j to_machine
1:  srli x29, x30, 21
    addi x29, x29, -{TEXT >> 21:#x}
    beqz x29, 1f
    addi x29, x29, -1           # S-mode's handler: cannot be
    bnez x29, to_x1
1:  csrr x29, mcause
    addi x29, x29, -1
    beqz x29, to_x1
    addi x29, x29, -11
    beqz x29, to_x1
    addi x29, x29, 4            # ecall from U: 0, from S: 1
    sltiu x29, x29, 2
    beqz x29, skip
    addi x29, x17, -{ECALL_TO_MACHINE}
    beqz x29, to_machine
    addi x29, x29, {ECALL_TO_MACHINE - ECALL_TO_SUPERVISOR}
    bnez x29, skip
    li x29, {FRAME:#x}
    ld x29, 24(x29)
    csrw satp, x29
    li x29, 0x1800
    csrc mstatus, x29
    li x29, 0x800
    csrs mstatus, x29
    j skip
to_machine:
    li x29, 0x1800
    csrs mstatus, x29
skip:
{LENGTH}
    add x30, x30, x29
    csrw mepc, x30
    j leave
to_x1:
    csrw mepc, x1
    j leave
interrupt:
    andi x30, x30, 15
    addi x29, x30, -7
    beqz x29, timer
    addi x29, x30, -3
    bnez x29, 1f
    li x29, {MSIP}
    sw x0, 0(x29)
    j leave
1:  li x29, 1                   # S-mode's: not delegated
    sll x29, x29, x30
    csrc mip, x29
    addi x29, x30, -13
    bnez x29, 1f
overflow:
    j leave
1:  andi x30, x30, 13           # SEI and MEI, from the PLIC
    addi x30, x30, -9
    bnez x30, leave
external:
{EXTERNAL}
{LEAVE}"""
S_HANDLER = f"""
{VECTORS.format('s_trap')}
    li tp, {FRAME:#x}
    sd x31, 0(tp)
    sd x30, 8(tp)
    sd x29, 16(tp)
    csrr x31, scause
    bltz x31, s_interrupt
    csrr x30, sepc
    srli x29, x30, 21
    addi x29, x29, -{TEXT >> 21:#x}
    bnez x29, s_to_x1
    addi x29, x31, -1
    beqz x29, s_to_x1
    addi x29, x31, -12
    beqz x29, s_to_x1
    addi x29, x31, -8
    bnez x29, s_skip
    addi x29, x17, -{ECALL_TO_MACHINE}
    beqz x29, s_forward
    addi x29, x17, -{ECALL_TO_SUPERVISOR}
    bnez x29, s_skip
    ld x29, 24(tp)
    csrw satp, x29
    sfence.vma
    li x29, 0x100
    csrs sstatus, x29
s_skip:
    li x29, {SUM:#x}            # the program's pages may be U-mode's
    csrrs x31, sstatus, x29
{LENGTH}
    add x30, x30, x29
    csrw sepc, x30
    slli x31, x31, 45
    bltz x31, s_leave
    li x29, {SUM:#x}
    csrc sstatus, x29
    j s_leave
s_to_x1:
    csrw sepc, x1
s_leave:
    ld x31, 0(tp)
    ld x30, 8(tp)
    ld x29, 16(tp)
    li tp, TP_VALUE
    sret
s_interrupt:
    slli x31, x31, 1
    srli x31, x31, 1
    csrci sip, 2
    addi x30, x31, -1
    beqz x30, s_leave
    li x29, 1
    sll x29, x29, x31
    addi x31, x31, -13
    bnez x31, 1f
s_overflow:
    csrc sip, x29
    j s_leave
1:  csrc sie, x29
    j s_leave
s_forward:
    ld x31, 0(tp)
    ld x30, 8(tp)
    ld x29, 16(tp)
    li tp, TP_VALUE
forward:
    ecall
    .balign 4
to_user:
    csrw satp, x{SCRATCH}
    sfence.vma
    sret
    .balign 4096
    .zero 4096
"""
