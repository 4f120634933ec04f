# Functions whose frames are made in the ways that frames.h knows, and in ways that it does not. Each ends with ret.
.macro function name
.globl \name
.type \name, @function
\name:
.endm

.globl _start
function _start
    jal ra, main            # four bytes
    ret

function main
    addi sp, sp, -16        # compressed
    sd ra, 8(sp)
    c.jalr a0               # two bytes
    ret

function twice              # ra at the entry's sp - 8; then 64 more
    addi sp, sp, -32
    sd s0, 16(sp)
    sd ra, 24(sp)
    addi sp, sp, -64
    ret

function ends               # what moves up is the function's end, on another way
    addi sp, sp, -48
    addi sp, sp, 48
    ret

function leaf
    add a0, a0, a1
    ret

function large              # 4096 - 16 by sub
    lui t0, 1
    addi t0, t0, -16
    sub sp, sp, t0
    sd ra, 2040(sp)
    ret

function add_first          # -4096 + 96 by add sp, t0, sp
    lui t0, 0xfffff
    addi t0, t0, 96
    add sp, t0, sp
    ret

function add_second         # -(1 << 31) - 1 wraps to 32 bits: up
    lui t0, 0x80000
    addiw t0, t0, -1
    add sp, sp, t0
    ret

function unknown            # a constant no more
    lui t0, 1
    ld t0, 0(a1)
    sub sp, sp, t0
    ret
