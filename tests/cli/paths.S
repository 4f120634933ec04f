# Paths known by hand: 2000 rounds; every other one goes by the right arm. Both arms call leaf, each from a place of its
# own. Instructions are 4 bytes: offsets from _start at the right.
    .option norvc
    .option norelax
    .globl _start
_start:
    li s0, 2000                 # 0
.Lround:
    andi t0, s0, 1              # 4
    beqz t0, .Lright            # 8     taken in every other round
    jal ra, leaf                # 12
    j .Ljoined                  # 16
.Lright:
    jal ra, leaf                # 20
.Ljoined:
    addi s0, s0, -1             # 24
    bnez s0, .Lround            # 28
    la t0, tohost
    li t1, 1
    sd t1, 0(t0)
.Lend:
    j .Lend
    .globl leaf
leaf:
    .rept 12
    addi t2, t2, 1
    .endr
    ret
    .section .tohost, "aw"
    .balign 8
    .globl tohost
tohost: .dword 0
