// window_psv against the two rules of its header.
rtl/commit/window_psv.sv
