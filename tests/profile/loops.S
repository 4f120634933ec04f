# Loops whose counts are known by construction, for tests/profile/test_executed.py. The label of a loop's header says them:
# NAME_dDEPTH_eENTRIES_iITERATIONS. One that is entered at two places has such a label at both.
    .equ MTIME, 0x200bff8
    .equ MTIMECMP, 0x2004000
    .equ TICKS, 1
    .equ INTERRUPTED, 3000
    .text
    .globl main
    .type main, @function
main:
    addi sp, sp, -32
    sd ra, 0(sp)
    sd s0, 8(sp)
    call nested
    call tested_first
    call tested_last
    call continued
    call calling
    li s0, 5
main_d1_e1_i5:
    call short
    addi s0, s0, -1
    bnez s0, main_d1_e1_i5
    call cases
    li a0, 0
    call irreducible
    li a0, 1
    call irreducible
    li a0, 3
    call recursive
    call interrupted
    call two_exits
    ld ra, 0(sp)
    ld s0, 8(sp)
    addi sp, sp, 32
    li a0, 0
    ret
    .size main, . - main

    .type nested, @function
nested:
    li t0, 3
outer_d1_e1_i3:
    li t1, 4
middle_d2_e3_i12:
    li t2, 5
inner_d3_e12_i60:
    addi t2, t2, -1
    bnez t2, inner_d3_e12_i60
    addi t1, t1, -1
    bnez t1, middle_d2_e3_i12
    li t1, 2
second_d2_e3_i6:
    divu t3, t0, t1
    addi t1, t1, -1
    bnez t1, second_d2_e3_i6
    addi t0, t0, -1
    bnez t0, outer_d1_e1_i3
    ret
    .size nested, . - nested

# As a while loop is written: the test is executed once more than the body.
    .type tested_first, @function
tested_first:
    li t0, 7
while_d1_e1_i8:
    beqz t0, 1f
    addi t0, t0, -1
    divu t1, t0, t0
    j while_d1_e1_i8
1:  ret
    .size tested_first, . - tested_first

# Rotated, entered at its test, which is below the body.
    .type tested_last, @function
tested_last:
    li t0, 7
    j rotated_d1_e1_i8
1:  addi t0, t0, -1
    divu t1, t0, t0
rotated_d1_e1_i8:
    bnez t0, 1b
    ret
    .size tested_last, . - tested_last

# Two edges back: one of them a continue.
    .type continued, @function
continued:
    li t0, 20
continue_d1_e1_i20:
    addi t0, t0, -1
    andi t1, t0, 3
    divu t2, t0, t1
    bnez t1, continue_d1_e1_i20
    divu t2, t2, t1
    bnez t0, continue_d1_e1_i20
    ret
    .size continued, . - continued

# Calls in it, one of them at its end.
    .type calling, @function
calling:
    addi sp, sp, -16
    sd ra, 0(sp)
    li t4, 6
call_d1_e1_i6:
    call callee
    addi t4, t4, -1
    beqz t4, 1f
    call callee
    j call_d1_e1_i6
1:  ld ra, 0(sp)
    addi sp, sp, 16
    ret
    .size calling, . - calling
    .type callee, @function
callee:
    divu t5, t4, t4
    ret
    .size callee, . - callee

# Called five times.
    .type short, @function
short:
    li t0, 2
short_d1_e5_i10:
    divu t1, t0, t0
    addi t0, t0, -1
    bnez t0, short_d1_e5_i10
    ret
    .size short, . - short

# A switch in a loop: of its four cases, which nothing but the table names, one is not executed, and one continues.
    .type cases, @function
cases:
    li t0, 12
    la t1, table
switch_d1_e1_i12:
    li t2, 3
    remu t2, t0, t2
    slli t2, t2, 3
    add t2, t2, t1
    ld t2, 0(t2)
    jr t2
case0:
    divu t3, t0, t0
    j 1f
case1:
    addi t0, t0, -1
    bnez t0, switch_d1_e1_i12
    ret
case3:
    nop
    j 1f
case2:
    mul t3, t0, t0
1:  addi t0, t0, -1
    bnez t0, switch_d1_e1_i12
    ret
    .size cases, . - cases
    .section .rodata
    .balign 8
table:
    .dword case0, case1, case2, case3
    .text

# a -> b -> a, entered at a or at b: 4 times around from a, 4 from b.
    .type irreducible, @function
irreducible:
    li t0, 4
    bnez a0, either_d1_e2_i9
one_d1_e2_i8:
    addi t0, t0, -1
    divu t1, t0, t0
either_d1_e2_i9:
    divu t1, t0, t0
    bnez t0, one_d1_e2_i8
    ret
    .size irreducible, . - irreducible

# 7 calls that get to the loop, of 1 + 2 + 4 + 8.
    .type recursive, @function
recursive:
    beqz a0, 1f
    addi sp, sp, -32
    sd ra, 0(sp)
    sd s0, 8(sp)
    sd s1, 16(sp)
    mv s1, a0
    li s0, 2
recursion_d1_e7_i14:
    addi a0, s1, -1
    call recursive
    addi s0, s0, -1
    bnez s0, recursion_d1_e7_i14
    ld ra, 0(sp)
    ld s0, 8(sp)
    ld s1, 16(sp)
    addi sp, sp, 32
1:  ret
    .size recursive, . - recursive

# Ticks in between, everywhere.
    .type interrupted, @function
interrupted:
    csrr t6, mtvec
    la t0, tick
    csrw mtvec, t0
    li a2, MTIME
    li a3, MTIMECMP
    ld t0, 0(a2)
    addi t0, t0, TICKS
    sd t0, 0(a3)
    li t0, 0x80 # MTIE
    csrw mie, t0
    li t0, INTERRUPTED
    csrsi mstatus, 8
interrupts_d1_e1_i3000:
    li t1, 2
inside_d2_e3000_i6000:
    addi t1, t1, -1
    bnez t1, inside_d2_e3000_i6000
    addi t0, t0, -1
    bnez t0, interrupts_d1_e1_i3000
    csrci mstatus, 8
    csrw mie, zero
    csrw mtvec, t6
    ret
    .size interrupted, . - interrupted
    .balign 4
    .type tick, @function
tick:
    li a5, 3
ticking:
    addi a5, a5, -1
    bnez a5, ticking
    ld a4, 0(a2)
    addi a4, a4, TICKS
    sd a4, 0(a3)
    mret
    .size tick, . - tick

# Left by a break in the 5th of 9.
    .type two_exits, @function
two_exits:
    li t0, 9
break_d1_e1_i5:
    divu t1, t0, t0
    li t1, 5
    beq t0, t1, 1f
    addi t0, t0, -1
    bnez t0, break_d1_e1_i5
1:  ret
    .size two_exits, . - two_exits
