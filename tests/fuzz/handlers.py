"""What the trap handlers of random programs share, and the handler of those in machine and user mode alone."""
MTIMECMP, MTIME, MSIP = 0x2004000, 0x200BFF8, 0x2000000
ECALL_TO_MACHINE = 0x55
SCRATCH = 30  # register for addresses that items make for themselves

FINISH = """
finish:
    csrci mstatus, 8
    la x31, tohost
    li x30, 1
    sd x30, 0(x31)
1:  j 1b
"""
# x30: the address; leaves its instruction's length in x29.
LENGTH = """    lhu x29, 0(x30)
    andi x29, x29, 3
    addi x29, x29, -3
    seqz x29, x29
    slli x29, x29, 1
    addi x29, x29, 2"""
# Re-arms the timer; the way back; the frame, which holds x29 and x30 and how often to re-arm; tohost.
LEAVE = f"""timer:
    ld x30, 16(x31)             # how often to re-arm
    addi x30, x30, -1
    sd x30, 16(x31)
    li x29, -1
    blez x30, 1f
    li x30, {MTIME}
    ld x29, 0(x30)
    addi x29, x29, 3
1:  li x30, {MTIMECMP}
    sd x29, 0(x30)
leave:
    ld x30, 0(x31)
    ld x29, 8(x31)
    csrrw x31, mscratch, x31
    mret

    .data
    .balign 64
frame: .dword 0, 0, 8
    .section .tohost, "aw", @progbits
    .globl tohost
    .balign 64
tohost: .dword 0
"""
TRAP = f"""{FINISH}
# Skips what raised an exception; x29 to x31 are saved in the frame.
    .balign 4
trap:
    csrrw x31, mscratch, x31
    sd x30, 0(x31)
    sd x29, 8(x31)
    csrr x30, mtval
    csrr x30, mcause
    bltz x30, interrupt
    li x29, 1
    beq x30, x29, fetch_fault
    li x29, 8
    bne x30, x29, 1f
    addi x29, x17, -{ECALL_TO_MACHINE}
    bnez x29, 1f
    li x29, 0x1800
    csrs mstatus, x29
1:  csrr x30, mepc
{LENGTH}
    add x30, x30, x29
    csrw mepc, x30
    j leave
fetch_fault:
    csrw mepc, x1
    j leave
interrupt:
    andi x30, x30, 15
    addi x30, x30, -3
    bnez x30, timer
    li x30, {MSIP}
    sw x0, 0(x30)
    j leave
{LEAVE}"""
