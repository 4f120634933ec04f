// The offending instruction register, alone.
rtl/profile/oir_update.sv
