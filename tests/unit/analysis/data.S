# Data of all kinds, where data.ld puts them: test_data.c has each one's name.
.section .text.start, "ax"
.globl _start
.type _start, @function
_start: ret
.size _start, . - _start

.macro object name, bytes, binding
\binding \name
.type \name, @object
.size \name, \bytes
\name:
.endm

.data
object first, 16, .globl
    .dword 1
object inner, 4, .globl
    .dword 2
bare:                       # a label: it may be of anything
    .dword 3
object alias_of_a_file, 8, .local
object alias_of_all, 8, .globl
    .dword 4
object _ZN5space5queueE, 24, .globl
    .zero 24
object open_end, 0, .globl  # without a size: up to the next one
    .dword 5, 6
object last, 8, .globl
    .dword 7

.section .tbss, "awT", @nobits
    .zero 64

.section .stack, "aw", @nobits
    .zero 4096

.section .moved, "aw"
object moved, 8, .globl
    .dword 8
