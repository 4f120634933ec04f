# What rustc makes of rust.rs, which says how, without the .attribute lines, which older assemblers do not know.
	.file	"rust.cebe997107dec46e-cgu.0"
	.section	.text._RINvNtCshKuLGoDTFBq_4rust6shapes5totalNtB2_6SquareNtB2_6CircleEB4_,"ax",@progbits
	.p2align	1
	.type	_RINvNtCshKuLGoDTFBq_4rust6shapes5totalNtB2_6SquareNtB2_6CircleEB4_,@function
_RINvNtCshKuLGoDTFBq_4rust6shapes5totalNtB2_6SquareNtB2_6CircleEB4_:
.Lfunc_begin0:
	.file	1 "/rust" "rust.rs"
	.loc	1 33 0
	.cfi_sections .debug_frame
	.cfi_startproc
	addi	sp, sp, -16
	.cfi_def_cfa_offset 16
	sd	ra, 8(sp)
	sd	s0, 0(sp)
	.cfi_offset ra, -8
	.cfi_offset s0, -16
.Ltmp0:
	.loc	1 33 95 prologue_end
	li	a0, 7
	call	_RNvXNtCshKuLGoDTFBq_4rust6shapesNtB2_6SquareNtB2_4Area4area
.Ltmp1:
	.loc	1 34 49
	addi	a1, a0, 1
	mul	s0, a1, a0
.Ltmp2:
	.loc	1 33 106
	li	a0, 100
.Ltmp3:
	call	_RNvXs_NtCshKuLGoDTFBq_4rust6shapesNtB4_6CircleNtB4_4Area4area
	.loc	1 33 74 is_stmt 0
	add	a0, a0, s0
	.loc	1 33 115 epilogue_begin
	ld	ra, 8(sp)
	ld	s0, 0(sp)
	.cfi_restore ra
	.cfi_restore s0
	addi	sp, sp, 16
	.cfi_def_cfa_offset 0
	ret
.Ltmp4:
.Lfunc_end0:
	.size	_RINvNtCshKuLGoDTFBq_4rust6shapes5totalNtB2_6SquareNtB2_6CircleEB4_, .Lfunc_end0-_RINvNtCshKuLGoDTFBq_4rust6shapes5totalNtB2_6SquareNtB2_6CircleEB4_
	.cfi_endproc

	.section	.text._RNvMs2_CshKuLGoDTFBq_4rustINtB5_7CounterNtNtB5_6shapes6CircleE3allB5_,"ax",@progbits
	.p2align	1
	.type	_RNvMs2_CshKuLGoDTFBq_4rustINtB5_7CounterNtNtB5_6shapes6CircleE3allB5_,@function
_RNvMs2_CshKuLGoDTFBq_4rustINtB5_7CounterNtNtB5_6shapes6CircleE3allB5_:
.Lfunc_begin1:
	.loc	1 45 0 is_stmt 1
	.cfi_startproc
	addi	sp, sp, -32
	.cfi_def_cfa_offset 32
	sd	ra, 24(sp)
	sd	s0, 16(sp)
	sd	s1, 8(sp)
	.cfi_offset ra, -8
	.cfi_offset s0, -16
	.cfi_offset s1, -24
.Ltmp5:
	ld	s0, 8(a0)
.Ltmp6:
	.loc	1 47 15 prologue_end
	beqz	s0, .LBB1_2
.Ltmp7:
	.loc	1 0 15 is_stmt 0
	ld	a1, 0(a0)
	mv	s1, a0
.Ltmp8:
	mv	a0, a1
	call	_RNvXs_NtCshKuLGoDTFBq_4rust6shapesNtB4_6CircleNtB4_4Area4area
.Ltmp9:
	.loc	1 47 15
	addi	a1, s0, -1
	lui	a2, 10
	lui	a3, 1048566
	addi	a4, s0, -2
	addi	a2, a2, -457
	addi	a3, a3, 457
	mul	a2, s0, a2
	mul	a5, a1, a4
	mulhu	a4, a1, a4
	slli	a4, a4, 63
	srli	a5, a5, 1
	or	a4, a4, a5
	add	a5, a2, a3
	mul	a1, a1, a5
	mul	a3, a4, a3
	add	a1, a1, a2
	add	a1, a1, a3
	mul	a0, a0, a1
.Ltmp10:
	.loc	1 41 9 is_stmt 1
	sd	zero, 8(s1)
	j	.LBB1_3
.Ltmp11:
.LBB1_2:
	.loc	1 0 9 is_stmt 0
	li	a0, 0
.Ltmp12:
.LBB1_3:
	.loc	1 51 6 epilogue_begin is_stmt 1
	ld	ra, 24(sp)
	ld	s0, 16(sp)
	ld	s1, 8(sp)
	.cfi_restore ra
	.cfi_restore s0
	.cfi_restore s1
	addi	sp, sp, 32
	.cfi_def_cfa_offset 0
	ret
.Ltmp13:
.Lfunc_end1:
	.size	_RNvMs2_CshKuLGoDTFBq_4rustINtB5_7CounterNtNtB5_6shapes6CircleE3allB5_, .Lfunc_end1-_RNvMs2_CshKuLGoDTFBq_4rustINtB5_7CounterNtNtB5_6shapes6CircleE3allB5_
	.cfi_endproc

	.section	.text._RNvMs2_CshKuLGoDTFBq_4rustINtB5_7CounterNtNtB5_6shapes6SquareE3allB5_,"ax",@progbits
	.p2align	1
	.type	_RNvMs2_CshKuLGoDTFBq_4rustINtB5_7CounterNtNtB5_6shapes6SquareE3allB5_,@function
_RNvMs2_CshKuLGoDTFBq_4rustINtB5_7CounterNtNtB5_6shapes6SquareE3allB5_:
.Lfunc_begin2:
	.loc	1 45 0
	.cfi_startproc
	addi	sp, sp, -32
	.cfi_def_cfa_offset 32
	sd	ra, 24(sp)
	sd	s0, 16(sp)
	sd	s1, 8(sp)
	.cfi_offset ra, -8
	.cfi_offset s0, -16
	.cfi_offset s1, -24
.Ltmp14:
	ld	s0, 8(a0)
.Ltmp15:
	.loc	1 47 15 prologue_end
	beqz	s0, .LBB2_2
.Ltmp16:
	.loc	1 0 15 is_stmt 0
	ld	a1, 0(a0)
	mv	s1, a0
.Ltmp17:
	mv	a0, a1
	call	_RNvXNtCshKuLGoDTFBq_4rust6shapesNtB2_6SquareNtB2_4Area4area
.Ltmp18:
	.loc	1 47 15
	addi	a1, s0, -1
	lui	a2, 10
	lui	a3, 1048566
	addi	a4, s0, -2
	addi	a2, a2, -457
	addi	a3, a3, 457
	mul	a2, s0, a2
	mul	a5, a1, a4
	mulhu	a4, a1, a4
	slli	a4, a4, 63
	srli	a5, a5, 1
	or	a4, a4, a5
	add	a5, a2, a3
	mul	a1, a1, a5
	mul	a3, a4, a3
	add	a1, a1, a2
	add	a1, a1, a3
	mul	a0, a0, a1
.Ltmp19:
	.loc	1 41 9 is_stmt 1
	sd	zero, 8(s1)
	j	.LBB2_3
.Ltmp20:
.LBB2_2:
	.loc	1 0 9 is_stmt 0
	li	a0, 0
.Ltmp21:
.LBB2_3:
	.loc	1 51 6 epilogue_begin is_stmt 1
	ld	ra, 24(sp)
	ld	s0, 16(sp)
	ld	s1, 8(sp)
	.cfi_restore ra
	.cfi_restore s0
	.cfi_restore s1
	addi	sp, sp, 32
	.cfi_def_cfa_offset 0
	ret
.Ltmp22:
.Lfunc_end2:
	.size	_RNvMs2_CshKuLGoDTFBq_4rustINtB5_7CounterNtNtB5_6shapes6SquareE3allB5_, .Lfunc_end2-_RNvMs2_CshKuLGoDTFBq_4rustINtB5_7CounterNtNtB5_6shapes6SquareE3allB5_
	.cfi_endproc

	.section	.text._RNvXNtCshKuLGoDTFBq_4rust6shapesNtB2_6SquareNtB2_4Area4area,"ax",@progbits
	.p2align	1
	.type	_RNvXNtCshKuLGoDTFBq_4rust6shapesNtB2_6SquareNtB2_4Area4area,@function
_RNvXNtCshKuLGoDTFBq_4rust6shapesNtB2_6SquareNtB2_4Area4area:
.Lfunc_begin3:
	.cfi_startproc
	.loc	1 31 68 prologue_end
	mul	a0, a0, a0
.Ltmp23:
	.loc	1 31 98 is_stmt 0
	ret
.Ltmp24:
.Lfunc_end3:
	.size	_RNvXNtCshKuLGoDTFBq_4rust6shapesNtB2_6SquareNtB2_4Area4area, .Lfunc_end3-_RNvXNtCshKuLGoDTFBq_4rust6shapesNtB2_6SquareNtB2_4Area4area
	.cfi_endproc

	.section	.text._RNvXs_NtCshKuLGoDTFBq_4rust6shapesNtB4_6CircleNtB4_4Area4area,"ax",@progbits
	.p2align	1
	.type	_RNvXs_NtCshKuLGoDTFBq_4rust6shapesNtB4_6CircleNtB4_4Area4area,@function
_RNvXs_NtCshKuLGoDTFBq_4rust6shapesNtB4_6CircleNtB4_4Area4area:
.Lfunc_begin4:
	.cfi_startproc
	.loc	1 32 109 prologue_end is_stmt 1
	beqz	a0, .LBB4_2
.Ltmp25:
	addi	a1, a0, -1
	slli	a2, a0, 1
	addi	a3, a0, -2
	add	a0, a0, a2
.Ltmp26:
	mul	a2, a1, a3
	mulhu	a3, a1, a3
	addi	a4, a0, -3
	slli	a3, a3, 63
	mul	a1, a1, a4
	srli	a4, a2, 1
	or	a3, a3, a4
	andi	a2, a2, -2
	add	a0, a0, a1
	add	a2, a2, a3
	sub	a0, a0, a2
.Ltmp27:
.LBB4_2:
	.loc	1 32 188 is_stmt 0
	ret
.Ltmp28:
.Lfunc_end4:
	.size	_RNvXs_NtCshKuLGoDTFBq_4rust6shapesNtB4_6CircleNtB4_4Area4area, .Lfunc_end4-_RNvXs_NtCshKuLGoDTFBq_4rust6shapesNtB4_6CircleNtB4_4Area4area
	.cfi_endproc

	.section	.text.main,"ax",@progbits
	.globl	main
	.p2align	1
	.type	main,@function
main:
.Lfunc_begin5:
	.loc	1 61 0 is_stmt 1
	.cfi_startproc
	addi	sp, sp, -48
	.cfi_def_cfa_offset 48
	sd	ra, 40(sp)
	sd	s0, 32(sp)
	.cfi_offset ra, -8
	.cfi_offset s0, -16
	li	a0, 3
	li	a1, 5
	li	a2, 9
.Ltmp29:
	.loc	1 62 23 prologue_end
	sd	a0, 0(sp)
	sd	a1, 8(sp)
	li	a0, 7
.Ltmp30:
	.loc	1 63 23
	sd	a2, 16(sp)
	sd	a0, 24(sp)
.Ltmp31:
	.loc	1 64 36
	mv	a0, sp
	call	_RNvMs2_CshKuLGoDTFBq_4rustINtB5_7CounterNtNtB5_6shapes6SquareE3allB5_
	mv	s0, a0
	.loc	1 64 51 is_stmt 0
	addi	a0, sp, 16
	call	_RNvMs2_CshKuLGoDTFBq_4rustINtB5_7CounterNtNtB5_6shapes6CircleE3allB5_
	.loc	1 64 15
	add	s0, s0, a0
.Ltmp32:
	.loc	1 65 23 is_stmt 1
	call	_RINvNtCshKuLGoDTFBq_4rust6shapes5totalNtB2_6SquareNtB2_6CircleEB4_
	.loc	1 65 5 is_stmt 0
	add	a0, a0, s0
.Ltmp33:
	.loc	1 66 2 epilogue_begin is_stmt 1
	ld	ra, 40(sp)
	ld	s0, 32(sp)
.Ltmp34:
	.cfi_restore ra
	.cfi_restore s0
	addi	sp, sp, 48
	.cfi_def_cfa_offset 0
	ret
.Ltmp35:
.Lfunc_end5:
	.size	main, .Lfunc_end5-main
	.cfi_endproc

	.section	.debug_loc,"",@progbits
.Ldebug_loc0:
	.quad	-1
	.quad	.Lfunc_begin1
	.quad	.Lfunc_begin1-.Lfunc_begin1
	.quad	.Ltmp8-.Lfunc_begin1
	.half	1
	.byte	90
	.quad	.Ltmp8-.Lfunc_begin1
	.quad	.Ltmp11-.Lfunc_begin1
	.half	1
	.byte	89
	.quad	.Ltmp11-.Lfunc_begin1
	.quad	.Ltmp12-.Lfunc_begin1
	.half	1
	.byte	90
	.quad	0
	.quad	0
.Ldebug_loc1:
	.quad	-1
	.quad	.Lfunc_begin1
	.quad	.Ltmp5-.Lfunc_begin1
	.quad	.Ltmp7-.Lfunc_begin1
	.half	2
	.byte	48
	.byte	159
	.quad	0
	.quad	0
.Ldebug_loc2:
	.quad	-1
	.quad	.Lfunc_begin2
	.quad	.Lfunc_begin2-.Lfunc_begin2
	.quad	.Ltmp17-.Lfunc_begin2
	.half	1
	.byte	90
	.quad	.Ltmp17-.Lfunc_begin2
	.quad	.Ltmp20-.Lfunc_begin2
	.half	1
	.byte	89
	.quad	.Ltmp20-.Lfunc_begin2
	.quad	.Ltmp21-.Lfunc_begin2
	.half	1
	.byte	90
	.quad	0
	.quad	0
.Ldebug_loc3:
	.quad	-1
	.quad	.Lfunc_begin2
	.quad	.Ltmp14-.Lfunc_begin2
	.quad	.Ltmp16-.Lfunc_begin2
	.half	2
	.byte	48
	.byte	159
	.quad	0
	.quad	0
.Ldebug_loc4:
	.quad	-1
	.quad	.Lfunc_begin3
	.quad	.Lfunc_begin3-.Lfunc_begin3
	.quad	.Ltmp23-.Lfunc_begin3
	.half	1
	.byte	90
	.quad	.Ltmp23-.Lfunc_begin3
	.quad	.Lfunc_end3-.Lfunc_begin3
	.half	4
	.byte	243
	.byte	1
	.byte	90
	.byte	159
	.quad	0
	.quad	0
.Ldebug_loc5:
	.quad	-1
	.quad	.Lfunc_begin4
	.quad	.Lfunc_begin4-.Lfunc_begin4
	.quad	.Ltmp26-.Lfunc_begin4
	.half	1
	.byte	90
	.quad	.Ltmp26-.Lfunc_begin4
	.quad	.Ltmp27-.Lfunc_begin4
	.half	4
	.byte	243
	.byte	1
	.byte	90
	.byte	159
	.quad	0
	.quad	0
.Ldebug_loc6:
	.quad	-1
	.quad	.Lfunc_begin4
	.quad	.Lfunc_begin4-.Lfunc_begin4
	.quad	.Ltmp25-.Lfunc_begin4
	.half	1
	.byte	90
	.quad	0
	.quad	0
.Ldebug_loc7:
	.quad	-1
	.quad	.Lfunc_begin4
	.quad	.Lfunc_begin4-.Lfunc_begin4
	.quad	.Ltmp25-.Lfunc_begin4
	.half	2
	.byte	48
	.byte	159
	.quad	0
	.quad	0
	.section	.debug_abbrev,"",@progbits
	.byte	1
	.byte	17
	.byte	1
	.byte	37
	.byte	14
	.byte	19
	.byte	5
	.byte	3
	.byte	14
	.byte	16
	.byte	23
	.byte	27
	.byte	14
	.byte	17
	.byte	1
	.byte	85
	.byte	23
	.byte	0
	.byte	0
	.byte	2
	.byte	57
	.byte	1
	.byte	3
	.byte	14
	.byte	0
	.byte	0
	.byte	3
	.byte	46
	.byte	1
	.byte	110
	.byte	14
	.byte	3
	.byte	14
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	32
	.byte	11
	.byte	0
	.byte	0
	.byte	4
	.byte	5
	.byte	0
	.byte	3
	.byte	14
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	5
	.byte	46
	.byte	1
	.byte	17
	.byte	1
	.byte	18
	.byte	6
	.byte	64
	.byte	24
	.byte	110
	.byte	14
	.byte	3
	.byte	14
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	54
	.byte	11
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	6
	.byte	5
	.byte	0
	.byte	28
	.byte	15
	.byte	3
	.byte	14
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	7
	.byte	29
	.byte	1
	.byte	49
	.byte	19
	.byte	17
	.byte	1
	.byte	18
	.byte	6
	.byte	88
	.byte	11
	.byte	89
	.byte	11
	.byte	87
	.byte	11
	.byte	0
	.byte	0
	.byte	8
	.byte	5
	.byte	0
	.byte	2
	.byte	24
	.byte	49
	.byte	19
	.byte	0
	.byte	0
	.byte	9
	.byte	47
	.byte	0
	.byte	73
	.byte	19
	.byte	3
	.byte	14
	.byte	0
	.byte	0
	.byte	10
	.byte	19
	.byte	1
	.byte	3
	.byte	14
	.byte	11
	.byte	11
	.byte	50
	.byte	11
	.ascii	"\210\001"
	.byte	15
	.byte	0
	.byte	0
	.byte	11
	.byte	13
	.byte	0
	.byte	3
	.byte	14
	.byte	73
	.byte	19
	.ascii	"\210\001"
	.byte	15
	.byte	56
	.byte	11
	.byte	50
	.byte	11
	.byte	0
	.byte	0
	.byte	12
	.byte	46
	.byte	1
	.byte	17
	.byte	1
	.byte	18
	.byte	6
	.byte	64
	.byte	24
	.byte	110
	.byte	14
	.byte	3
	.byte	14
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	13
	.byte	5
	.byte	0
	.byte	2
	.byte	23
	.byte	3
	.byte	14
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	14
	.byte	11
	.byte	1
	.byte	17
	.byte	1
	.byte	18
	.byte	6
	.byte	0
	.byte	0
	.byte	15
	.byte	52
	.byte	0
	.byte	2
	.byte	23
	.byte	3
	.byte	14
	.ascii	"\210\001"
	.byte	15
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	16
	.byte	46
	.byte	1
	.byte	110
	.byte	14
	.byte	3
	.byte	14
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	60
	.byte	25
	.byte	0
	.byte	0
	.byte	17
	.byte	5
	.byte	0
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	18
	.byte	46
	.byte	1
	.byte	17
	.byte	1
	.byte	18
	.byte	6
	.byte	64
	.byte	24
	.byte	3
	.byte	14
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	63
	.byte	25
	.byte	0
	.byte	0
	.byte	19
	.byte	52
	.byte	0
	.byte	2
	.byte	24
	.byte	3
	.byte	14
	.ascii	"\210\001"
	.byte	15
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	20
	.byte	36
	.byte	0
	.byte	3
	.byte	14
	.byte	62
	.byte	11
	.byte	11
	.byte	11
	.byte	0
	.byte	0
	.byte	21
	.byte	15
	.byte	0
	.byte	73
	.byte	19
	.byte	3
	.byte	14
	.byte	51
	.byte	6
	.byte	0
	.byte	0
	.byte	22
	.byte	46
	.byte	1
	.byte	71
	.byte	19
	.byte	32
	.byte	11
	.byte	0
	.byte	0
	.byte	23
	.byte	46
	.byte	1
	.byte	17
	.byte	1
	.byte	18
	.byte	6
	.byte	64
	.byte	24
	.byte	71
	.byte	19
	.byte	0
	.byte	0
	.byte	24
	.byte	11
	.byte	1
	.byte	85
	.byte	23
	.byte	0
	.byte	0
	.byte	25
	.byte	29
	.byte	0
	.byte	49
	.byte	19
	.byte	17
	.byte	1
	.byte	18
	.byte	6
	.byte	88
	.byte	11
	.byte	89
	.byte	11
	.byte	87
	.byte	11
	.byte	0
	.byte	0
	.byte	0
	.section	.debug_info,"",@progbits
.Lcu_begin0:
	.word	.Ldebug_info_end0-.Ldebug_info_start0
.Ldebug_info_start0:
	.half	4
	.word	.debug_abbrev
	.byte	8
	.byte	1
	.word	.Linfo_string0
	.half	28
	.word	.Linfo_string1
	.word	.Lline_table_start0
	.word	.Linfo_string2
	.quad	0
	.word	.Ldebug_ranges2
	.byte	2
	.word	.Linfo_string3
	.byte	2
	.word	.Linfo_string4
	.byte	3
	.word	.Linfo_string5
	.word	.Linfo_string6
	.byte	1
	.byte	34
	.word	703
	.byte	1
	.byte	4
	.word	.Linfo_string8
	.byte	1
	.byte	34
	.word	703
	.byte	0
	.byte	5
	.quad	.Lfunc_begin0
	.word	.Lfunc_end0-.Lfunc_begin0
	.byte	1
	.byte	82
	.word	.Linfo_string33
	.word	.Linfo_string34
	.byte	1
	.byte	33
	.byte	3
	.word	703
	.byte	6
	.byte	7
	.word	.Linfo_string39
	.byte	1
	.byte	33
	.word	202
	.byte	6
	.byte	100
	.word	.Linfo_string40
	.byte	1
	.byte	33
	.word	181
	.byte	7
	.word	52
	.quad	.Ltmp1
	.word	.Ltmp2-.Ltmp1
	.byte	1
	.byte	33
	.byte	87
	.byte	8
	.byte	1
	.byte	90
	.word	68
	.byte	0
	.byte	9
	.word	202
	.word	.Linfo_string31
	.byte	9
	.word	181
	.word	.Linfo_string32
	.byte	0
	.byte	10
	.word	.Linfo_string10
	.byte	8
	.byte	1
	.byte	8
	.byte	11
	.word	.Linfo_string9
	.word	703
	.byte	8
	.byte	0
	.byte	1
	.byte	0
	.byte	10
	.word	.Linfo_string22
	.byte	8
	.byte	1
	.byte	8
	.byte	11
	.word	.Linfo_string21
	.word	703
	.byte	8
	.byte	0
	.byte	1
	.byte	0
	.byte	2
	.word	.Linfo_string29
	.byte	12
	.quad	.Lfunc_begin3
	.word	.Lfunc_end3-.Lfunc_begin3
	.byte	1
	.byte	82
	.word	.Linfo_string35
	.word	.Linfo_string36
	.byte	1
	.byte	31
	.word	703
	.byte	13
	.word	.Ldebug_loc4
	.word	.Linfo_string18
	.byte	1
	.byte	31
	.word	202
	.byte	0
	.byte	0
	.byte	2
	.word	.Linfo_string30
	.byte	12
	.quad	.Lfunc_begin4
	.word	.Lfunc_end4-.Lfunc_begin4
	.byte	1
	.byte	82
	.word	.Linfo_string37
	.word	.Linfo_string36
	.byte	1
	.byte	32
	.word	703
	.byte	13
	.word	.Ldebug_loc5
	.word	.Linfo_string18
	.byte	1
	.byte	32
	.word	181
	.byte	14
	.quad	.Lfunc_begin4
	.word	.Ltmp27-.Lfunc_begin4
	.byte	15
	.word	.Ldebug_loc7
	.word	.Linfo_string43
	.byte	8
	.byte	1
	.byte	32
	.word	703
	.byte	14
	.quad	.Lfunc_begin4
	.word	.Ltmp27-.Lfunc_begin4
	.byte	15
	.word	.Ldebug_loc6
	.word	.Linfo_string42
	.byte	8
	.byte	1
	.byte	32
	.word	703
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.byte	10
	.word	.Linfo_string14
	.byte	16
	.byte	1
	.byte	8
	.byte	9
	.word	181
	.word	.Linfo_string11
	.byte	11
	.word	.Linfo_string12
	.word	181
	.byte	8
	.byte	0
	.byte	3
	.byte	11
	.word	.Linfo_string13
	.word	703
	.byte	8
	.byte	8
	.byte	3
	.byte	16
	.word	.Linfo_string15
	.word	.Linfo_string16
	.byte	1
	.byte	40
	.word	703

	.byte	9
	.word	181
	.word	.Linfo_string11
	.byte	17
	.word	710
	.byte	0
	.byte	16
	.word	.Linfo_string19
	.word	.Linfo_string20
	.byte	1
	.byte	45
	.word	703

	.byte	9
	.word	181
	.word	.Linfo_string11
	.byte	17
	.word	710
	.byte	0
	.byte	0
	.byte	10
	.word	.Linfo_string23
	.byte	16
	.byte	1
	.byte	8
	.byte	9
	.word	202
	.word	.Linfo_string11
	.byte	11
	.word	.Linfo_string12
	.word	202
	.byte	8
	.byte	0
	.byte	3
	.byte	11
	.word	.Linfo_string13
	.word	703
	.byte	8
	.byte	8
	.byte	3
	.byte	16
	.word	.Linfo_string24
	.word	.Linfo_string25
	.byte	1
	.byte	40
	.word	703

	.byte	9
	.word	202
	.word	.Linfo_string11
	.byte	17
	.word	836
	.byte	0
	.byte	16
	.word	.Linfo_string27
	.word	.Linfo_string28
	.byte	1
	.byte	45
	.word	703

	.byte	9
	.word	202
	.word	.Linfo_string11
	.byte	17
	.word	836
	.byte	0
	.byte	0
	.byte	18
	.quad	.Lfunc_begin5
	.word	.Lfunc_end5-.Lfunc_begin5
	.byte	1
	.byte	82
	.word	.Linfo_string38
	.byte	1
	.byte	61
	.word	703

	.byte	14
	.quad	.Ltmp30
	.word	.Ltmp33-.Ltmp30
	.byte	19
	.byte	2
	.byte	145
	.byte	0
	.word	.Linfo_string44
	.byte	8
	.byte	1
	.byte	62
	.word	488
	.byte	14
	.quad	.Ltmp31
	.word	.Ltmp33-.Ltmp31
	.byte	19
	.byte	2
	.byte	145
	.byte	16
	.word	.Linfo_string45
	.byte	8
	.byte	1
	.byte	63
	.word	386
	.byte	14
	.quad	.Ltmp32
	.word	.Ltmp33-.Ltmp32
	.byte	19
	.byte	1
	.byte	88
	.word	.Linfo_string41
	.byte	8
	.byte	1
	.byte	64
	.word	703
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.byte	20
	.word	.Linfo_string7
	.byte	7
	.byte	8
	.byte	21
	.word	386
	.word	.Linfo_string17
	.word	0
	.byte	22
	.word	427
	.byte	1
	.byte	9
	.word	181
	.word	.Linfo_string11
	.byte	4
	.word	.Linfo_string18
	.byte	1
	.byte	40
	.word	710
	.byte	0
	.byte	23
	.quad	.Lfunc_begin1
	.word	.Lfunc_end1-.Lfunc_begin1
	.byte	1
	.byte	82
	.word	457
	.byte	13
	.word	.Ldebug_loc0
	.word	.Linfo_string18
	.byte	1
	.byte	45
	.word	710
	.byte	24
	.word	.Ldebug_ranges0
	.byte	15
	.word	.Ldebug_loc1
	.word	.Linfo_string41
	.byte	8
	.byte	1
	.byte	46
	.word	703
	.byte	25
	.word	723
	.quad	.Ltmp10
	.word	.Ltmp11-.Ltmp10
	.byte	1
	.byte	48
	.byte	42
	.byte	0
	.byte	9
	.word	181
	.word	.Linfo_string11
	.byte	0
	.byte	21
	.word	488
	.word	.Linfo_string26
	.word	0
	.byte	22
	.word	529
	.byte	1
	.byte	9
	.word	202
	.word	.Linfo_string11
	.byte	4
	.word	.Linfo_string18
	.byte	1
	.byte	40
	.word	836
	.byte	0
	.byte	23
	.quad	.Lfunc_begin2
	.word	.Lfunc_end2-.Lfunc_begin2
	.byte	1
	.byte	82
	.word	559
	.byte	13
	.word	.Ldebug_loc2
	.word	.Linfo_string18
	.byte	1
	.byte	45
	.word	836
	.byte	24
	.word	.Ldebug_ranges1
	.byte	15
	.word	.Ldebug_loc3
	.word	.Linfo_string41
	.byte	8
	.byte	1
	.byte	46
	.word	703
	.byte	25
	.word	849
	.quad	.Ltmp19
	.word	.Ltmp20-.Ltmp19
	.byte	1
	.byte	48
	.byte	42
	.byte	0
	.byte	9
	.word	202
	.word	.Linfo_string11
	.byte	0
	.byte	0
.Ldebug_info_end0:
	.section	.text._RINvNtCshKuLGoDTFBq_4rust6shapes5totalNtB2_6SquareNtB2_6CircleEB4_,"ax",@progbits
.Lsec_end0:
	.section	.text._RNvMs2_CshKuLGoDTFBq_4rustINtB5_7CounterNtNtB5_6shapes6CircleE3allB5_,"ax",@progbits
.Lsec_end1:
	.section	.text._RNvMs2_CshKuLGoDTFBq_4rustINtB5_7CounterNtNtB5_6shapes6SquareE3allB5_,"ax",@progbits
.Lsec_end2:
	.section	.text._RNvXNtCshKuLGoDTFBq_4rust6shapesNtB2_6SquareNtB2_4Area4area,"ax",@progbits
.Lsec_end3:
	.section	.text._RNvXs_NtCshKuLGoDTFBq_4rust6shapesNtB4_6CircleNtB4_4Area4area,"ax",@progbits
.Lsec_end4:
	.section	.text.main,"ax",@progbits
.Lsec_end5:
	.section	.debug_aranges,"",@progbits
	.word	124
	.half	2
	.word	.Lcu_begin0
	.byte	8
	.byte	0
	.zero	4,255
	.quad	.Lfunc_begin0
	.quad	.Lsec_end0-.Lfunc_begin0
	.quad	.Lfunc_begin1
	.quad	.Lsec_end1-.Lfunc_begin1
	.quad	.Lfunc_begin2
	.quad	.Lsec_end2-.Lfunc_begin2
	.quad	.Lfunc_begin3
	.quad	.Lsec_end3-.Lfunc_begin3
	.quad	.Lfunc_begin4
	.quad	.Lsec_end4-.Lfunc_begin4
	.quad	.Lfunc_begin5
	.quad	.Lsec_end5-.Lfunc_begin5
	.quad	0
	.quad	0
	.section	.debug_ranges,"",@progbits
.Ldebug_ranges0:
	.quad	.Ltmp6
	.quad	.Ltmp7
	.quad	.Ltmp9
	.quad	.Ltmp11
	.quad	0
	.quad	0
.Ldebug_ranges1:
	.quad	.Ltmp15
	.quad	.Ltmp16
	.quad	.Ltmp18
	.quad	.Ltmp20
	.quad	0
	.quad	0
.Ldebug_ranges2:
	.quad	.Lfunc_begin0
	.quad	.Lfunc_end0
	.quad	.Lfunc_begin1
	.quad	.Lfunc_end1
	.quad	.Lfunc_begin2
	.quad	.Lfunc_end2
	.quad	.Lfunc_begin3
	.quad	.Lfunc_end3
	.quad	.Lfunc_begin4
	.quad	.Lfunc_end4
	.quad	.Lfunc_begin5
	.quad	.Lfunc_end5
	.quad	0
	.quad	0
	.section	.debug_str,"MS",@progbits,1
.Linfo_string0:
	.asciz	"clang LLVM (rustc version 1.95.0 (59807616e 2026-04-14))"
.Linfo_string1:
	.asciz	"rust.rs/@/rust.cebe997107dec46e-cgu.0"
.Linfo_string2:
	.asciz	"/rust"
.Linfo_string3:
	.asciz	"rust"
.Linfo_string4:
	.asciz	"shapes"
.Linfo_string5:
	.asciz	"_RNvNtCshKuLGoDTFBq_4rust6shapes5twice"
.Linfo_string6:
	.asciz	"twice"
.Linfo_string7:
	.asciz	"u64"
.Linfo_string8:
	.asciz	"x"
.Linfo_string9:
	.asciz	"r"
.Linfo_string10:
	.asciz	"Circle"
.Linfo_string11:
	.asciz	"T"
.Linfo_string12:
	.asciz	"shape"
.Linfo_string13:
	.asciz	"left"
.Linfo_string14:
	.asciz	"Counter<rust::shapes::Circle>"
.Linfo_string15:
	.asciz	"_RNvMs2_CshKuLGoDTFBq_4rustINtB5_7CounterNtNtB5_6shapes6CircleE4nextB5_"
.Linfo_string16:
	.asciz	"next<rust::shapes::Circle>"
.Linfo_string17:
	.asciz	"&mut rust::Counter<rust::shapes::Circle>"
.Linfo_string18:
	.asciz	"self"
.Linfo_string19:
	.asciz	"_RNvMs2_CshKuLGoDTFBq_4rustINtB5_7CounterNtNtB5_6shapes6CircleE3allB5_"
.Linfo_string20:
	.asciz	"all<rust::shapes::Circle>"
.Linfo_string21:
	.asciz	"__0"
.Linfo_string22:
	.asciz	"Square"
.Linfo_string23:
	.asciz	"Counter<rust::shapes::Square>"
.Linfo_string24:
	.asciz	"_RNvMs2_CshKuLGoDTFBq_4rustINtB5_7CounterNtNtB5_6shapes6SquareE4nextB5_"
.Linfo_string25:
	.asciz	"next<rust::shapes::Square>"
.Linfo_string26:
	.asciz	"&mut rust::Counter<rust::shapes::Square>"
.Linfo_string27:
	.asciz	"_RNvMs2_CshKuLGoDTFBq_4rustINtB5_7CounterNtNtB5_6shapes6SquareE3allB5_"
.Linfo_string28:
	.asciz	"all<rust::shapes::Square>"
.Linfo_string29:
	.asciz	"{impl#0}"
.Linfo_string30:
	.asciz	"{impl#1}"
.Linfo_string31:
	.asciz	"A"
.Linfo_string32:
	.asciz	"B"
.Linfo_string33:
	.asciz	"_RINvNtCshKuLGoDTFBq_4rust6shapes5totalNtB2_6SquareNtB2_6CircleEB4_"
.Linfo_string34:
	.asciz	"total<rust::shapes::Square, rust::shapes::Circle>"
.Linfo_string35:
	.asciz	"_RNvXNtCshKuLGoDTFBq_4rust6shapesNtB2_6SquareNtB2_4Area4area"
.Linfo_string36:
	.asciz	"area"
.Linfo_string37:
	.asciz	"_RNvXs_NtCshKuLGoDTFBq_4rust6shapesNtB4_6CircleNtB4_4Area4area"
.Linfo_string38:
	.asciz	"main"
.Linfo_string39:
	.asciz	"a"
.Linfo_string40:
	.asciz	"b"
.Linfo_string41:
	.asciz	"sum"
.Linfo_string42:
	.asciz	"i"
.Linfo_string43:
	.asciz	"s"
.Linfo_string44:
	.asciz	"squares"
.Linfo_string45:
	.asciz	"circles"
	.ident	"rustc version 1.95.0 (59807616e 2026-04-14)"
	.section	".note.GNU-stack","",@progbits
	.section	.debug_line,"",@progbits
.Lline_table_start0:
