# kernel_run(n): kernel(n) between two places that `tipoff run --sample-from` and `tipoff gus --from` find.
# The fence: what came before is finished when the measurement begins.

    .text
    .globl kernel_run, kernel_begin, kernel_end
    .type kernel_run, @function
    .type kernel_begin, @notype
    .type kernel_end, @notype
kernel_run:
    addi sp, sp, -16
    sd ra, 8(sp)
kernel_begin:
    fence rw, rw
    call kernel
kernel_end:
    ld ra, 8(sp)
    addi sp, sp, 16
    ret
    .size kernel_run, . - kernel_run
