# Programs that one resource alone makes slow: which, by -DBRANCHES and the others below, LOOPS times. Some 200,000 cycles on a core of two lanes.
    .globl _start
    .option norelax
_start:
    la s2, data
    la s7, hot
    li s3, LOOPS
    li a0, 88172645463325252
    mv a1, s2

#ifdef L1D
# A ring of 256 lines, 16 KiB, in steps of five lines: more than the L1 data cache of small2 has, and less than the last level.
    li t0, 0
    li t3, 256
1:  addi t1, t0, 5
    andi t1, t1, 255
    slli t1, t1, 6
    add t1, t1, s2
    slli t2, t0, 6
    add t2, t2, s2
    sd t1, 0(t2)
    addi t0, t0, 1
    bne t0, t3, 1b
#endif

#ifdef PREFETCH
#define STRIDE 64
#else
#define STRIDE 128
#endif
#ifdef MISSES
# Lines that miss the L1 data cache, and are not each other's next one: s4 + s5 goes round in 32 KiB.
    la s4, data
    li s5, 0
    li s6, 0x7fff
#endif

#ifdef L1D_SIZE
#define RING 192
#endif
#ifdef LLC
#define RING 512
#endif
#ifdef RING
# A ring of lines: of 12 KiB, which twice the ways of small2 hold, or of 32 KiB, which they do not.
    li t0, 0
    li t3, RING
1:  addi t1, t0, 5
    bltu t1, t3, 2f
    sub t1, t1, t3
2:  slli t1, t1, 6
    add t1, t1, s2
    slli t2, t0, 6
    add t2, t2, s2
    sd t1, 0(t2)
    addi t0, t0, 1
    bne t0, t3, 1b
#endif

#ifdef LLC_SIZE
#define RING 12
#endif
#ifdef DRAM_LATENCY
#define RING 40
#endif
#if defined LLC_SIZE || defined DRAM_LATENCY
#define FAR
#endif
#ifdef FAR
# A ring of lines of one set of the last-level cache, small2 has 8 of them, and 16 by twice the sets: 12 or 40 of them.
    li t0, RING
    li t3, 1 << 16
    li a1, 0x80400000
    mv t1, a1
1:  add t2, t1, t3
    sd t2, 0(t1)
    mv t4, t1
    mv t1, t2
    addi t0, t0, -1
    bnez t0, 1b
    sd a1, 0(t4)
#endif
#ifdef DRAM_BANDWIDTH
#define STREAM
#endif
#ifdef LLC_MSHRS
#define STREAM
#endif
#ifdef STREAM
    li a1, 0x80400000
#endif

#ifdef DIRECTION
#define PERIOD 2048
# As many bytes, each 0 or 1 at random.
    li t2, PERIOD
    mv t1, s2
1:  slli t0, a0, 13
    xor a0, a0, t0
    srli t0, a0, 7
    xor a0, a0, t0
    slli t0, a0, 17
    xor a0, a0, t0
    andi t0, a0, 1
    sb t0, 0(t1)
    addi t1, t1, 1
    addi t2, t2, -1
    bnez t2, 1b
    li s5, 0
#endif

#ifdef TLB
#define PAGES 512
#endif
#ifdef DTLB
#define PAGES 24
#endif
#ifdef L2_TLB
#define PAGES 200
#endif
# Page tables of three levels in `tables`: an entry that points to the next level; a last level with 512 times the entry in t1, from t0 on; Sv39 for
# S-mode, and MPP cleared.
    .macro pointer table, offset, to
    la t0, \table
    la t1, \to
    srli t1, t1, 2
    ori t1, t1, 1
    sd t1, \offset(t0)
    .endm
    .macro one_page
    li t2, 512
1:  sd t1, 0(t0)
    addi t0, t0, 8
    addi t2, t2, -1
    bnez t2, 1b
    .endm
    .macro translate
    li t0, -1
    csrw pmpaddr0, t0
    li t0, 0x0f
    csrw pmpcfg0, t0
    la t0, tables
    srli t0, t0, 12
    li t1, 8
    slli t1, t1, 60
    or t0, t0, t1
    csrw satp, t0
    sfence.vma
    li t0, 3 << 11
    csrc mstatus, t0
    .endm

#ifdef PAGES
# Pages from FIRST_PAGE on, all of them the same page of memory: more than the TLBs hold (DTLB: than the first level), the caches hold all of them. Loads and
# stores are S-mode's (MPRV), fetches are M-mode's. What is read, and the entries of the three tables, are in the same set of the L1 data cache (TLB), or in
# different ones, but for two.
#ifdef TLB
#define FIRST_PAGE 0x40000000
#else
#define FIRST_PAGE 0x60000c00
#endif
    pointer tables, 8, tables+4096
    pointer tables+4096+(FIRST_PAGE>>21&511)*8, 0, tables+8192
    la t0, tables + 8192
    srli t1, s2, 2
    ori t1, t1, 0xc7
    one_page
    translate
    li t0, 1 << 17 | 1 << 11
    csrs mstatus, t0
    li a1, FIRST_PAGE
    li t3, 4096
    li t4, PAGES
#endif

#ifdef ITLB
# S-mode, in pages of code from 1 GiB on, all of them the same page of memory; the memory from 2 GiB on is where it is.
    pointer tables, 8, tables+4096
    li t1, 0x20000000 | 0xcf
    sd t1, 16(t0)
    pointer tables+4096, 0, tables+8192
    la t0, tables + 8192
    la t1, code
    srli t1, t1, 2
    ori t1, t1, 0xcb
    one_page
    translate
    li t0, 1 << 11
    csrs mstatus, t0
    li s8, 1 << 30
    la s9, done
    csrw mepc, s8
    mret
#endif

#ifdef FP
    li t0, 1 << 13
    csrs mstatus, t0
    fmv.d.x f0, zero
#endif

#ifdef WORLD
# A timer that interrupts all the time.
    la t0, handler
    csrw mtvec, t0
    li s4, 0x2004000
    li s5, 0x200bff8
    ld t0, 0(s5)
    sd t0, 0(s4)
    li t0, 1 << 7
    csrw mie, t0
    csrsi mstatus, 8
#endif

loop:
#ifdef WORLD
# Branches on what is known, and one on what nobody knows before: on one side of it memory, registers and CSRs are others.
    .rept 4
    slli t0, a0, 13
    xor a0, a0, t0
    srli t0, a0, 7
    xor a0, a0, t0
    andi t0, a0, 1
    beqz t0, 1f
    addi t1, t1, 1
1:
    .endr
    csrr t0, mcycle
    andi t0, t0, 1
    beqz t0, 1f
    sd a0, 0(s2)
    xor t1, t1, a0
    csrw mscratch, t1
1:
    ld t2, 0(s2)
    csrr t3, mscratch
    xor t1, t1, t2
    xor t1, t1, t3
    andi t2, t1, 1
    beqz t2, 1f
    addi a0, a0, 1
1:
#endif
#ifdef BRANCHES
# A branch on a random bit.
    .rept 4
    slli t0, a0, 13
    xor a0, a0, t0
    srli t0, a0, 7
    xor a0, a0, t0
    slli t0, a0, 17
    xor a0, a0, t0
    andi t0, a0, 1
    beqz t0, 1f
    addi t1, t1, 1
1:
    .endr
#endif
#ifdef L1I
# 16 KiB of code.
    .option push
    .option norvc
    .rept 2048
    addi t1, t1, 1
    addi t2, t2, 1
    .endr
    .option pop
#endif
#ifdef L1D
    .rept 16
    ld a1, 0(a1)
    .endr
#endif
#ifdef PAGES
# Each load waits for the one before it.
    ld t0, 0(a1)
    add a1, a1, t0
    add a1, a1, t3
    addi t4, t4, -1
    bnez t4, 1f
    li a1, FIRST_PAGE
    li t4, PAGES
1:
#endif
#ifdef ORDER
# The address of a store comes from a division; one time in eight it is that of the load after it, which has learnt to wait, and on
# which a chain hangs that the store has nothing to do with the other times.
    andi t0, s3, 7
    snez t0, t0
    slli t0, t0, 40
    li t1, 1 << 33
    div t0, t0, t1
    add t0, t0, s2
    sd zero, 0(t0)
    ld t2, 0(s2)
    .rept 8
    mul t2, t2, a0
    .endr
#endif
#ifdef WIDTH
# Two additions for each load, all independent, 16-bit: more than a package, and no port is asked for more than it has.
    .rept 32
    c.addi a2, 1
    c.ld a3, 0(a1)
    c.addi a4, 1
    .endr
#endif
#ifdef FETCH_WIDTH
# Three instructions from the middle of a block on, the third one jumps to the next such place: two fetches of 8 bytes, one of 16.
    .balign 16
    .rept 16
    .option push
    .option norvc
    nop
    addi t1, t1, 1
    addi t2, t2, 1
    j . + 8
    .option pop
    .endr
    .option push
    .option norvc
    nop
    .option pop
#endif
#ifdef MEM_PORTS
    .rept 32
    ld t1, 0(s2)
    ld t2, 8(s2)
    .endr
#endif
#ifdef FP_PORTS
    .rept 16
    fadd.d f1, f0, f0
    fadd.d f2, f0, f0
    .endr
#endif
#ifdef WINDOW
# A miss, then more than the reorder buffer of small2 holds before the next one; nothing waits for either.
    .rept 4
    add t0, s4, s5
    ld t1, 0(t0)
    addi s5, s5, STRIDE
    and s5, s5, s6
    .rept 18
    addi t2, zero, 1
    c.nop
    .endr
    .endr
#endif
#ifdef MSHRS
# Misses that nothing waits for.
    .rept 16
    add t0, s4, s5
    ld t1, 0(t0)
    addi s5, s5, STRIDE
    .endr
    and s5, s5, s6
#endif
#ifdef SNAPSHOTS
# A miss, ten branches that wait for it, the next miss.
    .rept 4
    add t0, s4, s5
    ld t1, 0(t0)
    addi s5, s5, STRIDE
    and s5, s5, s6
    .rept 10
    bnez t1, loop_again
    .endr
    .endr
#endif
#ifdef INT_QUEUE
# A miss, 14 additions that wait for it, the next miss.
    .rept 4
    add t0, s4, s5
    ld t1, 0(t0)
    addi s5, s5, STRIDE
    and s5, s5, s6
    .rept 14
    addi t2, t1, 1
    .endr
    .endr
#endif
#ifdef MEM_QUEUE
# A miss, five loads and five stores that wait for its data, the next miss.
    .rept 4
    add t0, s4, s5
    ld t1, 0(t0)
    addi s5, s5, STRIDE
    and s5, s5, s6
    add t1, t1, s7
    .rept 5
    ld t2, 0(t1)
    sd zero, 8(t1)
    .endr
    .endr
#endif
#ifdef FP_QUEUE
# A miss, ten additions that wait for it, the next miss.
    .rept 4
    add t0, s4, s5
    fld f1, 0(t0)
    addi s5, s5, STRIDE
    and s5, s5, s6
    .rept 10
    fadd.d f2, f1, f1
    .endr
    .endr
#endif
#ifdef LOAD_QUEUE
# A miss, ten loads that hit, the next miss.
    .rept 4
    add t0, s4, s5
    ld t1, 0(t0)
    addi s5, s5, STRIDE
    and s5, s5, s6
    .rept 10
    ld t2, 0(s7)
    .endr
    .endr
#endif
#ifdef STORE_QUEUE
# A miss, ten stores that hit, the next miss.
    .rept 4
    add t0, s4, s5
    ld t1, 0(t0)
    addi s5, s5, STRIDE
    and s5, s5, s6
    .rept 10
    sd zero, 0(s7)
    .endr
    .endr
#endif
#ifdef L1I_SIZE
# 12 KiB of code.
    .option push
    .option norvc
    .rept 1536
    addi t1, t1, 1
    addi t2, t2, 1
    .endr
    .option pop
#endif
#ifdef RING
    .rept 16
    ld a1, 0(a1)
    .endr
#endif
#ifdef BTB
# 256 jumps.
    .option push
    .option norvc
    .rept 256
    j . + 8
    nop
    .endr
    .option pop
#endif
#ifdef PREFETCH
# Line after line, each load waiting for the one before it.
    .rept 16
    add t0, s4, s5
    ld t1, 0(t0)
    addi s5, s5, STRIDE
    add s5, s5, t1
    .endr
    and s5, s5, s6
#endif
#ifdef FETCH_AHEAD
# A miss, 20 jumps, which are a packet each, the next miss: more packets than small2 has entries for them.
    .option push
    .option norvc
    .rept 4
    add t0, s4, s5
    ld t1, 0(t0)
    addi s5, s5, STRIDE
    and s5, s5, s6
    .rept 20
    j . + 8
    nop
    .endr
    .endr
    .option pop
#endif
#ifdef DIRECTION
# Branches whose directions come back after PERIOD of them: a predictor with room for all of it knows them.
    add t1, s2, s5
    .rept 16
    lbu t0, 0(t1)
    addi t1, t1, 1
    beqz t0, 1f
    addi t2, t2, 1
1:
    .endr
    addi s5, s5, 16
    andi s5, s5, PERIOD - 1
#endif
#ifdef INT_PORTS
    .rept 64
    c.addi a2, 1
    c.addi a4, 1
    .endr
#endif
#ifdef SPLIT_STORES
# The data of a store come from a chain, its address is known; the load after it, which has learnt to wait, reads what was stored one time
# in eight, and the next chain depends on it.
    andi t0, s3, 7
    snez t0, t0
    slli t0, t0, 6
    add t0, t0, s2
    .rept 8
    mul t4, t4, t4
    .endr
    sd t4, 0(t0)
    ld t2, 0(s2)
    .rept 8
    mul t2, t2, a0
    .endr
    add t4, t2, t3
#endif
#ifdef STREAM
# Misses of all caches that nothing waits for.
    .rept 16
    ld t1, 0(a1)
    addi a1, a1, 64
    .endr
#endif
#ifdef CHAIN
# Nothing but latency: no port, queue or cache is to blame.
    .rept 32
    mul a0, a0, a0
    .endr
#endif
    addi s3, s3, -1
    bnez s3, loop_again
    li t0, 1 << 17
    csrc mstatus, t0
done:
    li t1, 1
    la t0, tohost
    sd t1, 0(t0)
2:  j 2b
loop_again:
    j loop

#ifdef WORLD
    .balign 4
handler:
    csrw sscratch, t0
    ld t0, 8(s2)
    addi t0, t0, 1
    sd t0, 8(s2)
    ld t0, 0(s5)
    addi t0, t0, 1
    sd t0, 0(s4)
    csrr t0, sscratch
    mret
#endif

#ifdef ITLB
# In page n this goes on at the nth place, with a jump to the next page's next place: a fetch a page. Its jumps are each in a set of the branch target buffer.
    .balign 4096
code:
    .option push
    .option norvc
    .rept 24
    j . + 4096 + 8
    nop
    .endr
    addi s3, s3, -1
    beqz s3, 1f
    jr s8
1:  jr s9
    .option pop
    .balign 4096
#endif

    .section .tohost, "aw", @progbits
    .balign 64
    .globl tohost
tohost: .dword 0
    .globl fromhost
fromhost: .dword 0
    .data
    .balign 4096
data: .fill 8192 + 64, 8, 0
    .balign 4096
tables: .fill 1536, 8, 0
    .balign 64
hot: .fill 8, 8, 0
