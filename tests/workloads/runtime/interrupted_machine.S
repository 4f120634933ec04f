# Sampling by interrupt alone: what perf has to do where no hardware helps. A counter's overflow interrupts, and the handler stores
# mepc, the address at which execution resumes. tests/profile/test_interrupted.py reads what it stores.
#
# Two counters count the same cycles: mhpmcounter4 interrupts with its overflow, mhpmcounter3, the sampling counter, overflows in the
# very same cycle without an interrupt (its OF stays set), so that `tipoff run --period program` samples there: all profilers meet
# the cycle of the trigger, and the handler is compared with what they show. Both are set again, and released by one write.

    .equ MIE, 1 << 3                # mstatus
    .equ LCOFI, 1 << 13             # mie, mip
    .equ BOTH, 1 << 3 | 1 << 4      # mcountinhibit
    .equ CYCLES, 1                  # mhpmevent
    .equ ROOM, 1 << 18              # records

    .data
    .balign 64
    .globl sampling_settings
sampling_settings:                  # written into a copy of the program
    .dword 9973                     # mean cycles between triggers, from the end of one handler on
    .dword 0                        # width of the jitter: 2^n - 1
    .dword 1                        # its seed, not 0
    .size sampling_settings, . - sampling_settings

    .bss
    .balign 64
    .globl sampling_buffer
    .type sampling_buffer, @object
sampling_buffer:
    .skip 16                        # records; samples that found no room
    .skip 8 * ROOM                  # mepc of each
    .size sampling_buffer, . - sampling_buffer

    .text
    .option push
    .option norvc
    .balign 64
    .type sampling_vectors, @function
sampling_vectors:                   # one instruction a cause of interrupt; exceptions go to the first
    .rept 13
    j trap_entry
    .endr
    j sampling_entry                # 13: LCOFI
    .size sampling_vectors, . - sampling_vectors
    .option pop

# t0 = minus the cycles up to the next trigger; t1, t2 are lost. Shift register of Marsaglia's (13, 7, 17).
    .macro next_distance
    la t2, sampling_settings
    ld t0, 16(t2)
    slli t1, t0, 13
    xor t0, t0, t1
    srli t1, t0, 7
    xor t0, t0, t1
    slli t1, t0, 17
    xor t0, t0, t1
    sd t0, 16(t2)
    srli t0, t0, 16
    ld t1, 8(t2)
    and t0, t0, t1                  # 0 .. 2^n - 1
    srli t1, t1, 1
    sub t0, t1, t0
    ld t1, 0(t2)
    sub t0, t0, t1
    .endm

    .type sampling_entry, @function
sampling_entry:
    csrrw sp, mscratch, sp
    addi sp, sp, -32
    sd t0, 0(sp)
    li t0, BOTH
    csrs mcountinhibit, t0
    sd t1, 8(sp)
    sd t2, 16(sp)
    csrr t0, mepc
    la t1, sampling_buffer
    sd t3, 24(sp)
    ld t2, 0(t1)
    li t3, ROOM
    bgeu t2, t3, 1f
    slli t3, t2, 3
    add t3, t3, t1
    sd t0, 16(t3)
    addi t2, t2, 1
    sd t2, 0(t1)
    j 2f
1:  ld t2, 8(t1)
    addi t2, t2, 1
    sd t2, 8(t1)
2:  ld t3, 24(sp)
    next_distance
    csrw mhpmcounter3, t0
    csrw mhpmcounter4, t0
    li t0, CYCLES
    csrw mhpmevent4, t0             # OF clear
    li t0, LCOFI
    csrc mip, t0
    li t0, BOTH
    ld t1, 8(sp)
    ld t2, 16(sp)
    csrc mcountinhibit, t0
    ld t0, 0(sp)
    addi sp, sp, 32
    csrrw sp, mscratch, sp
    mret
    .size sampling_entry, . - sampling_entry

    .globl sampling_start
    .type sampling_start, @function
sampling_start:
    la t0, sampling_vectors
    addi t0, t0, 1                  # vectored
    csrw mtvec, t0
    li t0, BOTH
    csrs mcountinhibit, t0
    next_distance
    csrw mhpmcounter3, t0
    csrw mhpmcounter4, t0
    li t0, CYCLES
    csrw mhpmevent4, t0
    li t1, -1
    slli t1, t1, 63
    or t0, t0, t1
    csrw mhpmevent3, t0             # OF set: it never interrupts
    li t0, LCOFI
    csrw mie, t0
    csrsi mstatus, MIE
    li t0, BOTH
    csrc mcountinhibit, t0
    ret
    .size sampling_start, . - sampling_start

    .globl sampling_stop
    .type sampling_stop, @function
sampling_stop:
    csrci mstatus, MIE
    csrw mie, zero
    li t0, BOTH
    csrs mcountinhibit, t0
    fence                           # stores leave the store queue: the buffer is looked for in cache and memory
    ret
    .size sampling_stop, . - sampling_stop
