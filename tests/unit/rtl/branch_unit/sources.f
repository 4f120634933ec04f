// branch_unit against C: direction, target, misprediction and packet end of each branch and of jalr.
rtl/execute/branch_unit.sv
