# The end of each program: 1 to tohost, which is exit status 0.
    .globl finish
finish:
    la t0, tohost
    li t1, 1
    sd t1, 0(t0)
1:
    j 1b
