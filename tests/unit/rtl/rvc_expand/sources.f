// rvc_expand against an expander written from the manual's tables: all 65536 encodings.
rtl/decode/rvc_expand.sv
