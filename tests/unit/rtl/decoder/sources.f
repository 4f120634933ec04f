// decoder against tables/instructions.tsv and the manual's formats: every row, random operands, what matches no row.
rtl/decode/rvc_expand.sv
rtl/decode/fp_decode.sv
rtl/decode/decoder.sv
