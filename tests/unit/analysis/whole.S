# A compilation unit written by hand whose addresses enclose those of another file, which the linker puts in between.
    .file 1 "whole.S"
    .section .text.first, "ax", @progbits
    .globl first
    .type first, @function
first:
    .loc 1 100
    nop
    ret
    .size first, . - first
    .section .text.last, "ax", @progbits
    .globl last
    .type last, @function
last:
    .loc 1 200
    nop
    ret
    .size last, . - last
after:
    .section .debug_abbrev, "", @progbits
    .uleb128 1; .uleb128 0x11    # DW_TAG_compile_unit
    .byte 0                     # no children
    .uleb128 0x10; .uleb128 0x17 # DW_AT_stmt_list, DW_FORM_sec_offset
    .uleb128 0x11; .uleb128 0x01 # DW_AT_low_pc, DW_FORM_addr
    .uleb128 0x12; .uleb128 0x01 # DW_AT_high_pc, DW_FORM_addr
    .uleb128 0; .uleb128 0
    .uleb128 2; .uleb128 0x11
    .byte 0
    .uleb128 0x11; .uleb128 0x01
    .uleb128 0x12; .uleb128 0x01
    .uleb128 0; .uleb128 0; .uleb128 0
    .section .debug_info, "", @progbits
    .4byte 2f - 1f
1:  .2byte 4                    # version
    .4byte .debug_abbrev
    .byte 8
    .uleb128 1
    .4byte .debug_line
    .8byte first
    .8byte after
2:  .4byte 4f - 3f              # a unit inside that says nothing of lines
3:  .2byte 4
    .4byte .debug_abbrev
    .byte 8
    .uleb128 2
    .8byte last
    .8byte after
4:
    .section .debug_line, "", @progbits
