"""What the trap handlers of random programs share, and the handler of those in machine and user mode alone."""
MTIMECMP, MTIME, MSIP = 0x2004000, 0x200BFF8, 0x2000000
PLIC, UART, UART_SOURCE = 0xC000000, 0x10000000, 10
CLAIM = (PLIC + 0x200004, PLIC + 0x201004)  # of M-mode and of S-mode
LCOFI = 0x2000
ECALL_TO_MACHINE = 0x55
SCRATCH = 30  # register for addresses that items make for themselves


def finish(areas):
    """The end: reads back what is in memory, for lockstep to compare. areas: (symbol or number, how many, how far apart, loads each)."""
    lines = ["finish:", "csrci mstatus, 8", "csrw mie, x0", "li x30, 0x20000", "csrc mstatus, x30"]
    for address, count, step, loads in areas:
        lines += [
            f"{'li' if address[0] == '0' else 'la'} x31, {address}",
            f"li x30, {count}",
            f"li x29, {step}",
            "1:",
            *(f"ld x{6 + i}, {8 * i}(x31)" for i in range(loads)),
            "add x31, x31, x29",
            "addi x30, x30, -1",
            "bnez x30, 1b",
        ]
    return "\n" + "\n".join(lines + ["la x31, tohost", "li x30, 1", "sd x30, 0(x31)", "1:  j 1b"]) + "\n"


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
frame: .dword 0, 0, 8, 0        # x30, x29, how often to re-arm the timer, external interrupts so far
    .balign 64
frame2: .dword 0, 0, 2, 0
    .section .tohost, "aw", @progbits
    .globl tohost
    .balign 64
tohost: .dword 0
"""
# What a handler may do while a reservation stands (registers x29 and x30 are free).
MEDDLE = [
    "",
    "    amoadd.d x29, x29, (gp)",
    "    sc.d x29, x29, (gp)",
    "    addi x30, gp, 64\n    sc.w x29, x29, (x30)",
    "    addi x30, gp, 128\n    lr.w x29, (x30)",
    "    sd x29, 192(gp)",
    "    addi x30, x31, 32\n    sc.d x29, x29, (x30)",
]
# Serves the UART, and turns its interrupts off every fourth time, for more would never end: input is always waiting.
EXTERNAL = (
    "\n".join(
        f"""    li x30, {claim:#x}
    lw x29, 0(x30)
    li x30, {UART:#x}
    lbu x0, 2(x30)
    lbu x0, 0(x30)
    li x30, {claim:#x}
    sw x29, 0(x30)"""
        for claim in CLAIM
    )
    + f"""
    ld x29, 24(x31)
    addi x29, x29, 1
    sd x29, 24(x31)
    andi x29, x29, 3
    bnez x29, leave
    li x30, {UART:#x}
    sb x0, 1(x30)
    j leave"""
)


def trap(meddle):
    """Skips what raised an exception; x29 to x31 are saved in the frame. meddle: of MEDDLE."""
    vectors = "\n".join(["    j trap"] * 16)
    return f"""
    .balign 64
    .option push
    .option norvc
vectors:
{vectors}
    .option pop
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
    beqz x30, software
    addi x30, x30, -4
    beqz x30, timer
    addi x30, x30, -4
    beqz x30, external
overflow:
    li x29, {LCOFI:#x}
    csrc mip, x29
    j leave
software:
    li x30, {MSIP}
    sw x0, 0(x30)
{meddle}
    j leave
external:
{EXTERNAL}
{LEAVE}"""
