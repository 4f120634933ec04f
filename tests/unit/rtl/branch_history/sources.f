// Directions of the branches on the fetched path, alone.
rtl/fetch/branch_history.sv
