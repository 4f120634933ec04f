# A function of more than 28,000 instructions, run twice; and one whose name would end the script element of a page.
    .text
    .globl _start
    .type _start, @function
_start:
    li s0, 2
1:  call long_function
    call "</script><img src=x onerror=document.title=1>"
    addi s0, s0, -1
    bnez s0, 1b
    la t0, tohost
    li t1, 1
    sd t1, 0(t0)
2:  j 2b
    .size _start, . - _start

    .globl long_function
    .type long_function, @function
long_function:
    li t0, 7
    .rept 14000
    addi t1, t0, 1
    xor t2, t1, t0
    .endr
    ret
    .size long_function, . - long_function

    .globl "</script><img src=x onerror=document.title=1>"
    .type "</script><img src=x onerror=document.title=1>", @function
"</script><img src=x onerror=document.title=1>":
    li t0, 500
3:  addi t0, t0, -1
    bnez t0, 3b
    ret
    .size "</script><img src=x onerror=document.title=1>", . - "</script><img src=x onerror=document.title=1>"

    .section .tohost, "aw", @progbits
    .balign 64
    .globl tohost
tohost: .dword 0
    .size tohost, 8
