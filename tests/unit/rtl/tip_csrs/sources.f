// The CSRs of the sample unit, alone.
rtl/profile/tip_csrs.sv
