// rob and commit_ctrl against a queue: commit groups, exceptions, replays, interrupts, squashes, wrap-around.
rtl/commit/rob_bank.sv
rtl/commit/rob.sv
rtl/commit/exception_reg.sv
rtl/commit/commit_ctrl.sv
