# Symbols of the kinds that assemblers, compilers and libraries make, for test_symbols.c, which says what each address
# is to be called.
    .option norvc
    .option norelax
    .macro FUNCTION name, binding=globl
    .\binding \name
    .type \name, @function
\name:
    .endm
    .text
    .globl _start
_start:                         # 0x80000000: a label, up to the next one
    addi a0, zero, 1
    FUNCTION outer              # 0x80000004
    addi a0, zero, 2
    FUNCTION inner              # 0x80000008: inside it
    addi a0, zero, 3
    .size inner, . - inner
    addi a0, zero, 4            # 0x8000000c: outer's again
    .globl place
place:                          # 0x80000010: a place inside a function
    addi a0, zero, 5
    FUNCTION second_entry       # 0x80000014: says nothing of its end
    addi a0, zero, 6
    .size outer, . - outer
    addi a0, zero, 7            # 0x80000018: nobody's
    FUNCTION too_long           # 0x8000001c
    addi a0, zero, 8
    .size too_long, 12          # with the next two instructions
    FUNCTION after              # 0x80000020
    addi a0, zero, 9
    .size after, . - after
    addi a0, zero, 10           # 0x80000024: it says that this is too_long's
    FUNCTION endless            # 0x80000028
    addi a0, zero, 11
    .size endless, 0x100000     # beyond the section
    FUNCTION w, weak            # 0x8000002c: without a size
    FUNCTION strong_alias
    FUNCTION strong_name
    .type l, @function
l:
    addi a0, zero, 12
    .size strong_alias, . - strong_alias
    addi a0, zero, 18           # 0x80000030: nobody's
    FUNCTION $s4main3hotyyF     # 0x80000034: what Swift calls a function
    addi a0, zero, 13
    .size $s4main3hotyyF, . - $s4main3hotyyF
    FUNCTION $d                 # 0x80000038: named as what marks data
    addi a0, zero, 14
    .size $d, . - $d
    FUNCTION resolver           # 0x8000003c
    .type resolver, @gnu_indirect_function
    addi a0, zero, 15
    .size resolver, . - resolver
    FUNCTION with_data          # 0x80000040
    j 1f
    .option rvc
    .half 0xffff                # 0x80000044: the first half of an instruction, if it were one
1:  addi a0, zero, 16           # 0x80000046
    j 2f                        # 0x80000048
    .word 0x00000063            # 0x8000004a: beq zero, zero, 0
    .half 0x0513                # 0x8000004e: the first half of an addi, if it were one
2:  c.li a0, 17                 # 0x80000050
    .word 0x00150513            # 0x80000052: an instruction as a number
    c.jr ra                     # 0x80000056
    .size with_data, . - with_data
