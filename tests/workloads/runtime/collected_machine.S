# Both collections of hybrid basic block profiling by a handler on the core (docs/guide/mix.md): every N instructions it stores
# mepc, every N branches the core's last 16 transfers (Smctr). scripts/hbbp/overhead.py measures what that costs.
#
# mhpmcounter3 counts instructions, mhpmcounter4 branches, both in M-mode, where program and handler run; they stand still while the
# handler runs, and so do the records: LCOFI freezes them. Buffers are overwritten when they are full: what is asked is the time.

    .equ MIE, 1 << 3                # mstatus
    .equ LCOFI, 1 << 13             # mie, mip
    .equ BOTH, 1 << 3 | 1 << 4      # mcountinhibit
    .equ INSTRUCTIONS, 2            # mhpmevent
    .equ BRANCHES, 10
    .equ MCTRCTL, 0x34e
    .equ SCTRSTATUS, 0x14f
    .equ SCTRDEPTH, 0x15f
    .equ MISELECT, 0x350
    .equ MIREG, 0x351
    .equ MIREG2, 0x352
    .equ MIREG3, 0x353
    .equ RECORD, 4 | 1 << 12        # mctrctl: M, LCOFIFRZ
    .equ FIRST, 0x200               # select of the youngest record
    .equ DEPTH, 16
    .equ ROOM, 1 << 16              # bytes of each buffer

    .data
    .balign 64
    .globl sampling_settings
sampling_settings:                  # written into a copy of the program
    .dword 0                        # instructions between samples; 0: none
    .dword 0                        # branches between stacks; 0: none
    .size sampling_settings, . - sampling_settings
    .globl sampling_taken
    .type sampling_taken, @object
sampling_taken:
    .dword 0, 0                     # samples, stacks
    .size sampling_taken, . - sampling_taken

    .bss
    .balign 64
samples:
    .skip ROOM
stacks:
    .skip ROOM

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

# Sets a counter and its event again, OF clear. A period of 0 never ends: the counter begins at 0.
    .macro again counter, event, what, setting
    la t0, sampling_settings
    ld t0, \setting(t0)
    neg t0, t0
    csrw \counter, t0
    li t0, \what
    csrw \event, t0
    .endm

    .type sampling_entry, @function
sampling_entry:
    csrrw sp, mscratch, sp
    addi sp, sp, -48
    sd t0, 0(sp)
    li t0, BOTH
    csrs mcountinhibit, t0
    sd t1, 8(sp)
    sd t2, 16(sp)
    csrr t1, mhpmevent3
    bgez t1, 1f                     # OF
    la t0, sampling_taken
    ld t1, 0(t0)
    addi t2, t1, 1
    sd t2, 0(t0)
    slli t1, t1, 3
    li t2, ROOM - 1
    and t1, t1, t2
    la t2, samples
    add t1, t1, t2
    csrr t2, mepc
    sd t2, 0(t1)
    again mhpmcounter3, mhpmevent3, INSTRUCTIONS, 0
1:  csrr t1, mhpmevent4
    bgez t1, 3f
    sd t3, 24(sp)
    sd t4, 32(sp)
    la t0, sampling_taken
    ld t1, 8(t0)
    addi t2, t1, 1
    sd t2, 8(t0)
    slli t1, t1, 9                  # 24 bytes a record, 512 a stack
    li t2, ROOM - 1
    and t1, t1, t2
    la t2, stacks
    add t1, t1, t2
    li t0, FIRST
    li t2, FIRST + DEPTH
2:  csrw MISELECT, t0
    addi t0, t0, 1
    csrr t3, MIREG
    csrr t4, MIREG2
    sd t3, 0(t1)
    csrr t3, MIREG3
    sd t4, 8(t1)
    sd t3, 16(t1)
    addi t1, t1, 24
    bne t0, t2, 2b
    again mhpmcounter4, mhpmevent4, BRANCHES, 8
    ld t3, 24(sp)
    ld t4, 32(sp)
3:  li t0, LCOFI
    csrc mip, t0
    li t0, 1 << 31                  # FROZEN
    csrc SCTRSTATUS, t0
    li t0, BOTH
    ld t1, 8(sp)
    ld t2, 16(sp)
    csrc mcountinhibit, t0
    ld t0, 0(sp)
    addi sp, sp, 48
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
    again mhpmcounter3, mhpmevent3, INSTRUCTIONS, 0
    again mhpmcounter4, mhpmevent4, BRANCHES, 8
    csrw SCTRDEPTH, zero            # 16 records
    li t0, RECORD
    csrw MCTRCTL, t0
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
    csrw MCTRCTL, zero
    li t0, BOTH
    csrs mcountinhibit, t0
    fence                           # stores leave the store queue: the counts are looked for in cache and memory
    ret
    .size sampling_stop, . - sampling_stop
