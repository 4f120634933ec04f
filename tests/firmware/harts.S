# Firmware (OpenSBI's fw_jump) with a payload in S-mode that starts all other harts by it, wakes them by an interrupt, has it fence
# them, and ends the run with the number of harts: SBI's HSM, IPI and RFENCE on a machine of several.
    .section .firmware, "ax"
    .globl _start
_start:
    .incbin FIRMWARE

    .section .payload, "ax"
    .equ SBI_HSM, 0x48534d
    .equ SBI_IPI, 0x735049
    .equ SBI_RFENCE, 0x52464e43
    .equ MOST_HARTS, 16
    .globl payload
payload:                        # a0: the hart that boots
    mv s0, a0
    li s1, 0                    # started
    li s2, 0                    # hart
    li s3, 0                    # mask of those
1:  beq s2, s0, 2f
    li a7, SBI_HSM
    li a6, 0                    # hart_start
    mv a0, s2
    la a1, other
    li a2, 0
    ecall
    bnez a0, 2f                 # there is none of that number
    addi s1, s1, 1
    li t0, 1
    sll t0, t0, s2
    or s3, s3, t0
2:  addi s2, s2, 1
    li t0, MOST_HARTS
    bltu s2, t0, 1b
    la s4, met
3:  lw t0, 0(s4)                # all have come
    bne t0, s1, 3b
    li a7, SBI_IPI
    li a6, 0
    mv a0, s3
    li a1, 0
    ecall
    bnez a0, fault
    slli s5, s1, 1
4:  lw t0, 0(s4)                # and were woken
    bne t0, s5, 4b
    li a7, SBI_RFENCE
    li a6, 0                    # fence.i
    mv a0, s3
    li a1, 0
    ecall
    bnez a0, fault
    li a7, SBI_RFENCE
    li a6, 1                    # sfence.vma
    mv a0, s3
    li a1, 0
    li a2, 0
    li a3, -1
    ecall
    bnez a0, fault
    addi a0, s1, 1
end:
    slli a0, a0, 16
    li t0, 0x3333
    or a0, a0, t0
    li t0, 0x100000             # the test finisher, which the payload may reach itself
    sw a0, 0(t0)
5:  j 5b
fault:
    li a0, 255
    j end

other:
    la s4, met
    li t0, 1
    amoadd.w zero, t0, (s4)
    csrsi sie, 2                # SSIE; sstatus.SIE stays 0: it wakes, and traps nowhere
6:  wfi
    csrr t0, sip
    andi t0, t0, 2
    beqz t0, 6b
    csrci sip, 2
    li t0, 1
    amoadd.w zero, t0, (s4)
7:  wfi
    j 7b

    .section .tohost, "aw"
    .balign 64
met:
    .dword 0
