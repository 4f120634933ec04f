# Firmware (OpenSBI's fw_jump) with a payload in S-mode that asks it for the counters it has found, and ends the run with their
# number: what the probe of the hardware counters sees, shown by who will use them.
    .section .firmware, "ax"
    .globl _start
_start:
    .incbin FIRMWARE

    .section .payload, "ax"
    .equ SBI_PMU, 0x504d55
    .equ NUM_COUNTERS, 0
    .globl payload
payload:
    li a7, SBI_PMU
    li a6, NUM_COUNTERS
    ecall                       # a0: error, a1: value
    bnez a0, 1f
    mv t0, a1
    j 2f
1:  li t0, 255                  # no such extension
2:  slli t0, t0, 1
    ori t0, t0, 1
    la t1, tohost
    sd t0, 0(t1)
3:  j 3b

    .section .tohost, "aw"
    .balign 64
    .globl tohost
    .type tohost, @object
    .size tohost, 8
tohost:
    .dword 0
