# Functions whose blocks and loops tests/unit/analysis/test_flow.c has drawn by hand. Labels without a dot stay in the
# symbol table, where the test finds them.
    .option norelax
    .text
    .globl _start
    .type _start, @function
_start: # a straight line and a diamond
    beqz a0, s2
s1: addi a0, a0, 1
    j s3
s2: addi a0, a0, 2
s3: ret
    .size _start, . - _start

    .type alone, @function
alone: # no edge at all
    addi a0, a0, 1
    ret
    .size alone, . - alone

    .type nest, @function
nest: # n1 { n2 { n3, a loop of itself; n4 } n5 } and, next to it, n6 {}
    li t0, 3
n1: li t1, 3
n2: li t2, 3
n3: addi t2, t2, -1
    bnez t2, n3
n4: addi t1, t1, -1
    bnez t1, n2
n5: addi t0, t0, -1
    bnez t0, n1
n6: addi a0, a0, -1
    bgtz a0, n6
n7: ret
    .size nest, . - nest

    .type rotated, @function
rotated: # entered at its test, r2; c2 is a continue
    j r2
r1: addi a0, a0, -1
    bltz a0, r2
c2: addi a1, a1, 1
r2: bnez a0, r1
    ret
    .size rotated, . - rotated

    .type twice, @function
twice: # i1 and i2 are both entered from outside, and inside them is a proper loop, i3
    bnez a0, i2
i1: addi a0, a0, -1
i3: addi a1, a1, -1
    bnez a1, i3
i4: addi a2, a2, 1
i2: addi a0, a0, -1
    bnez a0, i1
i5: ret
    .size twice, . - twice

    .type table, @function
table: # w1 { jr to w2, w3, w4 }, w4 leaves; w5 comes after a call that comes back
w1: jr a5
w2: addi a0, a0, 1
    j w1
w3: jal ra, nest
w5: bnez a0, w1
w4: ret
    .size table, . - table

    .type tails, @function
tails: # jumps out of the function are no edges; d1 is code that nothing goes to, and enters a loop at t2
    li t0, 4
t1: addi t0, t0, -1
    beqz t0, t3
t2: addi a0, a0, 1
    j t1
d1: addi a0, a0, 2
    j t2
    jr t0 # returns, as from a helper that keeps ra
t3: j nest
    .size tails, . - tails
