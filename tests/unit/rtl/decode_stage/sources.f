// decode_stage against a queue: takes, leaves, holes at the end, squashes.
rtl/decode/rvc_expand.sv
rtl/decode/fp_decode.sv
rtl/decode/decoder.sv
rtl/decode/decode_stage.sv
